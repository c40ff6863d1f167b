/** All commands of `rates`. */
import { Command, type Option } from 'commander';
import { z } from 'zod';
import { addCommands, command, type Declared, input } from './command.ts';
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

/*
 * `rates completion bash`: a script generated from the program's commands, so that it always matches them. It works in bash
 * 3.2 and later, with or without the package bash-completion, and in zsh after bashcompinit.
 */

/** Whether a name is one that the help texts use for files and folders. */
const isPath = (name: string): boolean => ['file', 'files', 'dir', 'folders', 'csv', 'before', 'after'].includes(name);

/** Words that a shell would have to quote are not offered. */
const plain = (words: readonly string[] = []): string => words.filter((word) => /^[\w.-]+$/.test(word)).join(' ');

interface Completable {
  /** Without the program's name: `tariff import`. Empty for the program itself. */
  readonly path: string;
  readonly command: Command;
}

/** A command and all its subcommands. */
const completables = (command: Command, path = ''): Completable[] => [
  { path, command },
  ...command.commands.flatMap((one) => completables(one, `${path} ${one.name()}`.trim())),
];

const flagsOf = ({ short, long }: Option): readonly string[] => [short, long].filter((one) => one !== undefined);

/** What can follow a command: subcommands, or options if the word begins with a hyphen. */
const commandCase = ({ path, command }: Completable): string => {
  const help = command.createHelp();
  const args = command.registeredArguments;
  const words = [
    ...help.visibleCommands(command).map((one) => one.name()),
    ...args.flatMap(({ argChoices }) => argChoices ?? []),
  ];
  const flags = help.visibleOptions(command).flatMap(flagsOf);
  const files = args.some((one) => isPath(one.name())) ? 1 : '';
  return `    '${path}') names='${plain(words)}' flags='${flags.join(' ')}' files=${files} ;;`;
};

/** What can follow an option. */
const optionCases = ({ path, command }: Completable): string[] =>
  command.options.flatMap((option) => {
    if (option.hidden || (!option.required && !option.optional)) return [];
    const patterns = flagsOf(option).map((one) => `'${path} ${one}'`);
    const name = /[<[]([\w-]+)/.exec(option.flags)?.[1] ?? '';
    const found = option.argChoices ? `names='${plain(option.argChoices)}'` : isPath(name) ? 'files=1' : '';
    return [`    ${patterns.join('|')}) ${found} valued=1 ;;`];
  });

const bashScript = (all: readonly Completable[]): string => `# Completion of rates for bash.
_rates() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} path='' names='' flags='' files='' valued='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${path:+$path }\${COMP_WORDS[at]}" in
    ${all
      // After `rates help`, the same words follow as after `rates`.
      .filter(({ path }) => path !== '' && path !== 'help')
      .map(({ path }) => `'${path}'`)
      .join('|')}) path="\${path:+$path }\${COMP_WORDS[at]}" ;;
    esac
  done
  case "$path $before" in
${all.flatMap(optionCases).join('\n')}
  esac
  if [ -z "$valued" ]; then
    case "$path" in
${all.map(commandCase).join('\n')}
    esac
    case "$word" in -*) names=$flags files='' ;; esac
  fi
  COMPREPLY=()
  local IFS=$' \\t\\n'
  local found
  while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen -W "$names" -- "$word")
  if [ -n "$files" ]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r found; do COMPREPLY+=("$found"); done < <(compgen -f -- "$word")
  fi
}
complete -F _rates rates
`;

/** @param program called when the script is printed, because this command is part of the program */
const completion = (program: () => Command): Declared =>
  command({
    path: 'completion',
    about: 'Print a completion script for a shell',
    args: { shell: input('<shell>', '', z.enum(['bash'])) },
    examples: [
      'source <(rates completion bash)                                  # in ~/.bashrc',
      'autoload -U bashcompinit && bashcompinit && source <(rates completion bash)   # in ~/.zshrc, after compinit',
    ],
    run: async () => ({ data: bashScript(completables(program())) }),
  });
