/**
 * USPS's National Zone Charts Matrix, Format 2, and its file of exceptions. Line 1 of both is the date, `04012024`.
 *
 * In the matrix, a line for each origin ZIP3 follows: the ZIP3, then a zone and a flag for each destination from 001 to
 * 999. `0` means no service. `A` means a zone from 5 to 8 that depends on more than the ZIP3s. The flags `1` and `e` mean
 * that some ZIP5s have other zones. The exceptions file has them: origins from and to, destinations from and to, zone.
 */
import { getOrMake } from '../../base/maps.ts';
import { present } from '../../base/present.ts';
import { contains, parseZipRange, ZIP5S_PER_ZIP3, zipRangeOf, zipText } from '../../catalog/tariff/zip.ts';
import {
  Findings,
  givenOrigin,
  linesIn,
  NO_TABLES,
  originNotes,
  type ParsedChart,
  type ParsedFile,
  type Reader,
  type ReadOptions,
  RefusedFile,
} from '../read/reader.ts';

/** Nobody ships from everywhere. More origins would take too much memory, and most rows would never be used. */
const MAX_ORIGINS = 100;

const zip3sIn = (text: string): number[] =>
  text.split(/[\s,;|]+/).flatMap((part) => {
    const range = parseZipRange(part);
    if (range === undefined)
      throw new RefusedFile(`${part} is not an origin: give ZIP3s or ranges, such as 850,600-606`);
    const [first, last] = [range.from, range.to].map((zip) => Math.floor(zip / ZIP5S_PER_ZIP3));
    return Array.from({ length: (last ?? 0) - (first ?? 0) + 1 }, (_, at) => (first ?? 0) + at);
  });

/** Whether no origin to read is given. */
export const asksNoOrigin = ({ origin, shipsFrom = [] }: ReadOptions): boolean =>
  origin === undefined && shipsFrom.length === 0;

/**
 * The ZIP3s to read from a file: those given by the caller, or else those of the warehouses.
 * @throws RefusedFile if there are none, or too many
 */
export const askedOrigins = ({ origin, shipsFrom = [] }: ReadOptions): readonly string[] => {
  const zip3s = origin === undefined ? shipsFrom.map((zip5) => Number(zip5.slice(0, 3))) : zip3sIn(origin);
  const asked = [...new Set(zip3s)].sort((a, b) => a - b).map((zip3) => zipText(zip3, 3));
  if (asked.length === 0)
    throw new RefusedFile(
      'it has the zones from everywhere, and no warehouse is known: name the ZIP3s that you ship from, such as 850,600-606',
    );
  if (asked.length > MAX_ORIGINS)
    throw new RefusedFile(`an import takes at most ${MAX_ORIGINS} of its origins, and these are ${asked.length}`);
  return asked;
};

const USPS_COLUMN = 'usps';
const DESTINATIONS = 999;
const LINE = 3 + 2 * DESTINATIONS;
const DATE = /^(\d\d)(\d\d)(\d{4}) *$/;
const MATRIX_BEGINS = /^\d{3}(?:[0-9A][ *1a-z]){20}/;
const EXCEPTION = /^(\d{5})(\d{5})(\d{5})(\d{5})(\d\d) *$/;
const WITH_EXCEPTIONS = new Set(['1', 'e']);
const BY_ORIGIN = 'A';

/** Reads files whose line 1 is a date, and whose line 2 matches a form. */
const readerOf = (form: RegExp, read: (bytes: Uint8Array, asked: readonly string[]) => ParsedFile): Reader => ({
  accepts: (bytes) => {
    const [first = '', second = ''] = linesIn(bytes, 2 * LINE);
    return DATE.test(first) && form.test(second);
  },
  lacksOrigin: asksNoOrigin,
  read: async (bytes, options) => read(bytes, askedOrigins(options)),
});

const dayOf = (line: string): string => {
  const [, month, day, year] = DATE.exec(line) ?? [];
  return `${year}-${month}-${day}`;
};

interface Lane {
  readonly destination: string;
  readonly zone: string;
}

const chartOf = (origin: string, lanes: readonly Lane[]): ParsedChart => {
  const rows = lanes.map(({ destination, zone }) => ({ origin, destination, zones: [zone] }));
  const chart = { columns: [USPS_COLUMN], rows };
  return { carrier: 'USPS', origin, statesOrigin: true, chart, columnOf: USPS_COLUMN_OF };
};

/** All services have the same zones. */
export const USPS_COLUMN_OF: ParsedChart['columnOf'] = Object.fromEntries(
  ['USPS-GA', 'USPS-GAR', 'USPS-PM', 'USPS-PMR'].map((code) => [code, USPS_COLUMN]),
);

const readMatrix = (bytes: Uint8Array, asked: readonly string[]): ParsedFile => {
  const [first = '', ...lines] = linesIn(bytes);
  const findings = new Findings();
  const { notes } = findings;
  const charts = asked.flatMap((origin): ParsedChart[] => {
    const at = lines.findIndex((line) => line.startsWith(origin));
    const line = lines[at]?.padEnd(LINE) ?? '';
    if (at === -1) {
      notes.push(`The matrix has no origin ${origin}`);
      return [];
    }
    const rows: Lane[] = [];
    const open: string[] = [];
    let exceptions = 0;
    for (let zip3 = 1; zip3 <= DESTINATIONS; zip3++) {
      const [zone = '', flag = ''] = [line[1 + 2 * zip3], line[2 + 2 * zip3]];
      const destination = zipText(zip3, 3);
      if (WITH_EXCEPTIONS.has(flag)) exceptions += 1;
      if (zone === BY_ORIGIN) open.push(destination);
      else if (/^[0-9]$/.test(zone)) rows.push({ destination, zone: zone === '0' ? '' : zone });
      else findings.refuse(`line ${at + 2}, destination ${destination}`, zone, 'not a zone');
    }
    if (open.length > 0)
      notes.push(
        `Origin ${origin}: the zone of ${open.join(', ')} is A, one from 5 to 8 that the matrix does not tell. There are no prices for them without the chart of the origin`,
      );
    if (exceptions > 0)
      notes.push(
        `Origin ${origin}: some ZIP5s of ${exceptions} destination ZIP3s have other zones. The file of exceptions has them`,
      );
    return [chartOf(origin, rows)];
  });
  if (charts.length === 0) throw new RefusedFile(`it has none of the origins ${asked.join(', ')}`);
  return { kind: 'USPS zone matrix', ...NO_TABLES, charts, effective: dayOf(first), ...findings };
};

/** Splits a range into parts smaller than a ZIP3, so that they win over the zones of ZIP3s. */
const belowZip3 = (from: number, to: number): string[] => {
  const parts: string[] = [];
  for (let at = from; at <= to; ) {
    const half = Math.floor(at / 50) * 50 + 49;
    parts.push(`${zipText(at, 5)}-${zipText(Math.min(to, half), 5)}`);
    at = Math.min(to, half) + 1;
  }
  return parts;
};

const readExceptions = (bytes: Uint8Array, asked: readonly string[]): ParsedFile => {
  const [first = '', ...lines] = linesIn(bytes);
  const findings = new Findings();
  const rows = new Map<string, Lane[]>();
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const [, from = '', to = '', destinationFrom = '', destinationTo = '', zone = ''] = EXCEPTION.exec(line) ?? [];
    if (zone === '' || to < from || destinationTo < destinationFrom || !/^0[1-9]$/.test(zone)) {
      findings.refuse(`line ${index + 2}`, line.slice(0, 40), 'not an exception');
      continue;
    }
    for (const zip3 of asked) {
      const [whole, stated] = [zipRangeOf(zip3), { from: Number(from), to: Number(to) }];
      const [low, high] = [Math.max(whole.from, stated.from), Math.min(whole.to, stated.to)];
      if (low > high) continue;
      const origin = contains(stated, whole) ? zip3 : `${zipText(low, 5)}-${zipText(high, 5)}`;
      const own = getOrMake(rows, origin, () => []);
      for (const destination of belowZip3(Number(destinationFrom), Number(destinationTo)))
        own.push({ destination, zone: zone.slice(1) });
    }
  }
  const charts = [...rows].map(([origin, own]) => chartOf(origin, own));
  if (charts.length === 0) findings.notes.push(`None of its exceptions is for ${asked.join(', ')}`);
  return { kind: 'USPS zone exceptions', ...NO_TABLES, charts, effective: dayOf(first), ...findings };
};

export const zoneMatrix = readerOf(MATRIX_BEGINS, readMatrix);
export const zoneExceptions = readerOf(EXCEPTION, readExceptions);

/* The chart of a single origin. */

const CHART_BEGINS = /^\s*\{.*"Column0"\s*:/s;
const CHART_BYTES = 4_096;
/** `005---` is a ZIP3, `006---009` is a range. ZIP5s are written the same way. */
const DESTINATION = /^(\d{3}|\d{5})-*(\d{3}|\d{5})?$/;
const CHART_ZONE = /^([0-9])[*+1a-z]*$/;
const CHART_DAY = /^([A-Z][a-z]+ \d{1,2}, \d{4})/;

type ChartEntry = Readonly<Partial<Record<'ZipCodes' | 'Zone', unknown>>>;

const entriesOf = (bytes: Uint8Array) => {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new RefusedFile('it is not JSON', { cause: error });
  }
  const members = Object.entries(json ?? {});
  const entries = members.flatMap(([name, value]) =>
    /^(?:Column\d+|Zip5)$/.test(name) && Array.isArray(value) ? (value as ChartEntry[]) : [],
  );
  const stated = String(members.find(([name]) => name === 'EffectiveDate')?.[1] ?? '');
  const date = new Date(`${CHART_DAY.exec(stated)?.[1] ?? ''} UTC`);
  return { entries, day: Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10) };
};

const readChart = (bytes: Uint8Array, origin: string): ParsedFile => {
  const { entries, day } = entriesOf(bytes);
  const findings = new Findings();
  const rows = entries.flatMap(({ ZipCodes, Zone }, index): Lane[] => {
    const [, from, to] = DESTINATION.exec(String(ZipCodes)) ?? [];
    const [, zone] = CHART_ZONE.exec(String(Zone)) ?? [];
    if (from !== undefined && zone !== undefined && from.length === (to ?? from).length && from <= (to ?? from))
      return [{ destination: to === undefined ? from : `${from}-${to}`, zone: zone === '0' ? '' : zone }];
    const text = `${String(ZipCodes)} ${String(Zone)}`.slice(0, 40);
    return findings.refuse(`entry ${index + 1}`, text, 'not a destination with a zone');
  });
  if (rows.length === 0) throw new RefusedFile('it has no zones');
  const { statesOrigin: _, ...chart } = chartOf(origin, rows);
  const dated = present({ effective: day });
  return { kind: 'USPS zone chart (JSON)', ...NO_TABLES, charts: [chart], ...dated, ...findings };
};

/** The chart of a single origin, as USPS's site provides it. It does not state the origin. */
export const zoneChart: Reader = {
  accepts: (bytes) => CHART_BEGINS.test(new TextDecoder().decode(bytes.subarray(0, CHART_BYTES))),
  lacksOrigin: (options) => givenOrigin(options) === undefined,
  read: async (bytes, options) => {
    const origin = givenOrigin(options);
    if (origin === undefined)
      throw new RefusedFile(
        "a USPS zone chart does not state its origin: give it as a ZIP3, or put it into the file's name, such as zones-850.json",
      );
    if (!/^\d{3}(?:-\d{3})?$/.test(origin))
      throw new RefusedFile(`${origin} is not an origin: give a ZIP3, such as 850`);
    const { notes, ...chart } = readChart(bytes, origin);
    return { ...chart, notes: [...notes, ...originNotes(options, origin)] };
  },
};
