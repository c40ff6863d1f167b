/**
 * Classifies a charge of an operator's list by the words of its name. For example, `Remote area surcharge` with the tier
 * `remote_alaska` is a delivery area surcharge for Alaska. Spelling, order and other words do not matter.
 */
import { present } from '../../base/present.ts';
import {
  areaChargeNamed,
  CHARGES,
  chargeNamed,
  chargeSpec,
  type HandlingRule,
} from '../../catalog/tariff/charge-catalog.ts';
import type { SurchargeEntry } from '../../catalog/tariff/document.ts';
import { knownCarrier } from '../carriers.ts';

type Condition = SurchargeEntry['when'];

export interface ChargeKind {
  readonly type: string;
  /** The condition in the name itself. */
  readonly when?: Condition;
  readonly dearestOf?: string;
  /** The types whose thresholds apply. A package over any of them pays. */
  readonly thresholdsOf?: readonly string[];
  /** Whether it is for one area tier. */
  readonly hasTier?: true;
  /** Distinguishes it from other kinds with the same name. */
  readonly detail?: string;
  /** Whether no known carrier has a charge with this name. */
  readonly isOwn?: true;
}

/** A name that cannot be a charge in a quote. `problem` says what to do. `unknowable`: no quote can know it. */
export type Unsuitable = { readonly problem: string } | { readonly unknowable: true };

export const wordsIn = (name: string): string[] => name.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** Names of charges that a carrier only knows after the quote. All words of a name must occur. */
const UNKNOWABLE = [
  ...[['correction'], ['tag'], ['tags'], ['pickup'], ['pick', 'up'], ['invoice'], ['late', 'payment'], ['intercept']],
  ...[['reroute'], ['redelivery'], ['undeliverable'], ['return'], ['returns'], ['chargeback'], ['cod'], ['missing']],
  ...[['dangerous'], ['hazardous'], ['dry', 'ice'], ['lithium'], ['third', 'party'], ['hold']],
];

const kindOfWords = (words: readonly string[], tier: string): ChargeKind | Unsuitable => {
  const has = (...wanted: readonly string[]): boolean => wanted.every((word) => words.includes(word));
  if (has('fuel')) return { problem: 'fuel is a percentage: put it into a file with effective and percent' };
  if (UNKNOWABLE.some((name) => has(...name))) return { unknowable: true };
  const named = chargeNamed(has);
  if (named === 'ADDITIONAL_HANDLING')
    return { problem: 'say which additional handling: weight, dimensions or packaging' };
  if (named !== undefined) {
    const { area, when, dearestOf, published } = CHARGES[named];
    const all = [...words, ...wordsIn(tier)];
    if (area !== undefined) return { type: areaChargeNamed((word) => all.includes(word)), hasTier: true };
    return { type: named, ...present({ when, dearestOf, thresholdsOf: published && [named] }) };
  }
  const type = words.join('_').toUpperCase().slice(0, 40).replace(/_$/, '');
  return /^[A-Z]/.test(type) && type !== 'BASE' ? { type, isOwn: true } : { problem: 'not a name of a charge' };
};

/** A demand surcharge for packages with any additional handling. */
const DEMAND = { type: 'DEMAND_ADDITIONAL_HANDLING', dearestOf: 'demand-handling' };
const DEMAND_HANDLING: readonly ChargeKind[] = [
  { ...DEMAND, thresholdsOf: ['ADDITIONAL_HANDLING_DIMENSION', 'ADDITIONAL_HANDLING_WEIGHT'] },
  { ...DEMAND, when: { nonStandardPackaging: true }, detail: 'packaging' },
];

const demandKinds = (words: readonly string[], tier: string): readonly ChargeKind[] | Unsuitable => {
  const rest = words.filter((word) => !['demand', 'peak', 'surcharge', 'surcharges', 'charge', 'fee'].includes(word));
  if (rest.length === 0) return [{ type: 'DEMAND_SURCHARGE' }];
  const which = ['weight', 'packaging', 'dimension', 'dimensions'];
  if (rest.includes('handling') && !which.some((word) => rest.includes(word))) return DEMAND_HANDLING;
  const kind = kindOfWords(rest, tier);
  if (!('type' in kind)) return kind;
  const dearest = kind.dearestOf === undefined ? {} : { dearestOf: `demand-${kind.dearestOf}` };
  return [{ ...kind, ...dearest, type: `DEMAND_${kind.type}`.slice(0, 40) }];
};

/** The kinds of charge that a name means, usually one. */
export const chargeKinds = (name: string, tier: string): readonly ChargeKind[] | Unsuitable => {
  const words = wordsIn(name);
  if (words.includes('demand') || words.includes('peak')) return demandKinds(words, tier);
  const kind = kindOfWords(words, tier);
  return 'type' in kind ? [kind] : kind;
};

/** A carrier's published rule for packages of these types; undefined if there is none. */
export const publishedRule = (carrier: string, types: readonly string[]): Omit<HandlingRule, 'later'> | undefined => {
  if (knownCarrier(carrier)?.hasPublishedRules !== true) return undefined;
  const rules = types.flatMap((type) => chargeSpec(type)?.published ?? []);
  const [only, ...more] = rules;
  if (only === undefined) return undefined;
  const anyOf = rules.flatMap((rule) => [...rule.anyOf, ...(rule.later?.anyOf ?? [])]);
  const { leastBillingWeightLb } = only;
  // It is unclear which of several rules applies, so leave out the weight.
  return more.length > 0 || leastBillingWeightLb === undefined ? { anyOf } : { anyOf, leastBillingWeightLb };
};
