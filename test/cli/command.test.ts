/** What the declaration of a command does: forms, refusals, and what reaches the terminal. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text as textIn } from 'node:stream/consumers';
import { Command } from 'commander';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { clientEdit } from '../../src/catalog/clients/edit-client.ts';
import { addCommands, command, flag, input, texts, wholeNumber } from '../../src/cli/command.ts';
import { readingParameters } from '../../src/lists/list-options.ts';
import { FIELD_NAMES } from '../../src/rating/fields.ts';
import { ratesHere } from './in-process.ts';
import { ROOT } from './rates.ts';

const HOSTILE = 'a\u001b[2J\u001b]0;title\u0007\u009b31m\u202eb';

const made = command({
  path: 'made',
  about: 'Made for this test',
  args: { name: input('<name>', 'a name', z.string().min(1)) },
  options: {
    count: input('--count <number>', 'how many', wholeNumber(1, 9).default(2)),
    kind: input('--kind <kind>', 'which', z.enum(['old', 'new']).optional()),
    with: texts('--with <what>', 'more'),
    plain: flag('--plain', 'nothing more'),
    json: flag('--json', 'as JSON'),
  },
  excludes: { plain: ['with'] },
  examples: ['rates made x'],
  refuse: ({ name, kind }) => name === kind && `${name} is both.`,
  run: async ({ name, count, with: others, json: _ }) => ({
    json: () => ({ name, count, others }),
    lines: () => [`${name} ${count} ${others.join('+')}`, { style: 'bold', text: name }],
    remarks: () => [`remark ${name}`],
    notes: [`note ${name}`],
    exit: 4,
  }),
});

/** Runs it on a terminal with colors. */
const run = async (...args: string[]) => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let code = 0;
  const io = {
    stdin: Readable.from([]),
    stdout: Object.assign(stdout, { isTTY: true, hasColors: () => true }),
    stderr,
    env: {},
    execArgv: [],
    setExitCode: (given: number) => {
      code = given;
    },
  };
  const program = new Command('rates').exitOverride();
  addCommands(program, [made], io);
  for (const one of program.commands)
    one.exitOverride().configureOutput({ writeErr: (words) => stderr.write(words), writeOut: () => undefined });
  const failure = await program.parseAsync(['made', ...args], { from: 'user' }).then(
    () => '',
    (error: unknown) => String(error),
  );
  stdout.end();
  stderr.end();
  return { code, stdout: await textIn(stdout), stderr: await textIn(stderr), failure };
};

test('gives values in their forms, and defaults', async () => {
  expect(await run('x')).toEqual({
    code: 4,
    stdout: 'x 2 \n\u001b[1mx\u001b[22m\n',
    stderr: 'remark x\nnote x\n',
    failure: '',
  });
  expect((await run('x', '--count', '3', '--with', 'a', '--with', 'b')).stdout).toMatch(/^x 3 a\+b\n/);
});

test('prints JSON in place of lines and remarks', async () => {
  const { stdout, stderr } = await run('x', '--json');
  expect([JSON.parse(stdout), stderr]).toEqual([{ name: 'x', count: 2, others: [] }, 'note x\n']);
});

test.each([
  [['x', '--count', '10'], "'10' is invalid. It must be a whole number from 1 to 9."],
  [['x', '--kind', 'other'], 'Allowed choices are old, new.'],
  [['x', '--plain', '--with', 'a'], "option '--plain' cannot be used with option '--with <what>'"],
  [['old', '--kind', 'old'], 'old is both.'],
  [[], "missing required argument 'name'"],
])('%j is refused: %s', async (args, words) => {
  const { stdout, failure } = await run(...args);
  expect([stdout, failure]).toEqual(['', expect.stringContaining(words)]);
});

test('an argument that is refused is named as in the help', async () => {
  const { stderr } = await run('');
  expect(stderr).toBe("error: '' is invalid for <name>. It must have at least 1 character.\n");
});

test('text from other sources cannot move the cursor of a terminal or change its colors', async () => {
  const forms = [await run(HOSTILE), await run(HOSTILE, '--json'), await run('x', '--count', HOSTILE)];
  for (const { stdout, stderr } of forms)
    expect((stdout + stderr).replaceAll('\u001b[1m', '').replaceAll('\u001b[22m', '')).not.toMatch(/[^\P{C}\n]/u);
  expect(JSON.parse(forms[1]?.stdout ?? '').name).toBe(HOSTILE);
});

/** An input in the sources of the commands. */
const DECLARED = /^ +(\w+):\s+(?:flag|text|texts|required|input|constant)\(/gm;
/** `--json` is read for all commands, and the compiler compares the others with what has them. */
const READ = new Set(['json', ...FIELD_NAMES, ...Object.keys(readingParameters), ...Object.keys(clientEdit.shape)]);

const withoutTexts = (source: string): string =>
  source.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/gs, '');

test('each option is read where it is declared, or by a module that has it from there', async () => {
  const folder = join(ROOT, 'src', 'cli');
  const sources = new Map<string, string>();
  for (const name of await readdir(folder, { recursive: true }))
    if (name.endsWith('.ts')) sources.set(basename(name), await readFile(join(folder, name), 'utf8'));
  const format = await readFile(join(ROOT, 'src', 'lists', 'output', 'output-format.ts'), 'utf8');
  const unread: string[] = [];
  for (const [file, source] of sources) {
    const readers = [...sources].filter(([name, own]) => name === file || own.includes(`/${file}'`));
    const code = withoutTexts([format, ...readers.map(([, own]) => own.replaceAll(DECLARED, ''))].join('\n'));
    for (const [, name = ''] of source.matchAll(DECLARED))
      if (!READ.has(name) && !new RegExp(`[.{,]\\s*${name}\\b(?!: \\[)`).test(code)) unread.push(`${file}: ${name}`);
  }
  expect(unread).toEqual([]);
});

test('each parameter of the upload is an option of rates run', async () => {
  const { stdout } = await ratesHere(['help', 'run']);
  for (const name of Object.keys(readingParameters)) {
    const option = { warehouse_id: '--warehouse', shippingService: '--service' }[name] ?? `--${name.replace('_', '-')}`;
    expect(stdout).toContain(`${option} `);
  }
});

test('the options of a list say how it is read', async () => {
  const lines = ['Report of June;;;;', 'from;to;kilos;day;note', '101;60601;2,5;1.6.2026;"=1+1', ''];
  const columns = 'warehouse_id:from,postalCode:to,weight_value:kilos,shipDate:day';
  const options = [
    ...['--header-row', '2', '--delimiter', ';', '--quotes', 'none', '--decimal', 'comma', '--date-order', 'dmy'],
    ...['--units', 'KG', '--weight-per', 'package', '--incomplete', 'allow', '--columns', columns],
  ];
  const run = (input: string, ...more: string[]) => ratesHere(['run', '-', '-o', '-', ...more], { input });
  const plain = 'warehouse_id,postalCode,weight_value,weight_units,shipDate\n101,60601,2.5,KG,2026-06-01\n';
  const [given, expected] = [await run(lines.join('\n'), ...options), await run(plain)];
  expect([given.code, expected.code]).toEqual([0, 0]);
  const rows: Record<string, string>[] = parse(expected.stdout, { columns: true });
  const price = rows[0]?.['quote_totalNetCharge'] ?? '';
  expect(price).toMatch(/^\d+\.\d\d$/);
  expect(given.stdout).toContain(price);
  const list = plain.replace('shipDate', 'shipDate,note').replace('2026-06-01', '2026-06-01,=1+1');
  expect((await run(list)).stdout).toContain(",'=1+1,");
  expect((await run(list, '--keep-formulas')).stdout).toContain(',=1+1,');
});
