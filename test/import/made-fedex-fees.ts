/** Makes FedEx's fee documents for tests: the carrier's layout with other years, amounts, columns and page breaks. */
import { join } from 'node:path';
import type { PdfPage, PdfWord } from '../../src/import/read/pdf.ts';
import { jsonLines } from '../json-lines.ts';
import { lineFrom, wordFrom } from '../pdf.ts';

const SIZE = 5;
const LEADING = 6;
const ROW_GAP = 4;
const MARK = 2.5;

/** Lines of each column. `^1` is a small footnote mark above the line. */
export interface MadeRow {
  readonly name?: readonly string[];
  readonly services: readonly string[];
  readonly cells: readonly (readonly string[])[];
}

/** The rows of a file of `fixtures`, page by page. A row without services goes on with the last one of the page before. */
const pagesOf = <T>(name: string): readonly (readonly T[])[] => {
  const rows = jsonLines<T & { readonly page: number }>(join(import.meta.dirname, 'fixtures', name));
  return [...new Set(rows.map(({ page }) => page))].map((page) => rows.filter((row) => row.page === page));
};

/** The words of a line, with its footnote marks. */
const markedLine = (text: string, left: number, y: number, size = SIZE): PdfWord[] => {
  const words: PdfWord[] = [];
  let at = left;
  for (const piece of text.split(/(\^\d)/)) {
    if (piece.startsWith('^')) {
      words.push(wordFrom(piece.slice(1), at, y - 2.2, MARK));
      at += 2;
      continue;
    }
    const indent = piece.length - piece.trimStart().length;
    words.push(...lineFrom(piece.trimStart(), at + indent * 0.6 * size, y, size));
    at += piece.length * 0.6 * size;
  }
  return words;
};

/** Lines of a cell. A line that begins with `*` is a footnote in smaller type. */
const cellLines = (lines: readonly string[], left: number, y: number): PdfWord[] =>
  lines.flatMap((text, index) => markedLine(text, left, y + index * LEADING, text.startsWith('*') ? SIZE * 0.8 : SIZE));

/** Rows below a head at `y`. */
const table = (head: readonly string[], lefts: readonly number[], rows: readonly MadeRow[], y: number): PdfWord[] => {
  const words = head.flatMap((text, column) => lineFrom(text, lefts[column] ?? 0, y, SIZE + 1));
  let at = y + 12;
  for (const { name = [], services, cells } of rows) {
    const columns = [name, services, ...cells];
    words.push(...columns.flatMap((lines, column) => cellLines(lines, lefts[column] ?? 0, at)));
    at += Math.max(...columns.map((lines) => lines.length)) * LEADING + ROW_GAP;
  }
  return words;
};

const SHEET_LEFTS = [30, 150, 330, 468];

const note = (mark: string, text: string, y: number): PdfWord[] => [
  wordFrom(mark, 26, y - 1.5, 2),
  ...lineFrom(text, 28.5, y, SIZE * 0.8),
];

const SHARED_NOTE = 'Zones 3–4 rate also applies to U.S. Zone 22 (Intra-Alaska), U.S. Zone 14 (Intra-Oahu).';

/** A sheet of changes. The first page states from when the newer amounts apply. */
export const feeSheet = (
  pages: readonly (readonly MadeRow[])[],
  { years = ['2031', '2032'], takeEffect = 'Jan. 4, 2032' }: { years?: readonly string[]; takeEffect?: string } = {},
): PdfPage[] =>
  pages.map((rows, index) => ({
    number: index + 1,
    words: [
      ...(index === 0
        ? [
            ...lineFrom('2032 changes to FedEx fees', 330, 60, 14),
            ...lineFrom(`The following changes will take effect ${takeEffect}, unless otherwise`, 30, 90, 9),
            ...lineFrom('noted, for FedEx services.', 30, 100, 9),
          ]
        : lineFrom('2032 changes to FedEx fees (cont.)', 30, 60, 14)),
      ...table(['Surcharge name', 'Applicable services', ...years], SHEET_LEFTS, rows, 120),
      ...note('1', SHARED_NOTE, 760),
      ...note('2', 'Zones 7+ rate also applies to shipments from U.S. to Puerto Rico.', 766),
      ...lineFrom(String(index + 1), 570, 780, 12),
    ],
  }));

/** Four lines of zones. */
export const zones = (two: string, three: string, five: string, seven: string): string[] => [
  `Zone 2: $${two} per package`,
  `Zones 3–4^1: $${three} per package`,
  `Zones 5-6: $${five} per package`,
  `Zone 7+^2 : $${seven} per package`,
];

/** Two pages of all charges that are taken, in another order than the carrier's, and one that is not. */
export const SHEET_ROWS = pagesOf<MadeRow>('made-fee-sheet.jsonl');

const GUIDE_LEFTS = [36, 300, 450];

export interface MadeFee {
  readonly name: string;
  /** Whether it is the title of another part, in large type. */
  readonly isPart?: true;
  readonly definition: readonly string[];
  readonly rows: readonly MadeRow[];
}

/** Fees below each other, with headings in larger type. The heads of the columns are so much to the right of the cells. */
const feeList = (fees: readonly MadeFee[], head: readonly string[], y: number, indent = 4): PdfWord[] => {
  const words = head.flatMap((text, column) => lineFrom(text, (GUIDE_LEFTS[column] ?? 0) + indent, y, SIZE + 0.5));
  let at = y + 16;
  for (const { name, isPart, definition, rows } of fees) {
    words.push(...markedLine(name, GUIDE_LEFTS[0] ?? 0, at, SIZE * (isPart ? 1.8 : 1.2)));
    at += LEADING;
    words.push(...cellLines(definition, GUIDE_LEFTS[0] ?? 0, at));
    let row = at;
    for (const { services, cells } of rows) {
      const columns = [services, ...cells];
      words.push(...columns.flatMap((lines, column) => cellLines(lines, GUIDE_LEFTS[column + 1] ?? 0, row)));
      row += Math.max(...columns.map((lines) => lines.length)) * LEADING + ROW_GAP;
    }
    at = Math.max(at + definition.length * LEADING, row) + 10;
  }
  return words;
};

/** The fee section of a Service Guide, behind a cover and a page of rates. */
export const feeGuide = (
  pages: readonly (readonly MadeFee[])[],
  dates = 'Effective January 4, 2032 | Updated May 3, 2032',
): PdfPage[] => [
  { number: 1, words: lineFrom('SERVICE GUIDE Effective January 4, 2032', 36, 80, 18) },
  { number: 2, words: [...lineFrom('U.S. package rates: Zone 2', 36, 58, 14), ...lineFrom('1 lb. 9.99', 40, 192)] },
  ...pages.map((fees, index) => ({
    number: index + 3,
    words: [
      ...lineFrom('Other transportation-related fees and shipping information', 36, 40, 12),
      ...lineFrom(index === 0 ? dates : 'Fees (cont.)', 36, 52, 7),
      ...feeList(fees, ['Definition', 'Applicable services²', 'Charges'], 70),
      ...note('1', 'Charges shown do not include any fuel surcharge that may be applicable.', 760),
      ...lineFrom(String(index + 126), 299, 780, 6),
      ...lineFrom('fedex.com', 442, 780, 7),
      ...lineFrom('1.800.GoFedEx', 485, 780, 5.2),
    ],
  })),
];

/** The fees of FedEx Ground Economy. Its charges begin far to the left of their head. */
export const economyFees = (fees: readonly MadeFee[], effective = 'Effective January 4, 2032'): PdfPage[] => [
  {
    number: 1,
    words: [
      ...lineFrom('FedEx Ground® Economy fees and', 200, 130, 14),
      ...lineFrom('other shipping information', 200, 150, 14),
      ...lineFrom(effective, 200, 180, 10),
    ],
  },
  {
    number: 2,
    words: [
      ...lineFrom('Fees and other shipping information', 36, 50, 14),
      ...feeList(fees, ['DEFINITION', 'APPLICABLE SERVICES', 'CHARGES'], 70, 12),
      ...lineFrom('1', 303, 766, 9),
    ],
  },
];

/** The newer charges of `SHEET_ROWS` as a guide states them, and the charge within Hawaii. */
export const GUIDE_FEES = pagesOf<MadeFee>('made-fee-guide.jsonl');
