/**
 * FedEx's zone list for one origin, with a line for each ZIP5: `State/Province, Dest Zip/Postal Code, Service Days, Zone`. The
 * file does not state the origin. It lists the places that FedEx serves, so the chart covers exactly these ZIP5s. A ZIP5 that is
 * not listed has no zone, even if all its neighbors have the same zone.
 */
import { mostCommon } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import type { ZoneChart } from '../../catalog/tariff/document.ts';
import { rangeText, shortestRange } from '../../catalog/tariff/zip.ts';
import {
  csvRecords,
  Findings,
  givenOrigin,
  linesIn,
  MAX_SOURCE_BYTES,
  NO_TABLES,
  originNotes,
  type ParsedChart,
  type ParsedFile,
  type Reader,
  type ReadOptions,
  RefusedFile,
} from '../read/reader.ts';
import { FEDEX_CHART_COLUMNS, FEDEX_COLUMN_OF } from './services.ts';

const HEADER_BYTES = 4_096;
const GROUND_ONLY = new Set(['17', '22', '23', '25', '92', '96']);
/** Territories and military post. List rates within the United States have no prices for them. */
const ELSEWHERE = new Set(['PR', 'VI', 'GU', 'AS', 'MP', 'AA', 'AE', 'AP']);
const EXPRESS_ONLY = new Set(['10', '11', '12', '13', '15', '16']);

/** A line of the file, with a zone for each of the chart's columns. */
interface Listed {
  readonly line: number;
  readonly zones: readonly string[];
}

type Row = Omit<ZoneChart['rows'][number], 'origin'>;

const bare = (cell: string): string => cell.toLowerCase().replaceAll(/[^a-z]/g, '');

const columnsOf = (header: readonly string[]) => {
  const names = header.map(bare);
  const find = (...accepted: string[]): number => names.findIndex((name) => accepted.includes(name));
  const columns = {
    state: find('stateprovince', 'state'),
    zip: find('destzippostalcode', 'destinationzippostalcode', 'destzip', 'destinationzip'),
    zone: find('zone'),
  };
  return columns.state < 0 || columns.zip < 0 || columns.zone < 0 ? undefined : columns;
};

const headerOf = (bytes: Uint8Array) => columnsOf(linesIn(bytes, HEADER_BYTES)[0]?.split(',') ?? []);

/**
 * Zones 2 to 8 are for both express and ground. Other zones are for only one of them: 9 is ground to Hawaii and express to
 * Alaska; 14 is ground within Oahu and express from Alaska and Hawaii (FedEx list rates; zone locator). The file then omits the
 * other zone, but the other service may still exist.
 */
const zonesOf = (text: string, state: string): readonly string[] | undefined => {
  if (/^N\/?A$/i.test(text)) return ['', ''];
  if (!/^\d{1,3}$/.test(text)) return undefined;
  const zone = String(Number(text));
  if (Number(zone) >= 2 && Number(zone) <= 8) return [zone, zone];
  if (GROUND_ONLY.has(zone) || (state === 'HI' && (zone === '9' || zone === '14'))) return ['', zone];
  return EXPRESS_ONLY.has(zone) || (state === 'AK' && zone === '9') || zone === '14' ? [zone, ''] : undefined;
};

const same = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean => a?.join() === b?.join();

/** Rows of one ZIP3, for runs of ZIP5s whose zones differ from `base`. */
const runsOf = (zip3: number, zonesAt: (zip: number) => readonly string[] | undefined, base?: readonly string[]) => {
  const rows: Row[] = [];
  const first = zip3 * 100;
  for (let from = first, zip = first + 1; zip <= first + 100; zip += 1) {
    const zones = zonesAt(from);
    if (zip < first + 100 && same(zonesAt(zip), zones)) continue;
    if (!same(zones, base))
      rows.push({
        destination: rangeText({ from, to: zip - 1 }),
        zones: must(zones ?? base?.map(() => ''), 'the zones of a run'),
      });
    from = zip;
  }
  return rows;
};

/**
 * The fewest rows that cover exactly the listed ZIP5s. Each ZIP3 becomes either ranges of ZIP5s, or one row for the ZIP3 and rows
 * for its exceptions. ZIP5s that are not listed are exceptions without service.
 * @param elsewhere ZIP3s that another chart of the file also has. They get no row without service
 */
const compact = (listed: ReadonlyMap<number, Listed>, elsewhere: ReadonlySet<number>): Row[] => {
  const zip3s = [...new Set([...listed.keys()].map((zip) => Math.floor(zip / 100)))].sort((a, b) => a - b);
  return zip3s.flatMap((zip3) => {
    const zonesAt = (zip: number) => listed.get(zip)?.zones;
    const ranges = runsOf(zip3, zonesAt);
    const inside = Array.from({ length: 100 }, (_, index) => zonesAt(zip3 * 100 + index)?.join());
    const base = must(mostCommon(inside.filter((zones) => zones !== undefined)), 'a listed ZIP5').split(',');
    const whole = { destination: rangeText({ from: zip3 * 100, to: zip3 * 100 + 99 }), zones: base };
    const exceptions = [whole, ...runsOf(zip3, zonesAt, base)];
    return exceptions.length < ranges.length && !elsewhere.has(zip3) ? exceptions : ranges;
  });
};

const readLines = (records: readonly string[][], columns: NonNullable<ReturnType<typeof columnsOf>>) => {
  const listed = new Map<number, Listed>();
  const found = new Findings();
  let foreign = 0;
  records.forEach((record, index) => {
    const line = index + 2;
    const [state = '', zip = '', zone = ''] = [columns.state, columns.zip, columns.zone].map((at) => record[at] ?? '');
    if (record.every((cell) => cell === '')) return;
    if (/^[A-Z]\d[A-Z]/i.test(zip) || ELSEWHERE.has(state.toUpperCase())) {
      foreign += 1;
      return;
    }
    const zones = zonesOf(zone, state.toUpperCase());
    const refuse = (problem: string) => found.refuse(`line ${line}, column Zone`, zone, problem);
    const before = listed.get(Number(zip));
    if (!/^\d{5}$/.test(zip)) found.refuse(`line ${line}, column Dest Zip/Postal Code`, zip, 'is not a ZIP code');
    else if (zones === undefined) refuse(`${zone === '' ? 'is blank' : 'is not a zone'} (for ZIP code ${zip})`);
    else if (before === undefined) listed.set(Number(zip), { line, zones });
    else if (!same(before.zones, zones)) refuse(`contradicts line ${before.line}`);
  });
  return { listed, unreadable: found.unreadable, foreign };
};

/** One chart for ZIP codes with the same express and ground zones, one for express zones only, and one for ground zones only. */
const chartsOf = (listed: ReadonlyMap<number, Listed>, origin: string): ParsedChart[] => {
  const [express, ground] = FEDEX_CHART_COLUMNS;
  const kinds: { columns: readonly string[]; own: Map<number, Listed> }[] = [
    { columns: FEDEX_CHART_COLUMNS, own: new Map() },
    { columns: [express], own: new Map() },
    { columns: [ground], own: new Map() },
  ];
  for (const [zip, { line, zones }] of listed) {
    const [first = '', second = ''] = zones;
    const kind = first === second ? 0 : second === '' ? 1 : 2;
    kinds[kind]?.own.set(zip, { line, zones: kind === 0 ? zones : [first + second] });
  }
  const zip3sOf = (zips: Iterable<number>): number[] => [...zips].map((zip) => Math.floor(zip / 100));
  return kinds
    .filter(({ own }) => own.size > 0)
    .map(({ columns, own }) => {
      const others = kinds.filter((kind) => kind.own !== own).flatMap((kind) => zip3sOf(kind.own.keys()));
      const rows = compact(own, new Set(others));
      return {
        carrier: 'FedEx',
        origin,
        chart: { columns, rows: rows.map((row) => ({ origin, ...row })) },
        columnOf: Object.fromEntries(Object.entries(FEDEX_COLUMN_OF).filter(([, column]) => columns.includes(column))),
      };
    });
};

const read = (bytes: Uint8Array, options: ReadOptions): ParsedFile => {
  if (bytes.byteLength > MAX_SOURCE_BYTES)
    throw new RefusedFile(`it has ${bytes.byteLength} bytes; the limit is ${MAX_SOURCE_BYTES}`);
  const columns = headerOf(bytes);
  if (columns === undefined) throw new RefusedFile('it does not begin with the header of a FedEx zone list');
  const option = givenOrigin(options);
  if (option === undefined)
    throw new RefusedFile(
      "a FedEx zone list does not state its origin: give it as a ZIP3 or a range of ZIP3s, or put it into the file's name, such as Phoenix-850.csv",
    );
  const origin = shortestRange(option);
  if (origin === undefined)
    throw new RefusedFile(`${option} is not an origin: give a ZIP3 or a range, such as 850-853`);
  // Place names may be in another encoding.
  const text = new TextDecoder().decode(bytes);
  const records = csvRecords(text, { trim: true, from_line: 2, relax_quotes: true });
  const { listed, unreadable, foreign } = readLines(records, columns);
  const charts = chartsOf(listed, origin);
  const rows = charts.reduce((sum, { chart }) => sum + chart.rows.length, 0);
  return {
    kind: 'FedEx zone list (CSV)',
    ...NO_TABLES,
    charts,
    unreadable,
    notes: [
      ...originNotes(options, origin),
      `${listed.size} ZIP codes are listed, in ${rows} rows; others are not covered`,
      ...(foreign === 0
        ? []
        : [`${foreign} lines with postal codes in territories, military post or other countries are skipped`]),
      ...oneKindOnly([...listed.values()]),
    ],
  };
};

const oneKindOnly = (listed: readonly Listed[]): string[] =>
  FEDEX_CHART_COLUMNS.flatMap((column, index) => {
    const without = listed.filter(({ zones }) => zones[index] === '' && zones.some((zone) => zone !== '')).length;
    return without === 0 ? [] : [`this list does not state the ${column} zone of ${without} ZIP codes`];
  });

/** Reads FedEx's zone lists. The origin must be in the option `origin` or in the file's name. */
export const fedexZoneCsv: Reader = {
  accepts: (bytes) => headerOf(bytes) !== undefined,
  lacksOrigin: (options) => givenOrigin(options) === undefined,
  read: async (bytes, options) => read(bytes, options),
};
