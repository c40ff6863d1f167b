/**
 * Why a shipment has no quote. A fault is a value and is never thrown. The same fault becomes the 422 body of a single
 * call and the fault columns of a row. Types, arguments and meanings: contract, Faults; service specification, Errors.
 *
 * Each fault is declared in one entry of a table. Faults of a shipment are here. Faults that only HTTP has are in
 * `http/faults.ts`. The unions of faults, their status and examples, and the tables of the docs follow from them.
 */

import type { Failed } from '../base/failed.ts';
import { type PricePart, partNames } from './charges.ts';
import { type Field, fieldAt, keysOf, problemAt } from './fields.ts';

/** One thing wrong with the form of a request: the JSON path from the body's root, and what is wrong there. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** Declaration of a fault. @typeParam A the members of a fault of this type */
export interface FaultSpec<A> {
  readonly status: number;
  /** When it occurs: a sentence. */
  readonly when: string;
  /** What to do: one sentence or two. */
  readonly wayOut: string;
  /** The meaning of each argument, by name. A name in angle brackets is a placeholder. */
  readonly args: Readonly<Record<string, string>>;
  readonly example: A;
  /** Another example, for the token endpoint. */
  readonly tokenExample?: A;
  /** Returns the sentence for people, and the offending input by name. */
  say(fault: A): readonly [message: string, args: Readonly<Record<string, unknown>>];
  /** Returns the headers that belong to it. */
  headers?(fault: A): Readonly<Record<string, string>>;
}

export const fault = <A extends object>(spec: FaultSpec<A>): FaultSpec<A> => spec;

/** The union of the faults that a table declares. */
export type FaultsOf<Table> = {
  readonly [T in keyof Table]: Table[T] extends FaultSpec<infer A> ? { readonly type: T } & A : never;
}[keyof Table];

/** Help for people with a fault of a shipment, in addition to its message. */
export interface Guidance {
  /** Title of all rows with this fault. */
  readonly title: string;
  readonly advice: string;
  /** Fields that the fault is about, the main one first. Empty if the row or the arguments say it. */
  readonly fields: readonly Field[];
}

const shipmentFault = <A extends object>(spec: Omit<FaultSpec<A>, 'status'> & Guidance) => ({ status: 422, ...spec });

/** Advice for an unknown service. */
export const SERVICE_HELP = 'GET /v1/client/services lists the codes in force';

/** Returns text such as `Weight of package 2 is required`. A field has its name for people, anything else its path. */
const issueText = ({ path, message }: Issue): string => {
  // A sentence says what it is about.
  if (/^[A-Z]/.test(message)) return message.replace(/\.$/, '');
  const field = path.startsWith('rates.') ? fieldAt(path) : undefined;
  const problem = problemAt(path, message);
  // The number of packages has a name, but their list has none.
  return field === undefined || (field === 'packages' && problem.endsWith(message))
    ? `The request is invalid: ${path} ${message}`
    : problem;
};

/** Service specification, What the service does. */
const forMexico = (country: string | undefined): string =>
  country === 'MX' ? ' Rates for Mexico are set by contract: ask support for them.' : '';

const argumentsOf = (issues: readonly Issue[]): Readonly<Record<string, string>> => {
  const args: Record<string, string> = Object.create(null);
  for (const { path, message } of issues) args[path] = path in args ? `${args[path]}; ${message}` : message;
  return args;
};

/** Unit and name of each measure. */
const MEASURED = {
  length: ['IN', 'length'],
  lengthPlusGirth: ['IN', 'length plus girth'],
  volume: ['cubic IN', 'volume'],
} as const;

/** Why a row of a list has no shipment. */
interface RowFault {
  readonly row: number;
  readonly reason: string;
  /** The field that it is about, or the index of a column that has no field. Undefined if it is about the whole row. */
  readonly about?: Field | number | undefined;
}

/** Faults that a shipment can have: as a single call, as a row of a list, or as both. */
export const SHIPMENT_FAULTS = {
  'getRates.invalidRequest': shipmentFault<{ readonly issues: readonly Issue[] }>({
    when: 'A field is missing, unknown or has a wrong value.',
    wayOut: 'Correct each field that `arguments` names.',
    title: 'A cell is missing or invalid',
    advice: 'Each row names the field and what it must contain.',
    fields: [],
    args: { '<field>': 'what is wrong there, under the JSON path of each wrong field' },
    example: { issues: [{ path: 'rates.packageItems[0].weight.value', message: 'must be greater than 0' }] },
    say: ({ issues }) => {
      const args = argumentsOf(issues);
      const [first] = issues;
      const more = Object.keys(args).length - 1;
      const rest = more > 0 ? ` (and ${more} more)` : '';
      return [`${issueText(first ?? { path: 'body', message: '' })}${rest}.`, args];
    },
  }),
  /** `problem`: what it is, if a tariff has the service on other days. */
  'getRates.unknownShippingService': shipmentFault<{ readonly shippingService: string; readonly problem?: string }>({
    when: 'The service is not in force on the ship date.',
    wayOut: 'Use a code from `GET /v1/client/services`, which lists those in force today, or correct `rates.shipDate`.',
    title: 'Shipping service not available',
    advice: 'Use a service that is in force, or leave it empty.',
    fields: ['shippingService'],
    args: { shippingService: 'the service that was named' },
    example: { shippingService: 'C9-NONE' },
    say: ({ shippingService, problem = `not known; ${SERVICE_HELP}` }) => [
      `The shipping service ${shippingService} is ${problem}.`,
      { shippingService },
    ],
  }),
  /** `any`: the client has none in the United States. `country`: where the client's warehouse is, if elsewhere. */
  'getRates.unknownWarehouse': shipmentFault<{
    readonly warehouseId: number | 'any';
    readonly country?: string | undefined;
  }>({
    when: 'The warehouse is not registered to you, or is not in the US.',
    wayOut: 'Use one from `GET /v1/client/warehouses`.',
    title: 'Unknown warehouse',
    advice: 'Use one of your warehouses in the United States.',
    fields: ['warehouse_id'],
    args: { warehouse_id: 'the warehouse that was named' },
    example: { warehouseId: 999 },
    say: ({ warehouseId, country }) => {
      const args = { warehouse_id: warehouseId };
      if (warehouseId === 'any') return ['This client has no warehouse in the United States to choose from.', args];
      if (country !== undefined)
        return [`The warehouse ${warehouseId} is not in the United States.${forMexico(country)}`, args];
      return [
        `The warehouse ${warehouseId} is not registered to this client; GET /v1/client/warehouses lists those that are.`,
        args,
      ];
    },
  }),
  'getRates.noTariff': shipmentFault<{ readonly shipDate: string }>({
    when: 'No tariff is in force on that day.',
    wayOut: 'Correct `rates.shipDate`, or leave it out for today.',
    title: 'No tariff on the ship date',
    advice: 'Correct the date, or leave it empty for today.',
    fields: ['shipDate'],
    args: { shipDate: 'the day' },
    example: { shipDate: '2001-01-01' },
    say: ({ shipDate }) => [`No tariff is in force on ${shipDate}.`, { shipDate }],
  }),
  'getRates.addressLineRequired': shipmentFault<{ readonly shippingService: string }>({
    when: 'The carrier of this service needs the street.',
    wayOut: 'Send `rates.recipient.address.addressLine`.',
    title: 'A street address is needed',
    advice: 'Add the street, or choose another service.',
    fields: ['addressLine'],
    args: { addressLine: 'which service needs it' },
    example: { shippingService: 'C2-GROUND' },
    say: ({ shippingService }) => [
      `The shipping service ${shippingService} needs the street address.`,
      { addressLine: `required by ${shippingService}` },
    ],
  }),
  /** `country`: the destination's, if it is outside the United States. */
  'getRates.noDeliveryCoverage': shipmentFault<{
    readonly postalCode: string;
    readonly shippingService?: string;
    readonly country?: string;
    /** The kind of address that the service does not deliver to, if that is the reason. */
    readonly notTo?: 'homes' | 'PO boxes';
  }>({
    when: 'The service does not deliver from the origin to the destination, or does not deliver to that kind of address, or the country is not the US.',
    wayOut: 'Check the ZIP code and the country. Otherwise try another service.',
    title: 'The service does not deliver there',
    advice: 'Correct the address, or choose another service. Only addresses in the United States have prices.',
    fields: ['postalCode', 'countryCode', 'addressLine', 'residential'],
    args: { postalCode: 'the postal code of the destination' },
    example: { postalCode: '00901' },
    say: ({ postalCode, shippingService, country, notTo }) => [
      notTo === undefined || shippingService === undefined
        ? `The carrier service is not currently available for this origin/destination combination.${forMexico(country)}`
        : `${shippingService} does not deliver to ${notTo}.`,
      { postalCode },
    ],
  }),
  'getRates.weightNotServed': shipmentFault<{
    readonly shippingService: string;
    readonly packageIndex: number;
    readonly weightLb: number;
    readonly maximumLb: number;
    /** Whether the package weighs less: its size counts. */
    readonly isLight?: boolean;
  }>({
    when: 'A package is heavier than the service accepts, or counts as heavier because of its size.',
    wayOut: 'Check its weight and dimensions, send more packages that are lighter, or try another service.',
    title: 'Too heavy for the service',
    advice: 'Use more packages, or choose another service.',
    fields: ['weight_value'],
    args: { weight: 'the weight that counts for the package' },
    example: { shippingService: 'C1-GROUND', packageIndex: 0, weightLb: 219, maximumLb: 150 },
    say: ({ shippingService, packageIndex, weightLb, maximumLb, isLight = false }) => [
      `${shippingService} accepts packages up to ${maximumLb} LB; package ${packageIndex + 1} counts as ${weightLb} LB${isLight ? ' because of its size' : ''}.`,
      { weight: `${weightLb} LB` },
    ],
  }),
  'getRates.sizeNotServed': shipmentFault<{
    readonly shippingService: string;
    readonly packageIndex: number;
    readonly measure: 'length' | 'lengthPlusGirth' | 'volume';
    /** Cubic inches for a volume. */
    readonly inches: number;
    readonly maximumInches: number;
  }>({
    when: 'A package is longer, larger, or has more length plus girth, than the service accepts. Girth is 2 × width + 2 × height.',
    wayOut: 'Check its dimensions, or try another service.',
    title: 'Too long or too large for the service',
    advice: 'Check the dimensions and their unit.',
    fields: ['length', 'width', 'height', 'dimension_units'],
    args: { '<measure>': 'the size of the package, under `length`, `lengthPlusGirth` or `volume`' },
    example: { shippingService: 'C1-GROUND', packageIndex: 0, measure: 'length', inches: 121, maximumInches: 108 },
    say: ({ shippingService, packageIndex, measure, inches, maximumInches }) => {
      const [unit, what] = MEASURED[measure];
      return [
        `${shippingService} accepts packages up to ${maximumInches} ${unit} in ${what}; package ${packageIndex + 1} has ${inches} ${unit}.`,
        { [measure]: `${inches} ${unit}` },
      ];
    },
  }),
  'getRates.dimensionsRequired': shipmentFault<{ readonly shippingService: string; readonly packageIndex: number }>({
    when: 'The service is priced by volume, and a package has no dimensions.',
    wayOut: 'Send `rates.packageItems[].dimensions`.',
    title: 'Dimensions are needed',
    advice: 'Add the dimensions, or choose another service.',
    fields: ['length', 'width', 'height', 'dimension_units'],
    args: { dimensions: 'which service needs them' },
    example: { shippingService: 'UPS-SIMPLE', packageIndex: 0 },
    say: ({ shippingService, packageIndex }) => [
      `${shippingService} is priced by volume: package ${packageIndex + 1} needs its length, width and height.`,
      { dimensions: `required by ${shippingService}` },
    ],
  }),
  'getRates.saturdayNotOffered': shipmentFault<{ readonly shippingService: string }>({
    when: 'The request asks for Saturday delivery, and the service does not offer it.',
    wayOut: 'Leave out `rates.options.saturday`, or try another service.',
    title: 'No Saturday delivery',
    advice: 'Leave out Saturday delivery, or choose another service.',
    fields: ['saturday'],
    args: { saturday: 'which service does not offer it' },
    example: { shippingService: 'C1-GROUND' },
    say: ({ shippingService }) => [
      `${shippingService} does not offer Saturday delivery as an option.`,
      { saturday: `not offered by ${shippingService}` },
    ],
  }),
  /** `by` is a day, or a number of business days in words. */
  'getRates.arrivesLate': shipmentFault<{
    readonly shippingService: string;
    readonly by: string;
    readonly deliveryDate: string;
    readonly transitDays: number;
  }>({
    when: 'The service arrives later than `rates.options.by`.',
    wayOut: 'Choose a faster service or a later day, or ship earlier.',
    title: 'Does not arrive in time',
    advice: 'Choose a faster service or a later day.',
    fields: ['deliver_by'],
    args: {
      shippingService: 'the service',
      by: 'the requested day',
      deliveryDate: 'when it would arrive',
      transitDays: 'its business days',
    },
    example: { shippingService: 'C1-GROUND', by: '2026-12-24', deliveryDate: '2026-12-28', transitDays: 4 },
    say: ({ shippingService, by, deliveryDate, transitDays }) => [
      `${shippingService} arrives on ${deliveryDate}, in ${transitDays} business ${transitDays === 1 ? 'day' : 'days'}, which is later than ${by}.`,
      { shippingService, by, deliveryDate, transitDays },
    ],
  }),
  'getRates.arrivalUnknown': shipmentFault<{
    readonly shippingService: string;
    readonly by: string;
    readonly reason: string;
  }>({
    when: 'The request has `rates.options.by`, and the day on which the service arrives is unknown.',
    wayOut: 'Choose another service, or ask the operator for transit days.',
    title: 'Arrival day unknown',
    advice: 'Choose another service, or ask your operator.',
    fields: ['deliver_by'],
    args: { shippingService: 'the service', by: 'the requested day', reason: 'why the day is not known' },
    example: { shippingService: 'C1-GROUND', by: '2026-12-24', reason: 'the tariff has no transit days for it' },
    say: ({ shippingService, by, reason }) => [
      `It is unknown whether ${shippingService} arrives by ${by}: ${reason}.`,
      { shippingService, by, reason },
    ],
  }),
  'getRates.incompletePrice': shipmentFault<{
    readonly shippingService: string;
    readonly missing: readonly PricePart[];
  }>({
    when: 'The price is incomplete, and `rates.options.incomplete` is `refuse`.',
    wayOut: 'Try another service, ask the operator for the missing part, or allow incomplete prices.',
    title: 'The price is incomplete',
    advice: 'Choose another service, or allow incomplete prices.',
    fields: ['shippingService'],
    args: { shippingService: 'the service', missing: 'the parts, as in the warning `price.incomplete`' },
    example: { shippingService: 'C1-GROUND', missing: ['fuel'] },
    say: ({ shippingService, missing }) => [
      `The tariff of ${shippingService} does not include ${partNames(missing)}, and the request refuses incomplete prices.`,
      { shippingService, missing },
    ],
  }),
  'row.malformed': shipmentFault<RowFault>({
    when: 'A row of a list cannot be read. Single calls never have this fault.',
    wayOut: 'Correct the row as `message` says.',
    title: 'The row cannot be read',
    advice: 'Each row says why. Check it in a text editor.',
    fields: [],
    args: { row: 'the number of the row' },
    example: { row: 17, reason: 'it has 9 cells, but the header has 8' },
    say: ({ row, reason }) => [`Row ${row} cannot be read: ${reason}.`, { row }],
  }),
  'row.order': shipmentFault<RowFault>({
    when: 'A row of a list cannot be priced together with the other rows of its order. Single calls never have this fault.',
    wayOut: 'Correct the row as `message` says, or send the list with `?orders=none`.',
    title: 'The rows of an order do not fit together',
    advice: 'Correct them, or price each row separately.',
    fields: [],
    args: { row: 'the number of the row' },
    example: { row: 17, reason: 'its quantity must be a whole number, not "two"' },
    say: ({ row, reason }) => [`Row ${row} cannot be priced with its order: ${reason}.`, { row }],
  }),
} as const;

export type Fault = FaultsOf<typeof SHIPMENT_FAULTS>;
export type FaultType = Fault['type'];

/** The faults that a quote can have. */
export const QUOTE_FAULTS = keysOf(SHIPMENT_FAULTS).filter((type) => !type.startsWith('row.'));

/** A value, or the fault that says why there is none. Check with `instanceof Failed`. */
export type Result<T, F = Fault> = T | Failed<F>;

/** The fault as clients read it: its type, a sentence for people, and the offending input by name. */
export interface FaultBody {
  readonly type: string;
  readonly message: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Returns the fault object of an error body (service specification, Error body). `table` declares the fault. */
export const bodyOf = <F extends { readonly type: string }>(
  table: { readonly [T in F['type']]: FaultSpec<unknown> },
  fault: F,
): FaultBody => {
  const type: F['type'] = fault.type;
  const [message, args] = table[type].say(fault);
  return { type, message, arguments: args };
};

export const faultBody = (fault: Fault): FaultBody => bodyOf(SHIPMENT_FAULTS, fault);
