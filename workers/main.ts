/** A worker process. Its CPU priority is lower than the API's, so single quotes stay fast while a batch runs. */

import type { Config } from '../src/base/config/settings.ts';
import { createErrorLog } from '../src/base/error-log.ts';
import { cause, createLog } from '../src/base/log.ts';
import { lowerPriority } from '../src/base/priority.ts';
import { announceReady, endWithParent, onStop } from '../src/base/process/child.ts';
import { checkRedis, refuseProblems } from '../src/base/redis/check-redis.ts';
import { connect, requireReady } from '../src/base/redis/connection.ts';
import { openStore } from '../src/base/store/open.ts';
import { createSender } from '../src/base/webhook/send.ts';
import { WEBHOOK_PAUSES_MS, workerName } from '../src/batch/queue/jobs.ts';
import { createSnapshots } from '../src/catalog/published/snapshots.ts';
import { openClients } from '../src/catalog/published/sources.ts';
import { startWorker } from './worker.ts';

/** How much lower the priority of a worker is than the priority of the API. */
const NICENESS = 10;

/**
 * Makes this process a worker. Resolves when it takes jobs.
 * @param onStandstill called if the worker is stuck. It must end the process.
 */
export const runWorker = async (config: Config, redisUrl: string, onStandstill: () => void): Promise<void> => {
  const { logLevel, logFormat } = config;
  lowerPriority(process.pid, NICENESS);
  const errors = createErrorLog();
  const log = createLog({ level: logLevel, name: 'worker', format: logFormat, fields: cause, onError: errors.take });
  const alone = endWithParent();
  const redis = connect(redisUrl, 'worker', { log });
  // Without Redis there is nothing to do, so it waits, unless Redis refuses the credentials.
  await requireReady(redis, redisUrl, undefined);
  refuseProblems(await checkRedis(redis));
  errors.keepIn(redis);
  const worker = workerName(process.pid);
  const store = await openStore(config);
  const snapshots = createSnapshots(store);
  // The other connection logs when Redis is unavailable.
  const events = connect(redisUrl, 'events', { log: log.child({}, { level: 'silent' }) });
  // A worker takes no calls, so sample secrets do no harm here.
  const clients = await openClients(config, { store, redis, events, log, allowSampleSecrets: true });
  const stop = await startWorker({
    ...config,
    ...{ name: worker, redis, store, snapshots, log },
    mergesOutputs: config.storePresignSeconds !== undefined,
    webhooks: { clients, send: createSender(), pausesMs: WEBHOOK_PAUSES_MS },
    now: () => new Date(),
    onStandstill: (why) => {
      log.fatal({ worker, why }, 'this worker is stuck and exits, so that it is started again');
      onStandstill();
    },
  });
  alone();
  onStop(
    async () => {
      await stop();
      clients.close();
      events.disconnect();
      await errors.close();
      redis.disconnect();
    },
    { log },
  );
  log.info({ worker }, 'worker ready');
  announceReady();
};
