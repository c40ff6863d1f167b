/** What a preview says about columns, even if a required one is missing, and what it costs to continue. */
import { describe, expect, test } from 'vitest';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import type { ReadOptions } from '../../../src/lists/columns/columns.ts';
import { previewList, previewUnused } from '../../../src/lists/preview/preview.ts';
import { previewBody } from '../../../src/lists/preview/preview-body.ts';
import { smallTariff } from '../../catalog/tariff/small-tariff.ts';
import { demoShipper } from '../rows/fixtures.ts';

const report = async (list: string, reading: ReadOptions = {}, totalBytes = list.length) => {
  const bytes = Buffer.from(list);
  const context = {
    ...{ reading, maximumRowBytes: 10_000, shipper: demoShipper, schedule: scheduleOf([smallTariff()]) },
    ...{ now: new Date('2026-06-01T12:00:00Z'), headerKey: String },
  };
  const beginning = { bytes, complete: totalBytes === bytes.length, encoding: 'utf-8', totalBytes } as const;
  const found = await previewList(beginning, context);
  if ('status' in found) return previewBody.parse(found);
  if (!('problems' in found) || found.unused === undefined) throw new Error(JSON.stringify(found));
  return previewBody.parse(await previewUnused(beginning, context, { ...found, unused: found.unused }));
};

const howOf = ({ mapping }: Awaited<ReturnType<typeof report>>) =>
  mapping.fields.map(({ field, how, column, value }) => [field, how, column ?? value]);

describe('the mapping', () => {
  test('says how each field was found, with three different cells', async () => {
    const list =
      'Warehouse,postalCode,Order Weight (lb),Ctry,Shipping Method,note\n' +
      '101,02139,2,US,Air,\n101,02139,3,US,Air,x\n102,10001,4,CA,Air,\n103,90001,5,,Air,\n';
    const seen = await report(list, {
      named: new Map([
        ['countryCode', 'Ctry'],
        ['residential', ''],
      ]),
    });
    expect(howOf(seen)).toEqual([
      ['warehouse_id', 'alias', 'Warehouse'],
      ['postalCode', 'name', 'postalCode'],
      ['weight_value', 'likely', 'Order Weight (lb)'],
      ['weight_units', 'unit', 'LB'],
      ['countryCode', 'chosen', 'Ctry'],
      ['residential', 'declined', null],
    ]);
    expect(seen.mapping.fields[0]).toMatchObject({ position: 1, samples: ['101', '102', '103'] });
    expect(seen.mapping.columns.map(({ name, field, looksLike }) => [name, field, looksLike])).toEqual([
      ['Warehouse', 'warehouse_id', null],
      ['postalCode', 'postalCode', null],
      ['Order Weight (lb)', 'weight_value', null],
      ['Ctry', 'countryCode', null],
      ['Shipping Method', null, 'shippingService'],
      ['note', null, null],
    ]);
    expect(seen.problems).toEqual({});
  });

  test('keeps what was found if a required column is missing', async () => {
    const seen = await report('Warehouse,Zip,Net wt,Length (in)\n101,02139,2,7\n');
    expect(Object.keys(seen.problems)).toEqual(['weight_value', 'weight_units']);
    expect(howOf(seen)).toEqual([
      ['warehouse_id', 'alias', 'Warehouse'],
      ['postalCode', 'alias', 'Zip'],
      ['weight_value', 'none', null],
      ['weight_units', 'none', null],
      ['length', 'alias', 'Length (in)'],
      ['dimension_units', 'unit', 'IN'],
    ]);
    expect(seen.mapping.fields[2]?.problem).toBe(seen.problems['weight_value']);
    expect(seen.mapping.columns[2]).toEqual({
      ...{ position: 3, name: 'Net wt', samples: ['2'], cells: ['2'], field: null, looksLike: 'weight_value' },
    });
    expect(seen).toMatchObject({ rowsRead: 0, rows: [], estimate: { rows: null }, suggestedHeaderRow: null });
  });

  test('keeps what was found if a chosen column is not there, or two columns claim a field', async () => {
    const list = 'warehouse,zip,postcode,weight,units\n101,02139,10001,2,LB\n';
    const absent = await report(list, { named: new Map([['weight_value', 'Mass']]) });
    expect(absent.problems).toEqual({ columns: 'names "Mass" for weight_value, which is not in the header' });
    expect(howOf(absent).map(([field]) => field)).toContain('warehouse_id');
    const twice = await report(list);
    expect(Object.keys(twice.problems)).toEqual(['postalCode']);
    expect(twice.mapping.columns.filter(({ looksLike }) => looksLike === 'postalCode')).toHaveLength(2);
  });

  test('does not mark the columns of our own output, or any further address line', async () => {
    const list =
      'warehouse_id,postalCode,weight_value,weight_units,quote_shippingService,Shipping Street,Street\n101,02139,2,LB,GROUND,a,b\n';
    const seen = await report(list);
    expect(seen.mapping.columns.map(({ looksLike }) => looksLike)).toEqual(Array(7).fill(null));
  });
});

const HEADER = 'ref,warehouse_id,Zip,weight_value,weight_units';

describe('what it costs to continue', () => {
  test('counts faults by type and column, with cells, and estimates them for the whole list', async () => {
    const list = `${HEADER}\na,101,2139,2,LB\nb,101,2139,2,LB\nc,101,1001,0,LB\nd,999,02139,1,LB\ne,101,02139,1,LB\n`;
    const half = (list.length - HEADER.length - 1) * 2 + HEADER.length + 1;
    const { faultKinds, estimate } = await report(list, {}, half);
    expect(faultKinds.map(({ message: _, kind: __, ...kind }) => kind)).toEqual([
      {
        ...{ type: 'getRates.invalidRequest', field: 'postalCode', column: 'Zip', rows: 3, estimatedRows: 6 },
        examples: [
          { input_row: 1, value: '2139' },
          { input_row: 3, value: '1001' },
        ],
      },
      {
        ...{ type: 'getRates.invalidRequest', field: 'weight_value', column: 'weight_value', rows: 1 },
        ...{ estimatedRows: 2, examples: [{ input_row: 3, value: '0' }] },
      },
      {
        ...{ type: 'getRates.unknownWarehouse', field: 'warehouse_id', column: 'warehouse_id', rows: 1 },
        ...{ estimatedRows: 2, examples: [{ input_row: 4, value: '999' }] },
      },
    ]);
    expect(faultKinds[0]?.message).toContain('must have the form');
    expect(estimate).toMatchObject({ rows: 10, faulted: 8 });
  });

  test('lists repairs once per kind, with an example that people can see', async () => {
    const list = `${HEADER},Country\na,101,\u200b10001,2,LB,USA\nb,101,2139,32,oz,USA\nc,101,1001,16,oz,\n`;
    const { repairAll, repairs } = await report(list);
    expect(repairs.kinds).toEqual([]);
    const removed = (field: string, rows: number) => ({ removes: [{ type: 'getRates.invalidRequest', field, rows }] });
    expect(repairAll.kinds).toEqual([
      { what: 'postalCode', rows: 3, before: '2139', after: '02139', input_row: 2, ...removed('postalCode', 3) },
      { what: 'weight_value', rows: 2, before: '32 oz', after: '2 LB', input_row: 2, ...removed('weight_units', 2) },
    ]);
    const asked = await report(list, { repairs: ['zip'] });
    expect(asked.repairs.kinds).toEqual([
      { what: 'postalCode', rows: 3, before: '2139', after: '02139', input_row: 2, removes: [] },
    ]);
  });
});
