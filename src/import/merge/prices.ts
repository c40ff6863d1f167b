/** Merges the prices of a service, and the transit days, from any number of files, in the order given. */
import { byText } from '../../base/by-text.ts';
import { present } from '../../base/present.ts';
import type { TransitRow } from '../../catalog/tariff/document.ts';
import { capped } from '../../catalog/tariff/findings.ts';
import { type Columns, cubicLike, MULTIWEIGHT, PER_LB, type PriceForm, RATES } from '../../catalog/tariff/prices.ts';
import { transitInOrder } from '../../catalog/tariff/transit.ts';
import { dollarText } from '../../rating/quantity.ts';
import { serviceTitle } from '../carriers.ts';
import type { ParsedCubic, ParsedMultiweight, ParsedPrices, ParsedRates, ParsedTransit } from '../read/reader.ts';
import type { ServiceName } from './charged-services.ts';

/** Most contradictions that are listed individually. */
const MAX_NAMED = 20;

export interface FromFile<T> {
  readonly file: string;
  readonly reading: T;
}

/** By number, then by text. */
const inZoneOrder = (a: string, b: string): number => Number.parseInt(a, 10) - Number.parseInt(b, 10) || byText(a, b);

/** Numbered zones come before named ones, so that the order of the files does not matter. */
const columnsOf = (tables: readonly Columns[]): string[] => {
  const columns = [...new Set(tables.flatMap((table) => table.columns))];
  const isNumber = (column: string): boolean => /^\d/.test(column);
  return [...columns.filter(isNumber).sort(inZoneOrder), ...columns.filter((column) => !isNumber(column)).sort()];
};

/**
 * Merges tables. If two files give different prices, keeps the first and notes a contradiction.
 * @param nameOf names a row by its label, for the note of a contradiction
 * @param priced the columns to keep. Default: all
 */
const merged = <T extends Columns>(
  code: string,
  parts: readonly FromFile<ParsedPrices<T>>[],
  form: PriceForm<T>,
  nameOf: (label: string) => string,
  priced?: readonly string[],
) => {
  const limits = new Map<string, number>();
  const kept = new Map<string, { readonly cents: number; readonly where: string }>();
  const contradictions: string[] = [];
  for (const { file, reading } of parts)
    for (const [row, { label, limit, cents }] of form.rowsOf(reading.table).entries()) {
      limits.set(label, limit);
      for (const [at, column] of reading.table.columns.entries()) {
        const price = cents[at] ?? null;
        if (price === null) continue;
        const key = `${label} ${column}`;
        const where = `${file}, ${reading.source(row, at)}`;
        const before = kept.get(key);
        if (before === undefined) kept.set(key, { cents: price, where });
        else if (before.cents !== price)
          contradictions.push(
            `${serviceTitle(code)}${nameOf(label)}, zone ${column}: ${dollarText(before.cents)} in ${before.where}, ${dollarText(price)} in ${where}`,
          );
      }
    }
  const stated = columnsOf(parts.map(({ reading }) => reading.table));
  const columns = stated.filter((column) => priced?.includes(column) ?? true);
  const rows = [...limits]
    .map(([label, limit]) => ({ limit, cents: columns.map((column) => kept.get(`${label} ${column}`)?.cents ?? null) }))
    .sort((a, b) => a.limit - b.limit);
  return {
    table: form.tableOf(
      columns,
      rows.filter(({ limit, cents }) => limit !== Infinity || cents.some((price) => price !== null)),
    ),
    contradictions: [...capped(contradictions, MAX_NAMED, (more) => `and ${more} more cells of ${serviceTitle(code)}`)],
    left: stated.filter((column) => !columns.includes(column)),
  };
};

const weightName = (label: string): string =>
  label === PER_LB ? ', per lb' : label.endsWith('oz') ? `, ${label}` : `, ${label} lb`;

/** Merges one service's tables by weight. */
export const mergeRates = (code: string, parts: readonly FromFile<ParsedRates>[]) =>
  merged(code, parts, RATES, weightName);

/**
 * Merges prices that a service may have in addition to its prices by weight.
 * @param priced the columns of its table by weight. Others are omitted
 * @returns undefined if no file has such prices
 */
const beside = <T extends Columns, P extends ParsedPrices<T> & { readonly terms: object }>(
  code: string,
  all: readonly FromFile<P>[],
  priced: readonly string[],
  form: PriceForm<T>,
  { called, nameOf }: { readonly called: string; readonly nameOf: (label: string) => string },
) => {
  const parts = all.filter(({ reading }) => reading.code === code);
  const [first] = parts;
  if (first === undefined) return undefined;
  const { left, ...rest } = merged(code, parts, form, nameOf, priced);
  const warnings =
    left.length === 0 ? [] : [`${serviceTitle(code)} has ${called}, but no rates, for ${left.join(', ')}: omitted`];
  const terms: P['terms'] = first.reading.terms;
  return { ...rest, terms, warnings, first, parts };
};

export const mergeMultiweight = (
  code: string,
  all: readonly FromFile<ParsedMultiweight>[],
  priced: readonly string[],
) =>
  beside(code, all, priced, MULTIWEIGHT, {
    called: 'multiweight prices',
    nameOf: (label) => ` multiweight, from ${label} lb`,
  });

const termsText = ({ maximumActualLb, maximumLengthIn }: ParsedCubic['terms']): string =>
  `up to ${maximumActualLb} lb and ${maximumLengthIn} in`;

export const mergeCubic = (code: string, all: readonly FromFile<ParsedCubic>[], priced: readonly string[]) => {
  const inInches = all.find(({ reading }) => reading.code === code)?.reading.table.inInches;
  const found = beside(code, all, priced, cubicLike(present({ inInches })), {
    called: 'cubic prices',
    nameOf: (label) => `, up to ${label} cubic ${inInches === true ? 'inches' : 'feet'}`,
  });
  if (found === undefined) return undefined;
  const [terms, before] = [termsText(found.terms), found.first.file];
  const otherTerms = found.parts
    .map(({ file, reading }) => ({ file, other: termsText(reading.terms) }))
    .filter(({ other }) => other !== terms)
    .map(({ file, other }) => `${serviceTitle(code)}, cubic prices: ${terms} in ${before}, ${other} in ${file}`);
  return { ...found, contradictions: [...found.contradictions, ...otherTerms] };
};

/** The unit that a newer file replaces: the days of some services from an origin. */
export const transitKey = ({ rows }: ParsedTransit): string =>
  [...new Set(rows.map(({ service, origin }) => `${service} ${origin}`))].sort().join();

/** Joins rows. If two files give different days for a lane, keeps the first and notes a contradiction. */
export const mergeTransit = (parts: readonly FromFile<ParsedTransit>[]) => {
  const kept = new Map<string, { readonly row: TransitRow; readonly file: string }>();
  const contradictions: string[] = [];
  for (const { file, reading } of parts)
    for (const row of reading.rows) {
      const lane = `${row.service}, origin ${row.origin}, destination ${row.destination}`;
      const before = kept.get(lane);
      if (before === undefined) kept.set(lane, { row, file });
      else if (before.row.days !== row.days)
        contradictions.push(`${lane}: ${before.row.days} days in ${before.file}, ${row.days} in ${file}`);
    }
  return {
    rows: [...kept.values()].map(({ row }) => row),
    contradictions: [...capped(contradictions, MAX_NAMED, (more) => `and ${more} more lanes`)],
  };
};

/** The days of the tariff's services, and a warning for each carrier without rates. */
export const transitFor = (parts: readonly FromFile<ParsedTransit>[], services: readonly ServiceName[]) => {
  const { rows, contradictions } = mergeTransit(parts);
  const codes = new Set(services.map(({ code }) => code));
  const rated = new Set(services.map(({ carrier }) => carrier));
  const without = new Set(parts.map(({ reading }) => reading.carrier).filter((carrier) => !rated.has(carrier)));
  return {
    rows: transitInOrder(rows.filter(({ service }) => codes.has(service))),
    contradictions,
    warnings: [...without].map((name) => `There are transit days of ${name}, but no rates: not used`),
  };
};
