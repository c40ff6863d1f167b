/** Checks whether a Redis is suitable for the queues. In a Cluster, every master is checked. */
import { Cluster, type Redis as Server } from 'ioredis';
import type { Logger } from '../log.ts';
import { connect, type Redis, requireReady } from './connection.ts';

/** The result of a check, as sentences. A Redis with problems must not be used; one with warnings may be. */
export interface RedisVerdict {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

const LEAST_VERSION = '6.2';

/** Compares the first two numbers of versions such as `6.0.20` and `6.2`. */
export const isOlder = (version: string, least: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
};

const infoField = (info: string, name: string): string | undefined =>
  info
    .split(/\r?\n/)
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1);

/** Returns a configuration setting, or undefined if the server does not reveal it (some hosts forbid CONFIG). */
const setting = async (server: Server, name: string): Promise<string | undefined> => {
  try {
    const reply = await server.config('GET', name);
    return Array.isArray(reply) && typeof reply[1] === 'string' ? reply[1] : undefined;
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError') return undefined;
    throw error;
  }
};

const judgePersistence = async (server: Server, info: string): Promise<readonly string[]> => {
  if (infoField(info, 'aof_enabled') === '1') return [];
  const save = await setting(server, 'save');
  if (save === undefined) return ['Redis does not reveal whether it saves its data: make sure that appendonly is yes.'];
  return save === ''
    ? ['Redis saves nothing to disk, so a restart of Redis delays queued work: set appendonly yes.']
    : ['Redis saves only snapshots, so a restart of Redis delays work queued since the last one: set appendonly yes.'];
};

/** Returns the problem of an address that does not lead to a master, and how to write the address instead. */
const misplaced = (info: string, isNode: boolean): readonly string[] => {
  if (infoField(info, 'redis_mode') === 'sentinel')
    return ['This is a Sentinel, not Redis itself: use redis+sentinel://HOST:PORT/MASTER.'];
  if (infoField(info, 'cluster_enabled') === '1' && !isNode)
    return ['Redis is a node of a Cluster: use redis+cluster://HOST:PORT,HOST:PORT.'];
  return infoField(info, 'role') === 'slave' ? ['Redis is a replica, which accepts no writes: use its master.'] : [];
};

const judge = async (server: Server, isNode: boolean): Promise<RedisVerdict> => {
  const info = await server.info();
  const elsewhere = misplaced(info, isNode);
  if (elsewhere.length > 0) return { problems: elsewhere, warnings: [] };
  const problems: string[] = [];
  // Valkey reports the Redis version that it is compatible with.
  const version = infoField(info, 'redis_version') ?? 'unknown';
  if (version === 'unknown' || isOlder(version, LEAST_VERSION)) {
    problems.push(`Redis ${version} is too old: it must be ${LEAST_VERSION} or newer.`);
  }
  const policy = infoField(info, 'maxmemory_policy') ?? (await setting(server, 'maxmemory-policy')) ?? 'unknown';
  if (policy !== 'noeviction') {
    problems.push(`Redis evicts keys when its memory is full (maxmemory-policy ${policy}): set it to noeviction.`);
  }
  return { problems, warnings: await judgePersistence(server, info) };
};

/** Lists each sentence once, with all masters that it applies to. */
const byNode = (verdicts: readonly (readonly [node: string, RedisVerdict])[], of: keyof RedisVerdict): string[] => {
  const nodes = new Map<string, string[]>();
  for (const [node, { [of]: sentences }] of verdicts)
    for (const sentence of sentences) nodes.set(sentence, [...(nodes.get(sentence) ?? []), node]);
  return [...nodes].map(([sentence, at]) => `${at.sort().join(', ')}: ${sentence}`);
};

const judgeCluster = async (cluster: Cluster): Promise<RedisVerdict> => {
  const verdicts = await Promise.all(
    cluster.nodes('master').map(async (server) => {
      const { host, port } = server.options;
      return [`${host}:${port}`, await judge(server, true)] as const;
    }),
  );
  return { problems: byNode(verdicts, 'problems'), warnings: byNode(verdicts, 'warnings') };
};

/**
 * Checks the Redis (or Valkey) of a ready connection. Problems: a version older than 6.2, not a master, a node of a Cluster
 * addressed as a single server, or a policy that evicts keys, which loses jobs. Warning: no append-only file. Rejects if
 * Redis, or any of its masters, is unreachable.
 */
export const checkRedis = (connection: Redis): Promise<RedisVerdict> =>
  connection instanceof Cluster ? judgeCluster(connection) : judge(connection, false);

/** @returns the warnings @throws {Error} with the problems, for users */
export const refuseProblems = ({ problems, warnings }: RedisVerdict): readonly string[] => {
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return warnings;
};

const REACH_TIMEOUT_MS = 5_000;

/**
 * Checks a Redis before processes start to use it.
 * @returns the warnings
 * @throws {Error} with a message for users, if Redis is unreachable or has problems
 */
export const requireUsableRedis = async (url: string, deps: { readonly log: Logger }): Promise<readonly string[]> => {
  const connection = connect(url, 'producer', deps);
  try {
    await requireReady(connection, url, REACH_TIMEOUT_MS);
    return refuseProblems(await checkRedis(connection));
  } finally {
    connection.disconnect();
  }
};

/**
 * Returns the run ids of the servers that hold the data, as one text. If it changes, a server was restarted or replaced
 * by its replica, and acknowledged writes may be lost.
 */
export const runsOf = async (connection: Redis): Promise<string> => {
  const servers = connection instanceof Cluster ? connection.nodes('master') : [connection];
  const runs = await Promise.all(servers.map(async (server) => infoField(await server.info('server'), 'run_id') ?? ''));
  return runs.sort().join(' ');
};
