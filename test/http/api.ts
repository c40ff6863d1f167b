/** A real API on a free port, with the sample clients and the reference tariff, for tests that speak HTTP to it. */
import { readFile } from 'node:fs/promises';
import type { BlockList } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { createAudit } from '../../src/base/audit/audit.ts';
import { must } from '../../src/base/must.ts';
import { connect } from '../../src/base/redis/connection.ts';
import { createDiskStore } from '../../src/base/store/disk.ts';
import { createBatches } from '../../src/batch/batches.ts';
import { createKeptMappings } from '../../src/batch/kept/mappings.ts';
import { openQueues } from '../../src/batch/queue/jobs.ts';
import { createScheduler } from '../../src/batch/scheduler.ts';
import { createShares } from '../../src/batch/shares.ts';
import { createSubscriptions } from '../../src/batch/subscriptions.ts';
import { type Clients, readClients } from '../../src/catalog/clients/clients.ts';
import { createSnapshots } from '../../src/catalog/published/snapshots.ts';
import { readTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { type Schedule, scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import { createApp } from '../../src/http/app.ts';
import { SESSION } from '../../src/http/console/session.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { createLimits } from '../../src/http/server/limits.ts';
import { createQuoteTurns } from '../../src/http/server/quote-turns.ts';
import { listen } from '../../src/http/server/server.ts';
import { createAddressOf, createWrongTries, WRONG_SECRETS_PER_MINUTE } from '../../src/http/server/wrong-tries.ts';
import type { Given } from '../../src/http/service.ts';
import { createTokens, tokenKeys } from '../../src/http/tokens.ts';
import { builtConsole } from '../built-console.ts';

const SAMPLES = join(import.meta.dirname, '..', '..', 'samples');

export const SECRET = 'the-token-secret-of-the-tests-0123456789';
export const RATES = '/v1/client/shipment/rates';

const readReference = async (): Promise<Schedule> => {
  const tariff = await readTariffFolder(join(SAMPLES, 'tariffs', 'reference'));
  if (!('document' in tariff)) throw new Error(JSON.stringify(tariff.findings));
  return scheduleOf([tariff.document]);
};
let reference: Promise<Schedule> | undefined;
export const referenceSchedule = (): Promise<Schedule> => {
  reference ??= readReference();
  return reference;
};

/** The name of the secret of `demo` in the sample clients. Its tokens contain it. */
export const SAMPLE_SECRET_NAME = 'zExwI8e3q9RC';

export const sampleClients = async () => {
  const file = join(SAMPLES, 'clients.json');
  return readClients(await readFile(file, 'utf8'), file);
};

type Client = NonNullable<ReturnType<Clients['get']>>;

/** The clients with a changed `demo`. It keeps limits that the change does not name. */
export const withDemo = (
  clients: Clients,
  { limits, ...change }: Partial<Omit<Client, 'limits'>> & { readonly limits?: Partial<Client['limits']> },
): Map<string, Client> => {
  const demo = must(clients.get('demo'), 'the client demo');
  return new Map(clients).set('demo', { ...demo, ...change, limits: { ...demo.limits, ...limits } });
};

/** An answer with its body parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on what came back, whatever it is
  readonly body: any;
}

/** Fixed tariffs without errors. */
export const fixedTariffs = (schedule: Schedule): Given['tariffs'] => ({ current: () => schedule, findings: () => [] });

/** What makes batches. Both Redis and the folder of the store are unavailable. */
const withoutBatches = (now: () => Date) => {
  const redis = connect('redis://127.0.0.1:1', 'producer', { log: pino({ level: 'silent' }) });
  redis.disconnect();
  const store = createDiskStore('/nowhere');
  const snapshots = createSnapshots(store);
  const scheduler = createScheduler({ store, redis, queues: openQueues(redis) });
  const batches = createBatches({ store, redis, scheduler, snapshots, now });
  const subscriptions = createSubscriptions({ events: redis, batches });
  const shares = createShares(redis, now);
  return { store, redis, batches, snapshots, subscriptions, mappings: createKeptMappings(store, now), shares };
};

export interface Overrides extends Partial<Omit<Given, 'clients'>> {
  readonly clients?: Partial<Given['clients']>;
  readonly trustedProxies?: BlockList;
}

let quotesByExpress = false;
/** Makes APIs that are started later answer all quotes through Express. */
export const sendQuotesByExpress = (): void => {
  quotesByExpress = true;
};

export const startApi = async ({ clients: givenClients, trustedProxies, ...overrides }: Overrides = {}) => {
  const schedule = await referenceSchedule();
  const clients = await sampleClients();
  const now = overrides.now ?? (() => new Date());
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const known = { current: () => clients, withoutAgreement: () => 0, draft: () => undefined, ...givenClients };
  const tariffs = overrides.tariffs ?? fixedTariffs(schedule);
  const without = withoutBatches(now);
  const deps: Given = {
    ...without,
    ...{ log, clients: known, tariffs, allowedHosts: [], corsOrigins: [] },
    maxList: { maximumBytes: 0, maximumRows: 0, maximumRowBytes: 0, chunkRows: 1 },
    limits: createLimits(),
    quoteTurns: createQuoteTurns(),
    wrongTry: createWrongTries({ addressOf: createAddressOf(trustedProxies), perMinute: WRONG_SECRETS_PER_MINUTE }),
    reserveBytes: 0,
    presignSeconds: undefined,
    metrics: createMetrics({ clients: known, tariffs, now }, () => undefined),
    workMetrics: async () => '',
    addressOf: createAddressOf(trustedProxies),
    audit: createAudit({ store: overrides.store ?? without.store, log, now }),
    metricsToken: undefined,
    operatorRouter: undefined,
    tokens: createTokens(tokenKeys(SECRET), now),
    sessions: createTokens(tokenKeys(SECRET), now, SESSION),
    consoleDir: builtConsole(),
    checks: {},
    maxJsonBytes: 256 * 1024,
    now,
    ...overrides,
  };
  const { routes, listener } = createApp(deps);
  const { port, stop } = await listen(quotesByExpress ? routes : listener, '127.0.0.1', 0);
  const url = `http://127.0.0.1:${port}`;

  const call = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  const tokenOf = async (id: string, secret: string, scope?: string): Promise<string> => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
    if (scope !== undefined) body.set('scope', scope);
    return (await call('/token/generate', { method: 'POST', body })).body.access_token;
  };
  const token = await tokenOf('demo', 'demo-secret');
  /** The headers of a sample client that is signed in to the console. */
  const session = async (id = 'demo'): Promise<Record<string, string>> => {
    const { headers, body } = await call('/console/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_id: id, client_secret: `${id}-secret` }),
    });
    return { Cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '', 'X-CSRF-Token': body.csrf };
  };
  /** Posts a rate request as the demo client. Text is sent unchanged, anything else as JSON. */
  const quote = (body: unknown, query = '', headers: Record<string, string> = {}): Promise<Answer> =>
    call(`${RATES}${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { deps, url, port, lines, routes, call, tokenOf, token, session, quote, close: () => stop(1_000) };
};

/** A valid request: one package of 2.1 lb from New Jersey to Massachusetts by `C1-GROUND`. */
export const rateRequest = (rates: Record<string, unknown> = {}) => ({
  rates: {
    shippingService: 'C1-GROUND',
    shipper: { warehouse_id: 101 },
    recipient: { address: { postalCode: '02139', countryCode: 'US' } },
    packageItems: [{ weight: { units: 'LB', value: 2.1 } }],
    ...rates,
  },
});

export const to = (address: Record<string, unknown>) => ({
  recipient: { address: { postalCode: '02139', countryCode: 'US', ...address } },
});

export const weighing = (...values: unknown[]) => ({
  packageItems: values.map((value) => ({ weight: { units: 'LB', value } })),
});
