/** Tariffs and agreements that take effect together, and what happens during a publication. */
import { afterEach, expect, test } from 'vitest';
import { must } from '../../../src/base/must.ts';
import { connect } from '../../../src/base/redis/connection.ts';
import { newSecret, withClient } from '../../../src/catalog/clients/change-clients.ts';
import { parseClients } from '../../../src/catalog/clients/clients.ts';
import { AGREEMENTS, TARIFFS } from '../../../src/catalog/documents/kinds.ts';
import { planPut } from '../../../src/catalog/documents/library.ts';
import { changePublishedClients, publishedClients } from '../../../src/catalog/published/clients.ts';
import { createPointers } from '../../../src/catalog/published/pointer.ts';
import { createSnapshots } from '../../../src/catalog/published/snapshots.ts';
import { openSources, type Sources } from '../../../src/catalog/published/sources.ts';
import { libraryOf, openBoth } from '../../../src/catalog/published/store-place.ts';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import { soon } from '../../soon.ts';
import { onePercentage } from '../agreement/one-percentage.ts';
import { smallTariff, TEN_POUNDS } from '../tariff/small-tariff.ts';
import { publishAll, type Setup, setUpForEachTest } from './setup.ts';

const WHO = { by: 'ann@laptop', now: new Date('2026-03-01T00:00:00Z') };

let setup: Setup;
const opened: Sources[] = [];
setUpForEachTest((fresh) => (setup = fresh));
afterEach(() => {
  for (const { close } of opened.splice(0)) close();
});

const priced = (cents: number) =>
  scheduleOf([
    smallTariff({
      file: { effective: '2026-01-01' },
      service: { code: 'GROUND', maximumActualLb: 10 },
      document: { rates: { GROUND: { ...TEN_POUNDS, cents: TEN_POUNDS.cents.with(0, [cents, 2_000]) } } },
    }),
  ]);
const agreement = (percent: number) => onePercentage(percent.toFixed(2));
/** Publishes a tariff and an agreement together. @param before the agreement that it replaces */
const pair = async (number: number, before?: string) => {
  const { places, publish } = await openBoth([TARIFFS, AGREEMENTS], setup.deps);
  const options = { ...WHO, replace: 'all' } as const;
  const tariffs = priced(1_000 + number).documents.map((document) => ({ document }));
  const planned = await planPut(TARIFFS, places[0], tariffs, { ...options, alone: true });
  const beside = await planPut(AGREEMENTS, places[1], [{ document: agreement(number), before }], options);
  if ('errors' in planned || 'errors' in beside) throw new Error(JSON.stringify([planned, beside]));
  return await publish([planned.items, beside.items], WHO);
};

const open = async (more: object = {}): Promise<Sources> => {
  const { deps } = setup;
  const snapshots = createSnapshots(deps.store);
  const sources = await openSources(
    { storeUrl: 's3://none' },
    { ...deps, snapshots, allowSampleSecrets: false, ...more },
  );
  opened.push(sources);
  return sources;
};
const firstPound = ({ tariffs }: Sources) => tariffs.current().bookOn('2026-06-01').cards[0]?.rates[1];
const percent = ({ clients }: Sources) => clients.agreements().get('acme-c1')?.tables.discounts[0]?.percent;
const pairIn = (sources: Sources) => [firstPound(sources), percent(sources)];
const record = () => {
  const acme = { id: 'acme', name: 'Acme', scopes: ['quote'], warehouses: [], secrets: [newSecret(WHO.now).kept] };
  return must(parseClients(JSON.stringify({ clients: [acme] }), 'test')[0], 'the client');
};

test('a tariff and its agreement are in force together: no process ever sees a mixed pair', async () => {
  await pair(1);
  const events = connect(setup.redisUrl, 'events', { log: setup.deps.log });
  const sources = await open({ events });
  const seen = new Set<string>();
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      seen.add(pairIn(sources).join());
      await new Promise(setImmediate);
    }
  })();
  for (let number = 2; number <= 6; number += 1) {
    await pair(number);
    if (number % 2 === 0) await sources.tariffs.refresh();
  }
  await soon(() => expect(pairIn(sources)).toEqual([1_006, '6.00']));
  isDone = true;
  await watching;
  events.disconnect();
  const pairs = Array.from({ length: 6 }, (_, at) => `${1_001 + at},${(at + 1).toFixed(2)}`);
  expect([...seen].filter((one) => !pairs.includes(one))).toEqual([]);
  expect(seen.size).toBeGreaterThan(2);
});

test('if one of a pair cannot be used, the other does not come into force either', async () => {
  await pair(1);
  const sources = await open();
  await publishAll(TARIFFS, setup.deps, priced(1_002).documents, WHO);
  await sources.tariffs.refresh();
  expect(pairIn(sources)).toEqual([1_002, '1.00']);
  const { store } = setup.deps;
  await publishAll(AGREEMENTS, setup.deps, [agreement(9)], WHO);
  await publishAll(AGREEMENTS, setup.deps, [agreement(1)], WHO);
  for (const name of await store.list('agreements/')) {
    const key = `agreements/${name}`;
    const text = String(await store.get(key));
    if (text.includes('9.00')) await store.put(key, Buffer.from(text.replace('9.00', '8.00')));
  }
  await pair(9);
  await expect(sources.tariffs.refresh()).rejects.toThrow('the store could not provide the published tariffs');
  expect(pairIn(sources)).toEqual([1_002, '1.00']);
  expect(sources.tariffs.findings()).toHaveLength(1);
  await pair(3);
  await sources.tariffs.refresh();
  expect(pairIn(sources)).toEqual([1_003, '3.00']);
});

test('neither of a pair is published if the agreement has changed since the operator saw it', async () => {
  await pair(1);
  await expect(pair(2, 'acme-c1@2020-01-01-00000000')).rejects.toThrow(
    'Somebody else has changed the agreement acme-c1.',
  );
  const { documents } = await libraryOf(TARIFFS, undefined, (use) => use(setup.deps)).current();
  expect(documents.map(TARIFFS.id)).toEqual(priced(1_001).ids);
});

test('a change of clients while tariffs are published is kept, and refuses neither', async () => {
  const pointers = createPointers(setup.deps);
  const before = await pointers.latest();
  await changePublishedClients(setup.deps, (all) => withClient(all, record()), WHO);
  expect(await pointers.move(before, { tariffs: '1-0123456789abcdef' }, WHO)).toBe(true);
  expect((await publishedClients(setup.deps)).map(({ id }) => id)).toEqual(['acme']);
  expect((await pointers.latest())?.sequence).toBe(2);
});
