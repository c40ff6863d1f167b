/**
 * The answer to one rate request: its status and JSON body. The HTTP route and the command line both use it. Shapes:
 * service specification, Rate quote and Error body; contract, A quote.
 */
import { z } from 'zod';
import { Failed } from '../base/failed.ts';
import { carrierZoneOf, type RateBook } from './card.ts';
import { discountSchema, discountsOf } from './discount-items.ts';
import { explainPrice, explanationSchema } from './explain.ts';
import { type Fault, type FaultBody, faultBody, type Result } from './fault.ts';
import { chargedLines, type Price } from './price.ts';
import { dollars } from './quantity.ts';
import { arrivalOf, cheapestOf, type FromWarehouse, type Rated, rateShipment, rateTypeOf } from './rate.ts';
import { rateRequest, readShipment, type Shipment } from './shipment.ts';
import type { Shipper } from './terms.ts';
import { unknownMemberWarning, type Warning, warningsOf } from './warning.ts';

/** HTTP status of every fault of a shipment. */
export const FAULT_STATUS = 422;

/** The rate books of all tariffs, by day and by instant. Each tariff's time zone decides which day an instant is. */
export interface RateBooks {
  /** @param day `YYYY-MM-DD` */
  readonly bookOn: (day: string) => RateBook;
  readonly bookAt: (instant: Date) => RateBook;
}

/** The fault object of an error body (service specification, Error body). */
export const faultSchema = z.object({
  type: z.string(),
  message: z.string().describe('For people.'),
  arguments: z.record(z.string(), z.unknown()).describe('What is wrong, by the name of the input.'),
});

const dollarsSchema = z.number().describe('US dollars, at most two decimals.');

const warningSchema = z.object({
  type: z.string().describe('Such as `zone.estimated`. New types may come: ignore those that you do not know.'),
  message: z.string().describe('For people.'),
  arguments: z.record(z.string(), z.unknown()).describe('The values behind the warning, by name.'),
});

export const quoteSchema = z.object({
  status: z.literal(200).describe('The HTTP status.'),
  rateType: z
    .enum(['LIST', 'ACCOUNT'])
    .describe('`ACCOUNT` if the client has an agreement or a discount on the service.'),
  totalDiscounts: dollarsSchema,
  discounts: z.array(discountSchema).describe('The discounts. They add up to `totalDiscounts`.'),
  totalBaseCharge: dollarsSchema,
  totalNetCharge: dollarsSchema.describe('The base charge minus discounts plus surcharges.'),
  shippingService: z.string(),
  carrier: z.string(),
  transitDays: z.int().optional().describe('Transit time in business days. Absent if it is unknown.'),
  deliveryDate: z.string().optional().meta({
    description: 'The delivery date, `YYYY-MM-DD`. Absent if it is unknown.',
    example: '2026-12-24',
  }),
  tariff: z.string().describe('Name and version of the tariff.'),
  shipmentDetail: z.object({
    rateZone: z.string().describe('`1` to `8`.'),
    carrierZone: z.string().meta({ description: "The carrier's own name for the zone.", example: '302' }),
    totalBillingWeight: z.object({ units: z.literal('LB'), value: z.number() }).describe('In whole pounds.'),
    currency: z.literal('USD'),
    totalSurcharges: dollarsSchema,
    surcharges: z.array(z.object({ type: z.string(), description: z.string(), amount: dollarsSchema })),
  }),
  // Warnings about the whole request come last in the answer's own list.
  warnings: z
    .array(warningSchema)
    .optional()
    .describe(
      'Why this quote is less certain than others and, on the answer itself, members of the request that were ignored. Absent if there are none.',
    ),
  explanation: explanationSchema.optional(),
});
export type Quote = z.output<typeof quoteSchema>;

const fromWarehouseSchema = z.object({
  warehouse_id: z.int(),
  shippingService: z.string().describe('The cheapest from there, or the one that the request names.'),
  totalNetCharge: dollarsSchema,
  warnings: z.array(warningSchema).optional().describe('The warnings of its quote. Absent if there are none.'),
});

const noWarehouseSchema = z.object({
  warehouse_id: z.int(),
  fault: faultSchema.describe('Why there is no quote from there.'),
});

/** The cheapest quote. Includes all quotes if the request names no service. */
export const rateQuoteSchema = quoteSchema.extend({
  quotes: z
    .array(quoteSchema)
    .optional()
    .describe('If the request names no service: every quote, cheapest first. The first one is also the body.'),
  unavailable: z
    .array(z.object({ shippingService: z.string(), fault: faultSchema }))
    .optional()
    .describe('Services without a quote, and why.'),
  warehouse_id: z
    .int()
    .optional()
    .describe('If the request has several warehouses: the cheapest one, which this quote is from.'),
  warehouses: z
    .array(z.union([fromWarehouseSchema, noWarehouseSchema]))
    .optional()
    .describe('All of them in the order of the request, or for `any` in the order of your warehouses.'),
});
export type RateQuote = z.output<typeof rateQuoteSchema>;

export interface ErrorBody {
  readonly code: number;
  readonly fault: FaultBody;
}

export type QuoteAnswer =
  | { readonly status: 200; readonly body: RateQuote }
  | { readonly status: typeof FAULT_STATUS; readonly body: ErrorBody };

const faulted = (fault: Fault): QuoteAnswer => ({
  status: FAULT_STATUS,
  body: { code: FAULT_STATUS, fault: faultBody(fault) },
});

const arrivalMembers = (price: Price, shipment: Shipment, rated: Rated) => {
  const arrival = arrivalOf(price, shipment, rated);
  if (arrival === undefined) return {};
  const { transitDays, deliveryDate } = arrival;
  return deliveryDate === undefined ? { transitDays } : { transitDays, deliveryDate };
};

const quoteOf = (price: Price, shipment: Shipment, rated: Rated, { postalCode } = rated.warehouse): Quote => ({
  status: 200,
  rateType: rateTypeOf(price),
  totalDiscounts: dollars(price.discountCents),
  discounts: discountsOf(price, shipment, postalCode),
  totalBaseCharge: dollars(price.baseCents),
  totalNetCharge: dollars(price.netCents),
  shippingService: price.card.code,
  carrier: price.card.carrier,
  ...arrivalMembers(price, shipment, rated),
  tariff: price.card.tariff,
  shipmentDetail: {
    rateZone: String(price.card.rateZones[price.column]),
    carrierZone: carrierZoneOf(price),
    totalBillingWeight: { units: 'LB', value: price.billingWeightLb },
    currency: 'USD',
    totalSurcharges: dollars(price.surchargeCents),
    surcharges: chargedLines(price).map(({ type, description, amountCents }) => ({
      type,
      description,
      amount: dollars(amountCents),
    })),
  },
  ...warningsMember(price, postalCode),
});

/** Returns no member if there are no warnings. @param postalCode the warehouse's */
const warningsMember = (price: Price, postalCode: string) =>
  price.warnings === 0 ? {} : { warnings: warningsOf(price, postalCode.slice(0, 5)) };

const answerOf = (shipment: Shipment, rated: Rated, explain: boolean): RateQuote => {
  const quotes = rated.prices.map((price) => {
    const quote = quoteOf(price, shipment, rated);
    if (!explain) return quote;
    return { ...quote, explanation: explainPrice(price, shipment, rated) };
  });
  const [cheapest] = quotes;
  if (cheapest === undefined) throw new Error('a rated shipment has no price');
  const quote =
    shipment.shippingService === undefined ? { ...cheapest, quotes, unavailable: unavailableIn(rated) } : cheapest;
  const { from } = rated;
  return from === undefined
    ? quote
    : { ...quote, warehouse_id: rated.warehouse.id, warehouses: from.map(warehouseAnswer) };
};

const unavailableIn = ({ refused }: Rated) =>
  refused.map(({ card, fault }) => ({ shippingService: card.code, fault: faultBody(fault) }));

/** Returns the price of one of several warehouses, or why it has none. */
const warehouseAnswer = ({
  warehouse: { id, postalCode },
  outcome,
}: FromWarehouse): NonNullable<RateQuote['warehouses']>[number] => {
  if (outcome instanceof Failed) return { warehouse_id: id, fault: faultBody(outcome.fault) };
  const price = cheapestOf(outcome);
  return {
    warehouse_id: id,
    shippingService: price.card.code,
    totalNetCharge: dollars(price.netCents),
    ...warningsMember(price, postalCode),
  };
};

/**
 * Rates a shipment that was read, or answers with its fault.
 * @param bookOn returns the cards in force on a ship date, or on the day of the request if there is none
 * @param explain whether each quote says how it came about
 */
export const shipmentOutcome = (
  shipment: Result<Shipment>,
  bookOn: (shipDate: string | undefined) => RateBook,
  shipper: Shipper,
  explain: boolean,
): QuoteAnswer => {
  if (shipment instanceof Failed) return faulted(shipment.fault);
  const outcome = rateShipment(shipment, bookOn(shipment.shipDate), shipper);
  if (outcome instanceof Failed) return faulted(outcome.fault);
  return { status: 200, body: answerOf(shipment, outcome, explain) };
};

/** Members allowed at one place of a request: those of an object, or of each entry of a list. */
interface Known {
  readonly members?: ReadonlyMap<string, Known>;
  readonly entries?: Known;
}

const NOTHING: Known = {};

const knownTo = (schema: z.core.$ZodType): Known => {
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
    return { members: new Map(Object.entries(shape).map(([name, member]) => [name, knownTo(member)])) };
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return knownTo(schema.unwrap());
  if (schema instanceof z.ZodPipe) return knownTo(schema.out);
  return schema instanceof z.ZodArray ? { entries: knownTo(schema.element) } : NOTHING;
};

const REQUEST = knownTo(rateRequest);

/** Maximum number of warnings for one request. The last one says how many more members there are. */
const MOST_NAMED = 20;
const MOST_NAME_CHARACTERS = 64;

const PLAIN_NAME = /^[A-Za-z_]\w*$/;

/** Returns the JSON path of a member as faults write it. A name that is not plain is in brackets. */
const pathTo = (place: string, name: string): string => {
  const short = name.length > MOST_NAME_CHARACTERS ? `${name.slice(0, MOST_NAME_CHARACTERS)}…` : name;
  if (!PLAIN_NAME.test(short)) return `${place}[${JSON.stringify(short)}]`;
  return place === '' ? short : `${place}.${short}`;
};

interface Unknown {
  readonly paths: string[];
  count: number;
}

const look = (value: unknown, { members, entries }: Known, place: string, found: Unknown): void => {
  if (Array.isArray(value)) {
    if (entries === undefined) return;
    for (const [at, entry] of value.entries()) look(entry, entries, `${place}[${at}]`, found);
    return;
  }
  if (members === undefined || typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const known = members.get(name);
    if (known === undefined) {
      found.count += 1;
      if (found.paths.length < MOST_NAMED) found.paths.push(pathTo(place, name));
    } else if (known !== NOTHING) look(member, known, place === '' ? name : `${place}.${name}`, found);
  }
};

/**
 * Finds the members of a request body that are not fields of a request. Integrators send whole addresses, so such members
 * are accepted. A misspelled `residental` changes the price, so warnings name them (contract, Warnings).
 * @param body a body that was read without a fault
 * @returns a warning for each of the first twenty
 */
export const unknownMembers = (body: unknown): readonly Warning[] => {
  const found: Unknown = { paths: [], count: 0 };
  look(body, REQUEST, '', found);
  const more = found.count - found.paths.length;
  return found.paths.map((member, at) => unknownMemberWarning(member, at === MOST_NAMED - 1 ? more : 0));
};

/**
 * Checks and rates one request body.
 * @param body the parsed JSON, in any form
 * @param now the time of the request. It chooses the tariffs if the body has no `shipDate`
 * @param explain whether each quote says how it came about
 * @returns 200 with the quote, or 422 with the fault
 */
export const quoteOutcome = (
  body: unknown,
  shipper: Shipper,
  books: RateBooks,
  now: Date,
  explain = false,
): QuoteAnswer => {
  const bookOn = (day: string | undefined): RateBook => (day === undefined ? books.bookAt(now) : books.bookOn(day));
  const answer = shipmentOutcome(readShipment(body), bookOn, shipper, explain);
  if (answer.status !== 200) return answer;
  const { body: quote } = answer;
  const passedOver = unknownMembers(body);
  if (passedOver.length === 0) return answer;
  return { status: 200, body: { ...quote, warnings: [...(quote.warnings ?? []), ...passedOver] } };
};
