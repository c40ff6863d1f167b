/** What is published to the store, for one command: its store, and a Redis where it changes something. */
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { type Clients, readClients, unrevoked } from '../clients.ts';
import { type Config, type Environment, readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { publishedClients } from '../published/clients.ts';
import type { PublishedDeps } from '../published/pointer.ts';
import { openStore } from '../store/open.ts';
import { CommandFailure, EXIT } from './exit.ts';

const READY_MS = 5_000;

type Use<T> = (deps: PublishedDeps) => Promise<T>;

const withRedis = async <T>(config: Config, redisUrl: string, isNeeded: boolean, use: Use<T>): Promise<T> => {
  // Most commands do without Redis, and without waiting until its client is loaded.
  const { connect, requireReady } = await import('../queue/redis.ts');
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

/** Changes what is published. @throws {CommandFailure} where the settings do not say to whom */
export const changePublished = async <T>(env: Environment, use: Use<T>): Promise<T> => {
  const config = readConfig(env);
  if (config.redisUrl === undefined || (env['STORE_URL'] ?? '') === '')
    throw new CommandFailure('REDIS_URL and STORE_URL are needed here: those of the API and the workers.', EXIT.usage);
  return await withRedis(config, config.redisUrl, true, use);
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
