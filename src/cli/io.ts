/** What a command has of the process that runs it. Data goes to stdout, words and progress to stderr. */
import type { Readable } from 'node:stream';
import { styleText } from 'node:util';
import { EXIT } from './exit.ts';

/** A stream that words or rows are written to; a terminal says so, and what it is like. */
export interface Screen extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly hasColors?: () => boolean;
}

export interface Io {
  readonly stdin: Readable;
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly env: NodeJS.ProcessEnv;
  readonly execArgv: readonly string[];
  readonly setExitCode: (code: number) => void;
}

type Style = 'bold' | 'dim' | 'cyan';

/** Puts a style on text; leaves it plain where the stream shows none. */
export type Paint = (style: Style, text: string) => string;

/** Colours on a terminal that has them, unless `NO_COLOR` (or `TERM=dumb`) says otherwise. */
export const paintFor =
  (stream: Screen): Paint =>
  (style, text) =>
    // The stream has been asked; newer Nodes would ask standard output, which may be another.
    stream.isTTY === true && stream.hasColors?.() === true ? styleText(style, text, { validateStream: false }) : text;

/** Writes bytes or text, and waits until they have been taken. */
export const write = (stream: NodeJS.WritableStream, content: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(content, (error) => (error ? reject(error) : resolve()));
  });

export const say = ({ stderr }: Pick<Io, 'stderr'>, line: string): void => {
  stderr.write(`${line}\n`);
};

export const printJson = ({ stdout }: Pick<Io, 'stdout'>, value: unknown): Promise<void> =>
  write(stdout, `${JSON.stringify(value, undefined, 2)}\n`);

/** The streams, environment and exit code of this process. */
export const processIo = (): Io => ({
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  execArgv: process.execArgv,
  setExitCode: (code) => {
    process.exitCode = code;
  },
});

/** One Ctrl-C can arrive twice: from the terminal, and from npm, which passes it on. */
const SAME_SIGNAL_MS = 1_000;

/** Calls `first` on SIGINT, SIGTERM or SIGHUP, and `again` on each later one that is not the same Ctrl-C. */
export const onStopSignals = (first: () => void, again: () => void): void => {
  let firstAt: number | undefined;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (firstAt === undefined) {
        firstAt = performance.now();
        first();
      } else if (performance.now() - firstAt > SAME_SIGNAL_MS) again();
    });
  }
};

/** A signal that the first Ctrl-C aborts, so that a command can clean up. A second one ends the process at once. */
export const interruption = (): AbortSignal => {
  const interrupted = new AbortController();
  onStopSignals(
    () => interrupted.abort(),
    () => process.exit(EXIT.interrupted),
  );
  return interrupted.signal;
};
