/** Redis servers for tests, as child processes that end with this one, in their own temporary folder. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PORT_ATTEMPTS, somePort } from '../../src/base/redis/some-port.ts';

const run = promisify(execFile);
const START_MS = 20_000;

export interface Server {
  readonly port: number;
  readonly pid: number;
  readonly kill: (signal: NodeJS.Signals) => Promise<void>;
  /** Restarts it after its end, on the same port with the same data. */
  readonly again: () => Promise<Server>;
}

export interface Farm {
  readonly dir: string;
  /** Starts a server. @param conf its configuration, without port and folder */
  readonly start: (name: string, conf: readonly string[], options?: { readonly sentinel?: boolean }) => Promise<Server>;
  /** The output of `redis-cli` for a command. */
  readonly cli: (port: number, ...args: string[]) => Promise<string>;
  /** Ends all and removes their data. */
  readonly stop: () => Promise<void>;
}

const ended = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const kill = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (ended(child)) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
};

/** @param access the options of `redis-cli`: user, password, TLS */
export const openFarm = async (access: readonly string[] = []): Promise<Farm> => {
  const dir = await mkdtemp(join(tmpdir(), 'redis-farm-'));
  const children: ChildProcess[] = [];
  const killAll = (): void => {
    for (const child of children) child.kill('SIGKILL');
  };
  process.on('exit', killAll);

  const cli: Farm['cli'] = async (port, ...args) => {
    const { stdout } = await run('redis-cli', ['-p', String(port), '--no-auth-warning', ...access, ...args]);
    return stdout.trim();
  };
  const answers = async (port: number, pid: number): Promise<boolean> => {
    try {
      return (await cli(port, 'INFO', 'server')).includes(`process_id:${pid}`);
    } catch {
      return false; // Not yet.
    }
  };
  const launch = async (name: string, port: number, sentinel: boolean): Promise<Server | string> => {
    const file = join(dir, `${name}.conf`);
    const log = join(dir, `${name}.log`);
    const again = async (): Promise<Server> => {
      const started = await launch(name, port, sentinel);
      if (typeof started === 'string') throw new Error(started.slice(-2_000));
      return started;
    };
    const output = openSync(log, 'a');
    const args = sentinel ? [file, '--sentinel'] : [file];
    const child = spawn('redis-server', args, { stdio: ['ignore', output, output] });
    children.push(child);
    for (const deadline = performance.now() + START_MS; performance.now() < deadline; await sleep(50)) {
      if (child.pid !== undefined && (await answers(port, child.pid)))
        return { port, pid: child.pid, kill: (signal: NodeJS.Signals) => kill(child, signal), again };
      if (ended(child)) break;
    }
    await kill(child, 'SIGKILL');
    return await readFile(log, 'utf8');
  };

  return {
    dir,
    cli,
    start: async (name, conf, { sentinel = false } = {}) => {
      for (let attempt = 0; attempt < PORT_ATTEMPTS; attempt += 1) {
        const port = somePort();
        const given = conf.map((line) => line.replaceAll('{port}', String(port)).replaceAll('{name}', name));
        await writeFile(join(dir, `${name}.conf`), [`dir ${dir}`, 'bind 127.0.0.1', ...given, ''].join('\n'));
        const started = await launch(name, port, sentinel);
        if (typeof started !== 'string') return started;
        if (!/address already in use|Failed listening/i.test(started)) throw new Error(started.slice(-2_000));
      }
      throw new Error('no free port was found');
    },
    stop: async () => {
      process.off('exit', killAll);
      await Promise.all(children.map((child) => kill(child, 'SIGKILL')));
      await rm(dir, { recursive: true, force: true });
    },
  };
};
