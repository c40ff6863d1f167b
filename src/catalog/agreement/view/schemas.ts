/** A client's view of its agreements (contract, Agreements). Amounts are US dollars. Percentages are in percent. */
import { z } from 'zod';
import { BILLINGS } from '../../../rating/fields.ts';
import { ADDRESSES, APPLIES_TO, MINIMUM_KINDS } from '../cells.ts';
import { PERIODS } from '../document.ts';
import { MEASURES } from '../tiers.ts';

const dollarsSchema = z.number().describe('US dollars, at most two decimals.');
const percent = z.number().describe('Percent, at most two decimals.');
const date = z.string().describe('`YYYY-MM-DD`');
const services = z.array(z.string()).nullable().describe('Codes of services; null for all services of the carrier.');

const billing = z.array(z.enum(BILLINGS)).nullable().describe('Who must pay for the line to apply. Null: any payer.');

const tier = z.object({
  tier: z.string().nullable().describe('Null if the average is below the first tier or unknown.'),
  by: z
    .enum(['agreed', 'grace', 'average', 'unknown'])
    .describe(
      'Why this tier is in force. `agreed`: carrier and shipper agreed on it. `grace`: the grace period. `average`: the average spend, or the figure of a program. `unknown`: no spend is known.',
    ),
  since: date.nullable().describe('The first day of this tier; null if it is not known.'),
  until: date
    .nullable()
    .describe(
      'The last day of an agreed tier or of the grace period. For a program, also the last day before its next figure counts. Otherwise null.',
    ),
  uncertain: z.boolean().describe('Whether the known spend is too old to be certain.'),
});

const service = z.object({ shippingService: z.string(), description: z.string() });

const summary = z.object({
  name: z.string(),
  carrier: z.string(),
  description: z.string(),
  effective: date,
  until: date.nullable().describe('The last ship date; null without an end.'),
  inForce: z
    .enum(['now', 'later', 'past'])
    .describe('The state today. An agreement that is past has no effect: list prices apply.'),
  accounts: z
    .array(
      z.object({
        account: z.string().nullable().describe('Your account number with the carrier. Null if it is not known.'),
        warehouses: z.array(z.int()).nullable().describe('Null for all of your warehouses.'),
      }),
    )
    .describe('The warehouses that the agreement applies to.'),
  tier: tier.nullable().describe('The tier in force; null if the agreement has no tiers, or only those of programs.'),
  services: z.array(service).describe('The services that the agreement has terms for.'),
});
export type AgreementSummary = z.output<typeof summary>;

const ownPrices = z.object({
  source: z.string().describe('The file.'),
  minimumTotalLb: z.int(),
  minimumAverageLb: z.int().describe('The lowest weight in pounds at which each package counts.'),
  perLb: z.int().describe('How many pounds each price is for: 1 or 100.'),
  zones: z.array(z.string()).describe('Rate columns.'),
  breaks: z.array(
    z.object({
      fromLb: z.int(),
      usd: z.array(dollarsSchema.nullable()).describe('In the order of `zones`. Null if there is no such price.'),
    }),
  ),
});
export type OwnPrices = z.output<typeof ownPrices>;

const serviceTerms = service.extend({
  minimumCharge: z
    .object({ residential: dollarsSchema, commercial: dollarsSchema })
    .describe('The lowest base charge that discounts can leave for a package. If it differs by zone, the lowest.'),
  listMinimumCharge: dollarsSchema,
  minimumAs: z
    .array(
      z.object({
        zones: z.array(z.string()).nullable().describe('Null for all services that no earlier line names.'),
        address: z.enum(ADDRESSES),
        billing,
        minimum: z.enum(MINIMUM_KINDS),
        value: z.number(),
        zone: z.string().nullable().describe('`own`: the zone that the package goes to.'),
        weightLb: z.int().nullable(),
      }),
    )
    .describe('How the agreement states the minimum. Empty if the list minimum applies.'),
  dimensionalFactor: z.int(),
  listDimensionalFactor: z.int(),
  dimensionalOverCubicIn: z.int().describe('Packages of up to this many cubic inches have no dimensional weight.'),
  listDimensionalOverCubicIn: z.int(),
  secondDivisor: z
    .object({ dimensionalFactor: z.int(), over: z.string() })
    .nullable()
    .describe('The divisor for larger packages, such as those `over 1,728 cubic in`. Null if there is none.'),
  rateCapPercent: percent
    .nullable()
    .describe(
      'The most that the net base charge of a package may rise above last year’s, in percent. Null if there is no cap.',
    ),
  ownRates: z.boolean().describe('Whether the agreement has its own rates, which replace list rates.'),
  multiweight: ownPrices
    .nullable()
    .describe(
      'The agreement’s net prices for several packages that are rated as one shipment. Null if there are none.',
    ),
});

const discount = z.object({
  discount: z.string().describe('The name of the discount. Discounts with different names add up.'),
  betterOf: z
    .string()
    .nullable()
    .describe('Of the discounts with the same name here, only the highest counts. Null: the discount always counts.'),
  services,
  zones: z.array(z.string()).nullable().describe('Such as `2-8` or `44`; null for all.'),
  fromLb: z.int().describe('Billing weight, inclusive.'),
  toLb: z.int().nullable().describe('Inclusive. Null if there is no end.'),
  address: z.enum(ADDRESSES),
  billing,
  appliesTo: z.enum(APPLIES_TO),
  tier: z.string().nullable().describe('The discount counts only while this tier is in force. Null: it always counts.'),
  percent: percent.describe('Percent off the base charge. Negative if it raises the charge, and 0 if `usd` is set.'),
  usd: dollarsSchema
    .nullable()
    .describe('Dollars off each package, after all percentages. Null if the discount is a percentage.'),
  counts: z.boolean().describe('Whether the discount counts in the tier in force.'),
});
export type AgreementDiscount = z.output<typeof discount>;

const range = z.object({ least: z.number(), most: z.number() });

const surcharge = z.object({
  services: z.array(z.string()),
  type: z.string(),
  description: z.string(),
  because: z
    .array(z.string())
    .describe('The conditions, which must all hold. If there are none, it is always charged.'),
  per: z
    .enum(['package', 'pound', 'shipment', 'declaredValue', 'percent'])
    .describe('What each amount applies to: dollars for each of these, or percent.'),
  list: range.nullable().describe('The lowest and the highest amount of all zones. Null for a declared value.'),
  billed: range.nullable().describe('What you pay instead.'),
  changes: z.array(z.string()).describe('How the agreement changes the surcharge, in words.'),
});
export type AgreementSurcharge = z.output<typeof surcharge>;

const fee = z.object({
  fee: z.string().describe('Such as `ADDRESS_CORRECTION`.'),
  services,
  change: z.string().describe('In words, such as `50.00% off`.'),
});

const tiers = z.object({
  bands: z
    .array(z.object({ tier: z.string(), fromUsd: dollarsSchema, inForce: z.boolean() }))
    .describe('The tiers by average weekly spend, lowest first.'),
  averageWeeks: z.int().describe('The number of weeks in the rolling average.'),
  spend: z
    .object({
      averageUsd: dollarsSchema.describe('A week.'),
      weeks: z.int().describe('The number of weeks in the average.'),
      lastWeekEnding: date,
      tier: z.string().nullable().describe('The tier according to the spend alone.'),
    })
    .nullable()
    .describe('Null if no spend is known.'),
  next: z
    .object({
      tier: z.string(),
      fromUsd: dollarsSchema,
      missingUsd: dollarsSchema.nullable().describe('How much the average must rise. Null if no spend is known.'),
    })
    .nullable()
    .describe('Null in the highest tier.'),
});

const figure = z.number().describe('US dollars, or packages.');

const program = z.object({
  program: z.string(),
  measure: z.enum(MEASURES).describe('What the program counts.'),
  period: z
    .enum(PERIODS)
    .describe('What the figure covers: an average `week`, the last whole calendar `quarter`, or a `year` of weeks.'),
  averageWeeks: z.int().nullable().describe('The number of weeks in the average or in the year. Null for a quarter.'),
  tier,
  bands: z
    .array(z.object({ tier: z.string(), from: figure, inForce: z.boolean() }))
    .describe('The tiers, lowest first. Empty if only the contract sets the tier.'),
  figure: z
    .object({
      value: figure,
      weeks: z.int().describe('The number of weeks in the average.'),
      lastDay: date,
      tier: z.string().nullable().describe('The tier according to the figure alone.'),
    })
    .nullable()
    .describe('Null if it is not known.'),
  next: z
    .object({ tier: z.string(), from: figure, missing: figure.nullable() })
    .nullable()
    .describe('What the next tier needs; null in the highest one.'),
});

const detail = summary.extend({
  date: date.describe('The day that the tables show: today, or the first or last day of the agreement.'),
  changes: z.array(date).describe('The days on which amendments take effect.'),
  services: z.array(serviceTerms),
  discounts: z.array(discount),
  totals: z.array(discount).describe('What all discounts on a single package add up to, in the tiers in force.'),
  surcharges: z.array(surcharge).describe('The surcharges for which you do not pay the list price.'),
  fees: z.array(fee).describe('Terms for fees that the tariffs do not have. Quotes never include these fees.'),
  notes: z.array(z.object({ topic: z.string(), text: z.string() })).describe('Terms that do not affect prices.'),
  fuel: z
    .array(z.object({ services, from: date, until: date.nullable(), percent }))
    .describe('The agreement’s own fuel rates.'),
  fuelIndex: z
    .array(
      z.object({
        services,
        index: z.string().describe('The name of the price of fuel.'),
        fromUsd: z.number(),
        toUsd: z.number().nullable().describe('The price is less than this. Null if there is no end.'),
        percent,
        inForce: z.boolean(),
        price: z
          .object({ usd: z.number(), from: date, lastDay: date })
          .nullable()
          .describe('The latest known price and its week. Null before the first one.'),
      }),
    )
    .describe('Fuel rates by the price of fuel.'),
  tiers: tiers.nullable().describe('Null if the agreement has no tiers, or only those of programs.'),
  programs: z
    .array(program)
    .optional()
    .describe('Programs with their own tiers. Their discounts add up. Absent if the agreement has none.'),
});
export type AgreementDetail = z.output<typeof detail>;
/** Parts of an agreement that do not change prices here. */
export type Beside = Pick<AgreementDetail, 'fees' | 'notes'>;

const status = z.literal(200).describe('The HTTP status.');

/** `GET /v1/client/agreements` */
export const agreementsBody = z.object({ status, agreements: z.array(summary) });
/** `GET /v1/client/agreements/{name}` */
export const agreementBody = z.object({ status, ...detail.shape });
