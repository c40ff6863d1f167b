/** Sheets of changes that the project makes. fedex-fees.slow.test.ts tests the carrier's own. */
import { describe, expect, test } from 'vitest';
import { readFeeSheet } from '../../src/import/fedex/fee-guide.ts';
import type { PdfPage } from '../../src/import/read/pdf.ts';
import type { ParsedFile } from '../../src/import/read/reader.ts';
import { chargeLine } from './charge-lines.ts';
import { feeSheet, type MadeRow, SHEET_ROWS, zones } from './made-fedex-fees.ts';

const US = ['U.S. Package Services'];

/** A sheet with one row, or with a few. */
const sheetOf = (...rows: readonly MadeRow[]): ParsedFile => readFeeSheet(feeSheet([rows]));

const linesOf = ({ charges }: ParsedFile, type: string): string[] =>
  charges.filter(({ entry }) => entry.type.startsWith(type)).map(chargeLine);

const problemsOf = ({ unreadable }: ParsedFile): string[] => unreadable.map(({ at, problem }) => `${at}: ${problem}`);

const moved = (pages: readonly PdfPage[], by: number): PdfPage[] =>
  pages.map((page) => ({
    ...page,
    words: page.words.map((word) => ({ ...word, left: word.left + by, right: word.right + by, y: word.y + by })),
  }));

describe('a sheet of changes', () => {
  const reading = readFeeSheet(feeSheet(SHEET_ROWS));

  test('has its date, and a charge or a reason for every row', () => {
    expect(reading).toMatchObject({ kind: 'FedEx surcharges and fees (PDF)', effective: '2032-01-04', unreadable: [] });
    expect(reading.notTaken).toEqual([
      {
        at: 'page 1',
        text: 'Address Correction, U.S. Package Services, International Package Services: $30 per correction (2031); $31.50 per correction (2032)',
        reason: 'depends on what happens in transit',
      },
    ]);
    expect(reading.notes[0]).toBe('2 rows that are only for freight and international services are skipped');
  });

  test('reads the same wherever the table is on the page', () => {
    expect(readFeeSheet(moved(feeSheet(SHEET_ROWS), 9)).charges).toEqual(reading.charges);
  });

  test('has residential charges of three kinds of services', () => {
    expect(linesOf(reading, 'RESIDENTIAL')).toEqual([
      'page 1, RESIDENTIAL "Residential delivery", FDX-GROUND, until 2032-01-03: 7.05, at most 70.50',
      'page 1, RESIDENTIAL "Residential delivery", FDX-HOME, until 2032-01-03: 7.05',
      'page 1, RESIDENTIAL "Residential delivery", express, until 2032-01-03: 8.00, at most 80.00',
      'page 1, RESIDENTIAL "Residential delivery", FDX-GROUND, from 2032-01-04: 7.15, at most 71.50',
      'page 1, RESIDENTIAL "Residential delivery", FDX-HOME, from 2032-01-04: 7.15',
      'page 1, RESIDENTIAL "Residential delivery", express, from 2032-01-04: 8.20, at most 82.00',
    ]);
    expect(reading.charges[0]?.entry.when).toEqual({ residential: true });
  });

  test('has handling by zone. A footnote dates the zones that it marks, and a cell may continue on the next page', () => {
    const ground = 'FDX-GROUND FDX-HOME';
    expect(linesOf(reading, 'ADDITIONAL').filter((line) => line.includes(ground))).toEqual([
      `page 1, ADDITIONAL_HANDLING_DIMENSION "Additional handling, dimension", ${ground}, until 2031-07-12: 14 32.00 22 32.00 z2 31.00 z3 32.00 z4 32.00 z5 null z6 null z7 34.00 z8 34.00`,
      `page 1, ADDITIONAL_HANDLING_DIMENSION "Additional handling, dimension", ${ground}, from 2031-07-13, until 2032-01-03: 14 32.00 22 32.00 z2 31.00 z3 32.00 z4 32.00 z5 33.00 z6 33.00 z7 34.00 z8 34.00`,
      `page 1, ADDITIONAL_HANDLING_WEIGHT "Additional handling, weight", ${ground}, until 2032-01-03: 14 52.00 22 52.00 z2 51.00 z3 52.00 z4 52.00 z5 53.00 z6 53.00 z7 54.00 z8 54.00`,
      `page 2, ADDITIONAL_HANDLING_PACKAGING "Additional handling, packaging", ${ground}, until 2032-01-03: 14 26.00 22 26.00 z2 25.00 z3 26.00 z4 26.00 z5 27.00 z6 27.00 z7 28.00 z8 28.00`,
      `page 1, ADDITIONAL_HANDLING_DIMENSION "Additional handling, dimension", ${ground}, from 2032-01-04: 14 42.00 22 42.00 z2 41.00 z3 42.00 z4 42.00 z5 43.00 z6 43.00 z7 44.00 z8 44.00`,
      `page 1, ADDITIONAL_HANDLING_WEIGHT "Additional handling, weight", ${ground}, from 2032-01-04: 14 62.00 22 62.00 z2 61.00 z3 62.00 z4 62.00 z5 63.00 z6 63.00 z7 64.00 z8 64.00`,
      `page 2, ADDITIONAL_HANDLING_PACKAGING "Additional handling, packaging", ${ground}, from 2032-01-04: 14 36.00 22 36.00 z2 35.00 z3 36.00 z4 36.00 z5 37.00 z6 37.00 z7 38.00 z8 38.00`,
    ]);
    const express = reading.charges.find(
      ({ entry, services }) => entry.type.endsWith('WEIGHT') && services.length === 6,
    );
    expect(express?.entry.amount).toEqual({
      per: 'package',
      usd: {
        'zone 2': '51.00',
        'zone 3': '52.00',
        'zone 4': '52.00',
        'zone 5': '53.00',
        'zone 6': '53.00',
        'zone 7': '54.00',
        'zone 8': '54.00',
      },
    });
  });

  test('has the thresholds of handling, with one name for the most expensive', () => {
    const termsOf = (type: string) => {
      const { entry } = reading.charges.find((charge) => charge.entry.type === type) ?? {};
      return [entry?.when, entry?.dearestOf, entry?.leastBillingWeightLb];
    };
    expect(termsOf('ADDITIONAL_HANDLING_DIMENSION')).toEqual([
      {
        anyOf: [
          { lengthOverIn: 48 },
          { secondSideOverIn: 30 },
          { lengthPlusGirthOverIn: 105 },
          { cubicInchesOver: 10_368 },
        ],
      },
      'handling',
      40,
    ]);
    expect(termsOf('ADDITIONAL_HANDLING_WEIGHT')).toEqual([{ actualWeightOverLb: 50 }, 'handling', undefined]);
    expect(termsOf('ADDITIONAL_HANDLING_PACKAGING')).toEqual([{ nonStandardPackaging: true }, 'handling', undefined]);
    expect(termsOf('OVERSIZE')).toEqual([
      {
        anyOf: [
          { lengthOverIn: 96 },
          { lengthPlusGirthOverIn: 130 },
          { cubicInchesOver: 17_280 },
          { actualWeightOverLb: 110 },
        ],
      },
      'handling',
      90,
    ]);
    expect(termsOf('UNAUTHORIZED')).toEqual([
      { anyOf: [{ lengthOverIn: 108 }, { lengthPlusGirthOverIn: 165 }, { actualWeightOverLb: 150 }] },
      'handling',
      90,
    ]);
  });

  test('gives a service the row that names it, and joins services whose rows are alike', () => {
    expect(linesOf(reading, 'OVERSIZE').map((line) => line.replace(/^page 1, ([^,]*),[^:]*:/, '$1'))).toEqual([
      'OVERSIZE "Oversize" z2 300.00 z3 310.00 z4 310.00 z5 320.00 z6 320.00 z7 1330.50 z8 1330.50',
      'OVERSIZE "Oversize" 14 310.00 22 310.00 z2 300.00 z3 310.00 z4 310.00 z5 320.00 z6 320.00 z7 1330.50 z8 1330.50',
      'OVERSIZE "Oversize" z2 400.00 z3 410.00 z4 410.00 z5 420.00 z6 420.00 z7 1430.50 z8 1430.50',
      'OVERSIZE "Oversize" 14 410.00 22 410.00 z2 400.00 z3 410.00 z4 410.00 z5 420.00 z6 420.00 z7 1430.50 z8 1430.50',
      'OVERSIZE "Oversize" 14 411.00 22 411.00 z2 401.00 z3 411.00 z4 411.00 z5 421.00 z6 421.00 z7 1431.50 z8 1431.50',
    ]);
    expect(linesOf(reading, 'UNAUTHORIZED')).toEqual([
      'page 2, UNAUTHORIZED "Unauthorized package", FDX-GROUND FDX-HOME, from 2031-08-03, until 2032-01-03: 2000.00',
      'page 2, UNAUTHORIZED "Unauthorized package", FDX-GROUND FDX-HOME, from 2032-01-04: 2100.00',
    ]);
  });

  test('has delivery areas by tier with their maxima, and 3.5 times the charge for heavy ground packages to Alaska', () => {
    const newer = linesOf(reading, 'DELIVERY').filter((line) => line.includes('from'));
    expect(newer.map((line) => line.replace(', from 2032-01-04', '').replace('page 2, DELIVERY_', ''))).toEqual([
      'AREA_EXTENDED "Delivery area, extended, residential", all, extended: 9.10, at most 91.00',
      'AREA "Delivery area, residential", all, standard: 7.10, at most 71.00',
      'AREA "Delivery area, commercial", all, standard: 5.10, at most 51.00',
      'AREA_EXTENDED "Delivery area, extended, commercial", all, extended: 6.10, at most 61.00',
      'AREA_REMOTE "Delivery area, remote", all, remote: 17.10, at most 171.00',
      'AREA_ALASKA "Delivery area, Alaska", express, alaska: 50.10',
      'AREA_ALASKA "Delivery area, Alaska", FDX-GROUND FDX-HOME, alaska: 50.10',
      'AREA_ALASKA "Delivery area, Alaska, over 70 lb", FDX-GROUND FDX-HOME, alaska: 175.35',
      'AREA_HAWAII "Delivery area, Hawaii", all, hawaii: 18.10',
    ]);
    const entries = reading.charges.map(({ entry }) => entry);
    expect(entries.find(({ description }) => description === 'Delivery area, commercial')?.when).toEqual({
      residential: false,
    });
    expect(entries.find(({ description }) => description === 'Delivery area, remote')?.when).toEqual({});
    const heavy = entries.filter(({ dearestOf }) => dearestOf === 'delivery-area').slice(0, 2);
    expect(heavy.map(({ when }) => when)).toEqual([{}, { actualWeightOverLb: 70 }]);
  });

  test('has what a request asks for: signatures, declared value, Saturday', () => {
    expect(linesOf(reading, 'SIGNATURE').slice(3)).toEqual([
      'page 2, SIGNATURE_INDIRECT "Indirect signature required", all, from 2032-01-04: 8.80, at most 88.00',
      'page 2, SIGNATURE_DIRECT "Direct signature required", all, from 2032-01-04: 8.80, at most 88.00',
      'page 2, SIGNATURE_ADULT "Adult signature required", all, from 2032-01-04: 9.90, at most 99.00',
    ]);
    expect(linesOf(reading, 'DECLARED')).toEqual([
      'page 2, DECLARED_VALUE "Declared value", all, until 2032-01-03: 2.00 per 100 over 100, at least 6.00',
      'page 2, DECLARED_VALUE "Declared value", all, from 2032-01-04: 2.10 per 100 over 100, at least 6.30',
    ]);
    expect(linesOf(reading, 'SATURDAY')).toEqual([
      'page 2, SATURDAY_DELIVERY "Saturday delivery", FDX-2DAY FDX-PRIOVN, until 2032-01-03: 17.00, at most 0.00',
      'page 2, SATURDAY_DELIVERY "Saturday delivery", FDX-2DAY FDX-PRIOVN, from 2032-01-04: 18.00, at most 0.00',
    ]);
    const whens = reading.charges.map(({ entry }) => entry.when);
    expect(whens).toContainEqual({ signature: ['indirect'], declaredValueUnderUsd: 500 });
    expect(whens).toContainEqual({ saturday: true });
  });

  test('divides a charge at the day from which volume counts', () => {
    const row = {
      name: ['Oversize Charge'],
      services: US,
      cells: [zones('1', '2', '3', '4'), zones('5', '6', '7', '8')],
    };
    const { charges } = readFeeSheet(feeSheet([[row]], { years: ['2025', '2026'], takeEffect: 'Jan. 5, 2026' }));
    expect(
      charges
        .filter(({ services }) => services.length === 6)
        .map(({ entry: { from, until, when } }) => [from, until, when.anyOf?.length]),
    ).toEqual([
      [undefined, '2026-01-04', 2],
      ['2026-01-05', '2026-01-11', 2],
      ['2026-01-12', undefined, 4],
    ]);
  });
});

describe('a row that is not understood is named', () => {
  test.each([
    ['a zone is missing', ['Zone 2: $1 per package', 'Zones 3-4: $2 per package', 'Zone 7+: $3 per package']],
    ['a zone is there twice', [...zones('1', '2', '3', '4'), 'Zone 4: $5 per package']],
    ['another unit', zones('1', '2', '3', '4').map((line) => line.replace('package', 'pound'))],
    ['other words', [...zones('1', '2', '3', '4'), 'but not on Sundays']],
    ['no amount', ['Pricing upon request']],
    ['nothing', ['']],
    ['a mark without its footnote', zones('1', '2', '3', '4').map((line) => line.replace(/^(Zone 2.*)/, '$1*'))],
    ['a footnote without its mark', [...zones('1', '2', '3', '4'), '*Effective July 13, 2031']],
  ])('oversize: %s', (_, cell) => {
    const row = { name: ['Oversize Charge'], services: US, cells: [zones('1', '2', '3', '4'), cell] };
    const reading = sheetOf(row);
    expect(problemsOf(reading)).toEqual(['page 1, column 2032: is not understood: the charge would be missing']);
    expect(reading.unreadable[0]?.text).toContain('Oversize Charge, U.S. Package Services: Zone 2: $1 per package');
    expect(reading.charges.map(({ entry }) => entry.until)).toEqual(['2032-01-03', '2032-01-03']);
  });

  const flat = (name: string, services: readonly string[], cell: string): MadeRow => ({
    name: [name],
    services,
    cells: [[cell], [cell]],
  });

  test('charges that the reader does not know, unless they state no amount', () => {
    const reading = sheetOf(flat('Moon Surcharge', US, '$9 per package'), flat('Sun Fee', US, 'Varies'));
    expect(reading.unreadable).toEqual([
      {
        at: 'page 1',
        text: 'Moon Surcharge, U.S. Package Services: $9 per package (2031); $9 per package (2032)',
        problem: 'is a charge that the reader does not know',
      },
    ]);
    expect(reading.notTaken).toEqual([
      {
        at: 'page 1',
        text: 'Sun Fee, U.S. Package Services: Varies (2031); Varies (2032)',
        reason: 'states no amount',
      },
    ]);
  });

  test('services that the reader does not know', () => {
    const services = ['FedEx Ground, FedEx Rocket'];
    expect(problemsOf(sheetOf(flat('Residential Delivery Charge', services, '$9 per package')))).toEqual([
      'page 1, column 2031: names no known service: FedEx Rocket',
      'page 1, column 2032: names no known service: FedEx Rocket',
    ]);
  });

  test('two amounts for one service, areas that the reader does not know, and maxima without a charge', () => {
    const twice = sheetOf(flat('Residential Delivery Charge', ['FedEx Ground Shipments'], '$5 per package'), {
      services: ['FedEx Ground'],
      cells: [['$6 per package'], ['$5 per package']],
    });
    expect(problemsOf(twice)).toEqual(['page 1, column 2031: contradicts another row for FDX-GROUND']);
    const area = sheetOf(flat('Delivery Area Surcharge', ['U.S. Package Services (Lunar)'], '$5 per package'));
    expect(problemsOf(area)[0]).toBe('page 1, column 2031: names no known delivery area');
    const maximum = sheetOf(
      flat('Delivery Area Surcharge', ['U.S. Package Services (Residential)'], '$5 per package'),
      {
        services: ['Maximum charge with FedEx Express', 'Multiweight Pricing'],
        cells: [['$50 per shipment (Remote Residential)'], ['$50 per shipment (Residential)']],
      },
    );
    expect(problemsOf(maximum)).toEqual(['page 1, column 2031: states a maximum for an area without a charge']);
  });

  test('a declared value whose least amount is not that of its range', () => {
    const cell =
      '$9 for shipments valued between $100.01-$300 $2 per $100 of declared value for shipments valued in excess of $300';
    const row = { name: ['Declared Value'], services: US, cells: [['N/A'], cell.match(/.{1,36}(?: |$)/g) ?? []] };
    expect(problemsOf(sheetOf(row))).toEqual(['page 1, column 2032: is not understood: the charge would be missing']);
  });

  test('a name without a row next to it', () => {
    const { unreadable } = sheetOf(
      { name: ['Lost Charge'], services: [], cells: [[''], ['']] },
      flat('Address Correction', US, '$5 per correction'),
    );
    expect(unreadable).toEqual([
      { at: 'page 1', text: 'Lost Charge', problem: 'has no services and amounts beside it' },
    ]);
  });
});

describe('a sheet is refused', () => {
  const rows = [SHEET_ROWS[0] ?? []];

  test('if a page has too many words', () => {
    const [page] = feeSheet(rows);
    const words = Array.from({ length: 3_001 }, (_, at) => page?.words[at % page.words.length] ?? []).flat();
    expect(() => readFeeSheet([{ number: 1, words }])).toThrow(
      'page 1 has 3001 words; a page of fees has at most 3000',
    );
  });

  test('if its newest column is of another year than its date', () => {
    expect(() => readFeeSheet(feeSheet(rows, { years: ['2032', '2033'] }))).toThrow(
      'its charges take effect on 2032-01-04, but its newest column is 2033',
    );
  });

  test('if it states no date', () => {
    expect(() => readFeeSheet(feeSheet(rows, { takeEffect: 'soon' }))).toThrow(
      'its first page does not state when the charges take effect',
    );
  });

  test('if its columns are not years, or differ from page to page', () => {
    const message = 'its columns of amounts must be one year or two on all pages';
    expect(() => readFeeSheet(feeSheet(rows, { years: ['Old', 'New'] }))).toThrow(message);
    const [first, second] = [feeSheet(rows), feeSheet(rows, { years: ['2030', '2031'] })].map(([page]) => page);
    if (first === undefined || second === undefined) throw new Error('no page was made');
    expect(() => readFeeSheet([first, { ...second, number: 2 }])).toThrow(message);
  });
});
