/** The cells of a batch's own file, in order, for any pieces. */
import { expect, test } from 'vitest';
import { eachSlice, inPieces, mapCells, SLICE } from '../../../src/files/csv/map-rows.ts';

async function* inChunks(text: string, bytes: number): AsyncGenerator<Buffer> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

/** The rows, with each cell as it is in the file. */
const rowsOf = async (text: string, bytes: number) => {
  const rows: string[][] = [];
  const row: string[] = [];
  let cell = '';
  const sink = {
    part: (part: string) => {
      cell += part;
    },
    end: (endsRow: boolean) => {
      row.push(cell);
      cell = '';
      if (endsRow) rows.push(row.splice(0));
    },
  };
  let slices = 0;
  for await (const _ of eachSlice(inChunks(text, bytes), sink)) slices += 1;
  return { rows, left: [...row, cell].join(''), slices };
};

test.each([
  [
    'a,b\nc,d\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,\n,b\n',
    [
      ['a', ''],
      ['', 'b'],
    ],
  ],
  ['a,', [['a', '']]],
  [
    '"a,b","c\nd"\n"e ""f"", g",h\n',
    [
      ['"a,b"', '"c\nd"'],
      ['"e ""f"", g"', 'h'],
    ],
  ],
  ['\n', [['']]],
  ['', []],
])('%j', async (text, rows) => {
  for (const bytes of [1, 2, 3, 100]) expect(await rowsOf(text, bytes)).toMatchObject({ rows, left: '' });
});

test('a slice ends with its bytes, or with its cells', async () => {
  expect((await rowsOf(`${'x'.repeat(SLICE.bytes - 1)}\n`, 1e6)).slices).toBe(1);
  expect((await rowsOf(`${'x'.repeat(SLICE.bytes)}\n`, 1e6)).slices).toBe(2);
  expect((await rowsOf('a\n'.repeat(SLICE.cells), 1e6)).slices).toBe(1);
  expect((await rowsOf('a\n'.repeat(SLICE.cells + 1), 1e6)).slices).toBe(2);
});

test('joins texts into pieces of at least the bytes of a slice, except the last', async () => {
  const sizes = async (...texts: string[]) => {
    const pieces: number[] = [];
    for await (const piece of inPieces(texts)) pieces.push(piece.length);
    return pieces;
  };
  expect(await sizes()).toEqual([]);
  expect(await sizes('a', 'b')).toEqual([2]);
  expect(await sizes('x'.repeat(SLICE.bytes))).toEqual([SLICE.bytes]);
  expect(await sizes('x'.repeat(SLICE.bytes - 1), 'yz', 'a')).toEqual([SLICE.bytes + 1, 1]);
});

test('yields what a sink writes in order and once', async () => {
  const pieces: Buffer[] = [];
  const upper = (write: (text: string) => void) => ({
    part: (text: string) => write(text.toUpperCase()),
    end: (endsRow: boolean) => write(endsRow ? '\n' : ';'),
  });
  for await (const piece of mapCells(inChunks('a,é\nc,d', 3), upper)) pieces.push(piece);
  expect(Buffer.concat(pieces).toString('latin1')).toBe(`A;${'\u00c3\u00a9'.toUpperCase()}\nC;D\n`);
});
