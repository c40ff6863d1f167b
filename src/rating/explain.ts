/**
 * Explains how a price came about, for `?explain=true` (contract, A quote). The explanation is computed again from the
 * shipment, so pricing keeps no extra data.
 */
import { z } from 'zod';
import { must } from '../base/must.ts';
import { carrierZoneOf, type OwnMultiweight } from './card.ts';
import { hasMeasures } from './charge-table.ts';
import { computationOf, reasonsOf } from './charge-text.ts';
import { type DiscountItem, discountSchema, packageDiscounts, traceOf, wholeDiscounts } from './discount-items.ts';
import { BILLINGS } from './fields.ts';
import { brokenAt, ownTableOf } from './multiweight.ts';
import { divisorOf, measuredBy, type PackageTrace } from './package-price.ts';
import type { Price, Trace } from './price.ts';
import { dollars, dollarText, SIDE_ROUNDINGS } from './quantity.ts';
import { type Rated, zip5Of } from './rate.ts';
import type { PackageItem, Shipment } from './shipment.ts';
import { ownCharge } from './terms.ts';
import { countedDelivery, explainDelivery } from './transit.ts';

const dollarsSchema = z.number().describe('US dollars, at most two decimals.');
const weight = z.object({ units: z.literal('LB'), value: z.number() });

/** Place of a number: a file of the tariff, with the row and the column named as in the file. */
const cell = z.object({ table: z.string(), row: z.string(), column: z.string() });

const explainedCharge = z.object({
  type: z.string(),
  description: z.string(),
  amount: dollarsSchema,
  /** Such as `12.50% of 14.81 (base 9.66, RESIDENTIAL 5.15)`. */
  computation: z.string().describe('The calculation in words.'),
  /** What about the shipment or the package made the charge apply. Empty if it always applies. */
  because: z.array(z.string()),
  source: z.string().optional().describe('Where the imported files state the amount: the file, and the page or row.'),
});

const explainedDiscount = discountSchema.extend({
  computation: z.string().meta({ description: 'The calculation in words.', example: '12.50% of 9.25' }),
  source: z
    .string()
    .optional()
    .meta({ description: 'The file of the agreement and its row.', example: 'acme-ups/discounts.csv row 4' }),
});

const explainedPackage = z.object({
  actualWeight: weight.describe('Rounded up to whole pounds.'),
  /** In whole pounds; 0 without dimensions. */
  dimensionalWeight: weight,
  dimensionalFactor: z.number().optional().describe('The divisor of the package, where your agreement has two.'),
  billingWeight: weight,
  billed: z.enum(['actual', 'dimensional', 'minimum', 'maximum']),
  rateCell: cell,
  baseCharge: dollarsSchema,
  discount: dollarsSchema,
  discounts: z.array(explainedDiscount),
  charges: z.array(explainedCharge),
});

export const explanationSchema = z
  .object({
    zone: z.object({
      rateZone: z.string(),
      carrierZone: z.string(),
      column: z.string(),
      chart: z.string().describe('The zone chart, or `distance`.'),
      origin: z.string(),
      destination: z.string(),
      estimated: z.boolean(),
      chartDate: z
        .string()
        .optional()
        .describe('The day of the zone chart, if it is more than a year older than the tariff.'),
    }),
    transit: countedDelivery
      .optional()
      .describe('How the delivery date was counted. Absent if the transit time is unknown.'),
    agreement: z.string().optional().describe('The agreement that sets the price.'),
    billing: z.enum(BILLINGS).optional().describe('Who pays, if it is not the shipper: see `rates.options.billing`.'),
    dimensionalFactor: z.number(),
    sideRounding: z
      .enum(SIDE_ROUNDINGS)
      .describe('How sides were rounded: not at all, to the nearest inch, or up to the next inch.'),
    packages: z.array(explainedPackage),
    /** Charges of the whole shipment. Includes its base if a price per pound on the total is lower. */
    shipment: z
      .object({
        rateCell: cell.optional(),
        /** Weights of all packages together. Each weight is rounded up once. */
        actualWeight: weight.optional(),
        dimensionalWeight: weight.optional(),
        ratedWeight: weight.optional(),
        computation: z.string().optional().meta({
          description: 'If the base charge comes from your agreement’s multiweight prices: the calculation in words.',
          example: '24.61 per 100 lb for 220 lb, by your agreement',
        }),
        baseCharge: dollarsSchema.optional(),
        discount: dollarsSchema.optional(),
        discounts: z.array(explainedDiscount).optional(),
        charges: z.array(explainedCharge),
      })
      .optional(),
  })
  .describe('With `?explain=true`: how the quote was calculated.');

type Weight = z.output<typeof weight>;
type ExplainedCharge = z.output<typeof explainedCharge>;
type ExplainedPackage = z.output<typeof explainedPackage>;
export type Explanation = z.output<typeof explanationSchema>;

const lb = (value: number): Weight => ({ units: 'LB', value });

const billedBy = ({ actualLb, dimensionalLb, billingLb }: PackageTrace): ExplainedPackage['billed'] => {
  if (billingLb > Math.max(actualLb, dimensionalLb)) return 'minimum';
  if (billingLb < dimensionalLb) return 'maximum';
  return dimensionalLb > actualLb ? 'dimensional' : 'actual';
};

/**
 * Returns the charges of one package or of the whole shipment.
 * @param baseCents the base after the discount
 * @param subject the amounts that percentages apply to
 * @param due indexes of the charges that apply. They are shown even if waived
 */
const chargesOf = (
  price: Price,
  charges: readonly number[],
  baseCents: number,
  billingLb: number,
  subject: readonly number[],
  due: readonly number[],
): ExplainedCharge[] => {
  const { card, terms, residential } = price;
  const { surcharges, places } = price.charges;
  const isWaived = (index: number): boolean =>
    due.includes(index) &&
    terms !== undefined &&
    ownCharge(terms, must(places[index], 'the place of a surcharge'), residential, billingLb) !== undefined;
  return surcharges.flatMap((surcharge, index): ExplainedCharge[] => {
    const charged = must(charges[index], 'the line of a surcharge');
    if (charged === 0 && !isWaived(index)) return [];
    const { text, source } = computationOf(price, index, charged, baseCents, billingLb, subject);
    const { type, description } = surcharge;
    return [
      {
        ...{ type, description, amount: dollars(charged), computation: text, because: reasonsOf(surcharge, card) },
        ...(source === undefined ? {} : { source }),
      },
    ];
  });
};

const explained = (items: readonly DiscountItem[]): z.output<typeof explainedDiscount>[] =>
  items.map(({ amountCents, program: _, ...item }) => ({ ...item, amount: dollars(amountCents) }));

const COLUMN = 'the column of a price';

/** Returns the table and the row that a package's base comes from. */
const rateRowOf = ({ card, terms }: Price, { baseRow, billingLb }: PackageTrace): { table: string; row: string } => {
  const rates = terms?.ratesSource ?? `rates/${card.code}.csv`;
  if (baseRow.by === 'pounds') return { table: rates, row: billingLb > card.topLb ? 'per_lb' : String(billingLb) };
  const isCubic = baseRow.by === 'cubic';
  const row = must((isCubic ? card.cubic : card.ounces)?.labels[baseRow.at], 'the row of a base');
  return { table: isCubic ? `cubic/${card.code}.csv` : rates, row };
};

const packageOf = (
  price: Price,
  part: PackageTrace,
  item: PackageItem,
  charges: readonly number[],
  inMultiweight: boolean,
) => {
  const { card, column } = price;
  // If the shipment as a whole is priced by the pound, its packages have no base charge.
  const base = inMultiweight ? 0 : part.baseCents - part.discountCents;
  const { plainIndexes, perPound, percentages } = price.charges;
  const due = [...plainIndexes, ...perPound, ...part.applied];
  if (!inMultiweight) due.push(...percentages.map(({ index }) => index));
  return {
    actualWeight: lb(part.actualLb),
    dimensionalWeight: lb(part.dimensionalLb),
    ...(card.secondDivisor === undefined || item.sides === undefined
      ? {}
      : { dimensionalFactor: divisorOf(item, item.sides, card) }),
    billingWeight: lb(part.billingLb),
    billed: billedBy(part),
    rateCell: { ...rateRowOf(price, part), column: must(card.columns[column], COLUMN) },
    baseCharge: dollars(part.baseCents),
    discount: dollars(part.discountCents),
    discounts: explained(packageDiscounts(price, part)),
    charges: chargesOf(price, charges, base, part.billingLb, charges, due),
  } satisfies ExplainedPackage;
};

/** Returns text such as `24.61 per 100 lb for 220 lb, by your agreement`. */
const ownText = (table: OwnMultiweight, column: number, ratedLb: number): string =>
  `${dollarText(brokenAt(table, column, ratedLb).cents)} per ${table.perLb === 1 ? '' : `${table.perLb} `}lb for ${ratedLb} lb, by your agreement`;

const wholeOf = (price: Price, trace: Trace): Explanation['shipment'] => {
  const { packages, charges, multiweight } = trace;
  const own = charges[packages.length];
  if (own === undefined) return undefined;
  // A charge with a measure may be 0 because no package is large enough.
  const due = price.charges.perShipment.flatMap(({ index, surcharge }) => (hasMeasures(surcharge) ? [] : [index]));
  if (multiweight === undefined) return { charges: chargesOf(price, own, 0, price.billingWeightLb, own, due) };
  const { card } = price;
  const column = must(card.columns[price.column], COLUMN);
  const { baseCents, ratedLb } = multiweight;
  const table = ownTableOf(card, price.column);
  return {
    rateCell: { table: table?.source ?? `multiweight/${card.code}.csv`, row: String(multiweight.fromLb), column },
    ...(table === undefined ? {} : { computation: ownText(table, price.column, ratedLb) }),
    actualWeight: lb(multiweight.actualLb),
    dimensionalWeight: lb(multiweight.dimensionalLb),
    ratedWeight: lb(ratedLb),
    baseCharge: dollars(baseCents),
    discount: dollars(price.discountCents),
    discounts: explained(wholeDiscounts(price, trace)),
    charges: chargesOf(price, own, price.baseCents - price.discountCents, multiweight.ratedLb, price.surcharges, [
      ...due,
      ...price.charges.percentages.map(({ index }) => index),
    ]),
  };
};

/**
 * Explains the price of a shipment.
 * @returns weights in whole pounds, money in dollars. All charges together sum to the charges of the quote
 */
export const explainPrice = (
  price: Price,
  shipment: Shipment,
  { warehouse, departure }: Pick<Rated, 'warehouse' | 'departure'>,
): Explanation => {
  const { card, column, terms } = price;
  const origin = zip5Of(warehouse.postalCode);
  const destination = zip5Of(shipment.postalCode);
  const trace = traceOf(price, shipment, warehouse.postalCode);
  const whole = wholeOf(price, trace);
  const items = measuredBy(card, shipment.packages);
  const saturday = shipment.options?.saturday === true;
  const transit = explainDelivery({ card, column, origin, destination, departure, saturday });
  return {
    zone: {
      rateZone: String(must(card.rateZones[column], 'the zone of a price')),
      carrierZone: carrierZoneOf(price),
      column: carrierZoneOf(price),
      ...card.zones.sourceOf(origin, destination),
    },
    ...(transit === undefined ? {} : { transit }),
    ...(terms === undefined || terms.agreement === '' ? {} : { agreement: terms.agreement }),
    ...(shipment.options?.billing === undefined ? {} : { billing: shipment.options.billing }),
    dimensionalFactor: card.dimensionalFactor,
    sideRounding: card.sideRounding,
    packages: trace.packages.map((part, index) =>
      packageOf(
        price,
        part,
        must(items[index], 'a package'),
        must(trace.charges[index], 'the lines of a package'),
        trace.multiweight !== undefined,
      ),
    ),
    ...(whole === undefined ? {} : { shipment: whole }),
  };
};
