/** USPS: its services, its rules and its files. */

import { getOrMake } from '../../base/maps.ts';
import { chargeEntry } from '../../catalog/tariff/charge-catalog.ts';
import { MOST_TRANSIT_DAYS } from '../../catalog/tariff/document.ts';
import { ZIP5S, zipRangeOf, zipText } from '../../catalog/tariff/zip.ts';
import { type Carrier, USPS_CALENDAR } from '../read/carrier.ts';
import { dayRows, linesIn, NO_TABLES, type Reader, RefusedFile, type Unreadable } from '../read/reader.ts';
import {
  holidayCharges,
  isUspsPrices,
  readUspsPrices,
  USPS_SERVICES,
  uspsPriceCsv,
  uspsSideRounding,
} from './prices.ts';
import { askedOrigins, asksNoOrigin, USPS_COLUMN_OF, zoneChart, zoneExceptions, zoneMatrix } from './zone-matrix.ts';

/*
 * USPS's service standards: whole days by origin and destination, in columns named by the header. ZIP3s may have lost their
 * leading zeros. Files by ZIP5 have the same columns. Only requested origins are read.
 */

const ORIGIN = 'Origin_ZIP_Code';
const DESTINATION = 'Destination_ZIP_Code';
const HEADER_BYTES = 8_192;
const MOST_PROBLEMS = 100;

/** The columns with days, by services. Ground Advantage has a light and a heavy class. The later day counts. */
const CLASSES = [
  { columns: ['PRI_Service_Standard'], services: ['USPS-PM', 'USPS-PMR'] },
  { columns: ['GAL_Service_Standard', 'GAH_Service_Standard'], services: ['USPS-GA', 'USPS-GAR'] },
] as const;

const cellsOf = (line: string): string[] => line.split(',').map((cell) => cell.replaceAll('"', '').trim());

const headerOf = (bytes: Uint8Array): string[] => cellsOf(linesIn(bytes, HEADER_BYTES)[0] ?? '');

/** Reads a large file line by line. */
function* linesOf(bytes: Uint8Array): Generator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let from = 0; from < buffer.length; ) {
    const end = buffer.indexOf(10, from);
    const to = end === -1 ? buffer.length : end;
    yield buffer.toString('latin1', from, to);
    from = to + 1;
  }
}

/** Parses a ZIP3 or a ZIP5 and restores leading zeros; undefined for any other text. */
const zipIn = (text: string, isFive: boolean): string | undefined =>
  /^\d{1,5}$/.test(text) && text.length <= (isFive ? 5 : 3) ? text.padStart(isFive ? 5 : 3, '0') : undefined;

const serviceStandards: Reader = {
  accepts: (bytes) => {
    const header = headerOf(bytes);
    return header.includes(ORIGIN) && header.includes(DESTINATION);
  },
  lacksOrigin: asksNoOrigin,
  read: async (bytes, options) => {
    const asked = new Set(askedOrigins(options));
    const header = headerOf(bytes);
    const [from, to] = [header.indexOf(ORIGIN), header.indexOf(DESTINATION)];
    const classes = CLASSES.map(({ columns, services }) => ({
      services,
      columns: columns.filter((column) => header.includes(column)),
      places: columns.map((column) => header.indexOf(column)).filter((at) => at !== -1),
      /** By origin. */
      days: new Map<string, Uint8Array>(),
    })).filter(({ places }) => places.length > 0);
    if (classes.length === 0) throw new RefusedFile('it has no column of Priority Mail or Ground Advantage');
    const unreadable: Unreadable[] = [];
    const refuse = (at: number, text: string, problem: string): void => {
      if (unreadable.length < MOST_PROBLEMS) unreadable.push({ at: `line ${at}`, text, problem });
    };
    let isFive = false;
    let differing = 0;
    let line = 0;
    for (const text of linesOf(bytes)) {
      line += 1;
      if (line === 1 || text.trim() === '') continue;
      const cells = cellsOf(text);
      isFive ||= (cells[from]?.length ?? 0) > 3 || (cells[to]?.length ?? 0) > 3;
      const origin = zipIn(cells[from] ?? '', isFive);
      const destination = zipIn(cells[to] ?? '', isFive);
      if (origin === undefined || destination === undefined) {
        refuse(line, text.slice(0, 60), 'not two ZIP codes');
        continue;
      }
      if (!asked.has(origin.slice(0, 3))) continue;
      for (const { places, days } of classes) {
        const stated = places.map((at) => cells[at] ?? '').filter((cell) => cell !== '');
        if (stated.length === 0) continue;
        const values = stated.map(Number);
        const most = Math.max(...values);
        if (!values.every((value) => Number.isInteger(value) && value >= 1 && value <= MOST_TRANSIT_DAYS)) {
          refuse(line, stated.join(' '), 'not whole days');
          continue;
        }
        if (values.some((value) => value !== most)) differing += 1;
        const range = zipRangeOf(destination);
        getOrMake(days, origin, () => new Uint8Array(ZIP5S)).fill(most, range.from, range.to + 1);
      }
    }
    const transit = classes.flatMap(({ services, days }) =>
      [...days].map(([origin, own]) => ({ carrier: 'USPS', rows: dayRows(services, origin, own) })),
    );
    const missing = [...asked].filter(
      (zip3) => !classes.some(({ days }) => [...days.keys()].some((own) => own.startsWith(zip3))),
    );
    return {
      kind: `USPS service standards (${isFive ? 'ZIP5' : 'ZIP3'})`,
      ...NO_TABLES,
      transit,
      unreadable,
      notes: [
        ...classes.map(
          ({ columns, services }) => `${services.join(' and ')} have the days of ${columns.join(' and ')}`,
        ),
        ...(differing === 0
          ? []
          : [`Light and heavy Ground Advantage differ on ${differing} lanes: the later day was taken`]),
        ...missing.map((zip3) => `It has no days from ${zipText(Number(zip3), 3)}`),
      ],
    };
  },
};

export const USPS: Carrier = {
  name: 'USPS',
  prefix: 'USPS',
  slug: 'usps',
  services: USPS_SERVICES,
  groups: { ground: ['USPS-GA', 'USPS-GAR'], priority: ['USPS-PM', 'USPS-PMR'] },
  columnOf: USPS_COLUMN_OF,
  distanceMiles: [150, 300, 600, 1_000, 1_400, 1_800],
  sideRounding: uspsSideRounding,
  calendar: USPS_CALENDAR,
  hasWeeklyFuel: false,
  /**
   * Domestic Mail Manual, 201: packages longer than 22 inches, larger than 2 cubic feet, or with more length plus girth than
   * 108 inches. The last have an oversized price.
   */
  unpriced: [
    { ...chargeEntry('NONSTANDARD_LENGTH'), when: { lengthOverIn: 22 } },
    { ...chargeEntry('NONSTANDARD_VOLUME'), when: { cubicInchesOver: 3_456 } },
    { ...chargeEntry('OVERSIZE'), when: { lengthPlusGirthOverIn: 108 } },
  ],
  /** USPS delivers to every ZIP code, including boxes, military post and the territories. */
  undelivered: [],
  pdfs: [],
  workbooks: [
    { called: 'Notice 123', is: (sheets) => sheets.some(isUspsPrices), read: (sheets) => readUspsPrices(sheets) },
  ],
  texts: [zoneMatrix, zoneExceptions, zoneChart, uspsPriceCsv, holidayCharges, serviceStandards],
};
