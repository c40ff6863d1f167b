/** A program on a test machine. It can be killed with everything there, and restarted as by an orchestrator. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from './network.ts';

export interface ProgramOptions {
  readonly host: Host;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The file for its output. */
  readonly log: string;
  /** Matches its output since the start when it is ready. */
  readonly ready: RegExp;
}

export interface Program {
  readonly host: Host;
  /** Resolves when it is ready. @returns its output so far */
  readonly start: () => Promise<string>;
  /** Kills all processes on its machine with -9. */
  readonly kill: () => Promise<void>;
  /** Its output of all starts. */
  readonly said: () => Promise<string>;
}

const START_MS = 120_000;
const LOOK_MS = 50;

export const createProgram = ({ host, command, env, log, ready }: ProgramOptions): Program => {
  let child: ChildProcess | undefined;
  const said = (): Promise<string> => readFile(log, 'utf8');

  const start = async (): Promise<string> => {
    const output = openSync(log, 'a');
    const before = (await said()).length;
    const [program = '', ...args] = [...host.enter, ...command];
    const started = spawn(program, args, {
      env: { ...env, PATH: process.env['PATH'] },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    child = started;
    for (const deadline = performance.now() + START_MS; ; await sleep(LOOK_MS)) {
      const text = (await said()).slice(before);
      if (ready.test(text)) return text;
      if (started.exitCode === null && started.signalCode === null && performance.now() < deadline) continue;
      throw new Error(`${command.join(' ')} on ${host.name} is not ready: ${text.slice(-2_000)}`);
    }
  };

  const kill = async (): Promise<void> => {
    const ending = child;
    child = undefined;
    const gone = ending === undefined || ending.exitCode !== null || ending.signalCode !== null;
    const exited = gone ? undefined : once(ending, 'exit');
    await host.kill();
    await exited;
  };
  return { host, start, kill, said };
};
