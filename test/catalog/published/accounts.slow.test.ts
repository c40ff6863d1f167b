/** Published clients with published agreements, as an API opens them. */
import { afterEach, expect, test } from 'vitest';
import { must } from '../../../src/base/must.ts';
import { newSecret, withChanged, withClient } from '../../../src/catalog/clients/change-clients.ts';
import { parseClients } from '../../../src/catalog/clients/clients.ts';
import { AGREEMENTS } from '../../../src/catalog/documents/kinds.ts';
import { changePublishedClients } from '../../../src/catalog/published/clients.ts';
import { createSnapshots } from '../../../src/catalog/published/snapshots.ts';
import { openSources } from '../../../src/catalog/published/sources.ts';
import { bookOfCards } from '../../rating/book-of-cards.ts';
import { soon } from '../../soon.ts';
import { onePercentage } from '../agreement/one-percentage.ts';
import { publishAll, type Setup, setUpForEachTest } from './setup.ts';

const WHO = { by: 'ann@laptop', now: new Date('2026-03-01T00:00:00Z') };

let setup: Setup;
let accounts: Awaited<ReturnType<typeof openSources>> | undefined;
setUpForEachTest((fresh) => (setup = fresh));
afterEach(() => accounts?.close());

const record = () => {
  const acme = { id: 'acme', name: 'Acme', scopes: ['quote'], warehouses: [], secrets: [newSecret(WHO.now).kept] };
  return must(parseClients(JSON.stringify({ clients: [acme] }), 'test')[0], 'the client');
};

test('a client has no account while its agreement is not published, and each version after that', async () => {
  const { deps } = setup;
  await changePublishedClients(deps, (all) => withClient(all, record()), WHO);
  const snapshots = createSnapshots(deps.store);
  accounts = await openSources({ storeUrl: 'file:///store' }, { ...deps, snapshots, allowSampleSecrets: false });
  const opened = accounts.clients;
  const acme = () => must(opened.current().get('acme'), 'acme');
  const percents = () => acme().agreements.map(({ document }) => document.tables.discounts[0]?.percent);
  expect([percents(), opened.withoutAgreement()]).toEqual([[], 0]);
  const agreements = [{ name: 'acme-c1' }];
  await changePublishedClients(deps, (all) => withChanged(all, 'acme', (one) => ({ ...one, agreements })), WHO);
  await soon(() => {
    acme();
    expect(opened.withoutAgreement()).toBe(1);
  });
  const book = bookOfCards([]);
  expect(() => acme().account.termsOn(book, 1)).toThrow('an agreement of the client cannot be used');
  for (const percent of ['10.00', '12.00']) {
    await publishAll(AGREEMENTS, deps, [onePercentage(percent)], WHO);
    await soon(() => expect(percents()).toEqual([percent]));
    expect(opened.withoutAgreement()).toBe(0);
  }
  expect(setup.warnings).toEqual(['clients get no prices without their agreements']);
});
