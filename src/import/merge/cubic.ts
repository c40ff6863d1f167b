/** Merges the prices by volume of one service from any number of files into one table. */

import type { CubicTable } from '../../catalog/tariff/document.ts';
import { dollarText } from '../../rating/quantity.ts';
import type { ParsedCubic } from '../read/reader.ts';
import { Cells, columnsOf, type FromFile } from './rates.ts';

export interface MergedCubic {
  readonly table: CubicTable;
  readonly terms: ParsedCubic['terms'];
  readonly contradictions: readonly string[];
  readonly warnings: readonly string[];
}

const termsText = ({ maximumActualLb, maximumLengthIn }: ParsedCubic['terms']): string =>
  `up to ${maximumActualLb} lb and ${maximumLengthIn} in`;

/**
 * Merges the prices by volume of one service, in the order given.
 * @param priced the columns of its rate table. Others are omitted
 * @returns undefined if no file has any
 */
export const mergeCubic = (
  code: string,
  all: readonly FromFile<ParsedCubic>[],
  priced: readonly string[],
): MergedCubic | undefined => {
  const parts = all.filter(({ reading }) => reading.code === code);
  const [first] = parts;
  if (first === undefined) return undefined;
  const stated = columnsOf(parts.map(({ reading }) => reading.table));
  const columns = stated.filter((column) => priced.includes(column));
  const left = stated.filter((column) => !priced.includes(column));
  const { terms } = first.reading;
  const limits = [...new Set(parts.flatMap(({ reading }) => reading.table.tiers.map(({ hundredths }) => hundredths)))];
  const cells = new Cells();
  for (const { file, reading } of parts)
    reading.table.tiers.forEach(({ hundredths, cents }, row) => {
      reading.table.columns.forEach((column, at) => {
        const what = `${code}, up to ${dollarText(hundredths)} cubic feet, zone ${column}`;
        cells.add(what, `${hundredths} ${column}`, cents[at], `${file}, ${reading.source(row, at)}`);
      });
    });
  const tiers = limits
    .sort((a, b) => a - b)
    .map((hundredths) => ({ hundredths, cents: columns.map((column) => cells.at(`${hundredths} ${column}`)) }));
  const otherTerms = parts
    .filter(({ reading }) => termsText(reading.terms) !== termsText(terms))
    .map(
      ({ file, reading }) =>
        `${code}, prices by volume: ${termsText(terms)} in ${first.file}, ${termsText(reading.terms)} in ${file}`,
    );
  return {
    table: { columns, tiers },
    terms,
    contradictions: [...cells.all(code), ...otherTerms],
    warnings: left.length === 0 ? [] : [`${code} has prices by volume, but no rates, for ${left.join(', ')}: omitted`],
  };
};
