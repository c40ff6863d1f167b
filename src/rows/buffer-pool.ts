/**
 * Room to make parts in: the memory that a chunk is read into and its rows are written to. It is kept from one chunk to
 * the next, for memory of that size is given back late: with new memory for each chunk a worker grew with its batches.
 */
import { createByteWriter } from '../csv/byte-writer.ts';
import type { RatedInto } from './rate-rows.ts';

export interface Room extends RatedInto {
  /** @returns memory of so many bytes, whatever they are */
  readonly input: (bytes: number) => Buffer;
}

const createRoom = (): Room => {
  let held = Buffer.alloc(0);
  return {
    output: createByteWriter(0),
    faults: createByteWriter(0),
    input: (bytes) => {
      // A little more than is asked for: chunks are nearly, but not quite, of one size.
      if (held.length < bytes) held = Buffer.allocUnsafeSlow(Math.ceil(bytes * 1.25));
      return held.subarray(0, bytes);
    },
  };
};

/** Does work in a room that nothing else is done in meanwhile. */
export type InRoom = <T>(work: (room: Room) => Promise<T>) => Promise<T>;

export const createRooms = (): InRoom => {
  const free: Room[] = [];
  return async (work) => {
    const room = free.pop() ?? createRoom();
    room.output.clear();
    room.faults.clear();
    const done = await work(room);
    // Not after a failure: a store may still be sending what was written.
    free.push(room);
    return done;
  };
};
