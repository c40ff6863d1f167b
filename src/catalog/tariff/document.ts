/**
 * A tariff as plain data: everything that prices depend on, in force from a date. `folder.ts` reads and writes it as a
 * folder. `compile.ts` compiles it into cards for the core.
 *
 * The folder:
 *   tariff.json            all of `tariffFile` below
 *   rates/<CODE>.csv       `weight_lb` and the rate columns, with a row for each pound from 1 up without gaps.
 *                          A last row `per_lb` has prices per pound for heavier dimensional weights. First rows such as
 *                          `8 oz` have prices for packages of up to this many ounces
 *   cubic/<CODE>.csv       `up_to_cubic_ft`, or `up_to_cubic_in`, and rate columns: cubic prices, for small packages
 *   multiweight/<CODE>.csv `from_lb` and the same rate columns: prices per pound
 *   zones/<chart>.csv      `origin`, `destination` (each a ZIP3, a ZIP5 or a range of either: `070-076`, `02139`) and a
 *                          column for each zone column. An empty cell means no service. The most specific row wins
 *   areas/<list>.csv       `zip`, `tier`
 *   transit.csv            `service`, `origin`, `destination`, `days`: business days. An origin is a ZIP3, a ZIP5 or a range
 *                          of either. A destination may also be `zone 5`. The most specific row wins. ZIP codes win over zones
 * Money is in dollars with two decimals. Percentages have at most two decimals.
 */
import { z } from 'zod';
import { must } from '../../base/must.ts';
import { HOLIDAY_STATUS, WEEKDAYS } from '../../rating/card.ts';
import { type CONDITIONS, type Measure, PRICE_PARTS, REFUSALS } from '../../rating/charges.ts';
import { BILLINGS, SIGNATURES } from '../../rating/fields.ts';
import { SIDE_ROUNDINGS } from '../../rating/quantity.ts';
import { ZIP_RANGE } from './zip.ts';

export const SERVICE_CODE = /^[A-Z0-9][A-Z0-9-]{0,9}$/;
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

const name = z.string().regex(NAME, 'must be lower-case letters, digits and hyphens, at most 40');
const money = z.string().regex(/^\d{1,6}\.\d\d$/, 'must be dollars with two decimals, such as 12.50');
const percent = z.string().regex(/^\d{1,3}(?:\.\d{1,2})?$/, 'must be a percentage with at most two decimals');
const date = z.iso.date();
const whole = z.int().gte(0).lte(1_000_000);
const place = z.string().min(1).max(200);

const zipRange = z.string().regex(ZIP_RANGE, 'must be a ZIP3, a ZIP5 or a range of either');

const measures = {
  actualWeightOverLb: whole.optional(),
  billingWeightOverLb: whole.optional(),
  lengthOverIn: whole.optional(),
  secondSideOverIn: whole.optional(),
  lengthPlusGirthOverIn: whole.optional(),
  cubicInchesOver: whole.optional(),
} satisfies Readonly<Record<Measure, z.ZodType>>;

/** The request's options (`rates.options`). The surcharge applies to any of these signatures and billing options. */
const asked = {
  signature: z.array(z.enum(SIGNATURES)).min(1).optional(),
  saturday: z.literal(true).optional(),
  nonStandardPackaging: z.literal(true).optional(),
  billing: z.array(z.enum(BILLINGS)).min(1).optional(),
} satisfies Readonly<Record<(typeof CONDITIONS)[number]['member'], z.ZodType>>;

const condition = z.strictObject({
  residential: z.boolean().optional(),
  area: z.strictObject({ list: name, tier: z.string().min(1).max(40) }).optional(),
  /** Rate columns. */
  columns: z.array(z.string().min(1).max(10)).min(1).optional(),
  ...measures,
  /** At least one of these must be true. */
  anyOf: z.array(z.strictObject(measures)).min(1).max(20).optional(),
  ...asked,
  /** The declared value per package is less than this, or there is none. */
  declaredValueUnderUsd: whole.optional(),
});

const surcharge = z.strictObject({
  type: z.string().regex(/^[A-Z][A-Z0-9_]{0,39}$/, 'must be upper-case letters, digits and underscores'),
  description: z.string().min(1).max(80),
  /** Codes of the services that charge it. Default: all services of the tariff. */
  services: z.array(z.string()).min(1).optional(),
  /** The first and the last ship date. Default: always. */
  from: date.optional(),
  until: date.optional(),
  /** File, and page or row. */
  source: place.optional(),
  when: condition.default({}),
  dearestOf: name.optional(),
  leastBillingWeightLb: whole.optional(),
  /** The cap for a multiweight shipment. */
  multiweightMaximumUsd: money.optional(),
  amount: z.discriminatedUnion('per', [
    z.strictObject({
      per: z.enum(['shipment', 'package', 'pound']),
      /**
       * One amount for all rate columns, or an amount for each. A key is a rate column, or `zone 5` for all columns reported
       * as zone 5, or `*` for the other columns. Without `*`, the other columns are free. `null` is an unknown amount, and
       * quotes say that they lack it.
       */
      usd: z.union([money, z.record(z.string(), money.nullable())]),
    }),
    z.strictObject({
      /** Once per shipment, by `rates.options.declaredValue`: free up to `freeUsd`, and at least `minimumUsd` above it. */
      per: z.literal('declaredValue'),
      freeUsd: whole.default(100),
      /** For each $100 or part of it. */
      usdPer100: money,
      minimumUsd: money.default('0.00'),
    }),
    z.strictObject({
      per: z.literal('percent'),
      /** The rate, or rates by date (fuel by week). There is no charge on a day without a rate. */
      rate: z.union([
        percent,
        z
          .array(
            z.strictObject({
              from: date,
              /** The last day. Default: the day before the next rate. */
              until: date.optional(),
              rate: percent,
              source: place.optional(),
            }),
          )
          .min(1),
      ]),
      /** `BASE` is the discounted base. Other names are types of earlier surcharges. */
      of: z.array(z.string()).min(1),
    }),
  ]),
});

const zones = z.strictObject({
  /** A zone chart of this tariff, and its column. */
  chart: name.optional(),
  column: z.string().min(1).max(20).optional(),
  /** The date of the chart if it is much older than the tariff. Explanations mention it. */
  chartDate: date.optional(),
  /** Upper bounds of all zones except the last, in great-circle miles. For origins without a chart. */
  distanceMiles: z.array(z.number().positive()).min(1).max(8).optional(),
  /** The rate columns of the distance bands, nearest first. Default: the columns of the rate table in order. */
  distanceColumns: z.array(z.string()).min(1).optional(),
});

/** The minimum weights of a multiweight shipment: its total, and the average per package. */
export const multiweightTerms = z.strictObject({
  minimumTotalLb: whole.default(100),
  minimumAverageLb: whole.default(15),
});

const sideRounding = z.enum(SIDE_ROUNDINGS);
const side = z.int().gte(1).lte(999);
export const MOST_TRANSIT_DAYS = 30;

const service = z.strictObject({
  code: z.string().regex(SERVICE_CODE, 'must be at most 10 upper-case letters, digits and hyphens'),
  carrier: z.string().min(1).max(40),
  description: z.string().min(1).max(80),
  addressLineRequired: z.boolean().default(false),
  refusesPoBox: z.boolean().default(false),
  dimensionalFactor: z.int().gte(1).lte(10_000),
  /**
   * How sides are rounded before volume, length and girth are computed, or the roundings by start date. The service
   * specification does not round. FedEx and UPS have rounded up to the inch since 2025-08-18. Default: up, because older
   * tariffs do not state it and were priced that way.
   */
  sideRounding: z
    .union([sideRounding, z.array(z.strictObject({ from: date, rounding: sideRounding })).min(1)])
    .optional(),
  maximumActualLb: z.int().gte(1).lte(10_000).default(150),
  maximumLengthIn: side.optional(),
  maximumLengthPlusGirthIn: side.optional(),
  /** Packages of up to this many cubic inches have no dimensional weight. */
  dimensionalOverCubicIn: whole.default(0),
  /** Greater dimensional weights are billed as this one. */
  maximumDimensionalLb: z.int().gte(1).lte(10_000).optional(),
  /** Terms of `cubic/<CODE>.csv`. Heavier and longer packages are priced by weight. */
  cubic: z
    .strictObject({
      maximumActualLb: whole,
      maximumLengthIn: side,
      /** There are no prices by weight. Packages need dimensions, and larger packages are not accepted. */
      only: z.literal(true).optional(),
    })
    .optional(),
  /** The only address type that the service delivers to. A service for homes charges every address as a home. */
  deliversTo: z.enum(['homes', 'businesses']).optional(),
  /** Request options that the service does not offer, besides Saturday delivery that other services charge for. */
  refuses: z.array(z.enum(REFUSALS.map(({ member }) => member))).optional(),
  /** Charges and limits that the service does not have. Their absence is not a gap in the price. */
  hasNo: z.array(z.enum(PRICE_PARTS)).default([]),
  zones,
  /** The zone from 1 to 8 that a rate column is reported as. Required for columns other than `1` to `8`. */
  rateZones: z.record(z.string(), z.int().gte(1).lte(8)).default({}),
  /** The rate cell that is the minimum for a discounted base. Default: 1 lb in the column of the nearest zone. */
  minimumNet: z.strictObject({ column: z.string(), weightLb: z.int().gte(1) }).optional(),
  /** The service's business days, and the transit days that its name promises within the contiguous states. */
  transit: z
    .strictObject({
      weekdays: z.array(z.enum(WEEKDAYS)).min(1).max(7),
      days: z.int().gte(1).lte(MOST_TRANSIT_DAYS).optional(),
    })
    .optional(),
  multiweight: multiweightTerms.optional(),
});

/** A carrier's holidays, when its services neither move nor deliver. */
const calendar = z.strictObject({
  holidays: z.array(z.strictObject({ date, status: z.enum(HOLIDAY_STATUS) })).max(400),
  /** The last day with known holidays. Later delivery dates are unknown. */
  until: date,
});

export const tariffFile = z.strictObject({
  name,
  description: z.string().max(400).default(''),
  effective: date,
  /** The effective date begins at midnight in this time zone. */
  timeZone: z.string().default('America/New_York'),
  /** In force only if no other tariff is. */
  fallback: z.boolean().default(false),
  /** What happens after the last fuel rate: it still applies and quotes say so, or there is none. */
  fuelAfterLastWeek: z.enum(['carry', 'omit']).default('carry'),
  /** Destination ZIP3s, ZIP5s or ranges that no service delivers to. */
  notServed: z.array(zipRange).default([]),
  /** The files that the tariff was imported from, with their SHA-256. */
  sources: z.array(z.strictObject({ file: z.string(), sha256: z.string() })).default([]),
  services: z.array(service).min(1).max(200),
  surcharges: z.array(surcharge).max(1_000).default([]),
  /** By carrier. A service with transit days needs its carrier's calendar. */
  calendars: z.record(z.string().min(1).max(40), calendar).optional(),
});

export type TariffFile = z.output<typeof tariffFile>;
export type TariffFileInput = z.input<typeof tariffFile>;
export type ServiceEntry = TariffFile['services'][number];
export type SurchargeEntry = TariffFile['surcharges'][number];

/** The cents of a row's cell. Null means no rate. @throws {Error} if the row has no such cell */
export const cellCents = (row: readonly (number | null)[], column: number): number | null => {
  const cents = row[column];
  return cents === null ? null : must(cents, 'a cell of a rate table');
};

/** A rate table. `cents[row][column]`: row 0 is 1 lb. Null means no rate. */
export interface RateTable {
  readonly columns: readonly string[];
  readonly cents: readonly (readonly (number | null)[])[];
  readonly centsPerLbAboveTop?: readonly (number | null)[];
  /** Rows below one pound, in ascending order. */
  readonly ounces?: readonly { readonly upToOz: number; readonly cents: readonly (number | null)[] }[];
}

/** Cubic prices. `tiers` are in ascending order. `hundredths` is cubic feet × 100, or cubic inches. */
export interface CubicTable {
  readonly columns: readonly string[];
  /** Limits are cubic inches. */
  readonly inInches?: true;
  readonly tiers: readonly { readonly hundredths: number; readonly cents: readonly (number | null)[] }[];
}

export interface MultiweightTable {
  readonly columns: readonly string[];
  /** Prices are per 100 pounds. Only agreements have such prices. */
  readonly perHundred?: true;
  readonly breaks: readonly { readonly fromLb: number; readonly centsPerLb: readonly (number | null)[] }[];
}

export interface ZoneChart {
  readonly columns: readonly string[];
  /** `zones` is parallel to `columns`. An empty string means no service. */
  readonly rows: readonly {
    readonly origin: string;
    readonly destination: string;
    readonly zones: readonly string[];
  }[];
}

export interface AreaList {
  readonly rows: readonly { readonly zip: string; readonly tier: string }[];
}

/** Business days of a lane. */
export interface TransitRow {
  readonly service: string;
  readonly origin: string;
  /** ZIP codes, or a zone from 1 to 8: `zone 5`. */
  readonly destination: string;
  readonly days: number;
}

export interface TariffDocument {
  readonly file: TariffFile;
  readonly rates: Readonly<Record<string, RateTable>>;
  readonly multiweight: Readonly<Record<string, MultiweightTable>>;
  readonly cubic: Readonly<Record<string, CubicTable>>;
  readonly charts: Readonly<Record<string, ZoneChart>>;
  readonly areas: Readonly<Record<string, AreaList>>;
  /** Absent if no file states transit days. */
  readonly transit?: readonly TransitRow[];
}

/** A problem of a tariff. A tariff with an error is unusable. A tariff with a warning is usable. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  /** The file, with row and column if known. */
  readonly at: string;
  readonly message: string;
  /** More about it, such as a line for each service. */
  readonly details?: readonly string[];
  /** The agreement's amendment whose file it is about: its first day, and `at` without its folder. */
  readonly amendment?: { readonly from: string; readonly at: string };
  /** What a warning means for shipments: some have no price, or an incomplete one. Absent for other warnings. */
  readonly effect?: 'unpriced' | 'incomplete';
}
