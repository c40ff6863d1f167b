/** The column `fault_column`: the list's own name for the column that a fault is about. */

import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { must } from '../../../src/base/must.ts';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import type { ReadOptions } from '../../../src/lists/columns/columns.ts';
import { PLAIN_FORMAT } from '../../../src/lists/output/output-format.ts';
import { createRater, outputHeaderBytes } from '../../../src/lists/rows/rate-rows.ts';
import { smallTariff } from '../../catalog/tariff/small-tariff.ts';
import { contextFor, planList } from './fixtures.ts';

const schedule = scheduleOf([smallTariff()]);

const [LONG, MANY_DIGITS] = ['1'.repeat(1_001), '1'.repeat(16)];

const faultsOf = (
  header: string,
  lines: string,
  reading: ReadOptions = {},
  keepFormulas = false,
  tariffs = schedule,
) => {
  const planned = planList(Buffer.from(`${header}\n${lines}\n`), {}, undefined, reading);
  if (!('plan' in planned)) throw new Error(JSON.stringify(planned));
  const format = { ...PLAIN_FORMAT, keepFormulas };
  const apart = planned.plan.chunks.flatMap((chunk) => chunk.apart ?? []);
  const context = { ...contextFor(planned.columns, tariffs), format, apart };
  const rater = createRater(Buffer.from(`${lines}\n`), 1, context);
  while (rater.step(10));
  const text = `${outputHeaderBytes(planned.columns, format)}${rater.result().output}`;
  const rows: Record<string, string>[] = parse(text, { columns: true });
  return rows.map((cells) => [cells['fault_type'], cells['fault_column']]);
};

const faultOf = (...args: Parameters<typeof faultsOf>) => must(faultsOf(...args)[0], 'a row');

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

test('of a package that is light but large is that of its size', () => {
  const header = 'warehouse_id,Ship To ZIP,weight_value,weight_units,LxWxH (in)';
  expect(faultOf(header, '101,02139,1,LB,30x30x30')).toEqual(['getRates.weightNotServed', 'LxWxH (in)']);
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

test.each([
  ['# of Packages', '1.5', '# of Packages'],
  ['# of Packages', 'two', '# of Packages'],
  ['Weight (lb),# of Packages', '1|2,3', '# of Packages'],
  ['Weight,Unit of Measure', '35 oz,LB', 'Weight'],
  ['Weight,Weight Unit', `${LONG},LB`, 'Weight'],
  ['Weight,Weight Unit', `1,${LONG}`, 'Weight Unit'],
  ['Weight (lb),Len (in),Width (in),Height (in)', '1,12 cm,9,6', 'Len (in)'],
  ['Weight (lb),LxWxH,Dimension Unit', '1,12 x 9 x 6 cm,IN', 'LxWxH'],
  ['Pounds,Ounces', `1,${LONG}`, 'Ounces'],
  ['Pounds,Ounces', '1|2,3', 'Ounces'],
  ['Pounds,Ounces', '1,16', 'Ounces'],
  ['Pounds,Ounces', `${MANY_DIGITS},1`, 'Pounds'],
])('of a row that cannot be read because of one column: %s', (names, cells, column) => {
  const reading: ReadOptions = names.startsWith('#') ? { defaults: { weight_value: '1', weight_units: 'LB' } } : {};
  expect(faultOf(`Warehouse,ZIP,${names}`, `101,02139,${cells}`, reading)).toEqual(['row.malformed', column]);
});

test.each([
  ['another ZIP code', '60601,US,1,LB,1,1', 'Shipping Zip'],
  ['another unit', '02139,US,1,KG,1,1', 'weight_units'],
  ['the weights of several packages', '02139,US,1|2,LB,1,1', 'Weight'],
  ['a weight that only a single call can read', '02139,US,+1,LB,1,1', 'Weight'],
  ['no quantity', '02139,US,1,LB,1,', 'Lineitem quantity'],
  ['a quantity in words', '02139,US,1,LB,1,two', 'Lineitem quantity'],
  ['another number of packages', '02139,US,1,LB,2,1', '# of Packages'],
])('of a line of an order with %s', (_, cells, column) => {
  const header = 'Name,Warehouse,Shipping Zip,Shipping Country,Weight,weight_units,# of Packages,Lineitem quantity';
  const rows = faultsOf(header, `1,101,02139,US,1,LB,1,1\n1,101,${cells}`);
  expect(rows).toEqual([
    ['', ''],
    ['row.order', column],
  ]);
});

test('of an order that cannot be joined', () => {
  const header = 'Name,Warehouse,Shipping Zip,Weight (lb),# of Packages,Lineitem quantity';
  const apart = ['1,101,02139,1,1,1', '2,101,02139,1,1,1', '1,101,02139,1,1,1'];
  expect(faultsOf(header, apart.join('\n')).map(([, column]) => column)).toEqual(['Name', '', 'Name']);
  expect(faultsOf(header, '1,101,02139,1,2,1')).toEqual([['row.order', '# of Packages']]);
  const units = 'Name,Warehouse,Shipping Zip,Weight,Lineitem quantity';
  expect(faultsOf(units, '1,101,02139,1 lb,1\n1,101,02139,1 kg,1')[1]).toEqual(['row.order', 'Weight']);
  const long = '1,101,02139,999999999999999,1,9';
  expect(faultsOf(header, `${long}\n${long}`)[0]).toEqual(['row.order', 'Weight (lb)']);
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
