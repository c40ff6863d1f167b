/**
 * Makes workbooks like UPS's for tests. The layout is the carrier's. The prices follow a simple rule, and the zones follow
 * the distance.
 */
import { zipText } from '../../src/catalog/tariff/zip.ts';
import { archive, rowOf, workbookParts } from '../archive.ts';
import { zoneRanges } from './made-fedex.ts';

/** Code, title and zones of a service. Its rank is its index, from 1. */
const SERVICES: readonly (readonly [code: string, title: string, zones: string])[] = [
  ['UPS-GROUND', 'UPS® Ground', '2 3 4 5 6 7 8 44 45 46'],
  ['UPS-3DAY', 'UPS 3 Day Select®', '302 303 304 305 306 307 308'],
  ['UPS-2DAY', 'UPS 2nd Day Air®', '202 203 204 205 206 207 208 224 225 226'],
  ['UPS-2DAYAM', 'UPS 2nd Day Air A.M.®', '242 243 244 245 246 247 248'],
  ['UPS-NDASVR', 'UPS Next Day Air Saver®', '132 133 134 135 136 137 138'],
  ['UPS-NDA', 'UPS Next Day Air®', '102 103 104 105 106 107 108 124 125 126'],
  ['UPS-NDAEAM', 'UPS Next Day Air® Early', '102 103 104 105 106 107 108 124'],
];

/** The price of a package in dollars: 10.00 × rank, 1.00 × rank per pound, and 0.10 × the last two digits of the zone. */
const dollarsOf = (rank: number, zone: string, pounds: number): number =>
  (1_000 * rank + 10 * (Number(zone) % 100) + 100 * rank * pounds) / 100;

/** Pages of 50 lb, each with the title and the zones. */
const rateRows = (title: string, zones: readonly string[], rank: number, year: number): string => {
  const page = (from: number): string[] => [
    rowOf('', '', `${year} Rates`),
    rowOf('', title),
    rowOf('', 'Zones', ...zones.map(Number)),
    ...(from === 1 ? [rowOf('', 'Letter', ...zones.map(() => 9.99))] : []),
    ...Array.from({ length: 50 }, (_, at) => {
      const pounds = from + at;
      const cells = zones.map((zone) => dollarsOf(rank, zone, pounds));
      return rowOf('', at === 0 ? `${pounds} Lbs.` : pounds, ...cells);
    }),
    rowOf('', 'DAILY RATES'),
  ];
  return [
    ...[1, 51, 101].flatMap(page),
    rowOf('', 'Price Per Pound', ...zones.map((zone) => rank + (Number(zone) % 100) / 100)),
  ].join('');
};

/** Daily rates of the seven domestic services, up to 150 lb, and a sheet of an export service. */
export const dailyRates = (year = 2032): Buffer =>
  archive(
    workbookParts({
      rows: [
        rowOf('', 'Export'),
        rowOf('', 'UPS Worldwide Saver®'),
        rowOf('', 'Zones', 71),
        rowOf('', '1 Lbs.', 99),
      ].join(''),
      more: SERVICES.map(([code, title, zones], index) => [
        code,
        'visible',
        rateRows(title, zones.split(' '), index + 1, year),
      ]),
    }),
  );

/** The zones of the chart's columns, by distance: `005`, `305`, `205`, `245`, `135`, `105`. */
const zonesOf = (zone: number | undefined): string[] =>
  zone === undefined
    ? ['-', '-', '-', '-', '-', '-']
    : [`00${zone}`, `30${zone}`, `20${zone}`, `24${zone}`, `13${zone}`, `10${zone}`];

const listed = (mark: number, place: string, zones: readonly number[]): string =>
  `[${mark}] For ${place}, the following Postal Codes are Zone ${zones[0]} for Ground, ` +
  `Zone ${zones[1]} for Next Day Air and Zone ${zones[2]} for 2nd Day Air:`;

/** The zone chart for the origins of one ZIP3. */
export const zoneChart = (origin: number): Buffer => {
  const zip3 = zipText(origin, 3);
  const heads = ['Ground', '3 Day Select', '2nd Day Air', '2nd Day Air A.M.', 'Next Day Air Saver', 'Next Day Air'];
  return archive(
    workbookParts({
      rows: [
        rowOf('ZONE CHART'),
        rowOf(`For shipments originating in ZIP Codes ${zip3}-01 to ${zip3}-99. To determine the zone, see below.`),
        rowOf('Dest. ZIP', ...heads),
        rowOf('006-009', '045', '-', '225', '-', '-', '125'),
        ...zoneRanges('UPS', origin).map(({ from, to, zone }) =>
          rowOf(from === to ? zipText(from, 3) : `${zipText(from, 3)}-${zipText(to, 3)}`, ...zonesOf(zone)),
        ),
        rowOf('[1] For Guam please refer to the Worldwide Rate and Zone information.'),
        rowOf(listed(2, 'Hawaii', [44, 124, 224])),
        rowOf(96701, 96815),
        rowOf(listed(3, 'Alaska', [46, 126, 226])),
        rowOf(99529, '99776'),
      ].join(''),
    }),
  );
};
