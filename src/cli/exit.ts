/** How a command ends: its exit codes (contract, Command line), and failures in words for people. */
import { ClientsFileError } from '../clients.ts';
import { ConfigError } from '../config.ts';

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unauthorised: 3,
  /** Done, and some rows (or the one quote) have a fault. */
  faulted: 4,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A command that cannot go on. The message is for people and says what to do about it. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
  }
}

const field = (error: Error, name: 'code' | 'path' | 'port'): string | undefined => {
  const value: unknown = Object.getOwnPropertyDescriptor(error, name)?.value;
  return value === undefined ? undefined : String(value);
};

/** The system's error codes that people meet, and what to do about each. */
const systemText = (error: Error): string | undefined => {
  const path = field(error, 'path') ?? 'It';
  switch (field(error, 'code')) {
    case 'ENOENT':
      return `${path} does not exist.`;
    case 'EACCES':
    case 'EPERM':
      return `${path} cannot be opened: this user is not permitted to.`;
    case 'EISDIR':
      return `${path} is a folder: name a file.`;
    case 'ENOTDIR':
      return `${path} does not exist: a part of it is not a folder.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk is full${path === 'It' ? '' : ` (${path})`}: make room and run the command again.`;
    case 'EROFS':
      return `${path} cannot be written: its disk is read-only.`;
    case 'EADDRINUSE':
      return `Port ${field(error, 'port')} is taken: choose another with PORT, or 0 for any free one.`;
    default:
      return undefined;
  }
};

/** Whether whoever read the standard output has left (`| head`): no failure that anyone wants to be told. */
export const isBrokenPipe = (error: unknown): boolean => error instanceof Error && field(error, 'code') === 'EPIPE';

/** A failure in words, without a stack unless it is a bug and `verbose`. */
export const failureText = (error: unknown, verbose: boolean): string => {
  if (!(error instanceof Error)) return `It failed: ${String(error)}`;
  if (error instanceof CommandFailure || error instanceof ConfigError || error instanceof ClientsFileError)
    return error.message;
  const words = systemText(error) ?? error.message;
  return verbose ? `${words}\n${error.stack ?? ''}` : words;
};

export const exitCodeOf = (error: unknown): ExitCode =>
  error instanceof CommandFailure ? error.exitCode : EXIT.failed;
