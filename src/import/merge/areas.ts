/** Joins area lists from any number of files, and finds the list that a charge means. */
import { getOrMake, grouped } from '../../base/maps.ts';
import { present } from '../../base/present.ts';
import type { ParsedAreas } from '../read/reader.ts';
import type { ServiceName } from './charged-services.ts';
import type { FromFile } from './prices.ts';

export type MergedAreas = ReturnType<typeof mergeAreas>;

/** One list from several files. It has no carrier if no file names one. */
const joined = (name: string, parts: readonly FromFile<ParsedAreas>[], contradictions: string[]) => {
  const rows = new Map<string, { readonly tier: string; readonly file: string }>();
  for (const { file, reading } of parts)
    for (const { zip, tier } of reading.list.rows) {
      const before = rows.get(zip);
      if (before === undefined) rows.set(zip, { tier, file });
      else if (before.tier !== tier)
        contradictions.push(`area ${zip} of ${name}: ${before.tier} in ${before.file}, ${tier} in ${file}`);
    }
  for (const [at, { file, reading }] of parts.entries())
    for (const other of parts.slice(0, at)) {
      const [own, before] = [reading, other.reading].map(({ list }) => new Set(list.rows.map(({ zip }) => zip)));
      const common = [...(own ?? [])].filter((zip) => before?.has(zip)).length;
      if (common > 0 && (common !== own?.size || common !== before?.size))
        contradictions.push(
          `areas of ${name}: ${other.file} and ${file} share some ZIP codes, but not all: use one of them`,
        );
    }
  const carriers = [...new Set(parts.flatMap(({ reading: { carrier } }) => (carrier === undefined ? [] : [carrier])))];
  if (carriers.length > 1)
    contradictions.push(
      `The list of areas ${name} is of ${carriers.join(' and of ')}: give each list a name of its own`,
    );
  const [carrier] = carriers;
  return {
    ...present({ carrier }),
    tiers: new Set([...rows.values()].map(({ tier }) => tier)),
    list: { rows: [...rows].map(([zip, { tier }]) => ({ zip, tier })) },
  };
};

/** Finds tiers of a carrier that are in two lists. Each may be in only one. */
const doubledTiers = (lists: Readonly<Record<string, ReturnType<typeof joined>>>): string[] => {
  const owners = new Map<string, string>();
  return Object.entries(lists).flatMap(([name, { carrier, tiers }]) =>
    [...(carrier === undefined ? [] : tiers)].flatMap((tier) => {
      const other = getOrMake(owners, `${carrier} ${tier}`, () => name);
      return other === name ? [] : [`Two lists of areas of ${carrier} have the tier ${tier}: ${other}, ${name}`];
    }),
  );
};

export const mergeAreas = (all: readonly FromFile<ParsedAreas>[], services: readonly ServiceName[]) => {
  const contradictions: string[] = [];
  const isNeeded = ({ reading: { carrier } }: FromFile<ParsedAreas>): boolean =>
    carrier === undefined || services.some((service) => service.carrier === carrier);
  const parts = all.filter(isNeeded);
  const byName = grouped(parts, ({ reading }) => reading.name);
  const lists = Object.fromEntries([...byName].map(([name, own]) => [name, joined(name, own, contradictions)]));
  const strangers = all.flatMap((part) => {
    const { carrier } = part.reading;
    const warning = `${part.file}: the areas of ${carrier} are not used, because there are no rates of ${carrier}`;
    return isNeeded(part) ? [] : [warning];
  });
  return { lists, contradictions: [...contradictions, ...doubledTiers(lists)], warnings: [...new Set(strangers)] };
};

/** The carrier's list with a tier, or else the only list without a carrier; or the problem. Undefined: there is no list. */
export const listFor = (
  carrier: string,
  tier: string,
  { lists }: MergedAreas,
): { readonly list: string } | { readonly problem: string } | undefined => {
  if (!Object.values(lists).some((list) => list.carrier === carrier || list.carrier === undefined)) return undefined;
  const having = Object.entries(lists).filter(([, { tiers }]) => tiers.has(tier));
  const own = having.find(([, list]) => list.carrier === carrier);
  const [common, ...others] = having.filter(([, list]) => list.carrier === undefined);
  if (own !== undefined) return { list: own[0] };
  if (common !== undefined && others.length === 0) return { list: common[0] };
  if (common !== undefined)
    return {
      problem: `several lists have the tier ${tier} (${[common, ...others].map(([name]) => name).join(', ')}), and none says that it is of ${carrier}`,
    };
  const there = Object.entries(lists).map(
    ([name, list]) =>
      `${name}${list.carrier === undefined ? '' : ` of ${list.carrier}`} with ${[...list.tiers].join(', ')}`,
  );
  return {
    problem: `no list of areas of ${carrier} has the tier ${tier} (${there.join('; ')}): import its list of ZIP codes too`,
  };
};
