/**
 * The differences between two tariffs: by weight and column, by origin and destination, by setting. Zone charts are compared
 * by ZIP code, so it does not matter how their rows are split.
 */
import { byText } from '../../../base/by-text.ts';
import { grouped } from '../../../base/maps.ts';
import { must } from '../../../base/must.ts';
import { dollarText } from '../../../rating/quantity.ts';
import type { AreaList, SurchargeEntry, TariffDocument, ZoneChart } from '../document.ts';
import { type Columns, CUBIC, cellsOf, MULTIWEIGHT, type PriceForm, RATES } from '../prices.ts';
import { TRANSIT_FILE } from '../transit.ts';
import { rangeText, ZIP5S, zonesIn } from '../zip.ts';

/* The values of tariff.json by name for comparisons: services by code, surcharges by type and description. */

type Entries = readonly SurchargeEntry[];

/** Parts of a surcharge's name. The next part is added if several surcharges share the name so far. */
const FORMS: readonly ((entry: SurchargeEntry) => string)[] = [
  ({ type, description }) => `surcharge ${type} "${description}"`,
  ({ services }) => ` (${services?.join(', ') ?? 'all services'})`,
  ({ from, until }) => `${from === undefined ? '' : ` from ${from}`}${until === undefined ? '' : ` to ${until}`}`,
];

/**
 * The names of the surcharges of two tariffs. A name has the services and the period only if either tariff has several
 * surcharges of the type and description, so that the same surcharge has the same name in both.
 */
const surchargeNames = (before: TariffDocument, after: TariffDocument): ((entry: SurchargeEntry) => string) => {
  const names = new Map<SurchargeEntry, string>();
  const nameAll = (prefix: string, old: Entries, now: Entries, form: number): void => {
    const more = FORMS[form];
    if (more === undefined || (form > 0 && old.length < 2 && now.length < 2)) {
      for (const entries of [old, now])
        for (const [index, entry] of entries.entries())
          names.set(entry, index === 0 ? prefix : `${prefix} #${index + 1}`);
      return;
    }
    const [oldGroups, nowGroups] = [grouped(old, more), grouped(now, more)];
    for (const name of new Set([...oldGroups.keys(), ...nowGroups.keys()]))
      nameAll(`${prefix}${name}`, oldGroups.get(name) ?? [], nowGroups.get(name) ?? [], form + 1);
  };
  nameAll('', before.file.surcharges, after.file.surcharges, 0);
  return (entry) => must(names.get(entry), 'the name of a surcharge');
};

/** `26 to 2026-06-14 (fuel.csv, line 3)`: the members of a step without its first day. */
const stepText = ({ from: _from, until, source, ...values }: Readonly<Record<string, unknown>>): string => {
  const end = until === undefined ? '' : ` to ${until}`;
  return `${Object.values(values).join(', ')}${end}${source === undefined ? '' : ` (${source})`}`;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `lengthOverIn 48 or actualWeightOverLb 50` */
const choiceText = (choices: readonly Readonly<Record<string, unknown>>[]): string =>
  choices
    .map((one) =>
      Object.entries(one)
        .map(([key, limit]) => `${key} ${limit}`)
        .join(' and '),
    )
    .join(' or ');

/** Values by path. Steps of a schedule are named by date, so that a new week is a single difference. */
export const valuesOf = (path: string, value: unknown): (readonly [path: string, value: string])[] => {
  if (isObject(value))
    return Object.entries(value).flatMap(([key, part]) => valuesOf(path === '' ? key : `${path}.${key}`, part));
  if (!Array.isArray(value)) return value === undefined ? [] : [[path, String(value)]];
  const parts = value.filter(isObject);
  if (parts.length === 0) return [[path, value.join(', ')]];
  if (parts.some(({ from }) => from === undefined)) return [[path, choiceText(parts)]];
  return parts.map((step) => [`${path} from ${step['from']}`, stepText(step)]);
};

/** The values of tariff.json by path. */
const settingsOf = (
  { file: { services, surcharges, sources, ...rest } }: TariffDocument,
  nameOf: (entry: SurchargeEntry) => string,
): ReadonlyMap<string, string> =>
  new Map([
    ...valuesOf('', rest),
    ...services.flatMap((service) => valuesOf(`service ${service.code}`, service)),
    ...surcharges.flatMap((surcharge) => valuesOf(nameOf(surcharge), surcharge)),
    ...sources.map(({ file, sha256 }) => [`source ${file}`, sha256] as const),
  ]);

export interface Difference {
  readonly change: 'added' | 'removed' | 'changed';
  /** The file, with row and column if known. */
  readonly at: string;
  readonly before?: string;
  readonly after?: string;
  /** The change of an amount, such as `+5.90%`. */
  readonly percent?: string;
}

/** `+5.90%`, rounded half up to a hundredth. */
export const percentChange = (beforeCents: number, afterCents: number): string => {
  const hundredths = Math.round((Math.abs(afterCents - beforeCents) * 10_000) / beforeCents);
  return `${afterCents < beforeCents ? '-' : '+'}${dollarText(hundredths)}%`;
};

/** The facts of a file by subject: texts, or amounts in cents. */
export type Facts = ReadonlyMap<string, string | number>;

const shown = (fact: string | number): string => (typeof fact === 'number' ? dollarText(fact) : fact);

const difference = (
  at: string,
  before: string | number | undefined,
  after: string | number | undefined,
): Difference[] => {
  if (before === after) return [];
  if (after === undefined) return before === undefined ? [] : [{ change: 'removed', at, before: shown(before) }];
  if (before === undefined) return [{ change: 'added', at, after: shown(after) }];
  const changed = { change: 'changed', at, before: shown(before), after: shown(after) } as const;
  const areAmounts = typeof before === 'number' && typeof after === 'number';
  return [areAmounts ? { ...changed, percent: percentChange(before, after) } : changed];
};

/** Compares two versions of a file. */
export const compareFacts = (file: string, before: Facts, after: Facts): Difference[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((key) =>
    difference(`${file} ${key}`, before.get(key), after.get(key)),
  );

const namesIn = (before: object, after: object): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();

const pricesOf = <T extends Columns>(table: T | undefined, form: PriceForm<T>): Facts =>
  new Map([...cellsOf(table, form)].flatMap(([key, cents]) => (cents === null ? [] : [[key, cents]])));

/** Compares the price tables of a folder, such as `rates`. */
export const comparePrices = <T extends Columns>(
  folder: string,
  [before, after]: readonly [Readonly<Record<string, T>>, Readonly<Record<string, T>>],
  form: PriceForm<T>,
): Difference[] =>
  namesIn(before, after).flatMap((code) =>
    compareFacts(`${folder}/${code}.csv`, pricesOf(before[code], form), pricesOf(after[code], form)),
  );

/** The zone of each ZIP5 for one origin and one column. */
const zonesByZip5 = (chart: ZoneChart | undefined, origin: string, column: string): (string | undefined)[] => {
  const zones = new Array<string | undefined>(ZIP5S).fill(undefined);
  if (chart?.columns.includes(column) !== true) return zones;
  const rows = chart.rows.filter((row) => row.origin === origin);
  for (const { range, zone } of zonesIn({ ...chart, rows }, column)) zones.fill(zone, range.from, range.to + 1);
  return zones;
};

/** Runs of ZIP codes with different zones, for one origin and one column. An empty zone is shown as `none`. */
const compareLanes = (
  name: string,
  origin: string,
  column: string,
  [before, after]: readonly [ZoneChart | undefined, ZoneChart | undefined],
): Difference[] => {
  const [old, now] = [zonesByZip5(before, origin, column), zonesByZip5(after, origin, column)];
  const zoneText = (zone: string | undefined): string | undefined => (zone === '' ? 'none' : zone);
  const found: Difference[] = [];
  for (let from = 0, zip = 1; zip <= old.length; zip++) {
    if (zip < old.length && old[zip] === old[from] && now[zip] === now[from]) continue;
    const at = `zones/${name}.csv origin ${origin} destination ${rangeText({ from, to: zip - 1 })} column ${column}`;
    found.push(...difference(at, zoneText(old[from]), zoneText(now[from])));
    from = zip;
  }
  return found;
};

const rowsText = (chart: ZoneChart | undefined, origin: string): string =>
  JSON.stringify([
    chart?.columns,
    (chart?.rows ?? []).filter((row) => row.origin === origin).map(({ destination, zones }) => [destination, zones]),
  ]);

const compareCharts = (name: string, before: ZoneChart | undefined, after: ZoneChart | undefined): Difference[] => {
  const origins = [before, after].flatMap((chart) => chart?.rows.map(({ origin }) => origin) ?? []);
  const columns = new Set([before, after].flatMap((chart) => chart?.columns ?? []));
  return [...new Set(origins)].sort().flatMap((origin) => {
    if (rowsText(before, origin) === rowsText(after, origin)) return [];
    return [...columns].flatMap((column) => compareLanes(name, origin, column, [before, after]));
  });
};

const tiersOf = (list: AreaList | undefined): Facts => new Map(list?.rows.map(({ zip, tier }) => [zip, tier]));

const daysIn = ({ transit = [] }: TariffDocument): Facts =>
  new Map(
    transit.map(({ service, origin, destination, days }) => [
      `${service} origin ${origin} destination ${destination}`,
      `${days} business days`,
    ]),
  );

const compareSettings = (before: TariffDocument, after: TariffDocument): Difference[] => {
  const nameOf = surchargeNames(before, after);
  return compareFacts('tariff.json', settingsOf(before, nameOf), settingsOf(after, nameOf));
};

/** The differences between two tariffs, file by file. */
export const diffTariffs = (before: TariffDocument, after: TariffDocument): Difference[] => [
  ...compareSettings(before, after),
  ...comparePrices('rates', [before.rates, after.rates], RATES),
  ...comparePrices('multiweight', [before.multiweight, after.multiweight], MULTIWEIGHT),
  ...comparePrices('cubic', [before.cubic, after.cubic], CUBIC),
  ...namesIn(before.charts, after.charts).flatMap((name) =>
    compareCharts(name, before.charts[name], after.charts[name]),
  ),
  ...namesIn(before.areas, after.areas).flatMap((name) =>
    compareFacts(`areas/${name}.csv`, tiersOf(before.areas[name]), tiersOf(after.areas[name])).sort((a, b) =>
      byText(a.at, b.at),
    ),
  ),
  ...compareFacts(TRANSIT_FILE, daysIn(before), daysIn(after)),
];

/* The differences between two tariffs by part. `diff-summary.ts` has the rates by weight. */

const fileOf = ({ at }: Difference): string => must(at.split(' ')[0], 'the file of a difference');

/** How many cells or rows of each file differ. */
const countsIn = (differences: readonly Difference[], folder: string) => {
  const files = [...new Set(differences.map(fileOf).filter((file) => file.startsWith(folder)))];
  return files.map((file) => {
    const own = differences.filter((difference) => fileOf(difference) === file);
    const count = (change: Difference['change']): number => own.filter((one) => one.change === change).length;
    return { file, added: count('added'), removed: count('removed'), changed: count('changed') };
  });
};

export type FileCounts = ReturnType<typeof countsIn>[number];

/** The names of services and surcharges. */
export const namesOf = ({ file }: TariffDocument, nameOf: (entry: SurchargeEntry) => string): readonly string[] => [
  ...file.services.map(({ code }) => `service ${code}`),
  ...file.surcharges.map(nameOf),
];

/** Whether the summary by weight omits the row: ounces, or prices per pound above the table. */
const isOtherRow = ({ at }: Difference): boolean => /^rates\/.* row (?:\d{1,2} oz|per_lb) /.test(at);

/** @param differences from `diffTariffs` */
export const partsOf = (before: TariffDocument, after: TariffDocument, differences: readonly Difference[]) => {
  const nameOf = surchargeNames(before, after);
  const [old, now] = [namesOf(before, nameOf), namesOf(after, nameOf)];
  const removed = old.filter((name) => !now.includes(name));
  const added = now.filter((name) => !old.includes(name));
  const isOfOne = ({ at }: Difference): boolean =>
    [...removed, ...added].some((name) => at.startsWith(`tariff.json ${name}.`));
  return {
    /** Rates below one pound, and prices per pound. */
    otherRows: countsIn(differences.filter(isOtherRow), 'rates/'),
    cubic: countsIn(differences, 'cubic/'),
    multiweight: countsIn(differences, 'multiweight/'),
    /** Runs of ZIP codes by origin and service. */
    zones: countsIn(differences, 'zones/'),
    /** ZIP codes. */
    areas: countsIn(differences, 'areas/'),
    /** Services and surcharges. */
    ...{ removed, added },
    /** For the tariff, and services and surcharges in both tariffs. `at` begins with `tariff.json `. */
    settings: differences.filter((one) => /^tariff\.json (?!source )/.test(one.at) && !isOfOne(one)),
  };
};

/* Takes a part of a tariff, for comparison with a tariff that has fewer services. */

/** The members with these names. */
export const kept = <T>(all: Readonly<Record<string, T>>, names: ReadonlySet<string | undefined>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));

/** The tariff with only these services, and with the charges, charts, areas and days that affect them. */
export const ofServices = (document: TariffDocument, codes: ReadonlySet<string>): TariffDocument => {
  const { file, rates, multiweight, cubic, charts, areas, transit } = document;
  const services = file.services.filter(({ code }) => codes.has(code));
  const surcharges = file.surcharges
    .map((entry) =>
      entry.services === undefined ? entry : { ...entry, services: entry.services.filter((code) => codes.has(code)) },
    )
    .filter((entry) => entry.services?.length !== 0);
  const carriers = new Set(services.map(({ carrier }) => carrier));
  return {
    file: { ...file, services, surcharges, ...(file.calendars && { calendars: kept(file.calendars, carriers) }) },
    rates: kept(rates, codes),
    multiweight: kept(multiweight, codes),
    cubic: kept(cubic, codes),
    charts: kept(charts, new Set(services.map(({ zones }) => zones.chart))),
    areas: kept(areas, new Set(surcharges.map(({ when }) => when.area?.list))),
    ...(transit && { transit: transit.filter(({ service }) => codes.has(service)) }),
  };
};
