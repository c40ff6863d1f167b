/**
 * One page of package rates, with a row for each pound. Express pages have a column for each service. Their zone is in the title,
 * or several zones are in headings above runs of columns. Ground pages have a column for each zone, for both FedEx Ground and
 * FedEx Home Delivery.
 */
import { grouped } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import { MULTIWEIGHT } from '../../catalog/tariff/prices.ts';
import type { PdfPage, PdfWord } from '../read/pdf.ts';
import type { Findings, ParsedMultiweight } from '../read/reader.ts';
import {
  centerOf,
  gridOf,
  headingOfColumns,
  type Label,
  linesOf,
  plainWords,
  type Span,
  spansAround,
  spansFrom,
  textOf,
  titleOf,
  weightColumns,
  zonesIn,
} from './layout.ts';
import { byFedexOrder, fedexServiceNamed } from './services.ts';

export interface RateCell {
  readonly code: string;
  readonly zone: string;
  readonly pounds: number;
  /** Empty for a blank cell. */
  readonly text: string;
  readonly page: number;
  readonly column: string;
}

interface Column {
  readonly span: Span;
  readonly name: string;
  readonly codes: readonly string[];
  readonly zones: readonly string[];
}

/** How far a label may be from the middle of a two-line row. */
const LABEL_REACH = 16;
const HEAD_SLACK = 2;
/** Labels are in one column if their right edges differ by less than this. */
const SAME_EDGE = 8;

const OTHER_SERVICES = /International|Multiweight|Freight|SameDay|Economy|Ground Saver|SmartPost/i;

export const isExpressTitle = (title: string): boolean =>
  /\bU\.?S\.? (?:express )?package rates?\b/i.test(title) && !OTHER_SERVICES.test(title);

/** The part of a title from a ground service on. Empty if it names none. */
const fromGround = (title: string): string => {
  const at = title.search(/\b(?:Ground|Home Delivery)\b/i);
  return at === -1 ? '' : title.slice(at);
};

export const isGroundTitle = (title: string): boolean =>
  /^FedEx\b/i.test(title) && /\brates\b/i.test(fromGround(title)) && !OTHER_SERVICES.test(title);

/** The zones on the line of a label `Zone` or `Zones`. Several labels may share the line. */
const zoneWords = (words: readonly PdfWord[], above: number): PdfWord[] => {
  const head = words.filter(({ y }) => y < above);
  const [label] = head.filter(({ text }) => /^zones?:?$/i.test(text)).sort((a, b) => a.left - b.left);
  if (label === undefined) return [];
  const beside = linesOf(head.filter(({ left, y }) => left > label.right && Math.abs(y - label.y) <= LABEL_REACH))
    .map((line) => line.words.filter(({ text }) => !/^zones?:?$/i.test(text)))
    .filter((line) => line.length > 0 && line.every(({ text }) => zonesIn(text) !== undefined));
  return beside.sort((a, b) => b.length - a.length)[0] ?? [];
};

const groundColumns = (words: readonly PdfWord[], above: number, title: string): Column[] => {
  const codes = ['FedEx Ground', 'FedEx Home Delivery'].flatMap((name) => {
    const service = fedexServiceNamed(name);
    return service !== undefined && title.replaceAll(/[®™]/g, '').includes(name) ? [service.code] : [];
  });
  const heads = zoneWords(words, above);
  const spans = spansAround(heads.map(centerOf));
  return heads.flatMap(({ text }, index) => {
    const span = spans[index];
    return span === undefined
      ? []
      : [{ span, name: `zone ${text}`, codes, zones: must(zonesIn(text), 'the zone of a column') }];
  });
};

/** Columns whose headings begin with `FedEx` on one line. The rest of each name is below. */
const serviceColumns = (words: readonly PdfWord[], above: number): { span: Span; name: string }[] => {
  const head = words.filter(({ y }) => y < above);
  const [first] = linesOf(head)
    .map(({ words: line }) => line.filter(({ text }) => /^FedEx®?$/.test(text)))
    .sort((a, b) => b.length - a.length);
  if (first === undefined || first.length < 2) return [];
  const top = Math.min(...first.map(({ y }) => y));
  const spans = spansFrom(
    first.map(({ left }) => left),
    HEAD_SLACK,
  );
  return spans.map((span) => {
    const isInside = (word: PdfWord): boolean => centerOf(word) >= span.left && centerOf(word) < span.right;
    const named = head.filter((word) => word.y >= top - HEAD_SLACK && isInside(word) && /[A-Za-z]/.test(word.text));
    return { span, name: textOf(named) };
  });
};

const expressColumns = (words: readonly PdfWord[], above: number, title: string): Column[] => {
  const columns = serviceColumns(words, above);
  const inTitle = zonesIn(/\bZones? (.+)/i.exec(title)?.[1] ?? '');
  const heads = inTitle === undefined ? zoneWords(words, above) : [];
  const headings =
    heads.length === 0
      ? []
      : headingOfColumns(
          columns.map(({ span }) => span),
          heads.map(centerOf),
        );
  return columns.map(({ span, name }, index) => ({
    span,
    name,
    codes: [fedexServiceNamed(name)?.code ?? []].flat(),
    zones: inTitle ?? zonesIn(heads[headings[index] ?? 0]?.text ?? '') ?? [],
  }));
};

const cellsOf = (
  page: number,
  labels: readonly Label[],
  columns: readonly Column[],
  texts: readonly (readonly string[])[],
) =>
  labels.flatMap(({ value: pounds }, row) =>
    columns.flatMap(({ name, codes, zones }, index): RateCell[] =>
      codes.flatMap((code) =>
        zones.map((zone) => ({ code, zone, pounds, text: must(texts[row]?.[index], 'a cell'), page, column: name })),
      ),
    ),
  );

/** Splits a table with two halves: each column belongs to the nearest labels on its left. */
const halvesOf = (chains: readonly Label[][], columns: readonly Column[]): { labels: Label[]; columns: Column[] }[] => {
  const edgeOf = (chain: readonly Label[]): number => Math.max(...chain.map(({ word }) => word.right));
  const edges = chains.map(edgeOf).sort((a, b) => a - b);
  return chains.map((labels) => {
    const edge = edgeOf(labels);
    const next = edges.find((other) => other > edge + SAME_EDGE) ?? Number.POSITIVE_INFINITY;
    return { labels, columns: columns.filter(({ span }) => centerOf(span) > edge && centerOf(span) < next) };
  });
};

/**
 * Reads a page of package rates within the United States.
 * @returns undefined if the title shows that the page is something else
 */
export const readRatePage = (page: PdfPage, found: Findings): RateCell[] | undefined => {
  const words = plainWords(page.words).filter(({ text }) => text !== '$');
  const title = titleOf(words);
  const express = isExpressTitle(title);
  if (!express && !isGroundTitle(title)) return undefined;
  const chains = weightColumns(words);
  const above = Math.min(...chains.flat().map(({ word }) => word.y)) - 4;
  const columns = (express ? expressColumns : groundColumns)(words, above, title);
  const at = `page ${page.number}`;
  if (chains.length === 0 || columns.length === 0)
    return found.refuse(at, title, 'there is no table of weights on this page');
  if (columns.every(({ zones }) => zones.length === 0)) {
    found.notes.push(`${at}: "${title}" names no zone; its table is skipped`);
    return [];
  }
  for (const { name, codes, zones } of columns) {
    const problem = codes.length === 0 ? 'is not a known service' : 'has no zone above it';
    if (codes.length === 0 || zones.length === 0) found.refuse(`${at}, column ${name}`, name, problem);
  }
  return halvesOf(chains, columns).flatMap(({ labels, columns: own }) => {
    const { cells, stray } = gridOf(words, labels, own);
    for (const { text } of stray) found.refuse(at, text, 'is in no row of the table');
    return cellsOf(page.number, labels, own, cells);
  });
};

/*
 * FedEx's express multiweight tables: prices per pound of the whole shipment by total weight, for each zone or range of zones,
 * with a column for each service. The introduction of the page states the conditions.
 */

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

const readSection = (
  page: number,
  { heading, words }: ReturnType<typeof sectionsOf>[number],
  found: Findings,
): Cell[] => {
  const zones = zonesIn(/^Zones? ([\d,\s&and-]*\d)/i.exec(heading)?.[1] ?? '');
  if (zones === undefined) {
    found.notes.push(`page ${page}: multiweight "${heading}" names no zone; its table is skipped`);
    return [];
  }
  const labels: Label[] = words.flatMap((word) => {
    const from = BREAK.exec(word.text)?.[1];
    return from === undefined ? [] : [{ value: Number(from.replaceAll(',', '')), word }];
  });
  const at = `page ${page}, ${heading}`;
  const columns = serviceColumns(words, Math.min(...labels.map(({ word }) => word.y)) - 4);
  if (labels.length === 0 || columns.length === 0)
    return found.refuse(at, heading, 'there is no table under this heading');
  const { cells } = gridOf(words, labels, columns);
  return labels.flatMap(({ value: fromLb, word }, row) =>
    columns.flatMap(({ name }, index): Cell[] => {
      const text = must(cells[row]?.[index], 'a cell');
      const here = `${at}, row ${word.text} lb, column ${name}`;
      const [, dollars, cents = ''] = PER_POUND.exec(text) ?? [];
      const code = fedexServiceNamed(name)?.code;
      if (code !== undefined && dollars !== undefined)
        return zones.map((zone) => ({ code, zone, fromLb, centsPerLb: Number(dollars + cents), at: here }));
      return found.refuse(here, text, code === undefined ? 'is not a known service' : 'is not a price per pound');
    }),
  );
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
export const readMultiweights = (pages: readonly PdfPage[], found: Findings): ParsedMultiweight[] => {
  let introduction = '';
  const cells = pages.flatMap((page) => {
    const words = plainWords(page.words).filter(({ text }) => text !== '$');
    if (!isMultiweightTitle(titleOf(words))) return [];
    introduction ||= textOf(words);
    return sectionsOf(words).flatMap((section) => readSection(page.number, section, found));
  });
  const byCode = [...grouped(cells, ({ code }) => code)].sort(([a], [b]) => byFedexOrder(a, b));
  return byCode.map(([code, own]) => tableOf(code, own, introduction));
};
