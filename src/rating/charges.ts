/** Model of a carrier's charges in addition to its rates: surcharges, their conditions, and the charges of a lane. */
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

/**
 * Parts of a carrier's bill that a tariff may lack, as `price.incomplete` names them. The last four are options of a
 * request. They are missing only if the request asks for them. `lacks` is the name in messages about a tariff, and `name`
 * the one on pages and in workbooks, if it differs.
 */
export const PARTS = {
  fuel: { lacks: 'the fuel surcharge for that day', name: 'the fuel surcharge' },
  residential: { lacks: 'the residential charge' },
  deliveryArea: { lacks: 'delivery area surcharges' },
  handling: { lacks: 'charges for additional handling', name: 'additional handling and oversize charges' },
  demand: { lacks: "the season's demand surcharge" },
  limits: { lacks: 'size limits', name: 'the largest size that the carrier accepts' },
  signature: { lacks: 'the signature charge' },
  saturday: { lacks: 'the Saturday delivery charge' },
  declaredValue: { lacks: 'the declared value charge' },
  billing: { lacks: 'the charge for third-party billing or for a return' },
} as const satisfies Readonly<Record<string, { readonly lacks: string; readonly name?: string }>>;
export type PricePart = keyof typeof PARTS;
export const PRICE_PARTS = keysOf(PARTS);
/**
 * Parts that a tariff's coverage lists. No carrier's file that we read has charges for billing. Demand surcharges come and go,
 * so a tariff without them lacks nothing. One whose amount is unknown is missing.
 */
export type TariffPart = Exclude<PricePart, 'billing' | 'demand'>;
export const TARIFF_PARTS = PRICE_PARTS.filter((part): part is TariffPart => part !== 'billing' && part !== 'demand');

const names = lazily(() => new Intl.ListFormat('en-US', { type: 'conjunction' }));

/** `the residential charge and delivery area surcharges` */
export const partNames = (parts: readonly PricePart[]): string =>
  names().format(parts.map((part) => PARTS[part].lacks));

/** Value of an option. Dollars are in cents and above 0. Dates are `YYYY-MM-DD`. */
type Asked<O> = O extends { readonly kind: 'date' }
  ? string
  : O extends { readonly values: readonly (infer V)[] }
    ? Exclude<V, O extends { readonly usual: infer U } ? U : never>
    : O extends { readonly kind: 'dollars' }
      ? number
      : true;

/** Options of a shipment. A member is undefined if the shipment does not ask for it. */
export type ShipmentOptions = {
  readonly [F in OptionField as (typeof OPTIONS)[F]['kind'] extends 'dollars' ? `${Member<F>}Cents` : Member<F>]?:
    | Asked<(typeof OPTIONS)[F]>
    | undefined;
} & {
  /** Maximum number of business days. A scenario asks for it. A request names the day. */
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
  /** Values of a choice. */
  readonly values: readonly unknown[];
  /** Values that cost something. Undefined if all do. */
  readonly charged: readonly unknown[] | undefined;
}

/** The options that a tariff may charge for, and those that conditions can have. */
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

/** Limits that a package must exceed, with the text for each. Lengths are in inches, weights in pounds. */
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

/** Limits. A package must exceed each that is given. */
export type Measures = { readonly [M in Measure]?: number };

/** Condition on an option: that the request asks for it, or for one of these values. */
type AskedCondition<O> = O extends { readonly values: readonly (infer V)[] } ? ReadonlySet<V> : true;

type AskedConditions = {
  readonly [F in ConditionField as Member<F>]?: AskedCondition<(typeof OPTIONS)[F]>;
};

/** Conditions of a surcharge. It applies if all of them are met. */
export interface SurchargeCondition extends Measures, AskedConditions {
  readonly residential?: boolean;
  /** Area numbers of destinations in the area tier: see `Card.areas`. */
  readonly area?: ReadonlySet<number>;
  readonly columns?: ReadonlySet<number>;
  /** At least one of these must be met. */
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
  /** Indexes of surcharges in the same list. All come before this one. */
  readonly of: readonly number[];
}

export interface Surcharge {
  readonly type: string;
  readonly description: string;
  /** File, and page or row. */
  readonly source?: string;
  /** The area tier whose numbers are in `when.area`. */
  readonly tier?: string;
  readonly when: SurchargeCondition;
  readonly amount:
    | {
        readonly per: 'shipment' | 'package' | 'pound';
        readonly centsByColumn: readonly Cents[];
        /** Columns with an unknown amount. They are 0 in `centsByColumn`. */
        readonly unknown?: ReadonlySet<number>;
      }
    /** On a declared value over `freeCents`: for each $100 or part of it. */
    | {
        readonly per: 'declaredValue';
        readonly freeCents: Cents;
        readonly centsPer100: Cents;
        readonly minimumCents: Cents;
      }
    | Percentage;
  /** Group name. Of the surcharges of a group that apply to a package, only the most expensive is charged. */
  readonly dearestOf?: string;
  /** Minimum billing weight of a package that this applies to. */
  readonly leastBillingWeightLb?: number;
  /** Cap for a shipment that is rated as a whole. */
  readonly multiweightMaximumCents?: Cents;
}

/** Limits of a package: mass in 10 µg, sides in 0.1 µm. A measure without a limit is -1 or infinite: see its owner. */
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

/** A surcharge that depends on a package's weight and size, or on its other surcharges. */
export interface Measured {
  /** Index into `LaneCharges.surcharges`. */
  readonly index: number;
  readonly surcharge: Surcharge;
  /** The surcharge applies to a package that exceeds all limits of at least one entry. -1 is no limit. */
  readonly limits: readonly PackageLimits[];
}

/** See `LaneCharges.ordinarily`. Amounts are cents. */
export interface OrdinaryCharges {
  readonly sum: number;
  readonly percentages: readonly { readonly rate: BasisPoints; readonly ofBase: boolean; readonly ofFixed: number }[];
}

/** Surcharge type of fuel. Other kinds of fuel have longer types, such as `FUEL_AIR`. */
export const FUEL = 'FUEL';

/** Returns whether a type is for fuel of any kind. */
export const isFuelType = (type: string): boolean => type.startsWith(FUEL);

/** Returns whether a surcharge is fuel of any kind: a percentage with such a type. */
export const isFuel = ({
  type,
  amount,
}: {
  readonly type: string;
  readonly amount: { readonly per: string };
}): boolean => amount.per === 'percent' && isFuelType(type);

/** Whether a charge is a demand (peak season) surcharge. */
export const isDemand = ({ type }: { readonly type: string }): boolean => type.startsWith('DEMAND');

/** The surcharges that may apply to packages on a lane. */
export interface LaneCharges {
  /** Percentages come last. Their `of` has indexes into this list. */
  readonly surcharges: readonly Surcharge[];
  /** Indexes into the card's list, parallel to `surcharges`. */
  readonly places: readonly number[];
  /** Indexes of the surcharges with an amount in `plain`. */
  readonly plainIndexes: readonly number[];
  /** Cents, parallel to `surcharges`, for a package to which no measure applies. 0 for percentages. */
  readonly plain: readonly number[];
  readonly measured: readonly Measured[];
  /** Entries of `measured` that can apply to a package without dimensions, with only their weight limits. */
  readonly measuredByWeight: readonly Measured[];
  /** Surcharges with an unknown amount on this lane, each with the warning bit of its part. */
  readonly unknown: readonly (Measured & { readonly bit: number })[];
  /** No surcharge in `measured` applies to a package that exceeds none of these. Infinite is no limit. */
  readonly ordinary: PackageLimits;
  /** Number of the `dearestOf` group, parallel to `surcharges`; -1 without one. */
  readonly groups: readonly number[];
  /** Indexes of amounts per pound that every package pays. */
  readonly perPound: readonly number[];
  /** Amounts per shipment, including those on the declared value. */
  readonly perShipment: readonly Measured[];
  readonly percentages: readonly { readonly index: number; readonly amount: Percentage }[];
  /**
   * All that an ordinary package pays in addition to its base: a sum, and percentages of the base and of fixed amounts.
   * Undefined if there are amounts per pound or percentages of percentages.
   */
  readonly ordinarily?: OrdinaryCharges;
  /** Whether any surcharge has a cap for a shipment that is rated as a whole. */
  readonly hasMaximum: boolean;
  /** Bits of `price.incomplete`: see `warning.ts`. */
  readonly warnings: number;
}

export interface ChargeTable {
  /** A package that exceeds none of these has no minimum billing weight on any lane. Infinite is no limit. */
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
