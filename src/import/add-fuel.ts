/** Adds fuel rates to a tariff by hand, such as next week's rates, which the imported files do not have. */
import { present } from '../base/present.ts';
import { isFueled } from '../catalog/tariff/charge-catalog.ts';
import { byFrom, shifted } from '../catalog/tariff/days.ts';
import type { SurchargeEntry, TariffDocument } from '../catalog/tariff/document.ts';
import { chargesOf } from '../catalog/tariff/fuel.ts';
import { FUEL, isFuelType } from '../rating/charges.ts';
import { namesText, servicesFor } from './merge/charged-services.ts';
import { isWeekly } from './merge/fuel.ts';
import type { ParsedFuel } from './read/reader.ts';

/** A rate to add. */
export interface FuelAddition extends Omit<ParsedFuel, 'at'> {
  /** The source to record with the rate: `fuel.csv, line 12`. */
  readonly source: string;
}

/** What happened to one rate of a fuel surcharge. */
export interface FuelChange {
  /** `ended`: an earlier rate had no last day and now ends. `unchanged`: the tariff already had this rate. */
  readonly change: 'added' | 'ended' | 'unchanged';
  readonly services: readonly string[];
  readonly from: string;
  readonly until?: string;
  readonly percent: string;
  /** What a new fuel surcharge is a percentage of. */
  readonly of?: readonly string[];
}

export type AddedFuel =
  | { readonly document: TariffDocument; readonly changes: readonly FuelChange[] }
  | { readonly problem: string };

const WEEK = 7;

type Fuel = SurchargeEntry & { readonly amount: { readonly per: 'percent' } };
type Rate = Readonly<Exclude<Fuel['amount']['rate'], string>[number]>;

const isPercentage = (entry: SurchargeEntry): entry is Fuel => entry.amount.per === 'percent';

/** The rates of a fuel surcharge, in ascending order. A single undated rate begins with the surcharge or the tariff. */
const ratesOf = ({ amount, from }: Fuel, effective: string): readonly Rate[] =>
  typeof amount.rate === 'string' ? [{ from: from ?? effective, rate: amount.rate }] : amount.rate.toSorted(byFrom);

const rateText = ({ rate, from, until, source }: Rate): string =>
  `${rate}% from ${from}${until === undefined ? '' : ` until ${until}`}${source === undefined ? '' : ` (${source})`}`;

/** Whether each rate is for one week. */
const hasWeeks = (carrier: string, rates: readonly Rate[]): boolean =>
  isWeekly(carrier, rates) || rates.some(({ from, until }) => until === shifted(from, WEEK - 1));

interface Inserted {
  readonly rates: readonly Rate[];
  readonly changes: readonly Pick<FuelChange, 'change' | 'from' | 'until' | 'percent'>[];
}

/** Inserts a rate. @returns the rate that already begins on its day, if there is one */
const insert = (rates: readonly Rate[], { carrier, from, percent, source }: FuelAddition): Inserted | Rate => {
  const weekly = hasWeeks(carrier, rates);
  const before = rates.filter((rate) => rate.from <= from);
  const after = rates.slice(before.length);
  const [last, next] = [before.at(-1), after[0]];
  const dayBeforeNext = next === undefined ? undefined : shifted(next.from, -1);
  const end = last && (last.until ?? (weekly ? shifted(last.from, WEEK - 1) : dayBeforeNext));
  if (last !== undefined && (last.from === from || (end !== undefined && from <= end))) return last;
  const isLong = weekly && (next === undefined || next.from > shifted(from, WEEK));
  const until = isLong ? shifted(from, WEEK - 1) : undefined;
  const days = { from, ...present({ until }) };
  const added: Rate = { ...days, rate: percent, source };
  const addition = { change: 'added' as const, ...days, percent };
  // A gap between two weeks has no fuel rate. Without a last day, the earlier rate would fill the gap.
  const isOpen = last !== undefined && last.until === undefined && end !== undefined && shifted(end, 1) < from;
  if (!isOpen) return { rates: [...before, added, ...after], changes: [addition] };
  const ended = { ...last, until: end };
  return {
    rates: [...before.slice(0, -1), ended, added, ...after],
    changes: [{ change: 'ended', from: last.from, until: end, percent: last.rate }, addition],
  };
};

/** The types of charges that a new fuel surcharge is a percentage of. */
const takenOf = (document: TariffDocument, codes: readonly string[]): readonly string[] => {
  const charges = codes.flatMap((code) => chargesOf(document, code));
  const onFuel = charges.filter(({ amount }) => amount.per === 'percent' && amount.of.some(isFuelType));
  const left = onFuel.map(({ type }) => type);
  const types = charges.map(({ type }) => type).filter((type) => isFueled(type) && !left.includes(type));
  return ['BASE', ...new Set(types)];
};

/** The services of an addition, grouped by fuel surcharge (undefined: they have none), or the problem. */
const surchargesFor = (
  document: TariffDocument,
  codes: readonly string[],
): ReadonlyMap<Fuel | undefined, readonly string[]> | string => {
  const found = new Map<Fuel | undefined, readonly string[]>();
  for (const code of codes) {
    const [entry, ...more] = chargesOf(document, code).filter(({ type }) => isFuelType(type));
    if (more.length > 0)
      return `${code} has ${more.length + 1} fuel surcharges: change the one you mean in tariff.json`;
    if (entry !== undefined && !isPercentage(entry))
      return `the fuel surcharge of ${code} is not a percentage: change it in tariff.json`;
    found.set(entry, [...(found.get(entry) ?? []), code]);
    const sharing = entry?.services ?? document.file.services.map((service) => service.code);
    const others = entry === undefined ? [] : sharing.filter((other) => !codes.includes(other));
    if (others.length === 0) continue;
    const carriers = new Set(document.file.services.flatMap((one) => (sharing.includes(one.code) ? one.carrier : [])));
    const advice = carriers.size > 1 ? 'split it by carrier' : 'name all its services, or split it';
    return `the fuel surcharge of ${code} also applies to ${others.join(', ')}: ${advice} in tariff.json`;
  }
  return found;
};

/** The codes of the services that an addition names, or the problem. */
const namedServices = (document: TariffDocument, { carrier, services }: FuelAddition): readonly string[] | string => {
  const all = document.file.services;
  const carriers = [...new Set(all.map((service) => service.carrier))];
  if (!carriers.includes(carrier)) {
    const known = new Intl.ListFormat('en-US').format(carriers);
    return `there is no carrier ${carrier}; the ${carriers.length === 1 ? 'only carrier is' : 'carriers are'} ${known}`;
  }
  const { codes, unknown } = servicesFor({ carrier, services }, all);
  if (unknown.length > 0 || codes.length === 0)
    return `${carrier} has no service ${(unknown.length > 0 ? unknown : services).join(', ')}; it has ${namesText(carrier, all)}`;
  return codes;
};

const addOne = (document: TariffDocument, addition: FuelAddition, skipsEqual: boolean): AddedFuel => {
  const codes = namedServices(document, addition);
  if (typeof codes === 'string') return { problem: codes };
  const entries = surchargesFor(document, codes);
  if (typeof entries === 'string') return { problem: entries };
  let changed = document;
  const changes: FuelChange[] = [];
  for (const [entry, services] of entries) {
    if (entry?.until !== undefined && entry.until < addition.from)
      return { problem: `the fuel surcharge of ${services.join(', ')} ends on ${entry.until}` };
    const inserted = insert(entry === undefined ? [] : ratesOf(entry, document.file.effective), addition);
    if ('rate' in inserted) {
      const { from, rate: percent } = inserted;
      if (!skipsEqual || from !== addition.from || Number(percent) !== Number(addition.percent))
        return { problem: `${services.join(', ')} already has ${rateText(inserted)}: change it in tariff.json` };
      changes.push({ change: 'unchanged', services, from, percent });
      continue;
    }
    const of = entry?.amount.of ?? takenOf(document, services);
    const amount = { per: 'percent' as const, rate: [...inserted.rates], of: [...of] };
    const fresh = { type: FUEL, description: 'Fuel', services: [...services], when: {} };
    const { surcharges } = changed.file;
    const full = { ...(entry ?? fresh), amount };
    const all = entry === undefined ? [...surcharges, full] : surcharges.map((one) => (one === entry ? full : one));
    changed = { ...changed, file: { ...changed.file, surcharges: all } };
    const isNew = entry === undefined ? { of } : {};
    changes.push(...inserted.changes.map((change) => ({ ...change, services, ...isNew })));
  }
  return { document: changed, changes };
};

/**
 * Returns the additions for services of the tariff, because a file may contain more than a tariff needs. If there are none,
 * returns all additions, so that adding them reports the problem.
 */
export const neededFuel = (
  { file: { services } }: TariffDocument,
  additions: readonly FuelAddition[],
): readonly FuelAddition[] => {
  const needed = additions.filter((addition) => {
    const { codes, unknown } = servicesFor(addition, services);
    return services.some(({ carrier }) => carrier === addition.carrier) && codes.length + unknown.length > 0;
  });
  return needed.length === 0 ? additions : needed;
};

/** The rates that operators added to a tariff: no file of its import states them. */
const addedByHand = ({ file: { services, surcharges, sources } }: TariffDocument): readonly FuelAddition[] =>
  surcharges.filter(isPercentage).flatMap(({ type, services: codes = [], amount: { rate } }) => {
    const carrier = services.find(({ code }) => codes.includes(code))?.carrier;
    if (!isFuelType(type) || carrier === undefined || typeof rate === 'string') return [];
    return rate.flatMap(({ from, rate: percent, source }) =>
      source === undefined || sources.some(({ file }) => source.startsWith(`${file}, `))
        ? []
        : [{ carrier, services: codes, from, percent, source }],
    );
  });

/**
 * Adds to an imported tariff the fuel rates that operators added to the published tariff that it replaces.
 * @returns `lost`: rates that the files do not leave a place for, in words for users
 */
export const withAddedFuel = (document: TariffDocument, published: TariffDocument) => {
  const own = new Set(document.file.services.map(({ code }) => code));
  const lost: string[] = [];
  let kept = document;
  for (const addition of addedByHand(published)) {
    const services = addition.services.filter((code) => own.has(code));
    const added = services.length === 0 ? { document: kept } : addFuel(kept, [{ ...addition, services }], true);
    if ('document' in added) kept = added.document;
    else
      lost.push(
        `Fuel of ${services.join(', ')} from ${addition.from}: ${addition.percent}% (${addition.source}) is not kept, because the files say otherwise`,
      );
  }
  return { document: kept, lost };
};

/**
 * Adds fuel rates to a tariff.
 * @param skipsEqual a rate that the tariff already has is no problem
 * @returns the changed tariff, or the first problem; then nothing is added
 */
export const addFuel = (
  document: TariffDocument,
  additions: readonly FuelAddition[],
  skipsEqual: boolean,
): AddedFuel => {
  let changed = document;
  const changes: FuelChange[] = [];
  for (const addition of additions.toSorted(byFrom)) {
    const added = addOne(changed, addition, skipsEqual);
    if ('problem' in added) return { problem: `${addition.source}: ${added.problem}` };
    changed = added.document;
    changes.push(...added.changes);
  }
  return { document: changed, changes };
};
