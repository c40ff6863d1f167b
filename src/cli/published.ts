/** What is published to the store, for one command: its store, and a Redis where it changes something. */
import { mkdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Clients, readClients, unrevoked } from '../clients/clients.ts';
import { type Config, type Environment, readConfig } from '../config/settings.ts';
import { createLog } from '../log.ts';
import { type FolderLock, lockWhenFree } from '../process/folder-lock.ts';
import { publishedClients } from '../published/clients.ts';
import type { PublishedDeps } from '../published/pointer.ts';
import { openStore } from '../store/open.ts';
import { CommandFailure, EXIT } from './exit.ts';

const READY_MS = 5_000;

type Use<T> = (deps: PublishedDeps) => Promise<T>;

const withRedis = async <T>(config: Config, redisUrl: string, isNeeded: boolean, use: Use<T>): Promise<T> => {
  // Most commands do without Redis, and without waiting until its client is loaded.
  const { connect, requireReady } = await import('../redis/connection.ts');
  const store = await openStore(config);
  const redis = connect(redisUrl, 'producer', { log: createLog({ level: 'silent', name: 'rates' }) });
  try {
    // Whoever only reads has the copy in the store.
    await requireReady(redis, redisUrl, READY_MS).catch((error: unknown) => {
      if (isNeeded) throw error;
    });
    return await use({ store, redis, log: createLog({ level: 'warn', name: 'rates' }) });
  } finally {
    redis.disconnect();
  }
};

/** Reads what is published, by Redis where the settings name one. */
export const readPublished = async <T>(config: Config, use: Use<T>): Promise<T> => {
  if (config.redisUrl !== undefined) return await withRedis(config, config.redisUrl, false, use);
  return await use({ store: await openStore(config), log: createLog({ level: 'warn', name: 'rates' }) });
};

/** One command at a time changes what is published by a service that keeps a Redis of its own. */
const lockPublished = async ({ dataDir }: Config): Promise<FolderLock> => {
  const folder = join(dataDir, 'publishing');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await lockWhenFree(folder);
  if (lock === undefined) throw new CommandFailure('Another command is publishing. Try again.');
  return lock;
};

/**
 * Changes what is published: by `REDIS_URL` and `STORE_URL` where processes on many machines share them, and without
 * either on the one machine of a service that keeps a Redis of its own.
 * @throws {CommandFailure} where only one of the two is set
 */
export const changePublished = async <T>(env: Environment, use: Use<T>): Promise<T> => {
  const config = readConfig(env);
  const isShared = config.redisUrl !== undefined;
  if (isShared ? (env['STORE_URL'] ?? '') === '' : config.storeUrl.startsWith('s3:'))
    throw new CommandFailure(
      'Set both REDIS_URL and STORE_URL, as the API and the workers have them. On one machine with a private Redis set neither.',
      EXIT.usage,
    );
  if (config.redisUrl !== undefined) return await withRedis(config, config.redisUrl, true, use);
  const log = createLog({ level: 'warn', name: 'rates' });
  return await use({ store: await openStore(config), lock: () => lockPublished(config), log });
};

/** Who changes something, for people: `ann@laptop`. */
export const whoIn = (env: Environment): string =>
  `${env['USER'] || env['LOGNAME'] || `uid ${process.getuid?.() ?? '?'}`}@${hostname()}`;

/** The clients that the settings name, and where they were found, for people. */
export const clientsNamed = async (config: Config): Promise<{ readonly clients: Clients; readonly place: string }> => {
  const { clientsFile: place } = config;
  if (place !== undefined) return { clients: readClients(await readFile(place, 'utf8'), place), place };
  return { clients: unrevoked(await readPublished(config, publishedClients)), place: 'what is published' };
};
