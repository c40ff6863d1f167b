/** What a list costs by each service. The sums must match the columns of the list's own output, for any chunks. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { withoutPause } from '../../../src/base/time-slices.ts';
import { type Schedule, scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import { type FormatOptions, fitted, formatOf } from '../../../src/lists/output/output-format.ts';
import { type AllServices, summaryOf } from '../../../src/lists/output/summary.ts';
import { EMPTY_TALLY, plus, type Tally } from '../../../src/lists/output/tally.ts';
import { createRater, outputHeaderBytes } from '../../../src/lists/rows/rate-rows.ts';
import { smallTariff } from '../../catalog/tariff/small-tariff.ts';
import { contextFor, planList, referenceSchedule } from '../rows/fixtures.ts';

type Row = Readonly<Record<string, string>>;

let schedule: Schedule;
let samples: Buffer;
beforeAll(async () => {
  schedule = await referenceSchedule();
  samples = await readFile(join(import.meta.dirname, '../../../samples/shipments.csv'));
});

interface Rating {
  readonly options?: FormatOptions;
  readonly by?: Schedule;
}

/** Returns the output with its header, and the tallies of the chunks. */
const rated = (list: Buffer, chunkRows: number, { options = { services: 'all' }, by = schedule }: Rating = {}) => {
  const planned = planList(list, { chunkRows });
  if (!('plan' in planned)) throw new Error(`the list was refused: ${JSON.stringify(planned)}`);
  const format = formatOf(options, by);
  const columns = withoutPause(fitted(planned.columns, format));
  const parts = planned.plan.chunks.map(({ from, to, firstRow }) => {
    const rater = createRater(list.subarray(from, to), firstRow, { ...contextFor(columns, by), format });
    while (rater.step(100));
    return rater.result();
  });
  return {
    output: Buffer.concat([outputHeaderBytes(columns, format), ...parts.map(({ output }) => output)]),
    tallies: parts.map(({ tally }) => tally),
  };
};

const added = (tallies: readonly Tally[]): Tally => tallies.reduce((sum, tally) => plus(sum, tally), EMPTY_TALLY);
const allOf = (tally: Tally): AllServices => {
  const { allServices } = summaryOf(tally);
  if (allServices === undefined) throw new Error('the summary has no prices by service');
  return allServices;
};

const cents = (cell: string | undefined): number => Math.round(Number(cell) * 100);
const summed = (rows: readonly Row[], column: (row: Row) => string): number =>
  rows.reduce((sum, row) => sum + cents(row[column(row)]), 0) / 100;
const asChosen = (): string => 'quote_totalNetCharge';
const cheapest = (row: Row): string => `net_${row['cheapest']}`;

describe('of the sample list', () => {
  test('are the sums of the output’s columns, each over the rows that the service takes', () => {
    const { output, tallies } = rated(samples, 100);
    const rows: Row[] = parse(output, { columns: true });
    const quoted = rows.filter(({ quote_status }) => quote_status === '200');
    const all = allOf(added(tallies));
    expect(all).toMatchObject({
      rows: 970,
      totalAsChosen: summed(quoted, asChosen),
      totalCheapest: summed(quoted, cheapest),
      saving: Math.round((summed(quoted, asChosen) - summed(quoted, cheapest)) * 100) / 100,
    });
    expect(all.services.map(({ shippingService }) => shippingService)).toEqual([
      'C1-GROUND',
      'C1-EXPRESS',
      'C2-GROUND',
    ]);
    for (const service of all.services) {
      const net = `net_${service.shippingService}`;
      const taken = quoted.filter((row) => row[net] !== '');
      expect(service).toEqual({
        shippingService: service.shippingService,
        shipments: taken.length,
        notServed: 970 - taken.length,
        totalNetCharge: summed(taken, () => net),
        sameShipmentsAsChosen: summed(taken, asChosen),
        sameShipmentsCheapest: summed(taken, cheapest),
        difference: Math.round((summed(taken, () => net) - summed(taken, asChosen)) * 100) / 100,
        incomplete: 0,
      });
    }
    // The list has rows that a service does not take, and rows with a fault that another service would take.
    expect(all.services.at(-1)?.notServed).toBeGreaterThan(0);
    expect(rows.some(({ quote_status, cheapest: code }) => quote_status !== '200' && code !== '')).toBe(true);
  });

  test('add up over chunks of any size in any order', () => {
    const whole = allOf(added(rated(samples, 5_000).tallies));
    const divisions = [37, 400].map((chunkRows) => rated(samples, chunkRows).tallies);
    const order = fc
      .constantFrom(...divisions)
      .chain((tallies) => fc.shuffledSubarray(tallies, { minLength: tallies.length }));
    fc.assert(
      fc.property(order, fc.nat(30), (tallies, cut) => {
        // Sums of sums, as for a corrected batch.
        const sum = plus(added(tallies.slice(0, cut)), added(tallies.slice(cut)));
        expect(allOf(sum)).toEqual(whole);
      }),
    );
  });

  test('are absent without ?services=all', () => {
    const tally = added(rated(samples, 100, { options: {} }).tallies);
    expect(JSON.stringify([tally, summaryOf(tally)])).not.toContain('allServices');
  });
});

const HEADER = 'warehouse_id,postalCode,weight_value,weight_units,shippingService,addressLine';
const listOf = (...lines: string[]): Buffer => Buffer.from(`${HEADER}\n${lines.join('\n')}\n`);
const tallyOf = (...lines: string[]): Tally => added(rated(listOf(...lines), 5_000).tallies);

test('a row with a fault counts nowhere, even if another service takes it', () => {
  expect(allOf(tallyOf('101,02139,2.1,LB,C2-GROUND,', '101,0213,2.1,LB,,'))).toMatchObject({
    rows: 0,
    totalAsChosen: 0,
    services: [
      { shippingService: 'C1-GROUND', shipments: 0 },
      { shippingService: 'C1-EXPRESS', shipments: 0 },
      { shippingService: 'C2-GROUND', shipments: 0 },
    ],
  });
});

test('count the incomplete prices as chosen, of the cheapest, and of each service', () => {
  const [complete, lacking] = [
    smallTariff({ service: { hasNo: ['fuel', 'residential', 'deliveryArea', 'handling', 'limits'] } }),
    smallTariff({
      file: { name: 'other' },
      service: { code: 'AIR', hasNo: [] },
      document: { rates: { AIR: { columns: ['2', '8'], cents: [[9_000, 9_000]] } } },
    }),
  ];
  const by = scheduleOf([complete, lacking]);
  const list = listOf('101,10001,1,LB,GROUND,', '101,10001,1,LB,AIR,', '101,10001,1,LB,,');
  const all = allOf(added(rated(list, 5_000, { by }).tallies));
  expect(all).toMatchObject({ rows: 3, incompleteAsChosen: 1, incompleteCheapest: 0 });
  expect(all.services.map(({ shippingService, incomplete }) => [shippingService, incomplete])).toEqual([
    ['GROUND', 0],
    ['AIR', 3],
  ]);
});
