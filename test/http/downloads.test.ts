/** Files are sent through one buffer. */
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sendPieces } from '../../src/http/batches/downloads.ts';

const COUNT = 100;

/** Pieces in the same memory, like those of a store that reads a file into one buffer. */
const inOneBuffer = () => {
  const state = { requested: 0, closed: false };
  async function* pieces(): AsyncGenerator<Buffer> {
    const into = Buffer.alloc(4);
    try {
      for (; state.requested < COUNT; state.requested += 1) {
        into.writeUInt32BE(state.requested);
        yield into;
      }
    } finally {
      state.closed = true;
    }
  }
  return { state, pieces: pieces() };
};

/** Takes a piece some turns later, like a connection whose caller reads slowly. */
const slowly = (taken: number[]): Writable =>
  new Writable({
    highWaterMark: 1024,
    write: async (piece: Buffer, _encoding, done) => {
      for (let turns = 0; turns < 3; turns += 1) await turn();
      taken.push(piece.readUInt32BE());
      done();
    },
  });

test('a caller that reads slowly gets every piece unchanged', async () => {
  const taken: number[] = [];
  const { state, pieces } = inOneBuffer();
  await sendPieces(slowly(taken), pieces);
  expect(taken).toEqual(Array.from({ length: COUNT }, (_, index) => index));
  expect(state).toEqual({ requested: COUNT, closed: true });
});

test('the file is closed when the caller leaves', async () => {
  const { state, pieces } = inOneBuffer();
  const to = new Writable({ write: () => undefined });
  const sent = sendPieces(to, pieces);
  to.destroy();
  await sent;
  expect(state).toEqual({ requested: 0, closed: true });
});
