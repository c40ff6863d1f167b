/** Exit codes (docs/contract.md) and error messages. */
import { readFile } from 'node:fs/promises';
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

const field = (error: Error, name: 'code' | 'syscall' | 'path' | 'port' | 'address'): string | undefined => {
  const value: unknown = Object.getOwnPropertyDescriptor(error, name)?.value;
  return value === undefined ? undefined : String(value);
};

/** Messages for errors of listening on an address, by code. */
const LISTEN_TEXTS: Readonly<Record<string, (port: string, address: string) => string>> = {
  EADDRINUSE: (port) => `Port ${port} is in use. Choose another with PORT; 0 takes any free port.`,
  EACCES: (port) => `Port ${port} is reserved for privileged users. Choose one above 1023 with PORT.`,
  EADDRNOTAVAIL: (_, address) => `${address} is not an address of this machine. Choose one with HOST.`,
  ENOTFOUND: (_, address) => `${address} is not an address of this machine. Choose one with HOST.`,
};

const listenText = (error: Error): string | undefined => {
  const port = field(error, 'port');
  const text = LISTEN_TEXTS[field(error, 'code') ?? ''];
  return port === undefined ? undefined : text?.(port, field(error, 'address') ?? 'HOST');
};

const mayNotOpen = (path = 'it'): string => `This user may not open ${path}. Change the permissions, or name another.`;
const isFull = (path: string | undefined): string =>
  `The disk is full${path === undefined ? '' : ` (${path})`}. Free some space and run the command again.`;
const tooManyOpen = (): string => 'Too many files are open. Raise the limit (ulimit -n), or end other programs.';

/** Messages for common system errors, by code, with what to do. */
const SYSTEM_TEXTS: Readonly<Record<string, (path: string | undefined) => string>> = {
  ENOENT: (path = 'It') => `${path} does not exist. Check the name.`,
  EACCES: mayNotOpen,
  EPERM: mayNotOpen,
  EISDIR: (path = 'It') => `${path} is a folder. Name a file.`,
  ENOTDIR: (path = 'It') => `${path} does not exist, because a part of the path is not a folder.`,
  ENOSPC: isFull,
  EDQUOT: isFull,
  EROFS: (path = 'It') => `${path} is on a read-only disk. Name another place.`,
  EIO: (path = 'It') => `${path} cannot be read or written, because the disk reports an error. Name another place.`,
  EMFILE: tooManyOpen,
  ENFILE: tooManyOpen,
};

const systemText = (error: Error, path = field(error, 'path')): string | undefined => {
  const code = field(error, 'code') ?? '';
  const call = field(error, 'syscall') ?? '';
  if ((code === 'ENOTDIR' && /^(?:scandir|opendir)$/.test(call)) || (code === 'EEXIST' && call === 'mkdir'))
    return `${path} is a file. Name a folder.`;
  // Node says that a folder does not exist if its disk is read-only.
  if (code === 'ENOENT' && call === 'mkdir') return SYSTEM_TEXTS['EROFS']?.(path);
  return SYSTEM_TEXTS[code]?.(path);
};

/** Names a path that the user knows in a system error. Other errors stay unchanged. */
export const atPath = (error: unknown, path: string): unknown => {
  const words = error instanceof Error && !isBrokenPipe(error) ? systemText(error, path) : undefined;
  return words === undefined ? error : new CommandFailure(words, EXIT.failed, { cause: error });
};

/** Reads a file that the user named. The system's own errors about a folder do not name it. @throws {CommandFailure} */
export const textAt = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    throw atPath(error, path);
  });

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
