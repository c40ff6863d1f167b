/**
 * The interface of the file store: objects under keys with `/` separators, on a disk or in an object store. An object is
 * complete or absent, even if a process is killed. Nothing else is guaranteed: there are no conditional writes and no
 * renames, and a listing may show a new object late.
 */

/* Keys of objects. A key is a valid path in every file system and a valid name in every object store. */

const KEY = /^[A-Za-z0-9_@+][A-Za-z0-9._@+-]*(?:\/[A-Za-z0-9_@+][A-Za-z0-9._@+-]*)*\/?$/;

/** @throws {Error} if the text is neither a key nor a prefix that ends in `/` */
export const checkedKey = (key: string): string => {
  if (!KEY.test(key)) throw new Error(`not a key of the store: ${JSON.stringify(key)}`);
  return key;
};

const BLOCK = 4_096;

/** Returns the bytes that an object takes up: whole blocks, as on a disk, and one block if it is empty. */
export const roomOf = (bytes: number): number => BLOCK * Math.max(1, Math.ceil(bytes / BLOCK));

/** The prefix of the objects with which `check` tests whether the store is writable. */
export const CHECKS = 'check/';

export interface ByteRange {
  /** The offset of the first byte. */
  readonly from: number;
  /** The offset after the last byte. */
  readonly to: number;
}

export interface PutOptions {
  /** Whether the object must survive a power failure after `put` has returned. Otherwise it may disappear, as a whole. */
  readonly durable?: boolean;
  readonly signal?: AbortSignal;
}

/** Tells whether a process that died left an unfinished write to a key. @param since the last change */
export type IsAbandoned = (key: string, since: Date) => boolean;

export interface Store {
  /** Writes an object, replacing any with the same key. @returns its size in bytes */
  readonly put: (key: string, content: Uint8Array | AsyncIterable<Uint8Array>, options?: PutOptions) => Promise<number>;
  /**
   * Copies an object. The copy must survive a power failure. Later changes of one do not change the other. Where
   * possible, no bytes pass through this process.
   * @throws {MissingObject} if there is no object to copy
   */
  readonly copy: (from: string, to: string) => Promise<void>;
  /**
   * @param into memory of the size of the range, which the store may use for the result
   * @returns the bytes of the object or of the range; undefined if the object does not exist
   */
  readonly get: (key: string, range?: ByteRange, into?: Buffer) => Promise<Buffer | undefined>;
  /**
   * Streams the bytes of the object or of the range in pieces.
   * @param into memory that the store may use for every piece. A piece is then valid only until the next is requested
   * @throws {MissingObject} while the pieces are read, if the object does not exist
   */
  readonly stream: (key: string, range?: ByteRange, into?: Buffer) => AsyncIterable<Buffer>;
  /** @returns the object's size in bytes, or undefined if it does not exist */
  readonly size: (key: string) => Promise<number | undefined>;
  /** Lists the names directly below a prefix that ends in `/`: objects, and folders with a `/` at the end. */
  readonly list: (prefix: string) => Promise<readonly string[]>;
  /** Removes an object, or everything below a prefix that ends in `/`. A missing object is not an error. */
  readonly remove: (key: string) => Promise<void>;
  /** Writes a small object and removes it. @throws if the store does not work */
  readonly check: () => Promise<void>;
  /** Removes the remains of abandoned writes. @returns how many there were */
  readonly sweep: (isAbandoned: IsAbandoned) => Promise<number>;
  /** @returns the sum of `roomOf` for all objects below a prefix that ends in `/`, and for unfinished writes if known */
  readonly bytes: (prefix: string) => Promise<number>;
  /** Returns the free space in bytes. Undefined if the space is unknown. */
  readonly free?: () => Promise<number>;
  /** Present if callers can reach the store themselves. */
  readonly direct?: DirectStore;
}

/** A whole object that becomes part of a joined object. */
export interface Piece {
  readonly key: string;
  /** The size of the object. */
  readonly bytes: number;
}

export interface Presigned {
  readonly seconds: number;
  /** The headers `Content-Disposition` and `Content-Type` of the download. */
  readonly disposition: string;
  readonly contentType: string;
}

/** What a store can also do if callers can reach it themselves. */
export interface DirectStore {
  /** Writes an object from `head` and the pieces after it. Where possible, the server copies the pieces itself. */
  readonly join: (key: string, head: Uint8Array, pieces: readonly Piece[]) => Promise<void>;
  /** @returns a URL that lets anyone download the object for the given time */
  readonly presign: (key: string, options: Presigned) => Promise<string>;
}

/** An object store failed. A disk reports failures as system errors instead. */
export class StoreFailure extends Error {
  /** @param what the action that failed, such as `write KEY` */
  constructor(what: string, options: ErrorOptions) {
    super(`the store could not ${what}`, options);
    this.name = 'StoreFailure';
  }
}

/** Errors of a disk that is full, broken or not accessible, or has something else in the way. */
const DISK_ERRORS = 'ENOSPC EDQUOT EROFS EACCES EPERM EIO EMFILE ENFILE EBUSY EEXIST ENOTDIR EISDIR ENOTEMPTY'.split(
  ' ',
);

/** Returns whether an error is a failure of the store, such as the loss of an object that must be there. */
export const isOfStore = (error: unknown): boolean =>
  error instanceof StoreFailure ||
  error instanceof MissingObject ||
  (error instanceof Error && 'code' in error && DISK_ERRORS.some((code) => code === error.code));

/** Returns what is read. Undefined if it is unknown, because the store has failed. */
export const ifKnown = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (isOfStore(error)) return undefined;
    throw error;
  }
};

export class MissingObject extends Error {
  readonly key: string;
  constructor(key: string) {
    super(`there is no object ${key} in the store`);
    this.name = 'MissingObject';
    this.key = key;
  }
}

/** Reads an object as JSON; undefined if it does not exist. The caller validates the result. */
export const getJson = async (store: Store, key: string): Promise<unknown> => {
  const bytes = await store.get(key);
  return bytes === undefined ? undefined : JSON.parse(bytes.toString('utf8'));
};

export const putJson = (store: Store, key: string, value: unknown, options?: PutOptions): Promise<number> =>
  store.put(key, Buffer.from(JSON.stringify(value)), options);
