/** Runs the `rates` command as a process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';

export const ROOT = join(import.meta.dirname, '..', '..');

/** No folder: the profiles of whoever runs the tests must not count. */
export const NO_PROFILES = { XDG_CONFIG_HOME: join(ROOT, 'test', 'no-profiles') };

export interface Ended {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export const startRates = (args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'src', 'cli', 'main.ts'), ...args], {
    cwd: ROOT,
    env: { ...process.env, LOG_LEVEL: 'fatal', ...NO_PROFILES, ...env },
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });

/** Runs it to its end. */
export const rates = async (
  args: readonly string[],
  { input = '', env = {} }: { readonly input?: string | Buffer; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> => {
  const child = startRates(args, env);
  if (child.stdin === null || child.stdout === null || child.stderr === null) throw new Error('it has no pipes');
  const { stdin, stdout, stderr } = child;
  stdin.on('error', () => undefined); // It may end without reading.
  stdin.end(input);
  const [exit, out, words] = await Promise.all([once(child, 'exit'), buffer(stdout), text(stderr)]);
  return { code: exit[0], stdout: out, stderr: words };
};
