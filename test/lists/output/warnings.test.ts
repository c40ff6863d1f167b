import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { withoutPause } from '../../../src/base/time-slices.ts';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import { type FormatOptions, fitted, formatOf } from '../../../src/lists/output/output-format.ts';
import { summaryOf } from '../../../src/lists/output/summary.ts';
import { createRater, outputHeaderBytes } from '../../../src/lists/rows/rate-rows.ts';
import { chartedTariff } from '../../catalog/tariff/small-tariff.ts';
import { contextFor, planList } from '../rows/fixtures.ts';

const schedule = scheduleOf([chartedTariff()]);
// New Jersey has a zone chart, Chicago has none. The last row has a fault.
const LIST =
  'order,warehouse_id,postalCode,weight_value,weight_units\nA,101,10001,1,LB\nB,102,10001,2,LB\nC,102,1,2,LB\n';

const rated = (list: string, options: FormatOptions = {}, reading: Parameters<typeof planList>[3] = {}) => {
  const bytes = Buffer.from(list);
  const planned = planList(bytes, {}, undefined, reading);
  if (!('plan' in planned)) throw new Error(JSON.stringify(planned));
  const format = formatOf(options, schedule);
  const columns = withoutPause(fitted(planned.columns, format));
  const [chunk] = planned.plan.chunks;
  const rater = createRater(bytes.subarray(chunk?.from, chunk?.to), 1, { ...contextFor(columns, schedule), format });
  while (rater.step(10));
  const { output, faults, tally } = rater.result();
  const text = (rows: Buffer): string => `${outputHeaderBytes(columns, format)}${rows}`;
  return { output: text(output), faults: text(faults), tally };
};
const lastCells = (csv: string): string[] => parse(csv).map((cells: string[]) => cells.at(-1) ?? '');

describe('quote_warnings', () => {
  test.each<[string, FormatOptions, Parameters<typeof planList>[3]]>([
    ['as it is', {}, {}],
    ['with all services', { services: 'all' }, {}],
    ['explained', { explain: 'true' }, {}],
    ['repaired', {}, { repairs: ['zip'] }],
    ['with all of these', { services: 'all', explain: 'true' }, { repairs: ['zip', 'weight'] }],
  ])('is the last column of a list %s', (_name, options, reading) => {
    const { output, faults } = rated(LIST, options, reading);
    expect(lastCells(output)).toEqual(['quote_warnings', '', 'zone.estimated', '']);
    expect(lastCells(faults)).toEqual(['quote_warnings', '']);
  });

  test('is replaced where our own output comes back as a list', () => {
    const { output } = rated(LIST);
    expect(rated(output).output).toBe(output);
  });

  test('is counted with its rows and their money', () => {
    const { tally } = rated(LIST);
    expect(summaryOf(tally).warnings).toEqual([{ type: 'zone.estimated', shipments: 1, totalNetCharge: 22 }]);
    expect(summaryOf(tally).totalNetCharge).toBe(32);
  });
});
