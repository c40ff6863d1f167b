/** FedEx One Rate, on a made page: two packagings, two speeds and two groups of zones. */
import { expect, test } from 'vitest';
import { withOneRate } from '../../src/import/fedex/one-rate.ts';
import type { PdfPage, PdfWord } from '../../src/import/read/pdf.ts';
import { NO_TABLES, type ParsedFile } from '../../src/import/read/reader.ts';
import { onlyAsked, unknownServices } from '../../src/import/run.ts';
import { lineFrom, wordFrom, wordTo } from '../pdf.ts';

const SAVER = 260;
const TWO_DAY = 320;
const BESIDE = 340;

/** A table below its heading. The headings of columns begin at the left of the prices. */
const section = (y: number, heading: string, rows: readonly (readonly [string, string, string])[]): PdfWord[] => [
  ...lineFrom(heading, 30, y, 11),
  ...lineFrom('Service FedEx', 30, y + 10).filter(({ text }) => text === 'Service'),
  ...[SAVER, TWO_DAY].map((right) => wordFrom('FedEx', right - 40, y + 10)),
  wordFrom('Express', SAVER - 40, y + 20),
  wordFrom('2Day®', TWO_DAY - 40, y + 20),
  wordFrom('Saver®', SAVER - 40, y + 30),
  wordFrom('4,7', SAVER - 15, y + 29, 4),
  ...lineFrom('Packing type', 30, y + 40),
  ...rows.flatMap(([packaging, saver, twoDay], row) => [
    ...lineFrom(packaging, 30, y + 50 + 10 * row),
    ...(row === 0 ? [wordFrom('$', SAVER - 40, y + 50)] : []),
    wordTo(saver, SAVER, y + 50 + 10 * row),
    wordTo(twoDay, TWO_DAY, y + 50 + 10 * row),
  ]),
];

const WEIGHTS = [
  'FedEx envelopes must weigh 10 lbs. or less, and',
  'FedEx paks, boxes, and tubes must weigh 50 lbs. or less.',
];

const page = (medium = 'FedEx® Medium Box', price = '1,024.35'): PdfPage => ({
  number: 47,
  words: [
    ...lineFrom('FedEx One Rate®', 30, 40, 18),
    ...section(100, 'Local zone (zone 2)', [
      ['FedEx® Envelope 5', '12.75', '13.75'],
      [medium, '24.35', '25.35'],
    ]),
    ...section(200, 'National zone (zones 3–5, and Alaska and Hawaii shipments)', [
      ['FedEx® Envelope 5', '14.75', '15.75'],
      [medium, '26.35', price],
    ]),
    ...WEIGHTS.flatMap((line, at) => lineFrom(line, BESIDE, 120 + 12 * at)),
    ...lineFrom('Rates effective as of April 20, 2026.', BESIDE, 180),
  ],
});

const GUIDE: ParsedFile = { ...NO_TABLES, kind: 'FedEx Service Guide (PDF)', unreadable: [], notes: ['fees'] };
const reading = (...pages: PdfPage[]) => withOneRate(pages, GUIDE);

test('each packaging and speed is a service with one price for all weights', () => {
  const { rates, unreadable } = reading(page());
  expect(unreadable).toEqual([]);
  expect(rates.map(({ code, description, table }) => [code, description, table.cents.length, table.cents[0]])).toEqual([
    ['FDX-1R-ENS', 'FedEx One Rate Envelope, FedEx Express Saver', 10, [1_275, 1_475, 1_475, 1_475]],
    ['FDX-1R-EN2', 'FedEx One Rate Envelope, FedEx 2Day', 10, [1_375, 1_575, 1_575, 1_575]],
    ['FDX-1R-MBS', 'FedEx One Rate Medium Box, FedEx Express Saver', 50, [2_435, 2_635, 2_635, 2_635]],
    ['FDX-1R-MB2', 'FedEx One Rate Medium Box, FedEx 2Day', 50, [2_535, 102_435, 102_435, 102_435]],
  ]);
  const [first] = rates;
  expect(first?.table.columns).toEqual(['2', '3', '4', '5']);
  expect(first?.terms).toEqual({
    maximumActualLb: 10,
    dimensionalOverCubicIn: 1_000_000,
    hasNo: ['fuel', 'residential', 'deliveryArea', 'handling', 'limits'],
  });
  expect(first?.source(3, 0)).toBe('page 47, row Envelope, column FDX-SAVER, zone 2');
});

test('the notes say how to ask for them, and what is left out', () => {
  expect(reading(page()).notes).toEqual([
    'fees',
    'page 47: FedEx One Rate has 4 services, each a packaging and a speed. An import takes those that it is asked for, such as --services FDX-1R-MB2,FDX-1R-LB2',
    'page 47: FedEx One Rate to Alaska and Hawaii is not imported, because the page does not number these zones',
    'page 47: some prices of FedEx One Rate are in force from April 20, 2026',
  ]);
});

test.each([
  [
    'an unknown packaging',
    page('FedEx® Barrel'),
    'page 47, zones 2 "FedEx® Barrel 24.35 25.35" is not a known packaging',
  ],
  [
    'a missing price',
    page(undefined, 'call'),
    'page 47, zones 3, 4, 5, row Medium Box, column FDX-2DAY "FedEx® Medium Box 26.35 call" has no price',
  ],
])('%s leaves the rest of the guide as it is', (_name, one, problem) => {
  const { rates, unreadable, notes } = reading(one);
  expect([rates, unreadable]).toEqual([[], []]);
  expect(notes).toEqual(['fees', `FedEx One Rate cannot be read: ${problem}`]);
});

test('other pages have none', () => {
  expect(reading({ number: 1, words: lineFrom('FedEx Ground rates', 30, 40, 18) })).toEqual(GUIDE);
});

test('an import takes those that it is asked for, and knows which there are', () => {
  const source = { file: 'guide.pdf', sha256: '', reading: reading(page()) };
  const files = [{ path: 'guide.pdf', origin: undefined, generation: 1, source }];
  const codes = (asked: readonly string[]) =>
    onlyAsked(files, asked).flatMap((file) => file.source.reading.rates.map(({ code }) => code));
  expect(codes([])).toEqual([]);
  expect(codes(['FDX-1R-MB2', 'FDX-GROUND'])).toEqual(['FDX-1R-MB2']);
  expect(unknownServices(files, ['FDX-1R-MB2'])).toBeUndefined();
  expect(unknownServices(files, ['FDX-1R-MB2', 'FDX-1R-QQ2'])).toBe(
    'No file has FDX-1R-QQ2 on request: there are FDX-1R-ENS, FDX-1R-EN2, FDX-1R-MBS, FDX-1R-MB2',
  );
});
