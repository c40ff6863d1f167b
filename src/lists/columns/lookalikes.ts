/**
 * Finds columns that look like a field, by the words of their names and by their cells in the first rows. The service only
 * asks about these columns. It uses one only if the caller chooses it.
 */

import { lazily } from '../../base/lazily.ts';
import { type InSlices, mapInSlices } from '../../base/time-slices.ts';
import { BILLINGS, FIELD_NAMES, type FieldKind, OPTION_NAMES, SIGNATURES, specOf } from '../../rating/fields.ts';
import { weightUnitOf } from '../../rating/quantity.ts';
import { bare, meaningOf } from './aliases.ts';
import { isoDay } from './cell-forms.ts';
import { cellReaders, residentialOf } from './cell-values.ts';
import { cellsIn, quotedName } from './column-choice.ts';
import { type Field, isSize } from './fields.ts';
import { findQuestion, OTHERS, wordsOf } from './name-grammar.ts';

/** Maximum number of cells to look at. A list with many columns shows fewer rows. */
const MOST_CELLS = 10_000;

/** Returns the first rows, within the limit on cells. */
export const rowsShown = <T>(header: readonly string[], rows: readonly T[]): readonly T[] =>
  rows.slice(0, Math.max(1, Math.floor(MOST_CELLS / Math.max(1, header.length))));

/** Longer cells are ignored. */
const LONGEST_CELL = 60;

const READERS = cellReaders({ words: ['countryCode', 'signature', 'billing'], services: [] });

/** Words that only mean a kind of address. `Y` and `0` may mean anything. */
const KINDS = new Set(['residential', 'commercial', 'residence', 'business', 'home', 'nonresidential']);
const isKind = (cell: string): boolean => KINDS.has(bare(cell));
/** Whether a cell is a kind of address, or short for one. Short forms count only if all cells are such. */
const isKindInShort = (cell: string): boolean => isKind(cell) || /^(?:[rchb]|res|comm?)$/i.test(cell);

const regions = lazily(() => new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }));
const isCode = (cell: string): boolean => /^[A-Z]{2}$/.test(cell) && regions().of(cell) !== undefined;
const countryIn = (cell: string): string => READERS.countryCode?.(cell) ?? cell;
const isCountry = (cell: string): boolean => isCode(countryIn(cell));
const isForeign = (cell: string): boolean => isCountry(cell) && countryIn(cell) !== 'US';
/** State codes that are also country codes. */
const STATES = new Set(
  'AL AR AS AZ CA CO DE GA GU ID IL IN KY LA MA MD ME MN MO MP MS MT NC NE PA PR SC SD TN VA VI'.split(' '),
);

const SIGNED = new Set<string>(SIGNATURES);
const signatureIn = (cell: string): string => READERS.signature?.(cell) ?? cell;
const isSigned = (cell: string): boolean => SIGNED.has(signatureIn(cell));

const BILLED = new Set<string>(BILLINGS);
const isBilled = (cell: string): boolean => BILLED.has(READERS.billing?.(cell) ?? cell);

/** Whether a cell says yes or no. `x` counts too. */
const isFlag = (cell: string): boolean => /^(?:[ynxtf01]|yes|no|true|false)$/i.test(cell);

const isAmount = (cell: string): boolean => /^\$?\d[\d,]*(?:\.\d+)?$/.test(cell);

/** Whether a cell has three numbers with any separators. `45/30/20` cannot be read, but is a size. */
const hasThreeNumbers = (cell: string): boolean => cell.match(/\d+(?:\.\d+)?/g)?.length === 3;

const isDate = (cell: string): boolean =>
  /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?!\d)/.test(cell) || /^\d{4}-\d\d-\d\d$/.test(isoDay(cell));
const hasDigit = (cell: string): boolean => /\d/.test(cell);
/** Whether a cell may be a service. Tracking numbers, amounts and dates are not. */
const isService = (cell: string): boolean => cell.replaceAll(/\D/g, '').length < 8 && !/^\W*\d+\.\d/.test(cell);

/** Whether a cell is a carrier and a word: `UPS Ground`. */
const isOfCarrier = (cell: string): boolean =>
  /^(?:UPS|USPS|FedEx|DHL)[ _®-]{1,3}\p{L}/iu.test(cell) && isService(cell);
const isZip = (cell: string): boolean => /^\d{5}(?:-\d{4})?$/.test(cell);

/** Whether a cell is a unit of weight: `kg`, `LB`, `oz`. A single letter may be a size. */
const isMassUnit = (cell: string): boolean => cell.length > 1 && weightUnitOf(cell) !== undefined;

type Test = (cell: string) => boolean;
interface Look {
  /** Whether a cell can be read as the field. */
  readonly reads: Test;
  /** Whether the cells show that a column with such a name is the field. */
  readonly shown?: (cells: readonly string[]) => boolean;
  /** Whether the cells show it under any name. All of them must be readable. */
  readonly plain?: (cells: readonly string[]) => boolean;
}

/** A side. A cell with all sides is not one. */
const SIDE: Look = { reads: (cell) => hasDigit(cell) && !isSize(cell) };

/** Fields whose cells look different from other fields of their kind. */
const LOOKS: Readonly<Partial<Record<Field, Look>>> = {
  warehouse_id: { reads: (cell) => /^\d{1,10}$/.test(cell) },
  postalCode: { reads: hasDigit, plain: (cells) => cells.every(isZip) },
  ...{ length: SIDE, width: SIDE, height: SIDE },
  dimensions: { reads: (cell) => isSize(cell) || hasThreeNumbers(cell), plain: (cells) => cells.every(isSize) },
  weight_units: {
    reads: isMassUnit,
    shown: (cells) => cells.every(isMassUnit),
    plain: (cells) => cells.every(isMassUnit),
  },
  packages: { reads: (cell) => /^\d{1,2}(?:\.0*)?$/.test(cell) },
  residential: {
    reads: (cell) => residentialOf(cell) !== undefined || isFlag(cell) || isKindInShort(cell),
    shown: (cells) => cells.some(isKind) || cells.every(isKindInShort),
    plain: (cells) => cells.every(isKind),
  },
  countryCode: {
    reads: isCountry,
    shown: (cells) => cells.some(isForeign),
    plain: (cells) => cells.some(isForeign) && !cells.every((cell) => STATES.has(cell)),
  },
  signature: {
    reads: (cell) => isSigned(cell) || signatureIn(cell) === '',
    shown: (cells) => cells.some(isSigned),
    plain: (cells) => cells.some(isSigned),
  },
  billing: { reads: isBilled, shown: (cells) => cells.every(isBilled) },
  shippingService: { reads: isService, plain: (cells) => cells.every(isOfCarrier) },
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

/** Fields that are asked about by name alone. No cell can prove the name wrong. */
const UNREFUTED: ReadonlySet<Field> = new Set(OPTION_NAMES);

const PLAIN = FIELD_NAMES.flatMap((field) => {
  const { reads, plain } = lookOf(field);
  return reads === undefined || plain === undefined ? [] : [{ field, reads, plain }];
});

/** A column, and the first rows of its list. */
export interface Seen {
  readonly name: string;
  readonly index: number;
  readonly sample: readonly (readonly string[])[];
}

const isFilled = (cell = ''): boolean => cell !== '' && cell.trim() !== '';

const cellsOf = ({ index, sample }: Seen): readonly string[] =>
  cellsIn(sample, index).filter((cell) => cell.length <= LONGEST_CELL);

const byName = (words: readonly string[], others: readonly string[], seen: Seen): Field | undefined =>
  findQuestion(words, ({ field, despite, evidence }) => {
    if (!others.every((word) => despite.has(word))) return false;
    const { reads, shown } = lookOf(field);
    const cells = cellsOf(seen);
    if (evidence !== 'refuted') {
      const test = evidence === 'shown' ? shown : undefined;
      return cells.length > 0 && reads !== undefined && (test?.(cells) ?? cells.every(reads));
    }
    return cells.length === 0 || reads === undefined || UNREFUTED.has(field) || cells.some(reads);
  })?.field;

/** Returns the field that the cells show, whatever the name is. */
const byCells = (seen: Seen): Field | undefined => {
  const first = seen.sample.find((row) => isFilled(row[seen.index]))?.[seen.index]?.trim() ?? '';
  if (first === '' || first.length > LONGEST_CELL) return undefined;
  // For most columns, this one cell is enough.
  const possible = PLAIN.filter(({ reads }) => reads(first));
  if (possible.length === 0) return undefined;
  const cells = cellsOf(seen);
  return possible.find(({ reads, plain }) => cells.every(reads) && plain(cells))?.field;
};

/** Whether a yes in this column seems to mean a commercial address. */
export const isOpposite = (seen: Seen): boolean =>
  wordsOf(seen.name).some((word) => word === 'commercial' || word === 'business') &&
  meaningOf(seen.name) === undefined &&
  cellsOf(seen).some(isFlag);

/** Returns the field that an unused column seems to mean. */
export const looksLike = (seen: Seen): Field | undefined => {
  const words = wordsOf(seen.name);
  const others = words.filter((word) => OTHERS.has(word));
  return byName(words, others, seen) ?? (others.length > 0 ? undefined : byCells(seen));
};

/** Returns the field that an unused column means or seems to mean. For `Units`, the cells decide. */
export const fieldLike = (seen: Seen): Field | undefined => looksLike(seen) ?? meaningOf(seen.name)?.field;

/** Returns columns that look like a field, for the message that the field is missing. */
export function* lookalikes(header: readonly string[], field: Field, sample: Seen['sample']): InSlices<string[]> {
  const rows = rowsShown(header, sample);
  const names = yield* mapInSlices(header, (name, index) =>
    looksLike({ name, index, sample: rows }) === field && meaningOf(name) === undefined
      ? [quotedName({ name, index })]
      : [],
  );
  return names.flat();
}
