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
import type { MultiweightTable, RateTable } from '../tariff/document.ts';
import { multiweightTerms, SERVICE_CODE } from '../tariff/document.ts';
import type { Lines } from './tables.ts';

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
  /** Packages of up to this many cubic inches have no dimensional weight. */
  dimensionalOverCubicIn: z.int().gte(0).lte(1_000_000).optional(),
  /** A package's net base charge is at most this many percent above its net rate in `caps/<CODE>.csv`. */
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
  /** The tier falls only if the average has been lower for this many weeks, or quarters, in a row. */
  lowerAfterWeeks: z.int().gte(1).lte(52).default(1),
  /** The tier of a week or a quarter takes effect this many days after its last day. */
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

export type DiscountLine = Lines['discounts'];
export type MinimumLine = Lines['minimums'];
export type SurchargeLine = Lines['surcharges'];
export type FuelLine = Lines['fuel'];
export type FuelPriceLine = Lines['fuel_prices'];
export type TierLine = Lines['tiers'];
export type SpendLine = Lines['spend'];

/** The lines of files that each agreement has. Those from before another file existed lack its member, and keep their ids. */
type FirstTables = 'discounts' | 'minimums' | 'surcharges' | 'fuel' | 'tiers' | 'spend';
type LinesOf<K extends keyof Lines> = { readonly [T in K]: readonly Lines[T][] };

/** The files of an agreement or an amendment. */
export interface AgreementTables extends LinesOf<FirstTables>, Partial<LinesOf<Exclude<keyof Lines, FirstTables>>> {
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
