/**
 * An operator's plain CSV files, for what carriers do not publish. The header decides the kind of file. Case, spaces and
 * punctuation in column names do not matter.
 *
 *   weight_lb, <zone>, <zone> …          rate grid; the weight `per_lb` means the price per pound above the last row;
 *                                        `8 oz` means up to 8 ounces, like 8 in a column `weight_oz`
 *   service, zone, weight_lb, rate       the same in long form
 *   from_lb, <zone>, <zone> …            multiweight: price per pound from this total weight on
 *   up_to_cubic_ft, maximum_lb,          cubic prices, for packages up to this weight and length; the lower of
 *   maximum_length_in, <zone>, …         this price and the price by weight counts
 *   origin, destination, <service> …     zone chart: ZIP3s, ZIP5s or ranges of either; the most specific wins. A column
 *                                        for each service code, or one `zone` for all. Empty or `-` means no service
 *   zip, tier                            area list
 *   charge, usd                          charges in addition to rates (`charges.ts`)
 *   carrier, services, effective, percent   fuel surcharges
 *
 * A grid may have a column `service`, and an area list a column `list`. Otherwise, the file's name states it. All files may
 * have a column `carrier`. Otherwise, the carrier is in the service code (`UPS-GROUND`), or in the name of an area list's
 * file (`UPS areas 2026`).
 */
import { z } from 'zod';
import { getOrMake } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { SERVICE_CODE } from '../../catalog/tariff/document.ts';
import { parseZipRange } from '../../catalog/tariff/zip.ts';
import { CARRIERS, carrierNamed, carrierOf, groupsOf, SHARED_COLUMNS } from '../carriers.ts';
import {
  ALL_SERVICES,
  csvRecords,
  type ParsedChart,
  type ParsedFile,
  RefusedFile,
  separatorOf,
  type Unreadable,
} from '../read/reader.ts';

const HEADER_BYTES = 4_096;

/** Other common column names. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    weightlb: ['weight', 'weightlbs', 'lb', 'lbs'],
    weightoz: ['oz', 'ounces', 'weightounces'],
    uptocubicft: ['cubicft', 'cubicfeet', 'uptocubicfeet'],
    service: ['servicecode'],
    rate: ['price', 'usd'],
    origin: ['originzip'],
    destination: ['destinationzip', 'dest', 'destzip'],
    zip: ['zipcode', 'postalcode'],
  }).flatMap(([name, aliases]) => aliases.map((alias) => [alias, name])),
);

export interface PlainTable {
  /** Column names as in the file. */
  readonly titles: readonly string[];
  /** Plain column names: lowercase letters and digits, with aliases replaced. */
  readonly names: readonly string[];
  readonly rows: readonly PlainRow[];
  /** Cells that could not be read so far. */
  readonly unreadable: Unreadable[];
}

const MAX_SHOWN = 80;

/** Shortens a cell's text for a message. */
const shown = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

/** A row with access to cells by column name. Its table collects unreadable cells. */
export class PlainRow {
  /** Such as `line 3`. The first line is 1. */
  readonly at: string;
  readonly cells: readonly string[];
  readonly #table: PlainTable;
  readonly #refused = new Set<string>();

  constructor(line: number, cells: readonly string[], table: PlainTable) {
    this.at = `line ${line}`;
    this.cells = cells;
    this.#table = table;
  }

  /** The cell of a column such as `zone_from`; empty if there is none. */
  text(column: string): string {
    return this.cells[this.#table.names.indexOf(column.replaceAll('_', ''))] ?? '';
  }

  /** Whether any cell could not be read. */
  get isBad(): boolean {
    return this.#refused.size > 0;
  }

  /** Reports that a cell cannot be read. Reports only the first problem of a cell. */
  refuse(column: string, problem: string, text = this.text(column)): undefined {
    if (this.#refused.has(column)) return undefined;
    this.#refused.add(column);
    this.#table.unreadable.push({ at: `${this.at}, column ${column}`, text: shown(text), problem });
    return undefined;
  }

  /** Returns the cell if it matches; undefined if it is empty. */
  matching(column: string, form: RegExp, problem: string): string | undefined {
    const text = this.text(column);
    if (text === '') return undefined;
    return form.test(text) ? text : this.refuse(column, problem);
  }

  date(column: string): string | undefined {
    const text = this.text(column);
    if (text === '') return undefined;
    return z.iso.date().safeParse(text).success ? text : this.refuse(column, 'not a date such as 2026-06-15');
  }

  /** Parses a ZIP3, a ZIP5 or a range of either. */
  range(column: string): string | undefined {
    const text = this.text(column)
      .split(/[-–]/)
      .map((part) => part.trim())
      .join('-');
    if (parseZipRange(text) !== undefined) return text;
    return this.refuse(column, 'not a ZIP3, a ZIP5 or a range of either', text);
  }
}

export type ParsedPlainCsv = Partial<ParsedFile> & { readonly kind: string };

const plainName = (title: string): string => {
  const plain = title.toLowerCase().replace(/[^a-z0-9]/g, '');
  return ALIASES.get(plain) ?? plain;
};

const headerLine = (bytes: Uint8Array): string => {
  const head = new TextDecoder().decode(bytes.subarray(0, HEADER_BYTES));
  return must(head.split(/\r\n|\n|\r/, 1)[0], 'the first line');
};

/** The plain names of a file's columns. Reads only the header. */
export const columnNames = (bytes: Uint8Array): string[] => {
  const line = headerLine(bytes);
  return line.split(separatorOf(line)).map((cell) => plainName(cell.replaceAll('"', '')));
};

export const readTable = (bytes: Uint8Array): PlainTable => {
  const records: { readonly line: number; readonly cells: readonly string[] }[] = [];
  csvRecords(bytes, {
    delimiter: separatorOf(headerLine(bytes)),
    trim: true,
    skip_empty_lines: true,
    on_record: (cells: string[], { lines }) => {
      records.push({ line: lines, cells });
      return null;
    },
  });
  const [header, ...others] = records;
  const titles = header?.cells ?? [];
  const names = titles.map(plainName);
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (twice !== undefined) throw new RefusedFile(`it has two columns ${titles[names.indexOf(twice)]}`);
  const rows: PlainRow[] = [];
  const table: PlainTable = { titles, names, rows, unreadable: [] };
  rows.push(...others.map(({ line, cells }) => new PlainRow(line, cells, table)));
  return table;
};

/** The columns, with indexes, whose plain names are not in `known`. */
export const otherColumns = (
  { titles, names }: PlainTable,
  known: readonly string[],
): { title: string; at: number }[] =>
  titles
    .map((title, at) => ({ title, at }))
    .filter(({ title, at }) => title !== '' && !known.includes(must(names[at], 'a column name')));

export const ZONE = /^[A-Za-z0-9-]{1,10}$/;
const NONE = /^[-–—]*$/;

/** No real file has this many: there are fewer than 1,000 ZIP3s, and two carriers. */
const MAX_CHARTS = 5_000;

/**
 * The zone columns, with the codes of the services that have these zones: one service, several services that share a column in a
 * carrier's chart, or all services.
 */
const columnsIn = (table: PlainTable) => {
  const columns = otherColumns(table, ['origin', 'destination', 'carrier']);
  const titles = columns.map(({ title }) => title);
  return columns.map(({ title, at }) => {
    if (table.names[at] === 'zone') return { title: 'zone', at, carrier: ALL_SERVICES, codes: [ALL_SERVICES] };
    const sharing = Object.keys(SHARED_COLUMNS).filter(
      (code) => SHARED_COLUMNS[code] === title && !titles.includes(code),
    );
    const codes = SERVICE_CODE.test(title) ? [title, ...sharing] : sharing;
    const [first] = codes;
    if (first === undefined) throw new RefusedFile(`its column ${title} is neither a service code nor zone`);
    return { title, at, carrier: carrierOf(first), codes };
  });
};

/** Reads a zone chart into one chart per origin and carrier. */
export const readChart = (table: PlainTable): ParsedPlainCsv => {
  const columns = columnsIn(table);
  if (columns.length === 0) throw new RefusedFile('it has no column with zones');
  const charts = new Map<string, { carrier: string; origin: string; rows: { row: PlainRow; destination: string }[] }>();
  for (const row of table.rows) {
    const origin = row.range('origin');
    const destination = row.range('destination');
    if (origin === undefined || destination === undefined) continue;
    const named = row.text('carrier');
    for (const carrier of new Set(columns.map(({ carrier: own }) => named || own))) {
      const chart = getOrMake(charts, `${carrier} ${origin}`, () => ({ carrier, origin, rows: [] }));
      chart.rows.push({ row, destination });
    }
    if (charts.size > MAX_CHARTS) throw new RefusedFile(`it has more than ${MAX_CHARTS} origins`);
  }
  const zoneIn = (row: PlainRow, { title, at }: (typeof columns)[number]): string => {
    const text = row.cells[at] ?? '';
    if (NONE.test(text)) return '';
    return ZONE.test(text) ? text : (row.refuse(title, 'not a zone', text) ?? '');
  };
  const readings = [...charts.values()].map(({ carrier, origin, rows }): ParsedChart => {
    const own = columns.filter((column) => rows.some(({ row }) => (row.text('carrier') || column.carrier) === carrier));
    const zonesOf = (row: PlainRow): string[] => own.map((column) => zoneIn(row, column));
    return {
      carrier,
      origin,
      chart: {
        columns: own.map(({ title }) => title),
        rows: rows.map(({ row, destination }) => ({ origin, destination, zones: zonesOf(row) })),
      },
      columnOf: Object.fromEntries(own.flatMap(({ codes, title }) => codes.map((code) => [code, title]))),
    };
  });
  return { kind: 'zone chart (CSV)', charts: readings };
};

const listIn = (text: string): string[] => text.split(/[|;]/).flatMap((one) => one.trim() || []);

export const SERVICES = 'services';

/** The only possible carriers for a cell of services. For example, only UPS has a group `air`. */
const carriersOfServices = (text: string): string[] =>
  listIn(text).flatMap((one) => {
    if (SERVICE_CODE.test(one) && one.includes('-')) return [carrierOf(one)];
    const having = CARRIERS.filter(({ groups }) => Object.hasOwn(groups, one.toLowerCase()));
    return having.length === 1 ? having.map(({ name }) => name) : [];
  });

/**
 * Finds each row's carrier: from its cell, or for all rows from services that only one carrier has.
 * @throws RefusedFile if neither works
 */
export const carrierReader = (table: PlainTable): ((row: PlainRow) => string | undefined) => {
  if (table.names.includes('carrier'))
    return (row) => {
      const text = row.text('carrier');
      if (text !== '' && text.length <= 40) return carrierNamed(text);
      return row.refuse('carrier', text === '' ? 'empty' : 'over 40 characters');
    };
  const implied = new Set(table.rows.flatMap((row) => carriersOfServices(row.text(SERVICES))));
  const [carrier] = implied;
  if (carrier === undefined) throw new RefusedFile('it does not say whose charges these are: add a column carrier');
  if (implied.size > 1)
    throw new RefusedFile(
      `it has charges of several carriers (${[...implied].sort().join(', ')}): add a column carrier`,
    );
  return () => carrier;
};

/** Service codes and groups in a row's cell. Empty if the cell is empty. Does not check whether the tariff has them. */
export const servicesIn = (row: PlainRow, carrier: string): readonly string[] => {
  const groups = Object.keys(groupsOf(carrier));
  const named = listIn(row.text(SERVICES)).map((one) => (groups.includes(one.toLowerCase()) ? one.toLowerCase() : one));
  for (const one of named) {
    if (groups.includes(one)) continue;
    if (!SERVICE_CODE.test(one)) {
      row.refuse(SERVICES, `${shown(one)} is not ${['a service code', ...groups].join(' or ')}`);
    } else if (groups.length > 0 && carriersOfServices(one).some((own) => own !== carrier))
      row.refuse(SERVICES, `${one} is not a service of ${carrier}`);
  }
  return [...new Set(named)];
};
