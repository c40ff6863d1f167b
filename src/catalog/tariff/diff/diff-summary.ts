/**
 * A summary of the changes between two tariffs: for each service the average and the largest change by zone and weight, what
 * was added and removed, and how many ZIP codes changed zones. `diff.ts` has the individual cells.
 */
import { dollarText } from '../../../rating/quantity.ts';
import type { RateTable, TariffDocument } from '../document.ts';
import { type Difference, type FileCounts, partsOf, percentChange } from './diff.ts';

/** Upper ends of the weight bands, in pounds. */
const BANDS_LB = [5, 10, 20, 50, 100, 150] as const;

interface Cell {
  readonly weightLb: number;
  readonly column: string;
  readonly before: number;
  readonly after: number;
}

const centsAt = (table: RateTable | undefined, row: number, column: string): number | null =>
  table?.cents[row]?.[table.columns.indexOf(column)] ?? null;

/** How much an amount rises, as a part of the earlier amount. */
export const ratio = ({ before, after }: Pick<Cell, 'before' | 'after'>): number => (after - before) / before;

/** The average rise, in hundredths of a percent. */
export const average = (cells: readonly Pick<Cell, 'before' | 'after'>[]): number =>
  cells.length === 0 ? 0 : Math.round((cells.reduce((sum, cell) => sum + ratio(cell), 0) / cells.length) * 10_000);

const bandsOf = (cells: readonly Cell[], columns: readonly string[], topLb: number) => {
  const ends = [...BANDS_LB.filter((end) => end < topLb), topLb];
  return ends.map((toLb, at) => {
    const fromLb = (ends[at - 1] ?? 0) + 1;
    const own = cells.filter(({ weightLb }) => weightLb >= fromLb && weightLb <= toLb);
    const byColumn = columns.map((column) => {
      const inColumn = own.filter((cell) => cell.column === column);
      return inColumn.length === 0 ? null : { cells: inColumn.length, averageHundredths: average(inColumn) };
    });
    return { fromLb, toLb, byColumn };
  });
};

const compareService = (code: string, old: RateTable | undefined, now: RateTable | undefined) => {
  const columns = [...new Set([...(now?.columns ?? []), ...(old?.columns ?? [])])];
  const rows = Math.max(old?.cents.length ?? 0, now?.cents.length ?? 0);
  const cells: Cell[] = [];
  let [added, removed] = [0, 0];
  for (let row = 0; row < rows; row++)
    for (const column of columns) {
      const [before, after] = [centsAt(old, row, column), centsAt(now, row, column)];
      if (before !== null && after !== null) cells.push({ weightLb: row + 1, column, before, after });
      else if (after !== null) added += 1;
      else if (before !== null) removed += 1;
    }
  const different = cells.filter(({ before, after }) => before !== after);
  const [first, ...others] = different;
  const largest =
    first && others.reduce((most, cell) => (Math.abs(ratio(cell)) > Math.abs(ratio(most)) ? cell : most), first);
  return {
    code,
    added,
    removed,
    /** Cells in both tariffs, and those with different rates. */
    ...{ changed: different.length, cells: cells.length },
    averageHundredths: average(cells),
    ...(largest && {
      largest: {
        ...{ weightLb: largest.weightLb, column: largest.column },
        ...{ before: dollarText(largest.before), after: dollarText(largest.after) },
        percent: percentChange(largest.before, largest.after),
      },
    }),
    columns,
    /** By weight band, then by column. Null if the tariffs share no cell. */
    bands: bandsOf(cells, columns, rows),
  };
};
export type ServiceChange = ReturnType<typeof compareService>;

/** The services of both tariffs, in the order of the newer tariff. */
export const summarizeRates = (before: TariffDocument, after: TariffDocument): readonly ServiceChange[] =>
  [...new Set([...Object.keys(after.rates), ...Object.keys(before.rates)])].map((code) =>
    compareService(code, before.rates[code], after.rates[code]),
  );

const percentText = (hundredths: number): string =>
  `${hundredths < 0 ? '-' : hundredths > 0 ? '+' : ''}${dollarText(Math.abs(hundredths))}%`;

const CELL_WIDTH = 10;

const gridLines = ({ columns, bands }: ServiceChange): readonly string[] => {
  const line = (label: string, cells: readonly string[]): string =>
    `    ${label.padEnd(12)}${cells.map((cell) => cell.padStart(CELL_WIDTH)).join('')}`.trimEnd();
  const zones = columns.map((column) => `zone ${column}`);
  const rows = bands.map(({ fromLb, toLb, byColumn }) => {
    const changes = byColumn.map((change) => (change === null ? '·' : percentText(change.averageHundredths)));
    return line(`${fromLb}-${toLb} lb`, changes);
  });
  return [line('weight', zones), ...rows];
};

const serviceLines = (service: ServiceChange): readonly string[] => {
  const { code, added, removed, changed, cells, averageHundredths, largest } = service;
  const counts = [
    ...(cells === 0 ? [] : [`${changed} of ${cells} rates changed, on average by ${percentText(averageHundredths)}`]),
    ...(added === 0 ? [] : [`${added} added`]),
    ...(removed === 0 ? [] : [`${removed} removed`]),
  ].join(', ');
  const lines = [`  ${code}: ${counts}`];
  if (largest !== undefined) {
    const { percent, weightLb, column, before, after } = largest;
    lines.push(`    largest: ${percent} at ${weightLb} lb to zone ${column} (${before} → ${after})`);
  }
  return [...lines, ...(changed === 0 ? [] : gridLines(service))];
};

const countLines = (files: readonly FileCounts[]): readonly string[] =>
  files.map(({ file, ...counts }) => {
    const parts = (['added', 'removed', 'changed'] as const).filter((change) => counts[change] > 0);
    return `  ${file}: ${parts.map((change) => `${counts[change]} ${change}`).join(', ')}`;
  });

export const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines];

const settingLine = ({ change, at, before, after }: Difference): string => {
  const name = at.slice('tariff.json '.length);
  if (change === 'changed') return `  ${name}: ${before} → ${after}`;
  return change === 'added' ? `  ${name}: ${after} (added)` : `  ${name}: ${before} (removed)`;
};

/**
 * The first lines of `rates tariff diff`.
 * @param differences from `diffTariffs`
 */
export const summaryText = (
  before: TariffDocument,
  after: TariffDocument,
  differences: readonly Difference[],
): readonly string[] => {
  const services = summarizeRates(before, after).filter(({ added, removed, changed }) => added + removed + changed > 0);
  const { otherRows, cubic, multiweight, zones, areas, removed, added, settings } = partsOf(before, after, differences);
  return [
    `${before.file.name} from ${before.file.effective} → ${after.file.name} from ${after.file.effective}`,
    ...section('Rates', services.flatMap(serviceLines)),
    ...section('Rates below 1 lb, and per pound', countLines(otherRows)),
    ...section('Cubic prices', countLines(cubic)),
    ...section('Multiweight rates', countLines(multiweight)),
    ...section('Zones (runs of ZIP codes by origin and service)', countLines(zones)),
    ...section('Areas (ZIP codes)', countLines(areas)),
    ...section('Services and surcharges', [
      ...removed.map((name) => `  ${name}: removed`),
      ...added.map((name) => `  ${name}: added`),
    ]),
    ...section('Settings', settings.map(settingLine)),
  ];
};
