/** `rates completion`: a script for a shell, made from the program's commands as they are. */
import { Argument, Command } from 'commander';
import { bashScript } from './completion-bash.ts';
import { fishScript } from './completion-fish.ts';
import { type Completable, completables } from './completion-tree.ts';
import { zshScript } from './completion-zsh.ts';
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

/** @param program whose commands are completed, asked when the script is printed */
export const completionCommand = (io: Pick<Io, 'stdout'>, program: () => Command): Command =>
  new Command('completion')
    .description('Print a script that has a shell complete commands, options and their values')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', EXAMPLES)
    .action((shell: string) => write(io.stdout, SCRIPTS[shell]?.(completables(program())) ?? ''));
