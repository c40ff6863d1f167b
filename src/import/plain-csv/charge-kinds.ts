/**
 * What a charge of an operator's list is, by the words of its name: `Remote area surcharge` of the tier `remote_alaska` is
 * a delivery area surcharge for Alaska. Spelling, order and other words do not matter.
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
  /** What the name itself says about when it applies. */
  readonly when?: Condition;
  readonly dearestOf?: string;
  /** The types whose thresholds it has: a package to which any of them applies. */
  readonly thresholdsOf?: readonly string[];
  /** It is for one tier of an area. */
  readonly hasTier?: true;
  /** Tells it from other kinds of the same name. */
  readonly detail?: string;
  /** The name is none that the carriers have. */
  readonly isOwn?: true;
}

/** A name that is no charge of a quote: `problem` says what to do, `unknowable` that no quote can know it. */
export type Unsuitable = { readonly problem: string } | { readonly unknowable: true };

export const wordsIn = (name: string): string[] => name.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** What a carrier learns only after the quote: the first words are of one name each, and all of a name must occur. */
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

/** A demand surcharge for packages that have additional handling of any sort. */
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

/** The kinds of charge that a name stands for: mostly one. */
export const chargeKinds = (name: string, tier: string): readonly ChargeKind[] | Unsuitable => {
  const words = wordsIn(name);
  if (words.includes('demand') || words.includes('peak')) return demandKinds(words, tier);
  const kind = kindOfWords(words, tier);
  return 'type' in kind ? [kind] : kind;
};

/** The published rule of a carrier for packages of these types; undefined if there is none. */
export const publishedRule = (carrier: string, types: readonly string[]): Omit<HandlingRule, 'later'> | undefined => {
  if (knownCarrier(carrier)?.hasPublishedRules !== true) return undefined;
  const rules = types.flatMap((type) => chargeSpec(type)?.published ?? []);
  const [only, ...more] = rules;
  if (only === undefined) return undefined;
  const anyOf = rules.flatMap((rule) => [...rule.anyOf, ...(rule.later?.anyOf ?? [])]);
  const { leastBillingWeightLb } = only;
  // Which of several applies is open, so they say nothing about the weight.
  return more.length > 0 || leastBillingWeightLb === undefined ? { anyOf } : { anyOf, leastBillingWeightLb };
};
