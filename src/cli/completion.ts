/** `rates completion`: a script for a shell, read from the program's own commands, so that it cannot differ from them. */

import { Argument, Command, type Option } from 'commander';
import { must } from '../must.ts';
import { bashScript, type Completable, type CompletableOption, fishScript, zshScript } from './completion-scripts.ts';
import { type Io, write } from './io.ts';

const SCRIPTS: Readonly<Record<string, (commands: readonly Completable[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const EXAMPLES = `
Examples:
  source <(rates completion bash)                                  # in ~/.bashrc
  source <(rates completion zsh)                                   # in ~/.zshrc, after compinit
  rates completion fish > ~/.config/fish/completions/rates.fish`;

/** @param program read when the script is printed, because this command is part of it */
export const completionCommand = (io: Pick<Io, 'stdout'>, program: () => Command): Command =>
  new Command('completion')
    .description('Print a completion script for a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', EXAMPLES)
    .action((shell: string) =>
      write(io.stdout, must(SCRIPTS[shell], 'the script of a shell')(completables(program()))),
    );

/** True for the names that files and folders have in the help texts. */
const isPath = (name: string): boolean => ['file', 'files', 'dir', 'folders', 'csv', 'before', 'after'].includes(name);

/** The first clause, shown beside the word. */
const short = (description: string): string => description.split(/[;:]/, 1)[0] ?? '';

const kindOfValue = ({ flags, argChoices, required, optional }: Option): CompletableOption['value'] => {
  // Words that need quoting in a shell are not offered.
  if (argChoices !== undefined) return argChoices.filter((choice) => /^[\w.-]+$/.test(choice));
  if (!required && !optional) return 'none';
  return isPath(/[<[]([\w-]+)/.exec(flags)?.[1] ?? '') ? 'file' : 'unknown';
};

const optionOf = (option: Option): CompletableOption => ({
  flags: [option.short, option.long].filter((flag) => flag !== undefined),
  description: short(option.description),
  value: kindOfValue(option),
});

/** A command and all its subcommands. */
const completables = (command: Command, path = ''): Completable[] => {
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command);
  const own: Completable = {
    path,
    subcommands: subcommands.map((one) => ({ name: one.name(), description: short(one.description()) })),
    options: help.visibleOptions(command).map(optionOf),
    words: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    takesFiles: command.registeredArguments.some((argument) => isPath(argument.name())),
  };
  const below = subcommands.filter((one) => one.name() !== 'help');
  return [own, ...below.flatMap((one) => completables(one, `${path} ${one.name()}`.trim()))];
};
