/**
 * Connections to Redis: a single server, a master found through Sentinels, or a Cluster. The policy of each role is the same
 * for all three.
 */
import { readFileSync } from 'node:fs';
import { Cluster, type ClusterOptions, type RedisOptions, Redis as Server } from 'ioredis';
import { type RedisAddress, readRedisUrl, type TlsFiles, type User, withoutSecrets } from '../config/redis-address.ts';
import type { Logger } from '../log.ts';

/** A connection to any kind of Redis. */
export type Redis = Server | Cluster;

/**
 * `producer` serves requests: if Redis is unavailable, a call fails within a second, and a call in flight when the connection
 * breaks is not sent again. `worker` and `events` wait until Redis is back.
 */
export type ConnectionRole = 'producer' | 'worker' | 'events';

/** Messages of the client for a lost or failed connection, other than system errors. */
const LOST =
  /^(?:Connection is closed|Socket timeout|Stream isn't writeable|Command aborted|Command timed out|All sentinels are unreachable|None of startup nodes is available|Failed to refresh slots cache|Cluster is(?:n't ready| disconnect| ended)|Node is disconnected|Reached the max retries|Too many Cluster redirections)/;

/** Messages of `waitUntilReady` and `requireReady`. */
const NEVER_READY = /^(?:Redis |The connection to Redis )/;

/** Returns whether an error only says that Redis cannot be reached. */
export const isOutage = (error: Error): boolean => 'syscall' in error || LOST.test(error.message);

/** Returns whether an error comes from Redis: it cannot be reached, or it answered with an error. */
export const isOfRedis = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'ReplyError' || LOST.test(error.message) || NEVER_READY.test(error.message));

const PRODUCER_TIMEOUT_MS = 800;
const LONGEST_PAUSE_MS = 500;
/** For hosts that do not even refuse the connection. */
const CONNECT_TIMEOUT_MS = 2_000;
/**
 * A connection without a response for this long is closed and reopened: a connection over a cut link does not end on its
 * own. A worker waits up to 10 s for a job.
 */
const SILENCE_MS = { producer: 5_000, worker: 20_000, events: 20_000 } as const;

const WAITING = { maxRetriesPerRequest: null };
const POLICY = {
  producer: {
    maxRetriesPerRequest: 1,
    autoResendUnfulfilledCommands: false,
    commandTimeout: PRODUCER_TIMEOUT_MS,
  },
  worker: WAITING,
  events: WAITING,
} as const satisfies Record<ConnectionRole, RedisOptions>;

/** The same policy for a Cluster, where the client itself retries, on the node that has the keys by then. */
const CLUSTER_POLICY = {
  // Redirections are followed, but calls in flight when a connection breaks are not sent again.
  producer: { enableOfflineQueue: false, maxRedirections: 5, retryDelayOnFailover: 0 },
  worker: { maxRedirections: Number.POSITIVE_INFINITY },
  events: { maxRedirections: Number.POSITIVE_INFINITY },
} as const satisfies Record<ConnectionRole, ClusterOptions>;

const pause = (attempt: number): number => Math.min(25 * 2 ** attempt, LONGEST_PAUSE_MS);

/** A former master that became a replica refuses writes. 2 means: reconnect, and send the command to the new master. */
const isDemoted = ({ message }: Error): 2 | false => (/^READONLY/.test(message) ? 2 : false);

const tlsOf = ({ ca, cert, key }: TlsFiles) => ({
  ...(ca !== undefined && { ca: readFileSync(ca) }),
  ...(cert !== undefined && { cert: readFileSync(cert) }),
  ...(key !== undefined && { key: readFileSync(key) }),
});

const optionsOf = ({ user, tls }: { user: User; tls?: TlsFiles }, role: ConnectionRole) => ({
  ...POLICY[role],
  ...user,
  ...(tls !== undefined && { tls: tlsOf(tls) }),
  connectionName: `rates-${role}`,
  connectTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: SILENCE_MS[role],
  keepAlive: SILENCE_MS[role],
});

/**
 * Makes `connect` of a Cluster's client and its duplicates settle. If the Cluster is down at the first try, ioredis retries
 * but never settles the promise of that try (redis/ioredis#741). BullMQ awaits the promise in the loop that takes jobs, so
 * the loop would hang for the rest of the process.
 */
const settling = (cluster: Cluster): Cluster => {
  const connectOnce = cluster.connect.bind(cluster);
  const duplicate = cluster.duplicate.bind(cluster);
  let outcome: Promise<void> | undefined;
  /** Returns the outcome of connecting in any try. All tries share one promise, because there may be many. */
  const untilConnected = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        outcome = undefined;
        cluster.off('ready', onReady).off('end', onEnd);
        end();
      };
      const onReady = () => settle(resolve);
      const onEnd = () => {
        // A late event may belong to an end before this connect.
        if (cluster.status === 'end') settle(() => reject(new Error('Connection is closed.')));
      };
      cluster.on('ready', onReady).on('end', onEnd);
    });
  cluster.connect = () => {
    const first = connectOnce();
    outcome ??= untilConnected();
    return Promise.race([first, outcome]);
  };
  cluster.duplicate = (...overrides) => settling(duplicate(...overrides));
  return cluster;
};

const openCluster = (address: RedisAddress & { kind: 'cluster' }, role: ConnectionRole): Cluster => {
  const cluster = settling(
    new Cluster([...address.nodes], {
      ...CLUSTER_POLICY[role],
      redisOptions: optionsOf(address, role),
      clusterRetryStrategy: pause,
      // The client asks which node has which keys on a separate connection. A busy node may answer slowly.
      slotsRefreshTimeout: SILENCE_MS.producer,
      // Nodes may announce host names. They are not resolved here, because certificates are for the names.
      ...(address.tls !== undefined && { dnsLookup: (name, found) => found(null, name) }),
    }),
  );
  // Connects to each node as soon as it is known. Otherwise the first call would connect, and calls in the meantime would
  // fail. Errors are reported as errors of the node.
  cluster.on('+node', (node: Server) => {
    if (node.status === 'wait') node.connect().catch(() => undefined);
  });
  return cluster;
};

const openServer = (address: Exclude<RedisAddress, { kind: 'cluster' }>, role: ConnectionRole): Server => {
  const options = {
    ...optionsOf(address, role),
    db: address.database,
    enableOfflineQueue: role !== 'producer',
    retryStrategy: pause,
    reconnectOnError: isDemoted,
  };
  if (address.kind === 'socket') return new Server({ ...options, path: address.path });
  if (address.kind === 'single') {
    const [{ host, port }] = address.nodes;
    return new Server({ ...options, host, port });
  }
  const { username, password } = address.sentinelUser;
  return new Server({
    ...options,
    sentinels: [...address.nodes],
    name: address.master,
    ...(username !== undefined && { sentinelUsername: username }),
    ...(password !== undefined && { sentinelPassword: password }),
    ...(options.tls !== undefined && { sentinelTLS: options.tls, enableTLSForSentinelMode: true }),
    sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
    sentinelRetryStrategy: pause,
    // When the Sentinels announce a new master, the client leaves the old one, which may be cut off and silent.
    failoverDetector: true,
  });
};

/** The address and role of a connection, for the log. */
interface Used {
  readonly role: ConnectionRole;
  readonly redis: string;
}

/** Matches a server's answer to a database that it does not have. */
const NO_DATABASE = /^ERR DB index/;

const REMEDY = 'is it running, and is REDIS_URL right?';

/** Logs an outage once when it begins and once when it ends, not at each attempt to connect. */
const logOutages = (connection: Redis, used: Used, log: Logger): void => {
  let away = false;
  let reached = false;
  connection.on('error', (err) => {
    // If Redis was never reached, the address may be wrong.
    if (!away) log.warn({ err, ...used }, reached ? 'Redis is unavailable' : `Redis is unavailable: ${REMEDY}`);
    away = true;
  });
  connection.on('ready', () => {
    if (away) log.info(used, 'Redis is available again');
    away = false;
    reached = true;
  });
};

/** Logs outages of single nodes of a Cluster. The other nodes still serve their keys. */
const logNodeOutages = (cluster: Cluster, role: ConnectionRole, log: Logger): void => {
  const away = new Set<string>();
  cluster.on('node error', (err: Error, node: string) => {
    if (!away.has(node)) log.warn({ err, role, node }, 'a Redis node is unavailable');
    away.add(node);
  });
  cluster.on('+node', (connection: Server) => {
    const node = `${connection.options.host}:${connection.options.port}`;
    connection.once('ready', () => {
      if (away.delete(node)) log.info({ role, node }, 'a Redis node is available again');
    });
  });
};

/**
 * Reopens a connection that ioredis ended for good without a request. This happens with Sentinels, if one announces a new
 * master while the client asks for the master.
 */
const reopenUnlessEnded = (connection: Redis): void => {
  let ended = false;
  const disconnect = connection.disconnect.bind(connection);
  connection.disconnect = (reconnect = false) => {
    if (!reconnect) ended = true;
    disconnect(reconnect);
  };
  connection.on('end', () => {
    setTimeout(() => {
      // Errors are reported as errors of the connection.
      if (!ended && connection.status === 'end') connection.connect().catch(() => undefined);
    }, LONGEST_PAUSE_MS);
  });
};

/**
 * Opens a connection, and reopens it whenever it breaks, until `disconnect()`.
 * @param url an address as in `REDIS_URL`
 */
export const connect = (url: string, role: ConnectionRole, { log }: { readonly log: Logger }): Redis => {
  const address = readRedisUrl(url);
  if ('problem' in address) throw new Error(`The address of Redis ${address.problem}.`);
  const connection = address.kind === 'cluster' ? openCluster(address, role) : openServer(address, role);
  reopenUnlessEnded(connection);
  // ioredis would continue with database 0, which may be that of another service.
  connection.on('error', ({ message }) => {
    if (NO_DATABASE.test(message)) connection.disconnect(true);
  });
  logOutages(connection, { role, redis: withoutSecrets(url) }, log);
  if (connection instanceof Cluster) logNodeOutages(connection, role, log);
  return connection;
};

/** Matches a server's answer to wrong or missing credentials, or to a wrong database. */
const REFUSED = /^(?:WRONGPASS|NOAUTH|ERR DB index)\b/;

/** Returns the message of a connection error. For an error of a whole Cluster, it is the message of the last node. */
const reasonOf = (error: Error): string => {
  const last = 'lastNodeError' in error && error.lastNodeError instanceof Error ? error.lastNodeError : error;
  return last.message.replace(/\.$/, '');
};

const untilReady = (connection: Redis, timeoutMs: number | undefined): Promise<void> => {
  if (connection.status === 'ready') return Promise.resolve();
  return new Promise((resolve, reject) => {
    let cause: Error | undefined;
    const settle = (end: () => void) => {
      clearTimeout(timer);
      connection.off('ready', onReady).off('error', onError).off('end', onEnd);
      end();
    };
    const onReady = () => settle(resolve);
    const fail = (message: string) =>
      settle(() => reject(new Error(cause ? `${message}: ${reasonOf(cause)}` : message, { cause })));
    const onError = (error: Error) => {
      cause = error;
      if (REFUSED.test(reasonOf(error))) fail('Redis refused');
    };
    const onEnd = () => fail('The connection to Redis was ended');
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => fail(`Redis did not answer within ${timeoutMs} ms`), timeoutMs);
    connection.on('ready', onReady).on('error', onError).on('end', onEnd);
  });
};

/**
 * Resolves when the connection is ready for commands; for a Cluster, when the connections to all masters are. Rejects with
 * the last error after `timeoutMs`, and at once if Redis refuses the credentials.
 * @param timeoutMs undefined: waits until Redis is back
 */
export const waitUntilReady = async (connection: Redis, timeoutMs: number | undefined): Promise<void> => {
  await untilReady(connection, timeoutMs);
  if (connection instanceof Cluster)
    await Promise.all(connection.nodes('master').map((node) => untilReady(node, timeoutMs)));
};

/** Waits in the same way, but rejects with a message for users: which Redis, why, what to do. @param url its address */
export const requireReady = async (connection: Redis, url: string, timeoutMs: number | undefined): Promise<void> => {
  try {
    await waitUntilReady(connection, timeoutMs);
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? reasonOf(error.cause) : '';
    const where = `Redis at ${withoutSecrets(url)}`;
    const within = timeoutMs === undefined ? '' : ` within ${timeoutMs / 1_000} s`;
    const refused = NO_DATABASE.test(reason)
      ? `the database of REDIS_URL (${reason}): is it right?`
      : `the user and password of REDIS_URL (${reason.split(' ', 1)}): are they right?`;
    const words = REFUSED.test(reason)
      ? `${where} refuses ${refused}`
      : `${where} did not answer${within}${reason && ` (${reason})`}: ${REMEDY}`;
    throw new Error(words, { cause: error });
  }
};
