/**
 * FedEx's express multiweight tables: for each zone or run of zones, a price per pound on the whole shipment by total
 * weight, with a column for each service. The conditions stand in the page's introduction.
 */
import { gridOf, type Label, linesOf, plainWords, titleOf } from './fedex-grid.ts';
import { serviceColumns } from './fedex-rate-page.ts';
import { inOrder, serviceNamed, zonesIn } from './fedex-services.ts';
import type { PdfPage, PdfWord } from './pdf.ts';
import type { MultiweightReading, Unreadable } from './reading.ts';

interface Cell {
  readonly code: string;
  readonly zone: string;
  readonly fromLb: number;
  readonly centsPerLb: number;
  readonly at: string;
}

export interface Multiweights {
  readonly tables: readonly MultiweightReading[];
  readonly unreadable: readonly Unreadable[];
  readonly notes: readonly string[];
}

export const isMultiweightTitle = (title: string): boolean =>
  /\bExpress Multiweight\b/i.test(title) && !/\b(?:export|import|International)\b/i.test(title);

const SECTION = /^(?:Zones? \d|Intra-)/i;
const BREAK = /^([\d,]+)(?:-[\d,]+|\+)$/;
const LEAST = /\bweighs (\d{1,5}) lbs?\. or more/;
/** What may follow it: a weight of its own for one service. */
const EXCEPTION = /^ \((\d{1,5}) lbs?\. or more for (FedEx [^)]*) shipments\)/;
const PER_POUND = /^(\d{1,3})\.(\d\d)$/;

/** Sections of a page: from a heading such as `Zones 9 and 10 (To AK and HI metro)` to the next. */
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
    return { cells: [], unreadable: [{ at, text: heading, problem: 'no table was found under this heading' }] };
  const { cells: texts } = gridOf(
    words,
    labels,
    columns.map(({ span }) => span),
  );
  const cells: Cell[] = [];
  const unreadable: Unreadable[] = [];
  labels.forEach(({ value: fromLb, word }, row) => {
    columns.forEach(({ name }, index) => {
      const text = texts[row]?.[index] ?? '';
      const here = `${at}, row ${word.text} lb, column ${name}`;
      const [, dollars, cents] = PER_POUND.exec(text) ?? [];
      const code = serviceNamed(name)?.code;
      if (code === undefined) unreadable.push({ at: here, text, problem: 'no service of this name is known' });
      else if (dollars === undefined) unreadable.push({ at: here, text, problem: 'is no price per pound' });
      else
        for (const zone of zones)
          cells.push({ code, zone, fromLb, centsPerLb: Number(dollars) * 100 + Number(cents), at: here });
    });
  });
  return { cells, unreadable };
};

const tableOf = (code: string, cells: readonly Cell[], introduction: string): MultiweightReading => {
  const columns = [...new Set(cells.map(({ zone }) => zone))].sort((a, b) => Number(a) - Number(b));
  const breaks = [...new Set(cells.map(({ fromLb }) => fromLb))].sort((a, b) => a - b);
  const cellAt = (row: number, column: number): Cell | undefined =>
    cells.find(({ zone, fromLb }) => zone === columns[column] && fromLb === breaks[row]);
  const least = LEAST.exec(introduction);
  const [, exception, excepted] =
    EXCEPTION.exec(introduction.slice((least?.index ?? 0) + (least?.[0].length ?? 0))) ?? [];
  const average = /\b(\d{1,5})-lb\. average/.exec(introduction)?.[1];
  const own = excepted !== undefined && serviceNamed(excepted)?.code === code ? exception : least?.[1];
  return {
    code,
    carrier: 'FedEx',
    table: {
      columns,
      breaks: breaks.map((fromLb, row) => ({
        fromLb,
        centsPerLb: columns.map((_, column) => cellAt(row, column)?.centsPerLb ?? null),
      })),
    },
    ...(own === undefined ? {} : { minimumTotalLb: Number(own) }),
    ...(average === undefined ? {} : { minimumAverageLb: Number(average) }),
    source: (row, column) => cellAt(row, column)?.at ?? 'no cell',
  };
};

/** Reads the multiweight pages among a file's pages into one table per service. */
export const readMultiweights = (pages: readonly PdfPage[]): Multiweights => {
  const cells: Cell[] = [];
  const unreadable: Unreadable[] = [];
  const notes: string[] = [];
  let introduction = '';
  for (const page of pages) {
    const words = plainWords(page.words).filter(({ text }) => text !== '$');
    if (!isMultiweightTitle(titleOf(words))) continue;
    introduction ||= linesOf(words)
      .map(({ text }) => text)
      .join(' ');
    for (const section of sectionsOf(words)) {
      const zones = zonesOfHeading(section.heading);
      if (zones === undefined) {
        notes.push(`page ${page.number}: multiweight "${section.heading}" names no zone; its table is passed over`);
        continue;
      }
      const read = readSection(page.number, section.heading, section.words, zones);
      cells.push(...read.cells);
      unreadable.push(...read.unreadable);
    }
  }
  const codes = [...new Set(cells.map(({ code }) => code))].sort(inOrder);
  const tables = codes.map((code) =>
    tableOf(
      code,
      cells.filter((cell) => cell.code === code),
      introduction,
    ),
  );
  return { tables, unreadable, notes };
};
