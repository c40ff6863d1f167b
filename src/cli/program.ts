/** All commands of `rates`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { ROOT } from '../base/config/settings.ts';
import { agreementCommands } from './agreement/agreement.ts';
import { batchCommands } from './batch/batch.ts';
import { login, logout } from './batch/login.ts';
import { clientCommands } from './client/client-command.ts';
import { addCommands, command, input } from './command.ts';
import { compare } from './compare/compare.ts';
import { completion } from './completion.ts';
import { CommandFailure, EXIT } from './exit.ts';
import type { Io } from './io.ts';
import { publish } from './publish.ts';
import { quote } from './rate/quote.ts';
import { run } from './rate/run.ts';
import { tariffCommands } from './tariff/tariff.ts';

const version = (): string =>
  z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).version;

// The server is loaded on demand, so that other commands start quickly.
const serve = command({
  path: 'serve',
  about: 'Run the whole service: API, workers and, without REDIS_URL, a private Redis',
  examples: [
    'rates serve',
    'PORT=8080 DATA_DIR=/var/lib/rates CLIENTS_FILE=clients.json rates serve',
    'REDIS_URL=redis://127.0.0.1:6379 WORKERS=4 rates serve',
  ],
  more: 'It runs until Ctrl-C or SIGTERM, and restarts any of its processes that ends.',
  run: async (_, io) => {
    const service = await import('./serve/serve.ts');
    await service.serve(io.env);
    process.exit(EXIT.done);
  },
});

const api = command({
  path: 'api',
  about: 'Run only the API; needs REDIS_URL',
  examples: ['REDIS_URL=redis://127.0.0.1:6379 DATA_DIR=/srv/rates PORT=8080 rates api'],
  more: 'Lists are rated by `rates worker`. Give it the same REDIS_URL, and the same DATA_DIR or STORE_URL.',
  run: async (_, io) => {
    const service = await import('./serve/api.ts');
    await service.api(io.env);
    return {};
  },
});

const worker = command({
  path: 'worker',
  about: 'Rate queued lists; needs REDIS_URL',
  options: {
    restart: input('--no-restart', 'end with 75 if the worker stalls; without it, a new one starts', z.boolean()),
  },
  examples: ['REDIS_URL=redis://127.0.0.1:6379 DATA_DIR=/srv/rates rates worker'],
  more: "Start as many as you like, on any number of machines. All use the API's REDIS_URL, and its DATA_DIR or STORE_URL.",
  run: async ({ restart }, io) => {
    const service = await import('./serve/worker.ts');
    await service.worker(io, restart);
    return {};
  },
});

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

/** `rates help`. Commander's own covers only one level of commands. */
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
            `There is no command ${names.join(' ')}. \`rates help\` lists the commands.`,
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
  rates compare shipments.csv --against "service=C1-GROUND"
  rates batch shipments.csv -o quoted.csv --server http://127.0.0.1:3000
  rates help tariff import`;

/** The program. Its `parseAsync` runs a command and rejects if it fails. */
export const createProgram = (io: Io): Command => {
  const rates = new Command('rates')
    .description('What it costs to ship packages within the United States')
    .version(version())
    // `rates batch list --json`: options after a subcommand are its own.
    .enablePositionalOptions()
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
    .addHelpText('after', EXIT_CODES);
  addCommands(
    rates,
    [
      ...[serve, api, worker, quote],
      ...batchCommands,
      ...[run, compare, login, logout],
      ...tariffCommands,
      ...agreementCommands,
      publish,
      ...clientCommands,
      completion(() => rates),
    ],
    io,
  );
  rates.addCommand(helpCommand(rates));
  return throwing(rates);
};
