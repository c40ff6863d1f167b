/**
 * FedEx's express multiweight tables: prices per pound of the whole shipment by total weight, for each zone or range of zones,
 * with a column for each service. The introduction of the page states the conditions.
 */
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import { MULTIWEIGHT } from '../../catalog/tariff/prices.ts';
import type { PdfPage, PdfWord } from '../read/pdf.ts';
import type { ParsedMultiweight, Unreadable } from '../read/reader.ts';
import { gridOf, type Label, linesOf, plainWords, textOf, titleOf, zonesIn } from './layout.ts';
import { serviceColumns } from './rate-page.ts';
import { byFedexOrder, fedexServiceNamed } from './services.ts';

interface Cell {
  readonly code: string;
  readonly zone: string;
  readonly fromLb: number;
  readonly centsPerLb: number;
  readonly at: string;
}

export const isMultiweightTitle = (title: string): boolean =>
  /\bExpress Multiweight\b/i.test(title) && !/\b(?:export|import|International)\b/i.test(title);

const SECTION = /^(?:Zones? \d|Intra-)/i;
const BREAK = /^([\d,]+)(?:-[\d,]+|\+)$/;
const MINIMUM = /\bweighs (\d{1,5}) lbs?\. or more/;
/** An exception for one service, directly after the minimum. */
const EXCEPTION = /^ \((\d{1,5}) lbs?\. or more for (FedEx [^)]*) shipments\)/;
const PER_POUND = /^(\d{1,3})\.(\d\d)$/;

/** Splits a page into sections. Each begins at a heading such as `Zones 9 and 10 (To AK and HI metro)`. */
const sectionsOf = (words: readonly PdfWord[]): { heading: string; words: PdfWord[] }[] => {
  const headings = linesOf(words).filter(({ text }) => SECTION.test(text));
  return headings.map(({ text, y }, index) => {
    const below = headings[index + 1]?.y ?? Number.POSITIVE_INFINITY;
    return { heading: text, words: words.filter((word) => word.y > y + 2 && word.y < below - 2) };
  });
};

const zonesOfHeading = (heading: string): string[] | undefined =>
  zonesIn(/^Zones? ([\d,\s&and-]*\d)/i.exec(heading)?.[1] ?? '');

const readSection = (
  page: number,
  heading: string,
  words: readonly PdfWord[],
  zones: readonly string[],
): { cells: Cell[]; unreadable: Unreadable[] } => {
  const labels: Label[] = words.flatMap((word) => {
    const from = BREAK.exec(word.text)?.[1];
    return from === undefined ? [] : [{ value: Number(from.replaceAll(',', '')), word }];
  });
  const at = `page ${page}, ${heading}`;
  const columns = serviceColumns(words, Math.min(...labels.map(({ word }) => word.y)) - 4);
  if (labels.length === 0 || columns.length === 0)
    return { cells: [], unreadable: [{ at, text: heading, problem: 'there is no table under this heading' }] };
  const { cells: texts } = gridOf(
    words,
    labels,
    columns.map(({ span }) => span),
  );
  const cells: Cell[] = [];
  const unreadable: Unreadable[] = [];
  labels.forEach(({ value: fromLb, word }, row) => {
    columns.forEach(({ name }, index) => {
      const text = must(texts[row]?.[index], 'a cell');
      const here = `${at}, row ${word.text} lb, column ${name}`;
      const [, dollars, cents] = PER_POUND.exec(text) ?? [];
      const code = fedexServiceNamed(name)?.code;
      if (code === undefined) unreadable.push({ at: here, text, problem: 'is not a known service' });
      else if (dollars === undefined) unreadable.push({ at: here, text, problem: 'is not a price per pound' });
      else
        for (const zone of zones)
          cells.push({ code, zone, fromLb, centsPerLb: Number(dollars) * 100 + Number(cents), at: here });
    });
  });
  return { cells, unreadable };
};

const poundsIn = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

const tableOf = (code: string, cells: readonly Cell[], introduction: string): ParsedMultiweight => {
  const columns = [...new Set(cells.map(({ zone }) => zone))].sort((a, b) => Number(a) - Number(b));
  const breaks = [...new Set(cells.map(({ fromLb }) => fromLb))].sort((a, b) => a - b);
  const cellAt = (row: number, column: number): Cell | undefined =>
    cells.find(({ zone, fromLb }) => zone === columns[column] && fromLb === breaks[row]);
  const minimum = MINIMUM.exec(introduction);
  const [, exception, excepted] =
    (minimum && EXCEPTION.exec(introduction.slice(minimum.index + minimum[0].length))) ?? [];
  const average = /\b(\d{1,5})-lb\. average/.exec(introduction)?.[1];
  const own = excepted !== undefined && fedexServiceNamed(excepted)?.code === code ? exception : minimum?.[1];
  return {
    code,
    carrier: 'FedEx',
    table: MULTIWEIGHT.tableOf(
      columns,
      breaks.map((limit, row) => ({ limit, cents: columns.map((_, at) => cellAt(row, at)?.centsPerLb ?? null) })),
    ),
    terms: present({ minimumTotalLb: poundsIn(own), minimumAverageLb: poundsIn(average) }),
    source: (row, column) => cellAt(row, column)?.at ?? 'no cell',
  };
};

/** Reads the multiweight pages of a file into one table per service. */
export const readMultiweights = (pages: readonly PdfPage[]) => {
  const cells: Cell[] = [];
  const unreadable: Unreadable[] = [];
  const notes: string[] = [];
  let introduction = '';
  for (const page of pages) {
    const words = plainWords(page.words).filter(({ text }) => text !== '$');
    if (!isMultiweightTitle(titleOf(words))) continue;
    introduction ||= textOf(words);
    for (const section of sectionsOf(words)) {
      const zones = zonesOfHeading(section.heading);
      if (zones === undefined) {
        notes.push(`page ${page.number}: multiweight "${section.heading}" names no zone; its table is skipped`);
        continue;
      }
      const read = readSection(page.number, section.heading, section.words, zones);
      cells.push(...read.cells);
      unreadable.push(...read.unreadable);
    }
  }
  const codes = [...new Set(cells.map(({ code }) => code))].sort(byFedexOrder);
  const tables = codes.map((code) =>
    tableOf(
      code,
      cells.filter((cell) => cell.code === code),
      introduction,
    ),
  );
  return { tables, unreadable, notes };
};
