import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RefusedFile } from '../../src/import/read/reader.ts';
import { readWorkbook, WORKBOOK_LIMITS } from '../../src/import/read/xlsx.ts';
import { readSource } from '../../src/import/source.ts';
import { archive, compound, type WorkbookParts, workbookParts } from '../archive.ts';

const ONE_CELL = '<row r="1"><c r="A1"><v>1</v></c></row>';

/** All cells of a workbook's sheets, or the message of its refusal. */
const cellsOf = async (bytes: Uint8Array, limits = WORKBOOK_LIMITS): Promise<unknown> => {
  try {
    const sheets = await readWorkbook(bytes, undefined, limits);
    return sheets.flatMap(({ rows }) => rows.map(({ cells }) => cells));
  } catch (error) {
    if (error instanceof RefusedFile) return error.message;
    throw error;
  }
};
const cellsIn = (made: WorkbookParts, limits = WORKBOOK_LIMITS): Promise<unknown> =>
  cellsOf(archive(workbookParts(made)), limits);

describe('a workbook', () => {
  test('is read by sheets, rows and cells, including hidden sheets', async () => {
    const rows =
      '<row r="3"><c r="C3" t="b"><v>1</v></c><c r="A3" t="str"><v>a</v></c></row><row><c><v>2.50</v></c></row>';
    const bytes = archive(workbookParts({ rows, more: [['Two', 'hidden', ONE_CELL]] }));
    expect(await readWorkbook(bytes)).toEqual([
      {
        name: 'One',
        rows: [
          { number: 3, cells: ['a', null, true] },
          { number: 4, cells: [2.5] },
        ],
      },
      { name: 'Two', rows: [{ number: 1, cells: [1] }] },
    ]);
  });

  test('has dates as text, and numbers with leading zeros as numbers', async () => {
    const rows = '<row><c s="1"><v>46085</v></c><c s="2"><v>501</v></c></row>';
    expect(await cellsIn({ rows, formats: ['m/d/yy', '00000'] })).toEqual([['2026-03-04', 501]]);
  });

  test('keeps an error such as #REF! as text', async () => {
    expect(await cellsIn({ rows: '<row r="1"><c r="A1" t="e"><v>#REF!</v></c></row>' })).toEqual([['#REF!']]);
  });

  test('may have large parts that are not read, but not ones that are', async () => {
    const bomb = { name: 'xl/media/image1.png', content: Buffer.alloc(20 * 1024 * 1024) };
    expect(await cellsOf(archive([...workbookParts({ rows: ONE_CELL }), bomb]))).toEqual([[1]]);
    expect(await cellsIn({ rows: ONE_CELL.repeat(1_000) }, { ...WORKBOOK_LIMITS, partBytes: 10_000 })).toBe(
      'it is too large to read: the limit is 10000 bytes (archivePart)',
    );
    expect(await cellsIn({ rows: '<aaaaaaaa/>'.repeat(2_000_000) })).toBe(
      'it is too large to read: the limit is 100 to 1 (inflationRatio)',
    );
  });

  test.each([10, 1_000_000])(
    'is rejected if its header declares %i bytes for a part of another size',
    async (declaredSize) => {
      const parts = workbookParts({ rows: ONE_CELL.repeat(100) }).map((part) =>
        part.name.endsWith('sheet1.xml') ? { ...part, declaredSize } : part,
      );
      expect(await cellsOf(archive(parts))).toMatch(/^it is a damaged archive/);
    },
  );

  test('is rejected if it declares a document type', async () => {
    const prolog = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>';
    expect(await cellsIn({ rows: '<row r="1"><c r="A1"><v>&b;</v></c></row>', prolog })).toBe(
      'it is damaged: it declares a document type',
    );
  });

  test('is rejected if it has too many columns, cells or sheets', async () => {
    expect(await cellsIn({ rows: '<row r="1"><c r="XFD1"><v>1</v></c></row>' })).toBe(
      'it is too large to read: the limit is 500 in a row (columns)',
    );
    const rows = ONE_CELL.repeat(11);
    expect(await cellsIn({ rows }, { ...WORKBOOK_LIMITS, cells: 10 })).toBe(
      'it is too large to read: the limit is 10 (cells)',
    );
    expect(await cellsIn({ rows }, { ...WORKBOOK_LIMITS, cells: 11 })).toHaveLength(11);
    const more: WorkbookParts['more'] = [['Two', 'visible', '']];
    expect(await cellsIn({ rows, more }, { ...WORKBOOK_LIMITS, sheets: 1 })).toBe(
      'it is too large to read: the limit is 1 (sheets)',
    );
  });

  test('is rejected if it has a hostile number format or text', async () => {
    const formats = ['['.repeat(200_000)];
    expect(await cellsIn({ rows: ONE_CELL, formats })).toBe('it has a number format of more than 255 characters');
    const texts = `<si><t>${'x'.repeat(4_000_000)}</t></si>`;
    expect(await cellsIn({ rows: '<row><c t="s"><v>0</v></c></row>', texts })).toMatch(
      /^it has a cell in row 1 with more/,
    );
  });

  test('is rejected if it has a part twice, is truncated or is not a workbook', async () => {
    const good = archive(workbookParts({ rows: ONE_CELL }));
    const twice = archive([...workbookParts({ rows: ONE_CELL }), ...workbookParts({ rows: ONE_CELL })]);
    expect(await cellsOf(twice)).toBe('it has the part [Content_Types].xml twice');
    expect(await cellsOf(good.subarray(0, -30))).toMatch(/^it is a damaged archive/);
    expect(await cellsOf(archive([{ name: 'a.txt', content: 'a' }]))).toBe(
      'it is a ZIP archive, not a workbook: unpack it and use its files',
    );
    expect(await cellsOf(Buffer.from('PK\u0003\u0004 and nothing else'))).toMatch(/^it is a damaged archive/);
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

  test('of 1 GB is rejected before it is read', async () => {
    await writeFile(join(dir, 'huge.xlsx'), 'PK');
    await truncate(join(dir, 'huge.xlsx'), 2 ** 30);
    await expect(readSource(join(dir, 'huge.xlsx'))).rejects.toThrow('it is larger than 52428800 bytes');
  });

  test('that is empty, of no known kind or an unrelated workbook is rejected', async () => {
    expect(await refusalOf('empty.csv', '')).toBe('it is empty');
    expect(await refusalOf('letter.pdf', 'Dear Sir')).toMatch(/^it is of no known kind/);
    expect(await refusalOf('binary.csv', new Uint8Array(10_000).fill(200))).toMatch(/^it is of no known kind/);
    expect(await refusalOf('old.xls', compound('Workbook'))).toBe(
      'it is a workbook in the old binary format: save it as XLSX',
    );
    expect(await refusalOf('rates.xlsx', archive(workbookParts({ rows: ONE_CELL })))).toBe(
      'it is a workbook, but none of UPS: a zone chart, daily rates; USPS: Notice 123',
    );
  });

  test('that is a folder is rejected', async () => {
    await expect(readSource(dir)).rejects.toThrow('it is not a file');
  });
});
