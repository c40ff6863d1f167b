/**
 * An agreement between a shipper and a carrier as plain data: what the shipper pays instead of the list. `folder.ts` reads
 * and writes it as a folder, `compile.ts` compiles it into terms for the core.
 *
 * The folder. Only agreement.json is required:
 *   agreement.json       all of `agreementFile` below
 *   discounts.csv        `discount, better_of, services, zones, from_lb, to_lb, address, billing, applies_to, tier, percent, usd`
 *   minimums.csv         `services, zones, address, billing, minimum, value, zone, weight_lb`
 *   surcharges.csv       `surcharge, services, zones, area, address, billing, from_lb, to_lb, tier, change, value, last_year`
 *   fuel.csv             `services, from, until, percent`: fuel rates of its own
 *   fuel_index.csv       `services, index, from_usd, percent`: fuel rates by bands of a price of fuel
 *   fuel_prices.csv      `index, from, usd`: that price, by week
 *   tiers.csv            `program, tier, from_usd, from_packages`: bands of what was spent or shipped
 *   spend.csv            `week_ending, program, usd, packages`: what was spent and shipped, by week
 *   notes.csv            `topic, text`: what is no price of a package
 *   rates/<CODE>.csv     a rate table in place of the list's, in the form of a tariff's `rates/<CODE>.csv`
 *   caps/<CODE>.csv      last year's net rates, in the same form, for `rateCapPercent`
 *   multiweight/<CODE>.csv  net prices of whole shipments, in the form of a tariff's `multiweight/<CODE>.csv`; with
 *                        `cwt_from_lb` in place of `from_lb`, prices per 100 pounds
 *   amendments/<date>/   the same files again: from that day, each replaces the file of its name
 *
 * Columns may come in any order. Those with a default may be absent. In a cell, `*` is all, and `|` separates several.
 * Whatever an agreement does not state follows the tariff in force.
 */
import { z } from 'zod';
import type { Billing } from '../../rating/fields.ts';
import type { MultiweightTable, RateTable } from '../tariff/document.ts';
import { multiweightTerms, SERVICE_CODE } from '../tariff/document.ts';

export const AGREEMENT_FILE = 'agreement.json';

export const AGREEMENT_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

const name = z.string().regex(AGREEMENT_NAME, 'must be lower-case letters, digits and hyphens, at most 40');
const code = z.string().regex(SERVICE_CODE, 'must be at most 10 upper-case letters, digits and hyphens');
const percent = z.string().regex(/^\d{1,3}(?:\.\d{1,2})?$/, 'must be a percentage with at most two decimals');
const date = z.iso.date();
const tier = z.string().min(1).max(20);

const service = z.strictObject({
  /** In place of the tariff's. */
  dimensionalFactor: z.int().gte(1).lte(10_000).optional(),
  /** The divisor of packages of more cubic inches or more pounds of actual weight, in place of the other one. */
  secondDivisor: z
    .strictObject({
      overCubicIn: z.int().gte(1).lte(1_000_000).optional(),
      overLb: z.int().gte(1).lte(10_000).optional(),
      dimensionalFactor: z.int().gte(1).lte(10_000),
    })
    .refine(({ overCubicIn, overLb }) => (overCubicIn === undefined) !== (overLb === undefined), {
      message: 'must have either overCubicIn or overLb',
    })
    .optional(),
  /** The dimensional weight of a package of at most so many cubic inches does not count. */
  dimensionalOverCubicIn: z.int().gte(0).lte(1_000_000).optional(),
  /** A package's net base is at most so many percent above its net rate in `caps/<CODE>.csv`. */
  rateCapPercent: percent.optional(),
  /** Of the prices in `multiweight/<CODE>.csv`. */
  multiweight: multiweightTerms.optional(),
});

/** How a tier in force is found. The first of these that says something on a day decides. */
const tierRules = {
  /** Tiers that carrier and shipper have set, whatever was spent. */
  inForce: z
    .array(z.strictObject({ from: date, until: date.optional(), tier }))
    .max(500)
    .default([]),
  /** From the effective date until this day, this tier. */
  grace: z.strictObject({ until: date, tier }).optional(),
  /** Weeks of the rolling average. With fewer weeks in spend.csv, the average is of those. */
  averageWeeks: z.int().gte(1).lte(104).default(52),
  /** The tier falls only if the average has been lower for so many weeks in a row; of quarters, so many quarters. */
  lowerAfterWeeks: z.int().gte(1).lte(52).default(1),
  /** The tier of a week's average, or of a quarter, is in force from so many days after its last day. */
  fromDaysAfter: z.int().gte(1).lte(60).default(1),
};

/**
 * What the bands of a program are of: the average week of the last `averageWeeks`, the last whole calendar quarter, or those
 * weeks as a year.
 */
export const PERIODS = ['week', 'quarter', 'year'] as const;
export type Period = (typeof PERIODS)[number];

const MAX_PROGRAMS = 20;
const program = z.strictObject({ period: z.enum(PERIODS).default('week'), ...tierRules });
/** As a cell of a file can have it. */
const programName = z
  .string()
  .max(40)
  .regex(/^[\p{L}\p{N}][^\p{C}\p{Zl}\p{Zp}]*$/u, 'must begin with a letter or a digit, without line ends')
  .refine((text) => text === text.trim(), 'must not end with a space');

/** The tier of lines without a program, and programs with tiers of their own. Tiers of different programs add up. */
const earned = z.strictObject({
  ...tierRules,
  programs: z
    .record(programName, program)
    .refine((all) => Object.keys(all).length <= MAX_PROGRAMS, `must have at most ${MAX_PROGRAMS} programs`)
    .optional(),
});

export const agreementFile = z.strictObject({
  name,
  description: z.string().max(400).default(''),
  /** `*` in a services cell stands for all services of this carrier. */
  carrier: z.string().min(1).max(40),
  /** The first and the last ship date. Default: no end. */
  effective: date,
  until: date.optional(),
  services: z.record(code, service).default({}),
  earned: earned.prefault({}),
});

export type AgreementFile = z.output<typeof agreementFile>;
export type AgreementFileInput = z.input<typeof agreementFile>;

/** `*` or a list of what a cell names. */
export type Named<T> = '*' | readonly T[];

/** The row of the file that a line was read from; the header is row 1. */
interface Line {
  readonly row: number;
}

/** A line that may be for some ways to pay alone. */
interface BilledLine extends Line {
  /** Absent: whoever pays. */
  readonly billing?: readonly Billing[];
}

/** Rate columns: one by name (`205`, `44`), or from a number to another. See `zonesOf` in `subject.ts`. */
export interface ZoneRange {
  readonly from: string;
  readonly to: string;
}

export const ADDRESSES = ['any', 'residential', 'commercial'] as const;
export type Address = (typeof ADDRESSES)[number];

export const APPLIES_TO = ['both', 'packages', 'multiweight'] as const;
export type AppliesTo = (typeof APPLIES_TO)[number];

/**
 * A percentage off the base. Lines of one `discount` must not overlap. Discounts add up; of those with one `betterOf`, only
 * the highest counts.
 */
export interface DiscountLine extends BilledLine {
  readonly discount: string;
  readonly betterOf?: string;
  readonly services: Named<string>;
  readonly zones: Named<ZoneRange>;
  /** Billing weight in pounds, inclusive. Default: from 1, without an end. */
  readonly fromLb: number;
  readonly toLb?: number;
  readonly address: Address;
  readonly appliesTo: AppliesTo;
  /** Counts only while this tier is in force. */
  readonly tier?: string;
  /** Such as `18.50`; negative if it raises the base. `0.00` beside an amount. */
  readonly percent: string;
  /** Dollars off each package, after all percentages. A shipment that is rated as a whole has none. */
  readonly usd?: string;
}

/** In place of the zone of a minimum's cell: the zone that the package goes to. */
export const OWN_ZONE = 'own';

export const MINIMUM_KINDS = ['usd', 'less usd', 'less percent'] as const;

/** The least that a discount leaves of a package's base. Without a line for a service: the tariff's. */
export interface MinimumLine extends BilledLine {
  readonly services: Named<string>;
  /** Absent: all that no line before it names. */
  readonly zones?: Named<ZoneRange>;
  readonly address: Address;
  /** An amount, or the cell of the rate table at `zone` and `weightLb` less an amount or a percentage. */
  readonly minimum: (typeof MINIMUM_KINDS)[number];
  readonly value: string;
  /** `own`, or a column. Default: the cell of the tariff's own minimum, which is the nearest zone at 1 lb. */
  readonly zone?: string;
  readonly weightLb?: number;
}

/**
 * `points off` is of percentages alone, `amount off` of amounts alone. `at most` comes after any other change. `exactly` may
 * be more than the list's.
 */
export const CHANGES = ['percent off', 'amount off', 'points off', 'fixed', 'exactly', 'waived', 'at most'] as const;
export type Change = (typeof CHANGES)[number];

/** What is charged instead of a surcharge of the list. */
export interface SurchargeLine extends BilledLine {
  /** A type such as `RESIDENTIAL`, or the beginning of types with a star: `DELIVERY_AREA*`. */
  readonly surcharge: string;
  readonly services: Named<string>;
  readonly zones: Named<ZoneRange>;
  /** The tier of an area list; absent: any or none. */
  readonly area?: string;
  /** Absent: any. */
  readonly address?: Exclude<Address, 'any'>;
  /** Billing weight in pounds, inclusive. Absent: without an end. */
  readonly fromLb?: number;
  readonly toLb?: number;
  /** Counts only while this tier is in force. */
  readonly tier?: string;
  readonly change: Change;
  /** Percent, or dollars with two decimals; of a percentage (fuel) always percent. Empty if it is waived. */
  readonly value: string;
  /** Last year's amount, dollars or percent. `at most` so many percent above it. */
  readonly lastYear?: string;
  /** `fixed` or `at most` a percentage: the cell has a percent sign. */
  readonly isPercent?: true;
}

/** A fuel rate in place of the tariff's. After the last day of the last line, the tariff's counts again. */
export interface FuelLine extends Line {
  readonly services: Named<string>;
  readonly from: string;
  /** Default: the day before the next line of the same services. */
  readonly until?: string;
  readonly percent: string;
}

/** A fuel rate for a price of fuel, up to the next band's of the same services. It counts on days without a `FuelLine`. */
export interface FuelBandLine extends Line {
  readonly services: Named<string>;
  /** The name of the price. */
  readonly index: string;
  /** Such as `3.512`. */
  readonly fromUsd: string;
  readonly percent: string;
}

/** The price of fuel for the shipments of a week. After the last one, it holds on, and quotes say so. */
export interface FuelPriceLine extends Line {
  readonly index: string;
  /** The first ship date of the week. */
  readonly from: string;
  readonly usd: string;
}

/** A band, up to the next one's: of average weekly spend, or of what its program counts. It begins at either amount. */
export interface TierLine extends Line {
  readonly program?: string;
  readonly tier: string;
  /** Such as `59894.02`. */
  readonly fromUsd?: string;
  readonly fromPackages?: number;
}

/** What was spent and shipped in a week. Without a program, it counts for all programs that have no lines of their own. */
export interface SpendLine extends Line {
  readonly weekEnding: string;
  readonly program?: string;
  readonly usd?: string;
  readonly packages?: number;
}

/** What a paper says beside prices: rebates, commitments, early termination, waived guarantees. Nobody computes with it. */
export interface NoteLine extends Line {
  readonly topic: string;
  readonly text: string;
}

/** The files of an agreement or an amendment. Agreements from before a file existed lack its member, and keep their ids. */
export interface AgreementTables {
  readonly discounts: readonly DiscountLine[];
  readonly minimums: readonly MinimumLine[];
  readonly surcharges: readonly SurchargeLine[];
  readonly fuel: readonly FuelLine[];
  readonly tiers: readonly TierLine[];
  readonly spend: readonly SpendLine[];
  readonly notes?: readonly NoteLine[];
  readonly fuel_index?: readonly FuelBandLine[];
  readonly fuel_prices?: readonly FuelPriceLine[];
  /** By service code. */
  readonly rates: Readonly<Record<string, RateTable>>;
  readonly caps: Readonly<Record<string, RateTable>>;
  readonly multiweight?: Readonly<Record<string, MultiweightTable>>;
}

/** The members with a file for each service, in a folder of this name. */
export const CODE_TABLES = ['rates', 'caps', 'multiweight'] as const;

/** The files that an amendment replaces; of `CODE_TABLES` each table by itself. */
export interface Amendment extends Partial<AgreementTables> {
  readonly from: string;
  readonly file?: AgreementFile;
}

export interface AgreementDocument {
  readonly file: AgreementFile;
  readonly tables: AgreementTables;
  /** By date. */
  readonly amendments: readonly Amendment[];
}

export const NO_TABLES: AgreementTables = {
  discounts: [],
  minimums: [],
  surcharges: [],
  fuel: [],
  tiers: [],
  spend: [],
  rates: {},
  caps: {},
};
