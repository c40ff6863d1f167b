/**
 * Logging: JSON lines on stderr (stdout is for data). A message is constant; ids and counts are its fields. Addresses
 * and secrets do not belong in a log; what slips in under a known name is cut out here.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

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

let lastMs = 0;
let lastTime = '';
/** The time as a field of a line; a busy process writes many in one millisecond. */
const timestamp = (): string => {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastTime = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastTime;
};

export interface LogOptions {
  readonly level: LogLevel;
  /** Which process speaks: `serve`, `api`, `worker`. */
  readonly name: string;
}

/** A logger whose lines are written before the call returns, so that none is lost when the process ends. */
export const createLog = ({ level, name }: LogOptions): Logger =>
  pino(
    {
      level,
      name,
      redact,
      timestamp,
      base: { pid: process.pid },
      mixin: cause,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 2, sync: true }),
  );
