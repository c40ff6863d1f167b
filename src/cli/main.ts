#!/usr/bin/env node
/** The `rates` command: all of its commands, and how each failure ends. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { z } from 'zod';
import { ROOT } from '../config.ts';
import { batchCommand } from './batch.ts';
import { clientCommand } from './client-command.ts';
import { EXIT, exitCodeOf, failureText, isBrokenPipe } from './exit.ts';
import { type Io, say } from './io.ts';
import { quoteCommand } from './quote.ts';
import { runCommand } from './run.ts';
import { tariffCommand } from './tariff.ts';
import { workerCommand } from './worker.ts';

const io: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  execArgv: process.execArgv,
  setExitCode: (code) => {
    process.exitCode = code;
  },
};

const version = (): string =>
  z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).version;

// What serves is loaded only where it is asked for: a quote need not wait for it.
const serveCommand = (): Command =>
  new Command('serve')
    .description('Serve: API and workers, and a Redis of their own where REDIS_URL names none')
    .action(async () => {
      const { serve } = await import('./serve.ts');
      await serve(io.env);
      process.exit(EXIT.done);
    });

const apiCommand = (): Command =>
  new Command('api').description('Serve the API alone; needs REDIS_URL').action(async () => {
    const { api } = await import('./api.ts');
    await api(io.env);
  });

const EXIT_CODES = `
Settings are environment variables, described in the README.
Exit codes: 0 done, 1 failed, 2 usage, 3 unauthorised, 4 done with faulted rows, 130 interrupted.`;

/** Has a command and those below it throw instead of ending the process, so that every end is decided here. */
const throwing = (command: Command): Command => {
  command.exitOverride().showHelpAfterError(`Say \`rates help ${command.name()}\` for how it is used.`);
  command.commands.forEach(throwing);
  return command;
};

const program = (): Command => {
  const rates = new Command('rates')
    .description('What it costs to ship packages within the United States')
    .version(version())
    .addHelpText('after', EXIT_CODES);
  const commands = [
    serveCommand(),
    apiCommand(),
    workerCommand(io),
    quoteCommand(io),
    batchCommand(io),
    runCommand(io),
    tariffCommand(io),
    clientCommand(io),
  ];
  for (const command of commands) rates.addCommand(command);
  return throwing(rates).showHelpAfterError('Say `rates help` for the commands.');
};

const end = (error: unknown): never => {
  // Commander has said what was wrong, or printed the help that was asked for.
  if (error instanceof CommanderError) return process.exit(error.exitCode === 0 ? EXIT.done : EXIT.usage);
  const verbose = ['debug', 'trace'].includes(io.env['LOG_LEVEL'] ?? '');
  if (!isBrokenPipe(error)) say(io, failureText(error, verbose));
  return process.exit(exitCodeOf(error));
};

// A reader that leaves (`| head`) is told of where the next write fails; without a listener it would end in a stack.
process.stdout.on('error', end);
try {
  await program().parseAsync();
} catch (error) {
  end(error);
}
