/**
 * Columns that look like a field, by the words of their names and by their cells in the first rows. They are never used without
 * a choice of the caller, only asked about.
 */

import { lazily } from '../../base/lazily.ts';
import { type InSlices, mapInSlices } from '../../base/time-slices.ts';
import { BILLINGS, FIELD_NAMES, type FieldKind, OPTION_NAMES, SIGNATURES, specOf } from '../../rating/fields.ts';
import { weightUnitOf } from '../../rating/unit-names.ts';
import { bare, meaningOf } from './aliases.ts';
import { cellReaders, residentialOf } from './cell-values.ts';
import { quotedName } from './column-choice.ts';
import { type Field, isoDay, isSize } from './fields.ts';
import { findQuestion, OTHERS, wordsOf } from './name-grammar.ts';

/** The cells of a list that are looked at, at most. A list with many columns shows fewer rows. */
const MOST_CELLS = 10_000;

/** The first rows whose cells are looked at. */
export const rowsShown = <T>(header: readonly string[], rows: readonly T[]): readonly T[] =>
  rows.slice(0, Math.max(1, Math.floor(MOST_CELLS / Math.max(1, header.length))));

/** Longer cells show nothing. */
const LONGEST_CELL = 60;

const READERS = cellReaders({ words: ['countryCode', 'signature', 'billing'], services: [] });

/** Words that only a kind of address has; `Y` and `0` may be anything. */
const KINDS = new Set(['residential', 'commercial', 'residence', 'business', 'home', 'nonresidential']);
const isKind = (cell: string): boolean => KINDS.has(bare(cell));
/** Letters that show it only if all cells are such. */
const isKindInShort = (cell: string): boolean => isKind(cell) || /^(?:[rchb]|res|comm?)$/i.test(cell);

const regions = lazily(() => new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }));
const isCode = (cell: string): boolean => /^[A-Z]{2}$/.test(cell) && regions().of(cell) !== undefined;
const countryIn = (cell: string): string => READERS.countryCode?.(cell) ?? cell;
const isCountry = (cell: string): boolean => isCode(countryIn(cell));
const isForeign = (cell: string): boolean => isCountry(cell) && countryIn(cell) !== 'US';
/** The codes of states that are codes of countries too. */
const STATES = new Set(
  'AL AR AS AZ CA CO DE GA GU ID IL IN KY LA MA MD ME MN MO MP MS MT NC NE PA PR SC SD TN VA VI'.split(' '),
);

const SIGNED = new Set<string>(SIGNATURES);
const signatureIn = (cell: string): string => READERS.signature?.(cell) ?? cell;
const isSigned = (cell: string): boolean => SIGNED.has(signatureIn(cell));

const BILLED = new Set<string>(BILLINGS);
const isBilled = (cell: string): boolean => BILLED.has(READERS.billing?.(cell) ?? cell);

/** Whether a cell says yes or no, if only by a cross. */
const isFlag = (cell: string): boolean => /^(?:[ynxtf01]|yes|no|true|false)$/i.test(cell);

const isAmount = (cell: string): boolean => /^\$?\d[\d,]*(?:\.\d+)?$/.test(cell);

/** A size between any signs: `45/30/20` cannot be read, but is one. */
const hasThreeNumbers = (cell: string): boolean => cell.match(/\d+(?:\.\d+)?/g)?.length === 3;

const isDate = (cell: string): boolean =>
  /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?!\d)/.test(cell) || /^\d{4}-\d\d-\d\d$/.test(isoDay(cell));
const hasDigit = (cell: string): boolean => /\d/.test(cell);
/** A tracking number, an amount or a date is no service. */
const isService = (cell: string): boolean => cell.replaceAll(/\D/g, '').length < 8 && !/^\W*\d+\.\d/.test(cell);

/** `UPS Ground`: a carrier and a word. */
const isOfCarrier = (cell: string): boolean =>
  /^(?:UPS|USPS|FedEx|DHL)[ _®-]{1,3}\p{L}/iu.test(cell) && isService(cell);
const isZip = (cell: string): boolean => /^\d{5}(?:-\d{4})?$/.test(cell);

/** `kg`, `LB`, `oz`. A letter alone may be a size. */
const isMassUnit = (cell: string): boolean => cell.length > 1 && weightUnitOf(cell) !== undefined;

type Test = (cell: string) => boolean;
const all =
  (test: Test) =>
  (cells: readonly string[]): boolean =>
    cells.every(test);
const some =
  (test: Test) =>
  (cells: readonly string[]): boolean =>
    cells.some(test);

interface Look {
  /** Whether a cell can be read as the field. */
  readonly reads: Test;
  /** Whether the cells show that a column with such a name is the field. */
  readonly shown?: (cells: readonly string[]) => boolean;
  /** Whether they show it under any name. All of them must be readable. */
  readonly plain?: (cells: readonly string[]) => boolean;
}

/** Fields whose cells do not look as those of their kind. */
const LOOKS: Readonly<Partial<Record<Field, Look>>> = {
  warehouse_id: { reads: (cell) => /^\d{1,10}$/.test(cell) },
  postalCode: { reads: hasDigit, plain: all(isZip) },
  dimensions: { reads: (cell) => isSize(cell) || hasThreeNumbers(cell), plain: all(isSize) },
  weight_units: { reads: isMassUnit, shown: all(isMassUnit), plain: all(isMassUnit) },
  packages: { reads: (cell) => /^\d{1,2}(?:\.0*)?$/.test(cell) },
  residential: {
    reads: (cell) => residentialOf(cell) !== undefined || isFlag(cell) || isKindInShort(cell),
    shown: (cells) => cells.some(isKind) || cells.every(isKindInShort),
    plain: all(isKind),
  },
  countryCode: {
    reads: isCountry,
    shown: some(isForeign),
    plain: (cells) => cells.some(isForeign) && !cells.every((cell) => STATES.has(cell)),
  },
  signature: {
    reads: (cell) => isSigned(cell) || signatureIn(cell) === '',
    shown: some(isSigned),
    plain: some(isSigned),
  },
  billing: { reads: isBilled, shown: all(isBilled) },
  shippingService: { reads: isService, plain: all(isOfCarrier) },
};

const LOOKS_OF_KIND: Readonly<Partial<Record<FieldKind, Look>>> = {
  number: { reads: hasDigit },
  dollars: {
    reads: isAmount,
    shown: (cells) => cells.every(isAmount) && cells.some((cell) => /[1-9]/.test(cell)),
  },
  flag: { reads: isFlag },
  date: { reads: isDate },
};

const lookOf = (field: Field): Partial<Look> => LOOKS[field] ?? LOOKS_OF_KIND[specOf(field).kind] ?? {};

/** Names that ask without cells, and that no cell can show to be wrong. */
const UNREFUTED: ReadonlySet<Field> = new Set(OPTION_NAMES);

const PLAIN = FIELD_NAMES.flatMap((field) => {
  const { reads, plain } = lookOf(field);
  return reads === undefined || plain === undefined ? [] : [{ field, reads, plain }];
});

/** A column of a list with the first rows. */
export interface Seen {
  readonly name: string;
  readonly index: number;
  readonly sample: readonly (readonly string[])[];
}

const isFilled = (cell = ''): boolean => cell !== '' && cell.trim() !== '';

const cellsOf = ({ index, sample }: Seen): readonly string[] =>
  sample.map((row) => row[index]?.trim() ?? '').filter((cell) => cell !== '' && cell.length <= LONGEST_CELL);

const byName = (words: readonly string[], others: readonly string[], seen: Seen): Field | undefined =>
  findQuestion(words, ({ field, despite, evidence }) => {
    if (!others.every((word) => despite.has(word))) return false;
    const { reads, shown } = lookOf(field);
    const cells = cellsOf(seen);
    if (evidence !== 'refuted') {
      const test = evidence === 'shown' ? shown : undefined;
      return cells.length > 0 && reads !== undefined && (test ?? all(reads))(cells);
    }
    return cells.length === 0 || reads === undefined || UNREFUTED.has(field) || cells.some(reads);
  })?.field;

/** What the cells show, whatever the name is. */
const byCells = (seen: Seen): Field | undefined => {
  const first = seen.sample.find((row) => isFilled(row[seen.index]))?.[seen.index]?.trim() ?? '';
  if (first === '' || first.length > LONGEST_CELL) return undefined;
  // Most columns end here, with one cell.
  const possible = PLAIN.filter(({ reads }) => reads(first));
  if (possible.length === 0) return undefined;
  const cells = cellsOf(seen);
  return possible.find(({ reads, plain }) => cells.every(reads) && plain(cells))?.field;
};

/** Whether the yes of a column seems to mean a commercial address. */
export const isOpposite = (seen: Seen): boolean =>
  wordsOf(seen.name).some((word) => word === 'commercial' || word === 'business') &&
  meaningOf(seen.name) === undefined &&
  cellsOf(seen).some(isFlag);

/** What an unused column seems to mean. */
export const looksLike = (seen: Seen): Field | undefined => {
  const words = wordsOf(seen.name);
  const others = words.filter((word) => OTHERS.has(word));
  return byName(words, others, seen) ?? (others.length > 0 ? undefined : byCells(seen));
};

/** The field that an unused column seems to mean, or means. `Units` may be either: its cells decide. */
export const fieldLike = (seen: Seen): Field | undefined => looksLike(seen) ?? meaningOf(seen.name)?.field;

/** Columns that seem to be a field, for the message that the field is missing. */
export function* lookalikes(header: readonly string[], field: Field, sample: Seen['sample']): InSlices<string[]> {
  const rows = rowsShown(header, sample);
  const names = yield* mapInSlices(header, (name, index) =>
    looksLike({ name, index, sample: rows }) === field && meaningOf(name) === undefined
      ? [quotedName({ name, index })]
      : [],
  );
  return names.flat();
}
