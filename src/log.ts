/**
 * Logging: JSON lines on stderr (stdout is for data). A message is constant; ids and counts are its fields. Addresses
 * and secrets do not belong in a log; what slips in under a known name is cut out here.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config/settings.ts';

export type { Logger } from 'pino';

/** The request that caused what is being done, carried along by whatever is awaited. */
const causes = new AsyncLocalStorage<string | undefined>();

/** Does some work, and all that it awaits, as caused by a request; by none where there is no id. */
export const causedBy = <T>(requestId: string | undefined, work: () => T): T => causes.run(requestId, work);

/** The request that caused this, as a field of a log line or of a job that it adds; nothing where none did. */
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
  // ioredis hangs the failed command with all its arguments on the error.
  paths: [...NEVER_LOGGED.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), 'err.command.args'],
  censor: '[redacted]',
};

let second = 0;
let secondText = '';
/** The time as a field of a line. A busy process writes many in a second, of which only the milliseconds differ. */
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
  /** Which process speaks: `serve`, `api`, `worker`. */
  readonly name: string;
  /** Fields of every line, asked for when it is written. */
  readonly fields?: () => object;
  /** Whether the lines of one turn of the event loop are written together, at its end. */
  readonly gather?: boolean;
}

/** Lines are handed to the system before the call returns. */
const atOnce = () => pino.destination({ dest: 2, sync: true });

/**
 * Lines are handed to the system when the event loop has come round: under load, writing each by itself was a twentieth
 * of the time that a quote takes. A process that ends writes them first; one that is killed loses those of its last turn.
 */
const byTurns = (): DestinationStream => {
  const out = atOnce();
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
  };
};

/** A logger none of whose lines is lost when the process ends. */
export const createLog = ({ level, name, fields, gather = false }: LogOptions): Logger =>
  pino(
    {
      level,
      name,
      redact,
      timestamp,
      base: { pid: process.pid },
      ...(fields !== undefined && { mixin: fields }),
      formatters: { level: (label) => ({ level: label }) },
    },
    gather ? byTurns() : atOnce(),
  );
