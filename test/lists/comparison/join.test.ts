import { expect, test } from 'vitest';
import { must } from '../../../src/base/must.ts';
import { withoutPause } from '../../../src/base/time-slices.ts';
import type { Columns } from '../../../src/lists/columns/columns.ts';
import { createJoiner, JOIN_COLUMNS, outputPlaces, partitionsFor } from '../../../src/lists/comparison/join.ts';
import { comparisonSummaryOf } from '../../../src/lists/comparison/summary.ts';
import { addSums, type Sums } from '../../../src/lists/comparison/sums.ts';
import { OUTPUT_COLUMNS, type OutputColumn } from '../../../src/lists/output/output-columns.ts';
import { collectGarbage } from '../../garbage.ts';

const COLUMNS: Columns = {
  dialect: { delimiter: ',', lineBreak: 'lf' },
  header: ['Order Number', 'postalCode'],
  fields: { postalCode: 1 },
  defaults: {},
  passed: [0, 1],
  ownOutput: false,
  repairs: [],
  words: [],
  services: [],
  findings: [],
};

interface Quoted {
  readonly key: string;
  readonly base?: string;
  readonly discount?: string;
  readonly surcharges?: string;
  readonly net?: string;
  readonly service?: string;
  readonly zone?: string;
  readonly weight?: string;
  readonly fault?: string;
  readonly warnings?: string;
}

/** The output of a list, as a batch writes it. */
const outputOf = (rows: readonly Quoted[]): Buffer =>
  Buffer.from(
    rows
      .map(
        (
          {
            key,
            net = '',
            base = net,
            discount = '0.00',
            surcharges = '0.00',
            service = 'C1-GROUND',
            zone = '4',
            weight = '5',
            fault,
            warnings = '',
          },
          at,
        ) => {
          const cells: Partial<Record<OutputColumn, string>> =
            fault === undefined
              ? {
                  ...{ quote_shippingService: service, quote_totalBaseCharge: base, quote_totalDiscounts: discount },
                  ...{ quote_totalSurcharges: surcharges, quote_totalNetCharge: net, quote_rateZone: zone },
                  ...{ quote_carrierZone: `0${zone}`, quote_billingWeight_value: weight },
                }
              : { fault_type: fault };
          const row = { input_row: String(at + 1), ...cells };
          return `${key},00501,${OUTPUT_COLUMNS.map(({ name }) => row[name] ?? '').join(',')},${warnings}\n`;
        },
      )
      .join(''),
  );

const places = must(withoutPause(outputPlaces(COLUMNS, 'order_number')), 'the places');

const joined = (base: Buffer, other: Buffer, partitions = 1): { readonly output: string; readonly sums: Sums } => {
  const parts = Array.from({ length: partitions }, (_, partition) => {
    const joiner = createJoiner({ base: places, with: places }, partition, partitions);
    for (const [side, bytes] of [
      ['base', base],
      ['with', other],
    ] as const) {
      const { step } = joiner.read(side, bytes);
      while (step(2));
    }
    return joiner.result();
  });
  return {
    output: parts.map(({ output }) => output.toString()).join(''),
    sums: parts.map(({ sums }) => sums).reduce(addSums),
  };
};

const JANUARY = outputOf([
  { key: 'A1', base: '10.00', surcharges: '2.00', net: '12.00' },
  { key: 'A2', net: '20.00' },
  { key: 'A3', net: '30.00' },
  { key: 'A4', net: '40.00' },
  { key: 'A5', fault: 'getRates.noDeliveryCoverage' },
  { key: 'twice', net: '1.00' },
  { key: 'twice', net: '2.00' },
  { key: '', net: '3.00' },
]);
const FEBRUARY = outputOf([
  { key: 'A4', base: '44.00', discount: '4.50', surcharges: '3.00', net: '42.50', zone: '5' },
  { key: 'A1', base: '10.00', surcharges: '2.00', net: '12.00' },
  { key: '"A,6"', net: '60.00' },
  { key: 'A3', fault: 'getRates.weightNotServed' },
  { key: 'A5', net: '50.00' },
  { key: 'twice', net: '5.00' },
]);

test('a join lists same, changed, new and gone shipments, and separates rows without a clear key', () => {
  const { output } = joined(JANUARY, FEBRUARY);
  expect(`${JOIN_COLUMNS.join(',')}\n${output}`.split('\n')).toEqual([
    'key,status,row_base,row_with,net_base,net_with,difference,service_base,service_with,zone_base,zone_with,carrier_zone_base,carrier_zone_with,billing_weight_base,billing_weight_with,fault_base,fault_with',
    'twice,duplicate,6,,1.00,,,C1-GROUND,,4,,04,,5,,,',
    'twice,duplicate,7,,2.00,,,C1-GROUND,,4,,04,,5,,,',
    ',no_key,8,,3.00,,,C1-GROUND,,4,,04,,5,,,',
    'twice,duplicate,,6,,5.00,,,C1-GROUND,,4,,04,,5,,',
    'A1,same,1,2,12.00,12.00,0.00,C1-GROUND,C1-GROUND,4,4,04,04,5,5,,',
    'A2,gone,2,,20.00,,,C1-GROUND,,4,,04,,5,,,',
    'A3,unpriced,3,4,30.00,,,C1-GROUND,,4,,04,,5,,,getRates.weightNotServed',
    'A4,changed,4,1,40.00,42.50,2.50,C1-GROUND,C1-GROUND,4,5,04,05,5,5,,',
    'A5,unpriced,5,5,,50.00,,,C1-GROUND,,4,,04,,5,getRates.noDeliveryCoverage,',
    '"A,6",new,,3,,60.00,,,C1-GROUND,,4,,04,,5,,',
    '',
  ]);
});

test('its sums count each row of both lists once, and its parts add up to the difference', () => {
  const { sums } = joined(JANUARY, FEBRUARY);
  const [pair] = sums.scenarios;
  expect(sums.base).toMatchObject({ rows: 8, priced: 7, cents: 10_800 });
  expect(sums.join).toEqual({
    with: { rows: 6, priced: 5, cents: 16_950, faults: { 'getRates.weightNotServed': 1 }, warnings: {} },
    gone: { rows: 1, cents: 2_000 },
    added: { rows: 1, cents: 6_000 },
    duplicates: { base: 2, with: 1 },
    withoutKey: { base: 1, with: 0 },
  });
  expect(pair).toMatchObject({
    compared: { rows: 2, baseCents: 5_200, netCents: 5_450 },
    onlyBase: { rows: 1, cents: 3_000 },
    onlyScenario: { rows: 1, cents: 5_000 },
    neither: 0,
    attribution: { ZONE: 400, RATE: 0, DISCOUNT: -450, SURCHARGES: 300 },
  });
  const [{ difference, attribution }] = [must(comparisonSummaryOf(sums, [{ name: 'February' }]).scenarios[0], 'it')];
  expect(attribution.reduce((sum, part) => sum + Math.round(part.difference * 100), 0)).toBe(difference * 100);
});

test('partitions give the same rows and the same sums as one', () => {
  const random = (seed: number) => () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed / 2 ** 32;
  };
  const draw = random(7);
  const list = (): Buffer =>
    outputOf(
      Array.from({ length: 600 }, () => {
        const key = draw() < 0.02 ? '' : `K${Math.floor(draw() * 500)}`;
        if (draw() < 0.1) return { key, fault: 'getRates.noDeliveryCoverage' };
        return { key, net: (5 + Math.floor(draw() * 3)).toFixed(2), zone: String(2 + Math.floor(draw() * 3)) };
      }),
    );
  const [base, other] = [list(), list()];
  const whole = joined(base, other);
  const split = joined(base, other, 7);
  expect(split.output.split('\n').sort()).toEqual(whole.output.split('\n').sort());
  const { mostDearer, mostCheaper, ...pair } = must(split.sums.scenarios[0], 'the pair');
  expect({ ...split.sums, scenarios: [pair] }).toEqual({
    ...whole.sums,
    scenarios: [expect.objectContaining(pair)],
  });
  expect(mostDearer).toEqual(whole.sums.scenarios[0]?.mostDearer);
  expect(mostCheaper).toEqual(whole.sums.scenarios[0]?.mostCheaper);
  expect(partitionsFor(1_000_001)).toBe(11);
});

test('rows without a key are spread over the partitions', () => {
  const base = outputOf(Array.from({ length: 70 }, () => ({ key: '', net: '1.00' })));
  const joiners = Array.from({ length: 7 }, (_, partition) => {
    const joiner = createJoiner({ base: places, with: places }, partition, 7);
    const { step } = joiner.read('base', base);
    while (step(100));
    return joiner.result().sums.join?.withoutKey.base;
  });
  expect(joiners).toEqual(Array.from({ length: 7 }, () => 10));
});

test('a key that one output has escaped is the same shipment, and is written as the comparison asks for', () => {
  const kept = outputOf([{ key: '=A1', net: '1.00' }]);
  const defused = outputOf([{ key: "'=A1", net: '1.00' }]);
  const keysOf = (keepFormulas: boolean): string => {
    const joiner = createJoiner({ base: places, with: places }, 0, 1, undefined, keepFormulas);
    for (const [side, bytes] of [
      ['base', kept],
      ['with', defused],
    ] as const)
      while (joiner.read(side, bytes).step(10));
    return joiner.result().output.toString();
  };
  expect(keysOf(false)).toMatch(/^'=A1,same,1,1,/);
  expect(keysOf(true)).toMatch(/^=A1,same,1,1,/);
});

test('a partition keeps its own rows in memory, and not the texts that contain them', async () => {
  const rows = 40_000;
  const list = outputOf(Array.from({ length: rows }, (_, at) => ({ key: `ORDER-2026-${at}-OF-A-YEAR`, net: '1.00' })));
  const joiner = createJoiner({ base: places, with: places }, 0, 200);
  await collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const { step } = joiner.read('base', list);
  while (step(1_000));
  await collectGarbage();
  const kept = process.memoryUsage().heapUsed - before;
  expect(joiner.result().sums.join?.gone.rows).toBeGreaterThan(100);
  expect(kept).toBeLessThan(list.length / 10);
});

test('the summary counts the warnings of the first list, and those of the other list’s compared prices', () => {
  const before = [
    { key: 'A', net: '9.00', warnings: 'fuel.stale|zone.estimated' },
    { key: 'gone', net: '8.00', warnings: 'fuel.stale' },
    { key: 'B', net: '7.00' },
  ];
  const after = [
    { key: 'A', net: '9.50', warnings: 'price.incomplete' },
    { key: 'new', net: '1.00', warnings: 'fuel.stale' },
    { key: 'B', net: '7.00' },
  ];
  const { sums } = joined(outputOf(before), outputOf(after));
  const { base, scenarios } = comparisonSummaryOf(sums, [{ name: 'july.csv' }]);
  expect([base.warnings, scenarios[0]?.warnings]).toEqual([
    { 'fuel.stale': 2, 'zone.estimated': 1 },
    { 'price.incomplete': 1 },
  ]);
});
