/** The rows of the outputs that are joined: where they have their columns, and what a join reads of them. */
import { cellOf, decodeText, encodeText, textOf } from '../csv/cell.ts';
import type { ScannedRow } from '../csv/scanner.ts';
import { must } from '../must.ts';
import type { Columns } from '../rows/columns.ts';
import { normal } from '../rows/fields.ts';
import { type OutputColumn, placeOf } from '../rows/output-columns.ts';
import { restoreFormula } from '../rows/row.ts';
import { type InSlices, mapInSlices } from '../time-slices.ts';
import type { JoinedRow } from './join-sums.ts';

/** Where a list's output has its key and its results. */
export interface OutputPlaces {
  readonly key: number;
  /** The column `input_row`. The others follow it in the order of the format. */
  readonly results: number;
}

/** The names that the key may have: the list's own columns that its output passes through. */
export const keyNames = ({ header, passed }: Columns): readonly string[] =>
  passed.map((index) => must(header[index], 'a column of the header'));

/** @returns undefined if the list has no such column. Names match without regard to case, spaces, `_` and `-` */
export function* outputPlaces(columns: Columns, key: string): InSlices<OutputPlaces | undefined> {
  const at = (yield* mapInSlices(keyNames(columns), normal)).indexOf(normal(key));
  if (at === -1) return undefined;
  return { key: at, results: columns.passed.length };
}

/** FNV-1a of a text, as a whole number of 32 bits. */
export const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

/** Dollars with two decimals, as our own output has them, in cents. */
const centsOf = (dollars: string): number => Number(dollars.replace('.', ''));

const APOSTROPHE = 39;

/** The key of a row, as its list had it: the output of one list may have defused formulas that the other's kept. */
export const keyOf = (text: string, row: ScannedRow, { key }: OutputPlaces): string => {
  const cell = cellOf(text, row, key).trim();
  return cell.charCodeAt(0) === APOSTROPHE ? encodeText(restoreFormula(decodeText(cell))) : cell;
};

/** A copy that does not keep the text in memory that it was cut from. */
const copied = (text: string): string => textOf(Buffer.from(text, 'latin1'));

/** @param known what many rows have, such as the codes of services: each is kept once */
export const readJoined = (
  text: string,
  row: ScannedRow,
  key: string,
  places: OutputPlaces,
  known: Map<string, string>,
): JoinedRow => {
  const cell = (name: OutputColumn): string => cellOf(text, row, places.results + placeOf(name));
  const shared = (name: OutputColumn): string => {
    const value = cell(name);
    const before = known.get(value);
    if (before !== undefined) return before;
    const own = copied(value);
    known.set(own, own);
    return own;
  };
  const net = cell('quote_totalNetCharge');
  return {
    key: copied(key),
    row: Number(cell('input_row')),
    priced: net !== '',
    netCents: centsOf(net),
    baseCents: centsOf(cell('quote_totalBaseCharge')),
    discountCents: centsOf(cell('quote_totalDiscounts')),
    surchargeCents: centsOf(cell('quote_totalSurcharges')),
    service: shared('quote_shippingService'),
    zone: shared('quote_rateZone'),
    carrierZone: shared('quote_carrierZone'),
    weight: shared('quote_billingWeight_value'),
    fault: shared('fault_type'),
  };
};
