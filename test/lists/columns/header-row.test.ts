/** `header_row`: title rows above the header are skipped. */
import { describe, expect, test } from 'vitest';
import { readHeader } from '../../../src/lists/columns/header.ts';
import { planList } from '../rows/fixtures.ts';

const HEADER = 'warehouse_id;postalCode;weight_value;weight_units';
const ROWS = '101;02139;2;LB\n101;10001;3;LB\n';

const head = (text: string, headerRow?: number, complete = true) => {
  const found = readHeader(Buffer.from(text), complete, { headerRow }, 10_000);
  if (found === 'more' || 'problems' in found) return found;
  return { ...found, header: found.columns.header };
};
const NAMES = HEADER.split(';');

describe('the header is found', () => {
  test.each([
    ['below a title', `Orders, June\n${HEADER}\n${ROWS}`, 2],
    ['below blank rows, which count', `Orders\n\n;;;\n${HEADER}\n${ROWS}`, 4],
    [
      'below a title with line breaks in quotes, which is one row',
      `"Orders\nof\nJune";x\nby Ann\n${HEADER}\n${ROWS}`,
      3,
    ],
    ['after a byte-order mark', `\ufeffOrders\n${HEADER}\n${ROWS}`, 2],
    ['after a sep= line, which does not count', `sep=;\nOrders\n${HEADER}\n${ROWS}`, 2],
    ['below a row that is not CSV', `a "b;"c"d\n${HEADER}\n${ROWS}`, 2],
    ['below rows with another separator', `a,b,c,d,e\n1,2,3,4,5\n${HEADER}\n${ROWS}`, 3],
    ['below a row of known names', `warehouse_id;zip;weight\n${HEADER}\n${ROWS}`, 2],
    ['on the first row', `${HEADER}\n${ROWS}`, 1],
  ])('%s', (_name, text, headerRow) => {
    const found = head(text, headerRow);
    const start = Buffer.byteLength(text.slice(0, text.indexOf(HEADER)));
    expect(found).toMatchObject({ header: NAMES, headerRow, headerStart: start, bodyStart: start + HEADER.length + 1 });
    expect(found).toMatchObject({ headerLines: text.slice(0, text.indexOf(HEADER)).split('\n').length });
  });

  test('with other line breaks', () => {
    for (const lineBreak of ['\r\n', '\r'])
      expect(head(`Orders\n${HEADER}\n${ROWS}`.replaceAll('\n', lineBreak), 2)).toMatchObject({ header: NAMES });
  });
});

test('rows are counted from the header on', () => {
  const plan = planList(Buffer.from(`"Orders\nof June"\n\n${HEADER}\n${ROWS}`), {}, 7, { headerRow: 3 });
  expect(plan).toMatchObject({ plan: { rows: 2, chunks: [{ firstRow: 1, rows: 2 }] } });
});

test('a row that is too long is named by its line in the file', () => {
  const list = `Title\n"a\nb"\n${HEADER}\n101;02139;2;LB\n${'x'.repeat(2_000)}\n`;
  expect(planList(Buffer.from(list), { maximumRowBytes: 1_000 }, 100, { headerRow: 3 })).toEqual({
    ...{ kind: 'rowTooLong', row: 2, line: 6 },
  });
});

describe('the problem is named', () => {
  test.each([
    ['a blank row', `Orders\n\n${HEADER}\n${ROWS}`, 2, 'is 2, but that row is blank'],
    ['too few rows', `Orders\n`, 3, 'is 3, but the list has fewer rows'],
    [
      'too much text',
      `${'x'.repeat(12_000)}\n${HEADER}\n`,
      2,
      'is 2, but the rows above it have more than 10000 bytes',
    ],
  ])('%s', (_name, text, headerRow, problem) => {
    expect(head(text, headerRow)).toEqual({ problems: { header_row: problem } });
  });

  test('more bytes are needed while the rows above the header continue', () => {
    expect(head('Orders\nof Ju', 3, false)).toBe('more');
    expect(head(`Orders\n${HEADER.slice(0, 9)}`, 2, false)).toBe('more');
  });
});

test('the row of the header is suggested, from any row', () => {
  const list = `Orders\n\n"by\nAnn"\n${HEADER}\n${ROWS}`;
  const problem = 'seems to be row 4, but row 1 was read: use ?header_row=4, or remove the rows above it';
  expect(head(list)).toMatchObject({ problems: { header: problem }, unused: { headerRow: 1, suggestedHeaderRow: 4 } });
  expect(head(list, 3)).toMatchObject({ unused: { header: ['by\nAnn'], headerRow: 3, suggestedHeaderRow: 4 } });
});
