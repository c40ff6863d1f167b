/**
 * The service on separate machines: two APIs and four workers, each with its own working folder, a Redis,
 * and an object store (Swift), connected only by their network.
 */
import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newSecret } from '../../src/catalog/clients/change-clients.ts';
import { BUILT } from '../bench/service.ts';
import { type Host, type Network, openNetwork } from './network.ts';
import { createProgram, type Program } from './program.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const APIS = ['api-1', 'api-2'] as const;
const WORKERS = ['worker-1', 'worker-2', 'worker-3', 'worker-4'] as const;
const API_PORT = 3000;
const BUCKET = 'rates';

export interface Datacenter {
  /** The parent of the folders of all machines, and of others. */
  readonly folder: string;
  /** Addresses of the APIs. */
  readonly urls: readonly string[];
  readonly apis: readonly Program[];
  readonly workers: readonly Program[];
  readonly redis: Program;
  readonly store: Program;
  /** A client like `demo` of the samples, with another secret. */
  readonly client: { readonly id: string; readonly secret: string };
  /** Ends everything and removes its data. */
  readonly close: () => Promise<void>;
}

/** The environment for the store, as printed for a shell. */
const exported = (said: string): Record<string, string> =>
  Object.fromEntries([...said.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name = '', value = '']) => [name, value]));

const ownClients = async (secret: ReturnType<typeof newSecret>): Promise<string> => {
  const { clients } = JSON.parse(await readFile(join(ROOT, 'samples', 'clients.json'), 'utf8'));
  const demo = clients.find(({ id }: { readonly id: string }) => id === 'demo');
  return JSON.stringify({ clients: [{ ...demo, secrets: [secret.kept] }] });
};

/** A folder for each machine, with a copy of everything that a process reads from disk. */
const workingFolder = async (dir: string, name: string, clients: string): Promise<Record<string, string>> => {
  const own = join(dir, name);
  await mkdir(own, { recursive: true });
  await cp(join(ROOT, 'samples', 'tariffs'), join(own, 'tariffs'), { recursive: true });
  await writeFile(join(own, 'clients.json'), clients);
  return { DATA_DIR: own, TARIFFS_DIR: join(own, 'tariffs'), CLIENTS_FILE: join(own, 'clients.json'), TMPDIR: own };
};

const startStore = async (host: Host, dir: string): Promise<{ store: Program; env: Record<string, string> }> => {
  await mkdir(join(dir, host.name));
  const store = createProgram({
    host,
    command: [process.execPath, '--import', 'tsx', join(import.meta.dirname, 'swift-main.ts'), BUCKET, host.address],
    env: { TMPDIR: join(dir, host.name) },
    log: join(dir, `${host.name}.log`),
    ready: /^export STORE_URL=.*$/m,
  });
  return { store, env: exported(await store.start()) };
};

const startRedis = async (host: Host, dir: string): Promise<Program> => {
  const data = join(dir, host.name);
  await mkdir(data);
  const settings = { bind: host.address, port: '6379', dir: data, appendonly: 'yes', save: '', 'protected-mode': 'no' };
  const redis = createProgram({
    host,
    command: ['redis-server', ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])],
    env: {},
    log: join(dir, `${host.name}.log`),
    ready: /Ready to accept connections/,
  });
  await redis.start();
  return redis;
};

const build = async (network: Network, chunkRows: number): Promise<Omit<Datacenter, 'close'>> => {
  const { folder: dir } = network;
  const [redisHost, storeHost] = [await network.host('redis'), await network.host('store')];
  const [redis, { store, env: storeEnv }] = await Promise.all([startRedis(redisHost, dir), startStore(storeHost, dir)]);
  const secret = newSecret(new Date());
  const clients = await ownClients(secret);
  const shared = {
    ...storeEnv,
    REDIS_URL: `redis://${redisHost.address}:6379`,
    TOKEN_SECRET: randomBytes(32).toString('hex'),
    CHUNK_ROWS: String(chunkRows),
    LOG_LEVEL: 'info',
  };
  const program = async (name: string, role: 'api' | 'worker'): Promise<Program> => {
    const host = await network.host(name);
    const own = await workingFolder(dir, name, clients);
    return createProgram({
      host,
      command: [process.execPath, ...BUILT, role],
      env: { ...shared, ...own, ...(role === 'api' && { HOST: host.address, PORT: String(API_PORT) }) },
      log: join(dir, `${name}.log`),
      ready: role === 'api' ? /"msg":"listening"/ : /"msg":"worker ready"/,
    });
  };
  const apis: Program[] = [];
  for (const name of APIS) apis.push(await program(name, 'api'));
  const workers: Program[] = [];
  for (const name of WORKERS) workers.push(await program(name, 'worker'));
  await Promise.all([...apis, ...workers].map(({ start }) => start()));
  return {
    folder: dir,
    urls: apis.map(({ host }) => `http://${host.address}:${API_PORT}`),
    apis,
    workers,
    redis,
    store,
    client: { id: 'demo', secret: secret.text },
  };
};

export const openDatacenter = async (chunkRows: number): Promise<Datacenter> => {
  const network = await openNetwork();
  try {
    return { ...(await build(network, chunkRows)), close: network.remove };
  } catch (error) {
    await network.remove();
    throw error;
  }
};
