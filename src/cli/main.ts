#!/usr/bin/env node
/** The `rates` command. It decides how each subcommand ends. */
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

// After a reader leaves (`| head`), the next write fails. A command that waits for its writes cleans up and ends with that
// error. Others have ended before it arrives.
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
