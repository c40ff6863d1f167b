/**
 * A tariff as plain data: everything that prices depend on, in force from a date. `folder.ts` reads and writes it as a
 * folder, `compile.ts` compiles it into cards for the core.
 *
 * The folder:
 *   tariff.json            all of `tariffFile` below
 *   rates/<CODE>.csv       `weight_lb` and a column for each rate column; a row for each pound from 1 up without a gap.
 *                          A last row `per_lb` has prices per pound for heavier dimensional weights. First rows such as
 *                          `8 oz` have prices for packages of up to this many ounces
 *   cubic/<CODE>.csv       `up_to_cubic_ft`, or `up_to_cubic_in`, and rate columns: prices by volume, for small packages
 *   multiweight/<CODE>.csv `from_lb` and the same rate columns, price per pound
 *   zones/<chart>.csv      `origin`, `destination` (each a ZIP3, a ZIP5 or a range of either: `070-076`, `02139`) and a
 *                          column for each zone column. An empty cell is no service. The most specific row wins
 *   areas/<list>.csv       `zip`, `tier`
 *   transit.csv            `service`, `origin`, `destination`, `days`: business days. An origin is a ZIP3, a ZIP5 or a range
 *                          of either; a destination too, or `zone 5`. The most specific row wins, and a ZIP code over a zone
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

/** What the request asks for (`rates.options`): the surcharge applies to any of these signatures, and of these ways to pay. */
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
  /** At least one of these must hold. */
  anyOf: z.array(z.strictObject(measures)).min(1).max(20).optional(),
  ...asked,
  /** The declared value for each package is less than this, or none is declared. */
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
  /** The most that a shipment pays if it is rated as a whole. */
  multiweightMaximumUsd: money.optional(),
  amount: z.discriminatedUnion('per', [
    z.strictObject({
      per: z.enum(['shipment', 'package', 'pound']),
      /**
       * One amount for all rate columns, or an amount for each. A key is a rate column, or `zone 5` for all columns that
       * are reported as zone 5, or `*` for the other columns. Without `*` they are free. `null` is an amount that nobody
       * knows: quotes say that they lack it.
       */
      usd: z.union([money, z.record(z.string(), money.nullable())]),
    }),
    z.strictObject({
      /** Once for the shipment, on `rates.options.declaredValue`: nothing up to `freeUsd`, and at least `minimumUsd` above. */
      per: z.literal('declaredValue'),
      freeUsd: whole.default(100),
      /** For each $100 and for a rest of less. */
      usdPer100: money,
      minimumUsd: money.default('0.00'),
    }),
    z.strictObject({
      per: z.literal('percent'),
      /** The rate, or the rates by date (fuel by week). On a day without a rate there is no charge. */
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
      /** `BASE` is the discounted base. Others are types of surcharges that come before this one. */
      of: z.array(z.string()).min(1),
    }),
  ]),
});

const zones = z.strictObject({
  /** A zone chart of this tariff, and its column. */
  chart: name.optional(),
  column: z.string().min(1).max(20).optional(),
  /** The day of the chart, if it is much older than the tariff: explanations say it. */
  chartDate: date.optional(),
  /** Upper bounds of all zones but the last, in great-circle miles. For origins without a chart. */
  distanceMiles: z.array(z.number().positive()).min(1).max(8).optional(),
  /** The rate columns of the distance bands, nearest first. Default: the columns of the rate table in order. */
  distanceColumns: z.array(z.string()).min(1).optional(),
});

/** From which weight on a shipment of several packages is rated as a whole, and at what for each package at least. */
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
   * specification does not round. FedEx and UPS round up to the inch since 2025-08-18. Default: up, because older tariffs
   * do not state it and were priced so.
   */
  sideRounding: z
    .union([sideRounding, z.array(z.strictObject({ from: date, rounding: sideRounding })).min(1)])
    .optional(),
  maximumActualLb: z.int().gte(1).lte(10_000).default(150),
  maximumLengthIn: side.optional(),
  maximumLengthPlusGirthIn: side.optional(),
  /** Packages of up to this many cubic inches have no dimensional weight. */
  dimensionalOverCubicIn: whole.default(0),
  /** Terms of `cubic/<CODE>.csv`. Heavier or longer packages are priced by weight. */
  cubic: z
    .strictObject({
      maximumActualLb: whole,
      maximumLengthIn: side,
      /** There are no prices by weight: a package needs dimensions, and a larger one is not taken. */
      only: z.literal(true).optional(),
    })
    .optional(),
  /** The only kind of address that it goes to. A service for homes charges every address as a home. */
  deliversTo: z.enum(['homes', 'businesses']).optional(),
  /** The options of a request that it does not offer, besides Saturday delivery that other services have charges for. */
  refuses: z.array(z.enum(REFUSALS.map(({ member }) => member))).optional(),
  /** What this service does not charge, or does not limit. Its absence is then no gap in the price. */
  hasNo: z.array(z.enum(PRICE_PARTS)).default([]),
  zones,
  /** The zone from 1 to 8 that a rate column is reported as. Required for columns other than `1` to `8`. */
  rateZones: z.record(z.string(), z.int().gte(1).lte(8)).default({}),
  /** The rate cell that is the minimum of a discounted base. Default: 1 lb in the column of the nearest zone. */
  minimumNet: z.strictObject({ column: z.string(), weightLb: z.int().gte(1) }).optional(),
  /** Its business days, and the days that its name promises, if it does: within the contiguous states. */
  transit: z
    .strictObject({
      weekdays: z.array(z.enum(WEEKDAYS)).min(1).max(7),
      days: z.int().gte(1).lte(MOST_TRANSIT_DAYS).optional(),
    })
    .optional(),
  multiweight: multiweightTerms.optional(),
});

/** The holidays of a carrier: on them its services neither move nor deliver. */
const calendar = z.strictObject({
  holidays: z.array(z.strictObject({ date, status: z.enum(HOLIDAY_STATUS) })).max(400),
  /** The last day that they are known for: later dates of delivery are unknown. */
  until: date,
});

export const tariffFile = z.strictObject({
  name,
  description: z.string().max(400).default(''),
  effective: date,
  /** The effective date begins at midnight in this time zone. */
  timeZone: z.string().default('America/New_York'),
  /** In force only while no other tariff is. */
  fallback: z.boolean().default(false),
  /** After the last fuel rate: the last one holds on and quotes say so, or there is none. */
  fuelAfterLastWeek: z.enum(['carry', 'omit']).default('carry'),
  /** Destination ZIP3s, ZIP5s or ranges that no service reaches. */
  notServed: z.array(zipRange).default([]),
  /** The files that it was imported from, and their SHA-256. */
  sources: z.array(z.strictObject({ file: z.string(), sha256: z.string() })).default([]),
  services: z.array(service).min(1).max(200),
  surcharges: z.array(surcharge).max(1_000).default([]),
  /** By carrier. A service with transit days needs that of its carrier. */
  calendars: z.record(z.string().min(1).max(40), calendar).optional(),
});

export type TariffFile = z.output<typeof tariffFile>;
export type TariffFileInput = z.input<typeof tariffFile>;
export type ServiceEntry = TariffFile['services'][number];
export type SurchargeEntry = TariffFile['surcharges'][number];

/** The cents of a cell of a row; null is no rate. @throws {Error} if the row has no such cell */
export const cellCents = (row: readonly (number | null)[], column: number): number | null => {
  const cents = row[column];
  return cents === null ? null : must(cents, 'a cell of a rate table');
};

/** A rate table. `cents[row][column]`: row 0 is 1 lb; null is no rate. */
export interface RateTable {
  readonly columns: readonly string[];
  readonly cents: readonly (readonly (number | null)[])[];
  readonly centsPerLbAboveTop?: readonly (number | null)[];
  /** Rows below one pound, rising. */
  readonly ounces?: readonly { readonly upToOz: number; readonly cents: readonly (number | null)[] }[];
}

/** Prices by volume. `tiers` rise; `hundredths` is cubic feet × 100, or cubic inches. */
export interface CubicTable {
  readonly columns: readonly string[];
  /** Limits are cubic inches. */
  readonly inInches?: true;
  readonly tiers: readonly { readonly hundredths: number; readonly cents: readonly (number | null)[] }[];
}

export interface MultiweightTable {
  readonly columns: readonly string[];
  /** Prices are of a hundred pounds: of agreements alone. */
  readonly perHundred?: true;
  readonly breaks: readonly { readonly fromLb: number; readonly centsPerLb: readonly (number | null)[] }[];
}

export interface ZoneChart {
  readonly columns: readonly string[];
  /** `zones` has the order of `columns`. An empty string is no service. */
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
  /** Absent: no file states days. */
  readonly transit?: readonly TransitRow[];
}

/** A problem of a tariff. A tariff with an error cannot be used; a tariff with a warning can. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  /** File, and row and column if there is one. */
  readonly at: string;
  readonly message: string;
}
