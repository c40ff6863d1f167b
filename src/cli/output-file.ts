/**
 * Where a command writes its rows: a file, written aside and renamed into its place when it is whole, or the standard
 * output. What is no plain file (`/dev/null`, a pipe) is written to directly.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { atPath, CommandFailure, EXIT } from './exit.ts';
import { type Io, write } from './io.ts';

export interface OutputFile {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** All has been written: it takes its place. */
  readonly commit: () => Promise<void>;
  /** Leaves nothing behind, and what was there before as it was. */
  readonly abandon: () => Promise<void>;
  /** False where what was written cannot be taken back. */
  readonly canBeginAgain: boolean;
}

const NOTHING = async (): Promise<void> => undefined;

/** Has what fails say where. */
const naming = async <T>(path: string, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw atPath(error, path);
  }
};

const writeInto = (file: FileHandle, path: string) => (bytes: Uint8Array) => naming(path, file.writeFile(bytes));

const direct = async (path: string): Promise<OutputFile> => {
  const file = await open(path, 'w');
  const close = (): Promise<void> => file.close();
  return { write: writeInto(file, path), commit: close, abandon: close, canBeginAgain: false };
};

/** The file that is to be written, or undefined where the path names something else that can be written to. */
const targetOf = async (path: string): Promise<string | undefined> => {
  const before = await stat(path).catch(() => undefined);
  if (before?.isDirectory()) throw new CommandFailure(`${path} is a folder: name the file to write.`);
  if (before !== undefined && !before.isFile()) return undefined;
  // A link keeps its place: the file that it names is replaced.
  const target = before === undefined ? resolve(path) : await realpath(path);
  const folder = dirname(target);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new CommandFailure(`The folder ${folder} does not exist: make it, or name another place for the output.`);
  await naming(folder, access(folder, constants.W_OK));
  return target;
};

/** Which file a path names, through links and under whatever name; undefined where it names no plain file. */
const identityOf = async (path: string): Promise<string | undefined> => {
  // What cannot be looked at is told where it is opened.
  const found = path === '-' ? undefined : await stat(path, { bigint: true }).catch(() => undefined);
  return found?.isFile() === true ? `${found.dev} ${found.ino}` : undefined;
};

/**
 * Tells before any work is done that its output could not be written, or would take the place of the list.
 * @param list whose rows it will hold; `-` or undefined where that is no file
 * @throws {CommandFailure}
 */
export const requireOutput = async (path: string, list: string | undefined): Promise<void> => {
  if (path === '-') return;
  const own = list === undefined ? undefined : await identityOf(list);
  if (own !== undefined && own === (await identityOf(path)))
    throw new CommandFailure(
      `${path} is the list itself, which the output would replace: name another file with -o.`,
      EXIT.usage,
    );
  await targetOf(path);
};

/** @param path a file, or `-` for the standard output */
export const openOutput = async (path: string, { stdout }: Pick<Io, 'stdout'>): Promise<OutputFile> => {
  if (path === '-') {
    const toStdout = (bytes: Uint8Array): Promise<void> => naming('standard output', write(stdout, bytes));
    return { write: toStdout, commit: NOTHING, abandon: NOTHING, canBeginAgain: false };
  }
  const target = await targetOf(path);
  if (target === undefined) return await direct(path);
  const aside = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`);
  const file = await naming(path, open(aside, 'wx'));
  const abandon = async (): Promise<void> => {
    await file.close();
    await rm(aside, { force: true });
  };
  return {
    write: writeInto(file, path),
    commit: async () => {
      await naming(path, file.close());
      await rename(aside, target);
    },
    abandon,
    canBeginAgain: true,
  };
};
