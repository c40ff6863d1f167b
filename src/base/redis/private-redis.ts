/**
 * A private Redis: `redis-server` or `valkey-server` from the PATH, on loopback, behind a password, with its data below the
 * data folder in an append-only file that is synced every second. The endpoint is written beside the data before the
 * server starts and removed after it stops. So a server that outlived its owner, for example after a kill -9, is found and
 * shut down at the next start. The caller holds the lock on the data folder.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, realpathSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { z } from 'zod';

/**
 * A random port below the range of outgoing ports. Within that range, a client that keeps trying while its server is down
 * may get the server's port as its own, connect to itself and block the server's restart. The port may be in use: only
 * binding to it can tell.
 */
export const somePort = (): number => randomInt(20_000, 32_000);

/** How many ports to try before giving up. */
export const PORT_ATTEMPTS = 20;

const endpointFile = z.strictObject({ port: z.int().min(1).max(65_535), password: z.string().min(1) });
/** Where a private Redis listens, on loopback. It stays the same at a restart, so that clients can reconnect. */
export type Endpoint = Readonly<z.output<typeof endpointFile>>;

const ORPHAN_TIMEOUT_MS = 10_000;

const fileIn = (dir: string): string => join(dir, 'endpoint.json');

/** Writes the endpoint with its password to a file that only the owner can read. */
const writeEndpoint = (dir: string, endpoint: Endpoint): Promise<void> =>
  writeFile(fileIn(dir), JSON.stringify(endpoint), { mode: 0o600 });

const forgetEndpoint = (dir: string): Promise<void> => rm(fileIn(dir), { force: true });

const readEndpoint = async (dir: string): Promise<Endpoint | undefined> => {
  try {
    return endpointFile.parse(JSON.parse(await readFile(fileIn(dir), 'utf8')));
  } catch {
    return undefined; // Absent, or incomplete after a crash: then no server was started with it.
  }
};

/** Runs something on a separate connection: one attempt to connect, and at most a second for each command. */
const withConnection = async <T>({ port, password }: Endpoint, run: (redis: Redis) => Promise<T>): Promise<T> => {
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
  redis.on('error', () => undefined); // The awaited calls report errors too.
  try {
    await redis.connect();
    return await run(redis);
  } finally {
    redis.disconnect();
  }
};

const pidOf = async (redis: Redis): Promise<number> =>
  Number(/^process_id:(\d+)/m.exec(await redis.info('server'))?.[1]);

/** The process that answers at the endpoint, accepts its password and has loaded its data; undefined if there is none. */
const pidAt = async (endpoint: Endpoint): Promise<number | undefined> => {
  try {
    return await withConnection(endpoint, pidOf);
  } catch {
    return undefined; // Nothing listens there, it is not ready, or it is another program.
  }
};

/** The data folder that a server reports. A copied data folder contains the endpoint of the original's server. */
const dirAt = (endpoint: Endpoint): Promise<unknown> =>
  withConnection(endpoint, async (redis) => {
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
 * Shuts down the server that a dead owner left running on the data in `dir` (a real path), and waits until it has ended.
 * The server must accept the password in `dir` and report `dir` as its data folder. It is shut down by a command, not by
 * its process id, so no unrelated process can be affected.
 */
const shutDownOrphan = async (dir: string): Promise<void> => {
  const endpoint = await readEndpoint(dir);
  if (endpoint === undefined) return;
  const pid = await pidAt(endpoint);
  if (pid === undefined || (await dirAt(endpoint)) !== dir) return;
  // A server that shuts down does not answer.
  await withConnection(endpoint, (redis) => redis.shutdown('NOSAVE')).catch(() => undefined);
  const deadline = performance.now() + ORPHAN_TIMEOUT_MS;
  while (isAlive(pid)) {
    if (performance.now() > deadline) {
      throw new Error(`The private Redis of an earlier run, process ${pid}, did not stop. End it, then start again.`);
    }
    await sleep(20);
  }
};

/** A Redis that runs until it is stopped or dies. */
export interface RunningRedis {
  readonly url: string;
  readonly pid: number;
  /** Resolves when it has ended, with a description of how. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

export interface PrivateRedis extends RunningRedis {
  readonly endpoint: Endpoint;
}

const BINARIES = ['redis-server', 'valkey-server'] as const;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 2_500;
const LAST_LINES = 10;

/** The first of `redis-server` and `valkey-server` that can be run from `path` (a PATH), or undefined. */
export const findRedisServer = (path: string | undefined): string | undefined => {
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  return BINARIES.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
};

const quoted = (path: string): string => `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const configuration = ({ port, password }: Endpoint, dir: string): string =>
  [
    'bind 127.0.0.1',
    `port ${port}`,
    'protected-mode yes',
    `requirepass ${password}`,
    `dir ${quoted(dir)}`,
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
    'daemonize no',
    '',
  ].join('\n');

/** Reads the server's output and keeps the last lines for the message of a failed start. */
const lastLines = (child: ChildProcess): readonly string[] => {
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    if (input === null) continue;
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      if (lines.length > LAST_LINES) lines.shift();
    });
  }
  return lines;
};

/** Describes how a child process ended. Resolves when it has ended and its output has been read. */
const ending = async (child: ChildProcess): Promise<string> => {
  try {
    const [code, signal] = await once(child, 'close');
    return signal === null ? `exit code ${code}` : `signal ${signal}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** Waits until this process answers at the endpoint. If another process has the port, this process ends on its own. */
const untilReady = async (endpoint: Endpoint, pid: number, hasEnded: () => boolean): Promise<boolean> => {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!hasEnded() && performance.now() < deadline) {
    if ((await pidAt(endpoint)) === pid) return true;
    await sleep(20);
  }
  return false;
};

const launch = async (binary: string, dir: string, endpoint: Endpoint): Promise<PrivateRedis | 'port taken'> => {
  // The configuration goes through standard input: anyone could read a password on the command line.
  const child = spawn(binary, ['-'], { cwd: dir, stdio: 'pipe' });
  const lines = lastLines(child);
  let ended = false;
  const exited = ending(child).finally(() => {
    ended = true;
  });
  child.stdin.on('error', () => undefined); // It ended before it read its configuration; `exited` reports that.
  child.stdin.end(configuration(endpoint, dir));
  const { pid } = child;
  if (pid === undefined || !(await untilReady(endpoint, pid, () => ended))) {
    child.kill('SIGKILL');
    const how = await exited;
    if (lines.some((line) => /address already in use/i.test(line))) return 'port taken';
    throw new Error(`${binary} did not start (${how}): ${lines.join(' | ')}`);
  }
  const stop = async () => {
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(force);
  };
  return { url: `redis://:${endpoint.password}@127.0.0.1:${endpoint.port}`, endpoint, pid, exited, stop };
};

export interface PrivateRedisOptions {
  readonly binary: string;
  /** Its data folder, created if absent. */
  readonly dir: string;
  /** For a restart: the endpoint of the first start, so that clients can reconnect. Absent: any free port. */
  readonly endpoint?: Endpoint;
}

/**
 * Starts a private Redis, and resolves when it answers, with the data that it had when it stopped or died. Only the
 * server's own bind can tell whether a port is free. If it is taken, the next one is tried; if the caller gave the
 * endpoint, the call rejects.
 */
export const startPrivateRedis = async (options: PrivateRedisOptions): Promise<PrivateRedis> => {
  await mkdir(options.dir, { recursive: true, mode: 0o700 });
  const dir = realpathSync(options.dir);
  await shutDownOrphan(dir);
  for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt += 1) {
    const endpoint = options.endpoint ?? { port: somePort(), password: randomBytes(24).toString('hex') };
    await writeEndpoint(dir, endpoint);
    const redis = await launch(options.binary, dir, endpoint);
    if (redis !== 'port taken') {
      const stop = async () => {
        await redis.stop();
        await forgetEndpoint(dir);
      };
      return { ...redis, stop };
    }
    if (options.endpoint !== undefined) break;
  }
  throw new Error('No free port for the private Redis was found.');
};
