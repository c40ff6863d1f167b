/** The transit days of a tariff: `transit.csv`, the days that service names promise, and the carriers' calendars. */
import { stringify } from 'csv-stringify/sync';
import { byText } from '../../base/by-text.ts';
import type { Calendar, TransitTable } from '../../rating/card.ts';
import { NO_COLUMN } from '../../rating/card.ts';
import { rateZoneOf } from './compile-charges.ts';
import {
  type Finding,
  MOST_TRANSIT_DAYS,
  type ServiceEntry,
  type TariffDocument,
  type TransitRow,
} from './document.ts';
import { error } from './findings.ts';
import { outcome, type ReadTable, Sheet } from './tables.ts';
import { countOf, FAR_ORIGINS, MILITARY, zipRangeOf } from './zip.ts';
import { compileZones, groupsOf } from './zones.ts';

export const TRANSIT_FILE = 'transit.csv';
const HEADER = ['service', 'origin', 'destination', 'days'];
/** Enough for two carriers' days from 100 warehouses to every ZIP3. */
const MOST_ROWS = 500_000;
const ZONE = /^zone ([1-8])$/;
const DAYS = /^[1-9]\d?$/;

/** Reads `transit.csv`. */
export const readTransit = (file: string, text: string): ReadTable<readonly TransitRow[]> => {
  const sheet = new Sheet(file, text, MOST_ROWS);
  const seen = new Set<string>();
  const readRow = ([service = '', origin = '', destination = '', days = '']: readonly string[], row: number) => {
    const key = `${service} ${origin} ${destination}`;
    sheet.zip(row, 1);
    if (!ZONE.test(destination)) sheet.zip(row, 2, ', or a zone such as zone 5');
    if (!DAYS.test(days) || Number(days) > MOST_TRANSIT_DAYS)
      sheet.fault(row, 3, `must be a whole number from 1 to ${MOST_TRANSIT_DAYS}`);
    if (seen.has(key)) sheet.fault(row, -1, 'has the lane of an earlier row');
    seen.add(key);
    return { service, origin, destination, days: Number(days) };
  };
  return outcome(sheet, sheet.begins(HEADER, false) ? sheet.rows.map(readRow) : []);
};

/** Sorts rows in the order of writing. */
export const transitInOrder = (rows: readonly TransitRow[]): TransitRow[] =>
  rows.toSorted(
    (a, b) => byText(a.service, b.service) || byText(a.origin, b.origin) || byText(a.destination, b.destination),
  );

export const writeTransit = (rows: readonly TransitRow[]): string =>
  stringify([HEADER, ...rows.map(({ service, origin, destination, days }) => [service, origin, destination, days])]);

/** Places where the promises of service names and the rows by zone do not apply. Several zones there are reported as 8. */
const FAR = [...FAR_ORIGINS, ...MILITARY];
const FAR_RANGES = FAR.map(zipRangeOf);
const isFar = (zip: number): boolean => FAR_RANGES.some(({ from, to }) => from <= zip && zip <= to);
const EVERYWHERE = '000-999';

/** The rows of a service, with those promised by its name first. Rows by zone are separate. */
const rowsOf = ({ transit = [] }: TariffDocument, { code, transit: terms }: ServiceEntry) => {
  const promised = terms?.days;
  const rows = transit.filter(({ service }) => service === code);
  const lanes = rows.filter(({ destination }) => !ZONE.test(destination));
  const whole = (origin: string, destination: string, days: string) => ({ origin, destination, zones: [days] });
  const base =
    promised === undefined
      ? []
      : [
          whole(EVERYWHERE, EVERYWHERE, String(promised)),
          ...FAR.flatMap((far) => [whole(EVERYWHERE, far, ''), whole(far, EVERYWHERE, '')]),
        ];
  return {
    lanes: [...base, ...lanes.map(({ origin, destination, days }) => whole(origin, destination, String(days)))],
    byZone: rows.filter(({ destination }) => ZONE.test(destination)),
  };
};

/** Finds the row for an origin and a zone. If several rows contain the origin, the narrowest wins. */
const zoneFinder = (rows: readonly TransitRow[]) => {
  const ranged = rows
    .map((row) => ({ row, from: zipRangeOf(row.origin), zone: Number(ZONE.exec(row.destination)?.[1]) }))
    .sort((a, b) => countOf(a.from) - countOf(b.from));
  return (origin: number, zone: number): TransitRow | undefined =>
    ranged.find((one) => one.zone === zone && one.from.from <= origin && origin <= one.from.to)?.row;
};

const calendarOf = ({ file }: TariffDocument, { carrier, transit }: ServiceEntry): Calendar | undefined => {
  const own = file.calendars?.[carrier];
  if (own === undefined || transit === undefined) return undefined;
  return {
    weekdays: new Set(transit.weekdays),
    holidays: new Map(own.holidays.map(({ date, status }) => [date, status])),
    until: own.until,
  };
};

/** The transit days of a service. @param columns its rate columns @returns undefined if it has none */
export const transitOf = (
  document: TariffDocument,
  service: ServiceEntry,
  columns: readonly string[],
): TransitTable | undefined => {
  const calendar = calendarOf(document, service);
  const { lanes, byZone } = rowsOf(document, service);
  if (calendar === undefined || lanes.length + byZone.length === 0) return undefined;
  const table = compileZones({
    chart: {
      name: TRANSIT_FILE,
      groups: groupsOf({ columns: ['days'], rows: lanes }),
      columnOf: ([days = '']) => (days === '' ? NO_COLUMN : Number(days)),
    },
    notServed: [],
  });
  const findRow = zoneFinder(byZone);
  const zones = columns.map((column) => rateZoneOf(service, column) ?? 0);
  const zoneDays = (origin: number, destination: number, column: number): TransitRow | undefined =>
    isFar(origin) || isFar(destination) ? undefined : findRow(origin, zones[column] ?? 0);
  return {
    calendar,
    daysOf: (origin, destination, column) => {
      const days = table.laneOf(origin, destination);
      return days === NO_COLUMN ? (zoneDays(origin, destination, column)?.days ?? 0) : days;
    },
    sourceOf: (from, to, column) => {
      const byZip = table.laneOf(from, to) !== NO_COLUMN;
      const { origin, destination } = (byZip ? undefined : zoneDays(from, to, column)) ?? table.sourceOf(from, to);
      return { origin, destination };
    },
  };
};

/** Checks the transit days of a tariff. */
export const checkTransit = ({ file, transit = [] }: TariffDocument): Finding[] => {
  const services = new Map(file.services.map((service) => [service.code, service]));
  const days = [...new Set(transit.map(({ service }) => service))].flatMap((code): Finding[] => {
    const service = services.get(code);
    if (service === undefined) return [error(TRANSIT_FILE, `has days of ${code}, which the tariff does not have`)];
    if (service.transit !== undefined) return [];
    const advice = 'add its transit.weekdays to tariff.json';
    return [error(TRANSIT_FILE, `has days of ${code}, whose business days are not stated: ${advice}`)];
  });
  const calendars = file.services.flatMap(({ code, carrier, transit: terms }, at): Finding[] => {
    if (terms === undefined || file.calendars?.[carrier] !== undefined) return [];
    const message = `${code} has transit days, but there is no calendar of ${carrier}`;
    return [error(`tariff.json services[${at}].transit`, message)];
  });
  return [...days, ...calendars];
};
