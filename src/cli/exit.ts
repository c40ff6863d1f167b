/** Exit codes (docs/contract.md) and error messages. */
import { z } from 'zod';
import { ToldError } from '../base/failed.ts';
import { pathText } from '../base/validation.ts';

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unauthorized: 3,
  /** The command finished, but the quote or some rows have a fault. */
  faulted: 4,
  interrupted: 130,
} as const;
/** The exit code of a stalled worker. Its parent restarts it. */
export const STOOD_STILL = 75;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A command cannot continue. The message says what to do. It is empty if a child process has already printed one. */
export class CommandFailure extends ToldError {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
  }
}

/** The failure of a command whose options or arguments do not fit. */
export const wrongUse = (message: string): CommandFailure => new CommandFailure(message, EXIT.usage);

const field = (error: Error, name: 'code' | 'path' | 'port' | 'address'): string | undefined => {
  const value: unknown = Object.getOwnPropertyDescriptor(error, name)?.value;
  return value === undefined ? undefined : String(value);
};

/** Messages for errors of listening on an address. */
const listenText = (error: Error): string | undefined => {
  const port = field(error, 'port');
  if (port === undefined) return undefined;
  switch (field(error, 'code')) {
    case 'EADDRINUSE':
      return `Port ${port} is in use. Choose another with PORT; 0 takes any free port.`;
    case 'EACCES':
      return `Port ${port} is reserved for privileged users. Choose one above 1023 with PORT.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${field(error, 'address') ?? 'HOST'} is not an address of this machine. Choose one with HOST.`;
    default:
      return undefined;
  }
};

/** Messages for common system error codes, with what to do. */
const systemText = (error: Error, known?: string): string | undefined => {
  const path = field(error, 'path') ?? known;
  const it = path ?? 'It';
  switch (field(error, 'code')) {
    case 'ENOENT':
      return `${it} does not exist. Check the name.`;
    case 'EACCES':
    case 'EPERM':
      return `This user may not open ${path ?? 'it'}. Change the permissions, or name another.`;
    case 'EISDIR':
      return `${it} is a folder. Name a file.`;
    case 'ENOTDIR':
      return `${it} does not exist, because a part of the path is not a folder.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk is full${path === undefined ? '' : ` (${path})`}. Free some space and run the command again.`;
    case 'EROFS':
      return `${it} is on a read-only disk. Name another place.`;
    case 'EIO':
      return `${it} cannot be read or written, because the disk reports an error. Name another place.`;
    case 'EMFILE':
    case 'ENFILE':
      return 'Too many files are open. Raise the limit (ulimit -n), or end other programs.';
    default:
      return undefined;
  }
};

/** Adds the path to a system error without one. Other errors stay unchanged. */
export const atPath = (error: unknown, path: string): unknown => {
  const words = error instanceof Error && !isBrokenPipe(error) ? systemText(error, path) : undefined;
  return words === undefined ? error : new CommandFailure(words, EXIT.failed, { cause: error });
};

/** Whether the reader of standard output has closed it (`| head`), which needs no message. */
export const isBrokenPipe = (error: unknown): boolean => error instanceof Error && field(error, 'code') === 'EPIPE';

/** The message for stored data that is damaged or from another version. The stack shows which data. */
const damageText = (error: Error): string | undefined => {
  if (!(error instanceof z.ZodError)) return undefined;
  const members = error.issues.map(({ path }) => pathText(path)).filter((path) => path !== '');
  const where = members.length === 0 ? '' : ` at ${members.join(', ')}`;
  return `Stored data has the wrong form${where}. Run it again with LOG_LEVEL=debug to see which data.`;
};

/** A failure as text. With `verbose`, bugs include the stack. */
export const failureText = (error: unknown, verbose: boolean): string => {
  if (!(error instanceof Error)) return `It failed: ${String(error)}`;
  if (error instanceof ToldError) return error.message;
  const words = listenText(error) ?? systemText(error) ?? damageText(error) ?? error.message;
  return verbose ? `${words}\n${error.stack ?? ''}` : words;
};

export const exitCodeOf = (error: unknown): ExitCode =>
  error instanceof CommandFailure ? error.exitCode : EXIT.failed;
