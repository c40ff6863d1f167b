import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { Failed } from '../../../src/base/failed.ts';
import type { Schedule } from '../../../src/catalog/tariff/schedule.ts';
import { createScanner } from '../../../src/files/csv/scanner.ts';
import type { Columns, ReadOptions } from '../../../src/lists/columns/columns.ts';
import { createPlainReader } from '../../../src/lists/rows/fast-row.ts';
import { rowBody } from '../../../src/lists/rows/row.ts';
import { createRowReader } from '../../../src/lists/rows/row-reader.ts';
import type { Result } from '../../../src/rating/fault.ts';
import { pounds } from '../../../src/rating/quantity.ts';
import { readShipment, type Shipment } from '../../../src/rating/shipment.ts';
import { planList, rateList, referenceSchedule } from './fixtures.ts';

let schedule: Schedule;
beforeAll(async () => {
  schedule = await referenceSchedule();
});

const columnsOf = (header: string, reading: ReadOptions = {}): Columns => {
  const planned = planList(Buffer.from(`${header}\n1\n`), {}, 65_536, reading);
  if (!('plan' in planned)) throw new Error(JSON.stringify(planned));
  return planned.columns;
};

/** Returns the shipment of a row, and the body of its single call. */
const read = (header: string, line: string, reading: ReadOptions = {}) => {
  const columns = columnsOf(header, reading);
  const { row, scan } = createScanner(columns.dialect, 10_000);
  const reader = createRowReader(row, columns);
  scan(line, 0, true);
  const shipment = reader.read(1);
  return { shipment: shipment instanceof Failed ? shipment : structuredClone(shipment), body: rowBody(reader.cell) };
};

const weightsOf = (body: unknown): unknown =>
  (body as { rates: { packageItems: { weight: unknown }[] } }).rates.packageItems.map(({ weight }) => weight);

const REST = 'warehouse,zip';
const ROW = '101,02139';
const LB: ReadOptions = { defaults: { weight_units: 'LB' } };

describe('pounds and ounces in two columns', () => {
  test.each(['weight_lbs,weight_oz', 'Package Weight (lb),Package Weight (oz)', 'Pounds,Ounces', 'Wt (lbs),Wt (oz)'])(
    '%s add up',
    (names) => {
      const { shipment, body } = read(`${REST},${names}`, `${ROW},2,3`);
      expect(weightsOf(body)).toEqual([{ units: 'LB', value: 2.1875 }]);
      expect(shipment).not.toBeInstanceOf(Failed);
      expect(shipment).toEqual(readShipment(body));
    },
  );

  test.each([
    ['0', '16', 1],
    ['', '8', 0.5],
    ['3', '', 3],
    ['3', '0', 3],
    ['2', '12.3', 2.76875],
    ['1', '15.999', 1.9999375],
    ['2', '20', 3.25],
    ['2.5', '3', 2.6875],
    ['2|1', '3|0', 2.1875],
  ])('%s and %s are %d LB', (lb, oz, value) => {
    expect(weightsOf(read(`${REST},Pounds,Ounces`, `${ROW},${lb},${oz}`).body)).toContainEqual({ units: 'LB', value });
  });

  test('a pound and sixteen ounces are billed as two pounds, and slightly more as three', () => {
    const output = rateList(
      Buffer.from(`${REST},Pounds,Ounces\n${ROW},1,15.9\n${ROW},2,0\n${ROW},2,0.001\n`),
      schedule,
    );
    const rows: Record<string, string>[] = parse(output.output, { columns: true });
    expect(rows.map((row) => row['quote_billingWeight_value'])).toEqual(['2', '2', '3']);
  });

  test.each([
    ['0.5', '8'],
    ['1', '16'],
    ['2.1', '34'],
    ['3', '48'],
  ])('%s LB and %s oz are the same weight twice and are not added', (lb, oz) => {
    const { shipment } = read(`${REST},Weight (lb),Weight (oz)`, `${ROW},${lb},${oz}`);
    expect(shipment).toMatchObject({
      fault: {
        type: 'row.malformed',
        reason: expect.stringContaining('use ?columns=weight_ounces: to read only the pounds'),
      },
    });
  });

  test.each([
    ['x', '3', 'must be a number'],
    ['2', 'x', 'must be a number'],
    ['2', '-3', 'must be greater than 0'],
    ['', '', 'is required'],
    ['0', '0', 'must be greater than 0'],
    [
      '99',
      '1',
      'must be at most 99 LB, whatever the shipping service; give a heavier package in KG, up to 99 KG, which is about 218.3 LB',
    ],
  ])('%j and %j have the fault of the weight', (lb, oz, message) => {
    const { shipment, body } = read(`${REST},Pounds,Ounces`, `${ROW},${lb},${oz}`);
    const issues = [{ path: 'rates.packageItems[0].weight.value', message }];
    expect(shipment).toEqual(new Failed({ type: 'getRates.invalidRequest', issues }));
    expect(readShipment(body)).toEqual(shipment);
  });

  test('needs as many ounces as pounds', () => {
    expect(read(`${REST},Pounds,Ounces`, `${ROW},2|3,4`).shipment).toMatchObject({
      fault: { reason: 'it does not have as many ounces as pounds' },
    });
  });

  test('the caller can add any column of ounces, but only to pounds', () => {
    const named: ReadOptions = { named: new Map([['weight_ounces', 'Rest']]) };
    expect(weightsOf(read(`${REST},Weight (lb),Rest`, `${ROW},2,3`, named).body)).toEqual([
      { units: 'LB', value: 2.1875 },
    ]);
    expect(weightsOf(read(`${REST},Rest`, `${ROW},40`, named).body)).toEqual([{ units: 'LB', value: 2.5 }]);
    expect(read(`${REST},Weight (kg),Rest`, `${ROW},2,3`, named).shipment).toMatchObject({
      fault: { reason: 'its ounces can only be added to a weight in LB' },
    });
  });

  test('with repaired weights, each cell is repaired first', () => {
    const { body } = read(`${REST},Pounds,Ounces`, `${ROW},2 lb,3`, { repairs: ['weight'] });
    expect(weightsOf(body)).toEqual([{ units: 'LB', value: 2.1875 }]);
  });
});

describe('the fast path for converted weights', () => {
  const number = fc.oneof(
    fc.nat(99).map(String),
    fc.tuple(fc.nat(99_999), fc.nat(99_999)).map(([whole, places]) => `${whole}.${places}`),
    fc.constantFrom(
      '',
      '0',
      '00.5',
      '.5',
      '5.',
      '15.9999',
      '1584',
      '99999',
      '123456',
      '-1',
      '1e1',
      'x',
      '2|3',
      '0.00001',
    ),
  );
  test.each(['Weight (oz)', 'Grams', 'Pounds,Ounces'])('gives what the schema gives, for %s', (names) => {
    const columns = columnsOf(`${REST},${names}`);
    const readPlain = createPlainReader(columns);
    const { row, scan } = createScanner(columns.dialect, 10_000);
    const reader = createRowReader(row, columns);
    let answered = 0;
    fc.assert(
      fc.property(fc.array(number, { minLength: 2, maxLength: 2 }), (cells) => {
        const line = `${ROW},${cells.slice(0, names.split(',').length).join(',')}`;
        scan(line, 0, true);
        const plain = structuredClone(readPlain(row.text, row));
        if (plain === undefined) return;
        answered += 1;
        reader.read(1);
        expect(plain).toEqual(readShipment(rowBody(reader.cell)));
      }),
      { numRuns: 1_500 },
    );
    expect(answered).toBeGreaterThan(40);
  });
});

describe('only ounces or only grams', () => {
  test.each([
    ['Weight (oz)', '35', { units: 'LB', value: 2.1875 }],
    ['Ounces', '35', { units: 'LB', value: 2.1875 }],
    ['Weight Oz', '1', { units: 'LB', value: 0.0625 }],
    ['weight_ounces', '0.1', { units: 'LB', value: 0.00625 }],
    ['Total Weight in Oz', '16', { units: 'LB', value: 1 }],
    ['Grams', '450', { units: 'KG', value: 0.45 }],
    ['Weight (g)', '1.5', { units: 'KG', value: 0.0015 }],
  ])('%s of %s', (name, cell, weight) => {
    const { shipment, body } = read(`${REST},${name}`, `${ROW},${cell}`);
    expect(weightsOf(body)).toEqual([weight]);
    expect(shipment).toEqual(readShipment(body));
  });

  test('are never read as pounds, regardless of the upload’s units', () => {
    expect(weightsOf(read(`${REST},Ounces`, `${ROW},35`, LB).body)).toEqual([{ units: 'LB', value: 2.1875 }]);
    expect(weightsOf(read(`${REST},Grams`, `${ROW},450`, LB).body)).toEqual([{ units: 'KG', value: 0.45 }]);
  });

  test.each(['+35', '3,5', '1e2', '123456789.1234567'])('%s cannot be converted, and causes a fault', (cell) => {
    const { shipment, body } = read(`${REST},"Weight (oz)"`, `${ROW},"${cell}"`);
    expect(shipment).toBeInstanceOf(Failed);
    expect(readShipment(body)).toEqual(shipment);
  });

  test('a column of units applies to each row', () => {
    const header = `${REST},Order Weight,Order Weight Unit`;
    for (const [unit, weight] of [
      ['oz', { units: 'LB', value: 2.1875 }],
      ['lbs', { units: 'LB', value: 35 }],
      ['Kg', { units: 'KG', value: 35 }],
      ['grams', { units: 'KG', value: 0.035 }],
    ] as const)
      expect(weightsOf(read(header, `${ROW},35,${unit}`).body)).toEqual([weight]);
    expect(read(header, `${ROW},35,stone`).shipment).toMatchObject({ fault: { type: 'getRates.invalidRequest' } });
  });

  test('a column with the request’s own name accepts only the request’s units', () => {
    expect(read(`${REST},weight_value,weight_units`, `${ROW},35,oz`).shipment).toMatchObject({
      fault: {
        type: 'getRates.invalidRequest',
        issues: [
          { path: 'rates.packageItems[0].weight.units', message: expect.stringContaining('this looks like ounces') },
        ],
      },
    });
  });

  test('any weight in ounces has the mass of a sixteenth of it in pounds, rounded up to 10 µg', () => {
    const mass = (shipment: Result<Shipment>): number =>
      shipment instanceof Failed ? 0 : (shipment.packages[0]?.mass ?? 0);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_584_000 }), (thousandths) => {
        const ounces = `${Math.floor(thousandths / 1_000)}.${String(thousandths % 1_000).padStart(3, '0')}`;
        const { shipment } = read(`${REST},Ounces`, `${ROW},${ounces}`);
        // 16,000 thousandths of an ounce are one pound.
        const exact = BigInt(thousandths) * BigInt(pounds(1));
        expect(mass(shipment)).toBe(Number((exact + 15_999n) / 16_000n));
      }),
    );
  });
});
