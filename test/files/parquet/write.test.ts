/** Outputs as Parquet: the rows of the CSV with types, in row groups of bounded size. */
import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { expect, test } from 'vitest';
import { writeCell } from '../../../src/files/csv/cell.ts';
import { parquetRows } from '../../../src/files/parquet/read.ts';
import { type ParquetKind, parquetFile } from '../../../src/files/parquet/write.ts';
import { folderForFile } from '../../folder.ts';

let dir: string;
folderForFile((made) => (dir = made));

async function* inPieces(text: string): AsyncGenerator<Buffer> {
  const all = Buffer.from(text);
  const bytes = all.length < 10_000 ? 10 : 65_536;
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}
const written = async (csv: string, kinds: readonly ParquetKind[], names = (all: readonly string[]) => all) => {
  const pieces: Buffer[] = [];
  for await (const piece of parquetFile(inPieces(csv), kinds, names)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
};
const csvOf = async (bytes: Buffer): Promise<string> => {
  await writeFile(join(dir, 'out'), bytes);
  const file = await open(join(dir, 'out'));
  try {
    let text = '';
    for (const cells of parquetRows({ fd: file.fd, bytes: bytes.length }, writeCell)) text += `${cells.join()}\n`;
    return text;
  } finally {
    await file.close();
  }
};

const KINDS = ['text', 'count', 'money', 'date'] as const;
const LIST = `name,row,price,"arrives, on"
"a, ""b""\nc",1,-0.05,2026-06-01
é😀,2,1234567890.12,1999-12-31
,,,
=1+1,-3,0.00,0001-01-01
`;

test('the file has the rows of the CSV, and the types of its columns', async () => {
  const bytes = await written(LIST, KINDS);
  expect(await csvOf(bytes)).toBe(LIST);
  expect(parquetMetadata(bytes).schema.slice(1)).toMatchObject([
    { name: 'name', type: 'BYTE_ARRAY', logical_type: { type: 'STRING' }, repetition_type: 'OPTIONAL' },
    { name: 'row', type: 'INT64' },
    { name: 'price', type: 'INT64', logical_type: { type: 'DECIMAL', precision: 18, scale: 2 } },
    { name: 'arrives, on', type: 'INT32', logical_type: { type: 'DATE' } },
  ]);
});

/** The rows that another reader finds. */
const objectsIn = async (bytes: Buffer) => {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  if (!(file instanceof ArrayBuffer)) throw new Error('it is shared');
  return await parquetReadObjects({ file, compressors });
};

test('another reader finds the same values, and null for an empty cell', async () => {
  expect(await objectsIn(await written(LIST, KINDS))).toEqual([
    { name: 'a, "b"\nc', row: 1n, price: -0.05, 'arrives, on': new Date('2026-06-01') },
    { name: 'é😀', row: 2n, price: 1234567890.12, 'arrives, on': new Date('1999-12-31') },
    { name: null, row: null, price: null, 'arrives, on': null },
    { name: '=1+1', row: -3n, price: 0, 'arrives, on': new Date('0001-01-01') },
  ]);
});

test('a list without rows has its columns', async () => {
  expect(await csvOf(await written('a,b\n', ['text', 'count']))).toBe('a,b\n');
});

test('rows are in groups', async () => {
  const rows = Array.from({ length: 80_000 }, (_, at) => `${at % 7 === 0 ? '' : `row ${at}`},${at}\n`).join('');
  const bytes = await written(`a,b\n${rows}`, ['text', 'count']);
  const sizes = parquetMetadata(bytes).row_groups.map(({ num_rows }) => Number(num_rows));
  expect(sizes.length).toBe(2);
  expect(Math.max(...sizes)).toBeLessThan(65_536 + 9_000);
  expect(await csvOf(bytes)).toBe(`a,b\n${rows}`);
});

test('another reader finds the rows of every page', async () => {
  const rows = Array.from({ length: 70_000 }, (_, at) => `${at % 7 === 0 ? '' : `row ${at}`},${at}\n`).join('');
  const objects = await objectsIn(await written(`a,b\n${rows}`, ['text', 'count']));
  expect(objects.length).toBe(70_000);
  for (const [at, object] of objects.entries())
    if (object['a'] !== (at % 7 === 0 ? null : `row ${at}`) || object['b'] !== BigInt(at))
      expect(object).toEqual(`the row ${at}`);
});

test('cells that cannot be packed end a group early', async () => {
  const rows = Array.from({ length: 20 }, () => `${randomBytes(500_000).toString('hex')}\n`).join('');
  const bytes = await written(`a\n${rows}`, ['text']);
  const groups = parquetMetadata(bytes).row_groups.map(({ num_rows }) => Number(num_rows));
  expect(groups.length).toBe(2);
  expect(await csvOf(bytes)).toBe(`a\n${rows}`);
});

test('a cell of another type than its column’s is an error', async () => {
  for (const [cell, kind] of [
    ['1.5', 'count'],
    ['1.234', 'money'],
    ['June', 'date'],
  ] as const)
    await expect(written(`a\n${cell}\n`, [kind])).rejects.toThrow(`The output has ${cell} in a column of ${kind}.`);
});

test('columns with the same name get different names', async () => {
  const bytes = await written('a,a\n1,2\n', ['text', 'text'], (all) => all.map((name, at) => `${name} (${at + 1})`));
  expect(await csvOf(bytes)).toBe('a (1),a (2)\n1,2\n');
});
