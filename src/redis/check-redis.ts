/** What a Redis must be like before jobs are trusted to it; of a Cluster, each of its masters. */
import { Cluster, type Redis as Server } from 'ioredis';
import type { Logger } from '../log.ts';
import { connect, type Redis, requireReady } from './connection.ts';

/** What speaks against a Redis: with a problem it must not be used, with a warning it may. One sentence each. */
export interface RedisVerdict {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

const LEAST_VERSION = '6.2';

/** Whether a version such as `6.0.20` comes before one such as `6.2`, by its first two numbers. */
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

/** The value of a configuration setting, or undefined where the server does not tell (some hosts forbid CONFIG). */
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
  if (save === undefined) return ['Redis does not tell whether it keeps its data: make sure that appendonly is yes.'];
  return save === ''
    ? ['Redis keeps nothing on disk, so a restart of it delays what is queued: set appendonly yes.']
    : ['Redis keeps snapshots only, so a restart of it delays what was queued since the last: set appendonly yes.'];
};

/** What a server is that cannot be used at the address that was given, and how to name it instead. */
const misplaced = (info: string, isNode: boolean): readonly string[] => {
  if (infoField(info, 'redis_mode') === 'sentinel')
    return ['This is a Sentinel, not Redis itself: name it with redis+sentinel://HOST:PORT/MASTER.'];
  if (infoField(info, 'cluster_enabled') === '1' && !isNode)
    return ['Redis is a node of a Cluster: name it with redis+cluster://HOST:PORT,HOST:PORT.'];
  return infoField(info, 'role') === 'slave' ? ['Redis is a replica, which takes no writes: name its master.'] : [];
};

const judge = async (server: Server, isNode: boolean): Promise<RedisVerdict> => {
  const info = await server.info();
  const elsewhere = misplaced(info, isNode);
  if (elsewhere.length > 0) return { problems: elsewhere, warnings: [] };
  const problems: string[] = [];
  // Valkey says here with which Redis it goes.
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

/** The same of several masters is said once, with where. */
const byNode = (said: readonly { readonly node: string; readonly sentences: readonly string[] }[]): string[] => {
  const nodes = new Map<string, string[]>();
  for (const { node, sentences } of said)
    for (const sentence of sentences) nodes.set(sentence, [...(nodes.get(sentence) ?? []), node]);
  return [...nodes].map(([sentence, at]) => `${at.sort().join(', ')}: ${sentence}`);
};

const judgeCluster = async (cluster: Cluster): Promise<RedisVerdict> => {
  const verdicts = await Promise.all(
    cluster.nodes('master').map(async (server) => ({
      node: `${server.options.host}:${server.options.port}`,
      verdict: await judge(server, true),
    })),
  );
  return {
    problems: byNode(verdicts.map(({ node, verdict }) => ({ node, sentences: verdict.problems }))),
    warnings: byNode(verdicts.map(({ node, verdict }) => ({ node, sentences: verdict.warnings }))),
  };
};

/**
 * Judges the Redis (or Valkey) behind a ready connection. Problems: older than 6.2, something else than a master, a node
 * of a Cluster that was named as a server by itself, or a policy that evicts keys, which loses jobs. A warning: no
 * append-only file. Rejects when Redis, or any master of it, is away.
 */
export const checkRedis = (connection: Redis): Promise<RedisVerdict> =>
  connection instanceof Cluster ? judgeCluster(connection) : judge(connection, false);

const REACH_TIMEOUT_MS = 5_000;

/**
 * Refuses a Redis that cannot be reached or has problems, by rejecting in words for people; resolves with the warnings.
 * Whoever starts processes on a Redis asks this first.
 */
export const requireUsableRedis = async (url: string, deps: { readonly log: Logger }): Promise<readonly string[]> => {
  const connection = connect(url, 'producer', deps);
  try {
    await requireReady(connection, url, REACH_TIMEOUT_MS);
    const { problems, warnings } = await checkRedis(connection);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return warnings;
  } finally {
    connection.disconnect();
  }
};

/**
 * The runs of the servers that hold the data, one after the other: another text than before says that one of them was
 * started again or has given way to its replica, and that writes which it had answered may be lost.
 */
export const runsOf = async (connection: Redis): Promise<string> => {
  const servers = connection instanceof Cluster ? connection.nodes('master') : [connection];
  const runs = await Promise.all(servers.map(async (server) => infoField(await server.info('server'), 'run_id') ?? ''));
  return runs.sort().join(' ');
};
