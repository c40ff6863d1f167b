import { execFileSync, spawnSync } from 'node:child_process';
import { PassThrough, Readable } from 'node:stream';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { ratesHere } from './in-process.ts';

const program = await createProgram({
  stdin: Readable.from([]),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: {},
  execArgv: [],
  setExitCode: () => undefined,
});

interface Named {
  readonly path: readonly string[];
  readonly command: Command;
}

/** The words of every command that does something by itself, as `batch` does although it has subcommands. */
const commandsOf = (command: Command, path: readonly string[] = []): Named[] => [
  ...(command.commands.length === 0 || path.join(' ') === 'batch' ? [{ path, command }] : []),
  ...command.commands.flatMap((one) => commandsOf(one, [...path, one.name()])),
];
const COMMANDS = commandsOf(program).filter(({ path }) => path[0] !== 'help');

describe('rates help', () => {
  for (const { path } of COMMANDS)
    test(`${path.join(' ')} has examples`, async () => {
      const { code, stdout } = await ratesHere(['help', ...path]);
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(new RegExp(`\\nExamples:\\n.*rates ${path.join(' ')}`)),
      ]);
    });

  for (const { path } of COMMANDS)
    test(`a typo in an option of ${path.join(' ')} names the help`, async () => {
      const { code, stderr } = await ratesHere([...path, '--slip']);
      expect(code).toBe(2);
      const said = /`rates (help .*)` shows the usage\./.exec(stderr)?.[1];
      expect(said).toBe(`help ${path.join(' ')}`);
      expect((await ratesHere(said?.split(' ') ?? [])).stdout).toContain(`Usage: rates ${path.join(' ')}`);
    });
});

const bash = async (): Promise<string> => (await ratesHere(['completion', 'bash'])).stdout;

describe('rates completion', () => {
  test('it knows every command and every option', async () => {
    const script = await bash();
    for (const { path, command } of COMMANDS) {
      expect(script).toContain(`'${path.join(' ')}'`);
      for (const { long, hidden } of command.options) if (!hidden) expect(script).toContain(long?.slice(2) ?? '');
    }
  });

  /** What bash offers for the last word. */
  const offered = async (...words: string[]): Promise<string[]> => {
    const list = words.map((word) => `'${word}'`).join(' ');
    const tail = `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _rates; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['-c', `${await bash()}\n${tail}`], { encoding: 'utf8' });
    return out.split('\n').filter(Boolean);
  };

  test('bash completes commands, options, their values and files', async () => {
    expect(await offered('rates', 'ba')).toEqual(['batch']);
    expect(await offered('rates', 'tariff', 'i')).toEqual(['import']);
    expect(await offered('rates', 'batch', 'x.csv', '--wa')).toEqual(['--watch', '--warehouse']);
    expect(await offered('rates', 'batch', 'package-l')).toEqual(['package-lock.json']);
    expect(await offered('rates', 'batch', 'dow')).toEqual(['download']);
    expect(await offered('rates', 'batch', 'download', 'b0', 's')).toContain('summary');
    expect(await offered('rates', 'batch', 'download', '--format', '')).toEqual([
      'csv',
      'excel',
      'xlsx',
      'parquet',
      'json',
    ]);
    expect(await offered('rates', 'run', '--repair', '')).toEqual(['zip', 'weight', 'all']);
    expect(await offered('rates', 'run', 'package-l')).toEqual(['package-lock.json']);
    expect(await offered('rates', 'run', '-o', 'package-l')).toEqual(['package-lock.json']);
    expect(await offered('rates', 'tariff', 'publish', 'sampl')).toEqual(['samples']);
    expect(await offered('rates', 'quote', '--zip', '')).toEqual([]);
    expect(await offered('rates', 'completion', '')).toEqual(['bash']);
  });

  test('bash parses it without errors', async () => {
    const read = spawnSync('bash', ['-n'], { input: await bash(), encoding: 'utf8' });
    expect([read.status, read.stderr]).toEqual([0, '']);
  });
});
