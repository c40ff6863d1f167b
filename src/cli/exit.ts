/** How a command ends: its exit codes (contract, Command line), and failures in words for people. */
import { ClientsFileError } from '../clients/clients.ts';
import { ConfigError } from '../config/settings.ts';

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unauthorised: 3,
  /** Done, and some rows (or the one quote) have a fault. */
  faulted: 4,
  interrupted: 130,
} as const;
/** How a worker process ends that stood still. Whoever started it starts it again. */
export const STOOD_STILL = 75;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * A command that cannot go on. The message is for people and says what to do about it; it is empty where the process that
 * this befell has said that.
 */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
  }
}

const field = (error: Error, name: 'code' | 'path' | 'port' | 'address'): string | undefined => {
  const value: unknown = Object.getOwnPropertyDescriptor(error, name)?.value;
  return value === undefined ? undefined : String(value);
};

/** Where the service cannot listen. */
const listenText = (error: Error): string | undefined => {
  const port = field(error, 'port');
  if (port === undefined) return undefined;
  switch (field(error, 'code')) {
    case 'EADDRINUSE':
      return `Port ${port} is taken: choose another with PORT, or 0 for any free one.`;
    case 'EACCES':
      return `Port ${port} is not for this user: choose one above 1023 with PORT.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${field(error, 'address') ?? 'HOST'} is not an address of this machine: choose one with HOST.`;
    default:
      return undefined;
  }
};

/** The system's error codes that people meet, and what to do about each. */
const systemText = (error: Error, known?: string): string | undefined => {
  const path = field(error, 'path') ?? known;
  const it = path ?? 'It';
  switch (field(error, 'code')) {
    case 'ENOENT':
      return `${it} does not exist: is the name right?`;
    case 'EACCES':
    case 'EPERM':
      return `${it} cannot be opened: this user is not permitted to. Have that changed, or name another.`;
    case 'EISDIR':
      return `${it} is a folder: name a file.`;
    case 'ENOTDIR':
      return `${it} does not exist: a part of it is not a folder.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk is full${path === undefined ? '' : ` (${path})`}: make room and run the command again.`;
    case 'EROFS':
      return `${it} cannot be written: its disk is read-only. Name another place.`;
    case 'EIO':
      return `${it} cannot be read or written: the disk reports an error. Name another place.`;
    case 'EMFILE':
    case 'ENFILE':
      return 'Too many files are open: raise the limit (ulimit -n), or end other programs.';
    default:
      return undefined;
  }
};

/** An error of the system that does not say which file it is of, in words that do; any other as it is. */
export const atPath = (error: unknown, path: string): unknown => {
  const words = error instanceof Error && !isBrokenPipe(error) ? systemText(error, path) : undefined;
  return words === undefined ? error : new CommandFailure(words, EXIT.failed, { cause: error });
};

/** Whether whoever read the standard output has left (`| head`): no failure that anyone wants to be told. */
export const isBrokenPipe = (error: unknown): boolean => error instanceof Error && field(error, 'code') === 'EPIPE';

/** A failure in words, without a stack unless it is a bug and `verbose`. */
export const failureText = (error: unknown, verbose: boolean): string => {
  if (!(error instanceof Error)) return `It failed: ${String(error)}`;
  if (error instanceof CommandFailure || error instanceof ConfigError || error instanceof ClientsFileError)
    return error.message;
  const words = listenText(error) ?? systemText(error) ?? error.message;
  return verbose ? `${words}\n${error.stack ?? ''}` : words;
};

export const exitCodeOf = (error: unknown): ExitCode =>
  error instanceof CommandFailure ? error.exitCode : EXIT.failed;
