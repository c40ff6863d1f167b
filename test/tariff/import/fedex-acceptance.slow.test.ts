/**
 * FedEx's genuine list rates against cells copied by hand from their rendered pages. The file is not part of the
 * project: without it, these tests are skipped. `CARRIER_FILES` names its folder.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ParsedFile } from '../../../src/tariff/import/read/reader.ts';
import { fedexPdf } from '../../../src/tariff/import/source.ts';

const folder = process.env['CARRIER_FILES'] ?? join(import.meta.dirname, '../../../../shared/carrier-files');
const present = existsSync(join(folder, 'FedEx_Standard_List_Rates_2026.pdf'));
const file = (name: string) => readFileSync(join(folder, name));
if (!present) process.stderr.write(`FedEx acceptance tests are skipped: no carrier files in ${folder}\n`);

const EXPRESS = ['FDX-1STOVN', 'FDX-PRIOVN', 'FDX-STDOVN', 'FDX-2DAYAM', 'FDX-2DAY', 'FDX-SAVER'];

/** Zone, pounds, and the row as printed: First, Priority, Standard Overnight, 2Day A.M., 2Day, Express Saver. */
const ZONES_2_TO_8: [zone: string, pounds: number, row: string][] = [
  ['2', 1, '76.22 45.22 40.82 30.21 26.46 23.84'],
  ['2', 2, '76.82 45.82 43.54 30.73 27.54 24.29'],
  ['2', 10, '96.00 65.00 61.93 41.35 35.62 30.99'],
  ['2', 37, '168.15 137.15 120.65 100.70 87.43 79.97'],
  ['2', 49, '198.98 167.98 153.03 127.86 107.20 96.20'],
  ['3', 101, '465.61 434.30 424.20 323.20 251.49 241.39'],
  ['3', 117, '539.37 503.10 491.40 374.40 291.33 279.63'],
  ['3', 150, '691.50 645.00 630.00 480.00 373.50 358.50'],
  ['4', 50, '476.61 445.61 418.15 225.22 174.84 150.93'],
  ['4', 70, '653.02 622.02 588.08 297.33 223.66 209.76'],
  ['4', 99, '812.20 781.20 750.52 392.65 298.91 279.47'],
  ['5', 1, '125.68 94.68 81.00 43.63 35.94 31.04'],
  ['5', 37, '438.99 407.99 375.14 249.99 211.83 160.07'],
  ['5', 66, '686.30 655.30 624.07 412.79 321.25 273.59'],
  ['5', 83, '837.54 806.54 772.40 501.89 404.66 337.80'],
  ['5', 100, '962.00 931.00 897.00 624.00 488.00 423.00'],
  ['6', 2, '135.69 104.69 100.71 53.96 48.67 38.06'],
  ['6', 10, '205.38 174.38 167.74 128.62 114.50 78.83'],
  ['6', 101, '991.82 960.51 925.16 922.13 782.75 600.95'],
  ['6', 133, '1,306.06 1,264.83 1,218.28 1,214.29 1,030.75 791.35'],
  ['6', 150, '1,473.00 1,426.50 1,374.00 1,369.50 1,162.50 892.50'],
  ['7', 1, '141.55 110.55 95.41 52.05 46.04 37.51'],
  ['7', 28, '405.37 374.37 345.37 307.55 276.32 206.15'],
  ['7', 104, '1,241.76 1,209.52 1,144.00 1,032.72 919.36 684.32'],
  ['7', 142, '1,695.48 1,651.46 1,562.00 1,410.06 1,255.28 934.36'],
  ['8', 1, '144.48 113.48 99.65 53.18 46.97 41.41'],
  ['8', 10, '232.47 201.47 193.81 149.63 131.44 110.41'],
  ['8', 37, '503.44 472.44 444.90 388.87 358.49 290.36'],
  ['8', 49, '602.91 571.91 538.19 505.70 443.61 366.08'],
];

/** Alaska metro: all services but Express Saver. Alaska rural, Hawaii metro and rural: First, Priority, 2Day. */
const TO_ALASKA_AND_HAWAII: [zone: string, pounds: number, row: string][] = [
  ['9', 1, '161.21 130.21 107.13 75.48 68.03'],
  ['9', 37, '571.06 540.06 463.50 406.51 377.23'],
  ['9', 50, '706.23 675.23 584.38 552.04 453.23'],
  ['9', 70, '967.03 936.03 834.84 731.47 605.79'],
  ['9', 99, '1,303.88 1,272.88 1,156.19 998.08 840.85'],
  ['11', 2, '178.76 147.76 106.19'],
  ['11', 49, '718.11 687.11 461.55'],
  ['11', 74, '1,052.14 1,021.14 626.80'],
  ['11', 100, '1,442.00 1,411.00 950.00'],
  ['10', 50, '706.23 675.23 453.23'],
  ['10', 74, '1,032.10 1,001.10 614.50'],
  ['10', 99, '1,303.88 1,272.88 840.85'],
  ['12', 51, '771.57 740.57 477.04'],
  ['12', 88, '1,218.84 1,187.84 761.10'],
  ['12', 100, '1,442.00 1,411.00 950.00'],
  ['13', 1, '109.45 78.45 65.38 49.35 44.34'],
  ['14', 37, '406.02 375.02 280.64 202.75 145.08'],
  ['15', 70, '583.14 552.14 475.78 322.35 250.33'],
  ['16', 100, '927.00 896.00 742.00 533.00 413.00'],
];

const GROUND_COLUMNS = ['2', '3', '4', '5', '6', '7', '8'];
const GROUND: [pounds: number, row: string][] = [
  [1, '11.99 12.21 13.26 14.00 14.47 14.75 15.01'],
  [2, '12.78 14.09 15.33 15.66 16.34 17.08 17.37'],
  [10, '15.85 17.02 18.56 20.46 21.10 23.87 26.38'],
  [37, '25.50 30.87 34.82 42.42 52.39 63.39 73.32'],
  [50, '29.14 36.44 43.70 53.00 66.78 80.83 89.83'],
  [101, '75.13 76.02 82.50 90.24 106.22 117.89 129.85'],
  [126, '100.39 100.59 108.81 111.44 127.23 140.62 160.27'],
  [150, '121.21 124.51 134.51 138.11 151.87 164.36 185.15'],
];

const GROUND_FAR_COLUMNS = ['17', '22', '23', '25', '9', '14', '92', '96'];
const GROUND_FAR: [pounds: number, row: string][] = [
  [1, '43.41 10.13 15.12 15.60 43.41 9.89 15.12 15.60'],
  [37, '191.85 24.85 104.92 118.20 191.85 14.28 104.92 118.20'],
  [51, '252.46 30.69 130.61 148.94 252.46 17.37 130.61 148.94'],
  [70, '331.56 39.69 154.87 179.01 331.56 24.10 154.87 179.01'],
  [99, '442.10 78.12 197.59 219.18 442.10 60.52 197.59 219.18'],
  [150, '649.73 147.30 278.18 296.94 649.73 125.85 278.18 296.94'],
];

const MULTIWEIGHT: [zone: string, fromLb: number, row: string][] = [
  ['2', 100, '3.39 3.08 2.96 2.52 1.99 1.85'],
  ['2', 2000, '3.33 3.02 2.90 2.46 1.93 1.79'],
  ['8', 100, '12.70 12.39 11.47 10.22 9.11 7.53'],
  ['8', 1000, '12.66 12.35 11.43 10.18 9.07 7.49'],
  ['9', 500, '14.11 13.80 12.38 10.52 9.28'],
  ['14', 2000, '9.21 8.90 7.36 5.27 4.07'],
];

const far = (zone: string): string[] =>
  zone === '10' || zone === '11' || zone === '12' ? ['FDX-1STOVN', 'FDX-PRIOVN', 'FDX-2DAY'] : EXPRESS.slice(0, 5);

const printed = (cents: number | null | undefined): string =>
  ((cents ?? Number.NaN) / 100).toFixed(2).replace(/(\d)(\d{3}\.)/, '$1,$2');

const cellOf = (reading: ParsedFile, code: string, zone: string, pounds: number): string => {
  const table = reading.rates.find((rates) => rates.code === code)?.table;
  return printed(table?.cents[pounds - 1]?.[table.columns.indexOf(zone)]);
};

const perPoundOf = (reading: ParsedFile, code: string, zone: string, from: number): string => {
  const table = reading.multiweight.find((read) => read.code === code)?.table;
  return printed(table?.breaks.find(({ fromLb }) => fromLb === from)?.centsPerLb[table.columns.indexOf(zone)]);
};

describe.skipIf(!present)('FedEx list rates 2026', () => {
  let reading: ParsedFile;
  beforeAll(async () => {
    reading = await fedexPdf.read(file('FedEx_Standard_List_Rates_2026.pdf'), {});
  });

  test('the file takes effect on January 5, 2026, and has no unreadable cell', () => {
    expect([reading.kind, reading.effective, reading.unreadable]).toEqual(['FedEx list rates (PDF)', '2026-01-05', []]);
  });

  test('every service has a rate for every pound from 1 to 150 in every zone that it serves', () => {
    expect(reading.rates.map(({ code, table }) => [code, table.columns.join(' '), table.cents.length])).toEqual([
      ['FDX-GROUND', '2 3 4 5 6 7 8 9 14 17 22 23 25 92 96', 150],
      ['FDX-HOME', '2 3 4 5 6 7 8 9 14 17 22 23 25 92 96', 150],
      ['FDX-SAVER', '2 3 4 5 6 7 8', 150],
      ['FDX-2DAY', '2 3 4 5 6 7 8 9 10 11 12 13 14 15 16', 150],
      ['FDX-2DAYAM', '2 3 4 5 6 7 8 9 13 14 15 16', 150],
      ['FDX-STDOVN', '2 3 4 5 6 7 8 9 13 14 15 16', 150],
      ['FDX-PRIOVN', '2 3 4 5 6 7 8 9 10 11 12 13 14 15 16', 150],
      ['FDX-1STOVN', '2 3 4 5 6 7 8 9 10 11 12 13 14 15 16', 150],
    ]);
    for (const { table } of reading.rates) expect(table.cents.flat().includes(null)).toBe(false);
  });

  test.each(ZONES_2_TO_8)('express to zone %s at %i lb', (zone, pounds, row) => {
    expect(EXPRESS.map((code) => cellOf(reading, code, zone, pounds)).join(' ')).toBe(row);
  });

  test.each(TO_ALASKA_AND_HAWAII)('express to zone %s at %i lb', (zone, pounds, row) => {
    expect(
      far(zone)
        .map((code) => cellOf(reading, code, zone, pounds))
        .join(' '),
    ).toBe(row);
  });

  test.each(GROUND)('Ground and Home Delivery at %i lb', (pounds, row) => {
    for (const code of ['FDX-GROUND', 'FDX-HOME'])
      expect(GROUND_COLUMNS.map((zone) => cellOf(reading, code, zone, pounds)).join(' ')).toBe(row);
  });

  test.each(GROUND_FAR)('Ground and Home Delivery to, from and within Alaska and Hawaii at %i lb', (pounds, row) => {
    for (const code of ['FDX-GROUND', 'FDX-HOME'])
      expect(GROUND_FAR_COLUMNS.map((zone) => cellOf(reading, code, zone, pounds)).join(' ')).toBe(row);
  });

  test.each(MULTIWEIGHT)('multiweight to zone %s from %i lb', (zone, from, row) => {
    const codes = zone === '9' || zone === '14' ? far(zone) : EXPRESS;
    expect(codes.map((code) => perPoundOf(reading, code, zone, from)).join(' ')).toBe(row);
  });

  test('multiweight needs 100 lb, or 200 lb for Express Saver, and 15 lb per package on average', () => {
    expect(
      reading.multiweight.map(({ code, minimumTotalLb, minimumAverageLb }) => [code, minimumTotalLb, minimumAverageLb]),
    ).toEqual([
      ['FDX-SAVER', 200, 15],
      ['FDX-2DAY', 100, 15],
      ['FDX-2DAYAM', 100, 15],
      ['FDX-STDOVN', 100, 15],
      ['FDX-PRIOVN', 100, 15],
      ['FDX-1STOVN', 100, 15],
    ]);
  });

  test('multiweight omits zones that the service does not serve: 2Day A.M. to Hawaii', () => {
    expect(reading.multiweight.find(({ code }) => code === 'FDX-2DAYAM')?.table.columns).not.toContain('10');
  });

  test('Home Delivery adds 6.45 for every package', () => {
    expect(reading.charges).toEqual([
      {
        carrier: 'FedEx',
        services: ['FDX-HOME'],
        at: expect.stringMatching(/^page \d+$/),
        entry: {
          type: 'RESIDENTIAL',
          description: 'Residential delivery',
          from: '2026-01-05',
          when: { residential: true },
          amount: { per: 'package', usd: '6.45' },
        },
      },
    ]);
  });

  test('a rate names its place: Express Saver, 37 lb, zone 5 on page 11', () => {
    const saver = reading.rates.find(({ code }) => code === 'FDX-SAVER');
    expect(saver?.source(36, 3)).toBe('page 11, row 37 lb, column FedEx Express Saver®, zone 5');
  });

  test('above 150 lb, a pound costs 1/150 of the top rate by ground; express has no rate', () => {
    const above = (code: string) => {
      const table = reading.rates.find((rates) => rates.code === code)?.table;
      return table?.centsPerLbAboveTop?.[table.columns.indexOf('2')];
    };
    expect([above('FDX-GROUND'), above('FDX-HOME')]).toEqual([81, 81]);
    for (const code of EXPRESS) expect(above(code)).toBeUndefined();
  });
});
