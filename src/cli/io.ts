/** The process from a command's view. Data goes to stdout. Messages and progress go to stderr. */
import type { Readable } from 'node:stream';
import { styleText } from 'node:util';
import { EXIT } from './exit.ts';
import { printable } from './format.ts';

/** An output stream, which may be a terminal. */
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

/** A line of text for people, optionally with a style. */
export type Line = string | { readonly style: Style; readonly text: string };

/** Styles text if the stream supports styles. */
export type Paint = (style: Style, text: string) => string;

/** Uses colors on a terminal that supports them, unless `NO_COLOR` or `TERM=dumb` forbids it. */
export const paintFor =
  (stream: Screen): Paint =>
  (style, text) =>
    // The condition has checked this stream. Node would check standard output.
    stream.isTTY === true && stream.hasColors?.() === true ? styleText(style, text, { validateStream: false }) : text;

/** Writes bytes or text and waits until the stream has accepted them. */
export const write = (stream: NodeJS.WritableStream, content: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(content, (error) => (error ? reject(error) : resolve()));
  });

/** Text that is safe for a terminal: it has line breaks, but nothing else that moves the cursor or changes colors. */
export const harmless = (text: string): string => text.split('\n').map(printable).join('\n');

export const say = ({ stderr }: Pick<Io, 'stderr'>, line: string): void => {
  stderr.write(`${harmless(line)}\n`);
};

/** Writes lines for people to standard output. */
export const printLines = async ({ stdout }: Pick<Io, 'stdout'>, lines: readonly Line[]): Promise<void> => {
  const paint = paintFor(stdout);
  const text = (line: Line): string =>
    typeof line === 'string' ? harmless(line) : paint(line.style, harmless(line.text));
  if (lines.length > 0) await write(stdout, `${lines.map(text).join('\n')}\n`);
};

/** Characters that are valid in JSON but control a terminal. */
const OBEYED = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

export const printJson = ({ stdout }: Pick<Io, 'stdout'>, value: unknown): Promise<void> => {
  const text = JSON.stringify(value, undefined, 2).replaceAll(
    OBEYED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return write(stdout, `${text}\n`);
};

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

/** One Ctrl-C can arrive twice: from the terminal, and from npm, which forwards it. */
const SAME_SIGNAL_MS = 1_000;

/** Calls `first` on SIGINT, SIGTERM or SIGHUP, and `again` on each later signal that is not the same Ctrl-C. */
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

/** A signal that the first Ctrl-C aborts, so that a command can clean up. A second Ctrl-C ends the process at once. */
export const interruption = (): AbortSignal => {
  const interrupted = new AbortController();
  onStopSignals(
    () => interrupted.abort(),
    () => process.exit(EXIT.interrupted),
  );
  return interrupted.signal;
};
