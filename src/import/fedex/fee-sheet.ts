/**
 * FedEx's sheet of changes to surcharges and fees, with the charges of two years in two columns. The newer charges begin on the
 * day that the first page states. The older ones end on the day before.
 */
import { must } from '../../base/must.ts';
import { shifted } from '../../catalog/tariff/days.ts';
import type { PdfPage } from '../read/pdf.ts';
import { NO_TABLES, type ParsedFile, RefusedFile } from '../read/reader.ts';
import { readCharges, type Term } from './charges.ts';
import { type FeeHead, feeHeads, plainLines } from './fee-page.ts';
import { readFees } from './fee-table.ts';
import { sharedZonesIn } from './fee-text.ts';
import { dateAfter } from './layout.ts';

const sheetHeads = (pages: readonly PdfPage[]): FeeHead[] =>
  feeHeads(pages).filter(({ labels }) => labels[0] === 'surcharge name');

export const isFeeSheet = (pages: readonly PdfPage[]): boolean => sheetHeads(pages).length > 0;

/** The years above the columns of amounts, which all pages must share. */
const yearsOf = (heads: readonly FeeHead[]): string[] => {
  const [years = [], ...others] = heads.map(({ labels }) => labels.slice(2));
  const isRising = (year: string, index: number): boolean => index === 0 || year > must(years[index - 1], 'a year');
  const rising = years.every((year, index) => /^\d{4}$/.test(year) && isRising(year, index));
  const same = others.every((other) => other.join() === years.join());
  if (!rising || !same || years.length > 2)
    throw new RefusedFile(`its columns of amounts must be one year or two on all pages, but are ${years.join(', ')}`);
  return years;
};

const termsOf = (years: readonly string[], effective: string): Term[] => {
  const newest = years.at(-1);
  if (newest !== effective.slice(0, 4))
    throw new RefusedFile(`its charges take effect on ${effective}, but its newest column is ${newest}`);
  return years.map((name, column) => ({
    column,
    name,
    ...(name === newest ? { from: effective } : { notBefore: `${name}-01-01`, until: shifted(effective, -1) }),
  }));
};

export const readFeeSheet = (pages: readonly PdfPage[]): ParsedFile => {
  const heads = sheetHeads(pages);
  const years = yearsOf(heads);
  const lines = pages.map((page) => plainLines(page).map(({ text }) => text));
  const effective = dateAfter('take effect', must(lines[0], 'the first page').join(' '));
  if (effective === undefined) throw new RefusedFile('its first page does not state when the charges take effect');
  const { notes, ...read } = readCharges(
    readFees(pages, heads),
    termsOf(years, effective),
    sharedZonesIn(lines.flat()),
  );
  return {
    ...NO_TABLES,
    kind: 'FedEx surcharges and fees (PDF)',
    ...read,
    effective,
    notes: [
      ...notes,
      'the sizes and weights of handling charges are those of the FedEx Service Guide 2026, pages 127 to 129',
    ],
  };
};
