/**
 * Where files lie: whole objects under `/`-separated keys. An object is there wholly or not at all, whatever is killed
 * when. One small interface, with a disk or an object store behind it. Nothing else is relied on: no condition on a
 * write, no rename, and of a listing only that it shows an object some time after it was written.
 */
import type { Readable } from 'node:stream';

export interface ByteRange {
  /** First byte. */
  readonly from: number;
  /** The byte after the last. */
  readonly to: number;
}

export interface PutOptions {
  /** Whether the object must survive a power cut once `put` has returned; else it may vanish with one, but whole. */
  readonly durable?: boolean;
  readonly signal?: AbortSignal;
}

/** Whether a write to a key that has not ended was left by a process that died. @param since when it last moved */
export type IsAbandoned = (key: string, since: Date) => boolean;

export interface Store {
  /** Writes an object, in place of any that was there. @returns its size in bytes */
  readonly put: (key: string, content: Uint8Array | AsyncIterable<Uint8Array>, options?: PutOptions) => Promise<number>;
  /**
   * @param into memory that the bytes of a range may be read into, of its size
   * @returns the object's bytes (or a part of them), or undefined where there is none
   */
  readonly get: (key: string, range?: ByteRange, into?: Buffer) => Promise<Buffer | undefined>;
  /** @throws {MissingObject} while reading, where there is none */
  readonly stream: (key: string, range?: ByteRange) => Readable;
  /** @returns the object's size in bytes, or undefined where there is none */
  readonly size: (key: string) => Promise<number | undefined>;
  /** Names directly below a prefix (which ends in `/`): objects, and folders with a `/` at their end. */
  readonly list: (prefix: string) => Promise<readonly string[]>;
  /** Removes an object, or all below a prefix that ends in `/`. What is not there is no error. */
  readonly remove: (key: string) => Promise<void>;
  /** Writes a small object and removes it. @throws what keeps the store from working */
  readonly check: () => Promise<void>;
  /** Removes what writes that never ended have left. @returns how many there were */
  readonly sweep: (isAbandoned: IsAbandoned) => Promise<number>;
  /** @returns the bytes of all objects below a prefix (which ends in `/`), and of what is being written there, if known */
  readonly bytes: (prefix: string) => Promise<number>;
  /** How much more it takes, in bytes. Absent where nobody can tell. */
  readonly free?: () => Promise<number>;
  /** Present where callers can be sent to the store itself. */
  readonly direct?: DirectStore;
}

/** A part of an object that is put together from others. */
export interface Piece {
  readonly key: string;
  /** Size of the object that it is, all of it. */
  readonly bytes: number;
}

export interface Presigned {
  readonly seconds: number;
  /** The headers `Content-Disposition` and `Content-Type` of the download. */
  readonly disposition: string;
  readonly contentType: string;
}

/** What a store that callers can reach themselves does beside. */
export interface DirectStore {
  /** Writes an object of some bytes and the pieces behind them, as far as it can without their passing through here. */
  readonly join: (key: string, head: Uint8Array, pieces: readonly Piece[]) => Promise<void>;
  /** @returns a URL that gives whoever has it the object, for so long */
  readonly presign: (key: string, options: Presigned) => Promise<string>;
}

/** The store itself did not do its part. Where the store is a disk, the system's own errors say it. */
export class StoreFailure extends Error {
  constructor(what: string, options: ErrorOptions) {
    super(`the store did not ${what}`, options);
    this.name = 'StoreFailure';
  }
}

/** What a disk answers that is full, broken, or closed to this process. */
const DISK_ERRORS = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE'];

/** @returns whether it is the store that failed */
export const isOfStore = (error: unknown): boolean =>
  error instanceof StoreFailure ||
  (error instanceof Error && 'code' in error && DISK_ERRORS.some((code) => code === error.code));

export class MissingObject extends Error {
  readonly key: string;
  constructor(key: string) {
    super(`there is no object ${key} in the store`);
    this.name = 'MissingObject';
    this.key = key;
  }
}

/** An object that holds JSON. The caller's schema judges it. */
export const getJson = async (store: Store, key: string): Promise<unknown> => {
  const bytes = await store.get(key);
  return bytes === undefined ? undefined : JSON.parse(bytes.toString('utf8'));
};

export const putJson = (store: Store, key: string, value: unknown, options?: PutOptions): Promise<number> =>
  store.put(key, Buffer.from(JSON.stringify(value)), options);
