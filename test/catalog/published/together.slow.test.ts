/**
 * Two APIs and a worker on what is published: publications of several documents, and what meets the end of a batch.
 * `ROUNDS` says how often each is done.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { must } from '../../../src/base/must.ts';
import { writeAgreementFolder } from '../../../src/catalog/agreement/folder.ts';
import { agreementId } from '../../../src/catalog/agreement/versions.ts';
import { readTariffFolder, writeTariffFolder } from '../../../src/catalog/tariff/folder.ts';
import { tariffId } from '../../../src/catalog/tariff/schedule.ts';
import { ratesHere } from '../../cli/in-process.ts';
import { ROOT, startRates } from '../../cli/rates.ts';
import { listOf } from '../../http/batch-api.ts';
import { filesOf } from '../../http/operator/tariff-api.ts';
import { type TestRedis, testRedis } from '../../redis.ts';
import { rounds } from '../../rounds.ts';
import { soon } from '../../soon.ts';
import { onePercentage } from '../agreement/one-percentage.ts';

// Each test starts processes from sources, and continues from the state of the test before it.
vi.setConfig({ testTimeout: 180_000 + rounds(0) * 20_000, hookTimeout: 120_000 });

const OPERATOR_TOKEN = 'the-operators-own-token-0123456789';
const REFERENCE = join(ROOT, 'samples', 'tariffs', 'reference');

const PAIRS = rounds(3);
const LIMITS = {
  uploadsPerMinute: 1_000_000,
  quotesPerMinute: 1_000_000,
  readsPerMinute: 1_000_000,
  changesPerMinute: 1_000_000,
};

let redis: TestRedis;
let dir: string;
let url: string;
/** The other API. */
let other: string;
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
const call = async (path: string, method: string, headers: Record<string, string>, body?: string, at = url) => {
  const init = body === undefined ? {} : { body };
  const answer = await fetch(`${at}${path}`, { method, headers, ...init });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers };
};
const json = { 'Content-Type': 'application/json' };
const ops = (path: string, body: object = {}, at = url) =>
  call(`/ops/${path}`, 'POST', { ...json, ...operator }, JSON.stringify(body), at);
const upload = async (at = url): Promise<string | undefined> => {
  const headers = { ...client, 'Content-Type': 'text/csv' };
  return (await call('/v1/client/shipment/rates/batches', 'POST', headers, listOf(1), at)).body.id;
};

/** Small steps: discounts stay above the minimum charge. */
const percentOf = (number: number): number => ((number - 1) % 4) + 1;
/** The ids of each pair that was published: of its tariff and of its agreement. */
const published = new Set<string>();

/** The reference tariff with so many dimes added for every pound, and an agreement with a percentage off. */
const writePair = async (number: number): Promise<readonly string[]> => {
  const read = await readTariffFolder(REFERENCE);
  if (!('document' in read)) throw new Error('the reference tariff cannot be read');
  const { document } = read;
  const dearer = Object.entries(document.rates).map(([code, table]) => [
    code,
    { ...table, cents: table.cents.map((row) => row.map((cents) => (cents === null ? null : cents + number * 10))) },
  ]);
  const [tariff, agreement] = [join(dir, `pair-${number}`, 'reference'), join(dir, `pair-${number}`, 'acme-c1')];
  await mkdir(join(dir, `pair-${number}`));
  const own = { ...document, rates: Object.fromEntries(dearer) };
  const terms = onePercentage(`${percentOf(number)}.00`);
  await writeTariffFolder(tariff, own);
  await writeAgreementFolder(agreement, terms);
  published.add(`${tariffId(own)} ${agreementId(terms)}`);
  return [tariff, agreement];
};
const publish = async (number: number): Promise<void> => {
  const { code, stderr } = await ratesHere(['publish', '--replace', ...(await writePair(number))], { env: settings() });
  expect(code, stderr).toBe(0);
};

const quote = async (at = url) => {
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
    at,
  );
  return body;
};
/** What a pair gives: 9.70 and its dimes, and its percentage off. */
const pairOf = (number: number): string => `${970 + number * 10} less ${percentOf(number)} %`;
const quotedPair = async (at = url): Promise<string> => {
  const { totalBaseCharge: base, totalDiscounts: off } = await quote(at);
  return `${Math.round(base * 100)} less ${Math.round(Math.abs(off / base) * 100)} %`;
};

beforeAll(async () => {
  redis = await testRedis();
  dir = await mkdtemp(join(tmpdir(), 'together-'));
  await publish(1);
  const ready = await Promise.all([start('api'), start('api')].map((child) => once(child, 'message')));
  [url = '', other = ''] = ready.map(([{ port }]) => `http://127.0.0.1:${port}`);
  start('worker');
  const signed = await call('/ops/session', 'POST', json, JSON.stringify({ token: OPERATOR_TOKEN, name: 'Ada' }));
  operator = { Cookie: signed.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'X-CSRF-Token': signed.body.csrf };
  const address = { postalCode: '07001', stateOrProvinceCode: 'NJ', countryCode: 'US' };
  const added = await ops('clients', {
    ...{
      id: 'acme',
      name: 'Acme',
      agreements: [{ name: 'acme-c1' }],
      limits: LIMITS,
    },
    warehouses: [{ warehouse_id: 101, name: 'Newark', address }],
  });
  const form = { grant_type: 'client_credentials', client_id: 'acme', client_secret: added.body.secrets.client_secret };
  const answer = await fetch(`${url}/token/generate`, { method: 'POST', body: new URLSearchParams(form) });
  client = { Authorization: `Bearer ${JSON.parse(await answer.text()).access_token}` };
  const path = `/v1/client/shipment/rates/batches/${await upload()}`;
  const rated = async () => expect((await call(path, 'GET', client)).body.status).toBe('completed');
  // When the worker has started.
  await vi.waitFor(rated, 60_000);
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

test('a tariff and its agreement take effect together: no quote and no batch has a mixed pair', async () => {
  expect(await quotedPair()).toBe(pairOf(1));
  const quoted = new Set<string>();
  const batches: string[] = [];
  let isDone = false;
  const calling = async (at: string): Promise<void> => {
    while (!isDone) {
      quoted.add(await quotedPair(at));
      const id = await upload(at);
      if (id !== undefined) batches.push(id);
    }
  };
  const callers = Promise.all([url, other].map(calling));
  const numbers = Array.from({ length: PAIRS }, (_, at) => at + 2);
  for (const number of numbers) await publish(number);
  for (const at of [url, other]) await soon(async () => expect(await quotedPair(at)).toBe(pairOf(PAIRS + 1)));
  isDone = true;
  await callers;
  expect([...quoted].filter((one) => ![1, ...numbers].map(pairOf).includes(one))).toEqual([]);
  const kept = new Set<string>();
  for (const id of batches) {
    const document = JSON.parse(await readBatch(id));
    kept.add(`${document.tariffs.join()} ${document.agreements.map((one: { id: string }) => one.id).join()}`);
  }
  expect([...kept].filter((one) => !published.has(one))).toEqual([]);
  expect(kept.size).toBeGreaterThan(1);
  if (process.env['ROUNDS'] !== undefined)
    process.stderr.write(
      `${PAIRS} publications: ${quoted.size} pairs quoted, ${kept.size} in ${batches.length} batches\n`,
    );
});

const readBatch = async (id: string): Promise<string> => {
  return await readFile(join(dir, 'store', 'batches', id, 'batch.json'), 'utf8');
};

test('if one of several documents has an error, nothing is published', async () => {
  const [tariff = '', agreement = ''] = await writePair(PAIRS + 2);
  await writeFile(join(agreement, 'discounts.csv'), 'discount,services,percent\nIncentive,C9-NONE,5\n');
  const { code, stderr } = await ratesHere(['publish', '--replace', tariff, agreement], { env: settings() });
  expect(code).toBe(1);
  expect(stderr).toContain('acme-c1');
  expect(stderr).toContain('Nothing was published');
  expect(await quotedPair()).toBe(pairOf(PAIRS + 1));
  const folders = { ...settings(), TARIFFS_DIR: dir };
  const refused = await ratesHere(['publish', tariff, agreement], { env: folders });
  expect([refused.code, refused.stderr]).toEqual([
    2,
    'Tariffs and agreements take effect together only if both are published to the store: set neither TARIFFS_DIR nor AGREEMENTS_DIR to a folder.\n',
  ]);
});

test('an operator publishes a draft of a tariff and an agreement together', async () => {
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

test('if an operator amends while a command publishes, one of them is refused', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'amended-'));
  const command = async (percent: number, ...more: string[]) => {
    await writeAgreementFolder(join(dir, 'acme-c1'), onePercentage(`${percent}.00`));
    return await ratesHere(['agreement', 'publish', join(dir, 'acme-c1'), ...more], { env: settings() });
  };
  const inForce = async () => (await call('/ops/agreements/acme-c1', 'GET', operator)).body;
  const amend = (before: string) =>
    ops('agreements', {
      ...{ name: 'acme-c1', carrier: 'C1', from: '2020-01-01', before },
      files: [{ path: 'discounts.csv', text: 'discount,services,percent\nIncentive,C1-GROUND,2\n' }],
    });
  const began = performance.now();
  expect((await amend((await inForce()).id)).status).toBe(200);
  const took = performance.now() - began;
  const wins = { operator: 0, command: 0 };
  for (let round = 1; round <= rounds(3); round += 1) {
    const mine = await command(1, '--replace');
    expect(mine.code, mine.stderr).toBe(0);
    const { id } = await soon(async () => {
      const now = await inForce();
      expect(now.discounts).toMatchObject([{ percent: 1 }]);
      return now;
    });
    // The amendment takes longer. The command comes at its beginning, in its midst or after it.
    const [{ code, stderr }, { status, body }] = await Promise.all([
      sleep((took * (round % 9)) / 6).then(() => command(3)),
      amend(id),
    ]);
    const said = `${code} ${stderr} ${status} ${JSON.stringify(body)}`;
    expect([code === 0, status === 200].filter(Boolean), said).toHaveLength(1);
    wins[code === 0 ? 'command' : 'operator'] += 1;
    await soon(async () => expect((await inForce()).discounts).toMatchObject([{ percent: code === 0 ? 3 : 2 }]));
  }
  if (process.env['ROUNDS'] !== undefined) process.stderr.write(`in force: ${JSON.stringify(wins)}\n`);
  await rm(dir, { recursive: true });
});

test('a webhook that was just set gets the message of a batch that ends at once', async () => {
  const told = async (): Promise<readonly string[]> => {
    const { body } = await call('/v1/client/webhooks/deliveries?limit=100', 'GET', client);
    return body.deliveries.map(({ batchId }: { batchId: string }) => batchId);
  };
  for (let round = 1; round <= rounds(6); round += 1) {
    const at = round % 2 === 0 ? url : other;
    // Nobody listens there: the attempt is what counts.
    expect((await ops('clients/acme', { webhook: `https://hooks.example.com/${round}` }, at)).status).toBe(200);
    const id = must(await upload(), 'the batch');
    await soon(async () => expect(await told()).toContain(id));
    expect((await ops('clients/acme', { webhook: null }, at)).status).toBe(200);
  }
});

test('a batch is deleted as soon as it is completed', async () => {
  const answers = new Map<number, number>();
  const deleteOne = async (at: string): Promise<void> => {
    const path = `/v1/client/shipment/rates/batches/${must(await upload(at), 'the batch')}`;
    let is = 'queued';
    while (['queued', 'in_progress', 'finalizing'].includes(is))
      is = (await call(path, 'GET', client, undefined, at)).body.status;
    expect(is).toBe('completed');
    const { status } = await call(path, 'DELETE', client, undefined, at);
    answers.set(status, (answers.get(status) ?? 0) + 1);
    expect((await call(path, 'GET', client, undefined, at)).status).toBe(404);
  };
  const half = Math.ceil(rounds(30) / 2);
  const deleteMany = async (at: string): Promise<void> => {
    for (let round = 1; round <= half; round += 1) await deleteOne(at);
  };
  await Promise.all([url, other].map(deleteMany));
  expect(Object.fromEntries(answers)).toEqual({ 204: 2 * half });
});
