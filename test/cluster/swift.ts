/**
 * OpenStack Swift with its S3 middleware on loopback, for tests: one proxy, account, container and object server each, in
 * a temporary folder, as child processes that end with this one. Needs Debian's packages `swift-proxy`, `swift-account`,
 * `swift-container` and `swift-object`, without their own configuration and services.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

export const SWIFT_PACKAGES = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object'] as const;

const run = promisify(execFile);
const BACKENDS = ['account', 'container', 'object'] as const;
type Role = (typeof BACKENDS)[number] | 'proxy';

const program = (role: Role): string => `/usr/bin/swift-${role}-server`;

/** Whether Debian's packages are installed. */
export const hasSwift = (): boolean =>
  process.platform === 'linux' &&
  existsSync('/etc/swift/swift.conf') &&
  [...BACKENDS, 'proxy' as const].every((role) => existsSync(program(role)));

export interface Swift {
  readonly endpoint: string;
  /** The environment for the AWS SDK and the service. */
  readonly env: Readonly<Record<string, string>>;
  /** Stops the proxy, as if the store were unavailable. Its data stays. */
  readonly pause: () => Promise<void>;
  /** Starts the proxy again, on the same port. */
  readonly resume: () => Promise<void>;
  /** Ends everything and removes its data. */
  readonly stop: () => Promise<void>;
}

const START_MS = 120_000;
const STOP_MS = 3_000;
/** An account and its user, as `account:user`. */
const ACCESS_KEY = 'test:tester';
const SECRET_KEY = 'testing';
const REGION = 'us-east-1';

const freePort = async (host: string): Promise<number> => {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

const common = (dir: string, host: string, port: number): string => `[DEFAULT]
bind_ip = ${host}
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${dir}
devices = ${dir}/devices
mount_check = false
fallocate_reserve = 0
log_level = WARNING
`;

const backendConf = (role: Role, dir: string, host: string, port: number): string => `${common(dir, host, port)}
[pipeline:main]
pipeline = ${role}-server

[app:${role}-server]
use = egg:swift#${role}
`;

/**
 * Swift uses memcached, which need not exist: the middlewares look for one, and continue if it does not
 * answer. Then they ask the servers each time.
 */
const proxyConf = (dir: string, host: string, port: number): string => `${common(dir, host, port)}
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats bulk s3api tempauth copy slo dlo proxy-server

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true

[filter:catch_errors]
use = egg:swift#catch_errors

[filter:gatekeeper]
use = egg:swift#gatekeeper

[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
memcache_max_connections = 1
error_suppression_interval = 3600
error_suppression_limit = 1
log_level = CRITICAL

[filter:listing_formats]
use = egg:swift#listing_formats

[filter:bulk]
use = egg:swift#bulk

[filter:s3api]
use = egg:swift#s3api
location = ${REGION}
dns_compliant_bucket_names = false
check_bucket_owner = false
max_bucket_listing = 50

[filter:tempauth]
use = egg:swift#tempauth
user_${ACCESS_KEY.replace(':', '_')} = ${SECRET_KEY} .admin

[filter:copy]
use = egg:swift#copy

[filter:slo]
use = egg:swift#slo

[filter:dlo]
use = egg:swift#dlo
`;

/** Does the work of `swift-ring-builder`, which needs three calls for each ring, each with a second to start. */
const BUILD_RINGS = `
import sys
from swift.common.ring import RingBuilder
folder, host = sys.argv[1:3]
for ring in sys.argv[3:]:
    role, port = ring.split('=')
    builder = RingBuilder(4, 1, 1)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': host, 'port': int(port), 'device': 'sda', 'weight': 1})
    builder.rebalance()
    builder.get_ring().save('%s/%s.ring.gz' % (folder, role))
`;

const answers = async (url: string): Promise<boolean> => {
  try {
    await (await fetch(url, { signal: AbortSignal.timeout(1_000) })).arrayBuffer();
    return true;
  } catch {
    return false; // It is not up yet.
  }
};

const makeBucket = async (endpoint: string, bucket: string): Promise<void> => {
  const credentials = { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY };
  const client = new S3Client({ endpoint, region: REGION, credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
};

interface Server {
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const createServerProcess = (role: Role, dir: string, host: string, port: number): Server => {
  const log = join(dir, `${role}.log`);
  let child: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const exited = once(ending, 'exit');
    ending.kill('SIGTERM');
    const late = setTimeout(() => ending.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(late);
  };
  const start = async (): Promise<void> => {
    const output = openSync(log, 'a');
    // It ends with this process in any case.
    const command = ['--pdeathsig', 'TERM', program(role), join(dir, `${role}-server.conf`), '--verbose'];
    const started = spawn('/usr/bin/setpriv', command, {
      stdio: ['ignore', output, output],
      env: { PATH: '/usr/bin:/bin', PYTHONWARNINGS: 'ignore' },
    });
    child = started;
    for (
      const deadline = performance.now() + START_MS;
      !(await answers(`http://${host}:${port}/info`));
      await sleep(100)
    ) {
      if (started.exitCode === null && performance.now() < deadline) continue;
      await stop();
      throw new Error(`Swift's ${role} server does not start: ${(await readFile(log, 'utf8')).slice(-2_000)}`);
    }
  };
  return { start, stop };
};

/** Starts it. @param bucket to create in it */
export const startSwift = async (bucket = 'rates', host = '127.0.0.1'): Promise<Swift> => {
  const dir = await mkdtemp(join(tmpdir(), 'swift-'));
  const servers: Server[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await mkdir(join(dir, 'devices', 'sda'), { recursive: true });
    const rings: string[] = [];
    for (const role of BACKENDS) {
      const port = await freePort(host);
      await writeFile(join(dir, `${role}-server.conf`), backendConf(role, dir, host, port));
      servers.push(createServerProcess(role, dir, host, port));
      rings.push(`${role}=${port}`);
    }
    await run('/usr/bin/python3', ['-c', BUILD_RINGS, dir, host, ...rings]);
    const port = await freePort(host);
    await writeFile(join(dir, 'proxy-server.conf'), proxyConf(dir, host, port));
    const proxy = createServerProcess('proxy', dir, host, port);
    servers.push(proxy);
    await Promise.all(servers.map((server) => server.start()));
    const endpoint = `http://${host}:${port}`;
    const env = {
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: SECRET_KEY,
    };
    await makeBucket(endpoint, bucket);
    return {
      endpoint,
      env: { ...env, STORE_URL: `s3://${bucket}/rates` },
      pause: proxy.stop,
      resume: proxy.start,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
