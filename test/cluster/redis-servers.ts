/**
 * Redis as in production, on loopback, in a temporary folder, as child processes that end with this one: a master
 * with a replica and three Sentinels, a Cluster of three masters, a server behind TLS. Needs Debian's `redis-server`,
 * `redis-sentinel` and, for TLS, `openssl`.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { somePort } from '../../src/base/redis/some-port.ts';
import { type Farm, openFarm, type Server } from './redis-farm.ts';

const run = promisify(execFile);
const START_MS = 20_000;
/** Sentinels that got no processor for 2 s do nothing for 30 s, because they do not trust their clock. */
const FAIL_OVER_MS = 60_000;

const KEEPING = [
  'port {port}',
  'appendonly yes',
  'appendfilename {name}.aof',
  'appenddirname {name}-aof',
  'dbfilename {name}.rdb',
  'save ""',
  'maxmemory-policy noeviction',
  'repl-diskless-sync-delay 0',
];
const PASSWORD = 'of-the-tests';
const MASTER = 'rates';
/** After this silence, Sentinels consider a master dead. */
const DOWN_MS = 1_000;

export interface Watched {
  readonly url: string;
  readonly farm: Farm;
  readonly master: Server;
  readonly replica: Server;
  readonly sentinels: readonly Server[];
  /** The port of the master, as the Sentinels report it. */
  readonly masterPort: () => Promise<number>;
  /** Disconnects the replica from the master, so that it lacks later writes. */
  readonly detachReplica: () => Promise<void>;
  /** Waits until the Sentinels have made the replica the master. */
  readonly failedOver: () => Promise<void>;
}

/** A master and a replica with a password, watched by three Sentinels. */
export const startSentinels = async (): Promise<Watched> => {
  const farm = await openFarm(['-a', PASSWORD]);
  const secured = [...KEEPING, `requirepass ${PASSWORD}`, `masterauth ${PASSWORD}`];
  const master = await farm.start('master', secured);
  const replica = await farm.start('replica', [...secured, `replicaof 127.0.0.1 ${master.port}`]);
  const watching = [
    'port {port}',
    `requirepass ${PASSWORD}`,
    `sentinel monitor ${MASTER} 127.0.0.1 ${master.port} 2`,
    `sentinel auth-pass ${MASTER} ${PASSWORD}`,
    `sentinel down-after-milliseconds ${MASTER} ${DOWN_MS}`,
    `sentinel failover-timeout ${MASTER} 5000`,
  ];
  const sentinels: Server[] = [];
  for (const name of ['watch1', 'watch2', 'watch3'])
    sentinels.push(await farm.start(name, watching, { sentinel: true }));
  const [first] = sentinels;
  if (first === undefined) throw new Error('there is no Sentinel');
  const until = async (what: string, port: number, command: readonly string[], said: RegExp, waitMs = START_MS) => {
    for (const deadline = performance.now() + waitMs; ; await sleep(50)) {
      if (said.test(await farm.cli(port, ...command))) return;
      if (performance.now() < deadline) continue;
      const log = await readFile(join(farm.dir, 'watch1.log'), 'utf8');
      throw new Error(`timed out: ${what}\n${log.slice(-2_000)}`);
    }
  };
  await until('the replica is in step', replica.port, ['INFO', 'replication'], /master_link_status:up/);
  const known = /num-slaves\n1\n[\s\S]*num-other-sentinels\n2\n/;
  await until('the Sentinels know all', first.port, ['SENTINEL', 'MASTER', MASTER], known);
  const nodes = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    url: `redis+sentinel://:${PASSWORD}@${nodes}/${MASTER}?sentinel_password=${PASSWORD}`,
    farm,
    master,
    replica,
    sentinels,
    masterPort: async () =>
      Number((await farm.cli(first.port, 'SENTINEL', 'GET-MASTER-ADDR-BY-NAME', MASTER)).split('\n')[1]),
    detachReplica: async () => {
      await farm.cli(replica.port, 'CONFIG', 'SET', 'masterauth', 'wrong');
      await farm.cli(replica.port, 'CLIENT', 'KILL', 'TYPE', 'master');
      await until('the replica is cut off', replica.port, ['INFO', 'replication'], /master_link_status:down/);
    },
    failedOver: () =>
      until('the replica is the master', replica.port, ['INFO', 'replication'], /role:master/, FAIL_OVER_MS),
  };
};

export interface RedisCluster {
  readonly url: string;
  readonly farm: Farm;
  readonly nodes: readonly Server[];
}

/** A Cluster of three masters, each with a third of the slots. With `replicas`, each has a replica. */
export const startCluster = async (replicas: 0 | 1 = 0): Promise<RedisCluster> => {
  const farm = await openFarm();
  const nodes: Server[] = [];
  for (let node = 0; node < 3 + 3 * replicas; node += 1) {
    const name = `node${node}`;
    const conf = [...KEEPING, 'cluster-enabled yes', `cluster-config-file ${name}-nodes.conf`];
    // The bus has its own port, which is likely free.
    nodes.push(await farm.start(name, [...conf, `cluster-port ${somePort()}`, 'cluster-node-timeout 1500']));
  }
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const making = ['--cluster', 'create', ...addresses, '--cluster-replicas', String(replicas), '--cluster-yes'];
  await run('redis-cli', making);
  for (const { port } of nodes)
    for (const deadline = performance.now() + START_MS; ; await sleep(50)) {
      const [cluster, own] = [await farm.cli(port, 'CLUSTER', 'INFO'), await farm.cli(port, 'INFO', 'replication')];
      if (cluster.includes('cluster_state:ok') && /role:master|master_link_status:up/.test(own)) break;
      if (performance.now() > deadline) throw new Error('the Cluster does not come up');
    }
  return { url: `redis+cluster://${addresses.join(',')}`, farm, nodes };
};

export interface SecuredServer {
  readonly url: string;
  readonly farm: Farm;
  readonly server: Server;
  /** The PEM file of the authority that signed its certificate. */
  readonly ca: string;
}

const openssl = (dir: string, ...args: string[]): Promise<unknown> => run('openssl', args, { cwd: dir });

/** Creates `ca.pem`, and `server.pem` with `server.key` for 127.0.0.1, signed by it. */
const makeCertificates = async (dir: string): Promise<void> => {
  const key = ['-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  await openssl(dir, 'req', '-x509', ...key, '-subj', '/CN=tests', '-keyout', 'ca.key', '-out', 'ca.pem');
  const request = ['-subj', '/CN=redis', '-keyout', 'server.key', '-out', 'server.csr'];
  await openssl(dir, 'req', '-newkey', 'rsa:2048', '-nodes', ...request);
  await writeFile(join(dir, 'names'), 'subjectAltName=IP:127.0.0.1\n');
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
  await openssl(dir, 'x509', '-req', '-in', 'server.csr', ...signing, '-out', 'server.pem');
};

/** The minimal permissions of a Redis user for the service. */
export const ACL = '~rates:* ~{rates}:* &rates:* +@all -@admin -@dangerous +info +config|get +client +keys';

/** A server with only TLS, client certificates, and one user with the permissions that the service needs. */
export const startSecured = async (acl: string): Promise<SecuredServer> => {
  const admin = 'of-the-operator';
  const dir = await mkdtemp(join(tmpdir(), 'redis-tls-'));
  await makeCertificates(dir);
  const [ca, cert, key] = ['ca.pem', 'server.pem', 'server.key'].map((name) => join(dir, name));
  const files = ['--cacert', ca ?? '', '--cert', cert ?? '', '--key', key ?? ''];
  const farm = await openFarm(['--tls', ...files, '--user', 'operator', '-a', admin]);
  const server = await farm.start('secured', [
    ...KEEPING.map((line) => (line === 'port {port}' ? 'port 0' : line)),
    'tls-port {port}',
    `tls-ca-cert-file ${ca}`,
    `tls-cert-file ${cert}`,
    `tls-key-file ${key}`,
    'tls-auth-clients yes',
    'user default off',
    `user operator on >${admin} ~* &* +@all`,
    `user rates on >p%40s/word resetkeys resetchannels -@all ${acl}`,
  ]);
  const user = `rates:${encodeURIComponent('p%40s/word')}`;
  const url = `rediss://${user}@127.0.0.1:${server.port}?ca=${ca}&cert=${cert}&key=${key}`;
  const stop = async (): Promise<void> => {
    await farm.stop();
    await rm(dir, { recursive: true, force: true });
  };
  return { url, farm: { ...farm, stop }, server, ca: ca ?? '' };
};
