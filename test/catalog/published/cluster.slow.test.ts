/** An API and a worker that share no files, and the commands that publish what both use. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readTariffFolder, writeTariffFolder } from '../../../src/catalog/tariff/folder.ts';
import { ratesHere } from '../../cli/in-process.ts';
import { type Ended, ROOT, rates, startRates } from '../../cli/rates.ts';
import { listOf } from '../../http/batch-api.ts';
import { type TestRedis, testRedis } from '../../redis.ts';

// Each test starts several processes from sources, and continues from the state of the test before it.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const REFERENCE = join(ROOT, 'samples', 'tariffs', 'reference');
/** Loading takes at most two seconds on an idle machine, but this one is busy with other tests. */
const SOON = { timeout: 15_000, interval: 100 };

let redis: TestRedis;
let dir: string;
const started: ChildProcess[] = [];
let url: string;
let secret: string;
let batch: string;

const settings = (of: string): NodeJS.ProcessEnv => ({
  REDIS_URL: redis.url,
  STORE_URL: `file:${join(dir, 'store')}`,
  DATA_DIR: join(dir, of),
  TARIFFS_DIR: 'published',
  CLIENTS_FILE: 'published',
  TOKEN_SECRET: 'the-token-secret-of-the-tests-0123456789',
  CHUNK_ROWS: '10',
  PORT: '0',
  USER: 'ann',
});
const start = (role: string): ChildProcess => {
  const child = startRates([role], settings(role));
  child.stdout?.resume();
  child.stderr?.resume();
  started.push(child);
  return child;
};
const run = (...args: string[]): Promise<Ended> => rates(args, { env: settings('cli') });
const shown = ({ code, stderr }: Ended) => ({ code, stderr });

const tariff = (...args: string[]) => ratesHere(['tariff', ...args], { env: settings('cli') });

const tokenOf = async (): Promise<{ status: number; access_token?: string }> => {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'acme', client_secret: secret });
  const answer = await fetch(`${url}/token/generate`, { method: 'POST', body });
  return { status: answer.status, ...JSON.parse(await answer.text()) };
};
const authorised = async (): Promise<{ Authorization: string }> => ({
  Authorization: `Bearer ${(await tokenOf()).access_token}`,
});
const quote = async (headers: Record<string, string>) => {
  const answer = await fetch(`${url}/v1/client/shipment/rates`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      rates: {
        shippingService: 'C1-GROUND',
        shipper: { warehouse_id: 101 },
        recipient: { address: { postalCode: '02139', countryCode: 'US' } },
        packageItems: [{ weight: { units: 'LB', value: 1 } }],
      },
    }),
  });
  return { status: answer.status, ...JSON.parse(await answer.text()) };
};

/** The reference tariff with 10.00 added for every pound. */
const dearer = async (): Promise<string> => {
  const read = await readTariffFolder(REFERENCE);
  if (!('document' in read)) throw new Error('the reference tariff cannot be read');
  const { document } = read;
  const rates = Object.fromEntries(
    Object.entries(document.rates).map(([code, table]) => [
      code,
      { ...table, cents: table.cents.map((row) => row.map((cents) => (cents === null ? null : cents + 1_000))) },
    ]),
  );
  await writeTariffFolder(join(dir, 'dearer'), { ...document, rates });
  return join(dir, 'dearer');
};

beforeAll(async () => {
  redis = await testRedis();
  dir = await mkdtemp(join(tmpdir(), 'published-'));
  const [ready] = await once(start('api'), 'message');
  url = `http://127.0.0.1:${ready.port}`;
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

test('an API starts without anything published, but is not ready without a tariff', async () => {
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, JSON.parse(await ready.text()).fault.arguments]).toEqual([503, { dependency: 'tariff' }]);
  expect(await tariff('list')).toEqual({
    code: 0,
    stdout: '',
    stderr:
      'No tariffs are published. `rates tariff import` creates one, and `rates tariff publish` puts it in force.\n',
  });
});

test('a tariff with errors is not published', async () => {
  const broken = join(dir, 'broken');
  const read = await readTariffFolder(REFERENCE);
  if (!('document' in read)) throw new Error('the reference tariff cannot be read');
  await writeTariffFolder(broken, read.document);
  await rm(join(broken, 'rates', 'C1-GROUND.csv'));
  const { code, stdout, stderr } = await run('tariff', 'publish', broken);
  expect([code, String(stdout)]).toEqual([1, '']);
  expect(stderr).toContain('error: broken/rates/C1-GROUND.csv: is missing: the rates of C1-GROUND\n');
  expect(stderr).toContain('Nothing was published: 1 error.');
});

test('a command does not publish to a store or Redis that no other process uses', async () => {
  const { STORE_URL, ...env } = settings('cli');
  expect(shown(await rates(['tariff', 'publish', REFERENCE], { env }))).toEqual({
    code: 2,
    stderr:
      'Set both REDIS_URL and STORE_URL to those of the API and the workers. ' +
      'On one machine with a private Redis, set neither.\n',
  });
});

test('an API loads what is published, and quotes for a client that was just added', async () => {
  expect(await tariff('publish', join(ROOT, 'samples', 'tariffs'))).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^reference@2020-01-01-[0-9a-f]{8}\nversion 1-[0-9a-f]{16}\n$/),
    stderr: expect.stringMatching(/Running processes use it within a second.\n$/),
  });
  const added = await run('client', 'add', 'acme', '--warehouse', '101,Newark,NJ,07001', '--json');
  expect(added.code).toBe(0);
  secret = JSON.parse(String(added.stdout)).client_secret;
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), SOON);
  await vi.waitFor(async () => expect((await tokenOf()).status).toBe(200), SOON);
  expect(await quote(await authorised())).toMatchObject({ status: 200, totalBaseCharge: 9.7 });
  expect(await readFile(join(dir, 'cli', 'clients.json')).catch(() => 'not there')).toBe('not there');
});

test('a batch is rated on the tariffs of its creation, even if others come into force before its first row', async () => {
  const headers = await authorised();
  const created = await fetch(`${url}/v1/client/shipment/rates/batches`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'text/csv' },
    body: listOf(95),
  });
  expect(created.status).toBe(202);
  batch = `${url}${created.headers.get('location')}`;
  expect((await tariff('publish', await dearer())).code).toBe(0);
  await vi.waitFor(async () => expect(await quote(headers)).toMatchObject({ totalBaseCharge: 19.7 }), SOON);
  start('worker');
  await vi.waitFor(
    async () => expect(JSON.parse(await (await fetch(batch, { headers })).text()).status).toBe('completed'),
    { timeout: 60_000, interval: 200 },
  );
  const output = await (await fetch(`${batch}/output`, { headers })).text();
  const local = await rates(['run', '-', '-o', '-', '--client', 'demo'], { input: listOf(95) });
  expect(output.split('\n')[1]).toContain(',10.18,');
  expect(output).toBe(String(local.stdout));
});

test('commands without a server use what is published too', async () => {
  const quoted = await run('quote', '--warehouse', '101', '--zip', '02139', '--weight', '1', '--json');
  expect(JSON.parse(String(quoted.stdout)).quotes).toContainEqual(
    expect.objectContaining({ shippingService: 'C1-GROUND', totalBaseCharge: 19.7 }),
  );
});

test('an earlier version comes into force again, and the list marks it', async () => {
  const { versions } = JSON.parse((await tariff('list', '--json')).stdout);
  const [, first] = versions;
  expect(first.by).toMatch(/^ann@/);
  expect((await tariff('go-back', first.version)).stdout).toMatch(
    new RegExp(`^reference@\\S+, instead of reference@\\S+\nversion ${first.version}\n$`),
  );
  const headers = await authorised();
  await vi.waitFor(async () => expect(await quote(headers)).toMatchObject({ totalBaseCharge: 9.7 }), SOON);
  expect((await tariff('list')).stdout).toMatch(
    new RegExp(`\nversion ${first.version}: reference@[^;]+; published \\S+ by ann@\\S+, in force since \\S+ by ann@`),
  );
});

test('a token is invalid after its client is revoked', async () => {
  const headers = await authorised();
  expect((await quote(headers)).status).toBe(200);
  expect(shown(await run('client', 'revoke', 'acme'))).toEqual({ code: 0, stderr: 'acme is revoked.\n' });
  await vi.waitFor(async () => expect((await quote(headers)).status).toBe(401), SOON);
  expect(String((await run('client', 'list')).stdout)).toContain('acme: acme, quote and batch, 1 warehouse, revoked\n');
});

test('the clients of a file are published with their secrets', async () => {
  const sample = join(ROOT, 'samples', 'clients.json');
  const imported = shown(await run('client', 'import', sample));
  expect(imported.code).toBe(0);
  expect(imported.stderr).toMatch(/^Added: demo, other\.\nThe secret of demo and other is public\. /);
  expect(shown(await run('client', 'import', sample))).toEqual({
    code: 1,
    stderr: 'The client demo already exists.\n',
  });
});

test('an API that can be reached from outside does not start on published sample secrets', async () => {
  const { code, stderr } = await rates(['api'], { env: { ...settings('outside'), HOST: '0.0.0.0' } });
  expect(code).toBe(1);
  expect(stderr).toContain('it contains a sample secret, which is public: listen on 127.0.0.1 only');
});
