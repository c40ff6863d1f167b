/** Numbers, counts and tables as text. */
import { must } from '../base/must.ts';
import type { Difference } from '../catalog/tariff/diff/diff.ts';
import type { Finding } from '../catalog/tariff/document.ts';
import { errorsIn } from '../catalog/tariff/findings.ts';
import { allServicesText } from '../lists/columns/all-services-text.ts';
import type { Summary } from '../lists/output/summary.ts';
import { CommandFailure } from './exit.ts';

/** Foreign text as one line, without characters that move a terminal's cursor or change its colors. */
export const printable = (text: string): string => text.replaceAll(/\p{C}+/gu, ' ');

/** `1,000` */
export const count = (value: number): string => value.toLocaleString('en-US');

/** `$1,234.50` */
export const dollarsText = (value: number): string =>
  value.toLocaleString('en-US', { style: 'currency', currency: 'USD' });

export const findingText = ({ severity, at, message, details = [] }: Finding): string =>
  [`${severity}: ${at}: ${message}`, ...details.map((line) => `  ${line}`)].join('\n');

/** A failure with its findings. */
export const failureWith = (title: string, findings: readonly Finding[], end: readonly string[] = []): CommandFailure =>
  new CommandFailure([title, ...findings.map(findingText), ...end].join('\n'));

const SIGNS = { added: '+', removed: '-', changed: '~' } as const;

export const differenceText = ({ change, at, before, after, percent }: Difference): string => {
  const values = [before, after].filter((value) => value !== undefined).join(' → ');
  return `${SIGNS[change]} ${at}: ${values}${percent === undefined ? '' : ` (${percent})`}`;
};

export const counted = (value: number, thing: string): string => `${count(value)} ${thing}${value === 1 ? '' : 's'}`;

/** `The tiers are gold, iron`, `The only tier is gold` or `There are no tiers`. @param of words after the things */
export const choicesText = (thing: string, names: readonly string[], of = ''): string => {
  if (names.length === 0) return `There are no ${thing}s${of}`;
  return names.length === 1 ? `The only ${thing}${of} is ${names[0]}` : `The ${thing}s${of} are ${names.join(', ')}`;
};

/** `1 error, 2 warnings` */
export const problemCounts = (findings: readonly Finding[]): string => {
  const errors = errorsIn(findings).length;
  return `${counted(errors, 'error')}, ${counted(findings.length - errors, 'warning')}`;
};

/** `1,234.50` */
export const amountText = (dollars: number): string =>
  dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The number of rows whose price is in another row of the same order, if any. */
export const joinedLines = (joined = 0): string[] =>
  joined === 0 ? [] : [`  ${counted(joined, 'row')} priced with another row of the same order`];

/** A line for each fault type, the most frequent first. */
export const faultCounts = (faults: Readonly<Record<string, number>>): string[] =>
  Object.entries(faults)
    .sort(([, a], [, b]) => b - a)
    .map(([type, rows]) => `  ${type}: ${counted(rows, 'row')}`);

/** A line per warning type: its rows, their total, and what the prices lack. */
const warningCounts = (warnings: Summary['warnings'], missing: Readonly<Record<string, number>>): string[] =>
  warnings.map(({ type, shipments, totalNetCharge }) => {
    const parts = type === 'price.incomplete' ? Object.entries(missing) : [];
    const lacked = parts.map(([part, rows]) => `${part} ${count(rows)}`).join(', ');
    const rest = lacked === '' ? '' : `; missing: ${lacked}`;
    return `  ${type}: ${counted(shipments, 'row')}, ${dollarsText(totalNetCharge)} in total${rest}`;
  });

type Summed = Pick<Summary, 'totalNetCharge' | 'warnings' | 'allServices'> & {
  readonly incomplete: Pick<Summary['incomplete'], 'missing'>;
};

/** The total, rows by warning, and the cost of the list with each service if it has those prices. */
export const summaryLines = ({ totalNetCharge, warnings, incomplete, allServices }: Summed): string[] => [
  `Total: ${dollarsText(totalNetCharge)}`,
  ...warningCounts(warnings, incomplete.missing),
  ...(allServices === undefined ? [] : allServicesText(allServices)),
];

export type Alignment = 'left' | 'right';

/** The default maximum of characters per cell. */
const WIDEST = 40;

export const cut = (text: string, widest: number): string =>
  [...text].length > widest ? `${[...text].slice(0, widest - 1).join('')}…` : text;

/**
 * @param rows cells by row, with the header if there is one
 * @param alignments by column; the default is left
 * @param widest the maximum number of characters per cell
 * @returns a line for each row, with columns two spaces apart
 */
export const table = (
  rows: readonly (readonly string[])[],
  alignments: readonly Alignment[] = [],
  widest = WIDEST,
): string[] => {
  const cells = rows.map((row) => row.map((cell) => cut(printable(cell), widest)));
  const widths: number[] = [];
  for (const row of cells)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, [...cell].length);
  return cells.map((row) =>
    row
      .map((cell, index) => {
        const padding = ' '.repeat(must(widths[index], 'the width of a column') - [...cell].length);
        return alignments[index] === 'right' ? padding + cell : cell + padding;
      })
      .join('  ')
      .trimEnd(),
  );
};
