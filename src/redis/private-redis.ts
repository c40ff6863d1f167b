/**
 * A Redis of the service's own: `redis-server` or `valkey-server` from the PATH, on loopback, behind a password, with
 * its data under the data folder, kept by an append-only file that is synced every second. Its endpoint is noted beside
 * the data before it starts and forgotten after it was stopped, so that one which outlived its owner, say after a
 * kill -9, is found and shut down at the next start. The caller holds the lock on the data folder.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Endpoint, forgetEndpoint, pidAt, shutDownOrphan, writeEndpoint } from './orphan.ts';
import { PORT_ATTEMPTS, somePort } from './port.ts';

/** A Redis that runs until it is stopped or dies. */
export interface RunningRedis {
  readonly url: string;
  readonly pid: number;
  /** Settles when it has ended, with how it ended, in words. */
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

/** Keeps reading what the server says, and remembers the last lines for the message of a failed start. */
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

/** How a child process ended, in words, once it has ended and its output has been read. */
const ending = async (child: ChildProcess): Promise<string> => {
  try {
    const [code, signal] = await once(child, 'close');
    return signal === null ? `exit code ${code}` : `signal ${signal}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** Waits until this very process answers there. Where the port is somebody else's, the process ends by itself. */
const untilReady = async (endpoint: Endpoint, pid: number, hasEnded: () => boolean): Promise<boolean> => {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!hasEnded() && performance.now() < deadline) {
    if ((await pidAt(endpoint)) === pid) return true;
    await sleep(20);
  }
  return false;
};

const launch = async (binary: string, dir: string, endpoint: Endpoint): Promise<PrivateRedis | 'port taken'> => {
  // The configuration goes in through standard input: a password on the command line could be read by anyone.
  const child = spawn(binary, ['-'], { cwd: dir, stdio: 'pipe' });
  const lines = lastLines(child);
  let ended = false;
  const exited = ending(child).finally(() => {
    ended = true;
  });
  child.stdin.on('error', () => undefined); // It ended before it had read its configuration; `exited` says so.
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
  /** The folder of its data; made if absent. */
  readonly dir: string;
  /** Where it ran before, when it is started again for those who are connected there. Absent: any free port. */
  readonly endpoint?: Endpoint;
}

/**
 * Starts a private Redis and resolves when it answers, with the data that it had when it stopped or died. The port is
 * the server's own to win, so none is chosen by looking first: where it is taken, another is tried, but a given
 * endpoint is kept to, and then the call rejects.
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
