/**
 * Logging to stderr, because stdout is for data. Lines are JSON, or text for people at a terminal. Messages are
 * constant. Ids and counts are fields. Addresses and secrets must not be logged. Known fields are redacted.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { styleText } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';
import { z } from 'zod';
import type { LogFormat, LogLevel } from './config/settings.ts';

/* Log lines for people: `14:03:07.120 warn  api[4711]: a tariff is refused  errors=2`, from the JSON lines of the log. */

const line = z.looseObject({
  level: z.string(),
  time: z.string(),
  pid: z.number(),
  name: z.string(),
  msg: z.string().optional(),
  err: z.looseObject({ message: z.string(), stack: z.string().optional() }).optional(),
});

/** Text from outside could contain commands for the terminal. */
const shown = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);

const PLAIN = /^[\w@%+:,./?&=-]+$/;

const valueText = (value: unknown): string =>
  typeof value === 'string' && PLAIN.test(value) ? value : shown(JSON.stringify(value));

/** Returns the time of day on this machine, to the millisecond. */
const timeText = (time: string): string => {
  const at = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const seconds = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  return `${seconds}.${String(at.getMilliseconds()).padStart(3, '0')}`;
};

const COLORS: Readonly<Record<string, 'yellow' | 'red'>> = { warn: 'yellow', error: 'red', fatal: 'red' };

/**
 * Converts a JSON line to text, with its line end. An error's stack follows on separate lines.
 * @param hasColors whether to color levels of problems
 * @returns the line unchanged if it is not a line of the log
 */
export const textLine = (json: string, hasColors: boolean): string => {
  const read = line.safeParse(JSON.parse(json));
  if (!read.success) return json;
  const { level, time, pid, name, msg, err, ...fields } = read.data;
  const color = hasColors ? COLORS[level] : undefined;
  const label = level.padEnd(5);
  const levelText = color === undefined ? label : styleText(color, label, { validateStream: false });
  const parts = [
    `${timeText(time)} ${levelText} ${name}[${pid}]: ${shown(msg ?? '')}`,
    ...Object.entries(fields).map(([field, value]) => `${shown(field)}=${valueText(value)}`),
    ...(err === undefined ? [] : [`error=${valueText(err.message)}`]),
  ];
  const stack = (err?.stack ?? '').split('\n').slice(1);
  return [parts.join('  '), ...stack.map((frame) => `  ${shown(frame).trim()}`), ''].join('\n');
};

export type { Logger } from 'pino';

/** The id of the request that caused the current work. It follows asynchronous calls. */
const causes = new AsyncLocalStorage<string | undefined>();

/** Runs work, and everything it awaits, as caused by a request. Without an id, the work has no cause. */
export const causedBy = <T>(requestId: string | undefined, work: () => T): T => causes.run(requestId, work);

/** Returns the causing request as a field for a log line or a job. Empty if there is none. */
export const cause = (): { readonly requestId?: string } => {
  const requestId = causes.getStore();
  return requestId === undefined ? {} : { requestId };
};

const NEVER_LOGGED = [
  'addressLine',
  'postalCode',
  'recipient',
  'authorization',
  'cookie',
  'client_secret',
  'access_token',
  'secret',
  'password',
  'token',
  'tokenSecret',
  'operatorToken',
  'redisUrl',
];

const redact = {
  // ioredis attaches the failed command with all its arguments to the error.
  paths: [...NEVER_LOGGED.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), 'err.command.args'],
  censor: '[redacted]',
};

let second = 0;
let secondText = '';
/** Returns the time as a field of a line. The text of the second is cached for busy processes. */
const timestamp = (): string => {
  const now = Date.now();
  const ms = now % 1_000;
  if (now - ms !== second) {
    second = now - ms;
    secondText = `,"time":"${new Date(second).toISOString().slice(0, -4)}`;
  }
  return `${secondText}${String(ms).padStart(3, '0')}Z"`;
};

export interface LogOptions {
  readonly level: LogLevel;
  /** The process: `serve`, `api` or `worker`. */
  readonly name: string;
  /** Default: text if stdout and stderr are a terminal, otherwise JSON. */
  readonly format?: LogFormat | undefined;
  /** Returns fields for each line when it is written. */
  readonly fields?: () => object;
  /** Whether to write the lines of one turn of the event loop together, at its end. */
  readonly gather?: boolean;
  /** Receives each line with the level `error` or `fatal`, as JSON. */
  readonly onError?: (line: string) => void;
}

/** Returns the form of the lines. Programs that read a pipe or a file get JSON, unless the setting says otherwise. */
export const logFormatOf = (asked: LogFormat | undefined): LogFormat =>
  asked ?? (process.stdout.isTTY && process.stderr.isTTY ? 'text' : 'json');

/** Writes each line before the call returns. */
const immediate = () => pino.destination({ dest: 2, sync: true });

/** Writes each line at once, as text for people. */
const readable = (): DestinationStream => {
  const out = immediate();
  const hasColors = process.stderr.isTTY && process.stderr.hasColors();
  return { write: (line) => out.write(textLine(line, hasColors)) };
};

/**
 * Writes the lines of a turn of the event loop together: under load, single writes took a twentieth of the time of a quote.
 * A process that exits writes its lines first. A killed process loses the lines of its last turn.
 */
const batched = (): DestinationStream & { readonly flush: () => void } => {
  const out = immediate();
  let lines = '';
  const flush = (): void => {
    const due = lines;
    lines = '';
    if (due !== '') out.write(due);
  };
  process.on('exit', flush);
  return {
    write: (line) => {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
    flush,
  };
};

/** Also passes the lines of errors to `onError`. The level is the first field of a line. */
const overheard = (
  out: DestinationStream & { readonly flush?: () => void },
  onError: (line: string) => void,
): DestinationStream & { readonly flush: () => void } => ({
  write: (line) => {
    out.write(line);
    if (line.startsWith('{"level":"error"') || line.startsWith('{"level":"fatal"')) onError(line);
  },
  flush: () => out.flush?.(),
});

const destinationOf = ({ format, gather = false, onError }: LogOptions): DestinationStream => {
  const out = logFormatOf(format) === 'text' ? readable() : gather ? batched() : immediate();
  return onError === undefined ? out : overheard(out, onError);
};

/** Creates a logger. It loses no line when the process exits. */
export const createLog = (options: LogOptions): Logger => {
  const { level, name, fields } = options;
  return pino(
    {
      level,
      name,
      redact,
      timestamp,
      base: { pid: process.pid },
      ...(fields !== undefined && { mixin: fields }),
      formatters: { level: (label) => ({ level: label }) },
    },
    destinationOf(options),
  );
};
