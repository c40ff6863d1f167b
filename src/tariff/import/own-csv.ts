/**
 * Our own plain CSVs, for what carriers do not publish: told by their header, whose names are read without regard to
 * case, spaces and punctuation.
 *
 *   weight_lb, <zone>, <zone> …          rate grid; `per_lb` in place of a weight is the price per pound above the last
 *   service, zone, weight_lb, rate       the same in long form
 *   from_lb, <zone>, <zone> …            multiweight, price per pound from a total weight on
 *   origin, destination, <service> …     zone chart: ZIP3s, ZIP5s or ranges of either, the most specific wins; a column
 *                                        for each service code, or one `zone` for all; empty or `-` is no service
 *   zip, tier                            area list
 *
 * A grid may have a column `service`, an area list a column `list`; else the file's name says which it is. `carrier` may
 * stand in rates and charts; else it follows from the service code (`UPS-GROUND`).
 */
import { parse } from 'csv-parse/sync';
import { readMultiweight, readRates } from './own-rates.ts';
import type { OwnRow, OwnTable } from './own-table.ts';
import { readAreas, readChart } from './own-zones.ts';
import { type Reader, type Reading, type ReadOptions, RefusedFile } from './reading.ts';

const HEADER_BYTES = 4_096;
const MAX_RECORD_BYTES = 64 * 1024;

/** Other names that people give the columns. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    weight: 'weightlb',
    weightlbs: 'weightlb',
    lb: 'weightlb',
    lbs: 'weightlb',
    servicecode: 'service',
    price: 'rate',
    usd: 'rate',
    originzip: 'origin',
    destinationzip: 'destination',
    dest: 'destination',
    destzip: 'destination',
    zipcode: 'zip',
    postalcode: 'zip',
  }),
);

const plainName = (name: string): string => {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return ALIASES.get(plain) ?? plain;
};

type Kind = (table: OwnTable, options: ReadOptions) => Partial<Reading> & { readonly kind: string };

const kindOf = (names: readonly string[]): Kind | undefined => {
  const has = (...wanted: string[]): boolean => wanted.every((name) => names.includes(name));
  if (has('origin', 'destination')) return readChart;
  if (has('zip', 'tier')) return readAreas;
  if (has('weightlb')) return readRates;
  return has('fromlb') ? readMultiweight : undefined;
};

const headerLine = (bytes: Uint8Array): string => {
  const head = new TextDecoder().decode(bytes.subarray(0, HEADER_BYTES));
  return head.split(/\r\n|\n|\r/, 1)[0] ?? '';
};

const delimiterOf = (line: string): string => {
  const count = (mark: string): number => line.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
};

const namesOf = (bytes: Uint8Array): string[] => {
  const line = headerLine(bytes);
  return line.split(delimiterOf(line)).map((cell) => plainName(cell.replaceAll('"', '')));
};

const tableOf = (bytes: Uint8Array): OwnTable => {
  const records: OwnRow[] = [];
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    parse(text, {
      delimiter: delimiterOf(headerLine(bytes)),
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      max_record_size: MAX_RECORD_BYTES,
      on_record: (cells: string[], { lines }) => {
        records.push({ line: lines, cells });
        return null;
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RefusedFile(`it cannot be read as CSV: ${reason}`, { cause: error });
  }
  const [header, ...rows] = records;
  const titles = header?.cells ?? [];
  const names = titles.map(plainName);
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (twice !== undefined) throw new RefusedFile(`it has two columns ${titles[names.indexOf(twice)]}`);
  return { titles, names, rows };
};

const read = async (bytes: Uint8Array, options: ReadOptions): Promise<Reading> => {
  const table = tableOf(bytes);
  const kind = kindOf(table.names);
  if (kind === undefined) throw new RefusedFile('its header is none of ours');
  const empty = { rates: [], multiweight: [], charts: [], surcharges: [], areas: [], unreadable: [], notes: [] };
  return { ...empty, ...kind(table, options) };
};

export const ownCsv: Reader = {
  kind: 'our own CSV',
  accepts: (bytes) => kindOf(namesOf(bytes)) !== undefined,
  read,
};
