/**
 * Joins the charges of any number of files into the surcharges of a tariff. Drops charges that end before the tariff begins and
 * charges for services without rates. Reports charges that contradict each other.
 */
import { isDeepStrictEqual } from 'node:util';
import { getOrMake } from '../../base/maps.ts';
import { earlier, FIRST_DAY, LAST_DAY, later, shifted } from '../../catalog/tariff/days.ts';
import type { SurchargeEntry } from '../../catalog/tariff/document.ts';
import { isFuelType } from '../../rating/charges.ts';
import type { ParsedCharge, Source } from '../read/reader.ts';
import { listFor, type MergedAreas } from './areas.ts';
import { namesText, type ServiceName, servicesFor } from './charged-services.ts';
import { amountText, byKind, periodText } from './surcharge-keys.ts';
import { misdatedCharges } from './years.ts';

type Entry = SurchargeEntry & { readonly services: string[]; readonly source: string };

/** A charge of the tariff and its source file. */
export interface TakenCharge {
  readonly file: string;
  readonly entry: Entry;
}

export type MergedCharges = ReturnType<typeof mergeCharges>;

interface Tariff {
  /** The day the tariff begins. */
  readonly effective: string;
  readonly services: readonly ServiceName[];
  readonly areas: MergedAreas;
}

const textOf = ({ entry }: TakenCharge): string => `${amountText(entry)}${periodText(entry)} in ${entry.source}`;

/** The days of a charge. */
const daysOf = ({ from = FIRST_DAY, until = LAST_DAY }: Entry) => ({ from, until });

const overlap = (a: Entry, b: Entry): boolean => daysOf(a).from <= daysOf(b).until && daysOf(b).from <= daysOf(a).until;

const withDays = (charge: TakenCharge, from: string, until: string): TakenCharge => {
  const { from: _, until: __, ...entry } = charge.entry;
  const days = { ...(from !== FIRST_DAY && { from }), ...(until !== LAST_DAY && { until }) };
  return { ...charge, entry: { ...entry, ...days } };
};

const withServices = (charge: TakenCharge, services: string[]): TakenCharge => ({
  ...charge,
  entry: { ...charge.entry, services },
});

/** Everything that affects the price except the days. */
const pricedBy = ({ description: _, services: __, source: ___, from: ____, until: _____, ...rest }: SurchargeEntry) =>
  rest;

export const samePrice = (a: SurchargeEntry, b: SurchargeEntry): boolean => isDeepStrictEqual(pricedBy(a), pricedBy(b));

/** Whether two charges are the same charge: equal names or equal conditions. */
const isOne = (a: Entry, b: Entry): boolean =>
  a.type === b.type && (a.description === b.description || isDeepStrictEqual(a.when, b.when));

const shared = (a: Entry, b: Entry): string[] => a.services.filter((code) => b.services.includes(code));

const WEIGHED = ['leastBillingWeightLb', 'multiweightMaximumUsd', 'dearestOf'] as const;
const PRICING = ['amount', 'when', 'from', 'until', ...WEIGHED] as const;

/** Describes a contradiction between two charges for the operator. */
const contradiction = (a: TakenCharge, b: TakenCharge, codes: readonly string[]): string => {
  const differing = PRICING.filter((member) => !isDeepStrictEqual(a.entry[member], b.entry[member]));
  return `${b.entry.type} "${b.entry.description}" of ${codes.join(', ')}: ${textOf(a)}, ${textOf(b)}; they differ in ${differing.join(', ')}`;
};

/**
 * A charge without a last day ends when another file's charge begins later with another amount. A charge without a first day
 * begins when another file's charge ends.
 */
const bounded = (charge: TakenCharge, all: readonly TakenCharge[]): TakenCharge[] => {
  const { from, until } = daysOf(charge.entry);
  const others = all.filter(
    ({ file, entry }) =>
      file !== charge.file &&
      isOne(entry, charge.entry) &&
      !samePrice(entry, charge.entry) &&
      overlap(entry, charge.entry),
  );
  const byDays = new Map<string, string[]>();
  for (const code of charge.entry.services) {
    const own = others.filter(({ entry }) => entry.services.includes(code)).map(({ entry }) => daysOf(entry));
    const ends = own.flatMap((days) => (until === LAST_DAY && days.from > from ? shifted(days.from, -1) : []));
    const begins = own.flatMap((days) => (from === FIRST_DAY && days.until < until ? shifted(days.until, 1) : []));
    getOrMake(byDays, `${begins.reduce(later, from)} ${ends.reduce(earlier, until)}`, () => []).push(code);
  }
  return [...byDays].map(([days, codes]) => {
    const [first = FIRST_DAY, last = LAST_DAY] = days.split(' ');
    return withDays(withServices(charge, codes), first, last);
  });
};

/** Removes a charge's days before the tariff begins. Returns nothing if it ends by then. */
const inForce = (charge: TakenCharge, effective: string): TakenCharge[] => {
  const { from, until } = daysOf(charge.entry);
  return until < effective ? [] : [withDays(charge, from <= effective ? FIRST_DAY : from, until)];
};

/** The days of a charge that another charge does not cover. */
const rest = (charge: TakenCharge, other: Entry): TakenCharge[] => {
  const [own, taken] = [daysOf(charge.entry), daysOf(other)];
  return [
    ...(own.from < taken.from ? [withDays(charge, own.from, shifted(taken.from, -1))] : []),
    ...(taken.until < own.until ? [withDays(charge, shifted(taken.until, 1), own.until)] : []),
  ];
};

/**
 * Joins charges that two files have. If they differ, keeps both and notes a contradiction. It skips the note if a file is for
 * another year, because the operator is asked only about that.
 * @returns the charges, with each charge at most once per service and day. `repeated`: the number of a file's charges that are
 * also in another file, which is named as their source
 */
const joined = (charges: readonly TakenCharge[], misdated: ReadonlySet<string>, contradictions: string[]) => {
  const kept: TakenCharge[] = [];
  const repeated = new Map<string, { file: string; source: string; count: number }>();
  for (const charge of charges) {
    // The part of the charge that earlier charges do not cover, and the earlier charge that covers the rest.
    let left: readonly TakenCharge[] = [charge];
    let twin: TakenCharge | undefined;
    for (const other of kept)
      left = left.flatMap((part) => {
        const both = shared(part.entry, other.entry);
        if (both.length === 0 || !isOne(part.entry, other.entry) || !overlap(part.entry, other.entry)) return [part];
        // A file contradicts itself if it has a charge twice on one day.
        const isSame = samePrice(part.entry, other.entry);
        if (!isSame || (other.file === charge.file && !isDeepStrictEqual(daysOf(part.entry), daysOf(other.entry)))) {
          if (!misdated.has(other.file) && !misdated.has(charge.file))
            contradictions.push(contradiction(other, charge, both));
          return [part];
        }
        twin ??= other;
        const others = part.entry.services.filter((code) => !both.includes(code));
        return [
          ...(others.length === 0 ? [] : [withServices(part, others)]),
          ...rest(withServices(part, both), other.entry),
        ];
      });
    kept.push(...left);
    if (left.length > 0 || twin === undefined) continue;
    const [file, source] = [charge.file, twin.entry.source];
    const key = JSON.stringify([file, source]);
    repeated.set(key, { file, source, count: (repeated.get(key)?.count ?? 0) + 1 });
  }
  return { charges: kept, repeated: [...repeated.values()] };
};

/** Finds percentages in a file that apply to a charge that does not come before them. */
const misplaced = (entries: readonly Entry[]): string[] =>
  entries.flatMap((entry, at) =>
    entry.amount.per !== 'percent'
      ? []
      : entry.amount.of.flatMap((name) => {
          const isHere = (other: Entry) =>
            other.type === name && other.services.some((code) => entry.services.includes(code));
          if (name === 'BASE' || entries.slice(0, at).some(isHere)) return [];
          const problem =
            isFuelType(name) || entries.slice(at).some(isHere)
              ? `${name}, which comes later: a percentage may only be of charges before it`
              : `${name}, which these services do not have`;
          return [`${entry.source}: ${entry.type} is a percentage of ${problem}`];
        }),
  );

/** Charges of one file that are not in the tariff, for its report. */
interface LeftOut {
  /** Counts by service names. */
  readonly unserved: Map<string, number>;
  /** Area problems by tier: one line for all charges of a tier. */
  readonly tiers: Map<string, string>;
  /** Counts of area charges, by carriers that have no area list. */
  readonly unlisted: Map<string, number>;
}

const nameOf = ({ carrier, services }: ParsedCharge): string =>
  services.length === 0
    ? carrier
    : services.every((name) => name.includes('-'))
      ? services.join(', ')
      : `${carrier} ${services.join(', ')}`;

/** Makes a surcharge entry from a charge; undefined if it is left out. */
const entryOf = (
  file: string,
  charge: ParsedCharge,
  { services, areas }: Tariff,
  left: LeftOut,
  contradictions: string[],
): Entry | undefined => {
  const { carrier, at, tier, entry } = charge;
  const { codes, unknown } = servicesFor(charge, services);
  for (const name of services.some((service) => service.carrier === carrier) ? unknown : [])
    contradictions.push(`${file}, ${at}: ${carrier} has no service ${name}; there are ${namesText(carrier, services)}`);
  if (codes.length === 0) {
    if (unknown.length === 0 || !services.some((service) => service.carrier === carrier))
      left.unserved.set(nameOf(charge), (left.unserved.get(nameOf(charge)) ?? 0) + 1);
    return undefined;
  }
  const taken = { ...entry, services: [...codes], source: `${file}, ${at}` };
  if (tier === undefined) return taken;
  const list = listFor(carrier, tier, areas);
  // Left out, because without its area it would be charged everywhere.
  if (list === undefined) left.unlisted.set(carrier, (left.unlisted.get(carrier) ?? 0) + 1);
  else if ('list' in list) return { ...taken, when: { ...entry.when, area: { list: list.list, tier } } };
  else if (!left.tiers.has(`${carrier} ${tier}`))
    left.tiers.set(`${carrier} ${tier}`, `${file}, ${at}: ${list.problem}`);
  return undefined;
};

const counted = (count: number): string => (count === 1 ? '1 charge is' : `${count} charges are`);

/** @returns the charges in the tariff's order. The warnings name charges that were left out, by file */
export const mergeCharges = (sources: readonly Source[], tariff: Tariff) => {
  const questions = sources.map((source) => [source.file, misdatedCharges(source, tariff.effective, sources)] as const);
  const contradictions = questions.flatMap(([, asked]) => asked);
  const misdated = new Set(questions.filter(([, asked]) => asked.length > 0).map(([file]) => file));
  const warnings: string[] = [];
  const all = sources.flatMap(({ file, reading }): TakenCharge[] => {
    const left: LeftOut = { unserved: new Map(), tiers: new Map(), unlisted: new Map() };
    const taken = reading.charges.flatMap((charge) => {
      const entry = entryOf(file, charge, tariff, left, contradictions);
      return entry === undefined ? [] : [{ file, entry }];
    });
    contradictions.push(...left.tiers.values());
    for (const [name, count] of left.unserved)
      warnings.push(`${file}: ${name}: ${counted(count)} not used, because there are no rates`);
    for (const [carrier, count] of left.unlisted)
      warnings.push(
        `${file}: ${counted(count)} not used, because there is no list of areas of ${carrier}: import its list of ZIP codes too`,
      );
    return taken;
  });
  const current: TakenCharge[] = [];
  const over = new Map<string, number>();
  for (const charge of all) {
    const parts = bounded(charge, all).flatMap((part) => inForce(part, tariff.effective));
    current.push(...parts);
    if (parts.length === 0) over.set(charge.file, (over.get(charge.file) ?? 0) + 1);
  }
  for (const [file, count] of over)
    warnings.push(
      `${file}: ${counted(count)} not used, for ${count === 1 ? 'it ends' : 'they end'} before ${tariff.effective}`,
    );
  const { charges, repeated } = joined(current, misdated, contradictions);
  const taken = charges.toSorted((a, b) => byKind(a.entry, b.entry));
  contradictions.push(...misplaced(taken.map(({ entry }) => entry)));
  return { taken, repeated, contradictions, warnings };
};
