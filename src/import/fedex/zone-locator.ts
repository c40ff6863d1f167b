/**
 * FedEx zone locator: the zones of one origin. One list of destination ranges is for the contiguous states, with one zone for all
 * services. Another list is for Alaska, Hawaii and Puerto Rico, with an express zone and a ground zone.
 */
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import type { ZoneChart } from '../../catalog/tariff/document.ts';
import { gapsIn, overlapsIn, shortestRange, ZIP_RANGE } from '../../catalog/tariff/zip.ts';
import type { PdfPage, PdfWord } from '../read/pdf.ts';
import { Findings, NO_TABLES, type ParsedChart, type ParsedFile } from '../read/reader.ts';
import { centerOf, dateAfter, linesOf, median, plainWords, textOf } from './layout.ts';
import { FEDEX_CHART_COLUMNS, FEDEX_COLUMN_OF } from './services.ts';

const ORIGINATING = /originating in ZIP codes?/i;
const SAME_ROW = 2.5;
const HEADING_DEPTH = 24;

/** One list of a section: a ZIP column and zone columns. */
interface List {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  /** The top of the next section. */
  readonly bottom: number;
  /** Left edges of the zone columns: one column for all services, or an express and a ground column. */
  readonly columns: readonly { readonly name: 'all' | 'express' | 'ground'; readonly left: number }[];
}

/** Index of the list column for a chart column, or -1. */
const placeOf = ({ columns }: List, name: (typeof FEDEX_CHART_COLUMNS)[number]): number =>
  columns.findIndex((column) => column.name === 'all' || column.name === name);

type Row = Omit<ZoneChart['rows'][number], 'origin'>;

export const isZoneLocator = (pages: readonly PdfPage[]): boolean =>
  pages.some(({ words }) => {
    const text = textOf(words);
    return ORIGINATING.test(text) && /Destination ZIP/i.test(text);
  });

/** The headings `Destination` where lists begin, by section. Headings in one section have about the same height. */
const sectionHeads = (words: readonly PdfWord[]): PdfWord[][] => {
  const sections: PdfWord[][] = [];
  const heads = words.filter(
    (word) =>
      /^Destination$/i.test(word.text) &&
      words.some(({ text, left, y }) => /^ZIPs?$/i.test(text) && Math.abs(y - word.y) < 1 && left > word.left),
  );
  for (const head of heads.sort((a, b) => a.y - b.y)) {
    const last = sections.at(-1);
    if (last?.[0] !== undefined && head.y - last[0].y < SAME_ROW * 2) last.push(head);
    else sections.push([head]);
  }
  return sections.map((section) => section.sort((a, b) => a.left - b.left));
};

const columnsOf = (words: readonly PdfWord[], head: PdfWord, right: number): List['columns'] => {
  const under = words.filter(
    (word) =>
      word.left > head.left && word.left < right && word.y >= head.y - SAME_ROW && word.y <= head.y + HEADING_DEPTH,
  );
  const named = (['express', 'ground'] as const).flatMap((name) => {
    const word = under.find(({ text }) => text.toLowerCase() === name);
    return word === undefined ? [] : [{ name, left: word.left }];
  });
  if (named.length > 0) return named;
  const zone = under.find(({ text }) => /^zone$/i.test(text));
  return zone === undefined ? [] : [{ name: 'all', left: zone.left }];
};

const listsOf = (words: readonly PdfWord[]): List[] => {
  const sections = sectionHeads(words);
  return sections.flatMap((heads, index) => {
    const bottom = Math.min(...(sections[index + 1] ?? []).map(({ y }) => y)) - SAME_ROW;
    const pitch = median(heads.slice(1).map(({ left }, at) => left - must(heads[at], 'the list before').left));
    return heads.map((head, at): List => {
      const right = (heads[at + 1]?.left ?? head.left + (pitch || Number.POSITIVE_INFINITY)) - SAME_ROW;
      return { left: head.left - SAME_ROW, right, top: head.y, bottom, columns: columnsOf(words, head, right) };
    });
  });
};

const nearest = (list: List, word: PdfWord): number => {
  const gaps = list.columns.map(({ left }) => Math.abs(word.left - left));
  return gaps.indexOf(Math.min(...gaps));
};

/** `NA` means no service. `*` means to ask the carrier and counts as no service. */
const zoneOf = (text: string): string | undefined => {
  if (/^N\/?A$/i.test(text) || /^\*+$/.test(text)) return '';
  return /^\d{1,2}$/.test(text) && Number(text) > 0 ? String(Number(text)) : undefined;
};

const readList = (page: number, list: List, words: readonly PdfWord[], found: Findings) => {
  const inside = words.filter(
    ({ left, y }) => left >= list.left && left < list.right && y > list.top && y < list.bottom,
  );
  const rows: Row[] = [];
  let marked = 0;
  for (const zips of inside.filter(({ text }) => ZIP_RANGE.test(text))) {
    const beside = inside.filter(({ y, left }) => Math.abs(y - zips.y) <= SAME_ROW && left >= zips.right);
    const texts = list.columns.map((_, column) =>
      beside
        .filter((word) => nearest(list, word) === column)
        .map(({ text }) => text)
        .join(' '),
    );
    const destination = shortestRange(zips.text);
    const zones = texts.map(zoneOf);
    const at = `page ${page}, row ${zips.text}`;
    if (destination === undefined) found.refuse(at, zips.text, 'is not a range of ZIP codes');
    zones.forEach((zone, column) => {
      const named = list.columns[column]?.name;
      const place = `${at}, column ${named === 'all' ? 'zone' : `${named} zone`}`;
      if (zone === undefined) found.refuse(place, must(texts[column], 'the text of a column'), 'is not a zone');
    });
    if (texts.some((text) => text.includes('*'))) marked += 1;
    const byName = (name: (typeof FEDEX_CHART_COLUMNS)[number]): string =>
      must(zones[placeOf(list, name)], 'a zone of a row');
    if (destination !== undefined && !zones.includes(undefined))
      rows.push({ destination, zones: FEDEX_CHART_COLUMNS.map(byName) });
  }
  refuseStray(page, list, inside, found);
  return { rows, marked };
};

/** Refuses words between the rows of a list, such as a malformed ZIP range. */
const refuseStray = (page: number, list: List, inside: readonly PdfWord[], found: Findings): void => {
  const heights = inside.filter(({ text }) => ZIP_RANGE.test(text)).map(({ y }) => y);
  const [first, last] = [Math.min(...heights), Math.max(...heights)];
  for (const { text, y } of inside) {
    if (y < first || y > last || heights.some((row) => Math.abs(row - y) <= SAME_ROW)) continue;
    const place = `page ${page}, ${Math.round(y)} points from the top, list at ${Math.round(list.left)} points`;
    found.refuse(place, text, 'belongs to no row');
  }
};

/** The ranges below or next to the words that announce the origin, in the same column. */
const originsOf = (words: readonly PdfWord[], top: number): string[] => {
  const announcing = linesOf(words).find(({ text }) => ORIGINATING.test(text));
  if (announcing === undefined) return [];
  const start = announcing.words.find(({ text }) => /^originating$/i.test(text))?.left ?? 0;
  return words
    .filter(
      (word) =>
        ZIP_RANGE.test(word.text) &&
        word.y >= announcing.y - SAME_ROW &&
        word.y < top - SAME_ROW &&
        Math.abs(centerOf(word) - start) < 150,
    )
    .flatMap(({ text }) => shortestRange(text) ?? []);
};

/** Reads a zone locator into a chart for each origin range in it. All known files have one. */
export const readZoneLocator = (pages: readonly PdfPage[]): ParsedFile => {
  const found = new Findings();
  const rows: Row[] = [];
  const origins: string[] = [];
  let marked = 0;
  for (const page of pages) {
    const words = plainWords(page.words);
    const lists = listsOf(words);
    origins.push(...originsOf(words, Math.min(...lists.map(({ top }) => top))));
    for (const list of lists) {
      const lacks = FEDEX_CHART_COLUMNS.filter((name) => placeOf(list, name) === -1);
      if (lacks.length > 0) {
        found.refuse(`page ${page.number}`, 'Destination ZIP', `a list has no zone column for ${lacks.join(' and ')}`);
        continue;
      }
      const read = readList(page.number, list, words, found);
      rows.push(...read.rows);
      marked += read.marked;
    }
  }
  if (origins.length === 0) found.refuse('page 1', '', 'the file does not state an origin');
  if (rows.length === 0) found.refuse('page 1', '', 'the file has no rows');
  const destinations = rows.map(({ destination }) => destination);
  for (const [a, b] of overlapsIn(destinations)) found.refuse(`page 1, row ${b}`, b, `overlaps row ${a}`);
  for (const gap of gapsIn(destinations)) found.notes.push(`no row contains ${gap}: read as no service`);
  if (marked > 0) found.notes.push(`${marked} rows are marked * (ask the carrier): read as no service`);
  const effective = dateAfter('Effective', textOf(plainWords(pages[0]?.words ?? [])));
  const charts = [...new Set(origins)].map(
    (origin): ParsedChart => ({
      carrier: 'FedEx',
      origin,
      statesOrigin: true,
      chart: { columns: FEDEX_CHART_COLUMNS, rows: rows.map((row) => ({ ...row, origin })) },
      columnOf: FEDEX_COLUMN_OF,
    }),
  );
  return { kind: 'FedEx zone locator (PDF)', ...NO_TABLES, charts, ...present({ effective }), ...found };
};
