#!/usr/bin/env node
/** The `rates` command. Determines how each subcommand ends. */
import { CommanderError } from 'commander';
import { CommandFailure, EXIT, exitCodeOf, failureText, isBrokenPipe } from './exit.ts';
import { processIo, say } from './io.ts';
import { createProgram } from './program.ts';

const io = processIo();

const end = (error: unknown): never => {
  // Commander has printed the problem or the help.
  if (error instanceof CommanderError) return process.exit(error.exitCode === 0 ? EXIT.done : EXIT.usage);
  const verbose = ['debug', 'trace'].includes(io.env['LOG_LEVEL'] ?? '');
  const words = isBrokenPipe(error) ? '' : failureText(error, verbose);
  if (words !== '') say(io, words);
  return process.exit(exitCodeOf(error));
};

// After a reader leaves (`| head`), the next write fails. A command that awaits its writes cleans up and ends with that
// error. Other commands have ended before the error arrives.
let outputFailure: unknown;
let hasEnded = false;
process.stdout.on('error', (error) => {
  outputFailure ??= error;
  if (hasEnded) end(error);
});
try {
  const program = await createProgram(io, process.argv[2]);
  await program.parseAsync();
  hasEnded = true;
  if (outputFailure !== undefined) end(outputFailure);
} catch (error) {
  end(error instanceof CommandFailure ? error : (outputFailure ?? error));
}
