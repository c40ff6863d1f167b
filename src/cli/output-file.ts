/**
 * Where a command writes its rows: a file, written aside and renamed into its place when it is whole, or the standard
 * output. What is no plain file (`/dev/null`, a pipe) is written to directly.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandFailure } from './exit.ts';
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

const direct = async (path: string): Promise<OutputFile> => {
  const file = await open(path, 'w');
  const close = (): Promise<void> => file.close();
  return { write: (bytes) => file.writeFile(bytes), commit: close, abandon: close, canBeginAgain: false };
};

/** @param path a file, or `-` for the standard output */
export const openOutput = async (path: string, { stdout }: Pick<Io, 'stdout'>): Promise<OutputFile> => {
  if (path === '-')
    return { write: (bytes) => write(stdout, bytes), commit: NOTHING, abandon: NOTHING, canBeginAgain: false };
  const before = await stat(path).catch(() => undefined);
  if (before?.isDirectory()) throw new CommandFailure(`${path} is a folder: name the file to write.`);
  if (before !== undefined && !before.isFile()) return await direct(path);
  // A link keeps its place: the file that it names is replaced.
  const target = before === undefined ? resolve(path) : await realpath(path);
  await mkdir(dirname(target), { recursive: true });
  const aside = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`);
  const file = await open(aside, 'wx');
  const abandon = async (): Promise<void> => {
    await file.close();
    await rm(aside, { force: true });
  };
  return {
    write: (bytes) => file.writeFile(bytes),
    commit: async () => {
      await file.close();
      await rename(aside, target);
    },
    abandon,
    canBeginAgain: true,
  };
};
