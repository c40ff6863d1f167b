/**
 * What an operator changes is in force when the answer says so: at once in the process that answers, and within a second in
 * another one. Quiet, and while other programs keep the processors busy. `ROUNDS` says how often each change is made.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { must } from '../../../src/base/must.ts';
import { readTariffFolder, writeTariffFolder } from '../../../src/catalog/tariff/folder.ts';
import { ROOT, rates, startRates } from '../../cli/rates.ts';
import { redisForFile, type TestRedis } from '../../redis.ts';
import { rounds } from '../../rounds.ts';

const ROUNDS = rounds(2);
vi.setConfig({ testTimeout: 600_000 + ROUNDS * 20_000, hookTimeout: 120_000 });

/** Changes of tariffs start a process each. */
const TARIFF_ROUNDS = Math.ceil(ROUNDS / 10);
const OPERATOR_TOKEN = 'the-operators-own-token-0123456789';
const NEWARK = {
  ...{ warehouse_id: 101, name: 'Newark' },
  address: { postalCode: '07001', stateOrProvinceCode: 'NJ', countryCode: 'US' },
};
const REFERENCE = join(ROOT, 'samples', 'tariffs', 'reference');

let redis: TestRedis;
let dir: string;
const started: ChildProcess[] = [];
/** Who changes, and who follows. */
let changer: string;
let follower: string;
let operator: Record<string, string>;

redisForFile((made) => (redis = made));

const settings = (place: string): NodeJS.ProcessEnv => ({
  REDIS_URL: redis.url,
  STORE_URL: `file:${join(dir, 'store')}`,
  DATA_DIR: join(dir, 'data'),
  TARIFFS_DIR: place === 'the store' ? 'published' : join(dir, 'tariffs'),
  AGREEMENTS_DIR: place === 'the store' ? 'published' : join(dir, 'agreements'),
  CLIENTS_FILE: place === 'the store' ? 'published' : join(dir, 'clients.json'),
  TOKEN_SECRET: 'the-token-secret-of-the-tests-0123456789',
  OPERATOR_TOKEN,
  PORT: '0',
});

const startApi = async (env: NodeJS.ProcessEnv): Promise<string> => {
  const child = startRates(['api'], env);
  child.stdout?.resume();
  child.stderr?.resume();
  started.push(child);
  const [ready] = await once(child, 'message');
  return `http://127.0.0.1:${ready.port}`;
};

const stopAll = async (): Promise<void> => {
  for (const child of started.splice(0)) {
    const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await exited;
  }
};

const call = async (url: string, method: string, headers: Record<string, string>, json?: unknown) => {
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const answer = await fetch(url, { method, headers: { 'Content-Type': 'application/json', ...headers }, ...body });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers };
};
const change = async (path: string, json: unknown = {}) => {
  const { status, body } = await call(`${changer}/ops/${path}`, 'POST', operator, json);
  expect([status < 300, body], JSON.stringify(body)).toEqual([true, expect.anything()]);
  return body;
};
const tokenOf = async (url: string, id: string, secret: string): Promise<string | undefined> => {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const answer = await fetch(`${url}/token/generate`, { method: 'POST', body });
  return JSON.parse(await answer.text()).access_token;
};
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** How long after the answer a call to the follower still began without the change, by kind of change. */
const took: Record<string, number[]> = {};
/** How often the changer itself did not have it at once, by kind of change. */
const late: Record<string, number> = {};

/** Checks that a change is in force: at once where it was made, soon in the other process. */
const inForce = async (what: string, holds: (url: string) => Promise<boolean>): Promise<void> => {
  const since = performance.now();
  if (!(await holds(changer))) late[what] = (late[what] ?? 0) + 1;
  // The beginning of the last call that did not have it. How long a call takes depends on what else the machine does.
  let missed = 0;
  for (;;) {
    const at = performance.now() - since;
    if (await holds(follower)) break;
    missed = at;
    if (at > 20_000) throw new Error(`the other process never has it: ${what}`);
    await sleep(2);
  }
  took[what] = [...(took[what] ?? []), missed];
};

const DISCOUNTS = (percent: number): string => `discount,services,percent\nIncentive,C1-GROUND,${percent}\n`;
const agreement = (name: string, percent: number, before: string | null) => ({
  ...{ name, carrier: 'C1', from: '2026-03-01', before },
  files: [{ path: 'discounts.csv', text: DISCOUNTS(percent) }],
});

const clientRound = async (round: number): Promise<void> => {
  const id = `client-${round}`;
  const added = await change('clients', { id, name: id, warehouses: [NEWARK] });
  const first = added.secrets.client_secret;
  await inForce('a client that was added', async (url) => (await tokenOf(url, id, first)) !== undefined);
  const { secrets } = await change(`clients/${id}/secrets`, { graceHours: null });
  const second = secrets.client_secret;
  await inForce('a new secret', async (url) => (await tokenOf(url, id, second)) !== undefined);
  const token = bearer(must(await tokenOf(changer, id, second), 'a token'));
  const limit = 1_000 + round;
  await change(`clients/${id}`, { limits: { batchesInFlight: limit } });
  await inForce('a limit', async (url) => {
    const { body } = await call(`${url}/v1/client/limits`, 'GET', token);
    return body.limits.some(
      (one: { limit: string; most: number }) => one.limit === 'batchesInFlight' && one.most === limit,
    );
  });
  const published = await change('agreements', agreement(`own-${round}`, 10, null));
  const given = await change(`clients/${id}`, { agreements: [{ name: `own-${round}` }] });
  expect(given.client.problem).toBeNull();
  const percentIs = (percent: number) => async (url: string) => {
    const { body } = await call(`${url}/v1/client/agreements/own-${round}`, 'GET', token);
    return body.discounts?.[0]?.percent === percent;
  };
  await inForce('an agreement that was given', percentIs(10));
  await change('agreements', agreement(`own-${round}`, 20, published.id));
  await inForce('an agreement that was changed', percentIs(20));
  await change(`clients/${id}/revoke`);
  await inForce('a client that was revoked', async (url) => {
    const { status } = await call(`${url}/v1/client/limits`, 'GET', token);
    return status === 401 && (await tokenOf(url, id, second)) === undefined;
  });
};

const chargeOf = async (url: string, token: Record<string, string>): Promise<number> => {
  const rates = {
    shippingService: 'C1-GROUND',
    shipper: { warehouse_id: 101 },
    recipient: { address: { postalCode: '02139', countryCode: 'US' } },
    packageItems: [{ weight: { units: 'LB', value: 1 } }],
  };
  return (await call(`${url}/v1/client/shipment/rates`, 'POST', token, { rates })).body.totalBaseCharge;
};

/** Goes back and forth between two versions, and the second is more expensive. */
const tariffRound = async (versions: readonly [string, string], token: Record<string, string>): Promise<void> => {
  for (const [to, charge] of [
    [versions[1], 19.7],
    [versions[0], 9.7],
  ] as const) {
    const { body } = await call(`${changer}/ops/tariffs`, 'GET', operator);
    await change('tariffs/back', { to, version: body.version });
    await inForce('a version of the tariffs', async (url) => (await chargeOf(url, token)) === charge);
  }
};

/** The reference tariff with 10.00 added for every pound, which wins over it. */
const writeDearer = async (folder: string): Promise<void> => {
  const read = await readTariffFolder(REFERENCE);
  if (!('document' in read)) throw new Error('the reference tariff cannot be read');
  const { document } = read;
  const dearer = Object.entries(document.rates).map(([code, table]) => [
    code,
    { ...table, cents: table.cents.map((row) => row.map((cents) => (cents === null ? null : cents + 1_000))) },
  ]);
  const file = { ...document.file, name: 'dearer', effective: '2021-01-01', fallback: false };
  await writeTariffFolder(folder, { ...document, file, rates: Object.fromEntries(dearer) });
};

const open = async (place: string): Promise<readonly [string, string]> => {
  dir = await mkdtemp(join(tmpdir(), 'in-force-'));
  await redis.clear();
  for (const name of ['tariffs', 'agreements', 'data', 'store']) await mkdir(join(dir, name));
  await writeFile(join(dir, 'clients.json'), '{"clients": []}');
  const env = settings(place);
  await writeDearer(join(dir, 'dearer'));
  for (const folder of [REFERENCE, join(dir, 'dearer')]) {
    const add = folder !== REFERENCE && place === 'the store' ? ['--add'] : [];
    const { code, stderr } = await rates(['tariff', 'publish', folder, ...add], { env });
    expect(code, stderr).toBe(0);
  }
  [changer = '', follower = ''] = await Promise.all([startApi(env), startApi(env)]);
  const signed = await call(`${changer}/ops/session`, 'POST', {}, { token: OPERATOR_TOKEN, name: 'Ada' });
  operator = { Cookie: signed.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'X-CSRF-Token': signed.body.csrf };
  const { body } = await call(`${changer}/ops/tariffs`, 'GET', operator);
  const [two, one] = body.versions.map(({ version }: { version: string }) => version);
  return [one, two];
};

afterEach(async () => {
  await stopAll();
  await rm(dir, { recursive: true, force: true });
});

const busyLoops = (): void => {
  for (const _ of [1, 2]) started.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
};

describe.each(['the store', 'folders'])('in %s', (place) => {
  test.each(['quiet', 'busy'])('changes are in force when the answer says so, %s', async (load) => {
    for (const what of Object.keys(took)) delete took[what];
    for (const what of Object.keys(late)) delete late[what];
    const versions = await open(place);
    if (load === 'busy') busyLoops();
    for (let round = 1; round <= ROUNDS; round += 1) await clientRound(round);
    const { secrets } = await change('clients', { id: 'acme', name: 'Acme', warehouses: [NEWARK] });
    const token = bearer(must(await tokenOf(changer, 'acme', secrets.client_secret), 'a token'));
    for (let round = 1; round <= TARIFF_ROUNDS; round += 1) await tariffRound(versions, token);
    const slowest = Object.fromEntries(
      Object.entries(took).map(([what, times]) => [what, Math.round(Math.max(...times))]),
    );
    if (process.env['ROUNDS'] !== undefined)
      process.stderr.write(`${place}, ${load}: ${JSON.stringify({ slowest, late })}\n`);
    expect(late).toEqual({});
    expect(Math.max(...Object.values(slowest)), JSON.stringify(slowest)).toBeLessThan(1_000);
  });
});
