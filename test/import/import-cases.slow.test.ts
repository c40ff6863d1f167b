/**
 * Imports of sets of files, for several first days, in every order: at once, and one after the other. What is asked, and
 * what is taken, must never depend on the order.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { Failed } from '../../src/base/failed.ts';
import { must } from '../../src/base/must.ts';
import { compileTariff } from '../../src/catalog/tariff/compile.ts';
import type { TariffDocument } from '../../src/catalog/tariff/document.ts';
import type { Source } from '../../src/import/read/reader.ts';
import { askedOf, chargedLines, priceShipment } from '../../src/rating/price.ts';
import { readShipment } from '../../src/rating/shipment.ts';
import { missingParts } from '../../src/rating/warning.ts';
import { importYears, permutations, readYears } from './made-years.ts';

let files: ReadonlyMap<string, Source>;
beforeAll(async () => {
  files = await readYears();
}, 600_000);

type Case = readonly [files: string, effective: string, outcome: RegExp | 'taken' | 'no rates', warning?: RegExp];

const NEWER = /is there a newer one\?$/;
const BEFORE = /is there the list before it\?$/;

const CASES: Case[] = [
  // The list and the sheet of FedEx, for each year.
  ['list-2025.pdf', '2025-01-06', 'taken'],
  ['list-2025.pdf', '2025-06-02', 'taken'],
  ['list-2025.pdf', '2024-12-09', 'taken', /takes effect on 2025-01-06, which is after 2024-12-09/],
  ['list-2025.pdf fees-2026.pdf', '2025-01-06', 'taken'],
  ['list-2025.pdf fees-2026.pdf a-fees-2027.pdf', '2025-01-06', 'taken'],
  ['list-2025.pdf fees-2026.pdf', '2025-07-14', 'taken'],
  ['list-2025.pdf fees-2026.pdf', '2025-12-01', 'taken'],
  ['list-2026.pdf fees-2026.pdf', '2026-01-05', 'taken'],
  ['list-2026.pdf fees-2026.pdf', '2026-06-15', 'taken'],
  ['list-2026.pdf a-fees-2027.pdf', '2026-01-05', 'taken'],
  ['list-2026.pdf fees-2026.pdf a-fees-2027.pdf', '2026-01-05', 'taken'],
  ['list-2027.pdf a-fees-2027.pdf', '2027-01-04', 'taken'],
  ['list-2025.pdf fees-2026.pdf fuel-early.csv', '2025-01-06', 'taken'],
  // Rates of another year.
  ['list-2025.pdf', '2026-01-05', NEWER],
  ['list-2025.pdf', '2026-06-15', NEWER],
  ['list-2025.pdf fees-2026.pdf', '2026-06-15', NEWER],
  ['list-2026.pdf', '2027-01-04', NEWER],
  ['list-2026.pdf fees-2026.pdf', '2027-01-04', NEWER],
  ['list-2026.pdf', '2025-01-06', BEFORE],
  ['list-2027.pdf', '2026-06-15', BEFORE],
  ['daily-2026.xlsx', '2027-01-04', NEWER],
  ['daily-2026.xlsx', '2025-06-02', BEFORE],
  ['daily-2026.xlsx', '2025-12-22', 'taken'],
  ['daily-2026.xlsx', '2026-12-14', 'taken'],
  ['list-2025.pdf daily-2026.xlsx', '2026-06-15', NEWER],
  ['list-2025.pdf list-2026.pdf fees-2026.pdf', '2026-01-05', /newer one\?$|the year of the rates$/],
  // Charges of another year.
  ['list-2027.pdf fees-2026.pdf', '2027-01-04', /import the file for the year of the rates$/],
  ['list-2025.pdf a-fees-2027.pdf', '2025-01-06', /import the file for the year of the rates$/],
  ['list-2025.pdf a-fees-2027.pdf', '2025-12-01', /import the file for the year of the rates$/],
  // Charts.
  ['list-2026.pdf 070-076.pdf', '2026-01-05', 'taken'],
  ['list-2026.pdf 798-799.pdf', '2026-01-05', 'taken'],
  ['list-2026.pdf 070-076.pdf 798-799.pdf', '2026-01-05', 'taken'],
  ['daily-2026.xlsx 100.xls', '2026-01-05', 'taken'],
  ['daily-2026.xlsx typed-100.csv', '2026-01-05', 'taken'],
  ['daily-2026.xlsx 100.xls typed-100.csv', '2026-01-05', 'taken'],
  ['daily-2026.xlsx typed-606.csv', '2026-01-05', /fit those from 0\d\d: is the origin right\?$/],
  ['list-2026.pdf 100.xls', '2026-01-05', 'taken', /There are zone charts of UPS, but no rates/],
  // Fuel, areas and charges of more carriers than the rates.
  ['list-2026.pdf fuel-both.csv', '2026-01-05', 'taken', /the fuel of UPS is not used/],
  ['daily-2026.xlsx fuel-both.csv', '2026-01-05', 'taken', /the fuel of FedEx is not used/],
  ['list-2026.pdf daily-2026.xlsx fuel-both.csv', '2026-01-05', 'taken'],
  ['daily-2026.xlsx fuel-fedex.csv', '2026-01-05', 'taken', /the fuel of FedEx is not used/],
  ['list-2026.pdf fuel-both.csv fuel-fedex.csv', '2026-01-05', 'taken'],
  ['list-2026.pdf fuel-both.csv fuel-early.csv', '2026-01-05', 'taken'],
  ['list-2025.pdf fees-2026.pdf fuel-both.csv', '2025-01-06', 'taken', /the fuel of UPS is not used/],
  ['list-2026.pdf fuel-old.csv', '2026-01-05', /ends on 2023-01-29/],
  ['daily-2026.xlsx fuel-old.csv', '2026-01-05', 'taken', /the fuel of FedEx is not used/],
  ['list-2026.pdf areas-fedex.csv areas-ups.csv', '2026-01-05', 'taken', /the areas of UPS are not used/],
  ['list-2026.pdf charges-areas.csv', '2026-01-05', 'taken', /there is no list of areas of FedEx/],
  ['list-2026.pdf charges-areas.csv areas-fedex.csv areas-ups.csv', '2026-01-05', 'taken'],
  ['list-2026.pdf charges-both.csv', '2026-01-05', 'taken', /UPS air: 1 charge is not used/],
  ['list-2026.pdf daily-2026.xlsx charges-both.csv charges-ups.csv', '2026-01-05', 'taken'],
  // Charges that two files have.
  ['list-2026.pdf fees-2026.pdf charges-summer.csv', '2026-01-05', 'taken'],
  ['list-2026.pdf demand.csv demand-again.csv', '2026-01-05', 'taken'],
  // Files without rates.
  ['fuel-both.csv', '2026-01-05', 'no rates'],
  ['fees-2026.pdf', '2026-01-05', 'no rates'],
  ['070-076.pdf', '2026-01-05', 'no rates'],
  ['areas-fedex.csv', '2026-01-05', 'no rates'],
  ['fees-2026.pdf fuel-both.csv 070-076.pdf', '2026-01-05', 'no rates'],
  // All of one year.
  ['list-2026.pdf fees-2026.pdf daily-2026.xlsx fuel-both.csv', '2026-01-05', 'taken'],
];

const outcomeOf = ({ id, contradictions }: ReturnType<typeof importYears>): string =>
  contradictions.length > 0 ? contradictions.join('\n') : (id ?? 'no rates');

test('four files give the same tariff in all 24 orders of one import', () => {
  const names = ['list-2025.pdf', 'fees-2026.pdf', 'a-fees-2027.pdf', 'fuel-both.csv'];
  const ids = permutations(names).map((order) => outcomeOf(importYears(files, [order], '2025-01-06')));
  expect(ids).toHaveLength(24);
  expect([...new Set(ids)]).toEqual([expect.stringMatching(/^years@2025-01-06-[0-9a-f]{8}$/)]);
});

describe('files give the same in every order, at once and one after the other', () => {
  const named = CASES.map((one) => [one.slice(0, 2).join(', from '), one] as const);
  test.each(named)('%s', (_, [names, effective, outcome, warning]) => {
    const orders = permutations(names.split(' '));
    const first = importYears(files, orders.slice(0, 1), effective);
    if (outcome === 'taken') expect(outcomeOf(first)).toMatch(/^years@/);
    else if (outcome === 'no rates') expect(outcomeOf(first)).toBe('no rates');
    else for (const line of first.contradictions) expect(line).toMatch(outcome);
    if (outcome instanceof RegExp) expect(first.contradictions).not.toEqual([]);
    if (warning !== undefined) expect(first.warnings.join('\n')).toMatch(warning);
    const last = orders.slice(-1);
    expect(outcomeOf(importYears(files, last, effective))).toBe(outcomeOf(first));
    for (const order of orders) {
      const single = order.map((name) => [name]);
      expect(outcomeOf(importYears(files, single, effective))).toBe(outcomeOf(first));
    }
  });
});

test('charges of three years are the same in every order when a later file corrects the fuel', () => {
  const orders = permutations(['list-2025.pdf', 'fees-2026.pdf', 'a-fees-2027.pdf']);
  const ids = orders.map((order) => {
    const later = ['fuel-both.csv', 'fuel-other.csv'];
    return outcomeOf(
      importYears(
        files,
        [...order, ...later].map((name) => [name]),
        '2025-01-06',
      ),
    );
  });
  expect([...new Set(ids)]).toEqual([expect.stringMatching(/^years@2025-01-06-[0-9a-f]{8}$/)]);
});

describe('in a tariff of 2025, of the list and of the sheet of both years', () => {
  let tariff: TariffDocument;
  beforeAll(() => {
    const names = ['fees-2026.pdf', 'list-2025.pdf', '070-076.pdf'];
    tariff = must(importYears(files, [names], '2025-01-06').document, 'the tariff');
  });

  /** The charges of a package from Newark to a home, and what its price lacks. */
  const chargesOf = (
    service: string,
    day: string,
    to: string,
    lb: number,
    inches: readonly number[] = [10, 10, 10],
  ) => {
    const cards = compileTariff(tariff, day);
    const [length, width, height] = inches;
    const shipment = readShipment({
      rates: {
        shipper: { warehouse_id: 1 },
        recipient: { address: { postalCode: to, residential: true } },
        packageItems: [{ weight: { units: 'LB', value: lb }, dimensions: { units: 'IN', length, width, height } }],
      },
    });
    if (shipment instanceof Failed) throw new Error(JSON.stringify(shipment.fault));
    const card = must(
      cards.find(({ code }) => code === service),
      service,
    );
    const price = priceShipment(card, askedOf(card, shipment, 7001, Number(to)), undefined);
    if (price instanceof Failed) throw new Error(JSON.stringify(price.fault));
    const lines = chargedLines(price).map(({ type, amountCents }) => [type, amountCents]);
    return { zone: card.columns[price.column], lines, lacks: missingParts(price.warnings) };
  };
  const ALWAYS = ['fuel', 'deliveryArea'];
  const HOME = ['RESIDENTIAL', 595];
  const WEIGHT = 'ADDITIONAL_HANDLING_WEIGHT';
  const LONG = [97, 10, 10];

  test.each([
    ['a home pays once', 'FDX-HOME', '2025-06-02', '60601', 10, [10, 10, 10], '5', [HOME], ALWAYS],
    [
      'a known amount is charged',
      'FDX-GROUND',
      '2025-06-02',
      '10001',
      60,
      [10, 10, 10],
      '2',
      [[WEIGHT, 4350], HOME],
      ALWAYS,
    ],
    [
      'an unknown one is said to be missing',
      'FDX-GROUND',
      '2025-06-02',
      '60601',
      60,
      [10, 10, 10],
      '5',
      [HOME],
      [...ALWAYS, 'handling'],
    ],
    [
      'it is known from its day on',
      'FDX-GROUND',
      '2025-07-14',
      '60601',
      60,
      [10, 10, 10],
      '5',
      [[WEIGHT, 5275], HOME],
      ALWAYS,
    ],
    [
      'oversize of Home Delivery is known',
      'FDX-HOME',
      '2025-06-02',
      '10001',
      20,
      LONG,
      '2',
      [['OVERSIZE', 24_000], HOME],
      ALWAYS,
    ],
    ['but not in zone 5', 'FDX-HOME', '2025-06-02', '60601', 20, LONG, '5', [HOME], [...ALWAYS, 'handling']],
    ['and not of Ground', 'FDX-GROUND', '2025-06-02', '10001', 20, LONG, '2', [HOME], [...ALWAYS, 'handling']],
    [
      'a package that it does not concern lacks nothing',
      'FDX-GROUND',
      '2025-06-02',
      '60601',
      10,
      [10, 10, 10],
      '5',
      [HOME],
      ALWAYS,
    ],
  ] as const)('%s', (_, service, day, to, lb, inches, zone, lines, lacks) => {
    expect(chargesOf(service, day, to, lb, inches)).toEqual({ zone, lines, lacks });
  });
});
