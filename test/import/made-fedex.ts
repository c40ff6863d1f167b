/**
 * Makes files like FedEx's for tests. The layout is the carrier's. The prices follow a simple rule, and the zones follow
 * the distance.
 */

import { bandOf, isInUse, milesBetween } from '../../src/catalog/tariff/distance.ts';
import { zipText } from '../../src/catalog/tariff/zip.ts';
import { knownCarrier } from '../../src/import/carriers.ts';
import type { PdfPage, PdfWord } from '../../src/import/read/pdf.ts';
import { lineFrom, wordAround, wordFrom, wordTo } from '../pdf.ts';

/** The code of a service, and the lines of its column heading below `FedEx`. Its rank is its index, from 1. */
const SERVICES: readonly (readonly [code: string, ...head: string[]])[] = [
  ['FDX-GROUND'],
  ['FDX-HOME'],
  ['FDX-SAVER', 'Express', 'Saver®'],
  ['FDX-2DAY', '2Day®'],
  ['FDX-2DAYAM', '2Day® A.M.'],
  ['FDX-STDOVN', 'Standard', 'Overnight®'],
  ['FDX-PRIOVN', 'Priority', 'Overnight®'],
  ['FDX-1STOVN', 'First', 'Overnight®'],
];
const rankOf = (code: string): number => SERVICES.findIndex(([known]) => known === code) + 1;

/** Ground and Home Delivery share tables, as in the carrier's file. */
const priceRank = (code: string): number => (code === 'FDX-HOME' ? 1 : rankOf(code));

/** The price of a package in cents: 10.00 × rank, 1.00 × rank per pound, and 0.10 × zone. */
export const madeCents = (code: string, zone: string, pounds: number): number =>
  1_000 * priceRank(code) + 10 * Number(zone) + 100 * priceRank(code) * pounds;

/** The multiweight price of a pound in cents: 1.00 × rank and 0.01 × zone, less 0.20 for each break. */
export const madePerPound = (code: string, zone: string, step: number): number =>
  100 * rankOf(code) + Number(zone) - 20 * step;

/** As printed: `1,280.80`. */
const printed = (cents: number): string => (cents / 100).toFixed(2).replace(/(\d)(\d{3}\.)/, '$1,$2');

const EXPRESS = ['FDX-1STOVN', 'FDX-PRIOVN', 'FDX-STDOVN', 'FDX-2DAYAM', 'FDX-2DAY', 'FDX-SAVER'];
const WITHOUT_SAVER = EXPRESS.slice(0, 5);
const FAR = ['FDX-1STOVN', 'FDX-PRIOVN', 'FDX-2DAY'];

const FIRST_COLUMN = 91;
const COLUMN = 43;
const CELL = 33;
const ROW = 11;
const FIRST_ROW = 192;
const HALF = 260;

const title = (text: string): PdfWord[] => lineFrom(text, 36, 58, 14);

/** Column headings: `FedEx` on one line, and the rest of each name on one or two lines below. */
const serviceHeads = (codes: readonly string[], y: number, left = FIRST_COLUMN): PdfWord[] =>
  codes.flatMap((code, index) => {
    const [, ...head] = SERVICES[rankOf(code) - 1] ?? [code];
    return ['FedEx', ...head].flatMap((text, row) => lineFrom(text, left + index * COLUMN, y + 9 * row));
  });

/** Rows of pounds with a cell for each column. The first row has units and dollar signs. */
const weightRows = (
  pounds: readonly number[],
  columns: number,
  cellAt: (column: number, pounds: number) => string,
  left = FIRST_COLUMN,
): PdfWord[] =>
  pounds.flatMap((weight, row) => {
    const y = FIRST_ROW + row * ROW;
    return [
      wordTo(String(weight), left - 21, y),
      ...(row === 0 ? [wordFrom('lb.', left - 19, y)] : []),
      ...Array.from({ length: columns }, (_, column) => {
        const at = left + column * COLUMN;
        return [...(row === 0 ? [wordFrom('$', at, y)] : []), wordTo(cellAt(column, weight), at + CELL, y)];
      }).flat(),
    ];
  });

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** The service and zone of a column. */
type Column = readonly [code: string, zone: string];

const cells =
  (columns: readonly Column[]) =>
  (column: number, pounds: number): string => {
    const [code = '', zone = ''] = columns[column] ?? [];
    return printed(madeCents(code, zone, pounds));
  };

/** Rows for envelopes and paks, above the pounds. Small numbers are footnote marks. */
const envelopeRows = (columns: number): PdfWord[] => [
  wordFrom('Envelope', 40, 169),
  wordFrom('Pak', 40, 180),
  ...upTo(0, columns - 1).flatMap((column) => [
    wordFrom('3', FIRST_COLUMN + column * COLUMN + 4, 131, 5),
    wordTo('9.99', FIRST_COLUMN + column * COLUMN + CELL, 169),
    wordTo('*', FIRST_COLUMN + column * COLUMN + CELL, 180),
  ]),
];

const zonePage = (zone: string, from: number, to: number): PdfWord[] => {
  const columns = EXPRESS.map((code): Column => [code, zone]);
  return [
    ...title(`U.S. package rates: Zone ${zone}`),
    ...(from === 1 ? envelopeRows(columns.length) : []),
    ...serviceHeads(EXPRESS, 139),
    ...weightRows(upTo(from, to), columns.length, cells(columns)),
  ];
};

/** Zones side by side, each centered above its run of columns. */
const farPage = (to: string, runs: readonly (readonly [string, readonly string[]])[], from: number): PdfWord[] => {
  const columns = runs.flatMap(([zone, codes]) => codes.map((code): Column => [code, zone]));
  let done = 0;
  const zones = runs.map(([zone, codes]) => {
    const middle = FIRST_COLUMN + (done + codes.length / 2) * COLUMN;
    done += codes.length;
    return wordAround(zone, middle, 109);
  });
  return [
    ...title(`U.S. package rates to ${to}`),
    wordFrom('Zones', 40, 109),
    ...zones,
    ...serviceHeads(
      columns.map(([code]) => code),
      139,
    ),
    ...weightRows(upTo(from, from + 49), columns.length, cells(columns)),
  ];
};

/** Two halves side by side, each with its own pounds, for four zones with the same prices. */
const fromFarPage = (halves: readonly (readonly [from: number, to: number])[]): PdfWord[] => [
  ...title('U.S. package rates from Alaska and Hawaii'),
  ...halves.flatMap(([from, to], half) => {
    const left = FIRST_COLUMN + half * HALF;
    return [
      wordFrom('Zones', left - 51, 109),
      wordAround('13–16', left + 2.5 * COLUMN, 109),
      ...serviceHeads(WITHOUT_SAVER, 139, left),
      ...weightRows(
        upTo(from, to),
        WITHOUT_SAVER.length,
        (column, pounds) => printed(madeCents(WITHOUT_SAVER[column] ?? '', '13', pounds)),
        left,
      ),
    ];
  }),
];

const groundPage = (zones: readonly string[], which: string, from: number, homes: string): PdfWord[] => [
  ...title(`FedEx Ground® and FedEx Home Delivery® rates: ${which}`),
  ...lineFrom(`FedEx Home Delivery shipments: A $${homes} residential surcharge`, 40, 100),
  ...lineFrom('per package will be added to FedEx Home Delivery shipments.', 40, 109),
  wordFrom('Zones', 40, 152),
  ...zones.map((zone, column) => wordAround(zone, FIRST_COLUMN + column * COLUMN + CELL - 10, 152)),
  ...weightRows(upTo(from, from + 49), zones.length, (column, pounds) =>
    printed(madeCents('FDX-GROUND', zones[column] ?? '', pounds)),
  ),
  ...lineFrom('If the chargeable weight exceeds 150 lbs., a prorated per-pound rate will be used.', 40, 760),
];

const BREAKS = ['100–499', '500–999', '1,000–1,999', '2,000+'];

const multiweightSection = (heading: string, zone: string, codes: readonly string[], y: number): PdfWord[] => [
  ...lineFrom(heading, 36, y, 9),
  ...serviceHeads(codes, y + 20),
  ...BREAKS.flatMap((label, step) => {
    const row = y + 52 + step * ROW;
    return [
      wordTo(label, 71, row, 5.6),
      ...codes.map((code, column) =>
        wordTo(printed(madePerPound(code, zone, step)), FIRST_COLUMN + column * COLUMN + CELL, row),
      ),
    ];
  }),
];

/** Sections of a page. A section of several zones has the prices of its first zone. */
const multiweightPage = (sections: readonly (readonly [string, string, readonly string[]])[]): PdfWord[] => [
  ...title('U.S. package rates: FedEx Express Multiweight®'),
  ...lineFrom('A rate applies if the total shipment weighs 100 lbs. or more (200 lbs. or more for', 36, 73, 6),
  ...lineFrom('FedEx Express Saver® shipments). A 15-lb. average minimum package weight applies.', 36, 82, 6),
  ...sections.flatMap(([heading, zone, codes], index) => multiweightSection(heading, zone, codes, 126 + 105 * index)),
];

const cover = (effective: string): PdfWord[] => [
  ...lineFrom('FedEx® Standard List Rates', 36, 142, 18),
  ...lineFrom(`Effective ${effective}`, 36, 171, 13),
  ...lineFrom('Updated June 1, 2032', 36, 191, 13),
];

const CONTIGUOUS = ['2', '3', '4', '5', '6', '7', '8'];
const GROUND_FAR = ['17', '22', '23', '25', '9', '14', '92', '96'];

/**
 * The pages of list rates: up to 150 lb, six express and two ground services, with Alaska and Hawaii.
 * @param homes the residential charge of Home Delivery
 */
export const listRatePages = (effective = 'January 5, 2032', homes = '5.55'): PdfPage[] =>
  [
    cover(effective),
    ...CONTIGUOUS.flatMap((zone) => [1, 51, 101].map((from) => zonePage(zone, from, from + 49))),
    ...[1, 51, 101].map((from) => farPage('Alaska', [['9', WITHOUT_SAVER] as const, ['11', FAR] as const], from)),
    ...[1, 51, 101].map((from) => farPage('Hawaii', [['10', FAR] as const, ['12', FAR] as const], from)),
    fromFarPage([
      [1, 50],
      [51, 100],
    ]),
    fromFarPage([[101, 150]]),
    multiweightPage(CONTIGUOUS.slice(0, 5).map((zone) => [`Zone ${zone}`, zone, EXPRESS] as const)),
    multiweightPage([
      ...CONTIGUOUS.slice(5).map((zone) => [`Zone ${zone}`, zone, EXPRESS] as const),
      ['Zones 9 and 10 (To AK and HI metro)', '9', WITHOUT_SAVER],
      ['Zones 13–16 (From AK and HI to contiguous U.S.)', '13', WITHOUT_SAVER],
      ['Intra-Hawaii', '1', FAR.slice(0, 2)],
    ]),
    [...title('U.S. express freight rates'), ...lineFrom('151 lbs. 9.99', 40, 192)],
    [...title('International package rates to zone C: U.S. export'), ...lineFrom('1 lb. 9.99', 40, 192)],
    ...[1, 51, 101].map((from) => groundPage(CONTIGUOUS, 'Zones 2–8', from, homes)),
    ...[1, 51, 101].map((from) => groundPage(GROUND_FAR, 'Alaska and Hawaii', from, homes)),
  ].map((words, index) => ({ number: index + 1, words }));

/** A carrier's zone by distance, from 2 to 8; undefined if the ZIP3 is not in use. */
const zoneByDistance = (carrier: 'FedEx' | 'UPS', origin: number, zip3: number): number | undefined =>
  isInUse(zip3) ? 2 + bandOf(milesBetween(origin, zip3), knownCarrier(carrier)?.distanceMiles ?? []) : undefined;

/** Ranges of ZIP3s of the contiguous states with the same zone, in ascending order. */
export const zoneRanges = (
  carrier: 'FedEx' | 'UPS',
  origin: number,
): { from: number; to: number; zone: number | undefined }[] => {
  const ranges: { from: number; to: number; zone: number | undefined }[] = [];
  for (let zip3 = 10; zip3 <= 994; zip3 += 1) {
    if (zip3 >= 967 && zip3 <= 969) continue;
    const zone = zoneByDistance(carrier, origin, zip3);
    const last = ranges.at(-1);
    if (last !== undefined && last.zone === zone && last.to === zip3 - 1) last.to = zip3;
    else ranges.push({ from: zip3, to: zip3, zone });
  }
  return ranges;
};

/** Destinations, express zone and ground zone, as in a locator of the contiguous states. */
const FAR_ZONES: readonly (readonly [zips: string, express: string, ground: string])[] = [
  ['00600-00799', '*', 'NA'],
  ['00800-00899', 'NA', 'NA'],
  ['96700', '12', '9'],
  ['96701-96899', '10', '9'],
  ['96900-96999', 'NA', 'NA'],
  ['99500', '11', '17'],
  ['99501-99524', '9', '17'],
  ['99525-99999', '11', '17'],
];

/** The number of rows in a list of a locator. */
const LIST_ROWS = 38;

/** The page of a zone locator for the ZIP3s from `first` to `last`. */
export const locatorPage = (first: number, last: number): PdfPage => {
  const rows: [zips: string, zone: string][] = [
    ['00000-00599', 'NA'],
    ...zoneRanges('FedEx', Math.floor((first + last) / 2)).map(({ from, to, zone }): [string, string] => [
      `${zipText(from, 3)}00-${zipText(to, 3)}99`,
      zone === undefined ? 'NA' : String(zone),
    ]),
  ];
  const lists = Math.ceil(rows.length / LIST_ROWS);
  const width = 540 / lists;
  return {
    number: 1,
    words: [
      ...lineFrom('For shipments originating in ZIP code(s):', 45, 89, 5),
      wordFrom(`${zipText(first, 3)}00-${zipText(last, 3)}99`, 45, 107, 5),
      ...lineFrom('Effective: January 3, 2029', 45, 147, 5),
      ...upTo(0, lists - 1).flatMap((list) => lineFrom('Destination ZIP  Zone', 46 + list * width, 182, 4)),
      ...rows.flatMap(([zips, zone], index) => {
        const left = 46 + Math.floor(index / LIST_ROWS) * width;
        const y = 195 + (index % LIST_ROWS) * 7.5;
        return [wordFrom(zips, left, y, 4), wordFrom(zone, left + 41, y, 4)];
      }),
      ...lineFrom('Destination ZIP', 46, 522, 4),
      ...['FedEx', 'Express', 'zone'].map((text, row) => wordFrom(text, 127, 522 + 8 * row, 4)),
      ...['FedEx', 'Ground', 'zone'].map((text, row) => wordFrom(text, 181, 522 + 8 * row, 4)),
      ...FAR_ZONES.flatMap(([zips, express, ground], index) => {
        const y = 551 + index * 7.5;
        return [wordFrom(zips, 46, y, 4), wordFrom(express, 127, y, 4), wordFrom(ground, 181, y, 4)];
      }),
    ],
  };
};
