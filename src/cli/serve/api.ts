/** `rates api`: only the API. Quotes work without Redis. Batches need the Redis in `REDIS_URL`. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { createAudit } from '../../base/audit/audit.ts';
import { type Config, type Environment, isLoopback, ROOT, readConfig } from '../../base/config/settings.ts';
import { createErrorLog, type ErrorLog } from '../../base/error-log.ts';
import { createLog, type Logger } from '../../base/log.ts';
import { announceReady, onStop } from '../../base/process/child.ts';
import { checkRedis, refuseProblems } from '../../base/redis/check-redis.ts';
import { connect, type Redis, waitUntilReady } from '../../base/redis/connection.ts';
import { openStore } from '../../base/store/open.ts';
import { createBatches } from '../../batch/batches.ts';
import { createKeptMappings } from '../../batch/kept/mappings.ts';
import { openQueues } from '../../batch/queue/jobs.ts';
import { createScheduler } from '../../batch/scheduler.ts';
import { createShares } from '../../batch/shares.ts';
import { createSubscriptions } from '../../batch/subscriptions.ts';
import { createSnapshots, type Snapshots } from '../../catalog/published/snapshots.ts';
import { openSources, type SourceDeps, type Sources } from '../../catalog/published/sources.ts';
import { watchFuel } from '../../catalog/tariff/check/fuel-ends.ts';
import { createApp } from '../../http/app.ts';
import { SESSION } from '../../http/console/session.ts';
import { createMetrics } from '../../http/metrics.ts';
import { createQuoteCounts } from '../../http/quote-counts.ts';
import { createLimits } from '../../http/server/limits.ts';
import { createQuoteTurns } from '../../http/server/quote-turns.ts';
import { listen } from '../../http/server/server.ts';
import { createAddressOf, createWrongTries, WRONG_SECRETS_PER_MINUTE } from '../../http/server/wrong-tries.ts';
import { createTokens, keptTokenSecret, tokenKeys } from '../../http/tokens.ts';
import { createWorkMetrics } from '../../http/work-metrics.ts';
import { operatorRouter } from './api-operator.ts';

/** Time limits for stopping: for current requests, and for everything. The second includes the first and `unreadyMs`. */
const STOP_TIMES = {
  /** The time for load balancers to notice that this process is not ready. */
  unreadyMs: 1_000,
  // `rates serve` ends within the 10 s that most container platforms allow.
  asPartOfServe: { finishMs: 4_500, timeoutMs: 6_000 },
  // Behind a load balancer, a rolling restart must not cut off a long upload.
  alone: { finishMs: 23_000, timeoutMs: 25_000 },
};

const clock = (): Date => new Date();

/** How long the start waits for Redis. Quotes work without it, so the API starts without it too. */
const READY_MS = 2_000;

const open = async (
  config: Config,
  deps: Omit<SourceDeps, 'allowSampleSecrets'> & { readonly snapshots: Snapshots; readonly events: Redis },
): Promise<Sources> => {
  const { redis, log } = deps;
  try {
    const verdict = await waitUntilReady(redis, READY_MS)
      .then(() => checkRedis(redis))
      .catch((err) => log.warn({ err }, 'starting without Redis'));
    const warnings = verdict === undefined ? [] : refuseProblems(verdict);
    // `rates serve` has said them.
    if (process.connected !== true) for (const warning of warnings) log.warn(warning);
    return await openSources(config, { ...deps, allowSampleSecrets: isLoopback(config.host) });
  } catch (error) {
    redis.disconnect();
    deps.events.disconnect();
    throw error;
  }
};

/** Builds everything that answers requests, and a function to close it. */
const build = async (
  config: Config,
  redisUrl: string,
  { log, errors }: { readonly log: Logger; readonly errors: ErrorLog },
  ending: AbortSignal,
  env: Environment,
) => {
  const keys = tokenKeys(config.tokenSecret ?? (await keptTokenSecret(config.dataDir)));
  const store = await openStore(config);
  const snapshots = createSnapshots(store);
  const redis = connect(redisUrl, 'producer', { log });
  errors.keepIn(redis);
  const events = connect(redisUrl, 'events', { log });
  const { clients, tariffs, close: closeSources } = await open(config, { store, redis, events, log, snapshots });
  const fuel = watchFuel({ tariffs, log, now: clock });
  const queues = openQueues(redis);
  const scheduler = createScheduler({ store, redis, queues });
  const batches = createBatches({ store, redis, scheduler, snapshots, now: clock });
  const subscriptions = createSubscriptions({ events, batches });
  const { maxUploadBytes: maximumBytes, maxRows: maximumRows, maxRowBytes: maximumRowBytes, chunkRows } = config;
  const checks = {
    process: async () => ending.throwIfAborted(),
    redis: async () => {
      await redis.ping();
    },
    store: store.check,
    tariff: async () => {
      if (tariffs.current().bookAt(clock()).cards.length === 0) throw new Error('no tariff is in force today');
    },
  };
  const addressOf = createAddressOf(config.trustedProxies);
  const audit = createAudit({ store, log, now: clock });
  const { maxJsonBytes, operatorToken, metricsToken, corsOrigins, allowedHosts } = config;
  const { listener } = createApp({
    ...{ log, clients, tariffs, checks, store, redis, batches, snapshots, subscriptions, now: clock },
    tokens: createTokens(keys, clock),
    sessions: createTokens(keys, clock, SESSION),
    consoleDir: join(ROOT, 'dist', 'console'),
    ...{ maxJsonBytes, corsOrigins, allowedHosts, metricsToken },
    maxList: { maximumBytes, maximumRows, maximumRowBytes, chunkRows },
    limits: createLimits(redis),
    quoteTurns: createQuoteTurns(),
    wrongTry: createWrongTries({ addressOf, perMinute: WRONG_SECRETS_PER_MINUTE, settleWith: redis }),
    reserveBytes: config.storeReserveBytes,
    presignSeconds: config.storePresignSeconds,
    mappings: createKeptMappings(store, clock),
    ...{ shares: createShares(redis, clock), audit, addressOf },
    metrics: createMetrics({ clients, tariffs, now: clock }, createQuoteCounts(redis, clock)),
    workMetrics: createWorkMetrics(redis, queues, store),
    operatorRouter:
      operatorToken === undefined
        ? undefined
        : operatorRouter(config, {
            ...{ env, audit, addressOf, store, redis, log, clients, tariffs, checks, queues },
            ...{ operatorToken, now: clock },
          }),
  });
  const close = async (): Promise<void> => {
    closeSources();
    fuel.close();
    await queues.close();
    await errors.close();
    events.disconnect();
    redis.disconnect();
  };
  return { listener, subscriptions, close };
};

/**
 * Serves until SIGTERM or SIGINT. @throws {ConfigError} with every invalid setting; any other error is the reason why it did
 * not start
 */
export const api = async (env: Environment, stopTimes: Partial<typeof STOP_TIMES> = {}): Promise<void> => {
  // By default, V8 marks the whole heap after it has grown by a few megabytes: three times a second beside uploads, while quotes
  // wait. A heap that may double is marked every two seconds, and takes 20 MB more. `NODE_OPTIONS` does not take this option.
  setFlagsFromString('--heap-growing-percent=100');
  const config = readConfig(env);
  if (config.redisUrl === undefined) throw new Error('REDIS_URL is not set. Only `rates serve` starts its own Redis.');
  const errors = createErrorLog();
  const { logLevel: level, logFormat: format } = config;
  const log = createLog({ level, name: 'api', format, gather: true, onError: errors.take });
  const ending = new AbortController();
  const { listener, subscriptions, close } = await build(config, config.redisUrl, { log, errors }, ending.signal, env);
  const { port, stop } = await listen(listener, config.host, config.port);
  const { unreadyMs, asPartOfServe, alone } = { ...STOP_TIMES, ...stopTimes };
  const { finishMs, timeoutMs } = process.connected === true ? asPartOfServe : alone;
  onStop(
    async () => {
      // Load balancers see that this process is not ready before it stops accepting requests.
      ending.abort(new Error('this process is stopping'));
      await sleep(unreadyMs);
      // Event streams never end by themselves.
      subscriptions.close();
      await stop(finishMs);
      await close();
    },
    { log, timeoutMs },
  );
  if (!isLoopback(config.host) && config.allowedHosts.length === 0)
    log.warn({ host: config.host }, 'ALLOWED_HOSTS is not set: only localhost and the address itself are served');
  // `rates serve` prints the address when the API is ready. The log lines of the start come first.
  log.info({ host: config.host, port }, 'listening');
  log.flush();
  announceReady(port);
};
