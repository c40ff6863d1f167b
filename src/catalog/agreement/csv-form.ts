/**
 * The form of a CSV file: its columns, each with a codec. The codecs define the type of a line, reading and writing. Columns
 * may come in any order. Reading is strict: any deviation is a finding with file, row and column. The header is row 1.
 */
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import { must } from '../../base/must.ts';
import { BILLINGS, keysOf } from '../../rating/fields.ts';
import { basisPointsOf, dollarText } from '../../rating/quantity.ts';
import { centsOf } from '../tariff/compile-charges.ts';
import { type Finding, SERVICE_CODE } from '../tariff/document.ts';
import { csvRecords } from '../tariff/tables.ts';
import { type Named, type ZoneRange, zoneText } from './cells.ts';

const MAX_ROWS = 5_000;
const MAX_LISTED = 100;
const MAX_CHARACTERS = 80;
const MAX_LB = 10_000;
const WHOLE_PERCENT = 10_000;
const MONEY = /^\d{1,9}\.\d\d$/;
const PERCENT = /^(\d{1,3}(?:\.\d{1,2})?) ?%?$/;
const WHOLE = /^\d{1,5}$/;
const NUMBERS = /^(\d{1,9})-(\d{1,9})$/;
export const RATE_COLUMN = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,19}$/;
/** `10-Jun` or `Jun-10`: a spreadsheet turns `6-10` into these. */
const SPREADSHEET_DATE = /^(?:\d{1,2}-)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:-\d{1,4})?$/i;
/** Text that a quote, a list or a terminal shows unchanged. */
const SHOWN = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;

/** A row of a file while one of its cells is read. A wrong cell becomes a finding. */
export interface Row {
  /** The cell's text, or the default of an absent column. @param column default: the column being read */
  readonly cell: (column?: string) => string;
  readonly fault: (message: string) => void;
}

/** How the cells of a column are read and written. */
export interface Codec<V> {
  /** The default of an absent column, also written for a member that a line lacks. Undefined: the column is required. */
  readonly absent?: string;
  /** The column is written only if a line needs it. */
  readonly isRare?: true;
  /** Returns undefined if the line lacks the member. Such a member is not written. */
  read(row: Row): V;
  /** @param line all members of the line */
  write(value: V, line: object): string;
}

const codec = <V>(read: (row: Row) => V, write: (value: V) => string = String): Codec<V> => ({ read, write });

/** The same column, written only if a line needs it. */
export const rare = <V>(own: Codec<V>): Codec<V> => ({ ...own, isRare: true });

/** A member that a line lacks if its cell is empty or its column is absent. */
export const optional = <V>({ read, write }: Codec<V>): Codec<V | undefined> => ({
  absent: '',
  read: (row) => (row.cell() === '' ? undefined : read(row)),
  write,
});

/** A member that a line lacks if its cell is `none`. */
export const unless = <V, N extends string>(none: N, { read, ...own }: Codec<V>) => {
  const lacking: Codec<V | undefined> = {
    ...own,
    read: (row) => {
      const value = read(row);
      return value === (none as unknown) ? undefined : value;
    },
  };
  return lacking as Codec<Exclude<V, N> | undefined>;
};

export const text = (most = MAX_CHARACTERS): Codec<string> =>
  codec((row) => {
    const cell = row.cell();
    if (cell === '') row.fault('is empty, but it is required');
    else if (cell.length > most) row.fault(`must have at most ${most} characters`);
    else if (!SHOWN.test(cell)) row.fault('must not contain line ends or control characters');
    return cell;
  });

export const matching = (form: RegExp, message: string): Codec<string> =>
  codec((row) => {
    if (!form.test(row.cell())) row.fault(message);
    return row.cell();
  });

/** @param fallback the default of an empty cell and of an absent column */
export const oneOf = <T extends string>(values: readonly [T, ...T[]], fallback?: T): Codec<T> => ({
  ...codec((row) => {
    const cell = row.cell();
    const value = cell === '' ? fallback : values.find((one) => one === cell);
    if (value === undefined) row.fault(`must be one of: ${values.join(', ')}`);
    return value ?? values[0];
  }),
  ...(fallback !== undefined && { absent: fallback }),
});

const named = <T>(
  readOne: (item: string) => T | undefined,
  message: string,
  writeOne: (item: T) => string = String,
): Codec<Named<T>> => ({
  absent: '*',
  read: (row) => {
    const cell = row.cell();
    if (cell === '*') return '*';
    if (cell === '') {
      row.fault('is empty: write * for all');
      return '*';
    }
    const items = cell.split('|').map((item) => item.trim());
    const values = items.map(readOne);
    const known = values.filter((value) => value !== undefined);
    if (items.length > MAX_LISTED) row.fault(`names more than ${MAX_LISTED}: use several rows`);
    else if (known.length < values.length) row.fault(message);
    else if (new Set(items).size < items.length) row.fault('has the same entry twice: remove one');
    return known;
  },
  write: (value) => (value === '*' ? '*' : value.map(writeOne).join('|')),
});

export const services = named(
  (item) => (SERVICE_CODE.test(item) ? item : undefined),
  'must be * or service codes separated by |, such as UPS-GROUND|UPS-2DAY',
);

const anyZones = named(
  (item): ZoneRange | undefined => {
    const [, from, to] = NUMBERS.exec(item) ?? [];
    if (from !== undefined && to !== undefined) return Number(from) < Number(to) ? { from, to } : undefined;
    return RATE_COLUMN.test(item) ? { from: item, to: item } : undefined;
  },
  'must be * or zones and rising ranges separated by |, such as 2-8|44',
  zoneText,
);

export const zones: Codec<Named<ZoneRange>> = {
  ...anyZones,
  read: (row) => {
    const items = row.cell().split('|');
    const made = items.find((item) => SPREADSHEET_DATE.test(item.trim()));
    if (made === undefined) return anyZones.read(row);
    row.fault(
      `has ${made.trim()}, a date that a spreadsheet made from a range such as 6-10: format the column as text, and write the range again`,
    );
    return '*';
  },
};

/** Who pays. Absent means anyone. */
export const billing = rare(
  unless(
    '*',
    named(
      (item) => BILLINGS.find((one) => one === item),
      `must be *, or ${BILLINGS.join(', ')} or several of these separated by |`,
    ),
  ),
);

/** The whole pounds of a cell, or 0 if it has none. */
export const poundsOf = (cell: string): number => (WHOLE.test(cell) ? Number(cell) : 0);

export const pounds = codec((row) => {
  const value = poundsOf(row.cell());
  if (value < 1 || value > MAX_LB) row.fault(`must be whole pounds from 1 to ${MAX_LB}`);
  return value;
});

const count = matching(/^\d{1,9}$/, 'must be a whole number of packages, such as 1200');
export const packages = codec((row) => Number(count.read(row)));

/** @param alternative what else the cell may be */
export const moneyIn = (row: Row, alternative = ''): string => {
  if (MONEY.test(row.cell())) return dollarText(centsOf(row.cell()));
  row.fault(`must be dollars with two decimals, such as 12.50${alternative}`);
  return '0.00';
};
export const money = codec((row) => moneyIn(row));

/** A fuel price, which has more decimals than money. */
export const fuelPrice = matching(/^\d{1,3}\.\d{2,4}$/, 'must be dollars with two to four decimals, such as 3.512');

/** Percentage points from 0 to 100, with or without the percent sign. */
export const pointsIn = (row: Row, cell = row.cell()): string => {
  const [, number] = PERCENT.exec(cell) ?? [];
  const rate = number === undefined ? undefined : basisPointsOf(number);
  if (rate !== undefined && rate <= WHOLE_PERCENT) return dollarText(rate);
  row.fault('must be a percentage from 0 to 100 with at most two decimals, such as 18.5');
  return '0.00';
};

/** A percentage like `pointsIn`. A value below 1 needs its sign because `0.12` may mean 12 percent. */
export const percentIn = (row: Row, cell = row.cell()): string => {
  const rate = pointsIn(row, cell);
  if (Number(rate) > 0 && Number(rate) < 1 && !cell.endsWith('%'))
    row.fault(
      `is less than 1: write ${Math.round(Number(rate) * 100)} for ${cell} of the whole, or ${cell}% if you mean that`,
    );
  return rate;
};

/** The text that `percentIn` reads, with the sign if it is below 1. */
export const percentCell = (percent: string): string =>
  Number(percent) !== 0 && Math.abs(Number(percent)) < 1 ? `${percent}%` : percent;

export const percent = codec((row) => percentIn(row), percentCell);

/** A percentage like `percent` that may also be negative. */
export const signedPercent = codec((row) => {
  const cell = row.cell();
  return cell.startsWith('-') ? `-${percentIn(row, cell.slice(1))}` : percentIn(row);
}, percentCell);

export const date = codec((row) => {
  if (!z.iso.date().safeParse(row.cell()).success) row.fault('must be a date, YYYY-MM-DD');
  return row.cell();
});

/** The columns of a file by name, in the order of writing. */
type Columns = Readonly<Record<string, Codec<unknown>>>;

/** Converts `better_of` to the member name `betterOf`. */
type Member<C> = C extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Member<Rest>>}` : C & string;
type ValueOf<C> = C extends { read(row: Row): infer V } ? V : never;

type Members<C extends Columns> = {
  readonly [K in keyof C as undefined extends ValueOf<C[K]> ? never : Member<K>]: ValueOf<C[K]>;
} & {
  readonly [K in keyof C as undefined extends ValueOf<C[K]> ? Member<K> : never]?: Exclude<ValueOf<C[K]>, undefined>;
};

const memberOf = (column: string): string => column.replaceAll(/_./g, ([, letter = '']) => letter.toUpperCase());

/** The row of the file that has the line. The header is row 1. */
interface Line {
  readonly row: number;
}

export type ReadLines<T> = { readonly lines: readonly T[] } | { readonly findings: readonly Finding[] };

export interface CsvForm<T> {
  /** Ignores blank rows. */
  readonly read: (file: string, text: string) => ReadLines<T>;
  /** Omits rare columns that no line needs. */
  readonly write: (lines: readonly T[]) => string;
}

/** Returns the errors of a header: unknown, duplicate and missing columns. */
const headerFaults = (header: readonly string[], columns: Columns): string[] => {
  const names = keysOf(columns);
  return [
    ...header.flatMap((name, index) => {
      if (!names.includes(name))
        return `has the unknown column ${name === '' ? index + 1 : JSON.stringify(name.slice(0, MAX_CHARACTERS))}. Known are ${names.join(', ')}`;
      return header.indexOf(name) < index ? `has the column ${name} twice: remove one` : [];
    }),
    ...names.flatMap((name) =>
      columns[name]?.absent === undefined && !header.includes(name) ? `has no column ${name}: add it` : [],
    ),
  ];
};

/** @param more members that depend on several columns; `row.cell` needs a column name there */
export const csvForm = <const C extends Columns, M extends object = object>(
  columns: C,
  more: (row: Row) => M = () => ({}) as M,
): CsvForm<Line & Members<C> & M> => {
  const all = Object.entries(columns).map(([name, own]) => ({ name, member: memberOf(name), own }));

  const read: CsvForm<Line & Members<C> & M>['read'] = (file, text) => {
    const findings: Finding[] = [];
    const fault = (at: string, message: string): void => {
      findings.push({ severity: 'error', at: `${file} ${at}`, message });
    };
    const records = csvRecords(file, text, MAX_ROWS);
    if (!Array.isArray(records)) return { findings: [records] };
    const [header = [], ...rows] = records.map((cells) => cells.map((cell) => cell.trim()));
    for (const message of headerFaults(header, columns)) fault('row 1', message);
    if (findings.length > 0) return { findings };
    const lines = rows.flatMap((cells, index) => {
      const row = index + 2;
      if (cells.every((cell) => cell === '')) return [];
      if (cells.length !== header.length) {
        fault(`row ${row}`, `has ${cells.length} cells, but the header has ${header.length}`);
        return [];
      }
      let read = '';
      const cell = (column = read): string =>
        must(cells[header.indexOf(column)] ?? columns[column]?.absent, `the column ${column}`);
      const own: Row = { cell, fault: (message) => fault(`row ${row} column ${read}`, message) };
      const line: Record<string, unknown> = { row };
      for (const { name, member, own: form } of all) {
        read = name;
        const value = form.read(own);
        if (value !== undefined) line[member] = value;
      }
      // The codec of each column determines the type of its member.
      return [{ ...line, ...more(own) } as Line & Members<C> & M];
    });
    return findings.length > 0 ? { findings } : { lines };
  };

  return {
    read,
    write: (lines) => {
      const rows = lines.map((line) => {
        const members = new Map(Object.entries(line));
        return all.map(({ member, own }) => {
          const value = members.get(member);
          return value === undefined ? (own.absent ?? '') : own.write(value, line);
        });
      });
      const used = all.map(
        ({ own: { isRare, absent } }, at) => isRare !== true || rows.some((row) => row[at] !== absent),
      );
      return stringify([all.map(({ name }) => name), ...rows].map((row) => row.filter((_, at) => used[at])));
    },
  };
};
