/**
 * Connections to Redis, each with the policy of its role, and what a Redis must be like before jobs are trusted to it.
 */
import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from '../log.ts';

/**
 * `producer` serves requests: a call fails within a second when Redis is away, and one that was on its way when the
 * connection broke is not sent again by itself. `worker` and `events` wait for as long as it takes.
 */
export type ConnectionRole = 'producer' | 'worker' | 'events';

const PRODUCER_TIMEOUT_MS = 900;
const LONGEST_PAUSE_MS = 500;

const WAITING = { maxRetriesPerRequest: null };
const POLICY = {
  producer: {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    commandTimeout: PRODUCER_TIMEOUT_MS,
  },
  worker: WAITING,
  events: WAITING,
} as const satisfies Record<ConnectionRole, RedisOptions>;

/** Logs an outage once when it begins and once when it ends, however often the connection is tried in between. */
const logOutages = (connection: Redis, role: ConnectionRole, log: Logger): void => {
  let away = false;
  connection.on('error', (err) => {
    if (!away) log.warn({ err, role }, 'Redis is away');
    away = true;
  });
  connection.on('ready', () => {
    if (away) log.info({ role }, 'Redis is back');
    away = false;
  });
};

/** A connection that is opened at once, and again whenever it breaks, until `disconnect()` or `quit()`. */
export const connect = (url: string, role: ConnectionRole, { log }: { readonly log: Logger }): Redis => {
  const connection = new Redis(url, {
    ...POLICY[role],
    connectionName: `rates-${role}`,
    retryStrategy: (attempt) => Math.min(25 * 2 ** attempt, LONGEST_PAUSE_MS),
  });
  logOutages(connection, role, log);
  return connection;
};

/** Resolves when the connection is ready for commands. Rejects with the last reason after `timeoutMs` without. */
export const waitUntilReady = (connection: Redis, timeoutMs: number): Promise<void> => {
  if (connection.status === 'ready') return Promise.resolve();
  return new Promise((resolve, reject) => {
    let cause: Error | undefined;
    const settle = (end: () => void) => {
      clearTimeout(timer);
      connection.off('ready', onReady).off('error', onError).off('end', onEnd);
      end();
    };
    const onReady = () => settle(resolve);
    const onError = (error: Error) => {
      cause = error;
    };
    const fail = (message: string) => settle(() => reject(new Error(message, { cause })));
    const onEnd = () => fail(`The connection to Redis was ended${cause ? `: ${cause.message}` : ''}.`);
    const timer = setTimeout(
      () => fail(`Redis did not answer within ${timeoutMs} ms${cause ? `: ${cause.message}` : ''}.`),
      timeoutMs,
    );
    connection.on('ready', onReady).on('error', onError).on('end', onEnd);
  });
};

/** What speaks against a Redis: with a problem it must not be used, with a warning it may. One sentence each. */
export interface RedisVerdict {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

const LEAST_VERSION = '6.2';

const isOlder = (version: string, least: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
};

const infoField = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1];

/** The value of a configuration setting, or undefined where the server does not tell (some hosts forbid CONFIG). */
const setting = async (connection: Redis, name: string): Promise<string | undefined> => {
  try {
    const reply = await connection.config('GET', name);
    return Array.isArray(reply) && typeof reply[1] === 'string' ? reply[1] : undefined;
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError') return undefined;
    throw error;
  }
};

const judgePersistence = async (connection: Redis, info: string): Promise<readonly string[]> => {
  if (infoField(info, 'aof_enabled') === '1') return [];
  const save = await setting(connection, 'save');
  if (save === undefined) return ['Redis does not tell whether it keeps its data: make sure that appendonly is yes.'];
  return save === ''
    ? ['Redis keeps nothing on disk, so a restart of it delays what is queued: set appendonly yes.']
    : ['Redis keeps snapshots only, so a restart of it delays what was queued since the last: set appendonly yes.'];
};

/**
 * Judges the Redis (or Valkey) behind a ready connection. Problems: older than 6.2, a node of a cluster, or a policy
 * that evicts keys, which loses jobs. A warning: no append-only file. Rejects when Redis is away.
 */
export const checkRedis = async (connection: Redis): Promise<RedisVerdict> => {
  const info = await connection.info();
  const problems: string[] = [];
  const version = infoField(info, 'redis_version') ?? 'unknown';
  if (version === 'unknown' || isOlder(version, LEAST_VERSION)) {
    problems.push(`Redis ${version} is too old: it must be ${LEAST_VERSION} or newer.`);
  }
  if (infoField(info, 'cluster_enabled') === '1') {
    problems.push('Redis is a node of a cluster: a single server is needed.');
  }
  const policy = infoField(info, 'maxmemory_policy') ?? (await setting(connection, 'maxmemory-policy')) ?? 'unknown';
  if (policy !== 'noeviction') {
    problems.push(`Redis evicts keys when its memory is full (maxmemory-policy ${policy}): set it to noeviction.`);
  }
  return { problems, warnings: await judgePersistence(connection, info) };
};

const REACH_TIMEOUT_MS = 5_000;

/**
 * Refuses a Redis that cannot be reached or has problems, by rejecting in words for people; resolves with the warnings.
 * Whoever starts processes on a Redis asks this first.
 */
export const requireFitRedis = async (url: string, deps: { readonly log: Logger }): Promise<readonly string[]> => {
  const connection = connect(url, 'producer', deps);
  try {
    await waitUntilReady(connection, REACH_TIMEOUT_MS);
    const { problems, warnings } = await checkRedis(connection);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return warnings;
  } finally {
    connection.disconnect();
  }
};
