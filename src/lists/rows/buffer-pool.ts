/**
 * Pooled memory for rating chunks: a buffer for the input and writers for the output. It is reused for later chunks, because
 * the garbage collector frees large buffers late. With new memory for each chunk, a worker kept growing.
 */
import { ByteWriter } from '../../files/csv/byte-writer.ts';
import type { RatedInto } from './rate-rows.ts';

export interface ChunkBuffers extends RatedInto {
  /** Empties the writers. */
  readonly clear: () => void;
  /** @returns uninitialized memory of this size */
  readonly input: (bytes: number) => Buffer;
}

export const createBuffers = (): ChunkBuffers => {
  let held = Buffer.alloc(0);
  const output = new ByteWriter(0);
  const faults = new ByteWriter(0);
  return {
    output,
    faults,
    clear: () => {
      output.clear();
      faults.clear();
    },
    input: (bytes) => {
      // Allocates a little more than requested, because chunks are nearly the same size.
      if (held.length < bytes) held = Buffer.allocUnsafeSlow(Math.ceil(bytes * 1.25));
      return held.subarray(0, bytes);
    },
  };
};

/** Runs work with buffers that no other work uses at the same time. The writers are empty. */
export type WithBuffers = <T>(work: (buffers: ChunkBuffers) => Promise<T>) => Promise<T>;

export const createBufferPool = (): WithBuffers => {
  const free: ChunkBuffers[] = [];
  return async (work) => {
    const buffers = free.pop() ?? createBuffers();
    buffers.clear();
    const done = await work(buffers);
    // Not reused after a failure: the store may still be sending the bytes.
    free.push(buffers);
    return done;
  };
};
