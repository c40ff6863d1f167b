/**
 * FedEx list rates: one rate table per service from the cells of all pages. No gap goes unreported: every pound from 1 to the top
 * in every zone has a rate, a mark for no rate, or an entry in `unreadable`.
 */
import { grouped } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import { chargeEntry } from '../../catalog/tariff/charge-catalog.ts';
import { cellCents } from '../../catalog/tariff/document.ts';
import { DIMENSIONAL_FACTOR } from '../read/carrier.ts';
import type { PdfPage } from '../read/pdf.ts';
import {
  Findings,
  NO_TABLES,
  type ParsedCharge,
  type ParsedFile,
  type ParsedMultiweight,
  type ParsedRates,
} from '../read/reader.ts';
import { centsOf, dateAfter, plainWords, textOf, titleOf } from './layout.ts';
import {
  isExpressTitle,
  isGroundTitle,
  isMultiweightTitle,
  type RateCell,
  readMultiweights,
  readRatePage,
} from './rate-page.ts';
import { byFedexOrder, FEDEX_GROUND_SERVICES, fedexDescription } from './services.ts';

const MONEY = /^(?:\d{1,3}(?:,\d{3})+|\d+)\.\d\d$/;
/** This many blank cells at the end of a column mean no service. Fewer may be a reading error. */
const MIN_BLANK_TAIL = 5;
const NO_RATE = /^(?:\*+|-+|N\/?A)$/i;

const titled = (page: PdfPage): string => titleOf(plainWords(page.words));

export const isListRates = (pages: readonly PdfPage[]): boolean =>
  pages.some((page) => {
    const title = titled(page);
    return isExpressTitle(title) || isGroundTitle(title) || isMultiweightTitle(title);
  });

const placeOf = ({ page, pounds, column, zone }: RateCell): string =>
  `page ${page}, row ${pounds} lb, column ${column}${column.startsWith('zone ') ? '' : `, zone ${zone}`}`;

/** Reads one zone of one service, from 1 lb to the top. */
const readColumn = (name: string, zone: string, top: number, cells: readonly RateCell[], found: Findings) => {
  const read = new Array<RateCell | undefined>(top).fill(undefined);
  const cents = new Array<number | null>(top).fill(null);
  const refuse = (cell: RateCell, problem: string) => found.refuse(placeOf(cell), cell.text, problem);
  for (const cell of cells) {
    const before = read[cell.pounds - 1];
    if (before === undefined) read[cell.pounds - 1] = cell;
    else if (before.text !== cell.text)
      refuse(cell, `contradicts ${placeOf(before)}, which has ${before.text === '' ? 'nothing' : before.text}`);
  }
  let last = top;
  while (last > 0 && read[last - 1]?.text === '') last -= 1;
  if (top - last < MIN_BLANK_TAIL) last = top;
  if (last < top) found.notes.push(`${name}, zone ${zone}: the cells above ${last} lb are blank, read as no service`);
  for (let row = 0; row < last; row += 1) {
    const cell = read[row];
    const place = `${name}, row ${row + 1} lb, column zone ${zone}`;
    if (cell === undefined) found.refuse(place, '', 'is not in the file');
    else if (MONEY.test(cell.text)) cents[row] = centsOf(cell.text);
    else if (NO_RATE.test(cell.text)) found.notes.push(`${placeOf(cell)}: ${cell.text} is read as no rate`);
    else refuse(cell, cell.text === '' ? 'is blank' : 'is not an amount');
  }
  return { cents, cells: read };
};

/**
 * The price per pound above the top row of a ground service: the top rate divided by its weight, as the tables' footnote says.
 * Express services have none. A package billed at more than 150 lb is freight and has freight rates (FedEx Service Guide 2026,
 * Definitions: Freight, Package). Express multiweight prices are for shipments of several packages.
 */
const perPoundAbove = (cents: readonly (number | null)[]): number | null => {
  const rate = cents.at(-1) ?? null;
  return rate === null ? null : Math.round(rate / cents.length);
};

const readService = (code: string, cells: readonly RateCell[], prorated: boolean, found: Findings): ParsedRates => {
  const description = fedexDescription(code);
  const byZone = [...grouped(cells, ({ zone }) => zone)].sort(([a], [b]) => Number(a) - Number(b));
  const top = cells.reduce((most, { pounds }) => Math.max(most, pounds), 0);
  const columns = byZone.map(([zone, own]) => readColumn(description, zone, top, own, found));
  const above = columns.map(({ cents }) => (prorated ? perPoundAbove(cents) : null));
  const table = {
    columns: byZone.map(([zone]) => zone),
    cents: Array.from({ length: top }, (_, row) => columns.map(({ cents }) => cents[row] ?? null)),
    ...(above.some((rate) => rate !== null) ? { centsPerLbAboveTop: above } : {}),
  };
  const source = (row: number, column: number): string => {
    const cell = columns[column]?.cells[Math.min(row, top - 1)];
    if (cell === undefined) return 'no cell';
    return row < top ? placeOf(cell) : `${placeOf(cell)}, prorated`;
  };
  return { code, carrier: 'FedEx', description, dimensionalFactor: DIMENSIONAL_FACTOR, table, source };
};

/** Removes zones that the service does not serve. Services share a multiweight table, but not all of them serve its zones. */
const onlyServed = (read: ParsedMultiweight, served: readonly string[], notes: string[]): ParsedMultiweight => {
  const kept = read.table.columns.flatMap((zone, column) => (served.includes(zone) ? [column] : []));
  if (kept.length === read.table.columns.length) return read;
  const left = read.table.columns.filter((zone) => !served.includes(zone));
  notes.push(`${fedexDescription(read.code)}: multiweight for zone ${left.join(', ')}, where it has no rates`);
  return {
    ...read,
    table: {
      columns: kept.map((column) => must(read.table.columns[column], 'a multiweight column')),
      breaks: read.table.breaks.map(({ fromLb, centsPerLb }) => ({
        fromLb,
        centsPerLb: kept.map((column) => cellCents(centsPerLb, column)),
      })),
    },
    source: (row, column) => read.source(row, must(kept[column], 'a multiweight column')),
  };
};

/** A sentence next to the ground tables states Home Delivery's residential charge. FedEx's fee documents state it too. */
const homeDeliveryCharge = (texts: readonly GroundText[], effective: string | undefined): ParsedCharge[] => {
  const words = ' residential surcharge per package will be added to FedEx Home Delivery';
  const found = texts.flatMap(({ page, text }) => {
    const usd = text.includes(words) ? /A \$ ?(\d+\.\d\d)$/.exec(text.split(words)[0] ?? '')?.[1] : undefined;
    return usd === undefined ? [] : [{ page, usd }];
  });
  const [first] = found;
  if (first === undefined || found.some(({ usd }) => usd !== first.usd)) return [];
  return [
    {
      carrier: 'FedEx',
      services: ['FDX-HOME'],
      at: `page ${first.page}`,
      entry: {
        ...chargeEntry('RESIDENTIAL'),
        amount: { per: 'package', usd: first.usd },
        ...present({ from: effective }),
      },
    },
  ];
};

/** The text of a page of ground rates. The file's order keeps sentences together across lines. */
const groundText = ({ number, words }: PdfPage) => ({ page: number, text: words.map(({ text }) => text).join(' ') });
type GroundText = ReturnType<typeof groundText>;

/** Reads the package rates within the United States from FedEx list rates. Skips other pages. */
export const readListRates = (pages: readonly PdfPage[]): ParsedFile => {
  const found = new Findings();
  const cells: RateCell[] = [];
  const groundTexts: GroundText[] = [];
  const skipped: number[] = [];
  for (const page of pages) {
    const read = readRatePage(page, found);
    if (read !== undefined) {
      cells.push(...read);
      if (isGroundTitle(titled(page))) groundTexts.push(groundText(page));
    } else if (!isMultiweightTitle(titled(page))) skipped.push(page.number);
  }
  const multiweight = readMultiweights(pages, found);
  const prorates = groundTexts.some(({ text }) => /exceeds? \d{1,4} lbs?\., a prorated /.test(text));
  const byCode = [...grouped(cells, ({ code }) => code)].sort(([a], [b]) => byFedexOrder(a, b));
  const rates = byCode.map(([code, own]) =>
    readService(code, own, prorates && FEDEX_GROUND_SERVICES.includes(code), found),
  );
  const served = new Map(rates.map(({ code, table }) => [code, table.columns]));
  const tables = multiweight.map((table) => onlyServed(table, served.get(table.code) ?? [], found.notes));
  const cover = textOf(pages[0]?.words ?? []);
  const effective = dateAfter('Effective', cover);
  const updated = dateAfter('Updated', cover);
  return {
    kind: 'FedEx list rates (PDF)',
    ...NO_TABLES,
    rates,
    multiweight: tables,
    charges: homeDeliveryCharge(groundTexts, effective),
    ...present({ effective }),
    unreadable: found.unreadable,
    notes: [
      ...(updated === undefined ? [] : [`the file was updated on ${updated}`]),
      ...found.notes,
      ...(pages.some(hasEnvelopes) ? [ENVELOPES] : []),
      ...(prorates ? ['above the top row, ground rates are prorated per pound and rounded to the cent'] : []),
      ...(skipped.length === 0 ? [] : [`pages without package rates within the United States: ${rangesOf(skipped)}`]),
    ],
  };
};

const ENVELOPES =
  'FedEx Envelope and FedEx Pak rows are skipped: an envelope is not a package, and a pak is priced by its weight';

const hasEnvelopes = (page: PdfPage): boolean =>
  isExpressTitle(titled(page)) && page.words.some(({ text }) => text === 'Envelope');

const rangesOf = (numbers: readonly number[]): string => {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
};
