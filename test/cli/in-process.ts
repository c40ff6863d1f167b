/** Runs the `rates` command in the test's own process, which is quicker. */
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Command, CommanderError } from 'commander';
import { EXIT, exitCodeOf, failureText } from '../../src/cli/exit.ts';
import { say } from '../../src/cli/io.ts';
import { createProgram } from '../../src/cli/program.ts';
import { NO_PROFILES } from './rates.ts';

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

// Each command adds signal listeners to the process.
process.setMaxListeners(200);

const withSubcommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withSubcommands)];

/** Runs a command to its end, as `main.ts` does. */
export const ratesHere = async (
  args: readonly string[],
  { env = {}, input = '' }: { readonly env?: NodeJS.ProcessEnv; readonly input?: string | Buffer } = {},
): Promise<Said> => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const heard = Promise.all([text(stdout), text(stderr)]);
  let code: number = EXIT.done;
  const setExitCode = (given: number): void => {
    code = given;
  };
  const io = {
    stdin: Readable.from([input]),
    stdout,
    stderr,
    env: { ...NO_PROFILES, ...env },
    execArgv: ['--import', 'tsx'],
    setExitCode,
  };
  const program = await createProgram(io, args[0]);
  for (const command of withSubcommands(program))
    command.configureOutput({ writeOut: (words) => stdout.write(words), writeErr: (words) => stderr.write(words) });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) code = error.exitCode === 0 ? EXIT.done : EXIT.usage;
    else {
      say(io, failureText(error, false));
      code = exitCodeOf(error);
    }
  }
  stdout.end();
  stderr.end();
  const [out, words] = await heard;
  return { code, stdout: out, stderr: words };
};
