/**
 * Reads a CSV file by the names of its columns, in any order. Reading is strict: anything that differs from the format in
 * `document.ts` is a finding with file, row and column. The header is row 1.
 */
import { z } from 'zod';
import { must } from '../../base/must.ts';
import { BILLINGS, type Billing } from '../../rating/fields.ts';
import { basisPointsOf, dollarText } from '../../rating/quantity.ts';
import { centsOf } from '../tariff/compile-charges.ts';
import { type Finding, SERVICE_CODE } from '../tariff/document.ts';
import { csvRecords } from '../tariff/tables.ts';
import type { Named, ZoneRange } from './document.ts';

const MAX_ROWS = 5_000;
const MAX_LISTED = 100;
const MAX_CHARACTERS = 80;
const MAX_LB = 10_000;
const WHOLE_PERCENT = 10_000;
const MONEY = /^\d{1,9}\.\d\d$/;
const FUEL_PRICE = /^\d{1,3}\.\d{2,4}$/;
const PERCENT = /^(\d{1,3}(?:\.\d{1,2})?) ?%?$/;
const WHOLE = /^\d{1,5}$/;
const PACKAGES = /^\d{1,9}$/;
const NUMBERS = /^(\d{1,9})-(\d{1,9})$/;
export const RATE_COLUMN = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,19}$/;
/** `10-Jun` or `Jun-10`: what a spreadsheet makes of `6-10`. */
const SPREADSHEET_DATE = /^(?:\d{1,2}-)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:-\d{1,4})?$/i;
/** Text that a quote, a list or a terminal shows as it is. */
const SHOWN = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;

const date = z.iso.date();

/** A column of a file, and what an absent column stands for. Without that, the column is required. */
export interface ColumnForm {
  readonly name: string;
  readonly absent?: string;
  /** Written only if a line needs it. */
  readonly isRare?: true;
}

/** One row of a file. Each method reads the cell of a column. A cell that is wrong becomes a finding. */
export class Row {
  /** The number in the file. */
  readonly row: number;
  readonly #cells: ReadonlyMap<string, string>;
  readonly #fault: (column: string, message: string) => void;

  constructor(row: number, cells: ReadonlyMap<string, string>, fault: (column: string, message: string) => void) {
    this.row = row;
    this.#cells = cells;
    this.#fault = fault;
  }

  /** The cell as it is, or what the absent column stands for. */
  cell(column: string): string {
    return must(this.#cells.get(column), `the column ${column}`);
  }

  fault(column: string, message: string): void {
    this.#fault(column, message);
  }

  text(column: string, most = MAX_CHARACTERS): string {
    const cell = this.cell(column);
    if (cell === '') this.fault(column, 'is empty, but it is required');
    else if (cell.length > most) this.fault(column, `must have at most ${most} characters`);
    else if (!SHOWN.test(cell)) this.fault(column, 'must not contain line ends or control characters');
    return cell;
  }

  matching(column: string, form: RegExp, message: string): string {
    const cell = this.cell(column);
    if (!form.test(cell)) this.fault(column, message);
    return cell;
  }

  oneOf<T extends string>(column: string, values: readonly [T, ...T[]], fallback?: T): T {
    const cell = this.cell(column);
    const value = cell === '' ? fallback : values.find((one) => one === cell);
    if (value !== undefined) return value;
    this.fault(column, `must be one of: ${values.join(', ')}`);
    return values[0];
  }

  #listed<T>(column: string, readOne: (item: string) => T | undefined, message: string): Named<T> {
    const cell = this.cell(column);
    if (cell === '*') return '*';
    if (cell === '') {
      this.fault(column, 'is empty: write * for all');
      return '*';
    }
    const items = cell.split('|').map((item) => item.trim());
    const values = items.map(readOne);
    const known = values.filter((value) => value !== undefined);
    if (items.length > MAX_LISTED) this.fault(column, `names more than ${MAX_LISTED}: use several rows`);
    else if (known.length < values.length) this.fault(column, message);
    else if (new Set(items).size < items.length) this.fault(column, 'names the same twice: remove one');
    return known;
  }

  services(): Named<string> {
    const readOne = (item: string): string | undefined => (SERVICE_CODE.test(item) ? item : undefined);
    return this.#listed('services', readOne, 'must be * or service codes separated by |, such as UPS-GROUND|UPS-2DAY');
  }

  zones(): Named<ZoneRange> {
    const made = this.cell('zones')
      .split('|')
      .find((item) => SPREADSHEET_DATE.test(item.trim()));
    if (made !== undefined) {
      this.fault(
        'zones',
        `has ${made.trim()}, a date that a spreadsheet made of a range such as 6-10: make the column text, and write the range again`,
      );
      return '*';
    }
    const readOne = (item: string): ZoneRange | undefined => {
      const [, from, to] = NUMBERS.exec(item) ?? [];
      if (from !== undefined && to !== undefined) return Number(from) < Number(to) ? { from, to } : undefined;
      return RATE_COLUMN.test(item) ? { from: item, to: item } : undefined;
    };
    return this.#listed('zones', readOne, 'must be * or zones and rising ranges separated by |, such as 2-8|44');
  }

  /** Who pays; undefined for whoever it is. */
  billing(): readonly Billing[] | undefined {
    const readOne = (item: string): Billing | undefined => BILLINGS.find((one) => one === item);
    const named = this.#listed(
      'billing',
      readOne,
      `must be *, or ${BILLINGS.join(', ')} or several of these separated by |`,
    );
    return named === '*' ? undefined : named;
  }

  /** Whole pounds; undefined if the cell is empty. */
  pounds(column: string): number | undefined {
    const cell = this.cell(column);
    if (cell === '') return undefined;
    const value = WHOLE.test(cell) ? Number(cell) : 0;
    if (value < 1 || value > MAX_LB) this.fault(column, `must be whole pounds from 1 to ${MAX_LB}`);
    return value;
  }

  /** How many packages. */
  packages(column: string): number {
    return Number(this.matching(column, PACKAGES, 'must be a whole number of packages, such as 1200'));
  }

  money(column: string): string {
    const cell = this.cell(column);
    if (MONEY.test(cell)) return dollarText(centsOf(cell));
    this.fault(column, 'must be dollars with two decimals, such as 12.50');
    return '0.00';
  }

  /** A price of fuel, which has more decimals than money. */
  fuelPrice(column: string): string {
    return this.matching(column, FUEL_PRICE, 'must be dollars with two to four decimals, such as 3.512');
  }

  /** Points of a percentage, from 0 to 100, with or without the sign. */
  points(column: string, cell = this.cell(column)): string {
    const [, number] = PERCENT.exec(cell) ?? [];
    const rate = number === undefined ? undefined : basisPointsOf(number);
    if (rate !== undefined && rate <= WHOLE_PERCENT) return dollarText(rate);
    this.fault(column, 'must be a percentage from 0 to 100 with at most two decimals, such as 18.5');
    return '0.00';
  }

  /** A percentage like `points`. Below 1 it needs its sign: `0.12` may be meant as 12 percent. */
  percent(column: string, cell = this.cell(column)): string {
    const rate = this.points(column, cell);
    const isShare = Number(rate) > 0 && Number(rate) < 1 && !cell.endsWith('%');
    if (isShare)
      this.fault(
        column,
        `is less than 1: write ${Math.round(Number(rate) * 100)} for ${cell} of the whole, or ${cell}% if it is meant so`,
      );
    return rate;
  }

  /** A percentage like `percent`, or less than 0. */
  signedPercent(column: string): string {
    const cell = this.cell(column);
    return cell.startsWith('-') ? `-${this.percent(column, cell.slice(1))}` : this.percent(column, cell);
  }

  date(column: string): string {
    const cell = this.cell(column);
    if (!date.safeParse(cell).success) this.fault(column, 'must be a date, YYYY-MM-DD');
    return cell;
  }
}

export type ReadLines<T> = { readonly lines: readonly T[] } | { readonly findings: readonly Finding[] };

/** Says what is wrong with a header: unknown columns, columns that occur twice, and required ones that are missing. */
const headerFaults = (header: readonly string[], columns: readonly ColumnForm[]): string[] => {
  const names = columns.map(({ name }) => name);
  return [
    ...header.flatMap((name, index) => {
      if (!names.includes(name))
        return `has the unknown column ${name === '' ? index + 1 : JSON.stringify(name.slice(0, MAX_CHARACTERS))}. Known are ${names.join(', ')}`;
      return header.indexOf(name) < index ? `has the column ${name} twice: remove one` : [];
    }),
    ...columns.flatMap(({ name, absent }) =>
      absent === undefined && !header.includes(name) ? `has no column ${name}: add it` : [],
    ),
  ];
};

/** Reads the rows of a file. Ignores rows without any content. */
export const readSheet = <T>(
  file: string,
  text: string,
  columns: readonly ColumnForm[],
  readRow: (row: Row) => T,
): ReadLines<T> => {
  const findings: Finding[] = [];
  const fault = (at: string, message: string): void => {
    findings.push({ severity: 'error', at: `${file} ${at}`, message });
  };
  const records = csvRecords(file, text, MAX_ROWS);
  if (!Array.isArray(records)) return { findings: [records] };
  const [header = [], ...rows] = records.map((cells) => cells.map((cell) => cell.trim()));
  for (const message of headerFaults(header, columns)) fault('row 1', message);
  if (findings.length > 0) return { findings };
  const absent = columns.flatMap(({ name, absent: value }): [string, string][] =>
    value === undefined || header.includes(name) ? [] : [[name, value]],
  );
  const lines: T[] = [];
  for (const [index, cells] of rows.entries()) {
    const row = index + 2;
    if (cells.every((cell) => cell === '')) continue;
    if (cells.length !== header.length) {
      fault(`row ${row}`, `has ${cells.length} cells, but the header has ${header.length}`);
      continue;
    }
    const named = new Map([
      ...absent,
      ...header.map((name, at): [string, string] => [name, must(cells[at], 'a cell')]),
    ]);
    lines.push(readRow(new Row(row, named, (column, message) => fault(`row ${row} column ${column}`, message))));
  }
  return findings.length > 0 ? { findings } : { lines };
};
