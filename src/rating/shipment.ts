/**
 * The only schema of a rate request, and the `Shipment` that rating uses. Single calls and CSV rows, in the form of the
 * same body, go through `readShipment`, so they get the same faults. Source of the limits: service specification,
 * Limits; contract, Faults.
 */
import { z } from 'zod';
import { Failed } from '../base/failed.ts';
import { pathText, problemText } from '../base/validation.ts';
import type { ShipmentOptions } from './charges.ts';
import { type Issue, type Result, SERVICE_HELP } from './fault.ts';
import { memberOf, OPTION_NAMES, type OptionField, optionOf } from './fields.ts';
import { type LengthUnit, lengthOf, type Mass, massOf, type Sides, type WeightUnit } from './quantity.ts';
import { MOST_WAREHOUSES, type ShipFrom, WAREHOUSE_ID_MAX, warehouseChoice } from './ship-from.ts';

export interface PackageItem {
  readonly mass: Mass;
  /** As given, until `measuredBy` rounds them for a card. Undefined without dimensions. */
  readonly sides?: Sides;
  /** Volume of the sides, once they are in whole inches. */
  readonly cubicInches?: number;
}

export interface Shipment {
  readonly shippingService?: string | undefined;
  /** 0 if the request names several. */
  readonly warehouseId: number;
  /** Several warehouses to choose the cheapest from. */
  readonly shipFrom: ShipFrom | undefined;
  readonly postalCode: string;
  /** Upper case. `US` if the request names none. */
  readonly countryCode: string;
  readonly addressLine?: string | undefined;
  readonly residential: boolean;
  /** `YYYY-MM-DD`. Undefined for the day of the request. */
  readonly shipDate?: string | undefined;
  readonly packages: readonly PackageItem[];
  /** Undefined if the shipment asks for none. */
  readonly options?: ShipmentOptions | undefined;
}

/** Makes a shipment that a reader fills for each row. It has the shape of those that `readShipment` makes. */
export const emptyShipment = (): { -readonly [K in keyof Shipment]: Shipment[K] } => ({
  warehouseId: 0,
  shipFrom: undefined,
  postalCode: '',
  countryCode: 'US',
  residential: false,
  packages: [],
  shippingService: undefined,
  addressLine: undefined,
  shipDate: undefined,
  options: undefined,
});

export const LIMITS = {
  shippingServiceLength: 10,
  warehouseIdMax: WAREHOUSE_ID_MAX,
  /** Maximum number that one shipment is compared from. */
  warehouses: MOST_WAREHOUSES,
  addressLineLength: 35,
  postalCodeLength: 10,
  packages: 99,
  weight: 99,
  dimension: 999,
} as const;

export const US_POSTAL_CODE = /^\d{5}(?:-\d{4})?$/;
export const COUNTRY_CODE = /^[A-Za-z]{2}$/;

/** Maximum number of characters that are examined for a hint. */
const MOST_JUDGED = 40;

/** Names the first invisible character. Pasted text may have such characters. */
const invisibleHint = (text: string): string => {
  const found = /\p{Cf}/u.exec(text)?.[0].codePointAt(0);
  return found === undefined
    ? ''
    : `; it has the invisible character U+${found.toString(16).toUpperCase().padStart(4, '0')}`;
};

/** Guesses the ZIP code that a spreadsheet or a script changed. Only digits of the text are repeated. */
const likelyPostalCode = (text: string): string | undefined => {
  const [, digits = '', decimals = ''] = /^(\d{3,5}|\d{7,9})(\.0+)?$/.exec(text) ?? [];
  if (digits.length >= 7 && (digits.length === 9 || !digits.startsWith('0'))) {
    const lost = digits.length === 9 ? 'its hyphen' : 'its leading zeros and its hyphen';
    return `${digits.slice(0, -4).padStart(5, '0')}-${digits.slice(-4)} without ${lost}`;
  }
  if (digits.length === 5 && decimals !== '') return `${digits} made a decimal number`;
  // A code that begins with a zero has lost no zero.
  if (digits === '' || digits.startsWith('0') || digits.length === 5) return undefined;
  const zeros = digits.length === 4 ? 'its leading zero' : 'its leading zeros';
  return `${digits.padStart(5, '0')} without ${zeros}`;
};

const postalCodeMessage = (text: string): string => {
  const likely = likelyPostalCode(text);
  const hint = likely === undefined ? '' : `; ${text} looks like ${likely}`;
  return `must have the form 12345 or 12345-6789${hint}${invisibleHint(text)}`;
};

const US_NAMES = /^(?:u\.?s\.?a\.?|united states(?: of america)?(?: \(usa?\))?)$/i;

const countryMessage = (input: unknown): string =>
  typeof input === 'string' && US_NAMES.test(input) ? 'must be two letters; this looks like US' : 'must be two letters';

const weight = z.object({
  units: z.enum(['KG', 'LB']).describe('Weight unit.'),
  value: z
    .number()
    .gt(0)
    .lte(LIMITS.weight)
    .meta({ description: 'Weight of the package in the given unit.', example: 2.1 }),
});

const dimension = z.number().gt(0).lte(LIMITS.dimension);
const dimensions = z.object({
  units: z.enum(['IN', 'CM']),
  length: dimension,
  width: dimension,
  height: dimension,
});

const packageItem = z.object({ weight, dimensions: dimensions.optional() });

const address = z
  .object({
    addressLine: z.string().max(LIMITS.addressLineLength).optional(),
    postalCode: z
      .string()
      .min(1)
      .max(LIMITS.postalCodeLength, {
        error: ({ input }) =>
          `must have at most ${LIMITS.postalCodeLength} characters${invisibleHint(String(input).slice(0, MOST_JUDGED))}`,
      })
      .meta({ description: 'Destination ZIP code, 12345 or 12345-6789.', example: '02139' }),
    countryCode: z
      .string()
      .regex(COUNTRY_CODE, { error: ({ input }) => countryMessage(input) })
      .default('US'),
    residential: z.boolean().optional(),
  })
  .superRefine(({ postalCode, countryCode }, context) => {
    if (countryCode.toUpperCase() === 'US' && !US_POSTAL_CODE.test(postalCode))
      context.addIssue({ code: 'custom', path: ['postalCode'], message: postalCodeMessage(postalCode) });
  });

/** Converts dollars to cents. Exact for any amount up to the limit. */
const centsOf = (amount: number): number => Math.round(amount * 100);

const dollars = (most: number | undefined) =>
  z
    .number({
      error: ({ code }) => (code === 'invalid_type' ? 'must be a number of dollars, such as 1250.50' : undefined),
    })
    .gte(0)
    .lte(most ?? Number.POSITIVE_INFINITY, `must be at most ${most} US dollars, whatever the shipping service`)
    .refine((amount) => centsOf(amount) / 100 === amount, 'must have at most two decimals');

const typeOfValue = ({ kind, values = [], most }: ReturnType<typeof optionOf>) => {
  switch (kind) {
    case 'choice':
      return z.enum(values);
    case 'dollars':
      return dollars(most);
    case 'date':
      return z.iso.date('must be a date, YYYY-MM-DD');
    default:
      return z.boolean();
  }
};

const schemaOf = (field: OptionField) => {
  const { about, example } = optionOf(field);
  const value = typeOfValue(optionOf(field));
  return value.optional().meta({ description: about, ...(example === undefined ? {} : { example }) });
};

const shipmentOptions = z
  .object(Object.fromEntries(OPTION_NAMES.map((field) => [memberOf(optionOf(field).path), schemaOf(field)])))
  .describe('Delivery options and terms of payment.');

/** Reads the options of a request. `false`, 0 dollars and usual values such as `allow` ask for nothing. */
const optionsOf = (asked: z.output<typeof shipmentOptions> | undefined): ShipmentOptions | undefined => {
  if (asked === undefined) return undefined;
  const entries = OPTION_NAMES.flatMap((field): (readonly [string, unknown])[] => {
    const { path, usual } = optionOf(field);
    const member = memberOf(path);
    const value = asked[member];
    if (value === undefined || value === false || value === 0 || value === usual) return [];
    return [typeof value === 'number' ? [`${member}Cents`, centsOf(value)] : [member, value]];
  });
  const options: ShipmentOptions = Object.fromEntries(entries);
  return entries.length === 0 ? undefined : options;
};

/** A longer text is probably the name of a service, not its code. */
const SERVICE_MESSAGE = `must have at most ${LIMITS.shippingServiceLength} characters; ${SERVICE_HELP}`;

export const rateRequest = z
  .object({
    rates: z.object({
      shippingService: z.string().min(1).max(LIMITS.shippingServiceLength, SERVICE_MESSAGE).optional(),
      shipDate: z.iso.date('must be a date, YYYY-MM-DD').optional(),
      shipper: z.object({ warehouse_id: warehouseChoice }),
      recipient: z.object({ address }),
      options: shipmentOptions.optional(),
      // Packages are counted before they are checked, so a list of a million costs nothing.
      packageItems: z.array(z.unknown()).min(1).max(LIMITS.packages).pipe(z.array(packageItem)),
    }),
  })
  .meta({ id: 'RateRequest' });

type RateRequest = z.output<typeof rateRequest>;

const NUMBER_WITH_UNIT = /^\s*[\d.,]+\s*(?:lb|oz|kg|g|pound|ounce|gram|kilo)[a-z]*\b/i;
/** A comma before three digits and no other sign. It may separate thousands or be a decimal comma. */
const UNCLEAR_COMMA = /^[1-9]\d{0,2},\d{3}(?: ?[a-z]+\.?)?$/i;
const NUMBER_WITH_COMMAS = /^[\d.]*,[\d.,]*$/;
const EXPONENT = /^\d+(?:\.\d+)?e[+-]?\d+$/i;
const UNCLEAR_HINT = '; its comma may separate thousands or be a decimal comma';

const UNIT_HINTS: Readonly<Record<string, string>> = {
  LB: 'write LB in capitals',
  LBS: 'write LB',
  KG: 'write KG in capitals',
  KGS: 'write KG',
  OZ: 'this looks like ounces: 1 is 0.0625 LB',
  G: 'this looks like grams: 1 is 0.001 KG',
};

/** Returns a hint about an unknown weight unit: what to write, or what it probably means. */
const unitHint = (input: unknown, values: readonly unknown[]): string => {
  const hint = typeof input === 'string' && values.includes('LB') ? UNIT_HINTS[input.toUpperCase()] : undefined;
  return hint === undefined ? '' : `; ${hint}`;
};

/** The error map of a request: `problemText`, with hints about weights and units. */
const requestProblem = (issue: z.core.$ZodRawIssue): string | undefined => {
  const { code, input } = issue;
  if (code === 'invalid_type' && issue.expected === 'number' && typeof input === 'string') {
    const isUnclear = input.length <= MOST_JUDGED && UNCLEAR_COMMA.test(input.trim());
    // A warehouse id has no decimals.
    const isId = issue.path?.includes('warehouse_id') === true;
    if (NUMBER_WITH_UNIT.test(input))
      return `must be a number; a unit belongs in units, KG or LB${isUnclear ? UNCLEAR_HINT : ''}`;
    if (isUnclear || (input.length <= MOST_JUDGED && NUMBER_WITH_COMMAS.test(input)))
      return isId
        ? 'must be a whole number without a comma, such as 101'
        : isUnclear
          ? `must be a number${UNCLEAR_HINT}`
          : 'must be a number with a decimal point, such as 2.5';
    if (EXPONENT.test(input.slice(0, MOST_JUDGED)))
      return `must be a number without an exponent, such as ${isId ? '101' : '0.25'}`;
    const mark = invisibleHint(input.slice(0, MOST_JUDGED));
    if (mark !== '') return `must be a number${mark}`;
  }
  if (code === 'invalid_value' && input !== undefined) return `${problemText(issue)}${unitHint(input, issue.values)}`;
  return problemText(issue);
};

const ANY_SERVICE = 'whatever the shipping service';

const MOST_KG = `${LIMITS.weight} KG, which is about 218.3 LB`;

const OF_SIDE = `${ANY_SERVICE}; check the side and its unit`;

/** The ends of `must be at most …` for a weight and a side, by unit: the limit, whose it is, and what to do. */
const MOST_OF = {
  weight: {
    LB: `${LIMITS.weight} LB, ${ANY_SERVICE}; give a heavier package in KG, up to ${MOST_KG}`,
    KG: `${MOST_KG}, ${ANY_SERVICE}; send lighter packages`,
  },
  dimensions: { IN: `${LIMITS.dimension} IN, ${OF_SIDE}`, CM: `${LIMITS.dimension} CM, ${OF_SIDE}` },
} satisfies Record<'weight', Record<WeightUnit, string>> & Record<'dimensions', Record<LengthUnit, string>>;

const valueAt = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;

/** Returns the message about a weight or a side that is too large. Undefined if the request does not say its unit. */
const tooLarge = (body: unknown, path: readonly PropertyKey[]): string | undefined => {
  const measure = path.slice(0, -1);
  const units = valueAt(measure.reduce(valueAt, body), 'units');
  const most = valueAt(valueAt(MOST_OF, measure.at(-1) ?? ''), String(units));
  return most === undefined ? undefined : `must be at most ${most}`;
};

const packageOf = ({
  weight: { value, units },
  dimensions: box,
}: RateRequest['rates']['packageItems'][number]): PackageItem =>
  packageWeighing(value, units, box && sidesOf(box.length, box.width, box.height, box.units));

/** Returns a box's sides, longest first. */
export const sidesOf = (length: number, width: number, height: number, units: LengthUnit): Sides => {
  let [a, b, c] = [lengthOf(length, units), lengthOf(width, units), lengthOf(height, units)];
  if (a < b) [a, b] = [b, a];
  if (b < c) [b, c] = [c, b];
  if (a < b) [a, b] = [b, a];
  return [a, b, c];
};

/** Makes a package for readers that have already checked its weight and sides. */
export const packageWeighing = (value: number, units: WeightUnit, sides?: Sides): PackageItem => {
  const mass = massOf(value, units);
  return sides === undefined ? { mass } : { mass, sides };
};

const isJudgedWell = (judged: z.core.ParsePayload): judged is z.core.ParsePayload<RateRequest> =>
  judged.issues.length === 0;

/**
 * Runs the schema as `safeParse` does. A failure of `safeParse` has its own accessors, so V8 keeps its shape in old
 * memory. The failure and what it refers to stay there until a full collection. It also takes twice the time.
 */
const judge = (body: unknown): Result<RateRequest> => {
  const context = { error: requestProblem, async: false };
  const judged = rateRequest._zod.run({ value: body, issues: [] }, context);
  if (judged instanceof Promise) throw new z.core.$ZodAsyncError();
  if (isJudgedWell(judged)) return judged.value;
  const issues = judged.issues.map((raw): Issue => {
    const { path, message } = z.core.util.finalizeIssue(raw, context, z.core.config());
    const larger = raw.code === 'too_big' ? tooLarge(body, path) : undefined;
    return { path: path.length === 0 ? 'body' : pathText(path), message: larger ?? message };
  });
  return new Failed({ type: 'getRates.invalidRequest', issues });
};

/**
 * Reads a request body.
 * @returns the shipment, or the fault `getRates.invalidRequest` with one issue per field that is missing, of the wrong
 * type or over its limit.
 */
export const readShipment = (body: unknown): Result<Shipment> => {
  const judged = judge(body);
  if (judged instanceof Failed) return judged;
  const { shippingService, shipDate, shipper, recipient, packageItems } = judged.rates;
  const { addressLine, postalCode, countryCode, residential } = recipient.address;
  const warehouse = shipper.warehouse_id;
  const isOne = typeof warehouse === 'number';
  return {
    warehouseId: isOne ? warehouse : 0,
    shipFrom: isOne ? undefined : warehouse,
    postalCode,
    countryCode: countryCode.toUpperCase(),
    residential: residential ?? false,
    packages: packageItems.map(packageOf),
    shippingService,
    addressLine,
    shipDate,
    options: optionsOf(judged.rates.options),
  };
};
