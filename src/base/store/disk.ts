/**
 * The store on a disk. A key is a path below one folder. An object is written to a temporary file and then renamed, so that
 * it is complete or absent. Names of temporary files begin with `.` and are not listed; `sweep` removes those that a killed
 * process left. Only the owner can read the files.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import {
  type ByteRange,
  CHECKS,
  checkedKey,
  type IsAbandoned,
  MissingObject,
  type PutOptions,
  roomOf,
  type Store,
} from './store.ts';

/** Files and folders are for their owner only. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

/**
 * Minimum size of a write. Uploads arrive in small pieces. A longer write holds a core for milliseconds, and quotes wait.
 */
const WRITE_BYTES = 128 * 1024;
/** Retries to remove a folder that is not empty, and how much longer each one waits. About half a second in total. */
const MOST_TRIES = 9;
const TRY_MS = 10;
/** Maximum bytes of one read. */
const PIECE_BYTES = 256 * 1024;

const writeAll = async (file: FileHandle, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<number> => {
  if (content instanceof Uint8Array) {
    for (let at = 0; at < content.length; ) at += (await file.write(content, at)).bytesWritten;
    return content.length;
  }
  let written = 0;
  let waiting: Uint8Array[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    const pieces = waiting;
    waiting = [];
    written += size;
    size = 0;
    for (let left = pieces.filter((piece) => piece.length > 0); left.length > 0; ) {
      let { bytesWritten } = await file.writev(left);
      left = left.flatMap((piece) => {
        const rest = piece.subarray(Math.min(bytesWritten, piece.length));
        bytesWritten -= piece.length - rest.length;
        return rest.length === 0 ? [] : [rest];
      });
    }
  };
  for await (const piece of content) {
    waiting.push(piece);
    size += piece.length;
    if (size >= WRITE_BYTES) await flush();
  }
  await flush();
  return written;
};

/** Flushes a file or a folder to the disk. */
const synced = async (path: string, how: 'sync' | 'datasync'): Promise<void> => {
  const file = await open(path, 'r');
  try {
    await file[how]();
  } finally {
    await file.close();
  }
};

/** Makes something at a path, and its folder if it does not exist, which is rare. */
const inFolder = async <T>(path: string, make: () => Promise<T>): Promise<T> => {
  try {
    return await make();
  } catch (error) {
    if (!isMissing(error)) throw error;
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
    return await make();
  }
};

/** @returns undefined if the file or folder does not exist */
const ifThere = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

const namesIn = async (folder: string) => (await ifThere(readdir(folder, { withFileTypes: true }))) ?? [];

/** Some file systems have no links, or only a few to one file. */
const cannotLink = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK', 'EXDEV'].includes(`${error.code}`);

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for (const entry of await namesIn(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/** Removes abandoned temporary files and files of `check`. */
const sweepRoot = async (root: string, isAbandoned: IsAbandoned): Promise<number> => {
  let removed = 0;
  for await (const path of filesBelow(root)) {
    const key = relative(root, path).split(sep).join('/');
    if (!basename(path).startsWith('.') && !key.startsWith(CHECKS)) continue;
    const found = await ifThere(stat(path));
    if (found === undefined || !isAbandoned(key, found.mtime)) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
};

/** @param copyBytes copies an object where there are no links */
const createCopy =
  (pathOf: (key: string) => string, copyBytes: (from: string, to: string) => Promise<unknown>): Store['copy'] =>
  async (from, to) => {
    const path = pathOf(to);
    try {
      await rm(path, { force: true });
      // A second name for the file. Its bytes never change, because each write makes a new file.
      await inFolder(path, () => link(pathOf(from), path));
      await synced(path, 'datasync');
      await synced(dirname(path), 'sync');
    } catch (error) {
      if (isMissing(error)) throw new MissingObject(from);
      if (!cannotLink(error)) throw error;
      await copyBytes(from, to);
    }
  };

/** Does the same as `Store.stream` for a file. @param key for the error */
async function* readPieces(
  path: string,
  key: string,
  range: ByteRange | undefined,
  into?: Buffer,
): AsyncGenerator<Buffer> {
  const to = range?.to ?? Number.POSITIVE_INFINITY;
  let at = range?.from ?? 0;
  if (at >= to) return;
  const file = await ifThere(open(path, 'r'));
  if (file === undefined) throw new MissingObject(key);
  try {
    while (at < to) {
      const bytes = into ?? Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, to - at));
      const { bytesRead } = await file.read(bytes, 0, Math.min(bytes.length, to - at), at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield bytes.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** @param root the folder, which the first write creates */
export const createDiskStore = (root: string): Store => {
  const pathOf = (key: string): string => join(root, checkedKey(key));

  const put: Store['put'] = async (key, content, { durable = false, signal }: PutOptions = {}) => {
    const path = pathOf(key);
    const temporary = join(dirname(path), `.${randomBytes(9).toString('hex')}`);
    const file = await inFolder(temporary, () => open(temporary, 'wx', FILE_MODE));
    try {
      const size = await writeAll(file, content);
      signal?.throwIfAborted();
      if (durable) await file.datasync();
      await file.close();
      await rename(temporary, path);
      if (durable) await synced(dirname(path), 'sync');
      return size;
    } catch (error) {
      await file.close();
      await rm(temporary, { force: true });
      throw error;
    }
  };

  const get: Store['get'] = async (key, range, into) => {
    const file = await ifThere(open(pathOf(key), 'r'));
    if (file === undefined) return undefined;
    try {
      if (range === undefined) return await file.readFile();
      const bytes = into ?? Buffer.allocUnsafe(range.to - range.from);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, range.from);
      return bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  };

  const stream: Store['stream'] = (key, range, into) => readPieces(pathOf(key), key, range, into);

  const list: Store['list'] = async (prefix) =>
    (await namesIn(pathOf(prefix)))
      .filter(({ name }) => !name.startsWith('.'))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort();

  return {
    put,
    copy: createCopy(pathOf, (from, to) => put(to, stream(from), { durable: true })),
    get,
    stream,
    list,
    sweep: (isAbandoned) => sweepRoot(root, isAbandoned),
    bytes: async (prefix) => {
      let bytes = 0;
      for await (const path of filesBelow(pathOf(prefix))) {
        const size = (await ifThere(stat(path)))?.size;
        if (size !== undefined) bytes += roomOf(size);
      }
      return bytes;
    },
    free: async () => {
      // The folder does not exist before the first write.
      for (let path = root; ; path = dirname(path)) {
        try {
          const { bavail, bsize } = await statfs(path);
          return bavail * bsize;
        } catch (error) {
          if (!isMissing(error) || path === dirname(path)) throw error;
        }
      }
    },
    size: async (key) => (await ifThere(stat(pathOf(key))))?.size,
    // A late writer may put a file into a folder that was just emptied. Then it is emptied again.
    remove: (key) =>
      rm(pathOf(key), { recursive: key.endsWith('/'), force: true, maxRetries: MOST_TRIES, retryDelay: TRY_MS }),
    check: async () => {
      const key = `${CHECKS}${randomBytes(9).toString('hex')}`;
      await put(key, Buffer.from('ok'));
      await rm(pathOf(key), { force: true });
    },
  };
};
