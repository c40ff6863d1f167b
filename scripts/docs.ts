/**
 * The tables in the docs that the code declares. `npm run docs` writes them, and test/docs.test.ts compares them with the
 * code. Each table in a page is between `<!-- table: NAME -->` and `<!-- end -->`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Argument, Command } from 'commander';
import { S3_VARIABLES } from '../src/base/config/s3-settings.ts';
import { SETTING_LIST } from '../src/base/config/settings.ts';
import { processIo } from '../src/cli/io.ts';
import { TOOL_FAULTS, TOOLS } from '../src/cli/mcp/tools.ts';
import { createProgram } from '../src/cli/program.ts';
import { API_FAULT_TYPES, API_FAULTS } from '../src/http/faults.ts';
import { FINDINGS } from '../src/lists/columns/findings.ts';
import { type ColumnGroup, DECLARED_COLUMNS } from '../src/lists/output/output-columns.ts';
import { WARNINGS } from '../src/rating/warning.ts';

const ROOT = join(import.meta.dirname, '..');

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`.replaceAll(/ {2,}/g, ' ');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const code = (name: string): string => `\`${name}\``;

const settings = (): string =>
  table(
    ['variable', 'default', ''],
    [
      ...SETTING_LIST.map(({ env, absent, about }) => [code(env), absent, about]),
      [
        S3_VARIABLES.map(code).join(', '),
        'as the AWS SDK finds them',
        'how to reach an object store. `AWS_ENDPOINT_URL_S3` wins over `AWS_ENDPOINT_URL`, and `AWS_REGION` over `AWS_DEFAULT_REGION`',
      ],
    ],
  );

const faults = (): string =>
  table(
    ['code', 'fault.type', 'when, and what to do'],
    API_FAULT_TYPES.map((type) => {
      const { status, when, wayOut } = API_FAULTS[type];
      return [String(status), code(type), `${when} ${wayOut}`];
    }),
  );

const faultArguments = (): string =>
  table(
    ['fault.type', 'arguments'],
    API_FAULT_TYPES.map((type) => [code(type), argumentsText(API_FAULTS[type].args)]),
  );

const argumentsText = (args: Readonly<Record<string, string>>): string =>
  Object.entries(args)
    .map(([name, meaning]) => `${code(name)}: ${meaning}`)
    .join('; ');

const warnings = (): string =>
  table(
    ['type', 'when', 'arguments'],
    Object.entries(WARNINGS).map(([type, { when, args }]) => [code(type), when, argumentsText(args)]),
  );

const findings = (): string =>
  table(
    ['type', 'when'],
    Object.entries(FINDINGS).map(([type, when]) => [code(type), when]),
  );

/** When an output has the columns of a group. */
const COLUMN_GROUPS: Readonly<Record<ColumnGroup, string>> = {
  repairs: '`?repair=`, `?empty_weight=`',
  services: '`?services=all`',
  warehouses: 'rows that choose among warehouses',
  explain: '`?explain=true`',
  transit: 'a service that has transit days',
  orders: '[lines of orders](#lines-of-orders)',
};

const outputColumns = (): string =>
  table(
    ['column', '', 'only with'],
    DECLARED_COLUMNS.map(({ name, each, about, with: group }) => [
      code(each === undefined ? name : `${name}<${each}>`),
      about.replaceAll('|', '\\|'),
      group === undefined ? '' : COLUMN_GROUPS[group],
    ]),
  );

/** Every command that does something itself, with its full path. */
const commandsOf = (command: Command, path: string): { readonly path: string; readonly command: Command }[] => [
  ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [{ path, command }] : []),
  ...command.commands.flatMap((one) => commandsOf(one, `${path} ${one.name()}`)),
];

const argumentText = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

const program = await createProgram(processIo());

const commands = (): string =>
  table(
    ['command', '', 'options'],
    commandsOf(program, 'rates').map(({ path, command }) => [
      code([path, ...command.registeredArguments.map(argumentText)].join(' ')),
      command.description().replaceAll('|', '\\|'),
      command.options.map(({ flags }) => code(flags.replaceAll('|', '\\|'))).join(', '),
    ]),
  );

const tools = (): string =>
  table(
    ['tool', '', 'input', 'only'],
    TOOLS.map(({ name, about, input, starts, local }) => [
      code(name),
      `${about.split('. ')[0]?.replace(/\.$/, '')}.`,
      Object.keys(input.shape).map(code).join(', '),
      starts ? 'with `--allow-changes`' : local ? '' : 'with a service',
    ]),
  );

const toolFaults = (): string =>
  table(
    ['fault.type', 'when'],
    Object.entries(TOOL_FAULTS).map(([type, when]) => [code(type), when]),
  );

/** The pages with such tables, and the function that makes each table. */
export const PAGES: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/operating.md': { settings },
  'docs/lists.md': { outputColumns },
  'docs/api.md': { faults, warnings },
  'docs/contract.md': { faultArguments, warnings, findings, commands, tools, toolFaults },
};

/** A page as it is, and as the code declares it. @throws {Error} if the markers of a table are missing */
export const readPage = async (page: string): Promise<{ readonly now: string; readonly declared: string }> => {
  const now = await readFile(join(ROOT, page), 'utf8');
  let declared = now;
  for (const [name, make] of Object.entries(PAGES[page] ?? {})) {
    const [begin, end] = [`<!-- table: ${name} -->\n`, '\n<!-- end -->'];
    const from = declared.indexOf(begin) + begin.length;
    const to = declared.indexOf(end, from);
    if (from < begin.length || to < 0) throw new Error(`${page} has no place for the table ${name}`);
    declared = declared.slice(0, from) + make() + declared.slice(to);
  }
  return { now, declared };
};

if (process.argv[1] === import.meta.filename)
  for (const page of Object.keys(PAGES)) await writeFile(join(ROOT, page), (await readPage(page)).declared);
