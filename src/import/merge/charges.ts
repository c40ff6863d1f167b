/**
 * Joins the charges of any number of files into the surcharges of a tariff. Drops charges that end before the tariff begins and
 * charges for services without rates. Reports charges that contradict each other.
 */
import { isDeepStrictEqual } from 'node:util';
import { getOrMake } from '../../base/maps.ts';
import { earlier, FIRST_DAY, LAST_DAY, later, shifted } from '../../catalog/tariff/days.ts';
import type { SurchargeEntry } from '../../catalog/tariff/document.ts';
import { isFuelType } from '../../rating/charges.ts';
import { serviceTitle } from '../carriers.ts';
import type { ParsedCharge, Source } from '../read/reader.ts';
import { listFor, type MergedAreas } from './areas.ts';
import { amountText, byKind, namesText, periodText, type ServiceName, servicesFor } from './charged-services.ts';

/* Finds files for another year than the tariff's. Each carrier file is for one year. */

/** Carriers publish new rates every year, after 52 or 53 weeks. */
const RATES_DAYS = 350;
/** Carriers' rates for one year begin within a few weeks of each other, and one tariff may contain several carriers. */
const EARLY_DAYS = 31;

/** The days on which a tariff with these rates may begin; undefined if the file states no date. */
const yearOf = ({ effective, year }: Source['reading']): { of: string; from: string; before: string } | undefined => {
  if (effective !== undefined)
    return { of: effective, from: shifted(effective, -EARLY_DAYS), before: shifted(effective, RATES_DAYS) };
  if (year === undefined) return undefined;
  return { of: year, from: shifted(`${year}-01-01`, -EARLY_DAYS), before: `${year}-12-20` };
};

/** A question for each file whose rates are for another year than the tariff's. */
export const misdatedRates = (sources: readonly Source[], effective: string): string[] =>
  sources.flatMap(({ file, reading }) => {
    const year = reading.rates.length === 0 ? undefined : yearOf(reading);
    if (year === undefined || (year.from <= effective && effective < year.before)) return [];
    const question = effective < year.from ? 'is there the list before it?' : 'is there a newer one?';
    return [`${file} has the rates of ${year.of}, and the tariff begins on ${effective}: ${question}`];
  });

/** Carriers publish new charges every year. */
const YEAR_DAYS = 365;
const OLD_SHEET_DAYS = 548;
/** A sheet states the charges of its year and the year before, and may be published half a year late. */
const LATE_SHEET_DAYS = 548;
/** Rates and charges for one year begin within this many days of each other. */
const SAME_YEAR_DAYS = 180;

/** The dates of files with rates, or with charges, for these carriers. */
const datesOf = (kind: 'rates' | 'charges', carriers: ReadonlySet<string>, sources: readonly Source[]): string[] =>
  sources.flatMap(({ reading: { effective, [kind]: entries } }) =>
    effective !== undefined && entries.some(({ carrier }) => carriers.has(carrier)) ? [effective] : [],
  );

/** Whether a sheet is for another year than the rates. A later sheet is not, if other sheets cover the years between. */
const isOfAnotherYear = (stated: string, rated: string, sheets: readonly string[]): boolean => {
  const last = shifted(rated, LATE_SHEET_DAYS);
  return stated < shifted(rated, -SAME_YEAR_DAYS) || (stated > last && sheets.every((date) => date > last));
};

/** The problems with the dates of a charge file, if it is for another year than the tariff's. */
const misdatedCharges = (
  { file, reading: { charges, effective: stated } }: Source,
  effective: string,
  sources: readonly Source[],
): string[] => {
  if (charges.length === 0) return [];
  const begins = charges.flatMap(({ entry: { from } }) => from ?? []);
  const ends = charges.flatMap(({ entry: { until } }) => until ?? []);
  const carriers = new Set(charges.map(({ carrier }) => carrier));
  const rated = datesOf('rates', carriers, sources).toSorted().at(-1);
  // A list of rates states few charges, so it is not a sheet.
  const sheets = datesOf(
    'charges',
    carriers,
    sources.filter(({ reading }) => reading.rates.length === 0),
  );
  if (stated !== undefined && rated !== undefined && isOfAnotherYear(stated, rated, sheets))
    return [`${file} is of ${stated}, and the rates are of ${rated}: import the file for the year of the rates`];
  const advice = `and the tariff begins on ${effective}: import the file for the year of the rates`;
  const last = ends.toSorted().at(-1);
  if (last !== undefined && ends.length === charges.length && last < effective)
    return [`${file}: the last of its charges ends on ${last}, ${advice}`];
  const first = begins.toSorted()[0];
  if (first !== undefined && begins.length === charges.length && first > shifted(effective, YEAR_DAYS))
    return [`${file}: the first of its charges begins on ${first}, ${advice}`];
  const isDated = stated !== undefined || charges.every(({ entry: { from, until } }) => (from ?? until) !== undefined);
  const newest = [...begins, ...ends, ...(stated === undefined ? [] : [stated])].toSorted().at(-1);
  return isDated && newest !== undefined && newest < shifted(effective, -OLD_SHEET_DAYS)
    ? [`${file} is of ${newest}, ${advice}`]
    : [];
};

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
  return `${b.entry.type} "${b.entry.description}" of ${codes.map((code) => serviceTitle(code)).join(', ')}: ${textOf(a)}, ${textOf(b)}; they differ in ${differing.join(', ')}`;
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

/** Whether the charge goes on in the same line. Measures that apply from a later day divide it into two entries. */
const isContinued = ({ entry: { type, services, source, until } }: TakenCharge, all: readonly TakenCharge[]): boolean =>
  until !== undefined &&
  all.some(
    ({ entry }) =>
      entry.source === source &&
      entry.type === type &&
      entry.from === shifted(until, 1) &&
      isDeepStrictEqual(entry.services, services),
  );

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
      warnings.push(`${file}: ${serviceTitle(name)}: ${counted(count)} not used, because there are no rates`);
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
    if (parts.length === 0 && !isContinued(charge, all)) over.set(charge.file, (over.get(charge.file) ?? 0) + 1);
  }
  for (const [file, count] of over)
    warnings.push(
      `${file}: ${counted(count)} not used, because ${count === 1 ? 'it ends' : 'they end'} before ${tariff.effective}`,
    );
  const { charges, repeated } = joined(current, misdated, contradictions);
  const taken = charges.toSorted((a, b) => byKind(a.entry, b.entry));
  contradictions.push(...misplaced(taken.map(({ entry }) => entry)));
  return { taken, repeated, contradictions, warnings };
};
