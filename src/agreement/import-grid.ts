/**
 * Reads a grid of discounts as it stands in a spreadsheet or on paper: weight bands down and zones across, or the other way
 * round; rows of services and kinds of addresses above or left of them; titles above, and notes below. It reads all of a sheet,
 * or names the cells that it could not read.
 */
import { must } from '../must.ts';
import { RefusedFile } from '../tariff/import/read/reader.ts';
import type { Sheet } from '../tariff/import/read/xlsx.ts';
import type { AppliesTo, DiscountLine } from './document.ts';
import { grouped } from './findings.ts';
import { type Band, bandText, unitedZones, zonesText } from './grid-cells.ts';
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

const bandOf = ({ said }: ReadCell): Band => said.band ?? { fromLb: 1 };

/** The lines of `discounts.csv`: one for all zones that have one percentage in a band. */
const linesOf = (cells: readonly ReadCell[], options: GridOptions): GridLine[] => {
  const { services, discount, betterOf, appliesTo, tier } = options;
  const grids = grouped(cells, ({ said }) => `${said.service ?? ''} ${said.address ?? 'any'}`);
  return [...grids.values()].flatMap((grid) =>
    [...grouped(grid, (cell) => `${bandText(bandOf(cell))} ${cell.percent}`).values()].map((own): GridLine => {
      const first = must(own[0], 'the first of a group');
      const { service, address = 'any' } = first.said;
      return {
        discount,
        ...(betterOf === undefined ? {} : { betterOf }),
        services: service === undefined ? services : [service],
        zones: unitedZones(own.map(({ said }) => said.zones ?? '*')),
        ...bandOf(first),
        address,
        appliesTo,
        ...(tier === undefined ? {} : { tier }),
        percent: first.percent,
      };
    }),
  );
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

const titleOf = ({ services, address }: GridLine): string =>
  `${services === '*' ? '*' : services.join('|')}, ${address === 'any' ? 'all addresses' : address}`;

/** The lines as grids: for each service and kind of address, weights down and zones across. */
export const gridTables = (lines: readonly GridLine[]): GridTable[] =>
  [...grouped(lines, titleOf)].map(([title, own]) => {
    const zones = [...new Set(own.map((line) => zonesText(line.zones)))];
    const bands = [...new Set(own.map(bandText))];
    const percentAt = (band: string, zone: string): string =>
      own.find((line) => bandText(line) === band && zonesText(line.zones) === zone)?.percent ?? '';
    return {
      title,
      rows: [
        ['lb', ...zones.map((zone) => (zone === '*' ? 'all zones' : `zone ${zone}`))],
        ...bands.map((band) => [band, ...zones.map((zone) => percentAt(band, zone))]),
      ],
    };
  });
