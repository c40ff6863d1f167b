/**
 * A card's surcharges by lane. What is the same for all packages with one rate column and one kind of address is
 * calculated once and cached. A quote then reads a short list, and a package of ordinary size takes its amounts
 * unchanged.
 */
import { must } from '../base/must.ts';
import {
  CHARGED_OPTIONS,
  type ChargeTable,
  CONDITIONS,
  isDemand,
  type LaneCharges,
  type Measured,
  type Measures,
  type PackageLimits,
  type Percentage,
  type PricePart,
  type ShipmentOptions,
  type Surcharge,
  type SurchargeCondition,
} from './charges.ts';
import { inches, pounds } from './quantity.ts';
import { incompleteBits } from './warning.ts';

const WITHOUT_HANDLING = incompleteBits(new Set(['handling']));
const WITHOUT_DEMAND = incompleteBits(new Set(['demand']));

/** Maximum number of cached lanes per card. A carrier's zones and areas make fewer lanes without options. */
const MAX_LANES = 1_000;

/** Number of states of each option, including not asked for. All dollar amounts are one state. */
const STATES = CHARGED_OPTIONS.map(({ values }) => Math.max(1, values.length) + 1);
/** Number of combinations of options. */
const OPTION_KEYS = STATES.reduce((product, states) => product * states, 1);

const keyOf = (options: ShipmentOptions | undefined): number => {
  if (options === undefined) return 0;
  return CHARGED_OPTIONS.reduce((key, { member, values }, at) => {
    const value = options[member];
    const state = value === undefined ? 0 : Math.max(1, values.indexOf(value) + 1);
    return key * must(STATES[at], 'the states of an option') + state;
  }, 0);
};

const NO_LIMIT = -1;

/** @param none the value for a measure without a limit */
const limitsOf = (measures: Measures, none: number): PackageLimits => {
  const length = (limit: number | undefined): number => (limit === undefined ? none : inches(limit));
  const limits = {
    length: length(measures.lengthOverIn),
    secondSide: length(measures.secondSideOverIn),
    lengthPlusGirth: length(measures.lengthPlusGirthOverIn),
    cubicIn: measures.cubicInchesOver ?? none,
  };
  return {
    mass: measures.actualWeightOverLb === undefined ? none : pounds(measures.actualWeightOverLb),
    billingLb: measures.billingWeightOverLb ?? none,
    isSized: Object.values(limits).some((limit) => limit !== none),
    ...limits,
  };
};

/** With `Math.max`, what exceeds the result exceeds both. With `Math.min`, what is within the result is within both. */
const combined = (a: PackageLimits, b: PackageLimits, choose: (a: number, b: number) => number): PackageLimits => ({
  mass: choose(a.mass, b.mass),
  billingLb: choose(a.billingLb, b.billingLb),
  isSized: a.isSized || b.isSized,
  length: choose(a.length, b.length),
  secondSide: choose(a.secondSide, b.secondSide),
  lengthPlusGirth: choose(a.lengthPlusGirth, b.lengthPlusGirth),
  cubicIn: choose(a.cubicIn, b.cubicIn),
});

const measuredOf = (surcharge: Surcharge, index: number): Measured => {
  const own = limitsOf(surcharge.when, NO_LIMIT);
  const { anyOf } = surcharge.when;
  const limits = anyOf?.map((measures) => combined(own, limitsOf(measures, NO_LIMIT), Math.max)) ?? [own];
  return { index, surcharge, limits };
};

const isLimited = ({ mass, billingLb, isSized }: PackageLimits): boolean =>
  isSized || mass !== NO_LIMIT || billingLb !== NO_LIMIT;

/** Returns whether a surcharge depends on the weight or the size of a package. */
export const hasMeasures = (surcharge: Surcharge): boolean => measuredOf(surcharge, 0).limits.some(isLimited);

const ordinaryOf = (measured: readonly Measured[]): PackageLimits => {
  const none = limitsOf({}, Number.POSITIVE_INFINITY);
  // A surcharge without a measure applies to every package. It is here because a more expensive one may replace it.
  if (!measured.every(({ limits }) => limits.some(isLimited))) return { ...none, mass: NO_LIMIT };
  return measured
    .flatMap(({ surcharge: { when } }) => [when, ...(when.anyOf ?? [])])
    .map((measures) => limitsOf(measures, Number.POSITIVE_INFINITY))
    .reduce((least, limits) => combined(least, limits, Math.min), none);
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

/** Returns whether a surcharge's conditions on the destination and on the request are met. */
const reaches = ({ when, amount }: Surcharge, kind: LaneKind): boolean =>
  reachesKind({ when, amount }, kind) && isUnder(when, kind);

const isAsked = (
  condition: true | ReadonlySet<string> | undefined,
  asked: ShipmentOptions[keyof ShipmentOptions],
): boolean =>
  condition === undefined ||
  asked === condition ||
  (typeof asked === 'string' && condition !== true && condition.has(asked));

const reachesKind = (
  { when, amount }: Pick<Surcharge, 'when' | 'amount'>,
  { column, area, residential, options }: LaneKind,
): boolean =>
  (when.residential === undefined || when.residential === residential) &&
  (when.columns === undefined || when.columns.has(column)) &&
  (when.area === undefined || when.area.has(area)) &&
  CONDITIONS.every(({ member }) => isAsked(when[member], options?.[member])) &&
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
  for (const { member, part, charged } of CHARGED_OPTIONS) {
    const condition = CONDITIONS.find((own) => own.member === member)?.member;
    const isFor = ({ when, amount }: Surcharge): boolean =>
      condition === undefined ? amount.per === 'declaredValue' : when[condition] !== undefined;
    const asked = options?.[member];
    if (asked !== undefined && charged?.includes(asked) !== false && !has(isFor)) missing.add(part);
  }
  for (const part of hasNo) missing.delete(part);
  return missing;
};

/** Returns the surcharges of a lane and their places. `of` of a percentage has indexes into this shorter list. */
const reachingOf = (all: readonly Surcharge[], kind: LaneKind): Pick<LaneCharges, 'surcharges' | 'places'> => {
  const kept = all.map((surcharge) => reaches(surcharge, kind));
  const places = new Map<number, number>();
  for (let at = 0; at < all.length; at++) if (kept[at] === true) places.set(at, places.size);
  const surcharges = all
    .filter((_, at) => kept[at])
    .map((surcharge): Surcharge => {
      const { amount } = surcharge;
      if (amount.per !== 'percent') return surcharge;
      return { ...surcharge, amount: { ...amount, of: amount.of.flatMap((at) => places.get(at) ?? []) } };
    });
  return { surcharges, places: [...places.keys()] };
};

/** Returns what an ordinary package pays in addition to its base. @param plain cents, parallel to the surcharges */
const ordinarilyOf = (
  plain: readonly number[],
  perPound: readonly number[],
  percentages: LaneCharges['percentages'],
): Pick<LaneCharges, 'ordinarily'> => {
  const isNested = percentages.some(({ amount }) => percentages.some(({ index }) => amount.of.includes(index)));
  if (perPound.length > 0 || isNested) return {};
  return {
    ordinarily: {
      sum: plain.reduce((sum, cents) => sum + cents, 0),
      percentages: percentages.map(({ amount: { rate, ofBase, of } }) => ({
        rate,
        ofBase,
        ofFixed: of.reduce((sum, at) => sum + must(plain[at], 'the sum of a surcharge'), 0),
      })),
    },
  };
};

const laneOf = (
  all: readonly Surcharge[],
  kind: LaneKind,
  lacks: ReadonlySet<PricePart>,
  hasNo: ReadonlySet<PricePart>,
): LaneCharges => {
  const { surcharges, places } = reachingOf(all, kind);
  const plainIndexes: number[] = [];
  const measured: Measured[] = [];
  const perPound: number[] = [];
  const perShipment: Measured[] = [];
  const percentages: { index: number; amount: Percentage }[] = [];
  const plain = surcharges.map((surcharge, index): number => {
    const { amount } = surcharge;
    if (amount.per === 'percent') percentages.push({ index, amount });
    else if (amount.per === 'shipment' || amount.per === 'declaredValue')
      perShipment.push(measuredOf(surcharge, index));
    else if (
      hasMeasures(surcharge) ||
      surcharge.dearestOf !== undefined ||
      surcharge.leastBillingWeightLb !== undefined
    )
      measured.push(measuredOf(surcharge, index));
    else if (amount.per === 'pound') perPound.push(index);
    else {
      plainIndexes.push(index);
      return must(amount.centsByColumn[kind.column], 'the amount of a surcharge');
    }
    return 0;
  });
  const names = [...new Set(surcharges.map(({ dearestOf }) => dearestOf))];
  return {
    surcharges,
    places,
    plainIndexes,
    groups: surcharges.map(({ dearestOf }) => (dearestOf === undefined ? -1 : names.indexOf(dearestOf))),
    plain,
    measured,
    measuredByWeight: measured
      .map((one): Measured => ({ ...one, limits: one.limits.filter(({ isSized }) => !isSized) }))
      .filter(({ limits }) => limits.length > 0),
    unknown: surcharges.flatMap((surcharge, index) =>
      'unknown' in surcharge.amount && surcharge.amount.unknown.has(kind.column)
        ? { ...measuredOf(surcharge, index), bit: isDemand(surcharge) ? WITHOUT_DEMAND : WITHOUT_HANDLING }
        : [],
    ),
    ordinary: ordinaryOf(measured),
    perPound,
    perShipment,
    percentages,
    ...ordinarilyOf(plain, perPound, percentages),
    hasMaximum: surcharges.some(({ multiweightMaximumCents }) => multiweightMaximumCents !== undefined),
    warnings: incompleteBits(missingOn(lacks, all, kind, hasNo)),
  };
};

/** Maximum length of the list of lanes without options. Tariffs with more areas than any carrier has use the map. */
const MAX_DENSE = 16_384;

/**
 * @param surcharges the card's surcharges, percentages last
 * @param lacksIn the parts that the card lacks for every shipment to an area number
 * @param hasNo parts that the carrier does not charge at all
 * @param columns number of rate columns of the card
 * @param areas number of area numbers
 */
export const chargeTable = (
  surcharges: readonly Surcharge[],
  lacksIn: (area: number) => ReadonlySet<PricePart>,
  hasNo: ReadonlySet<PricePart>,
  columns: number,
  areas: number,
): ChargeTable => {
  const dense: (LaneCharges | undefined)[] = Array.from({ length: Math.min(MAX_DENSE, 2 * columns * areas) });
  const lanes = new Map<number, LaneCharges>();
  const dependOnValue = surcharges.some(({ when }) => when.declaredValueUnderCents !== undefined);
  const heavier = surcharges.filter(({ leastBillingWeightLb }) => leastBillingWeightLb !== undefined);
  return {
    ordinary: ordinaryOf(heavier.map(measuredOf)),
    on: (column, area, residential, options, packages) => {
      const place = (area * 2 + (residential ? 1 : 0)) * columns + column;
      const isPlain = options === undefined && place < dense.length;
      if (isPlain) {
        const known = dense[place];
        if (known !== undefined) return known;
      }
      const kind = { column, area, residential, options, packages };
      const compiled = (): LaneCharges => laneOf(surcharges, kind, lacksIn(area), hasNo);
      if (dependOnValue && options?.declaredValueCents !== undefined) return compiled();
      const key = place * OPTION_KEYS + keyOf(options);
      const lane = (isPlain ? undefined : lanes.get(key)) ?? compiled();
      if (isPlain) dense[place] = lane;
      else {
        if (lanes.size >= MAX_LANES) lanes.clear();
        lanes.set(key, lane);
      }
      return lane;
    },
  };
};
