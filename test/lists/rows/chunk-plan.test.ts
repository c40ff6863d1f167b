import { describe, expect, test } from 'vitest';
import { withoutPause } from '../../../src/base/time-slices.ts';
import { createPlanner } from '../../../src/lists/chunk-plan.ts';
import { readHeader } from '../../../src/lists/columns/header.ts';
import { planList } from './fixtures.ts';

const HEADER = 'order,warehouse_id,postalCode,weight_value,weight_units\n';
const rowOf = (bytes: number): string => {
  const end = ',101,02139,2,LB\n';
  return `${'x'.repeat(bytes - end.length)}${end}`;
};
const chunksOf = (list: string, chunkRows = 5_000, pieceBytes = 16_777_216) => {
  const planned = planList(Buffer.from(list), { chunkRows }, pieceBytes);
  if (!('plan' in planned)) throw new Error('the list was refused');
  return planned.plan.chunks.map(({ firstRow, rows, from, to }) => ({ firstRow, rows, bytes: to - from }));
};

test('a chunk ends with the row that reaches 4 MiB', () => {
  expect(chunksOf(HEADER + rowOf(1_000_000).repeat(7))).toEqual([
    { firstRow: 1, rows: 5, bytes: 5_000_000 },
    { firstRow: 6, rows: 2, bytes: 2_000_000 },
  ]);
});

test('rows of exactly 4 MiB are one chunk, and the next row begins another', () => {
  const quarter = rowOf(1_048_576);
  expect(chunksOf(HEADER + quarter.repeat(4) + rowOf(20))).toEqual([
    { firstRow: 1, rows: 4, bytes: 4_194_304 },
    { firstRow: 5, rows: 1, bytes: 20 },
  ]);
});

test('a chunk ends after the maximum number of rows, regardless of the pieces', () => {
  const row = ',101,02139,2,LB\n';
  for (const pieceBytes of [1, 7, 100])
    expect(chunksOf(`${HEADER}${row.repeat(2)}\n,,,,\n${row.repeat(3)}`, 2, pieceBytes)).toEqual([
      { firstRow: 1, rows: 2, bytes: 32 },
      { firstRow: 3, rows: 2, bytes: 32 },
      { firstRow: 5, rows: 1, bytes: 16 },
    ]);
});

test('blank rows inside a chunk belong to it, and blank rows between chunks to none', () => {
  const row = ',101,02139,2,LB\n';
  expect(chunksOf(`${HEADER}${row}\n\n${row}\n${row}\n`, 2)).toEqual([
    { firstRow: 1, rows: 2, bytes: 34 },
    { firstRow: 3, rows: 1, bytes: 17 },
  ]);
});

const plannerOf = (header: string, limits = {}) => {
  const head = readHeader(Buffer.from(header), true, {}, 1_048_576);
  if (head === 'more' || 'problems' in head) throw new Error('the header was refused');
  const all = { chunkRows: 10, maximumRows: 10, maximumRowBytes: 1_048_576, ...limits };
  return createPlanner(head.columns, head.bodyStart, head.headerLines, all);
};

describe('planning stops at the piece with', () => {
  const rows = (count: number) => Buffer.from(',101,02139,2,LB\n'.repeat(count));

  test('too many rows', () => {
    const planner = plannerOf(HEADER);
    expect(withoutPause(planner.push(rows(10)))).toBeUndefined();
    expect(withoutPause(planner.push(rows(1)))).toEqual({ kind: 'tooManyRows' });
  });

  test('a row that is too long, with its number and line', () => {
    const planner = plannerOf(HEADER, { maximumRowBytes: 60 });
    expect(withoutPause(planner.push(Buffer.from('\n"a\nb\nc",101,02139,2,LB\n')))).toBeUndefined();
    expect(withoutPause(planner.push(Buffer.from(`"d"\n\n${'x'.repeat(61)}`)))).toEqual({
      kind: 'rowTooLong',
      row: 3,
      line: 8,
    });
  });

  test('a row that is too long, with its line in a list with CR', () => {
    const planner = plannerOf(HEADER.replace('\n', '\r'), { maximumRowBytes: 60 });
    expect(withoutPause(planner.push(Buffer.from(`"a\rb\rc",1\r"d"\r${'x'.repeat(61)}`)))).toEqual({
      kind: 'rowTooLong',
      row: 3,
      line: 6,
    });
  });

  test('bytes that are not UTF-8, with their line and offset', () => {
    const planner = plannerOf(HEADER);
    expect(withoutPause(planner.push(Buffer.from('a,1\nb\nc,\u00e9')))).toBeUndefined();
    expect(withoutPause(planner.push(Buffer.from([0x64, 0x0a, 0x65, 0xe9, 0x66])))).toEqual({
      kind: 'notUtf8',
      line: 5,
      offset: HEADER.length + 13,
    });
  });

  test('half a character at the end', () => {
    const planner = plannerOf(HEADER);
    expect(withoutPause(planner.push(Buffer.from([0x61, 0x0a, 0x62, 0xc3])))).toBeUndefined();
    expect(withoutPause(planner.finish())).toEqual({ kind: 'notUtf8', line: 3, offset: HEADER.length + 3 });
  });

  test('no problem if a character is split between pieces', () => {
    const planner = plannerOf(HEADER);
    expect(withoutPause(planner.push(Buffer.from([0x61, 0x0a, 0x62, 0xc3])))).toBeUndefined();
    expect(withoutPause(planner.push(Buffer.from([0xa9, 0x0a, 0x63])))).toBeUndefined();
    expect(withoutPause(planner.finish())).toMatchObject({ rows: 3, bytes: HEADER.length + 7 });
  });
});

test('short rows are planned in slices of 16 KiB', () => {
  const row = ',101,02139,2,LB\n';
  const yields = (count: number) =>
    [...plannerOf(HEADER, { chunkRows: 10_000, maximumRows: 10_000 }).push(Buffer.from(row.repeat(count)))].length;
  expect([yields(1_023), yields(1_024), yields(4_096)]).toEqual([0, 1, 4]);
});

test('a row that comes in short pieces is rescanned when it has doubled', () => {
  const planner = plannerOf(HEADER);
  const piece = Buffer.from(','.repeat(20_000));
  const yields = Array.from({ length: 8 }, () => [...planner.push(piece)].length);
  // The row is scanned at 20,000, 40,000, 80,000 and 160,000 bytes.
  expect(yields).toEqual([0, 2, 0, 4, 0, 0, 0, 9]);
});

test('a long row is planned in slices', () => {
  const head = readHeader(Buffer.from(`${HEADER}a,101,02139,2,LB\n`), true, {}, 1_048_576);
  if (head === 'more' || 'problems' in head) throw new Error('the header was refused');
  const limits = { chunkRows: 10, maximumRows: 10, maximumRowBytes: 1_048_576 };
  const planner = createPlanner(head.columns, head.bodyStart, head.headerLines, limits);
  const row = Buffer.from(`${','.repeat(1_048_570)}\n`);
  let yields = 0;
  for (let at = 0; at < row.length; at += 65_536)
    for (const _ of planner.push(row.subarray(at, at + 65_536))) yields += 1;
  // Each slice is 16 KiB. The row is rescanned each time it has doubled.
  expect(yields).toBeGreaterThanOrEqual(48);
  expect(withoutPause(planner.finish())).toMatchObject({ rows: 0, chunks: [] });
});
