/** `rates api`: the HTTP side by itself. Quotes need no Redis; what is queued needs the one of `REDIS_URL`. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBatches } from '../batch/batches.ts';
import { useOf } from '../batch/client-index.ts';
import { createIntake } from '../batch/scheduler.ts';
import { createSnapshots, type Snapshots } from '../batch/snapshot.ts';
import { createFeeds } from '../batch/subscriptions.ts';
import { sweepTurn } from '../batch/workers.ts';
import { type Config, type Environment, isLoopback, ROOT, readConfig } from '../config/settings.ts';
import { createApp } from '../http/app.ts';
import { batchRoutes } from '../http/batches.ts';
import { rowRoutes } from '../http/console/rows.ts';
import { SESSION } from '../http/console/session.ts';
import { createAllowance, createReadLimits } from '../http/limits.ts';
import { operatorRoutes } from '../http/operators.ts';
import { listen } from '../http/server.ts';
import { createTokens, keptTokenSecret, tokenKeys } from '../http/tokens.ts';
import { createWorkMetrics } from '../http/work-metrics.ts';
import { createLog, type Logger } from '../log.ts';
import { announceReady, onStop } from '../process/child.ts';
import { openClients, openTariffs, type SourceDeps } from '../published/sources.ts';
import { openQueues } from '../queue/jobs.ts';
import { connect } from '../redis/connection.ts';
import { openStore } from '../store/open.ts';
import { deliveries } from '../webhook/deliveries.ts';

/** To be seen as not ready. */
const UNREADY_MS = 1_000;
/** To finish requests, and then all, which takes the two times above and a little. */
interface Patience {
  readonly finishMs: number;
  readonly timeoutMs: number;
}
/** `rates serve` ends within the 10 s that containers are commonly given. */
const AS_PART_OF_SERVE: Patience = { finishMs: 4_500, timeoutMs: 6_000 };
/** One of several, behind a load balancer: a long upload is not broken off by a rolling restart. */
const ALONE: Patience = { finishMs: 23_000, timeoutMs: 25_000 };

const clock = (): Date => new Date();

const openSources = async (config: Config, deps: SourceDeps & { readonly snapshots: Snapshots }) => {
  try {
    const clients = await openClients(config, { ...deps, allowSampleSecrets: isLoopback(config.host) });
    return { clients, tariffs: await openTariffs(config, deps) };
  } catch (error) {
    deps.redis.disconnect();
    throw error;
  }
};

/** All that answers requests, and how to let go of it. */
const build = async (config: Config, redisUrl: string, log: Logger, ending: AbortSignal) => {
  const keys = tokenKeys(config.tokenSecret ?? (await keptTokenSecret(config.dataDir)));
  const store = await openStore(config, log);
  const snapshots = createSnapshots(store);
  const redis = connect(redisUrl, 'producer', { log });
  const { clients, tariffs } = await openSources(config, { store, redis, log, snapshots });
  const queues = openQueues(redis);
  const intake = createIntake({ store, redis, queues });
  const batches = createBatches({ store, redis, intake, now: clock });
  const events = connect(redisUrl, 'events', { log });
  const feeds = createFeeds({ events, batches });
  const { maxUploadBytes: maximumBytes, maxRows: maximumRows, maxRowBytes: maximumRowBytes, chunkRows } = config;
  const routeDeps = {
    store,
    redis,
    intake,
    batches,
    feeds,
    snapshots,
    tariffs,
    limits: { maximumBytes, maximumRows, maximumRowBytes, chunkRows },
    ...(config.storePresignSeconds !== undefined && { presignSeconds: config.storePresignSeconds }),
    uploadAllowance: createAllowance('uploads', redis),
    readLimits: createReadLimits(redis),
    reserveBytes: config.storeReserveBytes,
    now: clock,
  };
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
  const { maxJsonBytes, operatorToken, metricsToken, corsOrigins, allowedHosts } = config;
  const app = createApp({
    log,
    clients,
    tariffs,
    tokens: createTokens(keys, clock),
    sessions: createTokens(keys, clock, SESSION),
    consoleDir: join(ROOT, 'dist', 'console'),
    checks,
    lastSweep: () => sweepTurn.last(redis),
    maxJsonBytes,
    corsOrigins,
    allowedHosts,
    now: clock,
    settleWith: redis,
    readLimits: routeDeps.readLimits,
    workMetrics: createWorkMetrics(redis, queues, store),
    ...(metricsToken !== undefined && { metricsToken }),
    ...(operatorToken !== undefined && { operatorRouter: operatorRoutes({ queues, operatorToken }) }),
    batchRouter: batchRoutes(routeDeps),
    rowRouter: rowRoutes(routeDeps),
    useOf: (clientId) => useOf(redis, clientId),
    deliveries: (clientId, limit) => deliveries.list(redis, clientId, limit, clock()),
  });
  const close = async (): Promise<void> => {
    clients.close();
    tariffs.close();
    await queues.close();
    events.disconnect();
    redis.disconnect();
  };
  return { app, feeds, close };
};

/**
 * Serves until SIGTERM or SIGINT. Rejects where it cannot start, in words for people.
 * @throws {ConfigError} with every setting that is wrong
 */
export const api = async (env: Environment): Promise<void> => {
  const config = readConfig(env);
  if (config.redisUrl === undefined)
    throw new Error('REDIS_URL is needed here: only `rates serve` brings a Redis of its own.');
  const log = createLog({ level: config.logLevel, name: 'api', gather: true });
  const ending = new AbortController();
  const { app, feeds, close } = await build(config, config.redisUrl, log, ending.signal);
  const { port, stop } = await listen(app, config.host, config.port);
  const { finishMs, timeoutMs } = process.connected === true ? AS_PART_OF_SERVE : ALONE;
  onStop(
    async () => {
      // Whoever spreads requests over processes gets to see that this one takes no more, before it does not.
      ending.abort(new Error('this process is ending'));
      await sleep(UNREADY_MS);
      // Streams have no end of their own that could be waited for.
      feeds.close();
      await stop(finishMs);
      await close();
    },
    { log, timeoutMs },
  );
  if (!isLoopback(config.host) && config.allowedHosts.length === 0)
    log.warn({ host: config.host }, 'ALLOWED_HOSTS is not set: only localhost and the address itself are served');
  announceReady(port);
  log.info({ host: config.host, port }, 'listening');
};
