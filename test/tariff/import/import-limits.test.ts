import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RefusedFile } from '../../../src/tariff/import/reading.ts';
import { readSource } from '../../../src/tariff/import/source.ts';
import { openWorkbook, WORKBOOK_LIMITS } from '../../../src/tariff/import/xlsx.ts';
import { archive, workbookParts } from './archive.ts';

const ONE_CELL = '<row r="1"><c r="A1"><v>1</v></c></row>';

/** All cells of a workbook's sheets, or why it was refused. */
const cellsOf = async (bytes: Uint8Array, limits = WORKBOOK_LIMITS): Promise<unknown> => {
  try {
    const workbook = await openWorkbook(bytes, { limits });
    const rows: unknown[] = [];
    for (const sheet of workbook.sheets.keys()) for await (const { cells } of workbook.rows(sheet)) rows.push(cells);
    return rows;
  } catch (error) {
    if (error instanceof RefusedFile) return error.message;
    throw error;
  }
};

describe('a workbook', () => {
  test('is read by sheets, rows and cells', async () => {
    expect(await cellsOf(archive(workbookParts(ONE_CELL)))).toEqual([[1]]);
  });

  test('keeps an error such as #REF! as text, never as an empty cell', async () => {
    const parts = workbookParts('<row r="1"><c r="A1" t="e"><v>#REF!</v></c></row>');
    expect(await cellsOf(archive(parts))).toEqual([['#REF!']]);
  });

  test('that inflates to more than 100 MiB is refused, whatever part of it does', async () => {
    const noise = Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 7_919) % 251));
    const parts = Array.from({ length: 130 }, (_, index) => ({
      name: `xl/media/${index}.bin`,
      content: Buffer.concat(new Array<Buffer>(200).fill(noise)),
    }));
    expect(await cellsOf(archive([...workbookParts(ONE_CELL), ...parts]))).toMatch(/holds more than it may/);
  });

  test('with a part that is packed over 200 times is refused', async () => {
    const bomb = { name: 'xl/media/image1.png', content: Buffer.alloc(20 * 1024 * 1024) };
    expect(await cellsOf(archive([...workbookParts(ONE_CELL), bomb]))).toBe(
      'xl/media/image1.png is packed over 200 times, as only a zip bomb is',
    );
  });

  test.each([10, 1_000_000])(
    'whose header declares %i bytes for a part that has others is refused',
    async (declaredSize) => {
      const parts = workbookParts(ONE_CELL.repeat(100)).map((part) =>
        part.name.endsWith('sheet1.xml') ? { ...part, declaredSize } : part,
      );
      expect(await cellsOf(archive(parts))).toMatch(/cannot be read as a workbook/);
    },
  );

  test('with a document type, where entities are declared, is refused', async () => {
    const laughs = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>';
    expect(await cellsOf(archive(workbookParts('<row r="1"><c r="A1"><v>&b;</v></c></row>', laughs)))).toBe(
      'xl/worksheets/sheet1.xml declares a document type',
    );
  });

  test('with a cell far to the right is refused', async () => {
    const parts = workbookParts('<row r="1"><c r="XFD1"><v>1</v></c></row>');
    expect(await cellsOf(archive(parts))).toBe('a row has more than 500 columns');
  });

  test('with more cells than it may have is refused', async () => {
    const parts = workbookParts(ONE_CELL.repeat(11));
    expect(await cellsOf(archive(parts), { ...WORKBOOK_LIMITS, cells: 10 })).toBe('it has more than 10 cells');
    expect(await cellsOf(archive(parts), { ...WORKBOOK_LIMITS, cells: 11 })).toHaveLength(11);
  });

  test('with one part twice, truncated, or no workbook at all is refused', async () => {
    const good = archive(workbookParts(ONE_CELL));
    const twice = archive([...workbookParts(ONE_CELL), ...workbookParts(ONE_CELL)]);
    expect(await cellsOf(twice)).toBe('it has [Content_Types].xml twice');
    expect(await cellsOf(good.subarray(0, -30))).toMatch(/cannot be read as a workbook/);
    expect(await cellsOf(archive([{ name: 'a.txt', content: 'a' }]))).toBe('it is a ZIP archive, but not a workbook');
    expect(await cellsOf(Buffer.from('PK\u0003\u0004 and nothing else'))).toMatch(/cannot be read as a workbook/);
  });
});

describe('a file', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'import-limits-'));
  });
  afterAll(() => rm(dir, { recursive: true }));

  const refusalOf = async (name: string, content: string | Uint8Array): Promise<unknown> => {
    await writeFile(join(dir, name), content);
    return readSource(join(dir, name)).catch((error: unknown) =>
      error instanceof RefusedFile ? error.message : error,
    );
  };

  test('of 1 GB is refused before it is read', async () => {
    await writeFile(join(dir, 'huge.xlsx'), 'PK');
    await truncate(join(dir, 'huge.xlsx'), 2 ** 30);
    await expect(readSource(join(dir, 'huge.xlsx'))).rejects.toThrow('it is larger than 52428800 bytes');
  });

  test('that is empty, of no known kind, or a workbook of something else is refused', async () => {
    expect(await refusalOf('empty.csv', '')).toBe('it is empty');
    expect(await refusalOf('letter.pdf', 'Dear Sir')).toMatch(/^it is of no known kind/);
    expect(await refusalOf('binary.csv', new Uint8Array(10_000).fill(200))).toMatch(/^it is of no known kind/);
    expect(await refusalOf('rates.xlsx', archive(workbookParts(ONE_CELL)))).toBe(
      'it is a workbook, but neither rates nor a zone chart of UPS',
    );
  });

  test('that is a folder is refused', async () => {
    await expect(readSource(dir)).rejects.toThrow('it is not a file');
  });
});
