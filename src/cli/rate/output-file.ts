/**
 * The output of a command: standard output, or a file that is written under a temporary name and renamed when complete.
 * Devices and pipes, such as `/dev/null`, are written directly.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { atPath, CommandFailure, wrongUse } from '../exit.ts';
import { type Io, write } from '../io.ts';

export interface OutputFile {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Moves the complete file into place. */
  readonly commit: () => Promise<void>;
  /** Removes the temporary file. Does not change an existing file. */
  readonly abandon: () => Promise<void>;
  /** False if written bytes cannot be undone. */
  readonly canBeginAgain: boolean;
}

export const ROWS_OR_JSON = 'The rows and --json cannot both go to standard output. Name a file with -o.';

const NOTHING = async (): Promise<void> => undefined;

/** Names the path in errors. */
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

/** The file to replace. Undefined if the path is a device or a pipe. */
const targetOf = async (path: string): Promise<string | undefined> => {
  const before = await stat(path).catch(() => undefined);
  if (before?.isDirectory()) throw new CommandFailure(`${path} is a folder. Name a file.`);
  if (before !== undefined && !before.isFile()) return undefined;
  // A link stays, and its target is replaced.
  const target = before === undefined ? resolve(path) : await realpath(path);
  const folder = dirname(target);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new CommandFailure(`The folder ${folder} does not exist. Create it, or name another output file.`);
  await naming(folder, access(folder, constants.W_OK));
  return target;
};

/** Identifies the file at a path, also through links. Undefined if it is not a regular file. */
const identityOf = async (path: string): Promise<string | undefined> => {
  // Opening the file will report errors.
  const found = path === '-' ? undefined : await stat(path, { bigint: true }).catch(() => undefined);
  return found?.isFile() === true ? `${found.dev} ${found.ino}` : undefined;
};

/** Endings that say what a file holds. A file with another ending, such as that of `mktemp`, holds what it does without one. */
const ENDINGS: ReadonlySet<string> = new Set(
  'csv tsv xlsx xls xlsm xlsb ods numbers parquet json jsonl ndjson xml html pdf doc docx gz zip bz2 xz zst 7z tar tgz'.split(
    ' ',
  ),
);

/** The format that the ending of an output names. Undefined for `-` and names whose ending names none. */
export const formatNamed = (path: string): string | undefined => {
  const ending = extname(path).slice(1).toLowerCase();
  return ENDINGS.has(ending) ? ending : undefined;
};

/**
 * Checks before any work that the output has an ending that fits and is writable, and does not replace the list.
 * @param list the input; `-` or undefined if it is not a file
 * @param formats those that the command writes, or only the one that an option names @throws {CommandFailure}
 */
export const requireOutput = async (
  path: string,
  list: string | undefined,
  formats: readonly string[],
): Promise<void> => {
  const format = formatNamed(path);
  if (format !== undefined && !formats.includes(format)) {
    const endings = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(formats.map((one) => `.${one}`));
    throw wrongUse(`The name of the output must end in ${endings} here, and ${path} does not.`);
  }
  if (path === '-') return;
  const own = list === undefined ? undefined : await identityOf(list);
  if (own !== undefined && own === (await identityOf(path)))
    throw wrongUse(`The output would replace the list ${path}. Name another file with -o.`);
  await targetOf(path);
};

/** @param path a file, or `-` for standard output */
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
      await naming(path, rename(aside, target));
    },
    abandon,
    canBeginAgain: true,
  };
};
