/** The column `fault_column`: the list's own name for the column that a fault is about. */

import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import type { ReadOptions } from '../../../src/lists/columns/columns.ts';
import { PLAIN_FORMAT } from '../../../src/lists/output/output-format.ts';
import { createRater, outputHeaderBytes } from '../../../src/lists/rows/rate-rows.ts';
import { smallTariff } from '../../catalog/tariff/small-tariff.ts';
import { contextFor, planList } from './fixtures.ts';

const schedule = scheduleOf([smallTariff()]);

const faultOf = (header: string, row: string, reading: ReadOptions = {}, keepFormulas = false, tariffs = schedule) => {
  const planned = planList(Buffer.from(`${header}\n${row}\n`), {}, undefined, reading);
  if (!('plan' in planned)) throw new Error(JSON.stringify(planned));
  const format = { ...PLAIN_FORMAT, keepFormulas };
  const rater = createRater(Buffer.from(`${row}\n`), 1, { ...contextFor(planned.columns, tariffs), format });
  while (rater.step(10));
  const text = `${outputHeaderBytes(planned.columns, format)}${rater.result().output}`;
  const [cells]: Record<string, string>[] = parse(text, { columns: true });
  return [cells?.['fault_type'], cells?.['fault_column']];
};

const HEADER = 'Order,warehouse_id,Ship To ZIP,Weight (lb),Service';

test.each<[string, string, string]>([
  ['a,101,2139,1,GROUND', 'getRates.invalidRequest', 'Ship To ZIP'],
  ['a,101,02139,heavy,GROUND', 'getRates.invalidRequest', 'Weight (lb)'],
  ['a,101,02139,50,GROUND', 'getRates.weightNotServed', 'Weight (lb)'],
  ['a,999,02139,1,GROUND', 'getRates.unknownWarehouse', 'warehouse_id'],
  ['a,101,02139,1,TOMORROW', 'getRates.unknownShippingService', 'Service'],
  ['a,101,2139,1,GROUND,b', 'row.malformed', ''],
  ['a,101,02139,1,GROUND', '', ''],
])('of the row %s', (row, type, column) => {
  expect(faultOf(HEADER, row)).toEqual([type, column]);
});

test.each([
  ['the country', 'CA,,', 'Ship To Country'],
  ['a PO box', 'US,PO Box 12,', 'Ship To Street'],
  ['a home', 'US,1 Main St,true', 'Residential'],
  ['the destination', 'US,1 Main St,', 'Ship To ZIP'],
])('of a destination without coverage is that of %s if that is the reason', (_, cells, column) => {
  const document = smallTariff({ service: { refusesPoBox: true, deliversTo: 'businesses' } });
  const unserved = { ...document, file: { ...document.file, notServed: ['021'] } };
  const tariffs = scheduleOf([column === 'Ship To ZIP' ? unserved : document]);
  const header = 'warehouse_id,Ship To ZIP,weight_value,weight_units,Ship To Country,Ship To Street,Residential';
  expect(faultOf(header, `101,02139,1,LB,${cells}`, {}, false, tariffs)).toEqual([
    'getRates.noDeliveryCoverage',
    column,
  ]);
});

test('is empty if the list has no such column', () => {
  expect(faultOf('warehouse_id,postalCode,weight_value', '101,02139,1', { defaults: { weight_units: 'ST' } })).toEqual([
    'getRates.invalidRequest',
    '',
  ]);
});

test('names the first wrong field that has a column', () => {
  const reading: ReadOptions = { defaults: { weight_units: 'ST' } };
  expect(faultOf('warehouse_id,weight_value,zip', '101,1,2139', reading)).toEqual(['getRates.invalidRequest', 'zip']);
});

test('has the name in the form of the output’s header', () => {
  const reading: ReadOptions = { named: new Map([['postalCode', '=zip, of the recipient']]) };
  const header = 'warehouse_id,"=zip, of the recipient",weight_value,weight_units';
  expect(faultOf(header, '101,2139,1,LB', reading)[1]).toBe("'=zip, of the recipient");
  expect(faultOf(header, '101,2139,1,LB', reading, true)[1]).toBe('=zip, of the recipient');
});
