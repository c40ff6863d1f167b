/**
 * Where files lie: whole objects under `/`-separated keys. An object is there wholly or not at all, whatever is killed
 * when. One small interface, with a disk (and later an object store) behind it.
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

export interface Store {
  /** Writes an object, in place of any that was there. @returns its size in bytes */
  readonly put: (key: string, content: Uint8Array | AsyncIterable<Uint8Array>, options?: PutOptions) => Promise<number>;
  /** @returns the object's bytes (or a part of them), or undefined where there is none */
  readonly get: (key: string, range?: ByteRange) => Promise<Buffer | undefined>;
  /** @throws {MissingObject} while reading, where there is none */
  readonly stream: (key: string, range?: ByteRange) => Readable;
  /** @returns the object's size in bytes, or undefined where there is none */
  readonly size: (key: string) => Promise<number | undefined>;
  /** Names directly below a prefix (which ends in `/`): objects, and folders with a `/` at their end. */
  readonly list: (prefix: string) => Promise<readonly string[]>;
  /** Removes an object, or all below a prefix that ends in `/`. What is not there is no error. */
  readonly remove: (key: string) => Promise<void>;
  /** Writes and reads back a small object. @throws what keeps the store from working */
  readonly check: () => Promise<void>;
}

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
