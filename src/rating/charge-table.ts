/**
 * A card's surcharges by lane. What is the same for all packages that go by one rate column to one kind of address is
 * worked out once and kept, so that a quote reads a short list, and a package of ordinary size takes its amounts as they
 * are.
 */
import type {
  ChargeTable,
  LaneCharges,
  Measured,
  Measures,
  Ordinary,
  Percentage,
  PricePart,
  ShipmentOptions,
  Signature,
  Surcharge,
  SurchargeCondition,
} from './charges.ts';
import { inches, pounds } from './quantity.ts';
import { incompleteBits } from './warning.ts';

/** Lanes kept by card: more than the zones and areas of a carrier make without options. */
const MAX_LANES = 1_000;

const SIGNATURE_KEYS: Readonly<Record<Signature, number>> = { indirect: 1, direct: 2, adult: 3 };

const keyOf = (options: ShipmentOptions | undefined): number => {
  if (options === undefined) return 0;
  const { signature, saturday, nonStandardPackaging, declaredValueCents } = options;
  return (
    (signature === undefined ? 0 : SIGNATURE_KEYS[signature]) +
    (saturday === true ? 4 : 0) +
    (nonStandardPackaging === true ? 8 : 0) +
    (declaredValueCents === undefined ? 0 : 16)
  );
};

const MEASURES = [
  'actualWeightOverLb',
  'billingWeightOverLb',
  'lengthOverIn',
  'secondSideOverIn',
  'lengthPlusGirthOverIn',
  'cubicInchesOver',
] as const satisfies readonly (keyof Measures)[];

const measuresOf = ({ when }: Surcharge): readonly Measures[] => [when, ...(when.anyOf ?? [])];

/** Whether it depends on the weight or the size of a package. */
export const hasMeasures = (surcharge: Surcharge): boolean =>
  measuresOf(surcharge).some((measures) => MEASURES.some((name) => measures[name] !== undefined));

const ordinaryOf = (measured: readonly Measured[]): Ordinary => {
  // A surcharge without a measure, which is here because a dearer one may take its place, concerns every package.
  const all = measured.every(({ surcharge }) => hasMeasures(surcharge));
  const least = (name: keyof Measures): number => {
    const limits = measured.flatMap(({ surcharge }) => measuresOf(surcharge).map((measures) => measures[name]));
    return Math.min(...limits.map((limit) => limit ?? Number.POSITIVE_INFINITY));
  };
  return {
    mass: all ? pounds(least('actualWeightOverLb')) : -1,
    billingLb: least('billingWeightOverLb'),
    length: inches(least('lengthOverIn')),
    secondSide: inches(least('secondSideOverIn')),
    lengthPlusGirth: inches(least('lengthPlusGirthOverIn')),
    cubicIn: least('cubicInchesOver'),
  };
};

interface LaneKind {
  readonly column: number;
  readonly area: number;
  readonly residential: boolean;
  readonly options: ShipmentOptions | undefined;
  readonly packages: number;
}

const isUnder = ({ declaredValueUnderCents: under }: SurchargeCondition, { options, packages }: LaneKind): boolean =>
  under === undefined || (options?.declaredValueCents ?? 0) < under * packages;

/** Whether a surcharge's conditions on the destination and on the request hold. */
const reaches = ({ when, amount }: Surcharge, kind: LaneKind): boolean =>
  reachesKind({ when, amount }, kind) && isUnder(when, kind);

const reachesKind = (
  { when, amount }: Pick<Surcharge, 'when' | 'amount'>,
  { column, area, residential, options }: LaneKind,
): boolean =>
  (when.residential === undefined || when.residential === residential) &&
  (when.columns === undefined || when.columns.has(column)) &&
  (when.area === undefined || when.area.has(area)) &&
  (when.signature === undefined || (options?.signature !== undefined && when.signature.has(options.signature))) &&
  (when.saturday === undefined || options?.saturday === true) &&
  (when.nonStandardPackaging === undefined || options?.nonStandardPackaging === true) &&
  (amount.per !== 'declaredValue' || options?.declaredValueCents !== undefined);

const missingOn = (
  lacks: ReadonlySet<PricePart>,
  all: readonly Surcharge[],
  kind: LaneKind,
  hasNo: ReadonlySet<PricePart>,
): ReadonlySet<PricePart> => {
  const { residential, options } = kind;
  const missing = new Set(lacks);
  if (!residential) missing.delete('residential');
  // A charge that a high declared value waives is not missing.
  const has = (holds: (surcharge: Surcharge) => boolean): boolean =>
    all.some((surcharge) => holds(surcharge) && reachesKind(surcharge, kind));
  if (options?.signature !== undefined && !has(({ when }) => when.signature !== undefined)) missing.add('signature');
  if (options?.saturday === true && !has(({ when }) => when.saturday === true)) missing.add('saturday');
  if (options?.declaredValueCents !== undefined && !has(({ amount }) => amount.per === 'declaredValue'))
    missing.add('declaredValue');
  if (options?.nonStandardPackaging === true && !has(({ when }) => when.nonStandardPackaging === true))
    missing.add('handling');
  for (const part of hasNo) missing.delete(part);
  return missing;
};

/** The surcharges that reach a lane, with `of` of the percentages as indexes of the shorter list. */
const reachingOf = (all: readonly Surcharge[], kind: LaneKind): Surcharge[] => {
  const kept = all.map((surcharge) => reaches(surcharge, kind));
  const places = new Map<number, number>();
  for (let at = 0; at < all.length; at++) if (kept[at] === true) places.set(at, places.size);
  return all
    .filter((_, at) => kept[at])
    .map((surcharge): Surcharge => {
      const { amount } = surcharge;
      if (amount.per !== 'percent') return surcharge;
      return { ...surcharge, amount: { ...amount, of: amount.of.flatMap((at) => places.get(at) ?? []) } };
    });
};

const laneOf = (
  all: readonly Surcharge[],
  kind: LaneKind,
  lacks: ReadonlySet<PricePart>,
  hasNo: ReadonlySet<PricePart>,
): LaneCharges => {
  const surcharges = reachingOf(all, kind);
  const measured: Measured[] = [];
  const perPound: number[] = [];
  const perShipment: number[] = [];
  const percentages: { index: number; amount: Percentage }[] = [];
  const plain = surcharges.map((surcharge, index): number => {
    const { amount } = surcharge;
    if (amount.per === 'percent') percentages.push({ index, amount });
    else if (amount.per === 'shipment' || amount.per === 'declaredValue') perShipment.push(index);
    else if (
      hasMeasures(surcharge) ||
      surcharge.dearestOf !== undefined ||
      surcharge.leastBillingWeightLb !== undefined
    )
      measured.push({ index, surcharge });
    else if (amount.per === 'pound') perPound.push(index);
    else return amount.centsByColumn[kind.column] ?? 0;
    return 0;
  });
  return {
    surcharges,
    plain,
    measured,
    ordinary: ordinaryOf(measured),
    perPound,
    perShipment,
    percentages,
    hasMaximum: surcharges.some(({ multiweightMaximumCents }) => multiweightMaximumCents !== undefined),
    warnings: incompleteBits(missingOn(lacks, all, kind, hasNo)),
  };
};

/**
 * @param surcharges the card's, percentages last
 * @param lacks what the card lacks, whatever is shipped
 * @param hasNo what the carrier does not charge at all
 */
export const chargeTable = (
  surcharges: readonly Surcharge[],
  lacks: ReadonlySet<PricePart>,
  hasNo: ReadonlySet<PricePart>,
): ChargeTable => {
  const lanes = new Map<number, LaneCharges>();
  const dependOnValue = surcharges.some(({ when }) => when.declaredValueUnderCents !== undefined);
  return {
    on: (column, area, residential, options, packages) => {
      const kind = { column, area, residential, options, packages };
      if (dependOnValue && options?.declaredValueCents !== undefined) return laneOf(surcharges, kind, lacks, hasNo);
      // A card has fewer than 128 columns.
      const key = ((area * 32 + keyOf(options)) * 2 + (residential ? 1 : 0)) * 128 + column;
      const known = lanes.get(key);
      if (known !== undefined) return known;
      const lane = laneOf(surcharges, kind, lacks, hasNo);
      if (lanes.size >= MAX_LANES) lanes.clear();
      lanes.set(key, lane);
      return lane;
    },
  };
};
