/** Lists that choose among warehouses: what the plan finds, the columns of the output, and that rows equal single calls. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { withoutPause } from '../../../src/base/time-slices.ts';
import type { Schedule } from '../../../src/catalog/tariff/schedule.ts';
import type { ReadOptions } from '../../../src/lists/columns/columns.ts';
import { OUTPUT_COLUMNS } from '../../../src/lists/output/output-columns.ts';
import { fitted, type OutputFormat, PLAIN_FORMAT, withWarehouses } from '../../../src/lists/output/output-format.ts';
import { createRater, outputHeaderBytes } from '../../../src/lists/rows/rate-rows.ts';
import { type QuoteAnswer, quoteOutcome } from '../../../src/rating/quote.ts';
import type { Shipper } from '../../../src/rating/terms.ts';
import { contextFor, demoShipper, planList, referenceSchedule } from '../rows/fixtures.ts';

let schedule: Schedule;
beforeAll(async () => {
  schedule = await referenceSchedule();
});

const HEADER = 'warehouse_id,postalCode,weight_value,weight_units,addressLine\n';
const listOf = (...rows: readonly string[]): Buffer => Buffer.from(`${HEADER}${rows.join('\n')}\n`);

const useIn = (list: Buffer, pieceBytes?: number, reading?: ReadOptions) => {
  const planned = planList(list, {}, pieceBytes, reading);
  return 'plan' in planned ? planned.plan.shipFrom : planned;
};

const PLAIN = '101,02139,2.5|3,LB,12 Many Trees';

test.each<[string, string[], unknown]>([
  ['plain ids', [PLAIN, '102,02139,1,LB,Any Street'], undefined],
  ['any', [PLAIN, 'any,02139,1,LB,'], { any: true, ids: [] }],
  ['any in other cases and with blanks', [PLAIN, ' AnY ,02139,1,LB,'], { any: true, ids: [] }],
  ['several', ['103|101,02139,1,LB,', PLAIN, '102 | 101,02139,1,LB,'], { any: false, ids: [103, 101, 102] }],
  ['any and several', ['102|101,02139,1,LB,', 'any,02139,1,LB,'], { any: true, ids: [102, 101] }],
  ['in quotes', ['"102|101",02139,1,LB,"a ""b"""'], { any: false, ids: [102, 101] }],
  ['text that is no choice', ['anyone,02139,1,LB,', '101|,02139,1,LB,', '101|101,02139,1,LB,'], undefined],
])('the plan finds which warehouses the rows choose among: %s', (_, rows, use) => {
  for (const bytes of [7, 65_536]) expect(useIn(listOf(...rows), bytes)).toEqual(use);
});

test('the warehouse column may have another name, position or separator, or be missing', () => {
  const other = 'street,weight (lb),zip,Warehouse\n1 Any Street,2,02139,Any\n';
  expect(useIn(Buffer.from(other))).toEqual({ any: true, ids: [] });
  expect(useIn(Buffer.from(other.replace(',Any\n', ',101\n')))).toBeUndefined();
  const piped = 'warehouse_id|postalCode|weight_value|weight_units\n"101|103"|02139|1|LB\n';
  expect(useIn(Buffer.from(piped))).toEqual({ any: false, ids: [101, 103] });
  const none = Buffer.from('postalCode,weight_value,weight_units\n02139,1,LB\n');
  const given = (warehouse: string) => useIn(none, undefined, { defaults: { warehouse_id: warehouse } });
  expect(given('any')).toEqual({ any: true, ids: [] });
  expect(given('103|101')).toEqual({ any: false, ids: [103, 101] });
  expect(given('101')).toBeUndefined();
});

test('a list that names more than fifty warehouses in such cells is refused with the row', () => {
  const pairs = (count: number) => Array.from({ length: count }, (_, at) => `${2 * at + 1}|${2 * at + 2},02139,1,LB,`);
  expect(useIn(listOf(...pairs(25)))).toMatchObject({ any: false });
  expect(useIn(listOf(...pairs(26), PLAIN))).toEqual({ kind: 'tooManyWarehouses', row: 26 });
});

const many = (count: number): Shipper['warehouses'] =>
  new Map(
    Array.from({ length: count }, (_, at) => [
      at + 1,
      { id: at + 1, name: '', postalCode: '07001', stateOrProvinceCode: 'NJ', countryCode: 'US' },
    ]),
  );

test('there is a column for each of the client’s registered warehouses in the United States', () => {
  const warehousesOf = (use: { any: boolean; ids: number[] } | undefined, shipper = demoShipper) => {
    const format = withWarehouses(PLAIN_FORMAT, use, shipper);
    return 'problems' in format ? format.problems : format.warehouses;
  };
  expect(warehousesOf(undefined)).toEqual([]);
  expect(warehousesOf({ any: true, ids: [] })).toEqual([101, 102, 103]);
  expect(warehousesOf({ any: false, ids: [103, 104, 999, 101] })).toEqual([101, 103]);
  expect(warehousesOf({ any: true, ids: [] }, { ...demoShipper, warehouses: many(50) })).toHaveLength(50);
  expect(warehousesOf({ any: true, ids: [] }, { ...demoShipper, warehouses: many(51) })).toEqual({
    warehouse_id: 'any would be 51 warehouses: name at most 50 of them, such as 101|103',
  });
});

/** Rates a list like a batch. @returns its cells by name */
const rated = (list: Buffer, more: Partial<OutputFormat> = {}, reading: ReadOptions = {}) => {
  const planned = planList(list, {}, 65_536, reading);
  if (!('plan' in planned)) throw new Error(JSON.stringify(planned));
  const format = withWarehouses({ ...PLAIN_FORMAT, ...more }, planned.plan.shipFrom, demoShipper);
  if ('problems' in format) throw new Error(JSON.stringify(format.problems));
  const columns = withoutPause(fitted(planned.columns, format));
  const header = outputHeaderBytes(columns, format).toString().trimEnd().split(',');
  const [chunk] = planned.plan.chunks;
  if (chunk === undefined) throw new Error('no rows');
  const rater = createRater(list.subarray(chunk.from, chunk.to), 1, { ...contextFor(columns, schedule), format });
  while (rater.step(100));
  const lines = rater.result().output.toString().trimEnd().split('\n');
  // Faults may have commas in quotes. The cells before them are enough.
  return {
    header,
    rows: lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [header[at], cell]))),
  };
};

test('the warehouse of the quote and the price from each come after the prices of services', () => {
  const { header, rows } = rated(listOf('any,90210,12,LB,', '102|101,90210,12,LB,', '103,90210,12,LB,'), {
    services: ['C1-GROUND', 'C1-EXPRESS', 'C2-GROUND'],
    explain: true,
  });
  expect(header.slice(header.indexOf('input_row') + OUTPUT_COLUMNS.length)).toEqual([
    ...['net_C1-GROUND', 'net_C1-EXPRESS', 'net_C2-GROUND', 'cheapest'],
    ...['ship_from', 'net_from_101', 'net_from_102', 'net_from_103'],
    ...['explain_zone', 'explain_weight', 'explain_base', 'explain_surcharges', 'quote_warnings'],
  ]);
  const [any, two, one] = rows;
  expect(any).toMatchObject({ ship_from: '103' });
  expect(any?.['net_from_103']).toBe(any?.['quote_totalNetCharge']);
  expect(two).toMatchObject({ ship_from: '102', net_from_103: '', net_from_101: any?.['net_from_101'] });
  expect(one).toMatchObject({ ship_from: '103', net_from_101: '', net_from_102: '' });
  expect(one?.['net_from_103']).toBe(any?.['net_from_103']);
});

test('a list that does not choose has no such columns', () => {
  expect(rated(listOf(PLAIN)).header.filter((name) => /ship_from|net_/.test(name))).toEqual([]);
});

test('an output that comes back as input has these columns replaced', () => {
  const list = Buffer.from(
    'warehouse_id,postalCode,weight_value,weight_units,input_row,ship_from,net_from_101,net_from_102\n' +
      '101|103,02139,1,LB,7,102,1.00,2.00\n',
  );
  const { header, rows } = rated(list);
  expect(header.filter((name) => /ship_from|net_/.test(name))).toEqual(['ship_from', 'net_from_101', 'net_from_103']);
  expect(rows[0]).toMatchObject({ ship_from: '101', input_row: '1' });
});

const CELLS = ['any', 'ANY', ' any', "'any", '101|103', '103 | 102 |101', '101', '104|101', '101|', '999', '101|999'];

test('each row has the charges or the fault of the single call', () => {
  const row = fc.record({
    warehouse: fc.oneof(fc.constantFrom(...CELLS), fc.constantFrom('any', '101|103', '102|101|103')),
    postalCode: fc.constantFrom('02139', '60601', '94110', '99501', '00901', '2139'),
    weight: fc.constantFrom('1', '12.5', '70', '2.5|60', '99'),
    service: fc.constantFrom('', 'C1-GROUND', 'C2-GROUND', 'C1-EXPRESS'),
  });
  const seen = { quotes: 0, faults: 0 };
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), fc.boolean(), (rows, isDefault) => {
      const choice = rows[0]?.warehouse.trim().replace(/^'/, '') ?? '';
      const isGiven = isDefault && /^any$|\|\d/i.test(choice);
      const lines = rows.map(({ warehouse, postalCode, weight, service }) =>
        [...(isGiven ? [] : [warehouse]), postalCode, weight, 'LB', service].join(','),
      );
      const header = 'postalCode,weight_value,weight_units,shippingService';
      const list = Buffer.from(`${isGiven ? '' : 'warehouse_id,'}${header}\n${lines.join('\n')}\n`);
      const own = rated(list, {}, isGiven ? { defaults: { warehouse_id: choice } } : {});
      for (const [at, { warehouse, postalCode, weight, service }] of rows.entries()) {
        const cell = isGiven ? choice : warehouse.trim().replace(/^'/, '');
        const { body } = call(cell, postalCode, weight.split('|').map(Number), service);
        const written = own.rows[at];
        if ('fault' in body) {
          seen.faults += 1;
          expect(written).toMatchObject({ quote_status: '422', fault_type: body.fault.type });
          continue;
        }
        seen.quotes += 1;
        expect(written).toMatchObject({
          ...{ quote_status: '200', quote_totalNetCharge: body.totalNetCharge.toFixed(2) },
          ...{ quote_shippingService: body.shippingService, quote_rateZone: body.shipmentDetail.rateZone },
        });
        if (!own.header.includes('ship_from')) continue;
        const from = body.warehouses ?? [{ warehouse_id: Number(cell), totalNetCharge: body.totalNetCharge }];
        const nets = from.map((one) => [
          `net_from_${one.warehouse_id}`,
          'totalNetCharge' in one ? one.totalNetCharge.toFixed(2) : '',
        ]);
        expect(written).toMatchObject({ ship_from: String(body.warehouse_id ?? cell) });
        for (const [name = '', net] of nets) if (own.header.includes(name)) expect(written?.[name]).toBe(net);
      }
    }),
    { numRuns: 100 },
  );
  expect(seen.quotes).toBeGreaterThan(100);
  expect(seen.faults).toBeGreaterThan(100);
});

const call = (warehouse: string, postalCode: string, weights: readonly number[], service: string): QuoteAnswer =>
  quoteOutcome(
    {
      rates: {
        ...(service === '' ? {} : { shippingService: service }),
        shipper: { warehouse_id: /^\d+$/.test(warehouse) ? Number(warehouse) : warehouse },
        recipient: { address: { postalCode } },
        packageItems: weights.map((value) => ({ weight: { units: 'LB', value } })),
      },
    },
    demoShipper,
    schedule,
    new Date('2026-06-01T12:00:00Z'),
  );
