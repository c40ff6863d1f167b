import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Schedule } from '../../../src/catalog/tariff/schedule.ts';
import { cellOf, decodeText, textOf } from '../../../src/files/csv/cell.ts';
import { asUtf8, type Encoding } from '../../../src/files/csv/encoding.ts';
import { createScanner } from '../../../src/files/csv/scanner.ts';
import type { ReadOptions } from '../../../src/lists/columns/columns.ts';
import { readHeader } from '../../../src/lists/columns/header.ts';
import { OUTPUT_COLUMNS } from '../../../src/lists/output/output-columns.ts';
import { processorMs } from '../../processor-time.ts';
import { planList, rateList, referenceSchedule } from './fixtures.ts';

let schedule: Schedule;
beforeAll(async () => {
  schedule = await referenceSchedule();
});

const HEADER = ['order', 'warehouse_id', 'postalCode', 'weight_value', 'weight_units', 'addressLine'];
/** Difficult content: quotes, separators and line breaks in cells, empty cells, other scripts, an emoji. */
const ROWS = [
  ['A1', '101', '02139', '2.1', 'LB', '1 Main St'],
  ['A2', '101', '90001', '0.5', 'KG', 'Straße 5, "Hof"'],
  ['A; 3', '102', '2139', '2', 'LB', ''],
  ['A|4', '103', '60601', '', 'LB', 'two\nlines'],
  ['A\t5', '101', '02139-1234', '3', 'KG', '東京 😀'],
  ['', '101', '02139', '2.1', 'LB', 'a 12" pipe'],
];

interface Form {
  readonly delimiter?: string;
  readonly lineBreak?: '\n' | '\r\n' | '\r';
  readonly before?: string;
  readonly trailing?: string;
  readonly quoted?: boolean;
  readonly blankLines?: boolean;
}

const written = (rows: readonly (readonly string[])[], form: Form): string => {
  const { delimiter = ',', lineBreak = '\n', before = '', trailing = '', quoted = false, blankLines = false } = form;
  const lines = rows.map((row) =>
    stringify([[...row]], { delimiter, quoted, quoted_match: /[\r\n]/, record_delimiter: '' }),
  );
  const ends = `${trailing}${lineBreak}${blankLines ? lineBreak : ''}`;
  return `${before}${lines.map((line) => `${line}${ends}`).join('')}`;
};

const utf8Of = async (bytes: Buffer, said?: Encoding): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of asUtf8(
    (async function* () {
      yield bytes;
    })(),
    said,
  ))
    pieces.push(piece);
  return Buffer.concat(pieces);
};

const outputOf = async (bytes: Buffer, said?: Encoding): Promise<string[][]> =>
  parse(rateList(await utf8Of(bytes, said), schedule).output);

const LIST = [HEADER, ...ROWS];
const forms: [string, Form][] = [
  ['commas and CRLF', { lineBreak: '\r\n' }],
  ['semicolons', { delimiter: ';' }],
  ['tabs', { delimiter: '\t' }],
  ['vertical bars', { delimiter: '|' }],
  ['CR alone', { lineBreak: '\r' }],
  ['every cell quoted', { quoted: true, delimiter: ';', lineBreak: '\r\n' }],
  ['separators at the ends', { trailing: ',,,' }],
  ['semicolons at the ends and CRLF', { delimiter: ';', trailing: ';;', lineBreak: '\r\n' }],
  ['blank lines', { blankLines: true, lineBreak: '\r\n' }],
  ['a byte-order mark', { before: '\ufeff' }],
  ['a line that says the separator', { before: 'sep=;\r\n', delimiter: ';', lineBreak: '\r\n' }],
  ['a mark and a line that says the separator', { before: '\ufeff"sep=|"\n', delimiter: '|' }],
  ['a line that says tabs', { before: 'sep=\t\r', delimiter: '\t', lineBreak: '\r' }],
  ['blank lines before the header', { before: '\n\n,,\n' }],
];

describe('the same shipments give the same output, cell by cell, with', () => {
  test.each(forms)('%s', async (_, form) => {
    const plain = await outputOf(Buffer.from(written(LIST, {})));
    expect(await outputOf(Buffer.from(written(LIST, form)))).toEqual(plain);
  });

  test.each(forms)('%s, in UTF-16 of either order', async (_, form) => {
    const plain = await outputOf(Buffer.from(written(LIST, {})));
    const text = `\ufeff${written(LIST, form).replace('\ufeff', '')}`;
    expect(await outputOf(Buffer.from(text, 'utf16le'))).toEqual(plain);
    expect(await outputOf(Buffer.from(text, 'utf16le').swap16())).toEqual(plain);
  });

  test('Windows-1252, if the caller says so', async () => {
    const rows = LIST.map((row) => row.map((cell) => cell.replaceAll(/[^\0-\u00ff]/gu, '')));
    const plain = await outputOf(Buffer.from(written(rows, {})));
    expect(await outputOf(Buffer.from(written(rows, {}), 'latin1'), 'windows-1252')).toEqual(plain);
  });
});

describe('a random table in a random dialect', () => {
  const cell = fc.string({ unit: fc.constantFrom(...',;|\t"\n\r aé😀=0', 'sep='), maxLength: 6 });
  const name = fc
    .string({ unit: fc.constantFrom(...',;|"aéx '), minLength: 1, maxLength: 6 })
    .map((text) => `n${text}`);

  test('is read back as it was written', () => {
    const table = fc.integer({ min: 0, max: 5 }).chain((width) =>
      fc.record({
        names: fc.array(name, { minLength: width, maxLength: width }),
        rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 30 }),
      }),
    );
    const form = fc.record({
      delimiter: fc.constantFrom(',', ';', '\t', '|'),
      lineBreak: fc.constantFrom<NonNullable<Form['lineBreak']>>('\n', '\r\n'),
      quoted: fc.boolean(),
      before: fc.constantFrom('', '\ufeff'),
      trailing: fc.boolean(),
    });
    fc.assert(
      fc.property(table, form, ({ names, rows }, { trailing, ...how }) => {
        const header = [...HEADER.slice(0, 5), ...names];
        const all = [header, ...rows.map((row, index) => [`A${index}`, '101', '02139', '2', 'LB', ...row])];
        const list = Buffer.from(written(all, { ...how, trailing: trailing ? how.delimiter.repeat(2) : '' }));
        const head = readHeader(list, true, {}, 1_000_000);
        if (head === 'more' || 'problems' in head) throw new Error(JSON.stringify(head));
        expect(head.columns.dialect.delimiter).toBe(how.delimiter);
        const text = textOf(list);
        const { row, scan } = createScanner(head.columns.dialect, 1_000_000);
        const read: string[][] = [];
        for (let at = head.headerStart; scan(text, at, true) === 'row'; at = row.next)
          read.push(Array.from({ length: header.length }, (_, index) => decodeText(cellOf(text, row, index))));
        expect(read).toEqual(all);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the problem is reported for', () => {
  const problemsOf = (list: string, reading: ReadOptions = {}): unknown => {
    const head = readHeader(Buffer.from(list), true, reading, 1_000_000);
    return typeof head === 'object' && 'problems' in head ? head.problems : head;
  };
  const sound = written(LIST, {});

  test('a title above the header', () => {
    const titled = { header: 'seems to be row 3, but row 1 was read: use ?header_row=3, or remove the rows above it' };
    expect(problemsOf(`Shipments of June\n\n${sound}`)).toEqual(titled);
    expect(problemsOf(`"Shipments, of June",,,,,\n,,,,,\n${sound}`)).toEqual(titled);
    expect(problemsOf(`Shipments; June\r\n\r\n${written(LIST, { delimiter: ';', lineBreak: '\r\n' })}`)).toEqual(
      titled,
    );
  });

  test('a title above unknown columns', () => {
    expect(problemsOf('June\na,b,c\n1,2,3\n')).toEqual({
      header: 'has 1 cell, but the rows below have 3: if it is a title, use ?header_row=2, or remove the title',
    });
  });

  test.each(['utf-16le', 'utf-16be'])('%s without a mark', (encoding) => {
    const bytes = Buffer.from(sound.replaceAll(/[^\0-\x7f]/gu, ''), 'utf16le');
    expect(problemsOf((encoding === 'utf-16be' ? bytes.swap16() : bytes).toString('latin1'))).toEqual({
      file: `is not text: its header has NUL bytes; use ?encoding=${encoding} for UTF-16 without a mark`,
    });
  });

  test('a sep= line with an unknown separator', () => {
    expect(problemsOf(`sep=:\n${sound}`)).toEqual({ file: 'has sep=:; the separator must be , ; | or tab' });
  });
});

describe('the caller’s separator', () => {
  test('wins if the rows do not determine it, and over a sep= line', () => {
    const list = written(
      [
        ['zip', 'weight', 'a|b'],
        ['02139', '2', ''],
      ],
      { delimiter: ';' },
    );
    const defaults = { warehouse_id: '101', weight_units: 'LB' };
    expect(planList(Buffer.from(`sep=|\n${list}`), {}, 100, { delimiter: ';', defaults })).toMatchObject({
      columns: { dialect: { delimiter: ';' }, header: ['zip', 'weight', 'a|b'] },
    });
  });
});

describe('oddities', () => {
  test('the highest number of columns', () => {
    const names = Array.from({ length: 16_384 - HEADER.length }, (_, index) => `c${index}`);
    const list = Buffer.from(`${[...HEADER, ...names].join(',')}\n${[...(ROWS[0] ?? []), ...names].join(',')}\n`);
    const head = readHeader(list, true, {}, 1_048_576);
    expect(head).toMatchObject({ columns: { dialect: { delimiter: ',' }, fields: { postalCode: 2 } } });
    const cost = processorMs();
    expect(readHeader(list.subarray(0, 65_536), false, {}, 1_048_576)).toBe('more');
    expect(processorMs() - cost).toBeLessThan(500);
    expect(parse(rateList(list, schedule).output, { max_record_size: 10_000_000 })[1]).toHaveLength(
      16_384 + OUTPUT_COLUMNS.length + 1,
    );
  });

  test('empty rows, doubled quotes, NUL and only quotes', async () => {
    const list = `${HEADER.join(',')}\n"""A""","101","02139","2","LB",""\n,,,,,\n"","","","","",""\n\0,101,02139,2,LB,\n`;
    const rows = await outputOf(Buffer.from(list));
    expect(rows.slice(1).map((row) => [row[0], row[7]])).toEqual([
      ['"A"', '200'],
      ["'\0", '200'],
    ]);
  });
});
