/** An operator's calls for clients, both in a clients file and published. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDiskStore } from '../../../src/base/store/disk.ts';
import type { Message, Target } from '../../../src/base/webhook/send.ts';
import type { OperatorClientBody } from '../../../src/catalog/clients/view.ts';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import type { AnswerOf } from '../../../src/http/call.ts';
import type { OPERATOR_CALLS } from '../../../src/http/operator/calls.ts';
import type { clientCalls } from '../../../src/http/operator/clients/calls.ts';
import { chartedTariff } from '../../catalog/tariff/small-tariff.ts';
import { folderForEachTest } from '../../folder.ts';
import { fixedTariffs, RATES, rateRequest } from '../api.ts';
import type { BatchApi } from '../batch-api.ts';
import { batchApiForFile } from '../batch-suite.ts';
import { type OperatorApi, operatorApiOf } from './operator-api.ts';

let batchApi: BatchApi;
batchApiForFile((started) => {
  batchApi = started.api;
});

const NEWARK = { warehouse_id: 101, name: 'Newark', address: address('07001', 'NJ') };
const RENO = { warehouse_id: 102, name: 'Reno', address: address('89501', 'NV') };

function address(postalCode: string, stateOrProvinceCode: string) {
  return { postalCode, stateOrProvinceCode, countryCode: 'US' };
}

let dir: string;
let ops: OperatorApi;
let headers: Record<string, string>;
const sent: { readonly target: Target; readonly message: Message }[] = [];

const open = async (clientsFile: string | undefined): Promise<void> => {
  await batchApi.redis.del('rates:published');
  ops = await operatorApiOf(
    { ...batchApi, store: createDiskStore(join(dir, 'store')) },
    {
      // Undefined: published.
      config: { clientsFile, storeUrl: pathToFileURL(dir).href, dataDir: dir },
      send: async (target, message) => {
        sent.push({ target, message });
        return { status: 503, body: 'down for repairs', problem: 'the response status was 503', ms: 12 };
      },
    },
  );
  headers = await ops.signIn();
};

folderForEachTest((made) => (dir = made));
beforeEach(() => {
  sent.length = 0;
});
afterEach(() => ops.close());

const post = (path: string, json: unknown) => ops.send('POST', path, json, headers);
const openEmpty = async () => {
  const file = join(dir, 'clients.json');
  await writeFile(file, '{"clients": []}');
  await open(file);
};
const auditEntries = async () =>
  ((await ops.call('/ops/audit', { headers })).body as AnswerOf<typeof OPERATOR_CALLS.listAudit>).entries;
const secretOf = (body: unknown): string =>
  (body as AnswerOf<typeof clientCalls.changeClient>).secrets?.client_secret ?? '';

/** Gets a single quote of a client. Processes apply a change within two seconds. */
const quoteOf = async (id: string, secret: string) => {
  const token = await ops.tokenOf(id, secret);
  return await ops.call(RATES, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(rateRequest()),
  });
};

const add = async (json: Record<string, unknown> = {}) =>
  await post('/ops/clients', { id: 'acme', name: 'Acme Inc.', warehouses: [NEWARK], ...json });

test('if two operators change one field, the second is told what the change replaces', async () => {
  await openEmpty();
  await add();
  await post('/ops/clients/acme', { limits: { quotesPerMinute: 700 } });
  const second = await post('/ops/clients/acme', { limits: { quotesPerMinute: 900 } });
  expect((second.body as AnswerOf<typeof clientCalls.changeClient>).changes).toEqual([
    { what: 'limit quotesPerMinute', before: '700', after: '900' },
  ]);
});

test('a value above a limit has one problem', async () => {
  await openEmpty();
  await add();
  const { status, body } = await post('/ops/clients/acme', { limits: { quotesPerMinute: 1e20, bytesStored: 1e20 } });
  expect([status, body.fault.arguments]).toEqual([
    422,
    { 'limits.quotesPerMinute': 'must be at most 100000000', 'limits.bytesStored': 'must be at most 1125899906842624' },
  ]);
});

test('a change of nothing is not in the audit log', async () => {
  await openEmpty();
  await add();
  for (const json of [{}, { name: 'Acme Inc.' }]) expect((await post('/ops/clients/acme', json)).status).toBe(200);
  expect((await auditEntries()).map(({ action }) => action)).toEqual(['Added the client', 'Signed in']);
});

test('a client that has no agreements has none as before', async () => {
  await openEmpty();
  await add();
  const discount = { service: 'C1-GROUND', percent: '10', before: { name: 'Acme Inc.' } };
  expect((await post('/ops/clients/acme/discount', discount)).status).toBe(200);
});

test('a change is refused if somebody else has changed the same value since the operator saw it', async () => {
  await openEmpty();
  await add({ webhook: 'https://acme.example/a' });
  const { facts: before } = (await ops.call('/ops/clients/acme', { headers })).body as OperatorClientBody;
  const ada = [
    ['discount', { service: 'C1-GROUND', percent: '10' }],
    ['', { limits: { quotesPerMinute: 700 }, warehouses: [{ ...NEWARK, name: 'Kearny' }], scopes: ['quote'] }],
    ['', { name: 'Acme', webhook: 'https://acme.example/b' }],
    ['secrets', { graceHours: null }],
  ] as const;
  const send = (path: string, json: object) => post(`/ops/clients/acme${path === '' ? '' : `/${path}`}`, json);
  for (const [path, json] of ada) expect((await send(path, { ...json, before })).status).toBe(200);
  for (const [path, json, words] of [
    ['discount', { service: 'C1-GROUND', percent: '20' }, 'discount on C1-GROUND of acme from none to 10%'],
    ['discount', { service: 'C1-GROUND', percent: null }, 'discount on C1-GROUND of acme from none to 10%'],
    ['', { limits: { quotesPerMinute: 900 } }, 'limit quotesPerMinute of acme from 60000 to 700'],
    ['', { name: 'ACME' }, 'name of acme from Acme Inc. to Acme'],
    ['', { scopes: ['batch'] }, 'scopes of acme from quote, batch to quote'],
    ['', { webhook: null }, 'webhook of acme from https://acme.example/a to https://acme.example/b'],
    ['', { removeWarehouses: [101] }, 'warehouse 101 of acme from Newark, NJ 07001 to Kearny, NJ 07001'],
    ['secrets', { graceHours: 0 }, 'secrets of acme from 2'],
    ['secrets/end-old', {}, 'secrets of acme from 2'],
  ] as const) {
    const { status, body } = await send(path, { ...json, before });
    expect([status, body.fault.message]).toEqual([
      409,
      expect.stringContaining(`Somebody else has changed the ${words}`),
    ]);
  }
  // Other values, and the value that is there already, are fine.
  expect((await send('discount', { service: 'C2-GROUND', percent: '5', before })).status).toBe(200);
  expect((await send('discount', { service: 'C1-GROUND', percent: '10', before })).status).toBe(200);
  expect((await send('', { warehouses: [RENO], limits: { quotesPerMinute: 700 }, before })).status).toBe(200);
});

describe.each(['a clients file', 'published clients'] as const)('on %s', (place) => {
  beforeEach(async () => {
    const file = join(dir, 'clients.json');
    await writeFile(file, '{"clients": []}');
    await open(place === 'a clients file' ? file : undefined);
  });

  test('a client is added, quotes with its secret, has 35% off, is rotated and revoked', async () => {
    const added = await add();
    expect(added.status).toBe(201);
    expect(added.headers.get('cache-control')).toBe('no-store');
    const secret = secretOf(added.body);
    await expect.poll(() => ops.tokenOf('acme', secret), { timeout: 5_000 }).toEqual(expect.any(String));
    expect((await quoteOf('acme', secret)).body.rateType).toBe('LIST');

    const discounted = await post('/ops/clients/acme/discount', { service: 'C1-GROUND', percent: '35' });
    const services = (discounted.body as AnswerOf<typeof clientCalls.changeClient>).client.services;
    expect(services.find(({ shippingService }) => shippingService === 'C1-GROUND')).toMatchObject({
      ...{ discount: '35', agreements: [], inForce: true, carrier: 'C1' },
    });
    await expect.poll(async () => (await quoteOf('acme', secret)).body.rateType, { timeout: 5_000 }).toBe('ACCOUNT');

    const rotated = await post('/ops/clients/acme/secrets', { graceHours: 0 });
    const fresh = secretOf(rotated.body);
    expect(fresh).not.toBe(secret);
    await expect.poll(() => ops.tokenOf('acme', secret), { timeout: 5_000 }).toBeUndefined();
    await expect.poll(() => ops.tokenOf('acme', fresh), { timeout: 5_000 }).toEqual(expect.any(String));

    const revoked = await post('/ops/clients/acme/revoke', {});
    expect((revoked.body as AnswerOf<typeof clientCalls.changeClient>).client).toMatchObject({
      revoked: true,
      secrets: [],
    });
    await expect.poll(() => ops.tokenOf('acme', fresh), { timeout: 5_000 }).toBeUndefined();
    expect(await add()).toMatchObject({ status: 409, body: { fault: { type: 'operator.refused' } } });

    const entries = await auditEntries();
    expect(entries.map(({ by, action, object }) => `${by}: ${action} ${object}`)).toEqual([
      'Ada: Revoked the client acme',
      'Ada: Made a new secret for acme',
      'Ada: Changed a discount of acme',
      'Ada: Added the client acme',
      'Ada: Signed in ',
    ]);
    expect(entries[1]?.changes).toEqual([{ what: 'old secrets', before: null, after: 'expired at once' }]);
    expect(entries[2]?.changes).toEqual([{ what: 'discount on C1-GROUND', before: null, after: '35%' }]);
    const everything = JSON.stringify([entries, ops.auditLines, ops.lines]);
    for (const text of [secret, fresh]) expect(everything).not.toContain(text);
    expect(everything).not.toMatch(/"(?:salt|hash|signingSecret)"/);
  });

  test('two operators at once lose no change', async () => {
    await add();
    const other = await ops.signIn('Grace');
    const services = ['C1-GROUND', 'C1-EXPRESS', 'C2-GROUND'];
    const answers = await Promise.all(
      services.map((service, at) =>
        ops.send('POST', '/ops/clients/acme/discount', { service, percent: `${at + 1}0` }, at === 1 ? other : headers),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { services: discounted }: OperatorClientBody = (await ops.call('/ops/clients/acme', { headers })).body;
    const discounts = discounted.map(({ shippingService, discount }) => [shippingService, discount]);
    expect(discounts).toEqual([
      ['C1-GROUND', '10'],
      ['C1-EXPRESS', '20'],
      ['C2-GROUND', '30'],
    ]);
    expect(
      (await auditEntries())
        .filter(({ action }) => action === 'Changed a discount of')
        .map(({ by }) => by)
        .sort(),
    ).toEqual(['Ada', 'Ada', 'Grace']);
  });
});

describe('calls about clients', () => {
  beforeEach(async () => {
    const file = join(dir, 'clients.json');
    await writeFile(file, '{"clients": []}');
    await open(file);
    await add();
  });

  test('name each wrong field, and refuse what the commands refuse', async () => {
    const wrong = [
      ['/ops/clients', { id: 'a b' }, 'id'],
      [
        '/ops/clients',
        { id: 'b', warehouses: [{ ...RENO, address: address('8950', 'NV') }] },
        'warehouses[0].address.postalCode',
      ],
      ['/ops/clients/acme', { limits: { quotesPerMinute: 0 } }, 'limits.quotesPerMinute'],
      ['/ops/clients/acme', { webhook: 'http://acme.example' }, 'webhook'],
      ['/ops/clients/acme', { webhook: 'https://127.0.0.1/hook' }, 'webhook'],
      ['/ops/clients/acme', { webhook: 'https://[::1]/hook' }, 'webhook'],
      ['/ops/clients/acme', { webhook: 'https://localhost:8443/hook' }, 'webhook'],
      ['/ops/clients/acme', { discount: {} }, 'discount'],
      ['/ops/clients/acme/discount', { service: 'C1-GROUND', percent: '101' }, 'percent'],
      ['/ops/clients/acme/discount', { service: 'C9-GROUND', percent: '10' }, 'discounts.C9-GROUND'],
      ['/ops/clients/acme/discount', { service: 'C1-GROUND', percent: '10', from: '2030-01-01' }, 'from'],
      ['/ops/clients/acme/secrets', { graceHours: -1 }, 'graceHours'],
    ] as const;
    for (const [path, json, field] of wrong) {
      const { status, body } = await post(path, json);
      expect([status, Object.keys(body.fault.arguments)]).toEqual([422, [field]]);
    }
    for (const [path, json, words] of [
      ['/ops/clients', { id: 'acme' }, 'The client acme already exists.'],
      ['/ops/clients/acme', { removeWarehouses: [7] }, 'The client acme has no warehouse 7.'],
      [
        '/ops/clients/acme',
        { agreements: [{ name: 'none' }] },
        'The client would get no prices: the agreement none is missing or has errors.',
      ],
      ['/ops/clients/acme/webhook-test', {}, 'The client acme has no webhook. Save its URL first.'],
    ] as const) {
      const { status, body } = await post(path, json);
      expect([status, body.fault.message]).toEqual([409, words]);
    }
    expect((await post('/ops/clients/none/revoke', {})).status).toBe(404);
    expect((await ops.call('/ops/clients/none', { headers })).status).toBe(404);
  });

  test('change warehouses, scopes and limits, and say what changed', async () => {
    const json = {
      ...{ name: 'Acme', scopes: ['quote'], warehouses: [RENO], removeWarehouses: [101] },
      limits: { quotesPerMinute: 6_000 },
    };
    const { client, secrets } = (await post('/ops/clients/acme', json)).body as AnswerOf<
      typeof clientCalls.changeClient
    >;
    expect(secrets).toBeNull();
    expect(client).toMatchObject({
      name: 'Acme',
      scopes: ['quote'],
      warehouses: [{ warehouse_id: 102, name: 'Reno' }],
    });
    expect(client.limits[0]).toEqual({ limit: 'quotesPerMinute', most: 6_000, usual: 60_000 });
    expect((await auditEntries())[0]).toMatchObject({
      ...{ by: 'Ada', action: 'Changed the client', object: 'acme' },
      changes: [
        { what: 'name', before: 'Acme Inc.', after: 'Acme' },
        { what: 'scopes', before: 'quote, batch', after: 'quote' },
        { what: 'warehouse 101', before: 'Newark, NJ 07001', after: null },
        { what: 'limit quotesPerMinute', before: '60000', after: '6000' },
        { what: 'warehouse 102', before: null, after: 'Reno, NV 89501' },
      ],
    });
    const listed = (await ops.call('/ops/clients', { headers })).body as AnswerOf<
      typeof clientCalls.listOperatorClients
    >;
    expect(listed).toMatchObject({ fixed: null, clients: [{ id: 'acme', warehouses: 1, problem: null }] });
  });

  test('send a signed test message to the webhook and show its answer', async () => {
    const url = 'https://acme.example/rates?key=of-acme';
    const saved = (await post('/ops/clients/acme', { webhook: url })).body as AnswerOf<typeof clientCalls.changeClient>;
    const key = saved.secrets?.webhook_secret ?? '';
    expect(key).toMatch(/^whsec_/);
    expect(saved.client.webhook).toBe('https://acme.example/rates');
    const log = (await ops.call('/ops/clients/acme/deliveries', { headers })).body as AnswerOf<
      typeof clientCalls.listOperatorDeliveries
    >;
    expect(log.deliveries).toEqual([]);
    const test = (await post('/ops/clients/acme/webhook-test', {})).body as AnswerOf<typeof clientCalls.testWebhook>;
    expect(test).toMatchObject({ status: 503, problem: 'the response status was 503', body: 'down for repairs' });
    expect(sent).toMatchObject([{ target: { url, signingSecret: key }, message: { id: test.id } }]);
    expect(JSON.parse(sent[0]?.message.body ?? '')).toMatchObject({
      type: 'webhook.test',
      data: { client_id: 'acme' },
    });
    const everything = JSON.stringify([await auditEntries(), ops.auditLines, ops.lines]);
    expect(everything).not.toContain(key);
    expect(everything).not.toContain('of-acme');
  });

  test('leave a broken clients file unchanged', async () => {
    const file = join(dir, 'clients.json');
    await writeFile(file, '{"clients": [{}]}');
    const { status, body } = await post('/ops/clients/acme/revoke', {});
    expect([status, body.fault.type]).toEqual([409, 'operator.refused']);
    expect(await readFile(file, 'utf8')).toBe('{"clients": [{}]}');
  });
});

test('warehouses say which carriers have no chart for their origin', async () => {
  ops = await operatorApiOf(batchApi, { app: { tariffs: fixedTariffs(scheduleOf([chartedTariff()])) } });
  headers = await ops.signIn();
  const { warehouses } = (await ops.call('/ops/clients/demo', { headers })).body as AnswerOf<
    typeof clientCalls.getOperatorClient
  >;
  const uncharted = { carrier: 'Small', services: ['GROUND'], allServices: true, zones: 'estimated' };
  expect(warehouses.map(({ warehouse_id, uncharted: lacks }) => [warehouse_id, lacks])).toEqual([
    [101, []],
    [102, [uncharted]],
    [103, [uncharted]],
    [104, []],
  ]);
});

test('the sample clients are shown and cannot be changed', async () => {
  ops = await operatorApiOf(batchApi);
  headers = await ops.signIn();
  const { clients, fixed } = (await ops.call('/ops/clients', { headers })).body as AnswerOf<
    typeof clientCalls.listOperatorClients
  >;
  expect(clients.map(({ id }) => id)).toEqual(['demo', 'other']);
  const { status, body } = await post('/ops/clients/demo/revoke', {});
  expect([status, body.fault.message]).toEqual([409, fixed]);
});
