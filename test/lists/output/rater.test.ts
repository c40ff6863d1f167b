/** Rating a run of rows. Its bytes, faults and counts are literals. */
import { describe, expect, test } from 'vitest';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import { ByteWriter } from '../../../src/files/csv/byte-writer.ts';
import type { ReadOptions } from '../../../src/lists/columns/columns.ts';
import { OUTPUT_COLUMNS } from '../../../src/lists/output/output-columns.ts';
import { type OutputFormat, PLAIN_FORMAT } from '../../../src/lists/output/output-format.ts';
import {
  createRater,
  OutputTooLarge,
  outputHeaderBytes,
  type RatingContext,
  rowStarts,
} from '../../../src/lists/rows/rate-rows.ts';
import { smallTariff } from '../../catalog/tariff/small-tariff.ts';
import { rowsOf } from '../comparison/fixtures.ts';
import { contextFor, planList } from '../rows/fixtures.ts';

// 1 lb to zone 2 is 10.00, 2 lb is 11.00.
const schedule = scheduleOf([smallTariff()]);
const HEADER = 'ref,warehouse_id,postalCode,weight_value,weight_units,shippingService\n';
const ROW = 'a,101,02139,1,LB,\n';
const FAULTY = 'b,101,2139,1,LB,\n';

/** Returns the rows of an output with the list's own cells. Of the added cells, it keeps the row number and the outcome. */
const brief = (output: string): string =>
  output.replaceAll(
    /,(\d+),(200|422),.*(?=\n)/g,
    (_, number, status) => `, ${number} ${status === '200' ? 'quoted' : 'faulted'}`,
  );
const quoted = (number: number): string => `, ${number} quoted\n`;
const faulted = (number: number): string => `, ${number} faulted\n`;

const contextOf = (list: string, more: Partial<RatingContext> = {}, reading: ReadOptions = {}): RatingContext => {
  const planned = planList(Buffer.from(list), {}, undefined, reading);
  if (!('plan' in planned)) throw new Error(JSON.stringify(planned));
  return { ...contextFor(planned.columns, schedule), ...more };
};

const rated = (
  rows: string,
  more: Partial<RatingContext> = {},
  { header = HEADER, reading = {}, firstRow = 1 } = {},
) => {
  const rater = createRater(Buffer.from(rows), firstRow, contextOf(header + rows, more, reading));
  while (rater.step(10));
  const { output, faults, tally } = rater.result();
  return { output: output.toString(), faults: faults.toString(), tally };
};

test('writes a row’s cells and quote, and a row with a fault to the faults too', () => {
  const rows = ROW + FAULTY + ROW.replace(',1,LB', ',2,LB');
  const { output, faults, tally } = rated(rows);
  expect(brief(output)).toBe(`a,101,02139,1,LB,${quoted(1)}b,101,2139,1,LB,${faulted(2)}a,101,02139,2,LB,${quoted(3)}`);
  expect(faults).toBe(`${output.split('\n')[1]}\n`);
  const cells = rowsOf(outputHeaderBytes(contextOf(HEADER + rows).columns).toString() + output);
  expect(cells).toMatchObject([
    { quote_shippingService: 'GROUND', quote_totalNetCharge: '10.00', quote_billingWeight_value: '1', fault_type: '' },
    { quote_shippingService: '', quote_totalNetCharge: '', fault_type: 'getRates.invalidRequest', quote_warnings: '' },
    { quote_shippingService: 'GROUND', quote_totalNetCharge: '11.00', quote_billingWeight_value: '2', fault_type: '' },
  ]);
  expect(tally).toMatchObject({ processed: 3, quoted: 2, faulted: 1, byService: { GROUND: { netCents: 2_100 } } });
});

test('counts the cheapest service only for rows that name no service', () => {
  const rows = ROW + ROW.replace('LB,', 'LB,GROUND') + ROW;
  expect(rated(rows).tally.cheapest).toEqual({ GROUND: 2 });
});

describe('the cells of the list', () => {
  const HARD = 'ref,warehouse_id,postalCode,weight_value,weight_units,note\n';
  const cellsOf = (cells: string, format: Partial<OutputFormat> = {}) => {
    const [ref = '', note = ''] = cells.split('|');
    const row = `${ref},101,02139,1,LB,${note}\n`;
    const { output } = rated(row, { format: { ...PLAIN_FORMAT, ...format } }, { header: HARD });
    const at = output.indexOf(',101,02139,1,LB,');
    return `${output.slice(0, at)}|${brief(output).slice(at + 16, brief(output).indexOf(quoted(1)))}`;
  };

  test.each([
    ['a|b', 'a|b'],
    ['|', '|'],
    ['"a"|"b c"', 'a|b c'],
    ['"a,b"|', '"a,b"|'],
    ['"a ""b"""|', '"a ""b"""|'],
    ['a "b" c|', '"a ""b"" c"|'],
    ['"a\nb"|', '"a\nb"|'],
    ['a\rb|', '"a\rb"|'],
    ['-5|+1.5', '-5|+1.5'],
    ['=1|b', "'=1|b"],
    ['a|@x', "a|'@x"],
    ['"=A1,B1"|', `"'=A1,B1"|`],
    ['"-x"|', "'-x|"],
  ])('%j come out as %j', (cells, written) => {
    expect(cellsOf(cells)).toBe(written);
  });

  test.each([
    ['=1|@x', '=1|@x'],
    ['"=A1,B1"|', '"=A1,B1"|'],
    ['"=1"|b', '=1|b'],
    ['a "b"|', '"a ""b"""|'],
  ])('%j come out as %j where formulas are kept', (cells, written) => {
    expect(cellsOf(cells, { keepFormulas: true })).toBe(written);
  });

  test('are as many as the header’s', () => {
    expect(brief(rated('a,101,02139,1,LB\n').output)).toBe(`a,101,02139,1,LB,${quoted(1)}`);
    expect(brief(rated('a,101,02139,1,LB,,,\n').output)).toBe(`a,101,02139,1,LB,${quoted(1)}`);
    expect(rated('a,101,02139,1,LB,,"x,y",\n').output).toMatch(/^a,101,02139,1,LB,",""x,y""",1,422,/);
    const keeping = { format: { ...PLAIN_FORMAT, keepFormulas: true } };
    expect(rated('a,101,02139,1,LB,=1,x\n', keeping).output).toMatch(/^a,101,02139,1,LB,"=1,x",1,422,/);
    expect(rated('a,101,02139,1,LB,=1,x\n').output).toMatch(/^a,101,02139,1,LB,"'=1,x",1,422,/);
  });

  test('are separated by commas, regardless of the list’s separator', () => {
    const header = HEADER.replaceAll(',', ';').replaceAll('\n', '\r');
    expect(brief(rated(ROW.replaceAll(',', ';').replace('\n', '\r'), {}, { header }).output)).toBe(
      `a,101,02139,1,LB,${quoted(1)}`,
    );
    const crlf = { header: HEADER.replace('\n', '\r\n') };
    expect(brief(rated(ROW.replace('\n', '\r\n'), {}, crlf).output)).toBe(`a,101,02139,1,LB,${quoted(1)}`);
  });
});

describe('the header', () => {
  const headerOf = (header: string, format?: OutputFormat, reading?: ReadOptions) =>
    outputHeaderBytes(contextOf(`${header}\n`, {}, reading).columns, format).toString();
  const PLAIN = 'warehouse_id,postalCode,weight_value,weight_units';
  const OURS = OUTPUT_COLUMNS.map(({ name }) => name).join(',');

  test('has the list’s columns and the added ones', () => {
    expect(headerOf(PLAIN)).toBe(`${PLAIN},${OURS},quote_warnings\n`);
    expect(headerOf(PLAIN, PLAIN_FORMAT, { repairs: ['zip'] })).toBe(`${PLAIN},${OURS},quote_repairs,quote_warnings\n`);
  });

  test('has defused names in UTF-8', () => {
    expect(headerOf(`=é,"a,b",${PLAIN}`)).toBe(`'=é,"a,b",${PLAIN},${OURS},quote_warnings\n`);
    expect(headerOf(`=é,${PLAIN}`, { ...PLAIN_FORMAT, keepFormulas: true })).toBe(
      `=é,${PLAIN},${OURS},quote_warnings\n`,
    );
  });
});

test('adds columns for repairs and warnings', () => {
  const mended = rated(FAULTY.replace('LB', 'lbs'), {}, { reading: { repairs: ['zip', 'weight'] } }).output;
  expect(mended.endsWith(',postalCode 2139 read as 02139; weight_value 1 lbs read as 1 LB,\n')).toBe(true);
});

test('numbers the rows, except blank ones', () => {
  expect(brief(rated(`${ROW}\n,,,\n${ROW}`, {}, { firstRow: 41 }).output)).toBe(
    `a,101,02139,1,LB,${quoted(41)}a,101,02139,1,LB,${quoted(42)}`,
  );
});

test('a poison row has a fault and is not rated', () => {
  const { output, tally } = rated(ROW + ROW, { poisonRows: new Set([2]) });
  expect(brief(output)).toBe(`a,101,02139,1,LB,${quoted(1)}a,101,02139,1,LB,${faulted(2)}`);
  expect(output.split('\n')[1]).toMatch(/,,row\.malformed,Row 2 cannot be read: \w/);
  expect(tally.faults).toEqual({ 'row.malformed': 1 });
});

describe('a step', () => {
  test('rates the given number of rows, and returns whether there may be more', () => {
    const rater = createRater(Buffer.from(`${ROW}\n${ROW}${ROW}`), 1, contextOf(HEADER + ROW));
    const processed = () => rater.result().tally.processed;
    // The second row is blank.
    expect([rater.step(2), processed()]).toEqual([true, 1]);
    expect([rater.step(2), processed()]).toEqual([true, 3]);
    expect([rater.step(1), processed()]).toEqual([false, 3]);
  });

  test('stops at a row over the limit', () => {
    const rater = createRater(Buffer.from(ROW + ROW), 5, contextOf(HEADER + ROW, { maximumRowBytes: 10 }));
    expect(() => rater.step(1)).toThrow('Row 5 is over the limit');
  });
});

describe('the rows and the faults', () => {
  test('may not exceed their limit of bytes', () => {
    const bytes = rated(ROW + FAULTY);
    const both = bytes.output.length + bytes.faults.length;
    expect(rated(ROW + FAULTY, { mostBytes: both }).output).toBe(bytes.output);
    const error = (() => {
      try {
        return rated(ROW + FAULTY, { mostBytes: both - 1 });
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(OutputTooLarge);
    expect(error).toMatchObject({ name: 'OutputTooLarge', row: 2, message: expect.stringContaining('row 2') });
  });

  test('are written to the given writers', () => {
    const bytes = rated(ROW + FAULTY);
    const into = { output: new ByteWriter(0), faults: new ByteWriter(0) };
    const rater = createRater(Buffer.from(ROW + FAULTY), 1, contextOf(HEADER + ROW), into);
    while (rater.step(10));
    expect([into.output.result().toString(), into.faults.result().toString()]).toEqual([bytes.output, bytes.faults]);
  });
});

test('finds the offsets of rows that are not blank', () => {
  const context = contextOf(HEADER + ROW);
  expect(rowStarts(Buffer.from(`${ROW}\n,,\n${ROW}"x\ny",1\nz`), context)).toEqual([0, 22, 40, 48]);
  expect(rowStarts(Buffer.alloc(0), context)).toEqual([]);
});
