/** Amounts of a comparison as text for a page of at most 78 columns that stays readable in a mail. */
import type { ComparisonSummary } from '../comparison/summary.ts';
import { count, dollarsText, table } from './format.ts';

export const PAGE_COLUMNS = 78;

/** What shipments cost on both sides. */
export type Amounts = Pick<
  ComparisonSummary['scenarios'][number],
  'shipments' | 'baseTotal' | 'total' | 'difference' | 'percent'
>;
export type Labeled = Amounts & { readonly label: string };

/** `+$1,234.50` */
export const signedDollars = (value: number): string => `${value > 0 ? '+' : ''}${dollarsText(value)}`;

/** `+2.13%`; a hyphen if there is nothing to compare with. */
const signedPercent = (percent: number | null): string => {
  if (percent === null) return '-';
  const text = percent.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `${percent > 0 ? '+' : ''}${text}%`;
};

/** `$975.00 instead of $954.00, $21.00 more (2.20%)` */
export const insteadOf = ({ total, baseTotal, difference, percent }: Amounts): string => {
  if (difference === 0) return `${dollarsText(total)}, the same as it is`;
  const share = percent === null ? '' : ` (${signedPercent(Math.abs(percent)).slice(1)})`;
  const word = difference > 0 ? 'more' : 'less';
  return `${dollarsText(total)} instead of ${dollarsText(baseTotal)}, ${dollarsText(Math.abs(difference))} ${word}${share}`;
};

/** Text in lines of at most so many characters. A word that is longer stays whole. */
export const wrapped = (text: string, indent = '', width = PAGE_COLUMNS): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && indent.length + longer.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = longer;
  }
  return [...lines, indent + line];
};

const cents = (dollars: number): number => Math.round(dollars * 100);

/** Amounts in dollars, added in cents. */
export const added = (all: readonly Amounts[]): Amounts => {
  const sum = (member: 'shipments' | 'baseTotal' | 'total' | 'difference', scale: (value: number) => number): number =>
    all.reduce((before, one) => before + scale(one[member]), 0);
  const baseTotal = sum('baseTotal', cents);
  const difference = sum('difference', cents);
  return {
    shipments: sum('shipments', (value) => value),
    baseTotal: baseTotal / 100,
    total: sum('total', cents) / 100,
    difference: difference / 100,
    percent: baseTotal === 0 ? null : Math.round((difference / baseTotal) * 10_000) / 100,
  };
};

/** The columns of a table: their heading and their cells. */
const COLUMNS = {
  before: { heading: 'as it is', cell: ({ baseTotal }: Amounts) => dollarsText(baseTotal) },
  after: { heading: 'scenario', cell: ({ total }: Amounts) => dollarsText(total) },
  difference: { heading: 'difference', cell: ({ difference }: Amounts) => signedDollars(difference) },
  percent: { heading: 'percent', cell: ({ percent }: Amounts) => signedPercent(percent) },
  shipments: { heading: 'shipments', cell: ({ shipments }: Amounts) => count(shipments) },
} as const;
type Column = keyof typeof COLUMNS;

/** From the widest layout to the narrowest: the columns, and the characters that a label may have. */
const LAYOUTS: readonly { readonly columns: readonly Column[]; readonly label: number }[] = [
  { columns: ['shipments', 'before', 'after', 'difference', 'percent'], label: 40 },
  { columns: ['shipments', 'before', 'after', 'difference', 'percent'], label: 24 },
  { columns: ['before', 'after', 'difference', 'percent'], label: 24 },
  { columns: ['before', 'after', 'difference'], label: 16 },
  { columns: ['after', 'difference'], label: 16 },
];

const cut = (text: string, most: number): string =>
  [...text].length > most ? `${[...text].slice(0, most - 1).join('')}…` : text;

const INDENT = '  ';

/** A table of amounts, with a heading over the labels, within the width of the page. */
export const amountsTable = (heading: string, rows: readonly Labeled[]): string[] => {
  let lines: string[] = [];
  for (const { columns, label } of LAYOUTS) {
    const cells = [
      [heading, ...columns.map((column) => COLUMNS[column].heading)],
      ...rows.map((row) => [cut(row.label, label), ...columns.map((column) => COLUMNS[column].cell(row))]),
    ];
    lines = table(cells, ['left', ...columns.map(() => 'right' as const)]).map((text) => INDENT + text);
    if (lines.every((text) => [...text].length <= PAGE_COLUMNS)) break;
  }
  return lines;
};
