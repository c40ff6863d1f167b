/** A container by `buildah`: it has its own root, is on a test machine of its own network, and its processes are ours. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { must } from '../../src/base/must.ts';
import type { Host } from '../cluster/network.ts';
import type { Service } from './compose-file.ts';
import { buildah, kept, run } from './images.ts';
import { PROJECT } from './stack.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const NANOSECONDS = 1e6;

const words = z.array(z.string()).nullish();
const imageConfig = z.object({
  Docker: z.object({
    config: z.object({
      Entrypoint: words,
      Cmd: words,
      StopSignal: z.enum(['SIGQUIT', 'SIGTERM']).default('SIGTERM'),
      Volumes: z.record(z.string(), z.unknown()).nullish(),
      Healthcheck: z
        .object({
          Test: z.array(z.string()),
          Interval: z.number(),
          Timeout: z.number(),
          Retries: z.number().default(3),
        })
        .nullish(),
    }),
  }),
});

interface Check {
  readonly command: readonly string[];
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly retries: number;
}

export interface Container {
  readonly name: string;
  readonly service: string;
  readonly host: Host;
  readonly check: Check | undefined;
  readonly start: () => Promise<void>;
  /** @returns what the main process ends with. It is killed after its time. */
  readonly stop: () => Promise<number | NodeJS.Signals>;
  /** Resolves when the main process ends by itself. */
  readonly ended: () => Promise<number | NodeJS.Signals>;
  readonly running: () => boolean;
  readonly exec: (command: readonly string[], timeoutMs?: number) => Promise<string>;
  readonly logs: () => Promise<string>;
  readonly remove: () => Promise<void>;
}

interface Mount {
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

/** A folder for a volume, with what the image has there and its owner at the first use, as Docker does it. */
const volumeFolder = async (source: string, inImage: string): Promise<void> => {
  if (existsSync(source)) return;
  await mkdir(dirname(source), { recursive: true });
  if (existsSync(inImage)) await run('cp', ['--archive', inImage, source]);
  else await mkdir(source);
};

const mountsOf = async (
  { volumes, tmpfs }: Service,
  more: readonly string[],
  ofImage: readonly string[],
  own: string,
  named: string,
  root: string,
): Promise<readonly Mount[]> => {
  const mounts = [...volumes, ...more].map((text): Mount => {
    const [from = '', target = '', mode] = text.split(':');
    const path = from.startsWith('.') || from.startsWith('/');
    return {
      source: path ? join(from.startsWith('.') ? ROOT : '/', from) : join(named, from),
      target,
      readOnly: mode === 'ro',
    };
  });
  const anonymous = [...tmpfs, ...ofImage].filter((target) => !mounts.some((mount) => mount.target === target));
  const all = [
    ...mounts,
    ...anonymous.map((target) => ({ source: join(own, target.slice(1)), target, readOnly: false })),
  ];
  for (const { source, target } of all) {
    await volumeFolder(source, join(root, target));
    if (tmpfs.includes(target)) await chmod(source, 0o1777);
  }
  return all;
};

/** A root that is read-only has the places already on which something is mounted. */
const makePlaces = async (root: string, mounts: readonly Mount[]): Promise<void> => {
  for (const { source, target } of mounts) {
    const place = join(root, target);
    if ((await stat(source)).isDirectory()) await mkdir(place, { recursive: true });
    else if (!existsSync(place)) await writeFile(place, '');
  }
  for (const place of ['etc/hosts', 'etc/resolv.conf', 'run/.containerenv'])
    if (!existsSync(join(root, place))) await writeFile(join(root, place), '');
};

const checkOf = (
  { healthcheck }: Service,
  ofImage: z.output<typeof imageConfig>['Docker']['config']['Healthcheck'],
): Check | undefined => {
  if (healthcheck !== undefined && 'disable' in healthcheck) return undefined;
  const [test, intervalMs, timeoutMs, retries] =
    healthcheck === undefined
      ? [ofImage?.Test, (ofImage?.Interval ?? 0) / NANOSECONDS, (ofImage?.Timeout ?? 0) / NANOSECONDS, ofImage?.Retries]
      : [healthcheck.test, healthcheck.interval, healthcheck.timeout, healthcheck.retries];
  if (test === undefined || retries === undefined) return undefined;
  const [kind, ...command] = test;
  if (kind !== 'CMD') throw new Error(`a health check of the kind ${kind} is not known here`);
  return { command, intervalMs, timeoutMs, retries };
};

const childrenOf = async (pid: number): Promise<readonly number[]> => {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const each = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => ''));
  return (await Promise.all(each)).flatMap((text) => text.split(' ').filter(Boolean).map(Number));
};

/** The main process of the container. Above it are buildah, `buildah-chroot-runtime` and `buildah-chroot-exec`. */
const mainProcess = async (child: ChildProcess): Promise<number> => {
  const nameOf = async (pid: number): Promise<string> =>
    (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')[0] ?? '';
  let current = must(child.pid, 'a process');
  for (let above = ''; child.exitCode === null && child.signalCode === null; await sleep(10)) {
    for (const pid of await childrenOf(current)) {
      const name = await nameOf(pid);
      // A process has the name of the one above it until its own program begins.
      if (name === above || name === '') continue;
      if (above === 'buildah-chroot-exec') return pid;
      if (name.startsWith('buildah-chroot-')) [current, above] = [pid, name];
    }
  }
  throw new Error('the container ended before its program began');
};

export interface ContainerOptions {
  readonly service: string;
  readonly declared: Service;
  readonly host: Host;
  /** The folder of all data. */
  readonly folder: string;
  /** Instead of the service's command. */
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
}

export const createContainer = async (options: ContainerOptions): Promise<Container> => {
  const { service, declared, host, folder, volumes = [] } = options;
  const name = `${PROJECT}-${host.name}`;
  const log = join(folder, `${host.name}.log`);
  const { config } = imageConfig.parse(
    JSON.parse(await buildah('inspect', '--type=image', kept(declared.image))),
  ).Docker;
  await buildah('from', '--pull=never', '--dns=127.0.0.11', `--name=${name}`, kept(declared.image));
  const root = await buildah('mount', name);
  const own = join(folder, 'anonymous', host.name);
  const ofImage = Object.keys(config.Volumes ?? {});
  const mounts = await mountsOf(declared, volumes, ofImage, own, join(folder, 'volumes'), root);
  await makePlaces(root, mounts);
  const words = [
    ...[...host.enter, ...(declared.security_opt === undefined ? [] : ['setpriv', '--no-new-privs'])],
    ...['buildah', 'run', '--isolation=chroot', `--hostname=${host.name}`],
    ...(declared.cap_drop === undefined ? [] : ['--cap-drop=all']),
    ...Object.entries(declared.environment).map(([key, value]) => `--env=${key}=${value}`),
    ...mounts.map(({ source, target, readOnly }) => `--volume=${source}:${target}${readOnly ? ':ro' : ''}`),
    ...[name, '--'],
  ];
  const entrypoint = declared.entrypoint ?? config.Entrypoint ?? [];
  const command = options.command ?? declared.command ?? (declared.entrypoint === undefined ? config.Cmd : []) ?? [];
  let child: ChildProcess | undefined;
  let main = 0;
  let exit: Promise<number | NodeJS.Signals> | undefined;

  const mountRoot = (how: 'ro' | 'rw') => run('mount', ['--options', `remount,bind,${how}`, root]);
  const start = async (): Promise<void> => {
    // The container keeps the root as it is mounted now. Afterward buildah writes there, to clear up.
    if (declared.read_only) await mountRoot('ro');
    const output = openSync(log, 'a');
    const [program = '', ...args] = [...words, ...entrypoint, ...command];
    const started = spawn(program, args, { cwd: ROOT, stdio: ['ignore', output, output] });
    closeSync(output);
    child = started;
    exit = once(started, 'exit').then(([code, signal]) => code ?? signal);
    main = await mainProcess(started);
    if (declared.read_only) await mountRoot('rw');
  };
  const running = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  const ended = (): Promise<number | NodeJS.Signals> => must(exit, `the start of ${name}`);
  const stop = async (): Promise<number | NodeJS.Signals> => {
    if (running()) process.kill(main, config.StopSignal);
    const late = setTimeout(() => void host.kill(), declared.stop_grace_period);
    const code = await ended();
    clearTimeout(late);
    return code;
  };
  const exec = async (program: readonly string[], timeoutMs = 60_000): Promise<string> => {
    const environment = (await readFile(`/proc/${main}/environ`, 'utf8')).split('\0').filter(Boolean);
    const status = await readFile(`/proc/${main}/status`, 'utf8');
    const id = (kind: 'Gid' | 'Uid'): string => new RegExp(`^${kind}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? '';
    const user = [`--setuid=${id('Uid')}`, `--setgid=${id('Gid')}`];
    const inside = ['nsenter', `--target=${main}`, '--net', '--mount', '--root', '--wd', ...user];
    return await run('timeout', [String(timeoutMs / 1_000), ...inside, 'env', '-', ...environment, ...program]);
  };
  const remove = async (): Promise<void> => {
    await host.kill();
    await buildah('umount', name);
    await buildah('rm', name);
  };
  const logs = (): Promise<string> => readFile(log, 'utf8');
  const check = checkOf(declared, config.Healthcheck);
  return { name: host.name, service, host, check, start, stop, ended, running, exec, logs, remove };
};
