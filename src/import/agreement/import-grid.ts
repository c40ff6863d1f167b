/**
 * Reads a discount grid from a spreadsheet or a printed page. Weight bands go down and zones across, or the other way around.
 * Services and kinds of addresses are above or to the left of them, titles above, and notes below. It reads all of a sheet, or
 * names the cells that it could not read.
 */
import { basename } from 'node:path';
import { grouped } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import type { AppliesTo } from '../../catalog/agreement/cells.ts';
import type { DiscountLine } from '../../catalog/agreement/document.ts';
import { beginsWith, COMPOUND, ZIP } from '../../files/file-signatures.ts';
import { bare } from '../../lists/columns/aliases.ts';
import { serviceNames } from '../../lists/columns/service-names.ts';
import type { Billing } from '../../rating/fields.ts';
import { CARRIERS, SERVICE_ORDER } from '../carriers.ts';
import { isPdf } from '../read/pdf.ts';
import { countOf, csvRecords, RefusedFile, separatorOf } from '../read/reader.ts';
import { readWorkbook, type Sheet, WORKBOOK_LIMITS } from '../read/xlsx.ts';
import { bytesOf } from '../source.ts';
import {
  type Band,
  bandText,
  gridRows,
  labelColumn,
  MAX_ROWS,
  tooManyRows,
  unitedZones,
  whatGoesDown,
  zonesText,
} from './grid-cells.ts';
import { type GridKeys, type GridNote, GridReader, type ReadCell } from './grid-reader.ts';

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

/** Names hidden rows that were read. Nobody sees them in the spreadsheet. */
const hiddenIn = ({ name, hidden = [] }: Sheet, cells: readonly ReadCell[]): readonly GridNote[] => {
  const read = new Set(cells.map(({ cell }) => cell.row));
  return hidden
    .filter((row) => read.has(row))
    .map((row) => ({ at: `${name} row ${row}`, says: 'is hidden, but its percentages count', isDoubt: true }));
};

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
  // Below a header that cannot be read, sound cells would seem to repeat others.
  if (reader.unreadable.length === 0) reader.refuseOverlaps();
  const { cells, unreadable } = reader;
  const notes = [...reader.remarks, ...hiddenIn(sheet, cells)];
  return { lines: linesOf(cells, options), tables: tablesOf(cells, options), unreadable, notes };
};

/** Finds a service code by its name in a grid: `UPS Ground`, `Ground`, `UPS-GROUND`. */
export const gridServiceNamer = (services: readonly string[]): ((text: string) => string | undefined) => {
  const codes = new Map(serviceNames(undefined, [...SERVICE_ORDER, ...services]).pairs);
  // Carriers put their own name before service names.
  const before = new Set(
    services.map((code) => CARRIERS.find(({ prefix }) => prefix === code.split('-')[0])?.name ?? ''),
  );
  const short = new Map(services.map((code) => [bare(code.slice(code.indexOf('-') + 1)), code]));
  return (text) => {
    const name = bare(text);
    const known = codes.get(name) ?? [...before].map((carrier) => codes.get(bare(`${carrier} ${text}`))).find(Boolean);
    return known ?? short.get(name);
  };
};

export type MergedDiscounts = ReturnType<typeof mergeDiscounts>;

const isSame = (line: DiscountLine, fresh: GridLine): boolean =>
  line.discount === fresh.discount &&
  line.tier === fresh.tier &&
  line.address === fresh.address &&
  line.billing?.join() === fresh.billing?.join() &&
  line.appliesTo === fresh.appliesTo &&
  (line.services === '*' || fresh.services === '*' || line.services.some((code) => fresh.services.includes(code)));

/** Limits a line to the services that no new line replaces; undefined if there are none. */
const without = (line: DiscountLine, fresh: readonly GridLine[]): DiscountLine | undefined => {
  const own = fresh.filter((one) => isSame(line, one));
  if (own.length === 0 || line.services === '*') return line;
  const services = line.services.filter(
    (code) => !own.some((one) => one.services === '*' || one.services.includes(code)),
  );
  return services.length === 0 ? undefined : { ...line, services };
};

/**
 * Adds the lines of a grid to those of `discounts.csv`.
 * @returns `replaced`: lines with the same discount, service, address, billing and tier, which the new lines replace. `ofAll`:
 * those of them for all services. They cannot be replaced for a single service
 */
export const mergeDiscounts = (before: readonly DiscountLine[], fresh: readonly GridLine[]) => {
  const replaced = before.filter((line) => fresh.some((one) => isSame(line, one)));
  const kept = before.map((line) => without(line, fresh)).filter((line) => line !== undefined);
  return {
    lines: [...kept, ...fresh].map((line, at): DiscountLine => ({ ...line, row: at + 2 })),
    replaced,
    ofAll: replaced.filter(({ services }) => services === '*'),
  };
};

/** Printed grids have a few thousand cells. A CSV is parsed in one turn of the event loop. */
const MAX_FILE_CELLS = 20_000;
const MAX_CSV_BYTES = 128 * 1024;
const UTF_16 = [0xff, 0xfe];

const csvText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder(beginsWith(bytes, UTF_16) ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new RefusedFile('it is not UTF-8: save it as a workbook (XLSX) or as CSV UTF-8', { cause: error });
  }
};

/** Numbers rows as a spreadsheet program does, including empty rows. */
const csvSheet = (name: string, bytes: Uint8Array): Sheet => {
  if (bytes.byteLength > MAX_CSV_BYTES)
    throw new RefusedFile(`it is larger than ${MAX_CSV_BYTES} bytes, so it is not a grid of discounts`);
  const text = csvText(bytes);
  const delimiter = separatorOf(text);
  if (countOf(delimiter, text) > MAX_FILE_CELLS)
    throw new RefusedFile(`it has more than ${MAX_FILE_CELLS} cells, so it is not a grid of discounts`);
  // One extra row shows that there are too many.
  const records = csvRecords(text, { delimiter, trim: true, relax_quotes: true, to: MAX_ROWS + 1 });
  if (records.length > MAX_ROWS) throw tooManyRows();
  return { name, rows: records.map((cells, at) => ({ number: at + 1, cells })) };
};

const sheetsOf = async (path: string): Promise<readonly Sheet[]> => {
  const bytes = await bytesOf(path);
  if (beginsWith(bytes, COMPOUND)) throw new RefusedFile('it is a workbook in the old binary format: save it as XLSX');
  if (isPdf(bytes)) throw new RefusedFile('it is a PDF: copy its grid into a spreadsheet');
  if (!beginsWith(bytes, ZIP)) return [csvSheet(basename(path), bytes)];
  return readWorkbook(bytes, undefined, { ...WORKBOOK_LIMITS, asGrid: true });
};

/**
 * Reads the sheet with the grid.
 * @param wanted the sheet's name; needed if several sheets have cells
 * @throws RefusedFile if the file cannot be read, or if there is not exactly one such sheet
 */
export const readGridSheet = async (path: string, wanted: string | undefined): Promise<Sheet> => {
  const sheets = (await sheetsOf(path)).filter(({ rows }) => rows.length > 0);
  const named =
    wanted === undefined ? sheets : sheets.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const [sheet, other] = named;
  const names = sheets.map(({ name }) => name).join(', ');
  if (sheet === undefined)
    throw new RefusedFile(
      wanted === undefined ? 'it has no cells' : `it has no sheet ${wanted}; its sheets are ${names}`,
    );
  if (other !== undefined) throw new RefusedFile(`it has several sheets (${names}): name the one with the grid`);
  return sheet;
};
