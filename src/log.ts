/**
 * Logging: JSON lines on stderr (stdout is for data). A message is constant; ids and counts are its fields. Addresses
 * and secrets do not belong in a log; what slips in under a known name is cut out here.
 */
import { type Logger, pino, stdTimeFunctions } from 'pino';
import type { LogLevel } from './config.ts';

export type { Logger } from 'pino';

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
      timestamp: stdTimeFunctions.isoTime,
      base: { pid: process.pid },
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 2, sync: true }),
  );
