/** All commands of `rates`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { ROOT } from '../config/settings.ts';
import { batchCommand } from './batch.ts';
import { clientCommand } from './client-command.ts';
import { completionCommand } from './completion.ts';
import { CommandFailure, EXIT } from './exit.ts';
import type { Io } from './io.ts';
import { quoteCommand } from './quote.ts';
import { runCommand } from './run.ts';
import { tariffCommand } from './tariff.ts';
import { workerCommand } from './worker.ts';

const version = (): string =>
  z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).version;

const SERVE_EXAMPLES = `
Examples:
  rates serve
  PORT=8080 DATA_DIR=/var/lib/rates CLIENTS_FILE=clients.json rates serve
  REDIS_URL=redis://127.0.0.1:6379 WORKERS=4 rates serve

It runs until Ctrl-C or SIGTERM, and starts again whatever of it ends by itself.`;

const API_EXAMPLES = `
Examples:
  REDIS_URL=redis://127.0.0.1:6379 DATA_DIR=/srv/rates PORT=8080 rates api

Lists are rated by \`rates worker\`, with the same REDIS_URL and the same DATA_DIR or STORE_URL.`;

// What serves is loaded only where it is asked for: a quote need not wait for it.
const serveCommand = (io: Io): Command =>
  new Command('serve')
    .description('Serve: API and workers, and a Redis of their own where REDIS_URL names none')
    .addHelpText('after', SERVE_EXAMPLES)
    .action(async () => {
      const { serve } = await import('./serve.ts');
      await serve(io.env);
      process.exit(EXIT.done);
    });

const apiCommand = (io: Io): Command =>
  new Command('api')
    .description('Serve the API alone; needs REDIS_URL')
    .addHelpText('after', API_EXAMPLES)
    .action(async () => {
      const { api } = await import('./api.ts');
      await api(io.env);
    });

const EXIT_CODES = `
Settings are environment variables, described in docs/operating.md.
Exit codes: 0 done, 1 failed, 2 usage, 3 unauthorised, 4 done with faulted rows, 130 interrupted.`;

/** Has a command and those below it throw instead of ending the process, so that every end is decided here. */
const throwing = (command: Command, path: readonly string[] = []): Command => {
  const hint = path.length === 0 ? 'for the commands' : 'for how it is used';
  command.exitOverride().showHelpAfterError(`Say \`${['rates help', ...path].join(' ')}\` ${hint}.`);
  for (const one of command.commands) throwing(one, [...path, one.name()]);
  return command;
};

/** Commander's own help goes one command deep; this one as deep as the commands are. */
const helpCommand = (program: Command): Command =>
  new Command('help')
    .description('Show how a command is used, with examples')
    .argument('[command...]')
    .action((names: string[]) => {
      let command = program;
      for (const name of names) {
        const found = command.commands.find((one) => one.name() === name);
        if (found === undefined)
          throw new CommandFailure(
            `There is no command ${names.join(' ')}; \`rates help\` lists those that there are.`,
            EXIT.usage,
          );
        command = found;
      }
      command.help();
    });

const EXAMPLES = `
Examples:
  rates quote --warehouse 101 --zip 60601 --weight 5
  rates run shipments.csv -o quoted.csv
  rates batch shipments.csv -o quoted.csv --server http://127.0.0.1:3000
  rates help tariff import`;

/** The program; what it is given to do, and what goes wrong with that, comes out of its `parseAsync`. */
export const createProgram = (io: Io): Command => {
  const rates = new Command('rates')
    .description('What it costs to ship packages within the United States')
    .version(version())
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
    .addHelpText('after', EXIT_CODES);
  const commands = [
    serveCommand(io),
    apiCommand(io),
    workerCommand(io),
    quoteCommand(io),
    batchCommand(io),
    runCommand(io),
    tariffCommand(io),
    clientCommand(io),
    completionCommand(io, () => rates),
    helpCommand(rates),
  ];
  for (const command of commands) rates.addCommand(command);
  return throwing(rates);
};
