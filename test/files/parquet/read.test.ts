/** Lists that come as Parquet files: the same text as their CSV, and a clear fault for what cannot be read. */
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SchemaElement } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { archiveList } from '../../../src/files/input/archive-to-csv.ts';
import { kindOf } from '../../../src/files/input/file-kind.ts';
import { OverLimit, UnreadableFile } from '../../../src/files/unreadable-file.ts';
import {
  dataPage,
  dictionaryPage,
  emptyRows,
  goodList,
  hugeFooter,
  inflating,
  parquetOf,
  plain,
  run,
  sharedText,
} from '../../attack/parquet-bytes.ts';
import { folderForFile } from '../../folder.ts';
import { processorMs } from '../../processor-time.ts';

let dir: string;
folderForFile((made) => (dir = made));

const MIB = 1024 * 1024;

/** The list in a file: its header and its text. */
const listOf = async (bytes: Buffer): Promise<[said: unknown, text: string]> => {
  await writeFile(join(dir, 'list'), bytes);
  const file = await open(join(dir, 'list'));
  try {
    const task = { fileBytes: bytes.length, mostBytes: 64 * MIB, mostRowBytes: MIB };
    const pieces: Buffer[] = [];
    for await (const piece of archiveList(task, file.fd)) pieces.push(piece);
    const [said = '', ...lines] = Buffer.concat(pieces).toString().split('\n');
    return [JSON.parse(said), lines.join('\n')];
  } finally {
    await file.close();
  }
};
const refusalOf = async (bytes: Buffer): Promise<unknown> => {
  const refusal = await listOf(bytes).then(
    ([, text]) => `read: ${text}`,
    (error: unknown) => error,
  );
  if (refusal instanceof OverLimit) return [refusal.limit, refusal.most];
  return refusal instanceof UnreadableFile ? refusal.problem : refusal;
};
const column = async (data: unknown[], element: Omit<SchemaElement, 'name'>): Promise<string> => {
  const schema = [
    { name: 'root', num_children: 1 },
    { name: 'x', repetition_type: 'OPTIONAL' as const, ...element },
  ];
  const [, text] = await listOf(Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'x', data }], schema })));
  return text;
};

describe('a file of another program becomes the text of its CSV', () => {
  // COPY … (format parquet, codec 'zstd') of DuckDB 1.4.
  test('DuckDB', async () => {
    expect(await listOf(await readFile(join(import.meta.dirname, 'fixtures/duckdb.parquet')))).toEqual([
      { kind: 'columns' },
      'order,warehouse,zip,weight,declared,residential,ship_date,stamp,instant,clock,id,big,single\n' +
        '"A,1",101,02139,2.1,12.50,true,2026-03-04,2026-03-04 18:00:00.5,2026-03-04 18:00:00+00:00,09:30:00,c6f1a9b2-0d3e-4f5a-8b7c-1d2e3f4a5b6c,18446744073709551615,0.1\n' +
        '"é ""b""",104,90210,3,-0.05,false,1999-12-31,2026-03-04,2026-03-04,18:00:00,,1,\n' +
        ',,,,,,,,,,,,\n',
    ]);
  });

  // DataFrame.to_parquet of pandas 3.0 with pyarrow 25: gzip, and pages of version 2.
  test('pandas', async () => {
    const [, text] = await listOf(await readFile(join(import.meta.dirname, 'fixtures/pandas.parquet')));
    expect(text).toBe(
      'order,warehouse,zip,weight,declared,residential,ship_date,stamp,instant,service,nothing\n' +
        '"A,1",101,02139,2.1,12.50,true,2026-03-04,2026-03-04 18:00:00.5,2026-03-04 18:00:00+00:00,C1-GROUND,\n' +
        '"é ""b""",104,90210,3,-0.05,false,1999-12-31,2026-03-04,2026-03-04,C2-GROUND,\n' +
        ',,,,,,,,,,\n',
    );
  });
});

describe('values', () => {
  test('of whole numbers keep all digits, also without a sign', async () => {
    expect(await column([-1n, 2n ** 63n - 1n], { type: 'INT64' })).toBe('x\n-1\n9223372036854775807\n');
    expect(await column([4294967295, 7], { type: 'INT32', converted_type: 'UINT_32' })).toBe('x\n4294967295\n7\n');
  });

  test('of decimals keep their places, however they are stored', async () => {
    const decimal = { converted_type: 'DECIMAL', precision: 9, scale: 3 } as const;
    expect(await column([1500n, -5n, null], { type: 'INT64', ...decimal })).toBe('x\n1.500\n-0.005\n\n');
    expect(await column([7n], { type: 'INT64', converted_type: 'DECIMAL', precision: 9, scale: 0 })).toBe('x\n7\n');
  });

  test('of fractions are the shortest that mean the number', async () => {
    expect(await column([2.1, 0.1 + 0.2, 3], { type: 'DOUBLE' })).toBe('x\n2.1\n0.30000000000000004\n3\n');
    expect(await column([2.1, 16777216, 0.3], { type: 'FLOAT' })).toBe('x\n2.1\n16777216\n0.3\n');
  });

  test('of very small and very large numbers have no exponent, as in a CSV', async () => {
    const text = 'x\n0.0000005\n-0.00000025\n1000000000000000000000\nNaN\n\n';
    for (const type of ['DOUBLE', 'FLOAT'] as const)
      expect(await column([5e-7, -2.5e-7, 1e21, Number.NaN, null], { type })).toBe(text);
    expect(await column([1.2345678901234568e-10], { type: 'DOUBLE' })).toBe('x\n0.00000000012345678901234568\n');
  });

  test('of texts keep blanks, and null is no text', async () => {
    expect(await column([' 02139', null, '', '\ufffd'], { type: 'BYTE_ARRAY', converted_type: 'UTF8' })).toBe(
      'x\n 02139\n\n\n\ufffd\n',
    );
  });

  test('of every codec that is read are the same', async () => {
    const [, plainText] = await listOf(goodList(3, 'UNCOMPRESSED'));
    expect(plainText).toBe(`warehouse_id,postalCode,weight_value,weight_units\n${'101,02139,2,LB\n'.repeat(3)}`);
    for (const codec of ['SNAPPY', 'GZIP'] as const) expect((await listOf(goodList(3, codec)))[1]).toBe(plainText);
  });
});

describe('a file that cannot be read says why', () => {
  test('because of a nested column', async () => {
    const schema: SchemaElement[] = [
      { name: 'root', num_children: 1 },
      { name: 'items', num_children: 1, repetition_type: 'OPTIONAL' },
      { name: 'sku', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
    ];
    const nested = parquetWriteBuffer({ columnData: [{ name: 'items', data: [{ sku: 'a' }] }], schema });
    expect(await refusalOf(Buffer.from(nested))).toBe(
      'has the nested column "items": write a column for each of its values, or leave it out',
    );
  });

  test('because of its codec or its encryption', async () => {
    const lzo = parquetOf({ rows: 1, codec: 'LZO', pages: [{ header: dataPage(1), bytes: plain('a') }] });
    expect(await refusalOf(lzo)).toBe(
      'is compressed with LZO: write it with SNAPPY, GZIP, BROTLI, ZSTD, LZ4, LZ4_RAW or without compression',
    );
    expect(kindOf(Buffer.from('PARE'))).toEqual({
      problem: 'is an encrypted Parquet file: write it without encryption',
    });
  });

  test('because of a type that has no text, or of bytes', async () => {
    const interval = parquetWriteBuffer({
      columnData: [{ name: 'wait', data: [new Uint8Array(12)] }],
      schema: [
        { name: 'root', num_children: 1 },
        { name: 'wait', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 12, converted_type: 'INTERVAL' },
      ],
    });
    expect(await refusalOf(Buffer.from(interval))).toBe(
      'has values of the type INTERVAL in the column "wait": write it as text, or leave it out',
    );
    const bytes = parquetOf({ rows: 1, pages: [{ header: dataPage(1), bytes: plain(Buffer.from([0xff])) }] });
    expect(await refusalOf(bytes)).toBe(
      'has a text that is not UTF-8 in the column "postalCode": write it as text, or leave it out',
    );
  });

  test('because it is damaged, at whichever byte', async () => {
    const columnData = [{ name: 'x', data: Array<string>(20).fill('LB') }];
    const good = Buffer.from(parquetWriteBuffer({ columnData }));
    for (const length of [4, 11, 12, 100, good.length - 1])
      expect(await refusalOf(good.subarray(0, length))).toMatch(/^is a damaged Parquet file/);
    for (let at = 4; at < good.length; at += 1) {
      const bytes = Buffer.from(good);
      bytes[at] = 0xff;
      const refusal = await refusalOf(bytes);
      expect(Array.isArray(refusal) ? 'a limit' : String(refusal)).toMatch(/^(?:read: |is |has |a limit)/);
    }
  });

  test('because a value is not in its dictionary, or the page has none', async () => {
    const bytes = Buffer.concat([Buffer.from([1]), run(1, 1)]);
    const page = { header: dataPage(1, 'RLE_DICTIONARY'), bytes };
    expect(await refusalOf(parquetOf({ rows: 1, pages: [page] }))).toContain('a value is not in its dictionary');
    const dictionary = { header: dictionaryPage(1), bytes: plain('a') };
    expect(await refusalOf(parquetOf({ rows: 1, pages: [dictionary, page] }))).toContain('not in its dictionary');
  });
});

describe('a small file that would be large', () => {
  const limits: readonly [what: string, bytes: () => Buffer, refusal: unknown][] = [
    ['by a text that rows share', () => sharedText(MIB - 100, 1_000), ['inflatedUpload', `${64 * MIB} bytes`]],
    ['by a text that no row may have', () => sharedText(2 * MIB, 1), ['row', '1048576 bytes, and row 2 is longer']],
    ['by a page that inflates', () => inflating(65 * MIB, 65 * MIB), ['parquetPageBytes', String(64 * MIB)]],
    ['by a page that inflates to more than it says', () => inflating(MIB, 100), /^is a damaged Parquet file/],
    ['by a page of many values', () => emptyRows(8 * MIB, 1), ['parquetPageValues', String(4 * MIB)]],
    ['by row groups of the same bytes', () => emptyRows(4 * MIB, 1_000), ['parquetRows', String(16 * MIB)]],
    ['by its footer', () => hugeFooter(17 * MIB), ['parquetFooter', `${16 * MIB} bytes`]],
  ];
  test.each(limits)('%s is stopped', async (_, bytes, refusal) => {
    const made = bytes();
    const begun = processorMs();
    expect(await refusalOf(made)).toEqual(refusal instanceof RegExp ? expect.stringMatching(refusal) : refusal);
    expect(processorMs() - begun).toBeLessThan(10_000);
  });
});
