/**
 * FedEx One Rate: one price for all weights, by packaging, speed and zone. The page has a table for each group of zones. Rows are
 * FedEx packaging, columns are services. The code `FDX-1R-MB2` is a medium box by FedEx 2Day.
 */
import { must } from '../../base/must.ts';
import type { PdfPage, PdfWord } from '../read/pdf.ts';
import { Findings, type ParsedFile, type ParsedRates } from '../read/reader.ts';
import { centerOf, centsOf, type Line, linesOf, plainWords, type Span, textOf, titleOf, zonesIn } from './layout.ts';
import { fedexDescription, fedexServiceNamed, ONE_RATE_PACKAGING, ONE_RATE_SPEED, oneRateCode } from './services.ts';

const PRICE = /^\d{1,3}(?:,\d{3})*\.\d\d$/;
const SECTION = /^(?:Local|Regional|National) zone \(zones? ([\d,-]{1,9})/;
const WEIGHTS =
  /envelopes must weigh (\d{1,3}) lbs\. or less, and FedEx paks, boxes, and tubes must weigh (\d{1,3}) lbs\./;
const SINCE = /Rates effective as of ([A-Z][a-z]{2,8} \d{1,2}, \d{4})/;
/** Between the last prices and the text next to the tables. */
const GAP = 6;

const isOneRate = ({ words }: PdfPage): boolean => /^FedEx One Rate\b/.test(titleOf(plainWords(words)));

interface Cell {
  readonly packaging: string;
  readonly service: string;
  readonly zones: readonly string[];
  readonly cents: number;
}

/** Finds the columns of a table by its prices, which are aligned on the right. */
const columnsOf = (rows: readonly Line[]): Span[] => {
  const widest = rows
    .map(({ words }) => words.filter(({ text }) => PRICE.test(text)))
    .sort((a, b) => b.length - a.length);
  const rights = (widest[0] ?? []).map(({ right }) => right);
  return rights.map((right, at) => ({
    left: at === 0 ? right - ((rights[1] ?? right) - right) : must(rights[at - 1], 'the column before'),
    right: right + 1,
  }));
};

const inSpan = (word: PdfWord, { left, right }: Span): boolean => centerOf(word) > left && centerOf(word) <= right;

/** Finds the service above a column: the words from `FedEx` on, in the lines above the prices. */
const serviceOf = (lines: readonly Line[], span: Span): string | undefined => {
  const words = lines.flatMap((line) => line.words.filter((word) => inSpan(word, span))).map(({ text }) => text);
  const name = words.slice(words.lastIndexOf('FedEx')).filter((text) => !/^[\d,]+$/.test(text));
  const code = fedexServiceNamed(name.join(' '))?.code;
  return code !== undefined && Object.hasOwn(ONE_RATE_SPEED, code) ? code : undefined;
};

/** The packaging of a row: the words before the first column, without the brand and footnote marks. */
const packagingOf = (line: Line, before: number): string =>
  line.words
    .filter(({ right }) => right <= before)
    .map(({ text }) => text)
    .filter((text) => !/^(?:FedEx®?|\d)$/.test(text))
    .join(' ');

/** Reads one table from the lines below its heading. */
const readSection = (
  page: number,
  zones: readonly string[],
  lines: readonly Line[],
  found: Findings,
): readonly Cell[] => {
  const isRow = ({ words }: Line): boolean => words.some(({ text }) => PRICE.test(text));
  const rows = lines.filter(isRow);
  const spans = columnsOf(rows);
  const heading = lines.slice(0, lines.findIndex(isRow));
  const services = spans.map((span) => serviceOf(heading, span));
  const at = `page ${page}, zones ${zones.join(', ')}`;
  services.forEach((service, column) => {
    if (service === undefined) found.refuse(at, `column ${column + 1}`, 'has no FedEx One Rate service above it');
  });
  return rows.flatMap((line) => {
    const packaging = packagingOf(line, spans[0]?.left ?? 0);
    if (!Object.hasOwn(ONE_RATE_PACKAGING, packaging)) return found.refuse(at, line.text, 'is not a known packaging');
    return spans.flatMap((span, column): Cell[] => {
      const service = services[column];
      const prices = line.words.filter((word) => PRICE.test(word.text) && inSpan(word, span));
      const [price] = prices;
      if (service === undefined) return [];
      if (price !== undefined && prices.length === 1)
        return [{ packaging, service, zones, cents: centsOf(price.text) }];
      return found.refuse(`${at}, row ${packaging}, column ${service}`, line.text, 'has no price');
    });
  });
};

const readPage = ({ number, words }: PdfPage, found: Findings) => {
  const plain = plainWords(words);
  const edge = Math.max(0, ...plain.filter(({ text }) => PRICE.test(text)).map(({ right }) => right)) + GAP;
  const lines = linesOf(plain.filter(({ left }) => left < edge));
  const beside = textOf(plain.filter(({ left }) => left >= edge));
  const heads = lines.flatMap(({ text }, at) => {
    const zones = zonesIn(SECTION.exec(text)?.[1]?.replace(/,$/, '') ?? '');
    return zones === undefined ? [] : [{ at, zones }];
  });
  if (heads.length === 0) found.refuse(`page ${number}`, '', 'has no table of a zone');
  const cells = heads.flatMap(({ at, zones }, index) =>
    readSection(number, zones, lines.slice(at + 1, heads[index + 1]?.at), found),
  );
  const [, envelope, other] = WEIGHTS.exec(beside) ?? [];
  if (envelope === undefined || other === undefined)
    found.refuse(`page ${number}`, '', 'does not say how heavy the packages may be');
  /** Pounds: the heaviest envelope, and the heaviest other package. */
  const heaviest = [Number(envelope ?? 1), Number(other ?? 1)] as const;
  return { page: number, cells, heaviest, since: SINCE.exec(beside)?.[1] };
};

/**
 * The price includes residential and area surcharges and fuel. The packaging is FedEx's own, so its size neither counts as weight
 * nor exceeds a limit.
 */
const termsOf = (maximumActualLb: number): NonNullable<ParsedRates['terms']> => ({
  maximumActualLb,
  dimensionalOverCubicIn: 1_000_000,
  hasNo: ['fuel', 'residential', 'deliveryArea', 'handling', 'limits'],
});

/** The services of a page. Each packaging and speed has a price in each zone, or the cell is reported as unreadable. */
const servicesOf = ({ page, cells, heaviest }: ReturnType<typeof readPage>, found: Findings): ParsedRates[] => {
  const columns = [...new Set(cells.flatMap(({ zones }) => zones))].sort();
  return Object.keys(ONE_RATE_PACKAGING).flatMap((packaging) =>
    Object.keys(ONE_RATE_SPEED).flatMap((service): ParsedRates[] => {
      const own = cells.filter((cell) => cell.packaging === packaging && cell.service === service);
      if (own.length === 0) return [];
      const row = columns.map((zone) => own.find(({ zones }) => zones.includes(zone))?.cents ?? null);
      const code = oneRateCode(packaging, service);
      columns.forEach((zone, at) => {
        if (row[at] === null) found.refuse(`page ${page}, zone ${zone}`, code, 'has no price');
      });
      const top = heaviest[packaging === 'Envelope' ? 0 : 1];
      return [
        {
          code,
          carrier: 'FedEx',
          description: `FedEx One Rate ${packaging}, ${fedexDescription(service)}`,
          onRequest: true,
          terms: termsOf(top),
          table: { columns, cents: Array.from({ length: top }, () => row) },
          source: (_row, column) => `page ${page}, row ${packaging}, column ${service}, zone ${columns[column]}`,
        },
      ];
    }),
  );
};

/**
 * Adds One Rate to the reading of a Service Guide. If one of its prices cannot be read, adds none of them, because the import of
 * the guide's fees must not fail.
 */
export const withOneRate = (pages: readonly PdfPage[], reading: ParsedFile): ParsedFile => {
  const found = new Findings();
  const read = pages.filter(isOneRate).map((page) => readPage(page, found));
  const rates = read.flatMap((page) => servicesOf(page, found));
  const [problem] = found.unreadable;
  if (problem !== undefined) {
    const note = `FedEx One Rate cannot be read: ${problem.at} "${problem.text}" ${problem.problem}`;
    return { ...reading, notes: [...reading.notes, note] };
  }
  const notes = read.flatMap(({ page, since }) => [
    `page ${page}: FedEx One Rate has ${rates.length} services, each a packaging and a speed. An import takes those that ` +
      'it is asked for, such as --services FDX-1R-MB2,FDX-1R-LB2',
    `page ${page}: FedEx One Rate to Alaska and Hawaii is not imported, because the page does not number these zones`,
    ...(since === undefined ? [] : [`page ${page}: some prices of FedEx One Rate are in force from ${since}`]),
  ]);
  return { ...reading, rates: [...reading.rates, ...rates], notes: [...reading.notes, ...notes] };
};
