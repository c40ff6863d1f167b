/**
 * Connections to Redis: one server, the master that Sentinels know, or a Cluster; each with the policy of its role, which
 * is the same for all of them.
 */
import { readFileSync } from 'node:fs';
import { Cluster, type ClusterOptions, type RedisOptions, Redis as Server } from 'ioredis';
import { type RedisAddress, readRedisUrl, type TlsFiles, type User, withoutSecrets } from '../config/redis-address.ts';
import type { Logger } from '../log.ts';

/** A connection to whichever kind of Redis there is. */
export type Redis = Server | Cluster;

/**
 * `producer` serves requests: a call fails well within a second when Redis is away, and one that was on its way when the
 * connection broke is not sent again by itself. `worker` and `events` wait for as long as it takes.
 */
export type ConnectionRole = 'producer' | 'worker' | 'events';

const PRODUCER_TIMEOUT_MS = 800;
const LONGEST_PAUSE_MS = 500;
/** A host that does not even refuse is passed over by this. */
const CONNECT_TIMEOUT_MS = 2_000;
/**
 * A connection on which nothing comes back for so long is broken off and made anew, for that of a link that was cut does
 * not end by itself. A worker's waits for jobs take up to 10 s.
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

/** The same for a Cluster, where it is the client that tries again, on whichever node has the keys by then. */
const CLUSTER_POLICY = {
  // Redirected as often as it may be; what a connection broke off under is not sent again.
  producer: { enableOfflineQueue: false, maxRedirections: 5, retryDelayOnFailover: 0 },
  worker: { maxRedirections: Number.POSITIVE_INFINITY },
  events: { maxRedirections: Number.POSITIVE_INFINITY },
} as const satisfies Record<ConnectionRole, ClusterOptions>;

const pause = (attempt: number): number => Math.min(25 * 2 ** attempt, LONGEST_PAUSE_MS);

/** A master that was made a replica takes no more writes: what it refused is sent to its successor. */
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
 * Makes `connect` of a Cluster's client settle, and that of its duplicates. If the Cluster is down when the client asks
 * whether it is up, ioredis tries again by itself but never settles the promise of the first try (redis/ioredis#741).
 * BullMQ awaits that promise in the loop that takes jobs: the loop would stand still for as long as the process lives.
 */
const settling = (cluster: Cluster): Cluster => {
  const connectOnce = cluster.connect.bind(cluster);
  const duplicate = cluster.duplicate.bind(cluster);
  let outcome: Promise<void> | undefined;
  /** How connecting ends, in whichever try. One for all tries: there are many while the Cluster is down. */
  const untilConnected = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        outcome = undefined;
        cluster.off('ready', onReady).off('end', onEnd);
        end();
      };
      const onReady = () => settle(resolve);
      const onEnd = () => {
        // The event may be late, of an end before this connect.
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
      // Which node has which keys is asked on a connection of its own each time, in whatever time that takes a busy one.
      slotsRefreshTimeout: SILENCE_MS.producer,
      // Certificates are made out to names, where nodes announce them.
      ...(address.tls !== undefined && { dnsLookup: (name, found) => found(null, name) }),
    }),
  );
  // A node is connected to when it is known, not by the first call, while which others would find it not ready. What
  // goes wrong is told as an error of the node.
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
    // Told by the Sentinels of a new master, it leaves the old one, which may be cut off and silent.
    failoverDetector: true,
  });
};

/** Where a Redis is, and in which role it is used. */
interface Used {
  readonly role: ConnectionRole;
  readonly redis: string;
}

const REMEDY = 'is it running, and is REDIS_URL right?';

/** Logs an outage once when it begins and once when it ends, however often the connection is tried in between. */
const logOutages = (connection: Redis, used: Used, log: Logger): void => {
  let away = false;
  let reached = false;
  connection.on('error', (err) => {
    // Whoever was never reached may have been given the wrong address.
    if (!away) log.warn({ err, ...used }, reached ? 'Redis is away' : `Redis is away: ${REMEDY}`);
    away = true;
  });
  connection.on('ready', () => {
    if (away) log.info(used, 'Redis is back');
    away = false;
    reached = true;
  });
};

/** The same for the nodes of a Cluster, which serves what the others have while one is away. */
const logNodeOutages = (cluster: Cluster, role: ConnectionRole, log: Logger): void => {
  const away = new Set<string>();
  cluster.on('node error', (err: Error, node: string) => {
    if (!away.has(node)) log.warn({ err, role, node }, 'a node of Redis is away');
    away.add(node);
  });
  cluster.on('+node', (connection: Server) => {
    const node = `${connection.options.host}:${connection.options.port}`;
    connection.once('ready', () => {
      if (away.delete(node)) log.info({ role, node }, 'a node of Redis is back');
    });
  });
};

/**
 * Opens a connection again that ioredis has ended for good though nobody asked for it: with Sentinels, where one tells of
 * a new master while the client asks who the master is.
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
      // What goes wrong is told as an error of the connection.
      if (!ended && connection.status === 'end') connection.connect().catch(() => undefined);
    }, LONGEST_PAUSE_MS);
  });
};

/**
 * A connection that is opened at once, and again whenever it breaks, until `disconnect()`.
 * @param url as `REDIS_URL` has it
 */
export const connect = (url: string, role: ConnectionRole, { log }: { readonly log: Logger }): Redis => {
  const address = readRedisUrl(url);
  if ('problem' in address) throw new Error(`The address of Redis ${address.problem}.`);
  const connection = address.kind === 'cluster' ? openCluster(address, role) : openServer(address, role);
  reopenUnlessEnded(connection);
  logOutages(connection, { role, redis: withoutSecrets(url) }, log);
  if (connection instanceof Cluster) logNodeOutages(connection, role, log);
  return connection;
};

/** What a server says to whom it does not know. */
const REFUSED = /^(?:WRONGPASS|NOAUTH)\b/;

/** What went wrong with a connection; with a Cluster as a whole, what did with the node that was tried last. */
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
 * Resolves when the connection is ready for commands, that to every master of a Cluster too. Rejects with the last reason
 * after `timeoutMs` without, and at once where Redis lets nobody in.
 * @param timeoutMs undefined: it waits for as long as Redis is away
 */
export const waitUntilReady = async (connection: Redis, timeoutMs: number | undefined): Promise<void> => {
  await untilReady(connection, timeoutMs);
  if (connection instanceof Cluster)
    await Promise.all(connection.nodes('master').map((node) => untilReady(node, timeoutMs)));
};

/** The same, rejecting in words for people: which Redis, why, and what to do. @param url of the connection */
export const requireReady = async (connection: Redis, url: string, timeoutMs: number | undefined): Promise<void> => {
  try {
    await waitUntilReady(connection, timeoutMs);
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? reasonOf(error.cause) : '';
    const where = `Redis at ${withoutSecrets(url)}`;
    const within = timeoutMs === undefined ? '' : ` within ${timeoutMs / 1_000} s`;
    const words = REFUSED.test(reason)
      ? `${where} lets nobody in with the user and password of REDIS_URL (${reason.split(' ', 1)}): are they right?`
      : `${where} did not answer${within}${reason && ` (${reason})`}: ${REMEDY}`;
    throw new Error(words, { cause: error });
  }
};
