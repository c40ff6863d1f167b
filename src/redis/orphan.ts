/**
 * Where a private Redis listens, written down in its data folder, and by that the end of one that outlived its owner.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { z } from 'zod';

const endpointFile = z.strictObject({ port: z.int().min(1).max(65_535), password: z.string().min(1) });
/** Where a private Redis listens, on loopback. The same at each restart, for whoever is connected. */
export type Endpoint = Readonly<z.output<typeof endpointFile>>;

const STOP_TIMEOUT_MS = 10_000;

const fileIn = (dir: string): string => join(dir, 'endpoint.json');

/** Notes the endpoint, password and all, in a file that only its owner can read. */
export const writeEndpoint = (dir: string, endpoint: Endpoint): Promise<void> =>
  writeFile(fileIn(dir), JSON.stringify(endpoint), { mode: 0o600 });

export const forgetEndpoint = (dir: string): Promise<void> => rm(fileIn(dir), { force: true });

const readEndpoint = async (dir: string): Promise<Endpoint | undefined> => {
  try {
    return endpointFile.parse(JSON.parse(await readFile(fileIn(dir), 'utf8')));
  } catch {
    return undefined; // Absent, or cut short by a crash: then no server was started with it either.
  }
};

/** A connection for one errand: it is tried once, and a command on it waits for at most a second. */
const errand = async <T>({ port, password }: Endpoint, run: (redis: Redis) => Promise<T>): Promise<T> => {
  const redis = new Redis({
    host: '127.0.0.1',
    port,
    password,
    lazyConnect: true,
    connectTimeout: 1_000,
    commandTimeout: 1_000,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  redis.on('error', () => undefined); // What goes wrong comes out of the awaited calls too.
  try {
    await redis.connect();
    return await run(redis);
  } finally {
    redis.disconnect();
  }
};

const pidOf = async (redis: Redis): Promise<number> =>
  Number(/^process_id:(\d+)/m.exec(await redis.info('server'))?.[1]);

/** The process that answers at the endpoint, takes its password and has loaded its data; undefined if none does. */
export const pidAt = async (endpoint: Endpoint): Promise<number | undefined> => {
  try {
    return await errand(endpoint, pidOf);
  } catch {
    return undefined; // Nobody there, not ready yet, or a stranger.
  }
};

/** The folder that a server says its data lie in. A copy of a data folder holds the endpoint of another's server. */
const dirAt = (endpoint: Endpoint): Promise<unknown> =>
  errand(endpoint, async (redis) => {
    const reply = await redis.config('GET', 'dir');
    return Array.isArray(reply) ? reply[1] : undefined;
  });

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/**
 * Shuts down the server that a dead owner has left running on the data in `dir` (a real path), and waits for its end.
 * It is known by taking the password that was noted there, and by saying itself that its data lie there; it is told to
 * end over that same connection, so no process that is not ours is ever touched.
 */
export const shutDownOrphan = async (dir: string): Promise<void> => {
  const endpoint = await readEndpoint(dir);
  if (endpoint === undefined) return;
  const pid = await pidAt(endpoint);
  if (pid === undefined || (await dirAt(endpoint)) !== dir) return;
  await errand(endpoint, (redis) => redis.shutdown('NOSAVE')).catch(() => undefined); // One that ends does not answer.
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  while (isAlive(pid)) {
    if (performance.now() > deadline) {
      throw new Error(`The private Redis of an earlier run, process ${pid}, does not end. End it, then start again.`);
    }
    await sleep(20);
  }
};
