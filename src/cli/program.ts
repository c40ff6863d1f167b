/** All commands of `rates`. */
import { Command } from 'commander';
import { addCommands, type Declared } from './command.ts';
import { completion } from './completion.ts';
import { wrongUse } from './exit.ts';
import type { Io } from './io.ts';
import { version } from './version.ts';

/**
 * The commands by first word, in the order of the help. They are loaded only when called, so that a command starts quickly.
 */
const GROUPS: readonly { readonly words: readonly string[]; readonly load: () => Promise<readonly Declared[]> }[] = [
  {
    words: ['serve', 'demo', 'api', 'worker'],
    load: async () => (await import('./serve/commands.ts')).serviceCommands,
  },
  { words: ['quote'], load: async () => [(await import('./rate/quote.ts')).quote] },
  { words: ['batch'], load: async () => (await import('./batch/batch.ts')).batchCommands },
  { words: ['run'], load: async () => [(await import('./rate/run.ts')).run] },
  { words: ['compare'], load: async () => [(await import('./compare/compare.ts')).compare] },
  { words: ['mcp'], load: async () => [(await import('./mcp/mcp.ts')).mcp] },
  { words: ['login', 'logout'], load: async () => Object.values(await import('./batch/login.ts')) },
  { words: ['tariff'], load: async () => (await import('./tariff/tariff.ts')).tariffCommands },
  { words: ['agreement'], load: async () => (await import('./agreement/agreement.ts')).agreementCommands },
  { words: ['publish'], load: async () => [(await import('./publish.ts')).publish] },
  { words: ['client'], load: async () => (await import('./client/client-command.ts')).clientCommands },
];

const EXIT_CODES = `
Settings are environment variables, described in docs/operating.md.
Exit codes: 0 done, 1 failed, 2 usage, 3 unauthorized, 4 done with faulted rows, 130 interrupted.`;

/** Makes a command and its subcommands throw instead of ending the process. */
const throwing = (command: Command, path: readonly string[] = []): Command => {
  const hint = path.length === 0 ? 'lists the commands' : 'shows the usage';
  command.exitOverride().showHelpAfterError(`\`${['rates help', ...path].join(' ')}\` ${hint}.`);
  for (const one of command.commands) throwing(one, [...path, one.name()]);
  return command;
};

/** `rates help`. Commander's own help command covers only one level of commands. */
const helpCommand = (program: Command): Command =>
  new Command('help')
    .description('Show how a command is used, with examples')
    .argument('[command...]')
    .action((names: string[]) => {
      let command = program;
      for (const name of names) {
        const found = command.commands.find((one) => one.name() === name);
        if (found === undefined)
          throw wrongUse(`There is no command ${names.join(' ')}. \`rates help\` lists the commands.`);
        command = found;
      }
      command.help();
    });

const EXAMPLES = `
Examples:
  rates quote --warehouse 101 --zip 60601 --weight 5
  rates run shipments.csv -o quoted.csv
  rates compare shipments.csv --against "service=C1-GROUND"
  rates batch shipments.csv -o quoted.csv --server http://127.0.0.1:3000
  rates help tariff import`;

/**
 * The program. Its `parseAsync` runs a command and rejects on failure.
 * @param called the first given word. If a command has this name, the program has no other commands
 */
export const createProgram = async (io: Io, called = ''): Promise<Command> => {
  const rates = new Command('rates')
    .description('What it costs to ship packages within the United States')
    .version(version())
    // `rates batch list --json`: options after a subcommand belong to it.
    .enablePositionalOptions()
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
    .addHelpText('after', EXIT_CODES);
  const named = GROUPS.filter(({ words }) => words.includes(called));
  const groups = called === '--version' ? [] : named.length > 0 ? named : GROUPS;
  const commands = await Promise.all(groups.map(({ load }) => load()));
  addCommands(rates, [...commands.flat(), completion(() => rates)], io);
  rates.addCommand(helpCommand(rates));
  return throwing(rates);
};
