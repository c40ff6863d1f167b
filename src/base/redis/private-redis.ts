/**
 * A private Redis: `redis-server` or `valkey-server` from the PATH, on a socket that only this user can open. Its data
 * is below the data folder, in an append-only file that is synced every second. The socket's path follows from the
 * folder's. So a server that outlived its owner, for example after a kill -9, is found and shut down at the next start,
 * and clients can reconnect after a restart. The caller holds the lock on the data folder.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, realpathSync } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { stopper } from '../process/node-process.ts';

/** The longest path of a socket: 107 bytes on Linux, 103 on macOS. */
const MOST_PATH_BYTES = 103;
const ORPHAN_TIMEOUT_MS = 10_000;

/** Creates a folder with a short path, for this data folder and this user alone. */
const shortFolder = async (dir: string): Promise<string> => {
  const folder = join(tmpdir(), `rates-${createHash('sha256').update(dir).digest('hex').slice(0, 16)}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = await lstat(folder);
  // Anybody could have created it earlier. A symbolic link has all permissions.
  if (uid !== process.getuid?.())
    throw new Error(`${folder}, for the socket of the private Redis, belongs to another user. Ask them to remove it.`);
  if ((mode & 0o077) !== 0)
    throw new Error(`${folder}, for the socket of the private Redis, is open to other users. Remove it.`);
  return folder;
};

/** Returns the path of a server's socket. @param dir its data folder, a real path */
const socketOf = async (dir: string): Promise<string> => {
  const path = join(dir, 'redis.sock');
  return Buffer.byteLength(path) <= MOST_PATH_BYTES ? path : join(await shortFolder(dir), 'redis.sock');
};

/** Returns whether nothing listens at a socket: there is no file, or the process that made it has ended. */
const isNobody = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ECONNREFUSED');

/**
 * Runs something on a separate connection: one attempt to connect, and at most a second for each command.
 * @returns undefined if nothing listens there
 * @throws if something listens, but does not answer in time
 */
const withConnection = async <T>(socket: string, run: (redis: Redis) => Promise<T>): Promise<T | undefined> => {
  const redis = new Redis({
    path: socket,
    lazyConnect: true,
    connectTimeout: 1_000,
    commandTimeout: 1_000,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  let nobody = false;
  // The awaited calls report errors too, but not why a connection failed.
  redis.on('error', (error) => {
    nobody ||= isNobody(error);
  });
  try {
    await redis.connect();
    return await run(redis);
  } catch (error) {
    if (nobody) return undefined;
    throw error;
  } finally {
    redis.disconnect();
  }
};

const pidOf = async (redis: Redis): Promise<number> =>
  Number(/^process_id:(\d+)/m.exec(await redis.info('server'))?.[1]);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/**
 * Shuts down the server that a dead owner left running on this socket, and waits until it has ended.
 * Two servers must never write to one folder. So a server that does not answer stops the start.
 */
const shutDownOrphan = async (socket: string, withinMs: number): Promise<void> => {
  const deadline = performance.now() + withinMs;
  let pid: number | undefined;
  for (;;) {
    try {
      pid ??= await withConnection(socket, pidOf);
      if (pid === undefined) return;
      // A server that shuts down does not answer.
      await withConnection(socket, (redis) => redis.shutdown('NOSAVE')).catch(() => undefined);
      if (!isAlive(pid)) return;
    } catch (cause) {
      if (performance.now() > deadline)
        throw new Error(`The private Redis of an earlier run at ${socket} does not answer. End it, then start again.`, {
          cause,
        });
    }
    if (pid !== undefined && performance.now() > deadline)
      throw new Error(`The private Redis of an earlier run, process ${pid}, did not stop. End it, then start again.`);
    await sleep(20);
  }
};

/** A Redis that runs until it is stopped or dies. */
export interface RunningRedis {
  /** An address as in `REDIS_URL`. */
  readonly url: string;
  readonly pid: number;
  /** Resolves when it has ended, with a description of how. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

const BINARIES = ['redis-server', 'valkey-server'] as const;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 2_500;
const LAST_LINES = 10;

/** Returns the first of `redis-server` and `valkey-server` that can be run from `path` (a PATH), or undefined. */
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

const configuration = (socket: string, dir: string): string =>
  [
    'port 0',
    `unixsocket ${quoted(socket)}`,
    'unixsocketperm 700',
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

/** Waits until this process answers at the socket. */
const untilReady = async (socket: string, pid: number, hasEnded: () => boolean): Promise<boolean> => {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!hasEnded() && performance.now() < deadline) {
    // Until it is ready, it may accept a connection without an answer.
    if ((await withConnection(socket, pidOf).catch(() => undefined)) === pid) return true;
    await sleep(20);
  }
  return false;
};

export interface PrivateRedisOptions {
  readonly binary: string;
  /** Its data folder, created if absent. */
  readonly dir: string;
  /** How long the server of an earlier run may take to stop. */
  readonly orphanTimeoutMs?: number;
}

/** Starts a private Redis, and resolves when it answers, with the data that it had when it stopped or died. */
export const startPrivateRedis = async ({
  binary,
  dir: given,
  orphanTimeoutMs = ORPHAN_TIMEOUT_MS,
}: PrivateRedisOptions): Promise<RunningRedis> => {
  await mkdir(given, { recursive: true, mode: 0o700 });
  const dir = realpathSync(given);
  const socket = await socketOf(dir);
  await shutDownOrphan(socket, orphanTimeoutMs);
  const child = spawn(binary, ['-'], { cwd: dir, stdio: 'pipe' });
  const lines = lastLines(child);
  let ended = false;
  const exited = ending(child).finally(() => {
    ended = true;
  });
  child.stdin.on('error', () => undefined); // It ended before it read its configuration; `exited` reports that.
  child.stdin.end(configuration(socket, dir));
  const { pid } = child;
  if (pid === undefined || !(await untilReady(socket, pid, () => ended))) {
    child.kill('SIGKILL');
    throw new Error(`${binary} did not start (${await exited}): ${lines.join(' | ')}`);
  }
  const stop = stopper(child, exited);
  return { url: socket.replaceAll(/[%?#]/g, encodeURIComponent), pid, exited, stop: () => stop(STOP_TIMEOUT_MS) };
};
