/**
 * `rates completion bash`: a script generated from the program's commands, so that it always matches them. It works in bash
 * 3.2 and later, with or without the package bash-completion, and in zsh after bashcompinit.
 */
import type { Command, Option } from 'commander';
import { z } from 'zod';
import { command, type Declared, input } from './command.ts';

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
      .filter(({ path }) => path !== '')
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
export const completion = (program: () => Command): Declared =>
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
