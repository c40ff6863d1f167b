/**
 * Why a shipment has no quote. A fault is a value, never thrown: the same one becomes the 422 body of a single call and
 * the fault columns of a row. Types, arguments and meanings: contract, Faults; service specification, Errors.
 */
import { z } from 'zod';

/** One thing wrong with the form of a request: the JSON path from the body's root, and what is wrong there. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

export type Fault =
  | { readonly type: 'getRates.invalidRequest'; readonly issues: readonly Issue[] }
  | { readonly type: 'getRates.noTariff'; readonly shipDate: string }
  | { readonly type: 'getRates.unknownShippingService'; readonly shippingService: string }
  /** `any`: the client has none in the United States. `country`: where it is, if it is the client's and elsewhere. */
  | {
      readonly type: 'getRates.unknownWarehouse';
      readonly warehouseId: number | 'any';
      readonly country?: string | undefined;
    }
  /** `country`: the destination's, if it is outside the United States. */
  | {
      readonly type: 'getRates.noDeliveryCoverage';
      readonly postalCode: string;
      readonly shippingService?: string;
      readonly country?: string;
      /** The only kind of address that the service goes to, if that is why. */
      readonly deliversTo?: 'homes' | 'businesses';
    }
  | { readonly type: 'getRates.addressLineRequired'; readonly shippingService: string }
  | {
      readonly type: 'getRates.weightNotServed';
      readonly shippingService: string;
      readonly packageIndex: number;
      readonly weightLb: number;
      readonly maximumLb: number;
    }
  | {
      readonly type: 'getRates.sizeNotServed';
      readonly shippingService: string;
      readonly packageIndex: number;
      readonly measure: 'length' | 'lengthPlusGirth';
      readonly inches: number;
      readonly maximumInches: number;
    }
  | { readonly type: 'row.malformed'; readonly row: number; readonly reason: string };

export type FaultType = Fault['type'];
type FaultOf<T extends FaultType> = Extract<Fault, { readonly type: T }>;

/**
 * Stands in place of a value that could not be made. A class of its own, so that a value may have any members and costs
 * nothing: only a failure is wrapped.
 */
export class Failed<out F> {
  /** Makes the class nominal: an object that merely has a `fault` is a value. */
  declare protected readonly nominal: true;
  readonly fault: F;
  constructor(fault: F) {
    this.fault = fault;
  }
}

/** A value, or why there is none. Told apart by `instanceof Failed`. */
export type Result<T, F = Fault> = T | Failed<F>;

/** The fault object of an error body (service specification, Error body). */
export const faultSchema = z.object({
  type: z.string(),
  message: z.string().meta({ description: 'For people.' }),
  arguments: z.record(z.string(), z.unknown()).meta({ description: 'The offending input by name.' }),
});
export type FaultBody = Readonly<z.output<typeof faultSchema>>;

/** What to do about a service that is not known, said to single calls too: a row and a call fault alike. */
export const SERVICE_HELP =
  'GET /v1/client/services lists the codes in force; ?service_map= says what the names in a list stand for';

const invalidRequest = (issues: readonly Issue[]): FaultBody => {
  const args: Record<string, string> = Object.create(null);
  for (const { path, message } of issues) args[path] = path in args ? `${args[path]}; ${message}` : message;
  const [first] = issues;
  const more = Object.keys(args).length - 1;
  const rest = more > 0 ? ` (and ${more} more)` : '';
  return {
    type: 'getRates.invalidRequest',
    message: `The request is invalid: ${first?.path ?? 'body'} ${first?.message ?? ''}${rest}.`,
    arguments: args,
  };
};

/** Service specification, What the service does. */
const forMexico = (country: string | undefined): string =>
  country === 'MX' ? ' Rates for Mexico are set by contract: ask support for them.' : '';

const noCoverageMessage = ({ shippingService, country, deliversTo }: FaultOf<'getRates.noDeliveryCoverage'>): string =>
  deliversTo === undefined || shippingService === undefined
    ? `The carrier service is not currently available for this origin/destination combination.${forMexico(country)}`
    : `${shippingService} does not deliver to ${deliversTo === 'homes' ? 'businesses' : 'homes'}.`;

const noWarehouseMessage = ({ warehouseId, country }: FaultOf<'getRates.unknownWarehouse'>): string => {
  if (warehouseId === 'any') return 'No warehouse in the United States is registered to this client to choose from.';
  return country !== undefined
    ? `The warehouse ${warehouseId} is not in the United States.${forMexico(country)}`
    : `The warehouse ${warehouseId} is not registered to this client; GET /v1/client/warehouses lists those that are.`;
};

/** The fault as clients read it: type, a sentence for people, and the offending input by name. */
export const faultBody = (fault: Fault): FaultBody => {
  switch (fault.type) {
    case 'getRates.invalidRequest':
      return invalidRequest(fault.issues);
    case 'getRates.noTariff':
      return {
        type: fault.type,
        message: `No tariff is in force on ${fault.shipDate}.`,
        arguments: { shipDate: fault.shipDate },
      };
    case 'getRates.unknownShippingService':
      return {
        type: fault.type,
        message: `The shipping service ${fault.shippingService} is not known; ${SERVICE_HELP}.`,
        arguments: { shippingService: fault.shippingService },
      };
    case 'getRates.unknownWarehouse':
      return {
        type: fault.type,
        message: noWarehouseMessage(fault),
        arguments: { warehouse_id: fault.warehouseId },
      };
    case 'getRates.noDeliveryCoverage':
      return {
        type: fault.type,
        message: noCoverageMessage(fault),
        arguments: { postalCode: fault.postalCode },
      };
    case 'getRates.addressLineRequired':
      return {
        type: fault.type,
        message: `The shipping service ${fault.shippingService} needs the street address: rates.recipient.address.addressLine.`,
        arguments: { addressLine: `required by ${fault.shippingService}` },
      };
    case 'getRates.weightNotServed':
      return {
        type: fault.type,
        message: `${fault.shippingService} takes packages of up to ${fault.maximumLb} LB; package ${fault.packageIndex + 1} counts as ${fault.weightLb} LB.`,
        arguments: { weight: `${fault.weightLb} LB` },
      };
    case 'getRates.sizeNotServed':
      return {
        type: fault.type,
        message: `${fault.shippingService} takes packages of up to ${fault.maximumInches} IN in ${fault.measure === 'length' ? 'length' : 'length plus girth'}; package ${fault.packageIndex + 1} has ${fault.inches} IN.`,
        arguments: { [fault.measure]: `${fault.inches} IN` },
      };
    case 'row.malformed':
      return {
        type: fault.type,
        message: `Row ${fault.row} cannot be read: ${fault.reason}.`,
        arguments: { row: fault.row },
      };
    default:
      return fault satisfies never;
  }
};
