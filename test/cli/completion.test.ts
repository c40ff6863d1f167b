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

  test('bash completes commands, options, their values and files', async () => {
    const offered: readonly (readonly [line: string, words: string])[] = [
      ['rates ba', 'batch'],
      ['rates tariff i', 'import'],
      ['rates help ba', 'batch'],
      ['rates help tariff i', 'import'],
      ['rates batch x.csv --wa', '--watch --warehouse'],
      ['rates batch package-l', 'package-lock.json'],
      ['rates batch dow', 'download'],
      ['rates batch download b0 su', 'summary'],
      ['rates batch download --format ', 'csv excel xlsx parquet'],
      ['rates run --repair ', 'zip weight all'],
      ['rates run package-l', 'package-lock.json'],
      ['rates run -o package-l', 'package-lock.json'],
      ['rates tariff publish sampl', 'samples'],
      ['rates quote --zip ', ''],
      ['rates completion ', 'bash'],
    ];
    const asked = offered.map(([line]) => {
      const words = line.split(' ');
      const list = words.map((word) => `'${word}'`).join(' ');
      return `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; COMPREPLY=(); _rates; echo "\${COMPREPLY[*]}"`;
    });
    const out = execFileSync('bash', ['-c', [await bash(), ...asked].join('\n')], { encoding: 'utf8' });
    expect(out.trimEnd().split('\n')).toEqual(offered.map(([, words]) => words));
  });

  test('bash parses it without errors', async () => {
    const read = spawnSync('bash', ['-n'], { input: await bash(), encoding: 'utf8' });
    expect([read.status, read.stderr]).toEqual([0, '']);
  });
});
