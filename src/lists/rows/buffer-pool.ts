/**
 * Pooled memory for rating chunks: a buffer for the input and writers for the output. It is reused for later chunks, because
 * the garbage collector frees large buffers late. With new memory for each chunk, a worker kept growing.
 */
import { ByteWriter } from '../../files/csv/byte-writer.ts';

export const createBuffers = () => {
  let held = Buffer.alloc(0);
  const output = new ByteWriter(0);
  const faults = new ByteWriter(0);
  return {
    output,
    faults,
    /** Empties the writers. */
    clear: (): void => {
      output.clear();
      faults.clear();
    },
    /** @returns uninitialized memory of this size */
    input: (bytes: number): Buffer => {
      // Allocates a little more than requested, because chunks are nearly the same size.
      if (held.length < bytes) held = Buffer.allocUnsafeSlow(Math.ceil(bytes * 1.25));
      return held.subarray(0, bytes);
    },
  };
};

export type ChunkBuffers = ReturnType<typeof createBuffers>;

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
