/** The model of what a carrier charges beside its rates: surcharges, when they apply, and those of one lane. */
import { lazily } from '../base/lazily.ts';
import {
  keysOf,
  type Member,
  memberOf,
  OPTION_NAMES,
  type OPTIONS,
  type OptionField,
  optionOf,
  type SIGNATURES,
} from './fields.ts';
import type { BasisPoints, Cents } from './quantity.ts';

export type Signature = (typeof SIGNATURES)[number];

interface Part {
  /** What a tariff lacks. */
  readonly lacks: string;
  /** What a price lacks, on pages and in workbooks, if that has other words. */
  readonly name?: string;
}

/**
 * Parts of a carrier's bill that a tariff may lack, as `price.incomplete` names them. The last four are options of a
 * request: they are missing only if it asks for them.
 */
export const PARTS = {
  fuel: { lacks: 'the fuel surcharge for that day', name: 'the fuel surcharge' },
  residential: { lacks: 'the residential charge' },
  deliveryArea: { lacks: 'delivery area surcharges' },
  handling: { lacks: 'charges for additional handling', name: 'additional handling and oversize charges' },
  limits: { lacks: 'size limits', name: 'the largest size that the carrier accepts' },
  signature: { lacks: 'the charge for the signature' },
  saturday: { lacks: 'the charge for Saturday delivery' },
  declaredValue: { lacks: 'the charge for the declared value' },
  billing: { lacks: 'the charge for third-party billing or for a return' },
} as const satisfies Readonly<Record<string, Part>>;
export type PricePart = keyof typeof PARTS;
export const PRICE_PARTS = keysOf(PARTS);
/** Those that a tariff's coverage lists. No carrier's file that is read has charges for billing. */
export type TariffPart = Exclude<PricePart, 'billing'>;
export const TARIFF_PARTS = PRICE_PARTS.filter((part): part is TariffPart => part !== 'billing');

const names = lazily(() => new Intl.ListFormat('en-US', { type: 'conjunction' }));

/** `the residential charge and delivery area surcharges` */
export const partNames = (parts: readonly PricePart[]): string =>
  names().format(parts.map((part) => PARTS[part].lacks));

/** What an option asks for. Dollars are cents, and more than 0. Dates are `YYYY-MM-DD`. */
type Asked<O> = O extends { readonly kind: 'date' }
  ? string
  : O extends { readonly values: readonly (infer V)[] }
    ? Exclude<V, O extends { readonly usual: infer U } ? U : never>
    : O extends { readonly kind: 'dollars' }
      ? number
      : true;

/** What a shipment asks for beside transport. A member is absent if it is not asked for. */
export type ShipmentOptions = {
  readonly [F in OptionField as (typeof OPTIONS)[F]['kind'] extends 'dollars' ? `${Member<F>}Cents` : Member<F>]?:
    | Asked<(typeof OPTIONS)[F]>
    | undefined;
} & {
  /** The most business days that it may take. A scenario asks for it; a request names the day. */
  readonly byDays?: number | undefined;
};

type OptionWith<T> = {
  readonly [F in OptionField]: (typeof OPTIONS)[F] extends T ? F : never;
}[OptionField];

/** The options that a surcharge's condition may have. */
type ConditionField = OptionWith<{ readonly charge: { readonly because: string } }>;

/** The options that a service may refuse. */
type RefusedField = OptionWith<{ readonly refusal: string }>;

/** An option that a service may refuse, and the type of the fault. */
export interface Refusal {
  readonly member: Member<RefusedField>;
  readonly type: (typeof OPTIONS)[RefusedField]['refusal'];
}

/** An option that is charged for, by its member in `ShipmentOptions`. */
interface ChargedOption {
  readonly member: keyof ShipmentOptions;
  readonly part: PricePart;
  /** Those of a choice. */
  readonly values: readonly unknown[];
  /** Those that cost something. */
  readonly charged: readonly unknown[] | undefined;
}

/** The options that are charged for, and those of them that conditions have. */
export const CHARGED_OPTIONS = OPTION_NAMES.flatMap((field): ChargedOption[] => {
  const { path, kind, values = [], charge } = optionOf(field);
  if (charge === undefined) return [];
  const member = `${memberOf(path)}${kind === 'dollars' ? 'Cents' : ''}`;
  return [{ member: member as keyof ShipmentOptions, part: charge.part as PricePart, values, charged: charge.of }];
});
export const CONDITIONS = OPTION_NAMES.flatMap((field) => {
  const { path, charge } = optionOf(field);
  const because = charge?.because;
  return because === undefined ? [] : [{ member: memberOf(path) as Member<ConditionField>, because }];
});

export const REFUSALS = OPTION_NAMES.flatMap((field): Refusal[] => {
  const { path, refusal } = optionOf(field);
  return refusal === undefined
    ? []
    : [{ member: memberOf(path) as Refusal['member'], type: refusal as Refusal['type'] }];
});

/** Limits that a package must exceed, with the words for each. Lengths are inches, weights pounds. */
export const MEASURES = {
  actualWeightOverLb: (limit: number) => `actual weight over ${limit} lb`,
  billingWeightOverLb: (limit: number) => `actual or dimensional weight over ${limit} lb`,
  lengthOverIn: (limit: number) => `longest side over ${limit} in`,
  secondSideOverIn: (limit: number) => `second side over ${limit} in`,
  lengthPlusGirthOverIn: (limit: number) => `length plus girth over ${limit} in`,
  cubicInchesOver: (limit: number) => `volume over ${limit.toLocaleString('en-US')} cu in`,
};
export type Measure = keyof typeof MEASURES;
export const MEASURE_NAMES = keysOf(MEASURES);

/** The limits that are given: a package must exceed each. */
export type Measures = { readonly [M in Measure]?: number };

/** What a condition says of an option: that it must be asked for, or which of its values. */
type AskedCondition<O> = O extends { readonly values: readonly (infer V)[] } ? ReadonlySet<V> : true;

/** What the request must ask for. */
type AskedConditions = {
  readonly [F in ConditionField as Member<F>]?: AskedCondition<(typeof OPTIONS)[F]>;
};

/** When a surcharge applies; every condition that is given must hold. */
export interface SurchargeCondition extends Measures, AskedConditions {
  readonly residential?: boolean;
  /** Area numbers of destinations in the area tier: see `Card.areas`. */
  readonly area?: ReadonlySet<number>;
  readonly columns?: ReadonlySet<number>;
  /** At least one of these must hold. */
  readonly anyOf?: readonly Measures[];
  /** The declared value for each package is less than this, or none is declared. */
  readonly declaredValueUnderCents?: Cents;
}

/** A percentage of the base and of surcharges. */
export interface Percentage {
  readonly per: 'percent';
  readonly rate: BasisPoints;
  /** File, and page or row. */
  readonly source?: string;
  readonly ofBase: boolean;
  /** Indexes of the surcharges in the same list, all before this one. */
  readonly of: readonly number[];
}

export interface Surcharge {
  readonly type: string;
  readonly description: string;
  /** File, and page or row. */
  readonly source?: string;
  /** The tier of the area list that `when.area` has the numbers of. */
  readonly tier?: string;
  readonly when: SurchargeCondition;
  readonly amount:
    | {
        readonly per: 'shipment' | 'package' | 'pound';
        readonly centsByColumn: readonly Cents[];
        /** Columns whose amount nobody knows; 0 in `centsByColumn`. */
        readonly unknown?: ReadonlySet<number>;
      }
    /** Of a declared value over `freeCents`: for each $100 and for a rest of less. */
    | {
        readonly per: 'declaredValue';
        readonly freeCents: Cents;
        readonly centsPer100: Cents;
        readonly minimumCents: Cents;
      }
    | Percentage;
  /** Of all that apply to a package under one name here, only the dearest is charged. */
  readonly dearestOf?: string;
  /** A package that this applies to is billed at no less than this. */
  readonly leastBillingWeightLb?: number;
  /** The most that a shipment pays that is rated as a whole. */
  readonly multiweightMaximumCents?: Cents;
}

/** Limits of a package: mass in 10 µg, sides in 0.1 µm. A measure without a limit is -1, or infinite: see its owner. */
export interface PackageLimits {
  readonly mass: number;
  readonly billingLb: number;
  /** Whether any of the measures below has a limit. */
  readonly isSized: boolean;
  readonly length: number;
  readonly secondSide: number;
  readonly lengthPlusGirth: number;
  readonly cubicIn: number;
}

/** A surcharge that depends on a package's weight and size, or on which surcharges it has beside. */
export interface Measured {
  /** In `LaneCharges.surcharges`. */
  readonly index: number;
  readonly surcharge: Surcharge;
  /** It applies to a package that exceeds all limits of any of these. -1 is no limit. */
  readonly limits: readonly PackageLimits[];
}

/** See `LaneCharges.ordinarily`. Amounts are cents. */
export interface OrdinaryCharges {
  readonly sum: number;
  readonly percentages: readonly { readonly rate: BasisPoints; readonly ofBase: boolean; readonly ofFixed: number }[];
}

/** The type of fuel. Other kinds of fuel have longer ones: `FUEL_AIR`. */
export const FUEL = 'FUEL';

/** Whether a type is that of fuel, of any kind. */
export const isFuelType = (type: string): boolean => type.startsWith(FUEL);

/** Whether a surcharge is fuel, of any kind: a percentage of such a type. */
export const isFuel = ({
  type,
  amount,
}: {
  readonly type: string;
  readonly amount: { readonly per: string };
}): boolean => amount.per === 'percent' && isFuelType(type);

/** The surcharges that may apply to packages on a lane. */
export interface LaneCharges {
  /** Percentages last; their `of` are indexes of this list. */
  readonly surcharges: readonly Surcharge[];
  /** The indexes of these in the card's list. */
  readonly places: readonly number[];
  /** Indexes of those that `plain` has an amount of. */
  readonly plainIndexes: readonly number[];
  /** Cents for a package that no measure concerns, beside `surcharges`; 0 for percentages. */
  readonly plain: readonly number[];
  readonly measured: readonly Measured[];
  /** Those of `measured` that a package without dimensions may have, with their limits of weight alone. */
  readonly measuredByWeight: readonly Measured[];
  /** The surcharges of handling whose amount on this lane nobody knows. */
  readonly unknown: readonly Measured[];
  /** A package that exceeds none of these is concerned by no surcharge in `measured`. Infinite is no limit. */
  readonly ordinary: PackageLimits;
  /** A number for each `dearestOf` name, beside `surcharges`; -1 without one. */
  readonly groups: readonly number[];
  /** Indexes of amounts per pound that every package has. */
  readonly perPound: readonly number[];
  /** Amounts per shipment, on the declared value too. */
  readonly perShipment: readonly Measured[];
  readonly percentages: readonly { readonly index: number; readonly amount: Percentage }[];
  /**
   * All that an ordinary package pays beside its base: a sum, and percentages of the base and of fixed sums. Absent if it is
   * not as simple: with amounts per pound, or a percentage of another one.
   */
  readonly ordinarily?: OrdinaryCharges;
  /** Whether a shipment that is rated as a whole has a most that it pays. */
  readonly hasMaximum: boolean;
  /** Bits of `price.incomplete`: see `warning.ts`. */
  readonly warnings: number;
}

export interface ChargeTable {
  /** A package that exceeds none of these has no least billing weight on any lane. Infinite is no limit. */
  readonly ordinary: PackageLimits;
  /**
   * @param area the destination's area number
   * @param packages how many packages share the declared value
   */
  readonly on: (
    column: number,
    area: number,
    residential: boolean,
    options: ShipmentOptions | undefined,
    packages: number,
  ) => LaneCharges;
}
