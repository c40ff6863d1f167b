#!/usr/bin/env node
/** The `rates` command: how each of its commands ends. */
import { CommanderError } from 'commander';
import { CommandFailure, EXIT, exitCodeOf, failureText, isBrokenPipe } from './exit.ts';
import { processIo, say } from './io.ts';
import { createProgram } from './program.ts';

const io = processIo();

const end = (error: unknown): never => {
  // Commander has said what was wrong, or printed the help that was asked for.
  if (error instanceof CommanderError) return process.exit(error.exitCode === 0 ? EXIT.done : EXIT.usage);
  const verbose = ['debug', 'trace'].includes(io.env['LOG_LEVEL'] ?? '');
  const words = isBrokenPipe(error) ? '' : failureText(error, verbose);
  if (words !== '') say(io, words);
  return process.exit(exitCodeOf(error));
};

// A reader that leaves (`| head`) is told of where the next write fails. A command that waits for its writes tidies up
// and ends by that; the others have ended before it is known.
let outputFailure: unknown;
let hasEnded = false;
process.stdout.on('error', (error) => {
  outputFailure ??= error;
  if (hasEnded) end(error);
});
try {
  await createProgram(io).parseAsync();
  hasEnded = true;
  if (outputFailure !== undefined) end(outputFailure);
} catch (error) {
  end(error instanceof CommandFailure ? error : (outputFailure ?? error));
}
