/**
 * A worker process. It runs at a lower scheduling priority than the API, so that single quotes stay quick while a batch
 * runs.
 */
import { lookup } from 'node:dns/promises';
import { constants, setPriority } from 'node:os';
import { createSnapshots } from '../src/batch/snapshot.ts';
import { CommandFailure, exitCodeOf, failureText, STOOD_STILL } from '../src/cli/exit.ts';
import { readConfig } from '../src/config/settings.ts';
import { cause, createLog } from '../src/log.ts';
import { announceReady, endWithParent, onStop } from '../src/process/child.ts';
import { openClients } from '../src/published/sources.ts';
import { WEBHOOK_PAUSES_MS, workerName } from '../src/queue/jobs.ts';
import { connect, requireReady } from '../src/redis/connection.ts';
import { openStore } from '../src/store/open.ts';
import { createSender } from '../src/webhook/send.ts';
import { startWorker } from './worker.ts';

const work = async (): Promise<void> => {
  const config = readConfig(process.env);
  const { redisUrl, logLevel, maxRowBytes, retentionDays } = config;
  if (redisUrl === undefined)
    throw new CommandFailure('REDIS_URL is needed here: only `rates serve` brings a Redis of its own.');
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const log = createLog({ level: logLevel, name: 'worker', fields: cause });
  const alone = endWithParent();
  const redis = connect(redisUrl, 'worker', { log });
  // There is nothing to do without it; one that lets nobody in is not waited for.
  await requireReady(redis, redisUrl, undefined);
  const worker = workerName(process.pid);
  const store = await openStore(config, log);
  const snapshots = createSnapshots(store);
  // Nobody calls a worker: that a secret is known to everybody does no harm here.
  const clients = await openClients(config, { store, redis, log, allowSampleSecrets: true });
  const send = createSender({ resolve: (hostname) => lookup(hostname, { all: true }) });
  const stop = await startWorker({
    name: worker,
    redis,
    store,
    snapshots,
    log,
    maxRowBytes,
    retentionDays,
    mergesOutputs: config.storePresignSeconds !== undefined,
    webhooks: { clients, send, pausesMs: WEBHOOK_PAUSES_MS },
    now: () => new Date(),
    onStandstill: (why) => {
      log.fatal({ worker, why }, 'this worker stands still: it ends, to be started again');
      process.exit(STOOD_STILL);
    },
  });
  alone();
  onStop(
    async () => {
      await stop();
      clients.close();
      redis.disconnect();
    },
    { log },
  );
  announceReady();
  log.info({ worker }, 'worker ready');
};

try {
  await work();
} catch (error) {
  const verbose = ['debug', 'trace'].includes(process.env['LOG_LEVEL'] ?? '');
  process.stderr.write(`${failureText(error, verbose)}\n`);
  process.exit(exitCodeOf(error));
}
