/** An operator's calls for agreements, both in a folder and published. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDiskStore } from '../../../src/base/store/disk.ts';
import type { AnswerOf } from '../../../src/http/call.ts';
import type { agreementCalls } from '../../../src/http/operator/agreements/calls.ts';
import type { OPERATOR_CALLS } from '../../../src/http/operator/calls.ts';
import type { clientCalls } from '../../../src/http/operator/clients/calls.ts';
import type { BatchApi } from '../batch-api.ts';
import { batchApiForFile } from '../batch-suite.ts';
import { type OperatorApi, operatorApiOf } from './operator-api.ts';

let batchApi: BatchApi;
batchApiForFile((started) => {
  batchApi = started.api;
});

let dir: string;
let ops: OperatorApi;
let headers: Record<string, string>;

const NOW = new Date('2026-03-10T15:00:00Z');
const DISCOUNTS = 'discount,services,percent\nIncentive,C1-GROUND,20\nIncentive,C1-EXPRESS,30\n';
const upload = (over: Record<string, unknown> = {}) => ({
  ...{ name: 'acme-c1', carrier: 'C1', from: '2026-03-01' },
  files: [{ path: 'discounts.csv', text: DISCOUNTS }],
  ...over,
});

const post = (path: string, json: unknown) => ops.send('POST', path, json, headers);
const check = async (json: unknown) =>
  (await post('/ops/agreement-check', json)).body as AnswerOf<typeof agreementCalls.checkAgreement>;
const publish = (json: Record<string, unknown>, before: string | null) => post('/ops/agreements', { ...json, before });
const percentsOf = ({ discounts }: { readonly discounts: readonly { readonly percent: number }[] }) =>
  discounts.map(({ percent }) => percent);

describe.each(['a folder', 'the store'] as const)('agreements in %s', (place) => {
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'operator-agreements-'));
    const clientsFile = join(dir, 'clients.json');
    await writeFile(clientsFile, '{"clients": []}');
    const agreementsDir = join(dir, 'agreements');
    await mkdir(agreementsDir);
    await batchApi.redis.del('rates:published');
    ops = await operatorApiOf(
      { ...batchApi, store: createDiskStore(join(dir, 'store')) },
      {
        now: () => NOW,
        config: {
          ...{ clientsFile, storeUrl: pathToFileURL(dir).href, dataDir: dir },
          agreementsDir: place === 'a folder' ? agreementsDir : undefined,
        },
      },
    );
    headers = await ops.signIn();
  });
  afterEach(async () => {
    await ops.close();
    await rm(dir, { recursive: true, force: true });
  });

  test('are checked, published from a day, shown and changed from a later day', async () => {
    const first = await check(upload());
    expect(first).toMatchObject({ before: null, differences: [], agreement: { effective: '2026-03-01' } });
    expect(percentsOf(first.agreement ?? { discounts: [] })).toEqual([20, 30]);
    expect((await ops.call('/ops/agreements', { headers })).body.agreements).toEqual([]);

    const published = await publish(upload(), null);
    expect(published.status).toBe(201);
    const shown = published.body as AnswerOf<typeof agreementCalls.publishAgreement>;
    expect(shown).toMatchObject({ name: 'acme-c1', inForce: 'now', clients: [], fixed: null });
    expect((await ops.call('/ops/agreements', { headers })).body.agreements).toMatchObject([
      { name: 'acme-c1', discountLines: 2, highestPercent: 30, surchargeLines: 0 },
    ]);
    const { body: card } = await ops.call('/ops/agreements/acme-c1/card?service=C1-GROUND', { headers });
    expect([card.rateType, card.agreement]).toEqual(['ACCOUNT', 'acme-c1']);

    const later = upload({
      from: '2026-06-01',
      files: [{ path: 'discounts.csv', text: DISCOUNTS.replace('GROUND,20', 'GROUND,25') }],
    });
    const second = await check(later);
    expect(second.before).toBe(shown.id);
    expect(second.differences).toEqual([
      {
        at: 'discounts.csv Incentive, C1-GROUND, all zones, from 1 lb',
        ...{ before: '20.00%', after: '25.00%' },
      },
    ]);
    const changed = (await publish(later, second.before)).body as AnswerOf<typeof agreementCalls.publishAgreement>;
    expect([changed.changes, percentsOf(changed)]).toEqual([['2026-06-01'], [20, 30]]);
    expect(changed.next).toEqual({ day: '2026-06-01', differences: second.differences, moreDifferences: 0 });

    // Another operator still sees the first version.
    const late = await publish(upload({ from: '2026-07-01' }), shown.id);
    expect([late.status, late.body.fault.message]).toEqual([
      409,
      'Somebody else has changed the agreement acme-c1. Look at it again, then repeat your change.',
    ]);
    const { entries } = (await ops.call('/ops/audit', { headers })).body as AnswerOf<typeof OPERATOR_CALLS.listAudit>;
    // The clock of this test does not advance, so the entries have no order.
    const changes = entries.filter(({ action }) => action === 'Published the agreement').map((entry) => entry.changes);
    expect(changes).toContainEqual([{ what: 'from 2026-06-01 on', before: shown.id, after: changed.id }]);
    expect(changes).toContainEqual([{ what: 'from 2026-03-01 on', before: null, after: shown.id }]);
    expect(changes).toHaveLength(2);
  });

  test('accept multiweight prices, and a file for one service leaves the prices of others', async () => {
    const json = {
      ...{ name: 'acme-c1', carrier: 'C1', effective: '2026-03-01' },
      services: { 'C1-GROUND': { multiweight: { minimumTotalLb: 200 } }, 'C1-EXPRESS': { multiweight: {} } },
    };
    const table = (service: string, price: string) => ({
      path: `multiweight/${service}.csv`,
      text: `cwt_from_lb,2\n200,${price}\n`,
    });
    const whole = upload({
      files: [
        { path: 'agreement.json', text: JSON.stringify(json) },
        table('C1-GROUND', '24.61'),
        table('C1-EXPRESS', '61.00'),
      ],
    });
    expect((await publish(whole, null)).status).toBe(201);
    const change = upload({ from: '2026-06-01', files: [table('C1-GROUND', '23.90')] });
    const checked = await check(change);
    expect(checked.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(checked.differences).toEqual([
      { at: 'multiweight/C1-GROUND.csv row 200 (per 100 lb) column 2', before: '24.61', after: '23.90' },
    ]);
    const changed = (await publish(change, checked.before)).body as AnswerOf<typeof agreementCalls.publishAgreement>;
    expect(changed.services.map(({ multiweight }) => multiweight?.breaks)).toEqual([
      [{ fromLb: 200, usd: [24.61] }],
      [{ fromLb: 200, usd: [61] }],
    ]);
  });

  test('are not published if a client would have no prices', async () => {
    const named = (name: string, ...services: readonly string[]) => {
      const lines = services.map((service) => `A,${service},20\n`).join('');
      return upload({ name, files: [{ path: 'discounts.csv', text: `discount,services,percent\n${lines}` }] });
    };
    await publish(named('ground', 'C1-GROUND'), null);
    const { id } = (await publish(named('express', 'C1-EXPRESS'), null)).body;
    const add = () => post('/ops/clients', { id: 'acme', agreements: [{ name: 'ground' }, { name: 'express' }] });
    await expect.poll(async () => (await add()).status, { timeout: 5_000, interval: 300 }).toBe(201);
    const refused = await publish({ ...named('express', 'C1-EXPRESS', 'C1-GROUND'), from: '2026-04-01' }, id);
    expect([refused.status, refused.body.fault.message]).toEqual([
      409,
      'The client acme would have no prices: ground and express both cover C1-GROUND for the same warehouses.',
    ]);
    expect((await publish({ ...named('express', 'C1-EXPRESS'), from: '2026-04-01' }, id)).status).toBe(200);
  });

  test('are withdrawn if the operator has seen the latest version, unless a client pays by them', async () => {
    const { id } = (await publish(upload(), null)).body as AnswerOf<typeof agreementCalls.publishAgreement>;
    const withdraw = (as: string, name = 'acme-c1') => post(`/ops/agreements/${name}/withdraw`, { id: as });
    const add = () => post('/ops/clients', { id: 'acme', agreements: [{ name: 'acme-c1' }] });
    await expect.poll(async () => (await add()).status, { timeout: 5_000, interval: 300 }).toBe(201);
    const used = await withdraw(id);
    expect([used.status, used.body.fault.message]).toEqual([
      409,
      'These clients use it and would have no prices: acme.',
    ]);
    expect((await post('/ops/clients/acme', { removeAgreements: ['acme-c1'], drafts: ['acme-c1'] })).status).toBe(200);
    const stale = await withdraw('acme-c1@2026-01-01-00000000');
    expect([stale.status, stale.body.fault.message]).toEqual([
      409,
      'Somebody else has changed the agreement acme-c1. Look at it again, then repeat your change.',
    ]);
    expect((await withdraw(id)).status).toBe(204);
    expect((await ops.call('/ops/agreements', { headers })).body.agreements).toEqual([]);
    expect((await withdraw(id)).status).toBe(404);
    const { entries } = (await ops.call('/ops/audit', { headers })).body as AnswerOf<typeof OPERATOR_CALLS.listAudit>;
    expect(entries.find(({ action }) => action === 'Withdrew the agreement')).toMatchObject({
      ...{ object: 'acme-c1', by: 'Ada', changes: [{ what: 'withdrawn', before: id, after: null }] },
    });
    // A new agreement may use the name again.
    expect((await publish(upload(), null)).status).toBe(201);
  });

  test('accept a carrier’s grid', async () => {
    const csv = 'Weight,2,3-8\n1-10,10%,12%\n11-150,20%,22%\n';
    const grid = { content: Buffer.from(csv).toString('base64'), services: ['C1-GROUND'] };
    const checked = await check(upload({ files: [], grid }));
    expect(checked.findings.map(({ severity, at, message }) => `${severity} ${at}: ${message}`)).toEqual([
      'warning The grid: does not cover zone 1 of C1-GROUND, so its discount does not apply there',
      'warning The discounts: minimum charges limit discounts. If the contract has other minimum charges, correct them',
    ]);
    expect(percentsOf(checked.agreement ?? { discounts: [] })).toEqual([10, 12, 20, 22]);
    const two = { ...grid, content: Buffer.from(`${csv}\nUPS 2nd Day Air\n${csv}`).toString('base64') };
    expect((await check(upload({ files: [], grid: two }))).findings[0]?.message).toContain(
      'is of UPS-2DAY, which is not one of the services of the grid, so it is left out',
    );
    const none = { ...grid, content: Buffer.from(`UPS 2nd Day Air\n${csv}`).toString('base64') };
    expect((await check(upload({ files: [], grid: none }))).findings.map(({ message }) => message)).toEqual([
      'has no percentages for these services',
      'is of UPS-2DAY, which is not one of the services of the grid, so it is left out: UPS 2nd Day Air',
    ]);
    const broken = { ...grid, content: Buffer.from('nothing').toString('base64') };
    const refused = await check(upload({ files: [], grid: broken }));
    expect(refused).toMatchObject({ agreement: null, findings: [{ severity: 'error', at: 'The grid' }] });
  });

  test('give one client 35% off a service that its agreement prices, unless others pay by it', async () => {
    await publish(upload(), null);
    const warehouses = [
      {
        ...{ warehouse_id: 101, name: 'Newark' },
        address: { postalCode: '07001', stateOrProvinceCode: 'NJ', countryCode: 'US' },
      },
    ];
    const add = () => post('/ops/clients', { id: 'acme', warehouses, agreements: [{ name: 'acme-c1' }] });
    // The running service follows its agreements.
    await expect.poll(async () => (await add()).status, { timeout: 5_000, interval: 300 }).toBe(201);
    const json = { service: 'C1-GROUND', percent: '35', from: '2026-04-01' };
    const seen = (await ops.call('/ops/clients/acme', { headers })).body;
    const given = (await post('/ops/clients/acme/discount', json)).body as AnswerOf<typeof clientCalls.discountService>;
    expect(given.agreements).toEqual(['acme-c1']);
    expect(given.client.services[0]).toMatchObject({
      discount: null,
      agreements: [{ name: 'acme-c1', warehouses: null, off: '20%' }],
    });
    const { body } = await ops.call('/ops/agreements/acme-c1', { headers });
    expect([body.changes, body.clients]).toEqual([['2026-04-01'], ['acme']]);

    const stale = await post('/ops/clients/acme/discount', { ...json, percent: '20', before: seen.facts });
    expect([stale.status, stale.body.fault.message]).toEqual([
      409,
      expect.stringMatching(
        /^Somebody else has changed the agreements in force of acme from acme-c1@\S+ to acme-c1@\S+\. /,
      ),
    ]);

    const flat = await post('/ops/clients/acme/discount', { service: 'C2-GROUND', percent: '5' });
    expect((flat.body as AnswerOf<typeof clientCalls.discountService>).agreements).toEqual([]);

    await expect
      .poll(async () => (await post('/ops/clients', { id: 'other', agreements: [{ name: 'acme-c1' }] })).status)
      .toBe(201);
    const refused = await post('/ops/clients/acme/discount', json);
    expect([refused.status, refused.body.fault.message]).toEqual([
      409,
      'The agreement acme-c1 sets what the client pays for C1-GROUND. Other clients use it too: other. ' +
        'Upload a separate agreement for this client, or change acme-c1 for all of them.',
    ]);
  });

  test('are refused with the field or the finding', async () => {
    const wrong = await post('/ops/agreement-check', upload({ files: [{ path: '../clients.json', text: '' }] }));
    expect([wrong.status, Object.keys(wrong.body.fault.arguments)]).toEqual([422, ['files[0].path']]);
    const bad = upload({ files: [{ path: 'discounts.csv', text: 'discount,services,percent\nA,C9-X,20\n' }] });
    expect((await check(bad)).findings[0]).toMatchObject({
      ...{ severity: 'error', at: 'discounts.csv row 2 column services' },
      message: expect.stringContaining('no tariff has the service C9-X'),
    });
    expect((await publish(bad, null)).body.fault.type).toBe('operator.refused');
    const { carrier: _, ...unnamed } = upload();
    expect((await check(unnamed)).findings[0]?.message).toContain('name the carrier');
    expect((await ops.call('/ops/agreements/none', { headers })).status).toBe(404);
  });
});
