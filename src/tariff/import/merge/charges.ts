/**
 * Joins the charges of any number of files into the surcharges of a tariff. Drops those that are over before the tariff
 * begins and those of services without rates. Reports charges that contradict each other.
 */
import { isDeepStrictEqual } from 'node:util';
import { shifted } from '../../days.ts';
import type { SurchargeEntry } from '../../document.ts';
import type { ParsedCharge, Source } from '../read/reader.ts';
import { listFor, type MergedAreas } from './areas.ts';
import { namesText, type ServiceName, servicesFor } from './charged-services.ts';
import { amountText, byKind, periodText } from './surcharge-keys.ts';

type Entry = SurchargeEntry & { readonly services: string[]; readonly source: string };

/** A charge of the tariff, and the file that it comes from. */
export interface TakenCharge {
  readonly file: string;
  readonly entry: Entry;
}

interface Repeated {
  readonly file: string;
  readonly source: string;
  readonly count: number;
}

export interface MergedCharges {
  /** In the tariff's order. */
  readonly taken: readonly TakenCharge[];
  /** How many charges of a file are in another file too, which is named as their source. */
  readonly repeated: readonly Repeated[];
  readonly contradictions: readonly string[];
  /** Lines for the operator: charges that were left out, by file. */
  readonly warnings: readonly string[];
}

interface Tariff {
  /** The day on which it begins. */
  readonly effective: string;
  readonly services: readonly ServiceName[];
  readonly areas: MergedAreas;
}

/** Carriers publish new charges every year. */
const YEAR_DAYS = 365;
const OLD_SHEET_DAYS = 548;
/** Rates and charges of one year begin within some weeks of each other. */
const SAME_YEAR_DAYS = 180;

/** The date that the rates of the carriers of these charges state; undefined if they state none. */
const ratesDate = (charges: readonly ParsedCharge[], sources: readonly Source[]): string | undefined => {
  const carriers = new Set(charges.map(({ carrier }) => carrier));
  const dates = sources.flatMap(({ reading: { rates, effective } }) =>
    effective !== undefined && rates.some(({ carrier }) => carriers.has(carrier)) ? [effective] : [],
  );
  return dates.toSorted().at(-1);
};

/** What is wrong with the dates of a file of charges, if it is of another year than the tariff. */
const misdated = (
  { file, reading: { charges, effective: stated } }: Source,
  effective: string,
  sources: readonly Source[],
): string[] => {
  if (charges.length === 0) return [];
  const begins = charges.flatMap(({ entry: { from } }) => from ?? []);
  const ends = charges.flatMap(({ entry: { until } }) => until ?? []);
  const rated = ratesDate(charges, sources);
  if (stated !== undefined && rated !== undefined && stated < shifted(rated, -SAME_YEAR_DAYS))
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

const textOf = ({ entry }: TakenCharge): string => `${amountText(entry)}${periodText(entry)} in ${entry.source}`;

const overlap = (a: Entry, b: Entry): boolean =>
  (a.until === undefined || b.from === undefined || a.until >= b.from) &&
  (b.until === undefined || a.from === undefined || b.until >= a.from);

/** Everything that makes a price. */
const pricedBy = ({ type, description: _, services: __, source: ___, ...rest }: Entry): unknown => rest;

/** Whether two charges are one: it has the same name, or the same conditions. */
const isOne = (a: Entry, b: Entry): boolean =>
  a.type === b.type && (a.description === b.description || isDeepStrictEqual(a.when, b.when)) && overlap(a, b);

/** What is contradictory about two charges, for the operator. */
const contradiction = (a: TakenCharge, b: TakenCharge, codes: readonly string[]): string => {
  const members = [
    'amount',
    'when',
    'from',
    'until',
    'leastBillingWeightLb',
    'multiweightMaximumUsd',
    'dearestOf',
  ] as const;
  const differing = members.filter((member) => !isDeepStrictEqual(a.entry[member], b.entry[member]));
  return `${b.entry.type} "${b.entry.description}" of ${codes.join(', ')}: ${textOf(a)}, ${textOf(b)}; they differ in ${differing.join(', ')}`;
};

/**
 * Joins charges that two files have. If they differ, keeps both and notes a contradiction.
 * @returns the charges, each service with each charge once
 */
const joined = (charges: readonly TakenCharge[], contradictions: string[]) => {
  const kept: TakenCharge[] = [];
  const repeated = new Map<string, Repeated>();
  for (const charge of charges) {
    let left = charge.entry.services;
    for (const other of kept.filter(({ entry }) => isOne(entry, charge.entry))) {
      const both = left.filter((code) => other.entry.services.includes(code));
      if (both.length === 0) continue;
      if (isDeepStrictEqual(pricedBy(other.entry), pricedBy(charge.entry)))
        left = left.filter((code) => !both.includes(code));
      else contradictions.push(contradiction(other, charge, both));
      if (left.length > 0) continue;
      const [file, source] = [charge.file, other.file];
      const key = JSON.stringify([file, source]);
      repeated.set(key, { file, source, count: (repeated.get(key)?.count ?? 0) + 1 });
      break;
    }
    if (left.length > 0) kept.push({ ...charge, entry: { ...charge.entry, services: left } });
  }
  return { charges: kept, repeated: [...repeated.values()] };
};

/** Percentages of a file that are taken of a charge that does not come before them. */
const misplaced = (entries: readonly Entry[]): string[] =>
  entries.flatMap((entry, at) =>
    entry.amount.per !== 'percent'
      ? []
      : entry.amount.of.flatMap((name) => {
          const isHere = (other: Entry) =>
            other.type === name && other.services.some((code) => entry.services.includes(code));
          if (name === 'BASE' || entries.slice(0, at).some(isHere)) return [];
          const problem =
            name === 'FUEL' || entries.slice(at).some(isHere)
              ? `${name}, which comes later: a percentage may only be of charges before it`
              : `${name}, which these services do not have`;
          return [`${entry.source}: ${entry.type} is a percentage of ${problem}`];
        }),
  );

/** Charges of one file that are not in the tariff, for its report. */
interface LeftOut {
  over: number;
  /** By the names of the services. */
  readonly unserved: Map<string, number>;
  /** Problems with areas by tier: one line for all charges of a tier. */
  readonly tiers: Map<string, string>;
}

const nameOf = ({ carrier, services }: ParsedCharge): string =>
  services.length === 0
    ? carrier
    : services.every((name) => name.includes('-'))
      ? services.join(', ')
      : `${carrier} ${services.join(', ')}`;

/** A charge as an entry of the tariff; undefined if it is left out. */
const entryOf = (
  file: string,
  charge: ParsedCharge,
  { effective, services, areas }: Tariff,
  left: LeftOut,
  contradictions: string[],
): Entry | undefined => {
  const { carrier, at, tier, entry } = charge;
  const { codes, unknown } = servicesFor(charge, services);
  for (const name of unknown)
    contradictions.push(`${file}, ${at}: ${carrier} has no service ${name}; there are ${namesText(carrier, services)}`);
  if (codes.length === 0) {
    if (unknown.length === 0) left.unserved.set(nameOf(charge), (left.unserved.get(nameOf(charge)) ?? 0) + 1);
    return undefined;
  }
  if (entry.until !== undefined && entry.until < effective) {
    left.over++;
    return undefined;
  }
  const { from, ...rest } = entry;
  const list = tier === undefined ? undefined : listFor(carrier, tier, areas);
  if (list !== undefined && 'problem' in list)
    left.tiers.set(`${carrier} ${tier}`, left.tiers.get(`${carrier} ${tier}`) ?? `${file}, ${at}: ${list.problem}`);
  return {
    ...rest,
    ...(from === undefined || from <= effective ? {} : { from }),
    when:
      tier === undefined || list === undefined || 'problem' in list
        ? entry.when
        : { ...entry.when, area: { list: list.list, tier } },
    services: [...codes],
    source: `${file}, ${at}`,
  };
};

const counted = (count: number): string => (count === 1 ? '1 charge is' : `${count} charges are`);

export const mergeCharges = (sources: readonly Source[], tariff: Tariff): MergedCharges => {
  const contradictions: string[] = sources.flatMap((source) => misdated(source, tariff.effective, sources));
  const warnings: string[] = [];
  const all = sources.flatMap(({ file, reading }): TakenCharge[] => {
    const left: LeftOut = { over: 0, unserved: new Map(), tiers: new Map() };
    const taken = reading.charges.flatMap((charge) => {
      const entry = entryOf(file, charge, tariff, left, contradictions);
      return entry === undefined ? [] : [{ file, entry }];
    });
    contradictions.push(...left.tiers.values());
    if (left.over > 0)
      warnings.push(
        `${file}: ${counted(left.over)} not used, for ${left.over === 1 ? 'it ends' : 'they end'} before ${tariff.effective}`,
      );
    for (const [name, count] of left.unserved)
      warnings.push(`${file}: ${name}: ${counted(count)} not used, for there are no rates`);
    return taken;
  });
  const { charges, repeated } = joined(all, contradictions);
  const taken = charges.toSorted((a, b) => byKind(a.entry, b.entry));
  contradictions.push(...misplaced(taken.map(({ entry }) => entry)));
  return { taken, repeated, contradictions, warnings };
};
