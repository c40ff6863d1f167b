/**
 * The service under attack: a whole service with production settings, a private Redis and its own data
 * folder, and three clients: `demo` requests quotes and must not notice, `attacker` attacks with the default
 * limits unless others are set, and `neighbor` is a third.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashSecret } from '../../src/catalog/clients/clients.ts';
import { BUILT, type Child, childrenOf, peakMb, type Service, startService } from '../bench/service.ts';
import { type Calls, callsTo } from './calls.ts';

export interface Environment {
  readonly url: string;
  readonly dataDir: string;
  readonly service: Service;
  readonly calls: Calls;
  /** A token of `demo`, whose quotes are measured. */
  readonly demo: string;
  readonly attacker: string;
  readonly neighbor: string;
  /** The current pid of the API. */
  readonly apiPid: () => number | undefined;
  /** The state of the processes so far. */
  readonly processReport: () => ProcessReport;
  readonly stop: () => Promise<void>;
}

export interface ProcessReport {
  readonly apiMb: number;
  /** The peak of any worker. */
  readonly workerMb: number;
  readonly problems: readonly string[];
}

export interface EnvironmentOptions {
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** Limits of `attacker`, as in a clients file. */
  readonly limits?: Readonly<Record<string, number>> | undefined;
  /** Webhooks by client. */
  readonly webhooks?: Readonly<Record<string, string>> | undefined;
  /** What Node runs as the service. Absent: the built command. */
  readonly command?: readonly string[] | undefined;
}

const OPERATOR_TOKEN = 'operator-of-the-attacks';
export const METRICS_TOKEN = 'metrics-of-the-attacks';

const SAMPLES = join(import.meta.dirname, '../../samples/clients.json');
const SALT = 'ab'.repeat(16);
const WATCH_MS = 50;
/** A process with more memory is killed to protect the machine, and that is a finding. */
const MOST_MB = 1_500;

/** The sample clients, and two more like `demo`. */
const clientsFile = async ({ limits = {}, webhooks = {} }: EnvironmentOptions): Promise<string> => {
  const { clients } = JSON.parse(await readFile(SAMPLES, 'utf8'));
  const [demo] = clients;
  const like = (id: string) => ({
    ...demo,
    id,
    name: id,
    secrets: [{ salt: SALT, hash: hashSecret(`${id}-secret`, SALT), createdAt: '2026-01-01T00:00:00Z' }],
    limits: id === 'attacker' ? limits : demo.limits,
    ...(webhooks[id] && { webhook: { url: webhooks[id], signingSecret: `whsec_${'A'.repeat(32)}` } }),
  });
  return JSON.stringify({ clients: [...clients, like('attacker'), like('neighbor')] });
};

/** Children of a process. One may end meanwhile. */
const children = (pid: number): readonly Child[] => {
  try {
    return childrenOf(pid);
  } catch {
    return [];
  }
};

const memoryOf = (pid: number): number => {
  try {
    return peakMb(pid);
  } catch {
    return 0;
  }
};

const residentMb = (pid: number): number => {
  try {
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1_024;
  } catch {
    return 0;
  }
};

/** Watches the service's processes: their memory, and whether they are still the same. */
const watchProcesses = (pid: number) => {
  const api = new Set<number>();
  const workers = new Set<number>();
  const killed = new Set<number>();
  let [apiMb, workerMb] = [0, 0];
  const look = (): void => {
    for (const { pid: child, kind } of children(pid)) {
      if (kind !== 'api' && kind !== 'worker') continue;
      if (kind === 'api') apiMb = Math.max(apiMb, memoryOf(child));
      else workerMb = Math.max(workerMb, memoryOf(child));
      (kind === 'api' ? api : workers).add(child);
      if (residentMb(child) < MOST_MB || killed.has(child)) continue;
      killed.add(child);
      process.kill(child, 'SIGKILL');
    }
  };
  look();
  const workersAtFirst = workers.size;
  const timer = setInterval(look, WATCH_MS);
  const problems = (): string[] => [
    ...(api.size > 1 ? [`the API ended ${api.size - 1} times`] : []),
    ...(workers.size > workersAtFirst ? [`workers ended ${workers.size - workersAtFirst} times`] : []),
    ...(killed.size > 0 ? [`${killed.size} processes had over ${MOST_MB} MB and were killed for it`] : []),
  ];
  return {
    processReport: (): ProcessReport => {
      look();
      return { apiMb, workerMb, problems: problems() };
    },
    apiPid: () => children(pid).find(({ kind }) => kind === 'api')?.pid,
    stop: () => clearInterval(timer),
  };
};

const tokenOf = async (calls: Calls, id: string): Promise<string> => {
  const body = JSON.stringify({ client_id: id, client_secret: `${id}-secret` });
  const answer = await calls.call('POST', '/token/generate', { body, headers: { 'Content-Type': 'application/json' } });
  const { access_token: token }: { access_token?: string } = JSON.parse(answer.body);
  if (token === undefined) throw new Error(`${id} got no token: ${answer.body}`);
  return token;
};

/** Whether this machine has the Redis that production requires. */
export const hasRedis = (): boolean =>
  (process.env['PATH'] ?? '')
    .split(':')
    .some((dir) => ['redis-server', 'valkey-server'].some((name) => existsSync(join(dir, name))));

export const openEnvironment = async (options: EnvironmentOptions = {}): Promise<Environment> => {
  const place = await mkdtemp(join(tmpdir(), 'rates-attack-'));
  const file = join(place, 'clients.json');
  await writeFile(file, await clientsFile(options));
  const settings = {
    ...{ NODE_ENV: 'production', LOG_LEVEL: 'info', REDIS_URL: '', STORE_URL: '', TOKEN_SECRET: '', NODE_OPTIONS: '' },
    ...{ CLIENTS_FILE: file, WORKERS: '2', OPERATOR_TOKEN, METRICS_TOKEN },
    ...options.settings,
  };
  const service = await startService(settings, options.command ?? BUILT);
  const processes = watchProcesses(service.pid);
  const stop = async (): Promise<void> => {
    processes.stop();
    await service.stop();
    await rm(place, { recursive: true, force: true });
  };
  try {
    const first = callsTo(service.url);
    const [attacker, neighbor] = [await tokenOf(first, 'attacker'), await tokenOf(first, 'neighbor')];
    first.close();
    const calls = callsTo(service.url);
    return {
      ...{ url: service.url, dataDir: service.dataDir, service, calls, demo: service.token, attacker, neighbor },
      processReport: processes.processReport,
      apiPid: processes.apiPid,
      stop: async () => {
        calls.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
