/**
 * Reads a grid of discounts as it stands in a spreadsheet or on paper: weight bands down and zones across, or the other way
 * round; rows of services and kinds of addresses above or left of them; titles above, and notes below. It reads all of a sheet,
 * or names the cells that it could not read.
 */
import { RefusedFile } from '../tariff/import/read/reader.ts';
import type { Sheet } from '../tariff/import/read/xlsx.ts';
import type { AppliesTo, DiscountLine, Named, ZoneRange } from './document.ts';
import { bandText, unitedZones, zonesText } from './grid-cells.ts';
import { gridRows, labelColumn, whatGoesDown } from './grid-layout.ts';
import { type GridKeys, GridReader, type ReadCell, type UnreadCell } from './grid-reader.ts';

/** More than any grid on paper has. */
const MAX_CELLS = 6_000;

export interface GridOptions extends GridKeys {
  readonly discount: string;
  readonly betterOf?: string;
  readonly appliesTo: AppliesTo;
  readonly tier?: string;
}

export type GridLine = Omit<DiscountLine, 'row'>;

export interface GridReading {
  readonly lines: readonly GridLine[];
  readonly unreadable: readonly UnreadCell[];
  /** What was not taken, with its place. */
  readonly notes: readonly string[];
}

/** The lines of `discounts.csv`: one for all zones that have one percentage in a band. */
const linesOf = (cells: readonly ReadCell[], options: GridOptions): GridLine[] => {
  const { services, discount, betterOf, appliesTo, tier } = options;
  const groups = new Map<string, { readonly cell: ReadCell; readonly zones: Named<ZoneRange>[] }>();
  for (const cell of cells) {
    const { service = '', address = 'any', band = { fromLb: 1 }, zones = '*' } = cell.said;
    const key = [service, address, bandText(band), cell.percent].join('\n');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { cell, zones: [zones] });
    else group.zones.push(zones);
  }
  return [...groups.values()].map(({ cell: { said, percent }, zones }) => ({
    discount,
    ...(betterOf === undefined ? {} : { betterOf }),
    services: said.service === undefined ? services : [said.service],
    zones: unitedZones(zones),
    ...(said.band ?? { fromLb: 1 }),
    address: said.address ?? 'any',
    appliesTo,
    ...(tier === undefined ? {} : { tier }),
    percent,
  }));
};

/** @throws RefusedFile if the sheet has no grid, or one of which it cannot be told what goes down */
export const readGrid = (sheet: Sheet, options: GridOptions): GridReading => {
  const rows = gridRows(sheet);
  const label = labelColumn(rows);
  if (label === undefined)
    throw new RefusedFile(`${sheet.name} has no grid: no percentage stands beside a weight such as 1-5 or a zone`);
  const reader = new GridReader(sheet.name, options, label, whatGoesDown(rows, label));
  for (const row of rows) {
    reader.take(row);
    if (reader.cells.length > MAX_CELLS) throw new RefusedFile(`${sheet.name} has more than ${MAX_CELLS} percentages`);
  }
  reader.refuseOverlaps();
  const { cells, unreadable, notes } = reader;
  return { lines: linesOf(cells, options), unreadable, notes };
};

export interface GridTable {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

/** The lines as grids: for each service and kind of address, weights down and zones across. */
export const gridTables = (lines: readonly GridLine[]): GridTable[] => {
  const titles = new Map<string, GridLine[]>();
  for (const line of lines) {
    const services = line.services === '*' ? '*' : line.services.join('|');
    const title = `${services}, ${line.address === 'any' ? 'all addresses' : line.address}`;
    const own = titles.get(title);
    if (own === undefined) titles.set(title, [line]);
    else own.push(line);
  }
  return [...titles].map(([title, own]) => {
    const zones = [...new Set(own.map((line) => zonesText(line.zones)))];
    const percentAt = (band: string, zone: string): string =>
      own.find((line) => bandText(line) === band && zonesText(line.zones) === zone)?.percent ?? '';
    const bands = [...new Set(own.map(bandText))];
    return {
      title,
      rows: [
        ['lb', ...zones.map((zone) => (zone === '*' ? 'all zones' : `zone ${zone}`))],
        ...bands.map((band) => [band, ...zones.map((zone) => percentAt(band, zone))]),
      ],
    };
  });
};
