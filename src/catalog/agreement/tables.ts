/** The forms of the CSV files of an agreement's folder. `document.ts` describes the whole folder. */
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
  moneyIn,
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
/** Applies only while this tier is in force. */
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
    if (value < least) row.fault(`must be at least ${least}, the value of from_lb`);
    return value;
  },
});

/**
 * A percentage off the base. Lines of one `discount` must not overlap. Discounts add up, except that only the highest of
 * those with one `betterOf` applies.
 */
const discounts = csvForm({
  discount: text(),
  better_of: optional(text()),
  services,
  zones,
  /** Default: 1. */
  from_lb: { ...fromLb, read: (row) => fromLb.read(row) ?? 1 } satisfies Codec<number>,
  to_lb: toLb,
  address,
  billing,
  applies_to: oneOf(APPLIES_TO, 'both'),
  tier,
  /** Such as `18.50`, or negative if it raises the base. `0.00` if the line has an amount. */
  percent: {
    read: (row) => (row.cell('usd') === '' ? signedPercent.read(row) : '0.00'),
    write: (value, { usd }: { readonly usd?: string }) => (usd === undefined ? percentCell(value) : ''),
  } satisfies Codec<string>,
  /** Dollars off each package, after all percentages. Not for multiweight shipments. */
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

/** The minimum net base charge of a package after discounts. Services without a line have the tariff's minimum. */
const minimums = csvForm({
  services,
  /** Absent: all zones that no earlier line names. */
  zones: rare(unless('*', zones)),
  address,
  billing,
  /** An amount, or the rate at `zone` and `weightLb` minus an amount or a percentage. */
  minimum: oneOf(MINIMUM_KINDS),
  value: {
    read: (row) => (row.cell('minimum') === 'less percent' ? percent : money).read(row),
    write: (value, { minimum }: { readonly minimum: string }) =>
      minimum === 'less percent' ? percentCell(value) : value,
  } satisfies Codec<string>,
  /** `own`, or a column. Default: the tariff's cell for the minimum, which is the nearest zone at 1 lb. */
  zone: optional(matching(RATE_COLUMN, 'must be one zone, such as 2, or own: it names a cell of the rate table')),
  weight_lb: optional(pounds),
});

const WITH_SIGN = / ?%$/;

/** Dollars, or a percentage with its sign. */
const either = (row: Row): string =>
  WITH_SIGN.test(row.cell()) ? percentIn(row) : moneyIn(row, ', or a percentage with its sign, such as 18.5%');

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

/** What determines the meaning of a surcharge's value. */
interface Valued {
  readonly change: Change;
  readonly lastYear?: string;
  readonly isPercent?: true;
}

/** Changes of list surcharges. */
const surcharges = csvForm(
  {
    /** A type such as `RESIDENTIAL`, or the first letters of types with a star: `DELIVERY_AREA*`. */
    surcharge: matching(
      /^(?:\*|[A-Z][A-Z0-9_]{0,39}\*?)$/,
      'must be a type such as RESIDENTIAL, or the beginning of types and a star, such as DELIVERY_AREA*',
    ),
    services,
    zones,
    /** The tier of an area list. Absent: any tier, or none. */
    area: optional(text(40)),
    address: rare(unless('any', address)),
    billing,
    from_lb: rare(fromLb),
    to_lb: rare(toLb),
    tier: rare(tier),
    change: oneOf(CHANGES),
    /** Percent, or dollars with two decimals. Always percent for a percentage (fuel). Empty if waived. */
    value: {
      absent: '',
      read: (row) => readerOf(row)(row),
      write: (value, { change, isPercent, lastYear }: Valued) => {
        if (isPercent === true) return `${value}%`;
        return change === 'percent off' || lastYear !== undefined ? percentCell(value) : value;
      },
    } satisfies Codec<string>,
    /** Last year's amount in dollars or percent. `at most` is then the allowed increase in percent. */
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
  // The surcharge is an amount, but the cell has a percent sign.
  (row): { readonly isPercent?: true } =>
    readerOf(row) === either && WITH_SIGN.test(row.cell('value')) ? { isPercent: true } : {},
);

/** A fuel rate that replaces the tariff's. After the last day of the last line, the tariff's rate applies again. */
const fuel = csvForm({
  services,
  from: date,
  /** Default: the day before the next line of the same services. */
  until: optional(date),
  percent,
});

/** A fuel rate by fuel price, up to the next band of the same services. Applies on days without a line of `fuel`. */
const fuel_index = csvForm({ services, index, from_usd: fuelPrice, percent });

/** The fuel price for a week's shipments, by the first day of the week. The last price keeps applying, and quotes say so. */
const fuel_prices = csvForm({ index, from: date, usd: fuelPrice });

/** A band up to the next one, by average weekly spend or by what its program counts. It begins at either amount. */
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

/** The spend and shipments of a week. Without a program, they apply to all programs that have no lines of their own. */
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

/** Terms other than prices: rebates, commitments, early termination, waived guarantees. Not used in computations. */
const notes = csvForm({ topic: text(), text: text(400) });

const ALL = { discounts, minimums, surcharges, fuel, tiers, spend, notes, fuel_index, fuel_prices };

export type Lines = { readonly [K in keyof typeof ALL]: (typeof ALL)[K] extends CsvForm<infer T> ? T : never };

export type LineTables = { readonly [K in keyof Lines]: readonly Lines[K][] };

/** The line files, by member of `AgreementTables`. */
export const FORMS: { readonly [K in keyof LineTables]: CsvForm<LineTables[K][number]> } = ALL;
export const LINE_TABLES = keysOf(FORMS);
