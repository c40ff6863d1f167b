/** The forms of the CSV files of an agreement's folder. `document.ts` says what they are together. */
import { keysOf } from '../../rating/fields.ts';
import { ADDRESSES, APPLIES_TO, CHANGES, type Change, MINIMUM_KINDS } from './cells.ts';
import {
  billing,
  type Codec,
  type CsvForm,
  csvForm,
  date,
  fuelPrice,
  matching,
  money,
  oneOf,
  optional,
  packages,
  percent,
  percentCell,
  percentIn,
  pointsIn,
  pounds,
  poundsOf,
  RATE_COLUMN,
  type Row,
  rare,
  services,
  signedPercent,
  text,
  unless,
  zones,
} from './csv-form.ts';

const address = oneOf(ADDRESSES, 'any');
/** Counts only while this tier is in force. */
const tier = optional(text(20));
const program = rare(optional(text(40)));
const index: Codec<string> = { ...text(40), absent: 'fuel' };
const fromLb = optional(pounds);
/** Billing weight in pounds, inclusive. */
const toLb = optional<number>({
  ...pounds,
  read: (row) => {
    const least = row.cell('from_lb') === '' ? 1 : poundsOf(row.cell('from_lb'));
    const value = pounds.read(row);
    if (value < least) row.fault(`must be at least ${least}, which is from_lb`);
    return value;
  },
});

/**
 * A percentage off the base. Lines of one `discount` must not overlap. Discounts add up; of those with one `betterOf`, only
 * the highest counts.
 */
const discounts = csvForm({
  discount: text(),
  better_of: optional(text()),
  services,
  zones,
  /** From 1, if it is empty. */
  from_lb: { ...fromLb, read: (row) => fromLb.read(row) ?? 1 } satisfies Codec<number>,
  to_lb: toLb,
  address,
  billing,
  applies_to: oneOf(APPLIES_TO, 'both'),
  tier,
  /** Such as `18.50`; negative if it raises the base. `0.00` beside an amount. */
  percent: {
    read: (row) => (row.cell('usd') === '' ? signedPercent.read(row) : '0.00'),
    write: (value, { usd }: { readonly usd?: string }) => (usd === undefined ? percentCell(value) : ''),
  } satisfies Codec<string>,
  /** Dollars off each package, after all percentages. A shipment that is rated as a whole has none. */
  usd: rare(
    optional<string>({
      ...money,
      read: (row) => {
        if (row.cell('percent') !== '') row.fault('must be empty if percent is given: use a row for each');
        if (row.cell('applies_to') === 'multiweight') row.fault('is off each package: write packages in applies_to');
        if (row.cell('better_of') !== '') row.fault('must be empty if better_of is given, which compares percentages');
        return money.read(row);
      },
    }),
  ),
});

/** The least that a discount leaves of a package's base. Without a line for a service: the tariff's. */
const minimums = csvForm({
  services,
  /** Absent: all that no line before it names. */
  zones: rare(unless('*', zones)),
  address,
  billing,
  /** An amount, or the cell of the rate table at `zone` and `weightLb` less an amount or a percentage. */
  minimum: oneOf(MINIMUM_KINDS),
  value: {
    read: (row) => (row.cell('minimum') === 'less percent' ? percent : money).read(row),
    write: (value, { minimum }: { readonly minimum: string }) =>
      minimum === 'less percent' ? percentCell(value) : value,
  } satisfies Codec<string>,
  /** `own`, or a column. Default: the cell of the tariff's own minimum, which is the nearest zone at 1 lb. */
  zone: optional(matching(RATE_COLUMN, 'must be one zone, such as 2, or own: it names a cell of the rate table')),
  weight_lb: optional(pounds),
});

const WITH_SIGN = / ?%$/;

/** Dollars or, with its sign, a percentage. */
const either = (row: Row): string => (WITH_SIGN.test(row.cell()) ? percentIn(row) : money.read(row));

const VALUES: Readonly<Record<Change, (row: Row) => string>> = {
  'percent off': (row) => percentIn(row),
  'amount off': money.read,
  'points off': (row) => pointsIn(row),
  fixed: either,
  exactly: either,
  waived: (row) => {
    if (row.cell() !== '') row.fault('must be empty if the surcharge is waived');
    return '';
  },
  'at most': either,
};

const readerOf = (row: Row) =>
  row.cell('last_year') === '' ? VALUES[CHANGES.find((one) => one === row.cell('change')) ?? 'percent off'] : percentIn;

/** What a value of a surcharge is of. */
interface Valued {
  readonly change: Change;
  readonly lastYear?: string;
  readonly isPercent?: true;
}

/** What is charged instead of a surcharge of the list. */
const surcharges = csvForm(
  {
    /** A type such as `RESIDENTIAL`, or the beginning of types with a star: `DELIVERY_AREA*`. */
    surcharge: matching(
      /^(?:\*|[A-Z][A-Z0-9_]{0,39}\*?)$/,
      'must be a type such as RESIDENTIAL, or the beginning of types and a star, such as DELIVERY_AREA*',
    ),
    services,
    zones,
    /** The tier of an area list; absent: any or none. */
    area: optional(text(40)),
    address: rare(unless('any', address)),
    billing,
    from_lb: rare(fromLb),
    to_lb: rare(toLb),
    tier: rare(tier),
    change: oneOf(CHANGES),
    /** Percent, or dollars with two decimals; of a percentage (fuel) always percent. Empty if it is waived. */
    value: {
      absent: '',
      read: (row) => readerOf(row)(row),
      write: (value, { change, isPercent, lastYear }: Valued) => {
        if (isPercent === true) return `${value}%`;
        return change === 'percent off' || lastYear !== undefined ? percentCell(value) : value;
      },
    } satisfies Codec<string>,
    /** Last year's amount in dollars or percent. `at most` allows this many percent more. */
    last_year: rare(
      optional<string>({
        ...money,
        read: (row) => {
          if (row.cell('change') !== 'at most') row.fault('must be empty unless the change is at most');
          return money.read(row);
        },
      }),
    ),
  },
  // The cell of an amount has a percent sign.
  (row): { readonly isPercent?: true } =>
    readerOf(row) === either && WITH_SIGN.test(row.cell('value')) ? { isPercent: true } : {},
);

/** A fuel rate in place of the tariff's. After the last day of the last line, the tariff's counts again. */
const fuel = csvForm({
  services,
  from: date,
  /** Default: the day before the next line of the same services. */
  until: optional(date),
  percent,
});

/** A fuel rate for a price of fuel, up to the next band's of the same services. It counts on days without a line of `fuel`. */
const fuel_index = csvForm({ services, index, from_usd: fuelPrice, percent });

/** The price of fuel for the shipments of a week, by its first day. After the last one, it holds on, and quotes say so. */
const fuel_prices = csvForm({ index, from: date, usd: fuelPrice });

/** A band, up to the next one's: of average weekly spend, or of what its program counts. It begins at either amount. */
const tiers = csvForm({
  program,
  tier: text(20),
  from_usd: {
    absent: '',
    read: (row) => (row.cell('from_packages') === '' ? money.read(row) : undefined),
    write: String,
  } satisfies Codec<string | undefined>,
  from_packages: rare(
    optional<number>({
      ...packages,
      read: (row) => {
        if (row.cell('from_usd') !== '') row.fault('must be empty if from_usd is given: a band begins at one of them');
        return packages.read(row);
      },
    }),
  ),
});

/** What was spent and shipped in a week. Without a program, it counts for all programs that have no lines of their own. */
const spend = csvForm({
  week_ending: date,
  program,
  usd: {
    absent: '',
    read: (row) => (row.cell() === '' && row.cell('packages') !== '' ? undefined : money.read(row)),
    write: String,
  } satisfies Codec<string | undefined>,
  packages: rare(optional(packages)),
});

/** What a paper says beside prices: rebates, commitments, early termination, waived guarantees. Nobody computes with it. */
const notes = csvForm({ topic: text(), text: text(400) });

const ALL = { discounts, minimums, surcharges, fuel, tiers, spend, notes, fuel_index, fuel_prices };

/** What a line of each file says. */
export type Lines = { readonly [K in keyof typeof ALL]: (typeof ALL)[K] extends CsvForm<infer T> ? T : never };

export type LineTables = { readonly [K in keyof Lines]: readonly Lines[K][] };

/** The files that are lists of lines, by their member of `AgreementTables`. */
export const FORMS: { readonly [K in keyof LineTables]: CsvForm<LineTables[K][number]> } = ALL;
export const LINE_TABLES = keysOf(FORMS);
