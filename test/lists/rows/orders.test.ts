/** Lists with one row per order line. The rows of an order are one shipment. */
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Schedule } from '../../../src/catalog/tariff/schedule.ts';
import type { ReadOptions } from '../../../src/lists/columns/columns.ts';
import { quoteOutcome } from '../../../src/rating/quote.ts';
import { demoShipper, planList, rateList, referenceSchedule } from './fixtures.ts';

let schedule: Schedule;
beforeAll(async () => {
  schedule = await referenceSchedule();
});

const SHOPIFY = 'Name,Lineitem quantity,Lineitem name,Shipping Zip,Shipping Country,Item Weight (lb),warehouse_id';
type Row = Record<string, string>;

const listOf = (header: string, lines: readonly string[]): Buffer => Buffer.from(`${header}\n${lines.join('\n')}\n`);
const rated = (header: string, lines: readonly string[], reading: ReadOptions = {}, chunkRows = 5_000) =>
  rateList(listOf(header, lines), schedule, chunkRows, 65_536, reading);
const rowsOf = (header: string, lines: readonly string[], reading: ReadOptions = {}, chunkRows = 5_000): Row[] =>
  parse(rated(header, lines, reading, chunkRows).output, { columns: true });
const rate = (...lines: readonly string[]): Row[] => rowsOf(SHOPIFY, lines);

/** Returns what the same shipment costs as a single call. */
const netOf = (value: number): string => {
  const answer = quoteOutcome(
    {
      rates: {
        shipper: { warehouse_id: 101 },
        recipient: { address: { postalCode: '02139', countryCode: 'US' } },
        packageItems: [{ weight: { units: 'LB', value } }],
      },
    },
    demoShipper,
    schedule,
    new Date('2026-06-01T12:00:00Z'),
  );
  if (answer.status !== 200) throw new Error('the call has a fault');
  return Reflect.get(answer.body, 'totalNetCharge').toFixed(2);
};

const findingsOf = (header: string, lines: readonly string[], reading: ReadOptions = {}): readonly string[] => {
  const planned = planList(listOf(header, lines), {}, 65_536, reading);
  if (!('columns' in planned)) throw new Error(JSON.stringify(planned));
  return planned.columns.findings.filter(({ type }) => type.startsWith('orders.')).map(({ message }) => message);
};

describe('the rows of an order', () => {
  test('are one shipment with the weights of all items, as a single call', () => {
    const rows = rate('#1,2,Tee,02139,US,1.5,101', '#1,1,Mug,,,0.25,', '#2,1,Mug,02139,US,0.25,101');
    expect(rows.map((row) => [row['quote_status'], row['quote_totalNetCharge'], row['order_row']])).toEqual([
      ['200', netOf(3.25), '1'],
      ['joined', '', '1'],
      ['200', netOf(0.25), '3'],
    ]);
    expect(rows[1]).toMatchObject({ Name: '#1', 'Lineitem name': 'Mug', input_row: '2', fault_type: '' });
  });

  test('count as joined, and neither as quoted nor as faulted', () => {
    const { tally } = rated(SHOPIFY, ['#1,2,Tee,02139,US,1.5,101', '#1,1,Mug,,,0.25,', '#1,1,Cap,,,0.5,']);
    expect(tally).toMatchObject({ processed: 3, quoted: 1, faulted: 0, joined: 2 });
  });

  test('may each have the whole address', () => {
    const header = 'order-id,order-item-id,quantity-purchased,ship-postal-code,Weight (lb),warehouse_id';
    const rows = rowsOf(header, ['12-1,a,2,02139,1,101', '12-1,b,1,02139,1.25,101']);
    expect(rows.map((row) => [row['quote_status'], row['quote_totalNetCharge']])).toEqual([
      ['200', netOf(3.25)],
      ['joined', ''],
    ]);
  });

  test('have one weight together if each states the weight of the order', () => {
    const header = 'Order Number,Item #,Quantity (- Refund),Postcode (Shipping),Order Total Weight (lb),warehouse_id';
    const rows = rowsOf(header, ['7,1,2,02139,3.25,101', '7,2,5,02139,3.25,101']);
    expect(rows.map((row) => row['quote_totalNetCharge'])).toEqual([netOf(3.25), '']);
  });

  test('use the weight for all rows as the weight of their package', () => {
    const header = 'Order ID,Shipping Zip,Combined Product Weight,warehouse_id';
    const named: ReadOptions['named'] = new Map([['weight_value', '']]);
    const reading = { defaults: { weight_value: '3.25', weight_units: 'LB' }, named };
    const rows = rowsOf(header, ['7,02139,9,101', '7,02139,9,101'], reading);
    expect(rows.map((row) => row['quote_totalNetCharge'])).toEqual([netOf(3.25), '']);
  });

  test.each([1, 2, 3])('stay in one chunk of %i rows or more', (chunkRows) => {
    const lines = ['#1,2,Tee,02139,US,1.5,101', '#1,1,Mug,,,0.25,', '#2,1,Mug,02139,US,1,101', '#3,1,A,02139,US,1,101'];
    const all = [...lines, '#3,1,B,,,1,', '#3,1,C,,,1,'];
    expect(rated(SHOPIFY, all, {}, chunkRows).output).toEqual(rated(SHOPIFY, all).output);
  });
});

describe('an order without a price', () => {
  test('has the fault of a shipment in its first row', () => {
    const rows = rate('#1,1,Tee,,US,1.5,101', '#1,1,Mug,,,0.25,');
    expect(rows.map((row) => [row['quote_status'], row['fault_column'], row['order_row']])).toEqual([
      ['422', 'Shipping Zip', '1'],
      ['joined', '', '1'],
    ]);
  });

  test('has a fault in each row without a weight or a quantity', () => {
    const rows = rate('#1,1,Tee,02139,US,1,101', '#1,1,Mug,,,,', '#1,two,Cap,,,1,', '#1,,Bag,,,1,');
    expect(rows.map((row) => [row['quote_status'], row['fault_type'], row['order_row']])).toEqual([
      ['joined', '', '2'],
      ['422', 'getRates.invalidRequest', '2'],
      ['422', 'row.order', '3'],
      ['422', 'row.order', '4'],
    ]);
    expect(rows[3]?.['fault_message']).toBe('Row 4 cannot be priced with its order: it has no quantity.');
    expect(rows[2]?.['fault_message']).toBe(
      'Row 3 cannot be priced with its order: its quantity must be a whole number, not "two".',
    );
  });

  test('names the row that states something else', () => {
    const rows = rate('#1,1,Tee,02139,US,1,101', '#1,1,Mug,60601,US,1,');
    expect(rows[1]?.['fault_message']).toBe(
      'Row 2 cannot be priced with its order: Destination ZIP code is "60601", and in row 1 of the order "02139".',
    );
    expect(rows.map((row) => row['quote_status'])).toEqual(['joined', '422']);
  });

  test('has a fault in all rows if they are not consecutive, whatever the chunks are', () => {
    const lines = ['#1,1,Tee,02139,US,1,101', '#2,1,Tee,02139,US,1,101', '#1,1,Mug,02139,US,1,101', '#1,1,Mug,,,1,'];
    const rows = rowsOf(SHOPIFY, lines, {}, 1);
    expect(rows.map((row) => row['fault_type'])).toEqual(['row.order', '', 'row.order', 'row.order']);
    expect(rows[2]?.['fault_message']).toBe(
      'Row 3 cannot be priced with its order: the rows of the order "#1" are not next to each other, or are more than 200: sort the list by "Name".',
    );
  });

  test('has a fault in all rows if it has more than 200', () => {
    const line = (at: number): string => (at === 0 ? '#1,1,Tee,02139,US,0.1,101' : '#1,1,Tee,,,0.1,');
    const lines = (count: number): string[] => Array.from({ length: count }, (_, at) => line(at));
    expect(rated(SHOPIFY, lines(200)).tally).toMatchObject({ quoted: 1, faulted: 0, joined: 199 });
    for (const chunkRows of [50, 5_000])
      expect(rated(SHOPIFY, lines(201), {}, chunkRows).tally.faults).toEqual({ 'row.order': 201 });
  });

  test('does not exist if its rows have no order number', () => {
    const rows = rate(',1,Tee,02139,US,1,101', ',3,Tee,02139,US,1,101');
    expect(rows.map((row) => row['quote_totalNetCharge'])).toEqual([netOf(1), netOf(3)]);
  });
});

describe('rows are joined', () => {
  const PLAIN = 'Order ID,postalCode,weight_value,weight_units,warehouse_id,Qty';
  const LINES = ['5,02139,1,LB,101,2', '5,02139,2.25,LB,101,1'];

  test('in the exports of shops, unless the upload says none', () => {
    const rows = rowsOf(SHOPIFY, ['#1,2,Tee,02139,US,1,101', '#1,1,Mug,02139,US,1,101'], { orders: 'none' });
    expect(rows.map((row) => [row['quote_totalNetCharge'], row['order_row']])).toEqual([
      [netOf(1), undefined],
      [netOf(1), undefined],
    ]);
  });

  test('in other lists only if the upload names the column, and it is proposed', () => {
    expect(rowsOf(PLAIN, LINES).map((row) => row['quote_totalNetCharge'])).toEqual([netOf(1), netOf(2.25)]);
    expect(findingsOf(PLAIN, LINES)).toEqual([
      '"Order ID" (column 1) has the same number in several rows, and each row is priced as a shipment of its own. If rows with the same number are one shipment, use ?orders=Order ID.',
    ]);
    expect(rowsOf(PLAIN, LINES, { orders: 'order_id' }).map((row) => row['quote_totalNetCharge'])).toEqual([
      netOf(4.25),
      '',
    ]);
    expect(findingsOf(PLAIN, LINES, { orders: 'none' })).toEqual([]);
  });

  test('with the quantity that the upload names, or with none', () => {
    const reading = { orders: 'Order ID', itemQuantity: 'none' };
    expect(rowsOf(PLAIN, LINES, reading).map((row) => row['quote_totalNetCharge'])).toEqual([netOf(3.25), '']);
  });

  test('and the finding names the column and explains the weight', () => {
    expect(findingsOf(SHOPIFY, ['#1,2,Tee,02139,US,1,101'])).toEqual([
      '"Name" (column 1) is the number of an order, as in exports of Shopify: rows with the same number below each other are priced as one shipment. Its weight is the sum of "Item Weight (lb)" (column 6) of its rows, each times "Lineitem quantity" (column 2). To price each row separately, use ?orders=none.',
    ]);
  });

  test('also in an output, which has an apostrophe before a name that a spreadsheet would run', () => {
    const plan = planList(listOf(PLAIN.replace('Order ID', "'=Order"), LINES), {}, 65_536, { orders: '=Order' });
    expect(plan).not.toHaveProperty('problems');
  });

  test('not by a column that the list does not have', () => {
    expect(planList(listOf(PLAIN, LINES), {}, 65_536, { orders: 'Bestellung' })).toMatchObject({
      problems: { orders: 'names "Bestellung", which is not in the header' },
    });
    const reading = { orders: 'Bestellung', itemQuantity: 'none' };
    expect(planList(listOf(PLAIN, LINES), {}, 65_536, reading)).toMatchObject({
      problems: { orders: 'names "Bestellung", which is not in the header' },
    });
  });

  test('not with a quantity that is used as another field', () => {
    expect(planList(listOf(SHOPIFY, []), {}, 65_536, { itemQuantity: 'Item Weight (lb)' })).toMatchObject({
      problems: {
        item_quantity:
          'names "Item Weight (lb)" (column 6), which has another meaning: name another column, or use ?columns= too',
      },
    });
  });
});
