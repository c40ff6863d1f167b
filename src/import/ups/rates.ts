/**
 * UPS daily rates. Each service has a sheet with its title and one table in pages. A page begins with a row `Zones`. `Letter`
 * follows and is omitted, because it is not a package. Then come the pounds. The last page has `Price Per Pound`, for dimensional
 * weights above the last row. The notes name skipped sheets for other services and countries.
 *
 * Ground has one table for commercial and residential addresses. The workbook does not state the residential surcharge.
 */
import { getOrMake } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import type { RateTable } from '../../catalog/tariff/document.ts';
import { cubicLike, RATES } from '../../catalog/tariff/prices.ts';
import {
  centsInText,
  Findings,
  NO_TABLES,
  type ParsedCubic,
  type ParsedFile,
  type ParsedRates,
} from '../read/reader.ts';
import { type Cell, cellAddress, isBlank, plainText, type Sheet, type SheetRow, shownText } from '../read/xlsx.ts';
import { SIMPLE_RATE, SIMPLE_RATE_LB, spelled, UPS_SERVICES } from './zones.ts';

/** Cubic inches per pound. The workbook states no factors, but each page's footer says whether rates are retail. */
const DIMENSIONAL_FACTORS = { daily: 139, retail: 166 };
const RETAIL = /^retail rates$/i;
const HEADER = /^zones?$/i;
const ABROAD = /^(?:export|import)$/i;
const WEIGHT = /^(\d{1,4})(?: ?(?:lbs?\.?|pounds?))?$/i;
const PER_POUND = /^price per (?:pound|lb\.?)$/i;
const NOT_A_PACKAGE = /^(?:letter|envelope|pak)\b/i;
const YEAR = /^(20\d\d) rates$/i;
const PER_LB_ROW = 'per lb';
/** Pounds, or the row of prices per pound. */
type Weight = number | typeof PER_LB_ROW;
const weightText = (weight: Weight): string => (typeof weight === 'number' ? `${weight} lb` : weight);

/** The lines above a sheet's first row of zones; undefined if it has no zones. */
const titlesOf = ({ rows }: Sheet): string[] | undefined => {
  const titles: string[] = [];
  for (const { cells } of rows) {
    const texts = cells.map(plainText).filter((text) => text !== '');
    if (texts.some((text) => HEADER.test(text))) return titles;
    titles.push(...texts);
  }
  return undefined;
};

const serviceOf = (sheet: Sheet): (typeof UPS_SERVICES)[number] | undefined => {
  const titles = titlesOf(sheet) ?? [];
  if (titles.some((text) => ABROAD.test(text))) return undefined;
  const bare = titles
    .map((text) =>
      text
        .replace(/[()–—-]+/g, ' ')
        .replace(/ +/g, ' ')
        .trim(),
    )
    .map(spelled);
  return UPS_SERVICES.find(({ name, added = '' }) =>
    [name, name + added].some((title) => bare.includes(spelled(`UPS ${title}`))),
  );
};

/** Whether a sheet is a rate table of one of the services. */
export const isUpsRates = (sheet: Sheet): boolean => serviceOf(sheet) !== undefined;

/** A table on a page that may have several side by side: the sheet columns of its labels and of each zone. */
interface Block {
  readonly labels: number;
  readonly zones: readonly { readonly zone: string; readonly column: number }[];
}

interface Found {
  readonly cents: number | null;
  readonly address: string;
}

interface SheetTable {
  readonly zones: string[];
  /** By weight, then by zone. */
  readonly found: Map<Weight, Map<string, Found>>;
  readonly findings: Findings;
  hasLetters: boolean;
}

const blocksOf = ({ number, cells }: SheetRow, sheet: string, table: SheetTable): Block[] =>
  cells.flatMap((cell, labels): Block[] => {
    if (!HEADER.test(plainText(cell))) return [];
    const zones: { zone: string; column: number }[] = [];
    for (let column = labels + 1; column < cells.length; column++) {
      const label = cells[column];
      if (isBlank(label) || HEADER.test(plainText(label))) break;
      const zone = shownText(label).trim().replace(/^0+/, '');
      if (/^\d{1,3}$/.test(zone)) zones.push({ zone, column });
      else table.findings.refuse(`sheet ${sheet}, cell ${cellAddress(number, column)}`, shownText(label), 'not a zone');
    }
    for (const { zone } of zones) if (!table.zones.includes(zone)) table.zones.push(zone);
    return [{ labels, zones }];
  });

/** Like `centsInText`, for a cell that may contain a number. */
const centsIn = (cell: Cell | undefined): number | null | undefined => {
  if (typeof cell === 'string') return centsInText(plainText(cell));
  if (typeof cell !== 'number' || cell <= 0 || cell >= 1_000_000) return undefined;
  const cents = Math.round(cell * 100);
  // A spreadsheet may store 12.20 as 12.200000000000001. 12.205 is not a price in whole cents.
  return Math.abs(cell * 100 - cents) < 1e-6 ? cents : undefined;
};

const weightOf = (label: Cell | undefined): Weight | undefined => {
  if (typeof label === 'number') return Number.isInteger(label) && label >= 1 && label <= 9_999 ? label : undefined;
  const text = plainText(label);
  if (PER_POUND.test(text)) return PER_LB_ROW;
  const pounds = Number(WEIGHT.exec(text)?.[1] ?? 0);
  return pounds > 0 ? pounds : undefined;
};

const readCell = (table: SheetTable, sheet: string, row: SheetRow, weight: Weight, zone: string, at: number) => {
  const cell = row.cells[at];
  const address = cellAddress(row.number, at);
  const cents = centsIn(cell);
  const place = `sheet ${sheet}, cell ${address} (row ${weightText(weight)}, column ${zone})`;
  const refuse = (problem: string) => table.findings.refuse(place, shownText(cell), problem);
  const before = table.found.get(weight)?.get(zone);
  if (cents === undefined) refuse(isBlank(cell) ? 'empty' : 'not a price in whole cents');
  else if (before !== undefined && before.cents !== cents)
    refuse(`differs from the price in cell ${before.address} for the same weight and zone`);
  else getOrMake(table.found, weight, () => new Map<string, Found>()).set(zone, { cents, address });
};

const readRow = (table: SheetTable, sheet: string, row: SheetRow, { labels, zones }: Block): void => {
  const label = row.cells[labels];
  const filled = zones.filter(({ column }) => !isBlank(row.cells[column]));
  if (filled.length === 0) return;
  if (NOT_A_PACKAGE.test(plainText(label))) {
    table.hasLetters = true;
    return;
  }
  const weight = weightOf(label);
  // Titles and footers may extend into the zone columns, but never contain a number there.
  const number = filled.find(({ column }) => centsIn(row.cells[column]) != null);
  if (weight !== undefined) for (const { zone, column } of zones) readCell(table, sheet, row, weight, zone, column);
  else if (number !== undefined)
    table.findings.refuse(
      `sheet ${sheet}, cell ${cellAddress(row.number, labels)}`,
      shownText(label),
      `neither a weight nor a price per pound, but ${cellAddress(row.number, number.column)} has a price`,
    );
};

const readSheet = ({ name, rows }: Sheet, findings: Findings): SheetTable => {
  const table: SheetTable = { zones: [], found: new Map(), findings, hasLetters: false };
  let blocks: readonly Block[] = [];
  for (const row of rows) {
    if (row.cells.some((cell) => HEADER.test(plainText(cell)))) blocks = blocksOf(row, name, table);
    else for (const block of blocks) readRow(table, name, row, block);
  }
  return table;
};

const rateTableOf = (table: SheetTable, sheet: string): RateTable => {
  const topLb = Math.max(0, ...[...table.found.keys()].filter((key) => typeof key === 'number'));
  const cells = (key: Weight): (number | null)[] =>
    table.zones.map((zone) => table.found.get(key)?.get(zone)?.cents ?? null);
  const cents: (number | null)[][] = [];
  for (let pounds = 1; pounds <= topLb; pounds++) {
    if (!table.found.has(pounds)) table.findings.refuse(`sheet ${sheet}, row ${pounds} lb`, '', 'the row is missing');
    cents.push(cells(pounds));
  }
  return {
    columns: table.zones,
    cents,
    ...(table.found.has(PER_LB_ROW) && { centsPerLbAboveTop: cells(PER_LB_ROW) }),
  };
};

const factorOf = ({ rows }: Sheet): number => {
  const isRetail = rows.some(({ cells }) => cells.some((cell) => RETAIL.test(plainText(cell))));
  return isRetail ? DIMENSIONAL_FACTORS.retail : DIMENSIONAL_FACTORS.daily;
};

/** The year above the tables; undefined if there is none, or more than one. */
const yearOf = (sheets: readonly Sheet[]): string | undefined => {
  const texts = sheets.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells.map(plainText)));
  const [year, ...others] = new Set(texts.flatMap((text) => YEAR.exec(text)?.[1] ?? []));
  return others.length > 0 ? undefined : year;
};

const SIMPLE_NOTE =
  'UPS Simple Rate by Ground is imported only on request, as UPS-SIMPLE. Zone 44 has the prices for metro Alaska and Hawaii, and zone 46 those for remote Alaska and Hawaii';

/** Reads the sheets of the seven domestic services and the Simple Rate sheet. */
export const readUpsRates = (sheets: readonly Sheet[]): ParsedFile => {
  const rates: ParsedRates[] = [];
  const cubic: ParsedCubic[] = [];
  const findings = new Findings();
  const { notes } = findings;
  const skipped: string[] = [];
  const withLetters: string[] = [];
  for (const sheet of sheets) {
    const simple = isSimpleRate(sheet) ? readSimpleRate(sheet, findings) : undefined;
    if (simple !== undefined) {
      rates.push(simple.rates);
      cubic.push(simple.cubic);
      notes.push(SIMPLE_NOTE);
      continue;
    }
    const service = serviceOf(sheet);
    if (service === undefined) {
      skipped.push(sheet.name.trim());
      continue;
    }
    const { code, name } = service;
    const found = readSheet(sheet, findings);
    const table = rateTableOf(found, sheet.name);
    if (table.cents.length === 0) findings.refuse(`sheet ${sheet.name}`, '', 'no row with a weight');
    if (found.hasLetters) withLetters.push(code);
    const source = (row: number, column: number): string => {
      const key = row < table.cents.length ? row + 1 : PER_LB_ROW;
      const zone = must(table.columns[column], 'a zone');
      const address = found.found.get(key)?.get(zone)?.address;
      const cell = address === undefined ? '' : `cell ${address}, `;
      return `sheet ${sheet.name}, ${cell}row ${weightText(key)}, column ${zone}`;
    };
    const dimensionalFactor = factorOf(sheet);
    rates.push({ code, carrier: 'UPS', description: `UPS ${name}`, dimensionalFactor, table, source });
  }
  if (withLetters.length > 0)
    notes.push(`Letter rates are not package rates and are omitted: ${withLetters.join(', ')}`);
  if (rates.some(({ code }) => code === 'UPS-GROUND'))
    notes.push('Ground has one table; the workbook does not state the surcharge for residential delivery');
  if (skipped.length > 0) notes.push(`Sheets without domestic package rates, skipped: ${skipped.join('; ')}`);
  const year = yearOf(sheets.filter(isUpsRates));
  return { kind: 'UPS daily rates (XLSX)', ...NO_TABLES, rates, cubic, ...present({ year }), ...findings };
};

/*
 * UPS Simple Rate: one price per package size, for any weight up to 50 lb and any destination in a table's zones. It is on a
 * separate sheet of the daily rates workbook, with a table for the contiguous states and tables for metro and remote Alaska and
 * Hawaii. Only ground is imported, as the service `UPS-SIMPLE`.
 *
 * Sizes are volumes (UPS's page of Simple Rate): Extra Small up to 100 cubic inches, Small 250, Medium 650, Large 1,050 and Extra
 * Large 1,728. The sheet does not mention surcharges.
 */

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

const isSimpleRate = ({ rows }: Sheet): boolean => rows.slice(0, 10).some((row) => textsOf(row).includes(TITLE));

interface SizePrice {
  readonly cents: number;
  readonly address: string;
}

/** @returns the cubic prices, and the prices by weight that a tariff also needs: those of the largest size */
const readSimpleRate = (
  { name, rows }: Sheet,
  findings: Findings,
): { readonly rates: ParsedRates; readonly cubic: ParsedCubic } | undefined => {
  const found = new Map<string, SizePrice>();
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
  const at = (size: number, zone: string): SizePrice | undefined => found.get(`${size} ${zone}`);
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
