/**
 * An agreement between a shipper and a carrier as plain data: what the shipper pays instead of the list. `folder.ts` reads
 * and writes it as a folder. `compile.ts` compiles it into terms for the core.
 *
 * The folder. Only agreement.json is required:
 *   agreement.json       all of `agreementFile` below
 *   discounts.csv        `discount, better_of, services, zones, from_lb, to_lb, address, billing, applies_to, tier, percent, usd`
 *   minimums.csv         `services, zones, address, billing, minimum, value, zone, weight_lb`
 *   surcharges.csv       `surcharge, services, zones, area, address, billing, from_lb, to_lb, tier, change, value, last_year`
 *   fuel.csv             `services, from, until, percent`: the agreement's own fuel rates
 *   fuel_index.csv       `services, index, from_usd, percent`: fuel rates by bands of a fuel price
 *   fuel_prices.csv      `index, from, usd`: fuel prices, by week
 *   tiers.csv            `program, tier, from_usd, from_packages`: bands of what was spent or shipped
 *   spend.csv            `week_ending, program, usd, packages`: what was spent and shipped, by week
 *   notes.csv            `topic, text`: terms that are not prices
 *   rates/<CODE>.csv     a rate table that replaces the list's, in the form of a tariff's `rates/<CODE>.csv`
 *   caps/<CODE>.csv      last year's net rates, in the same form, for `rateCapPercent`
 *   multiweight/<CODE>.csv  net multiweight prices, in the form of a tariff's `multiweight/<CODE>.csv`, or
 *                        per 100 pounds with `cwt_from_lb` instead of `from_lb`
 *   amendments/<date>/   the same files again: from that day, each replaces the file with its name
 *
 * Columns may come in any order. Columns with a default may be absent. In a cell, `*` means all, and `|` separates values.
 * The tariff in force applies to everything that an agreement does not state.
 */
import { z } from 'zod';
import type { MultiweightTable, RateTable } from '../tariff/document.ts';
import { multiweightTerms, SERVICE_CODE } from '../tariff/document.ts';
import type { Lines } from './tables.ts';

export const AGREEMENT_FILE = 'agreement.json';

export const AGREEMENT_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

export const agreementName = z
  .string()
  .regex(AGREEMENT_NAME, 'must be lower-case letters, digits and hyphens, at most 40');
const code = z.string().regex(SERVICE_CODE, 'must be at most 10 upper-case letters, digits and hyphens');
const percent = z
  .string('must be a percentage in quotes, such as "3.5"')
  .regex(/^\d{1,3}(?:\.\d{1,2})?$/, 'must be a percentage with at most two decimals');
const date = z.iso.date();
const tier = z.string().min(1).max(20);

const service = z.strictObject({
  /** Replaces the tariff's factor. */
  dimensionalFactor: z.int().gte(1).lte(10_000).optional(),
  /** The divisor for packages above a volume in cubic inches or an actual weight in pounds. */
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
  /** Packages of up to this many cubic inches have no dimensional weight. */
  dimensionalOverCubicIn: z.int().gte(0).lte(1_000_000).optional(),
  /** A package's net base charge is at most this many percent above its net rate in `caps/<CODE>.csv`. */
  rateCapPercent: percent.optional(),
  /** The terms of the prices in `multiweight/<CODE>.csv`. */
  multiweight: multiweightTerms.optional(),
});

/** How the tier in force is found. The first rule that applies on a day decides. */
const tierRules = {
  /** Tiers that carrier and shipper have agreed on, regardless of spend. */
  inForce: z
    .array(z.strictObject({ from: date, until: date.optional(), tier }))
    .max(500)
    .default([]),
  /** The tier from the effective date until this day. */
  grace: z.strictObject({ until: date, tier }).optional(),
  /** Weeks of the rolling average. If spend.csv has fewer weeks, they are averaged. */
  averageWeeks: z.int().gte(1).lte(104).default(52),
  /** The tier falls only if the average has been lower for this many weeks, or quarters, in a row. */
  lowerAfterWeeks: z.int().gte(1).lte(52).default(1),
  /** The tier of a week or a quarter takes effect this many days after its last day. */
  fromDaysAfter: z.int().gte(1).lte(60).default(1),
};

/**
 * What the bands of a program measure: the average of the last `averageWeeks` weeks, the last whole calendar quarter, or the
 * average extended to a year.
 */
export const PERIODS = ['week', 'quarter', 'year'] as const;
export type Period = (typeof PERIODS)[number];

const MAX_PROGRAMS = 20;
const program = z.strictObject({ period: z.enum(PERIODS).default('week'), ...tierRules });
/** A name that a cell of a file can have. */
const programName = z
  .string()
  .max(40)
  .regex(/^[\p{L}\p{N}][^\p{C}\p{Zl}\p{Zp}]*$/u, 'must begin with a letter or a digit, without line ends')
  .refine((text) => text === text.trim(), 'must not end with a space');

/** The tier of lines without a program, and programs with their own tiers. Tiers of different programs add up. */
const earned = z.strictObject({
  ...tierRules,
  programs: z
    .record(programName, program)
    .refine((all) => Object.keys(all).length <= MAX_PROGRAMS, `must have at most ${MAX_PROGRAMS} programs`)
    .optional(),
});

export const agreementFile = z.strictObject({
  name: agreementName,
  description: z.string().max(400).default(''),
  /** `*` in a services cell means all services of this carrier. */
  carrier: z.string().min(1).max(40),
  /** The first and the last ship date. Default: no end. */
  effective: date,
  until: date.optional(),
  services: z.record(code, service).default({}),
  earned: earned.prefault({}),
});

export type AgreementFile = z.output<typeof agreementFile>;
export type AgreementFileInput = z.input<typeof agreementFile>;

export type DiscountLine = Lines['discounts'];
export type MinimumLine = Lines['minimums'];
export type SurchargeLine = Lines['surcharges'];
export type FuelLine = Lines['fuel'];
export type FuelPriceLine = Lines['fuel_prices'];
export type TierLine = Lines['tiers'];
export type SpendLine = Lines['spend'];

/** Files that every agreement has. Newer files are optional members, so that older agreements keep their ids. */
type FirstTables = 'discounts' | 'minimums' | 'surcharges' | 'fuel' | 'tiers' | 'spend';
type LinesOf<K extends keyof Lines> = { readonly [T in K]: readonly Lines[T][] };

/** The files of an agreement or an amendment. */
export interface AgreementTables extends LinesOf<FirstTables>, Partial<LinesOf<Exclude<keyof Lines, FirstTables>>> {
  /** By service code. */
  readonly rates: Readonly<Record<string, RateTable>>;
  readonly caps: Readonly<Record<string, RateTable>>;
  readonly multiweight?: Readonly<Record<string, MultiweightTable>>;
}

/** The members with one file per service, in a folder with the member's name. */
export const CODE_TABLES = ['rates', 'caps', 'multiweight'] as const;

/** The members whose lines name services. */
export const SERVICE_TABLES = ['discounts', 'minimums', 'surcharges', 'fuel', 'fuel_index'] as const;

/** The files that an amendment replaces. Each table of `CODE_TABLES` is replaced separately. */
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
