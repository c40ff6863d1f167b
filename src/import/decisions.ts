/**
 * Keeps an operator's decisions when a tariff is imported again. A decision is a difference between the tariff and what the files
 * said at the previous import. An import replaces what the files said, never a decision.
 */
import { isDeepStrictEqual } from 'node:util';
import { present } from '../base/present.ts';
import { byFrom } from '../catalog/tariff/days.ts';
import { kept } from '../catalog/tariff/diff/diff.ts';
import type {
  AreaList,
  CubicTable,
  RateTable,
  SurchargeEntry,
  TariffDocument,
  TransitRow,
  ZoneChart,
} from '../catalog/tariff/document.ts';
import { type Columns, cellsOf, cubicLike, MULTIWEIGHT, type PriceForm, RATES } from '../catalog/tariff/prices.ts';
import { byKind, surchargeKeys } from './merge/charged-services.ts';

type Part = { readonly [key: string]: unknown };

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Three versions of one value. Undefined if absent. */
interface Layers<T> {
  /** From the files of the previous import. */
  readonly base: T | undefined;
  /** From the tariff as the operator left it. */
  readonly current: T | undefined;
  /** From the files now. */
  readonly fresh: T | undefined;
}

/** Merges lists of plain values as sets: the operator may have added some and removed others. */
const mergeList = ({ base = [], current = [], fresh = [] }: Layers<readonly unknown[]>): readonly unknown[] => [
  ...fresh.filter((value) => current.includes(value) || !base.includes(value)),
  ...current.filter((value) => !fresh.includes(value) && !base.includes(value)),
];

const isPlainList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.every((item) => !isPart(item) && !Array.isArray(item));

/** Whether a value is a list of parts that each begin on a day, such as fuel rates. */
const isDatedList = (value: unknown): value is readonly (Part & { readonly from: string })[] =>
  Array.isArray(value) && value.every((item) => isPart(item) && typeof item['from'] === 'string');

/** The operator's value if it differs from what the files said, otherwise what the files say now. */
const merge = (layers: Layers<unknown>): unknown => {
  const { base, current, fresh } = layers;
  if (isDeepStrictEqual(base, current)) return fresh;
  if (isPart(current) && isPart(fresh)) return mergeParts({ base: isPart(base) ? base : undefined, current, fresh });
  if (isPlainList(current) && isPlainList(fresh) && (base === undefined || isPlainList(base)))
    return mergeList({ base, current, fresh });
  if (!isDatedList(current) || !isDatedList(fresh)) return current;
  const dated = { base: isDatedList(base) ? base : undefined, current, fresh };
  return mergeEntries(dated, ({ from }) => from).entries.toSorted(byFrom);
};

const mergeParts = ({ base = {}, current = {}, fresh = {} }: Layers<Part>): Part => {
  const keys = new Set([fresh, current, base].flatMap(Object.keys));
  const merged = [...keys].map((key) => [key, merge({ base: base[key], current: current[key], fresh: fresh[key] })]);
  return present(Object.fromEntries(merged));
};

/** Merges lists of entries by key. Drops entries that the files no longer have; `gone` names the ones the operator changed. */
const mergeEntries = <T extends object>(
  layers: Layers<readonly T[] | undefined>,
  keyOf: (entry: T) => string,
): { readonly entries: readonly T[]; readonly gone: readonly string[] } => {
  const byKey = (entries: readonly T[] = []): ReadonlyMap<string, T> =>
    new Map(entries.map((entry) => [keyOf(entry), entry]));
  const [base, current, fresh] = [byKey(layers.base), byKey(layers.current), byKey(layers.fresh)];
  const gone: string[] = [];
  const entries = [...new Set([...fresh.keys(), ...current.keys()])].flatMap((key): readonly T[] => {
    const [was, is, now] = [base.get(key), current.get(key), fresh.get(key)];
    if (now === undefined && was !== undefined) {
      if (is !== undefined && !isDeepStrictEqual(was, is)) gone.push(key);
      return [];
    }
    const value = merge({ base: was, current: is, fresh: now });
    // The result has the type of the entries: each of its members comes from one of them.
    return value === undefined ? [] : [value as T];
  });
  return { entries, gone };
};

/** Returns the new version of a table that the operator changed. */
type Merge<T> = (base: T, current: T, fresh: T) => T;

const mergeChart: Merge<ZoneChart> = ({ rows: base }, current, fresh) => {
  // If the columns differ, the rows cannot be compared one by one.
  if (!isDeepStrictEqual(current.columns, fresh.columns)) return fresh;
  const layers = { base, current: current.rows, fresh: fresh.rows };
  const { entries } = mergeEntries(layers, ({ origin, destination }) => `${origin} ${destination}`);
  return { columns: fresh.columns, rows: entries };
};

const mergeAreas: Merge<AreaList> = ({ rows: base }, { rows: current }, { rows: fresh }) => ({
  rows: mergeEntries({ base, current, fresh }, ({ zip }) => zip).entries,
});

/** Returns `fresh` with the cells that the operator changed. */
const withDecided = <T extends Columns>(form: PriceForm<T>, base: T, current: T, fresh: T): T => {
  const [before, now] = [cellsOf(base, form), cellsOf(current, form)];
  const rows = form.rowsOf(fresh).map(({ label, limit, cents }) => ({
    limit,
    cents: fresh.columns.map((column, at) => {
      const [was, is] = [before, now].map((cells) => cells.get(`row ${label} column ${column}`));
      return is !== undefined && was !== undefined && is !== was ? is : (cents[at] ?? null);
    }),
  }));
  return form.tableOf(fresh.columns, rows);
};

const limitsOf = ({ ounces = [] }: RateTable) => ounces.map(({ upToOz }) => upToOz);

export const mergeRates: Merge<RateTable> = (base, current, fresh) => {
  if (isDeepStrictEqual(limitsOf(base), limitsOf(current))) return withDecided(RATES, base, current, fresh);
  // The operator changed the ounce rows themselves. Keep them.
  const { ounces: _, ...pounds } = fresh;
  const cents = (row: readonly (number | null)[]) =>
    fresh.columns.map((column) => row[current.columns.indexOf(column)] ?? null);
  const own = current.ounces?.map((row) => ({ upToOz: row.upToOz, cents: cents(row.cents) }));
  return withDecided(RATES, base, current, own === undefined ? pounds : { ...pounds, ounces: own });
};

/** Merges tables whose rows the carrier chooses: weight breaks, tiers. */
const mergerOf =
  <T extends Columns>(form: PriceForm<T>): Merge<T> =>
  (base, current, fresh) => {
    const labels = (table: T) => form.rowsOf(table).map(({ label }) => label);
    // If the rows differ, the cells cannot be compared one by one.
    const areSame = [base, current].every((table) => isDeepStrictEqual(labels(table), labels(fresh)));
    if (areSame) return withDecided(form, base, current, fresh);
    return isDeepStrictEqual(base, current) ? fresh : current;
  };

const mergeMultiweight = mergerOf(MULTIWEIGHT);
export const mergeCubic: Merge<CubicTable> = (base, current, fresh) => mergerOf(cubicLike(fresh))(base, current, fresh);

type Tables<T> = Readonly<Record<string, T>>;

/** Keeps tables that the operator added, removes tables that the operator removed, and merges the others. */
const mergeTables = <T>(both: Merge<T>, { base = {}, current = {}, fresh = {} }: Layers<Tables<T>>): Tables<T> => {
  const merged: Record<string, T> = {};
  for (const name of new Set([...Object.keys(fresh), ...Object.keys(current)])) {
    const [was, is, now] = [base[name], current[name], fresh[name]];
    const only = was === undefined ? (now ?? is) : undefined;
    if (was !== undefined && is !== undefined && now !== undefined)
      merged[name] = isDeepStrictEqual(was, is) ? now : both(was, is, now);
    else if (only !== undefined) merged[name] = only;
  }
  return merged;
};

/** Whether two surcharges have the same type and share a service. */
const overlaps = (a: SurchargeEntry, b: SurchargeEntry): boolean =>
  a.type === b.type &&
  (a.services === undefined || b.services === undefined || a.services.some((code) => b.services?.includes(code)));

const mergeSurcharges = ({ base = [], current = [], fresh = [] }: Layers<readonly SurchargeEntry[]>) => {
  const nameOf = surchargeKeys(base, current, fresh);
  const inFiles = new Set([...base, ...fresh].map(nameOf));
  const { entries, gone } = mergeEntries({ base, current, fresh }, nameOf);
  const doubled = current
    .filter((entry) => !inFiles.has(nameOf(entry)))
    .flatMap((own) => {
      const others = fresh.filter((other) => overlaps(own, other));
      return others.length === 0 ? [] : [`${nameOf(own)} and ${others.map(nameOf).join(' and ')}`];
    });
  return { entries: entries.toSorted(byKind), gone, doubled };
};

const layersOf =
  <D extends object>(base: D, current: D, fresh: D) =>
  <K extends keyof D>(key: K): Layers<D[K]> => ({ base: base[key], current: current[key], fresh: fresh[key] });

/**
 * Applies the operator's decisions to a freshly imported tariff.
 * @param base the tariff from the files of the previous import
 * @param current the tariff as the operator left it
 * @returns `gone`: services and surcharges that the operator changed and the files no longer have. `doubled`: surcharges that the
 * operator added although the files have one of the same type for the same services
 */
export const withDecisions = (base: TariffDocument, current: TariffDocument, fresh: TariffDocument) => {
  const { services: _, surcharges: __, ...plain } = fresh.file;
  const rest = mergeParts({ base: base.file, current: current.file, fresh: plain });
  const of = layersOf(base, current, fresh);
  const inFile = layersOf(base.file, current.file, fresh.file);
  const codeOf = ({ code }: { readonly code: string }): string => code;
  const services = mergeEntries(inFile('services'), codeOf);
  const surcharges = mergeSurcharges(inFile('surcharges'));
  const laneOf = ({ service, origin, destination }: TransitRow): string => `${service} ${origin} ${destination}`;
  const transit = mergeEntries(of('transit'), laneOf).entries;
  const { name, effective, sources } = fresh.file;
  const codes = new Set(services.entries.map(codeOf));
  const priced = <T>(both: Merge<T>, tables: Layers<Tables<T>>) => kept(mergeTables(both, tables), codes);
  const document: TariffDocument = {
    file: {
      ...fresh.file,
      ...rest,
      ...{ name, effective, sources, services: [...services.entries], surcharges: surcharges.entries },
    },
    rates: priced(mergeRates, of('rates')),
    multiweight: priced(mergeMultiweight, of('multiweight')),
    cubic: priced(mergeCubic, of('cubic')),
    charts: mergeTables(mergeChart, of('charts')),
    areas: mergeTables(mergeAreas, of('areas')),
    ...(transit.length > 0 && { transit }),
  };
  return { document, gone: [...services.gone, ...surcharges.gone], doubled: surcharges.doubled };
};
