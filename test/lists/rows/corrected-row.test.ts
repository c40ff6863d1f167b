/** Rows of a corrected faults file, converted to rows of the batch's list. */
import { expect, test } from 'vitest';
import { withoutPause } from '../../../src/base/time-slices.ts';
import { textOf } from '../../../src/files/csv/cell.ts';
import { createScanner } from '../../../src/files/csv/scanner.ts';
import type { Columns } from '../../../src/lists/columns/columns.ts';
import { readHeader } from '../../../src/lists/columns/header.ts';
import { type OutputFormat, PLAIN_FORMAT } from '../../../src/lists/output/output-format.ts';
import { correctedLine, matchColumns } from '../../../src/lists/rows/corrected-row.ts';
import type { Repair } from '../../../src/lists/rows/repair.ts';

const HEADER = 'ref,warehouse_id,postalCode,weight_value,weight_units';

const columnsOf = (header: string): Columns => {
  const head = readHeader(Buffer.from(`${header}\n1,101,02139,2,LB\n`), true, {}, 1_048_576);
  if (typeof head === 'string' || 'problems' in head) throw new Error(JSON.stringify(head));
  return head.columns;
};

const KEEPING: OutputFormat = { ...PLAIN_FORMAT, keepFormulas: true };

const matched = (corrections: string, format = PLAIN_FORMAT, batch = HEADER) =>
  withoutPause(matchColumns(columnsOf(batch), format, corrections.split(',')));

test('finds columns by name in any order, including the row’s number', () => {
  expect(matched(`input_row,${HEADER}`)).toEqual({ rowColumn: 0, cells: [1, 2, 3, 4, 5] });
  expect(matched('weight_units,weight_value,Input Row,postalCode,ref,warehouse_id')).toEqual({
    rowColumn: 2,
    cells: [4, 5, 3, 1, 0],
  });
});

test('matches columns with the same name from left to right', () => {
  expect(matched(`ref,ref,${HEADER.slice(4)},input_row`, PLAIN_FORMAT, `ref,${HEADER}`)).toEqual({
    rowColumn: 6,
    cells: [0, 1, 2, 3, 4, 5],
  });
});

test('ignores columns that the output adds and columns without a name', () => {
  const added = 'quote_status,fault_type,fault_message,quote_repairs,quote_warnings';
  expect(matched(`${HEADER},${added},input_row, `)).toEqual({ rowColumn: 10, cells: [0, 1, 2, 3, 4] });
  const format = { ...PLAIN_FORMAT, services: ['C1-GROUND'], explain: true };
  expect(matched(`${HEADER},net_C1-GROUND,cheapest,explain_zone,input_row`, format)).toMatchObject({ rowColumn: 8 });
  expect(matched(`${HEADER},cheapest,input_row`)).toEqual({
    problems: { unknown: 'the batch does not have these columns: "cheapest"' },
  });
});

test('does not expect a column that the output does not pass through', () => {
  expect(matched(`${HEADER},input_row`, PLAIN_FORMAT, `${HEADER},quote_status`)).toEqual({
    rowColumn: 5,
    cells: [0, 1, 2, 3, 4, -1],
  });
});

test('names missing and unknown columns, and requires the row’s number', () => {
  expect(matched('ref,zip,postalCode,weight_value,more')).toEqual({
    problems: {
      input_row: 'required column missing: it has the number of the row to correct',
      missing: 'the file is missing columns of the batch: "warehouse_id", "weight_units"',
      unknown: 'the batch does not have these columns: "zip", "more"',
    },
  });
});

test('restores a defused name unless formulas are kept', () => {
  const batch = `=ref,${HEADER.slice(4)}`;
  const corrections = `'=ref,${HEADER.slice(4)},input_row`;
  expect(matched(corrections, PLAIN_FORMAT, batch)).toEqual({ rowColumn: 5, cells: [0, 1, 2, 3, 4] });
  expect(matched(corrections, PLAIN_FORMAT, `'${batch}`)).toEqual({ rowColumn: 5, cells: [0, 1, 2, 3, 4] });
  expect(matched(corrections, KEEPING, batch)).toEqual({
    problems: {
      missing: 'the file is missing columns of the batch: "=ref"',
      unknown: 'the batch does not have these columns: "\'=ref"',
    },
  });
});

/** Returns a row of corrections with the columns in the batch's order. */
const corrected = (
  line: string,
  {
    format = PLAIN_FORMAT,
    repairs = [],
    header = HEADER,
  }: { format?: OutputFormat; repairs?: Repair[]; header?: string } = {},
  cells: readonly number[] = [0, 1, 2, 3, 4],
) => {
  const text = textOf(Buffer.from(`${line}\n`));
  const { row, scan } = createScanner({ delimiter: ',', lineBreak: 'lf' }, 1_000);
  scan(text, 0, true);
  const found = correctedLine(text, row, cells, { columns: columnsOf(header), format, repairs });
  return found === undefined ? undefined : Buffer.from(found, 'latin1').toString('utf8');
};

test('writes the batch’s cells in its order, quoted if necessary', () => {
  expect(corrected('"a, b",101,02139,2,LB')).toBe('"a, b",101,02139,2,LB\n');
  expect(corrected('LB,2,02139,101,é', {}, [4, 3, 2, 1, 0])).toBe('é,101,02139,2,LB\n');
  expect(corrected('a,101,02139,2,LB', {}, [0, 1, 2, 3, -1])).toBe('a,101,02139,2,\n');
});

test('skips a blank row', () => {
  expect(corrected(',,,,')).toBeUndefined();
  expect(corrected(' ,\t, ,,')).toBeUndefined();
  expect(corrected(',,,,x')).toBe(',,,,x\n');
});

test('restores a defused cell unless formulas are kept', () => {
  expect(corrected("'=1+1,101,02139,2,LB")).toBe('=1+1,101,02139,2,LB\n');
  expect(corrected("'02139,101,02139,2,LB")).toBe("'02139,101,02139,2,LB\n");
  expect(corrected("'=1+1,101,02139,2,LB", { format: KEEPING })).toBe("'=1+1,101,02139,2,LB\n");
});

test('repairs the corrections if their upload asks for it', () => {
  expect(corrected('a,101,2139,2,LB')).toBe('a,101,2139,2,LB\n');
  expect(corrected('a,101,2139,2,LB', { repairs: ['zip'] })).toBe('a,101,02139,2,LB\n');
  expect(corrected('a,101,2139,32 oz,oz', { repairs: ['zip', 'weight'] })).toBe('a,101,02139,2,LB\n');
  expect(corrected('a,101,02139,2,LB', { repairs: ['zip', 'weight'] })).toBe('a,101,02139,2,LB\n');
});

test('leaves a row unchanged if a repair would change a field without a column', () => {
  const header = 'ref,warehouse_id,postalCode,Weight (lb),note';
  expect(corrected('a,101,2139,2,x', { repairs: ['zip'], header })).toBe('a,101,02139,2,x\n');
  expect(corrected('a,101,2139,1 kg,x', { repairs: ['zip', 'weight'], header })).toBe('a,101,2139,1 kg,x\n');
});
