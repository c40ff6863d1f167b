/** What a client sees of its agreements (contract, Agreements). Amounts are US dollars, percentages are percent. */
import { z } from 'zod';
import { BILLINGS } from '../../../rating/fields.ts';
import { ADDRESSES, APPLIES_TO, MINIMUM_KINDS, PERIODS } from '../document.ts';
import { MEASURES } from '../tiers.ts';

const dollarsSchema = z.number().meta({ description: 'US dollars, at most two decimals.' });
const percent = z.number().meta({ description: 'Percent, at most two decimals.' });
const date = z.string().meta({ description: '`YYYY-MM-DD`' });
const services = z
  .array(z.string())
  .nullable()
  .meta({ description: 'Codes of services; null for all services of the carrier.' });

const billing = z
  .array(z.enum(BILLINGS))
  .nullable()
  .meta({ description: 'Who must pay for it to count; null for whoever pays.' });

const IN_FORCE = ['now', 'later', 'past'] as const;

/** Why a tier is in force. */
const TIER_REASONS = ['agreed', 'grace', 'average', 'unknown'] as const;

const tier = z.object({
  tier: z.string().nullable().meta({ description: 'Null if the average is below the first band, or unknown.' }),
  by: z.enum(TIER_REASONS).meta({
    description:
      'Why: carrier and shipper have `agreed` on it, the `grace` period, the `average` spend (of a program its figure), or `unknown` without any spend.',
  }),
  since: date.nullable().meta({ description: 'The first day of this tier; null if it is not known.' }),
  until: date.nullable().meta({
    description:
      'The last day of an agreed tier or of the grace period; of a program also the last day before its next figure counts. Else null.',
  }),
  uncertain: z.boolean().meta({ description: 'Whether the spend is too old to be sure.' }),
});

const service = z.object({ shippingService: z.string(), description: z.string() });

const summary = z.object({
  name: z.string(),
  carrier: z.string(),
  description: z.string(),
  effective: date,
  until: date.nullable().meta({ description: 'The last ship date; null without an end.' }),
  inForce: z.enum(IN_FORCE).meta({ description: 'Today. The price of an agreement that is past is the list’s.' }),
  accounts: z
    .array(
      z.object({
        account: z.string().nullable().meta({ description: 'Your number with the carrier; null if it is not known.' }),
        warehouses: z.array(z.int()).nullable().meta({ description: 'Null for all of your warehouses.' }),
      }),
    )
    .meta({ description: 'For which of your warehouses it is.' }),
  tier: tier.nullable().meta({
    description: 'The tier in force; null if the agreement has no tiers, or only those of programs.',
  }),
  services: z.array(service).meta({ description: 'The services that it says something of.' }),
});
export type AgreementSummary = z.output<typeof summary>;

const minimum = z.object({ residential: dollarsSchema, commercial: dollarsSchema });

const ownPrices = z.object({
  source: z.string().meta({ description: 'The file.' }),
  minimumTotalLb: z.int(),
  minimumAverageLb: z.int().meta({ description: 'Each package counts as at least so many pounds.' }),
  perLb: z.int().meta({ description: 'The prices are of so many pounds: 1 or 100.' }),
  zones: z.array(z.string()).meta({ description: 'Rate columns.' }),
  breaks: z.array(
    z.object({
      fromLb: z.int(),
      usd: z.array(dollarsSchema.nullable()).meta({ description: 'Beside `zones`; null without such a price.' }),
    }),
  ),
});
export type OwnPrices = z.output<typeof ownPrices>;

const serviceTerms = service.extend({
  minimumCharge: minimum.meta({
    description: 'A discount never leaves less of a package’s base charge. If zones differ, the least of them.',
  }),
  listMinimumCharge: dollarsSchema,
  minimumAs: z
    .array(
      z.object({
        zones: z.array(z.string()).nullable().meta({ description: 'Null for all that no line before it names.' }),
        address: z.enum(ADDRESSES),
        billing,
        minimum: z.enum(MINIMUM_KINDS),
        value: z.number(),
        zone: z.string().nullable().meta({ description: '`own` is the zone that a package goes to.' }),
        weightLb: z.int().nullable(),
      }),
    )
    .meta({ description: 'How the agreement states the minimum; empty if it is the list’s.' }),
  dimensionalFactor: z.int(),
  listDimensionalFactor: z.int(),
  dimensionalOverCubicIn: z
    .int()
    .meta({ description: 'The dimensional weight of a package of at most so many cubic inches does not count.' }),
  listDimensionalOverCubicIn: z.int(),
  secondDivisor: z
    .object({ dimensionalFactor: z.int(), over: z.string() })
    .nullable()
    .meta({ description: 'The divisor of larger packages, such as those `over 1,728 cubic in`; null without one.' }),
  rateCapPercent: percent.nullable().meta({
    description: 'A package’s net base charge is at most so many percent above last year’s; null without a cap.',
  }),
  ownRates: z.boolean().meta({ description: 'Whether the agreement has rates of its own in place of the list’s.' }),
  multiweight: ownPrices
    .nullable()
    .meta({ description: 'Net prices of the agreement for several packages that are rated as a whole; null without.' }),
});

const discount = z.object({
  discount: z.string().meta({ description: 'Its name. Discounts of different names add up.' }),
  betterOf: z
    .string()
    .nullable()
    .meta({ description: 'Of discounts that name the same here, only the highest counts; null: it always counts.' }),
  services,
  zones: z.array(z.string()).nullable().meta({ description: 'Such as `2-8` or `44`; null for all.' }),
  fromLb: z.int().meta({ description: 'Billing weight, inclusive.' }),
  toLb: z.int().nullable().meta({ description: 'Inclusive; null without an end.' }),
  address: z.enum(ADDRESSES),
  billing,
  appliesTo: z.enum(APPLIES_TO),
  tier: z.string().nullable().meta({ description: 'It counts only while this tier is in force; null: always.' }),
  percent: percent.meta({ description: 'Percent off the base; negative if it raises it, 0 beside `usd`.' }),
  usd: dollarsSchema.nullable().meta({ description: 'Off each package, after all percentages; null: a percentage.' }),
  counts: z.boolean().meta({ description: 'Whether it counts in the tier in force.' }),
});
export type AgreementDiscount = z.output<typeof discount>;

const range = z.object({ least: z.number(), most: z.number() });

const surcharge = z.object({
  services: z.array(z.string()),
  type: z.string(),
  description: z.string(),
  because: z.array(z.string()).meta({ description: 'All conditions that must hold; none: it is always charged.' }),
  per: z
    .enum(['package', 'pound', 'shipment', 'declaredValue', 'percent'])
    .meta({ description: 'Amounts are dollars for each of these, or percent.' }),
  list: range.nullable().meta({ description: 'By zone from the least to the most; null on a declared value.' }),
  billed: range.nullable().meta({ description: 'What you pay instead.' }),
  changes: z.array(z.string()).meta({ description: 'How the agreement changes it, in words.' }),
});
export type AgreementSurcharge = z.output<typeof surcharge>;

const fee = z.object({
  fee: z.string().meta({ description: 'Such as `ADDRESS_CORRECTION`.' }),
  services,
  change: z.string().meta({ description: 'In words, such as `50.00% off`.' }),
});

const note = z.object({ topic: z.string(), text: z.string() });

const tiers = z.object({
  bands: z.array(z.object({ tier: z.string(), fromUsd: dollarsSchema, inForce: z.boolean() })).meta({
    description: 'By average weekly spend, rising.',
  }),
  averageWeeks: z.int().meta({ description: 'Weeks of the rolling average.' }),
  spend: z
    .object({
      averageUsd: dollarsSchema.meta({ description: 'A week.' }),
      weeks: z.int().meta({ description: 'Of how many weeks it is.' }),
      lastWeekEnding: date,
      tier: z.string().nullable().meta({ description: 'The tier that the spend alone gives.' }),
    })
    .nullable()
    .meta({ description: 'Null if no spend is known.' }),
  next: z
    .object({
      tier: z.string(),
      fromUsd: dollarsSchema,
      missingUsd: dollarsSchema
        .nullable()
        .meta({ description: 'By how much the average must rise; null if no spend is known.' }),
    })
    .nullable()
    .meta({ description: 'Null in the highest tier.' }),
});

const figure = z.number().meta({ description: 'US dollars, or packages.' });

const program = z.object({
  program: z.string(),
  measure: z.enum(MEASURES).meta({ description: 'What it counts.' }),
  period: z.enum(PERIODS).meta({
    description: 'Figures are an average `week`, the last whole calendar `quarter`, or the last weeks as a `year`.',
  }),
  averageWeeks: z.int().nullable().meta({ description: 'Weeks of the average, or of the year; null of a quarter.' }),
  tier,
  bands: z
    .array(z.object({ tier: z.string(), from: figure, inForce: z.boolean() }))
    .meta({ description: 'Rising; none if only the paper sets the tier.' }),
  figure: z
    .object({
      value: figure,
      weeks: z.int().meta({ description: 'Of how many weeks it is.' }),
      lastDay: date,
      tier: z.string().nullable().meta({ description: 'The tier that the figure alone gives.' }),
    })
    .nullable()
    .meta({ description: 'Null if it is not known.' }),
  next: z
    .object({ tier: z.string(), from: figure, missing: figure.nullable() })
    .nullable()
    .meta({ description: 'What the next tier needs; null in the highest one.' }),
});

const detail = summary.extend({
  date: date.meta({ description: 'The day that the tables are of: today, or the first or the last day.' }),
  changes: z.array(date).meta({ description: 'The days on which amendments take effect.' }),
  services: z.array(serviceTerms),
  discounts: z.array(discount),
  surcharges: z.array(surcharge).meta({ description: 'Those that you pay in another way than the list says.' }),
  fees: z
    .array(fee)
    .meta({ description: 'What the agreement says of fees that the tariffs do not have. No quote has them.' }),
  notes: z.array(note).meta({ description: 'What the agreement says apart from prices.' }),
  fuel: z
    .array(z.object({ services, from: date, until: date.nullable(), percent }))
    .meta({ description: 'Fuel rates of the agreement’s own.' }),
  fuelIndex: z
    .array(
      z.object({
        services,
        index: z.string().meta({ description: 'The name of the price of fuel.' }),
        fromUsd: z.number(),
        toUsd: z.number().nullable().meta({ description: 'The price is less than this; null without an end.' }),
        percent,
        inForce: z.boolean(),
        price: z
          .object({ usd: z.number(), from: date, lastDay: date })
          .nullable()
          .meta({ description: 'The last price that is known, and its week; null before the first.' }),
      }),
    )
    .meta({ description: 'Fuel rates by the price of fuel.' }),
  tiers: tiers.nullable().meta({ description: 'Null if the agreement has no tiers, or only those of programs.' }),
  programs: z
    .array(program)
    .optional()
    .meta({ description: 'Programs with tiers of their own, which add up. Absent if the agreement has none.' }),
});
export type AgreementDetail = z.output<typeof detail>;
/** What of an agreement changes no price here. */
export type Beside = Pick<AgreementDetail, 'fees' | 'notes'>;

const status = z.literal(200).meta({ description: 'The HTTP status.' });

/** `GET /v1/client/agreements` */
export const agreementsBody = z.object({ status, agreements: z.array(summary) });
/** `GET /v1/client/agreements/{name}` */
export const agreementBody = z.object({ status, ...detail.shape });
