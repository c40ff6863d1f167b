/**
 * A batch during which masters of Redis are killed: in a Cluster the master of the queues and then another; with Sentinels
 * the only master. It must give the bytes of an undisturbed run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../src/base/deadline.ts';
import { BATCHES, type BatchState } from '../bench/batch.ts';
import type { Service } from '../bench/service.ts';
import { patientClient } from '../soak/client.ts';
import { difference, type Truth } from '../soak/expected-output.ts';
import type { Server } from './redis-farm.ts';
import { type RedisCluster, startCluster, startSentinels } from './redis-servers.ts';

/** After this many more chunks since a kill, the batch counts as resumed. */
const GONE_ON_CHUNKS = 10;

/** Redis servers whose masters can be killed. */
export interface Masters {
  readonly url: string;
  /** Functions that kill the masters one after the other. */
  readonly kills: readonly (() => Promise<void>)[];
  /** Restarts killed servers. Resolves when each master has a replica that is in sync. */
  readonly mend: () => Promise<void>;
  /** The state of the running servers by `redis-cli`, to find causes of failures. */
  readonly state: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

export interface Disturbance {
  readonly list: string;
  readonly truth: Truth;
  readonly chunkRows: number;
  /** How long the batch may make no progress. */
  readonly standstillMs: number;
}

export interface Disturbed {
  /** Seconds from each kill until the batch resumed. */
  readonly wentOn: readonly number[];
  /** What is wrong with the result. Absent: nothing. */
  readonly problem: string | undefined;
}

type Cli = RedisCluster['farm']['cli'];

const MEND_MS = 180_000;

const soon = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  for (const deadline = performance.now() + MEND_MS; !(await isSo().catch(() => false)); await sleep(200))
    if (performance.now() > deadline) throw new Error(`timed out: ${what}`);
};

/** Servers by port, some of which are killed and restarted. */
const createGroup = (servers: readonly Server[]) => {
  const group = new Map(servers.map((server) => [server.port, server]));
  const killed = new Set<number>();
  return {
    alive: () => [...group.values()].filter(({ port }) => !killed.has(port)),
    kill: async (port: number): Promise<void> => {
      killed.add(port);
      await group.get(port)?.kill('SIGKILL');
    },
    /** @returns the killed servers */
    again: async (): Promise<readonly Server[]> => {
      const started: Server[] = [];
      for (const port of killed) {
        const server = await group.get(port)?.again();
        if (server === undefined) continue;
        group.set(port, server);
        started.push(server);
      }
      killed.clear();
      return started;
    },
  };
};

const READ: Readonly<Record<string, readonly string[]>> = {
  hash: ['HGETALL'],
  list: ['LRANGE', '0', '-1'],
  set: ['SMEMBERS'],
  string: ['GET'],
  zset: ['ZRANGE', '0', '-1', 'WITHSCORES'],
};

/** Clients, replication and keys of servers. Long texts are truncated. */
const stateOf = async (cli: Cli, servers: readonly Server[]): Promise<string> => {
  const said: string[] = [];
  const say = async (port: number, ...command: string[]): Promise<string> => {
    const text = await cli(port, ...command).catch((error: Error) => error.message);
    said.push(`${port}> ${command.join(' ')}\n${text.slice(0, 20_000)}`);
    return text;
  };
  for (const { port } of servers) {
    for (const command of ['CLUSTER NODES', 'INFO replication', 'CLIENT LIST']) await say(port, ...command.split(' '));
    for (const key of (await cli(port, 'KEYS', '*').catch(() => '')).split('\n').filter(Boolean)) {
      const [read, ...rest] = READ[await cli(port, 'TYPE', key).catch(() => '')] ?? [];
      if (read !== undefined) await say(port, read, key, ...rest);
    }
  }
  return said.join('\n\n');
};

export const openClusterMasters = async (): Promise<Masters> => {
  const { url, farm, nodes } = await startCluster(1);
  const group = createGroup(nodes);
  const ask = (...command: string[]): Promise<string> => farm.cli(group.alive()[0]?.port ?? 0, ...command);
  /** Ports of the masters. The master of the queues comes first. */
  const masters = async (): Promise<readonly number[]> => {
    const slot = Number(await ask('CLUSTER', 'KEYSLOT', '{rates}'));
    const found: number[] = [];
    for (const line of (await ask('CLUSTER', 'NODES')).split('\n')) {
      const [, address = '', flags = '', , , , , , ...ranges] = line.split(' ');
      if (!flags.includes('master') || flags.includes('fail') || ranges.length === 0) continue;
      const port = Number(/:(\d+)@/.exec(address)?.[1]);
      const hasQueues = ranges.some((range) => {
        const [from = 0, to = from] = range.split('-').map(Number);
        return from <= slot && slot <= to;
      });
      if (hasQueues) found.unshift(port);
      else found.push(port);
    }
    return found;
  };
  const kill = async (which: number): Promise<void> => group.kill((await masters())[which] ?? 0);
  const isInStep = async ({ port }: Server): Promise<boolean> => {
    const [cluster, own] = [await farm.cli(port, 'CLUSTER', 'INFO'), await farm.cli(port, 'INFO', 'replication')];
    return cluster.includes('cluster_state:ok') && /connected_slaves:1|master_link_status:up/.test(own);
  };
  return {
    url,
    kills: [() => kill(0), () => kill(1)],
    mend: async () => {
      await group.again();
      for (const node of group.alive()) await soon('each master has a replica in sync', () => isInStep(node));
    },
    state: () => stateOf(farm.cli, group.alive()),
    stop: farm.stop,
  };
};

export const openWatchedMaster = async (): Promise<Masters> => {
  const { url, farm, master, replica, sentinels, masterPort } = await startSentinels();
  const group = createGroup([master, replica]);
  return {
    url,
    kills: [async () => group.kill(await masterPort())],
    mend: async () => {
      for (const { port } of await group.again()) {
        await farm.cli(port, 'REPLICAOF', '127.0.0.1', String(await masterPort()));
        await soon('the replica is in step', async () =>
          (await farm.cli(port, 'INFO', 'replication')).includes('master_link_status:up'),
        );
        for (const watcher of sentinels)
          await soon('the Sentinels have found the replica', async () =>
            /flags\nslave\n/.test(await farm.cli(watcher.port, 'SENTINEL', 'REPLICAS', 'rates')),
          );
      }
    },
    state: () => stateOf(farm.cli, group.alive()),
    stop: farm.stop,
  };
};

const FINAL = ['completed', 'failed', 'cancelled', 'expired'];

/** Uploads a list, kills the masters at even intervals while it is rated, and compares the output. */
export const disturb = async (service: Service, { kills }: Masters, how: Disturbance): Promise<Disturbed> => {
  const { list, truth, chunkRows, standstillMs } = how;
  const client = patientClient(service, new AbortController().signal);
  const { batch } = await client.upload(list);
  const look = async (): Promise<BatchState> =>
    JSON.parse((await within(standstillMs, client.call('GET', `${BATCHES}/${batch.id}`))).body);
  /** Resolves when the batch has reached this state. Rejects if it makes no progress before. */
  const until = async (reached: (now: BatchState) => boolean): Promise<BatchState> => {
    let moved = performance.now();
    let before = '';
    for (;;) {
      const now = await look();
      if (reached(now)) return now;
      const words = `${now.status}, ${now.rows.processed} of ${now.rows.total} rows`;
      if (words !== before) moved = performance.now();
      before = words;
      const still = performance.now() - moved;
      if (still > standstillMs)
        throw new Error(`the batch has made no progress for ${Math.round(still / 1_000)} s: ${words}`);
      await sleep(50);
    }
  };
  const processed = (rows: number) => (now: BatchState) => now.rows.processed >= rows || FINAL.includes(now.status);

  const share = truth.rows / (3 * (kills.length + 1));
  const wentOn: number[] = [];
  for (const kill of kills) {
    const { rows } = await look();
    await until(processed(rows.processed + share));
    await kill();
    const killed = performance.now();
    const then = await look();
    if (FINAL.includes(then.status)) throw new Error('the batch had ended before all masters were killed');
    await until(processed(Math.min(truth.rows, then.rows.processed + GONE_ON_CHUNKS * chunkRows)));
    wentOn.push((performance.now() - killed) / 1_000);
  }
  const { status } = await until((now) => FINAL.includes(now.status));
  if (status !== 'completed') return { wentOn, problem: `the batch is ${status}` };
  const [output, faults] = [await client.file(batch.id, 'output'), await client.file(batch.id, 'faults')];
  await client.call('DELETE', `${BATCHES}/${batch.id}`);
  return { wentOn, problem: difference(truth, output, faults) };
};
