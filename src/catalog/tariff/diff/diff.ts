/**
 * The differences between two tariffs: by weight and column, by origin and destination, by setting. Zone charts are
 * compared ZIP code by ZIP code, so it does not matter how their rows are split.
 */
import { must } from '../../../base/must.ts';
import { dollarText } from '../../../rating/quantity.ts';
import type { SurchargeEntry, TariffDocument, ZoneChart } from '../document.ts';
import { cubicRows, type LabeledRow, multiweightRows, rateRows } from '../tables.ts';
import { countOf, rangeText, ZIP3S, ZIP5S_PER_ZIP3, zipRangeOf } from '../zip.ts';
import { settingsOf, surchargeNames } from './diff-settings.ts';

export interface Difference {
  readonly change: 'added' | 'removed' | 'changed';
  /** File, and row and column if there is one. */
  readonly at: string;
  readonly before?: string;
  readonly after?: string;
  /** The change of an amount, such as `+5.90%`. */
  readonly percent?: string;
}

const difference = (at: string, before: string | undefined, after: string | undefined): Difference | undefined => {
  if (before === after) return undefined;
  if (before === undefined) return { change: 'added', at, ...(after === undefined ? {} : { after }) };
  return after === undefined ? { change: 'removed', at, before } : { change: 'changed', at, before, after };
};

/** `+5.90%`, rounded half up to a hundredth. */
export const percentChange = (beforeCents: number, afterCents: number): string => {
  const hundredths = Math.round((Math.abs(afterCents - beforeCents) * 10_000) / beforeCents);
  return `${afterCents < beforeCents ? '-' : '+'}${dollarText(hundredths)}%`;
};

type Cells = ReadonlyMap<string, number>;
type Values = ReadonlyMap<string, string>;

const compareCells = (file: string, before: Cells, after: Cells): Difference[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((key): Difference[] => {
    const [old, now] = [before.get(key), after.get(key)];
    const found = difference(
      `${file} ${key}`,
      old === undefined ? undefined : dollarText(old),
      now === undefined ? undefined : dollarText(now),
    );
    if (found === undefined) return [];
    return [old === undefined || now === undefined ? found : { ...found, percent: percentChange(old, now) }];
  });

const cellsOf = <T extends { readonly columns: readonly string[] }>(
  table: T | undefined,
  rowsOf: (table: T) => readonly LabeledRow[],
): Cells =>
  new Map(
    (table === undefined ? [] : rowsOf(table)).flatMap(({ label, cents }) =>
      (table?.columns ?? []).flatMap((column, at): [string, number][] => {
        const value = cents[at];
        return value === null || value === undefined ? [] : [[`row ${label} column ${column}`, value]];
      }),
    ),
  );

/** Compares the tables of one folder, such as `rates`. */
export const compareTables = <T extends { readonly columns: readonly string[] }>(
  folder: string,
  [before, after]: readonly [Readonly<Record<string, T>>, Readonly<Record<string, T>>],
  rowsOf: (table: T) => readonly LabeledRow[],
): Difference[] =>
  namesIn(before, after).flatMap((code) =>
    compareCells(`${folder}/${code}.csv`, cellsOf(before[code], rowsOf), cellsOf(after[code], rowsOf)),
  );

/** The zone of each ZIP5, for one origin and one column. */
const zonesByZip5 = (chart: ZoneChart | undefined, origin: string, column: string): (string | undefined)[] => {
  const zones = new Array<string | undefined>(ZIP3S * ZIP5S_PER_ZIP3).fill(undefined);
  const at = chart?.columns.indexOf(column) ?? -1;
  const rows = (at === -1 ? [] : (chart?.rows ?? [])).filter((row) => row.origin === origin);
  const ranged = rows.map((row) => ({
    range: zipRangeOf(row.destination),
    zone: must(row.zones[at], `a zone of the column ${column}`),
  }));
  for (const { range, zone } of ranged.sort((a, b) => countOf(b.range) - countOf(a.range)))
    zones.fill(zone, range.from, range.to + 1);
  return zones;
};

/** Runs of ZIP codes whose zone differs, for one origin and one column. An empty zone is shown as `none`. */
const compareLanes = (
  name: string,
  origin: string,
  column: string,
  [before, after]: readonly [ZoneChart | undefined, ZoneChart | undefined],
): Difference[] => {
  const [old, now] = [zonesByZip5(before, origin, column), zonesByZip5(after, origin, column)];
  const shown = (zone: string | undefined): string | undefined => (zone === '' ? 'none' : zone);
  const found: Difference[] = [];
  for (let from = 0, zip = 1; zip <= old.length; zip++) {
    if (zip < old.length && old[zip] === old[from] && now[zip] === now[from]) continue;
    const at = `zones/${name}.csv origin ${origin} destination ${rangeText({ from, to: zip - 1 })} column ${column}`;
    const run = difference(at, shown(old[from]), shown(now[from]));
    if (run !== undefined) found.push(run);
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

const compareAreas = (name: string, before: TariffDocument, after: TariffDocument): Difference[] => {
  const tiersOf = ({ areas }: TariffDocument) => new Map(areas[name]?.rows.map(({ zip, tier }) => [zip, tier]));
  const [old, now] = [tiersOf(before), tiersOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((zip) => {
    const found = difference(`areas/${name}.csv ${zip}`, old.get(zip), now.get(zip));
    return found === undefined ? [] : [found];
  });
};

/** Compares the values of one file, by what they are of. */
export const compareValues = (file: string, old: Values, now: Values): Difference[] =>
  [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
    const found = difference(`${file} ${key}`, old.get(key), now.get(key));
    return found === undefined ? [] : [found];
  });

const compareSettings = (before: TariffDocument, after: TariffDocument): Difference[] => {
  const names = surchargeNames(before, after);
  const nameOf = (entry: SurchargeEntry): string => must(names.get(entry), 'the name of a surcharge');
  return compareValues('tariff.json', settingsOf(before, nameOf), settingsOf(after, nameOf));
};

const namesIn = (before: object, after: object): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();

/** The differences between two tariffs, file by file. */
export const diffTariffs = (before: TariffDocument, after: TariffDocument): Difference[] => [
  ...compareSettings(before, after),
  ...compareTables('rates', [before.rates, after.rates], rateRows),
  ...compareTables('multiweight', [before.multiweight, after.multiweight], multiweightRows),
  ...compareTables('cubic', [before.cubic, after.cubic], cubicRows),
  ...namesIn(before.charts, after.charts).flatMap((name) =>
    compareCharts(name, before.charts[name], after.charts[name]),
  ),
  ...namesIn(before.areas, after.areas).flatMap((name) => compareAreas(name, before, after)),
];
