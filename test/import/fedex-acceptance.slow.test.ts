/**
 * FedEx's genuine list rates against cells copied by hand from their rendered pages. The file is not part of the
 * project: without it, these tests are skipped. `CARRIER_FILES` names its folder.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ParsedFile } from '../../src/import/read/reader.ts';
import { pdfReader } from '../../src/import/source.ts';
import { printedRows } from './printed-rows.ts';

const folder = process.env['CARRIER_FILES'] ?? join(import.meta.dirname, '../../../shared/carrier-files');
const present = existsSync(join(folder, 'FedEx_Standard_List_Rates_2026.pdf'));
const file = (name: string) => readFileSync(join(folder, name));
if (!present) process.stderr.write(`FedEx acceptance tests are skipped: no carrier files in ${folder}\n`);

const EXPRESS = ['FDX-1STOVN', 'FDX-PRIOVN', 'FDX-STDOVN', 'FDX-2DAYAM', 'FDX-2DAY', 'FDX-SAVER'];

/** Rows as printed. Express: First, Priority, Standard Overnight, 2Day A.M., 2Day, Express Saver, as far as they serve a zone. */
const rowsOf = (table: string): [zones: string, pounds: number, row: string][] =>
  printedRows('fedex-printed-rates.csv')
    .filter((row) => row['table'] === table)
    .map(({ zones = '', pounds, printed: row = '' }) => [zones, Number(pounds), row]);

/** Alaska metro: all services but Express Saver. Alaska rural, Hawaii metro and rural: First, Priority, 2Day. */
const servicesTo = (zone: string): string[] => {
  if (Number(zone) <= 8) return EXPRESS;
  return ['10', '11', '12'].includes(zone) ? ['FDX-1STOVN', 'FDX-PRIOVN', 'FDX-2DAY'] : EXPRESS.slice(0, 5);
};

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
    reading = await pdfReader.read(file('FedEx_Standard_List_Rates_2026.pdf'), {});
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

  test.each(rowsOf('express'))('express to zone %s at %i lb', (zone, pounds, row) => {
    expect(
      servicesTo(zone)
        .map((code) => cellOf(reading, code, zone, pounds))
        .join(' '),
    ).toBe(row);
  });

  test.each(rowsOf('ground'))('Ground and Home Delivery to the zones %s at %i lb', (zones, pounds, row) => {
    for (const code of ['FDX-GROUND', 'FDX-HOME'])
      expect(
        zones
          .split(' ')
          .map((zone) => cellOf(reading, code, zone, pounds))
          .join(' '),
      ).toBe(row);
  });

  test.each(rowsOf('multiweight'))('multiweight to zone %s from %i lb', (zone, from, row) => {
    expect(
      servicesTo(zone)
        .map((code) => perPoundOf(reading, code, zone, from))
        .join(' '),
    ).toBe(row);
  });

  test('multiweight needs 100 lb, or 200 lb for Express Saver, and 15 lb per package on average', () => {
    expect(reading.multiweight.map(({ code, terms }) => [code, terms.minimumTotalLb, terms.minimumAverageLb])).toEqual([
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
