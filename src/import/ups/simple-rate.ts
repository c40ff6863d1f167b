/**
 * UPS Simple Rate: one price per package size, for any weight up to 50 lb and any destination in a table's zones. It is on a
 * separate sheet of the daily rates workbook, with a table for the contiguous states and tables for metro and remote Alaska and
 * Hawaii. Only ground is imported, as the service `UPS-SIMPLE`.
 *
 * Sizes are volumes (UPS's page of Simple Rate): Extra Small up to 100 cubic inches, Small 250, Medium 650, Large 1,050 and Extra
 * Large 1,728. The sheet does not mention surcharges.
 */
import { must } from '../../base/must.ts';
import { cubicLike, RATES } from '../../catalog/tariff/prices.ts';
import { centsInText, type Findings, type ParsedCubic, type ParsedRates } from '../read/reader.ts';
import { cellAddress, plainText, type Sheet, type SheetRow, shownText } from '../read/xlsx.ts';

export const SIMPLE_RATE = 'UPS-SIMPLE';
export const SIMPLE_RATE_LB = 50;

const TITLE = 'ups simple rate';
const SIZES: ReadonlyMap<string, number> = new Map([
  ['extra small', 100],
  ['small', 250],
  ['medium', 650],
  ['large', 1_050],
  ['extra large', 1_728],
]);
/** Excludes no package: UPS's maximum length is 108 inches. */
const LONGEST_IN = 999;

/** Ground zones of each table, by words of its title. */
const TABLES = [
  { words: ['between', 'contiguous'], zones: ['2', '3', '4', '5', '6', '7', '8'] },
  { words: ['metro', 'alaska'], zones: ['44'] },
  { words: ['remote', 'alaska'], zones: ['46'] },
];
const ZONES = TABLES.flatMap(({ zones }) => zones);

const textsOf = ({ cells }: SheetRow): string[] => cells.map((cell) => plainText(cell).toLowerCase());

export const isSimpleRate = ({ rows }: Sheet): boolean => rows.slice(0, 10).some((row) => textsOf(row).includes(TITLE));

interface Found {
  readonly cents: number;
  readonly address: string;
}

/** @returns the cubic prices, and the prices by weight that a tariff also needs: those of the largest size */
export const readSimpleRate = (
  { name, rows }: Sheet,
  findings: Findings,
): { readonly rates: ParsedRates; readonly cubic: ParsedCubic } | undefined => {
  const found = new Map<string, Found>();
  let zones: readonly string[] = [];
  let ground = -1;
  for (const row of rows) {
    const texts = textsOf(row);
    const table = TABLES.find(({ words }) => texts.some((text) => words.every((word) => text.includes(word))));
    if (table !== undefined) [zones, ground] = [table.zones, -1];
    const heading = texts.indexOf('ups ground');
    if (heading !== -1) ground = heading;
    const size = texts.flatMap((text) => SIZES.get(text) ?? [])[0];
    if (size === undefined || ground === -1) continue;
    const cell = row.cells[ground];
    const cents = typeof cell === 'number' ? Math.round(cell * 100) : centsInText(plainText(cell));
    const address = cellAddress(row.number, ground);
    if (cents == null || cents <= 0) findings.refuse(`sheet ${name}, cell ${address}`, shownText(cell), 'not a price');
    else for (const zone of zones) found.set(`${size} ${zone}`, { cents, address });
  }
  const columns = ZONES.filter((zone) => found.has(`1728 ${zone}`));
  if (columns.length === 0) return undefined;
  const sizes = [...SIZES.values()];
  const at = (size: number, zone: string): Found | undefined => found.get(`${size} ${zone}`);
  const place = (size: number, column: number): string =>
    `sheet ${name}, cell ${at(size, must(columns[column], 'a zone'))?.address}`;
  const own = { code: SIMPLE_RATE, carrier: 'UPS' };
  const largest = columns.map((zone) => at(1_728, zone)?.cents ?? null);
  return {
    rates: {
      ...own,
      description: 'UPS Simple Rate',
      onRequest: true,
      table: RATES.tableOf(
        columns,
        Array.from({ length: SIMPLE_RATE_LB }, (_, index) => ({ limit: index + 1, cents: largest })),
      ),
      source: (_, column) => place(1_728, column),
    },
    cubic: {
      ...own,
      table: cubicLike({ inInches: true }).tableOf(
        columns,
        sizes.map((size) => ({ limit: size, cents: columns.map((zone) => at(size, zone)?.cents ?? null) })),
      ),
      terms: { maximumActualLb: SIMPLE_RATE_LB, maximumLengthIn: LONGEST_IN, only: true },
      source: (row, column) => place(must(sizes[row], 'a size'), column),
    },
  };
};
