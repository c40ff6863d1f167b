/** An API and a worker on what is published: publications of several documents, and webhooks that were just set. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeAgreementFolder } from '../../src/agreement/folder.ts';
import { must } from '../../src/must.ts';
import { readTariffFolder, writeTariffFolder } from '../../src/tariff/folder.ts';
import { onePercentage } from '../agreement/one-percentage.ts';
import { ROOT, rates, startRates } from '../cli/rates.ts';
import { listOf } from '../http/batch-api.ts';
import { filesOf } from '../http/operator/tariff-api.ts';
import { type TestRedis, testRedis } from '../redis.ts';
import { soon } from '../soon.ts';

// Each test starts processes from sources, and continues from the state of the test before it.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const OPERATOR_TOKEN = 'the-operators-own-token-0123456789';
const REFERENCE = join(ROOT, 'samples', 'tariffs', 'reference');

let redis: TestRedis;
let dir: string;
let url: string;
let operator: Record<string, string>;
let client: Record<string, string>;
const started: ChildProcess[] = [];

const settings = (): NodeJS.ProcessEnv => ({
  REDIS_URL: redis.url,
  STORE_URL: `file:${join(dir, 'store')}`,
  DATA_DIR: join(dir, 'data'),
  TARIFFS_DIR: 'published',
  AGREEMENTS_DIR: 'published',
  CLIENTS_FILE: 'published',
  TOKEN_SECRET: 'the-token-secret-of-the-tests-0123456789',
  OPERATOR_TOKEN,
  PORT: '0',
});
const start = (role: string): ChildProcess => {
  const child = startRates([role], settings());
  child.stdout?.resume();
  child.stderr?.resume();
  started.push(child);
  return child;
};
const call = async (path: string, method: string, headers: Record<string, string>, body?: string) => {
  const init = body === undefined ? {} : { body };
  const answer = await fetch(`${url}${path}`, { method, headers, ...init });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers };
};
const json = { 'Content-Type': 'application/json' };
const ops = (path: string, body: object = {}) =>
  call(`/ops/${path}`, 'POST', { ...json, ...operator }, JSON.stringify(body));

/** The reference tariff with so many dollars added for every pound, and an agreement with so many percent off. */
const writePair = async (number: number): Promise<readonly string[]> => {
  const read = await readTariffFolder(REFERENCE);
  if (!('document' in read)) throw new Error('the reference tariff cannot be read');
  const { document } = read;
  const dearer = Object.entries(document.rates).map(([code, table]) => [
    code,
    { ...table, cents: table.cents.map((row) => row.map((cents) => (cents === null ? null : cents + number * 100))) },
  ]);
  const [tariff, agreement] = [join(dir, `pair-${number}`, 'reference'), join(dir, `pair-${number}`, 'acme-c1')];
  await mkdir(join(dir, `pair-${number}`));
  await writeTariffFolder(tariff, { ...document, rates: Object.fromEntries(dearer) });
  await writeAgreementFolder(agreement, onePercentage(`${number}.00`));
  return [tariff, agreement];
};
const publish = async (number: number): Promise<void> => {
  const { code, stderr } = await rates(['publish', '--replace', ...(await writePair(number))], { env: settings() });
  expect(code, stderr).toBe(0);
};

const quote = async () => {
  const request = {
    shippingService: 'C1-GROUND',
    shipper: { warehouse_id: 101 },
    recipient: { address: { postalCode: '02139', countryCode: 'US' } },
    packageItems: [{ weight: { units: 'LB', value: 1 } }],
  };
  const { body } = await call(
    '/v1/client/shipment/rates',
    'POST',
    { ...json, ...client },
    JSON.stringify({ rates: request }),
  );
  return body;
};
/** What a pair gives: 9.70 and its dollars, and its percentage off. */
const pairOf = (number: number): string => `${970 + number * 100} less ${number} %`;
const quotedPair = async (): Promise<string> => {
  const { totalBaseCharge: base, totalDiscounts: off } = await quote();
  return `${Math.round(base * 100)} less ${Math.round(Math.abs(off / base) * 100)} %`;
};

beforeAll(async () => {
  redis = await testRedis();
  dir = await mkdtemp(join(tmpdir(), 'together-'));
  await publish(1);
  const [ready] = await once(start('api'), 'message');
  url = `http://127.0.0.1:${ready.port}`;
  start('worker');
  const signed = await call('/ops/session', 'POST', json, JSON.stringify({ token: OPERATOR_TOKEN, name: 'Ada' }));
  operator = { Cookie: signed.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'X-CSRF-Token': signed.body.csrf };
  const address = { postalCode: '07001', stateOrProvinceCode: 'NJ', countryCode: 'US' };
  const added = await ops('clients', {
    ...{ id: 'acme', name: 'Acme', agreements: [{ name: 'acme-c1' }], limits: { uploadsPerMinute: 10_000 } },
    warehouses: [{ warehouse_id: 101, name: 'Newark', address }],
  });
  const form = { grant_type: 'client_credentials', client_id: 'acme', client_secret: added.body.secrets.client_secret };
  const answer = await fetch(`${url}/token/generate`, { method: 'POST', body: new URLSearchParams(form) });
  client = { Authorization: `Bearer ${JSON.parse(await answer.text()).access_token}` };
});
afterAll(async () => {
  for (const child of started) {
    const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGTERM');
    await exited;
  }
  await redis.stop();
  await rm(dir, { recursive: true, force: true });
});

test('a tariff and its agreement come into force as one: no quote and no batch has a mixed pair', async () => {
  expect(await quotedPair()).toBe(pairOf(1));
  const charges: string[] = [];
  const batches: string[] = [];
  let isDone = false;
  const calling = (async () => {
    while (!isDone) {
      charges.push(await quotedPair());
      const { body } = await call(
        '/v1/client/shipment/rates/batches',
        'POST',
        { ...client, 'Content-Type': 'text/csv' },
        listOf(1),
      );
      if (body.id !== undefined && batches.length < 50) batches.push(body.id);
    }
  })();
  for (const number of [2, 3, 4]) await publish(number);
  await soon(async () => expect(await quotedPair()).toBe(pairOf(4)));
  isDone = true;
  await calling;
  expect([...new Set(charges)].filter((one) => ![1, 2, 3, 4].map(pairOf).includes(one))).toEqual([]);
  const pairs = new Set<string>();
  for (const id of batches) {
    const document = JSON.parse(await readBatch(id));
    pairs.add(`${document.tariffs.join()} ${document.agreements.map((one: { id: string }) => one.id).join()}`);
  }
  expect(batches.length).toBeGreaterThan(4);
  expect(pairs.size).toBeLessThanOrEqual(4);
});

const readBatch = async (id: string): Promise<string> => {
  const { readFile } = await import('node:fs/promises');
  return await readFile(join(dir, 'store', 'batches', id, 'batch.json'), 'utf8');
};

test('if one of several documents has an error, nothing is published', async () => {
  const [tariff = '', agreement = ''] = await writePair(5);
  await writeFile(join(agreement, 'discounts.csv'), 'discount,services,percent\nIncentive,C9-NONE,5\n');
  const { code, stderr } = await rates(['publish', '--replace', tariff, agreement], { env: settings() });
  expect(code).toBe(1);
  expect(stderr).toContain('acme-c1');
  expect(stderr).toContain('Nothing was published');
  expect(await quotedPair()).toBe(pairOf(4));
  const folders = { ...settings(), TARIFFS_DIR: dir };
  const refused = await rates(['publish', tariff, agreement], { env: folders });
  expect([refused.code, refused.stderr]).toEqual([
    2,
    'Tariffs and agreements come into force as one only if both are published to the store: set neither TARIFFS_DIR nor AGREEMENTS_DIR to a folder.\n',
  ]);
});

test('an operator publishes a draft of a tariff and an agreement as one', async () => {
  const draft = (await ops('tariff-drafts', { name: 'post', effectiveDate: '2026-01-05' })).body;
  for (const [name, content] of Object.entries(filesOf('6.90')))
    await call(
      `/ops/tariff-drafts/${draft.id}/files?${new URLSearchParams({ name })}`,
      'POST',
      { ...operator, 'Content-Type': 'application/octet-stream' },
      content,
    );
  await ops(`tariff-drafts/${draft.id}/import`);
  const imported = await soon(async () => {
    const { body } = await call(`/ops/tariff-drafts/${draft.id}`, 'GET', operator);
    expect(body.state).toBe('imported');
    return body;
  });
  const tariff = { draft: draft.id, tariff: imported.imported.tariff, replace: false, acceptDoubts: true };
  const agreement = (percent: string) => ({
    ...{ name: 'acme-post', carrier: 'POST', from: '2026-02-01', before: null },
    files: [{ path: 'discounts.csv', text: `discount,services,percent\nIncentive,POST-G,${percent}\n` }],
  });
  const wrong = await ops('publications', {
    ...{ tariffs: [tariff], version: imported.version },
    agreements: [
      {
        ...agreement('10'),
        files: [{ path: 'discounts.csv', text: 'discount,services,percent\nIncentive,POST-X,5\n' }],
      },
    ],
  });
  expect(wrong.status).toBe(422);
  expect(JSON.stringify(wrong.body)).toContain('acme-post');
  const before = (await call('/ops/tariffs', 'GET', operator)).body.version;
  expect(before).toBe(imported.version);
  const published = await ops('publications', { tariffs: [tariff], agreements: [agreement('10')], version: before });
  expect([published.status, published.body]).toMatchObject([200, { placed: [tariff.tariff], inUse: true }]);
  expect((await ops('clients/acme', { agreements: [{ name: 'acme-post' }] })).status).toBe(200);
});

test('a webhook that was just set is told of a batch that ends at once', async () => {
  const told = async (): Promise<readonly string[]> => {
    const { body } = await call('/v1/client/webhooks/deliveries?limit=100', 'GET', client);
    return body.deliveries.map(({ batchId }: { batchId: string }) => batchId);
  };
  for (let count = 1; count <= 6; count += 1) {
    const { body } = await call(
      '/v1/client/shipment/rates/batches',
      'POST',
      { ...client, 'Content-Type': 'text/csv' },
      listOf(1),
    );
    // Nobody listens there: the attempt is what counts.
    expect((await ops('clients/acme', { webhook: `https://127.0.0.1:9/${count}` })).status).toBe(200);
    await soon(async () => expect(await told()).toContain(must(body.id, 'the batch')));
    expect((await ops('clients/acme', { webhook: null })).status).toBe(200);
    await sleep(0);
  }
});
