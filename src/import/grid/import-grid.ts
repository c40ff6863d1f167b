/**
 * Reads a discount grid from a spreadsheet or a printed page. Weight bands go down and zones across, or the other way around.
 * Services and kinds of addresses are above or to the left of them, titles above, and notes below. It reads all of a sheet, or
 * names the cells that it could not read.
 */
import { grouped } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import type { AppliesTo } from '../../catalog/agreement/cells.ts';
import type { DiscountLine } from '../../catalog/agreement/document.ts';
import type { Billing } from '../../rating/fields.ts';
import { RefusedFile } from '../read/reader.ts';
import type { Sheet } from '../read/xlsx.ts';
import { type Band, bandText, unitedZones, zonesText } from './grid-cells.ts';
import { gridRows, labelColumn, whatGoesDown } from './grid-layout.ts';
import { type GridKeys, GridReader, type ReadCell } from './grid-reader.ts';

/** No printed grid is this large. */
const MAX_CELLS = 6_000;

export interface GridOptions extends GridKeys {
  readonly discount: string;
  readonly betterOf?: string;
  readonly appliesTo: AppliesTo;
  readonly billing?: readonly Billing[];
  readonly tier?: string;
}

export type GridLine = Omit<DiscountLine, 'row'>;

export type ParsedGrid = ReturnType<typeof readGrid>;

/** Groups cells by service and kind of address. */
const gridsOf = (cells: readonly ReadCell[]): ReadCell[][] => [
  ...grouped(cells, ({ meaning }) => `${meaning.service ?? ''} ${meaning.address ?? 'any'}`).values(),
];

const bandOf = ({ meaning }: ReadCell): Band => meaning.band ?? { fromLb: 1 };

/** The lines of `discounts.csv`: one for all zones with the same percentage in a band. */
const linesOf = (cells: readonly ReadCell[], options: GridOptions): GridLine[] => {
  const { services, discount, betterOf, appliesTo, billing, tier } = options;
  return gridsOf(cells).flatMap((grid) =>
    [...grouped(grid, (cell) => `${bandText(bandOf(cell))} ${cell.percent}`).values()].map((own): GridLine => {
      const first = must(own[0], 'the first of a group');
      const { service, address = 'any' } = first.meaning;
      return {
        discount,
        ...present({ betterOf }),
        services: service === undefined ? services : [service],
        zones: unitedZones(own.map(({ meaning }) => meaning.zones ?? '*')),
        ...bandOf(first),
        address,
        ...present({ billing }),
        appliesTo,
        ...present({ tier }),
        percent: first.percent,
      };
    }),
  );
};

/** The cells of each service and kind of address, laid out as on paper: weights down and zones across. */
const tablesOf = (cells: readonly ReadCell[], { services }: GridOptions) =>
  gridsOf(cells).map((grid) => {
    const { service, address } = must(grid[0], 'the first of a group').meaning;
    const zoneOf = ({ meaning }: ReadCell): string => zonesText(meaning.zones ?? '*');
    const zones = [...new Set(grid.map(zoneOf))];
    const bands = grouped(grid, (cell) => bandText(bandOf(cell)));
    return {
      title: `${service ?? services.join('|')}, ${address === undefined || address === 'any' ? 'all addresses' : address}`,
      rows: [
        ['lb', ...zones.map((zone) => (zone === '*' ? 'all zones' : `zone ${zone}`))],
        ...[...bands].map(([band, own]) => [
          band,
          ...zones.map((zone) => own.find((cell) => zoneOf(cell) === zone)?.percent ?? ''),
        ]),
      ],
    };
  });

/**
 * @returns what was read. The notes name what was skipped, with its place
 * @throws RefusedFile if the sheet has no grid, or it is unclear whether weights or zones go down
 */
export const readGrid = (sheet: Sheet, options: GridOptions) => {
  const rows = gridRows(sheet);
  const label = labelColumn(rows);
  if (label === undefined)
    throw new RefusedFile(`${sheet.name} has no grid: there is no percentage beside a weight such as 1-5 or a zone`);
  const reader = new GridReader(sheet.name, options, label, whatGoesDown(rows, label));
  for (const row of rows) {
    reader.take(row);
    if (reader.cells.length > MAX_CELLS) throw new RefusedFile(`${sheet.name} has more than ${MAX_CELLS} percentages`);
  }
  reader.refuseOverlaps();
  const { cells, unreadable, notes } = reader;
  return { lines: linesOf(cells, options), tables: tablesOf(cells, options), unreadable, notes };
};
