/**
 * Reads and writes the CSV files of a tariff's folder. Reading is strict: any deviation from the format in `document.ts` is
 * a finding with file, row and column. The header is row 1.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import { dollarText } from '../../rating/quantity.ts';
import { centsOf } from './compile-charges.ts';
import type { AreaList, CubicTable, Finding, MultiweightTable, RateTable, ZoneChart } from './document.ts';
import { error } from './findings.ts';
import { type Columns, CUBIC, cubicLike, HUNDREDWEIGHT, MULTIWEIGHT, type PriceForm, RATES } from './prices.ts';
import { ZIP_RANGE, zipRangeOf } from './zip.ts';

const MONEY = /^\d{1,6}\.\d\d$/;
const COLUMN = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,19}$/;
const WHOLE = /^[1-9]\d{0,4}$/;
/** Ounces below a pound, with up to three decimals. */
const OUNCES = /^(?:\d|1[0-5])(?:\.\d{1,3})? oz$/;
const CUBIC_FEET = /^\d{1,3}\.\d\d$/;
const TIER = /^[\x20-\x7e]{1,40}$/;
const MAX_COLUMNS = 100;
const MAX_RECORD_BYTES = 16_384;
/** The longest table of a carrier has 150 pounds and 15 ounces. */
const MAX_RATE_ROWS = 2_000;

/**
 * The records of a CSV file, with the header first. A finding names the place of invalid CSV.
 * @param mostRows besides the header; at most one more row is parsed
 */
export const csvRecords = (file: string, text: string, mostRows = Infinity): string[][] | Finding => {
  const to = mostRows === Infinity ? {} : { to: mostRows + 2 };
  try {
    const records = parse(text, { bom: true, relax_column_count: true, max_record_size: MAX_RECORD_BYTES, ...to });
    const [[first = '', ...others] = []] = records;
    if (others.length === 0 && /[;\t]/.test(first)) return error(`${file} row 1`, 'must have commas between its cells');
    if (records.length <= mostRows + 1) return records;
    return error(`${file} row 1`, `is followed by more than ${mostRows} rows`);
  } catch (failure) {
    if (!(failure instanceof CsvError)) throw failure;
    // The problem begins after the last row that was read. The line in the parser's message may be much later.
    const { records } = failure;
    return error(typeof records === 'number' ? `${file} row ${records + 1}` : file, `is not CSV: ${failure.message}`);
  }
};

/** The cells of a file, and the findings so far. */
export class Sheet {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly findings: Finding[] = [];
  readonly #file: string;

  constructor(file: string, text: string, mostRows?: number) {
    this.#file = file;
    const records = csvRecords(file, text, mostRows);
    if (!Array.isArray(records)) this.findings.push(records);
    const [header = [], ...rows] = Array.isArray(records) ? records : [];
    this.header = header;
    this.rows = rows;
    rows.forEach((row, index) => {
      if (row.length !== header.length)
        this.fault(index, -1, `has ${row.length} cells, but the header has ${header.length}`);
    });
  }

  #row(row: number): readonly string[] {
    return must(this.rows[row], 'a row of the file');
  }

  /** `row` counts data rows from 0; -1 is the header. `column` counts cells from 0; -1 is the whole row. */
  fault(row: number, column: number, message: string): void {
    const place = column < 0 ? '' : ` column ${this.header[column] || column + 1}`;
    this.findings.push(error(`${this.#file} row ${row + 2}${place}`, message));
  }

  /** Checks that the header begins with these names. More columns are allowed only if `more`, and must be distinct. */
  begins(names: readonly string[], more: boolean): boolean {
    const before = this.findings.length;
    const rest = this.header.slice(names.length);
    if (names.some((name, index) => this.header[index] !== name) || rest.length > 0 !== more)
      this.fault(-1, -1, `the header must be ${names.join(',')}${more ? ' and then the columns' : ''}`);
    if (rest.length > MAX_COLUMNS) this.fault(-1, -1, `has more than ${MAX_COLUMNS} columns`);
    rest.forEach((column, index) => {
      const at = names.length + index;
      if (!COLUMN.test(column)) this.fault(-1, at, 'a column name has letters, digits, spaces, . _ and -, at most 20');
      else if (rest.indexOf(column) < index) this.fault(-1, at, 'this column occurs twice');
    });
    if (this.rows.length === 0) this.fault(-1, -1, 'has no rows');
    return this.findings.length === before;
  }

  /** The cents of a row's cells from a column on. Null for an empty cell. */
  cents(row: number, from: number): (number | null)[] {
    return this.#row(row)
      .slice(from)
      .map((cell, index) => {
        if (cell === '') return null;
        if (MONEY.test(cell)) return centsOf(cell);
        this.fault(row, from + index, 'must be dollars with two decimals, such as 12.50');
        return null;
      });
  }

  /** @param or other allowed values, in words */
  zip(row: number, column: number, or = ''): string {
    const cell = this.#row(row)[column] ?? '';
    if (!ZIP_RANGE.test(cell)) this.fault(row, column, `must be a ZIP3, a ZIP5 or a range of either${or}`);
    else if (zipRangeOf(cell).from > zipRangeOf(cell).to) this.fault(row, column, 'the range ends before it begins');
    return cell;
  }
}

export type ReadTable<T> = { readonly table: T } | { readonly findings: readonly Finding[] };

export const outcome = <T>(sheet: Sheet, table: T): ReadTable<T> =>
  sheet.findings.length > 0 ? { findings: sheet.findings } : { table };

/** Reads `rates/<CODE>.csv`. */
export const readRates = (file: string, text: string): ReadTable<RateTable> => {
  const sheet = new Sheet(file, text, MAX_RATE_ROWS);
  const cents: (number | null)[][] = [];
  const ounces: { upToOz: number; cents: (number | null)[] }[] = [];
  let above: (number | null)[] | undefined;
  if (sheet.begins(['weight_lb'], true)) {
    sheet.rows.forEach(([weight = ''], row) => {
      const values = sheet.cents(row, 1);
      if (above !== undefined) sheet.fault(row, 0, 'the row per_lb must be the last');
      else if (weight.endsWith('oz')) {
        const upToOz = OUNCES.test(weight) ? Number.parseFloat(weight) : 0;
        if (cents.length > 0) sheet.fault(row, 0, 'rows of ounces must be before the row for 1 pound');
        else if (upToOz <= (ounces.at(-1)?.upToOz ?? 0))
          sheet.fault(row, 0, 'must be ounces below 16, such as 8 oz or 15.999 oz, rising from row to row');
        ounces.push({ upToOz, cents: values });
      } else if (weight === 'per_lb') above = values;
      else if (weight === String(cents.length + 1)) cents.push(values);
      else {
        sheet.fault(row, 0, `must be ${cents.length + 1}: weights rise by whole pounds from 1 without a gap`);
        cents.push(values);
      }
    });
    if (cents.length === 0) sheet.fault(0, 0, 'there is no row for 1 pound');
  }
  const columns = sheet.header.slice(1);
  return outcome(sheet, {
    columns,
    cents,
    ...present({ centsPerLbAboveTop: above, ounces: ounces.length === 0 ? undefined : ounces }),
  });
};

/** Reads a file whose rows are in ascending order of the first column. @param limitIn 0 if the text is not a limit */
const risingReader =
  <T>(form: PriceForm<T>, name: string, limitIn: (label: string) => number, what: string) =>
  (file: string, text: string): ReadTable<T> => {
    const sheet = new Sheet(file, text);
    let before = 0;
    const readRow = ([label = '']: readonly string[], row: number) => {
      const limit = limitIn(label);
      if (limit <= before) sheet.fault(row, 0, `must be ${what}, rising from row to row`);
      before = limit;
      return { limit, cents: sheet.cents(row, 1) };
    };
    const rows = sheet.begins([name], true) ? sheet.rows.map(readRow) : [];
    return outcome(sheet, form.tableOf(sheet.header.slice(1), rows));
  };

const wholeIn = (label: string): number => (WHOLE.test(label) ? Number(label) : 0);

const FROM_LB = 'from_lb';
const CWT_FROM_LB = 'cwt_from_lb';

/** Reads `multiweight/<CODE>.csv`. */
export const readMultiweight = risingReader(MULTIWEIGHT, FROM_LB, wholeIn, 'whole pounds');
const readHundredweight = risingReader(HUNDREDWEIGHT, CWT_FROM_LB, wholeIn, 'whole pounds');

/** Whether the first column of a file has this name. */
const isHeaded = (text: string, name: string): boolean => text.replace(/^\uFEFF/, '').startsWith(name);

/** Reads an agreement's `multiweight/<CODE>.csv`, with prices per pound or per 100 pounds. */
export const readOwnMultiweight = (file: string, text: string): ReadTable<MultiweightTable> =>
  (isHeaded(text, CWT_FROM_LB) ? readHundredweight : readMultiweight)(file, text);

const CUBIC_FT = 'up_to_cubic_ft';
const CUBIC_IN = 'up_to_cubic_in';

const readCubicFeet = risingReader(
  CUBIC,
  CUBIC_FT,
  (label) => (CUBIC_FEET.test(label) ? centsOf(label) : 0),
  'cubic feet with two decimals, such as 0.10',
);
const readCubicInches = risingReader(
  cubicLike({ inInches: true }),
  CUBIC_IN,
  wholeIn,
  'whole cubic inches, such as 250',
);

/** Reads `cubic/<CODE>.csv`. */
export const readCubic = (file: string, text: string): ReadTable<CubicTable> =>
  (isHeaded(text, CUBIC_IN) ? readCubicInches : readCubicFeet)(file, text);

/** Reads `zones/<chart>.csv`. */
export const readChart = (file: string, text: string): ReadTable<ZoneChart> => {
  const sheet = new Sheet(file, text);
  const rows = sheet.begins(['origin', 'destination'], true)
    ? sheet.rows.map((row, index) => {
        const zones = row.slice(2);
        zones.forEach((zone, at) => {
          if (zone !== '' && !COLUMN.test(zone)) sheet.fault(index, 2 + at, 'is not the name of a rate column');
        });
        return { origin: sheet.zip(index, 0), destination: sheet.zip(index, 1), zones };
      })
    : [];
  return outcome(sheet, { columns: sheet.header.slice(2), rows });
};

/** Reads `areas/<list>.csv`. */
export const readAreas = (file: string, text: string): ReadTable<AreaList> => {
  const sheet = new Sheet(file, text);
  const rows = sheet.begins(['zip', 'tier'], false)
    ? sheet.rows.map(([, tier = ''], index) => {
        if (!TIER.test(tier)) sheet.fault(index, 1, 'must be 1 to 40 printable ASCII characters');
        return { zip: sheet.zip(index, 0), tier };
      })
    : [];
  return outcome(sheet, { rows });
};

const moneyCells = (cells: readonly (number | null)[]): string[] =>
  cells.map((cents) => (cents === null ? '' : dollarText(cents)));

const writer =
  <T extends Columns>({ rowsOf }: PriceForm<T>, name: string) =>
  (table: T): string =>
    stringify([[name, ...table.columns], ...rowsOf(table).map(({ label, cents }) => [label, ...moneyCells(cents)])]);

export const writeRates = writer(RATES, 'weight_lb');
export const writeMultiweight = writer(MULTIWEIGHT, FROM_LB);
const writeHundredweight = writer(HUNDREDWEIGHT, CWT_FROM_LB);
export const writeOwnMultiweight = (table: MultiweightTable): string =>
  (table.perHundred === true ? writeHundredweight : writeMultiweight)(table);
const writers = { feet: writer(CUBIC, CUBIC_FT), inches: writer(CUBIC, CUBIC_IN) };
export const writeCubic = (table: CubicTable): string => writers[table.inInches === true ? 'inches' : 'feet'](table);

export const writeChart = ({ columns, rows }: ZoneChart): string =>
  stringify([
    ['origin', 'destination', ...columns],
    ...rows.map(({ origin, destination, zones }) => [origin, destination, ...zones]),
  ]);

export const writeAreas = ({ rows }: AreaList): string =>
  stringify([['zip', 'tier'], ...rows.map(({ zip, tier }) => [zip, tier])]);
