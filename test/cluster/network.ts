/**
 * Machines for a test: network namespaces, each with its own address and one link to a bridge that connects them
 * with this process. Needs Linux, root and Debian's `iproute2`. Removes the leftovers of a killed run at the start.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { lockFolder } from '../../src/base/process/folder-lock.ts';

export const NETWORK_PACKAGES = ['iproute2'] as const;

const run = promisify(execFile);
const IP = ['/usr/sbin/ip', '/sbin/ip', '/usr/bin/ip'].find((path) => existsSync(path)) ?? '';

/** The prefix of all names here. Linux limits names of links to 15 characters. */
const OURS = 'rt-';
const BRIDGE = `${OURS}bridge`;
/** One of the ranges that Docker takes its networks from, and so one that `docker-compose.yml` trusts. */
const SUBNET = '172.29.77';

export interface Host {
  readonly name: string;
  readonly address: string;
  /** The words before a command that run it there, until this process ends. */
  readonly enter: readonly string[];
  /** Takes its link down, or up again. */
  readonly link: (state: 'up' | 'down') => Promise<void>;
  /** Drops everything that it sends to another host, or stops dropping it. */
  readonly cut: (from: Host, state: 'cut' | 'joined') => Promise<void>;
  /** Sends a signal to all processes there. */
  readonly signal: (name: NodeJS.Signals) => Promise<void>;
  /** Kills all processes there, like a power failure. */
  readonly kill: () => Promise<void>;
}

export interface Network {
  /** A folder for the data of the hosts. */
  readonly folder: string;
  readonly host: (name: string) => Promise<Host>;
  /** Ends all processes on the hosts, and removes the hosts, the links and the folder. */
  readonly remove: () => Promise<void>;
}

const ip = async (...args: readonly string[]): Promise<string> => (await run(IP, [...args])).stdout;

/** Whether this process may create namespaces and links. */
export const hasNamespaces = async (): Promise<boolean> => {
  if (IP === '' || process.getuid?.() !== 0) return false;
  const name = `${OURS}try-${process.pid}`;
  try {
    await ip('netns', 'add', name);
    await ip('netns', 'delete', name);
    return true;
  } catch {
    return false; // A container without the permission, like most.
  }
};

const pidsIn = async (namespace: string): Promise<readonly number[]> =>
  (await ip('netns', 'pids', namespace)).split('\n').filter(Boolean).map(Number);

const signalAll = async (namespace: string, name: NodeJS.Signals): Promise<number> => {
  const pids = await pidsIn(namespace);
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
  return pids.length;
};

const killAll = async (namespace: string): Promise<void> => {
  while ((await signalAll(namespace, 'SIGKILL')) > 0) await sleep(20);
};

const names = async (...list: readonly string[]): Promise<readonly string[]> => {
  const found: { readonly name?: string; readonly ifname?: string }[] = JSON.parse(
    (await ip('-json', ...list)) || '[]',
  );
  return found.flatMap(({ name, ifname = name }) => (ifname?.startsWith(OURS) === true ? [ifname] : []));
};

/** The same name for all runs, so that a run finds the leftovers of a killed one. Only one runs at a time. */
const PLACE = join(tmpdir(), 'rates-test-network');
const FOLDER = join(PLACE, 'hosts');

/** Removes everything with the prefix, from any run. Removing a namespace removes both ends of its link. */
const clear = async (): Promise<void> => {
  for (const namespace of await names('netns', 'list')) {
    await killAll(namespace);
    await ip('netns', 'delete', namespace);
  }
  // Links disappear a little after their namespaces, so one may be gone before it is removed.
  for (const link of await names('link', 'show')) await ip('link', 'delete', link).catch(() => undefined);
  for (const link of await names('link', 'show')) throw new Error(`the link ${link} cannot be removed`);
  await rm(FOLDER, { recursive: true, force: true });
};

const createHost = async (name: string, address: string): Promise<Host> => {
  const namespace = `${OURS}${name}`;
  const there = ['-n', namespace];
  await ip('netns', 'add', namespace);
  await ip('link', 'add', namespace, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  await ip('link', 'set', namespace, 'master', BRIDGE, 'up');
  await ip(...there, 'address', 'add', `${address}/24`, 'dev', 'eth0');
  await ip(...there, 'link', 'set', 'eth0', 'up');
  await ip(...there, 'link', 'set', 'lo', 'up');
  return {
    name,
    address,
    enter: ['/usr/bin/nsenter', `--net=/run/netns/${namespace}`, '/usr/bin/setpriv', '--pdeathsig', 'KILL'],
    link: async (state) => void (await ip('link', 'set', namespace, state)),
    cut: async (from, state) =>
      void (await ip(...there, 'route', state === 'cut' ? 'add' : 'delete', 'blackhole', `${from.address}/32`)),
    signal: async (signal) => void (await signalAll(namespace, signal)),
    kill: () => killAll(namespace),
  };
};

/** @throws {Error} if another run on this machine has one */
export const openNetwork = async (): Promise<Network> => {
  await mkdir(PLACE, { recursive: true });
  const lock = await lockFolder(PLACE);
  if (lock === undefined) throw new Error('another run uses the network of the test machines');
  const remove = async (): Promise<void> => {
    try {
      await clear();
    } finally {
      await lock.release();
    }
  };
  let next = 2;
  try {
    await clear();
    await mkdir(FOLDER);
    await ip('link', 'add', BRIDGE, 'type', 'bridge');
    await ip('address', 'add', `${SUBNET}.1/24`, 'dev', BRIDGE);
    await ip('link', 'set', BRIDGE, 'up');
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    folder: FOLDER,
    host: async (name) => {
      const address = `${SUBNET}.${next}`;
      next += 1;
      return await createHost(name, address);
    },
    remove,
  };
};
