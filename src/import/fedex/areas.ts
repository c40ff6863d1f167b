/**
 * FedEx's list of delivery areas, as PDF or as text. Each tier has a section of ZIP codes, and each page repeats the heading of
 * its section (`Delivery Area Surcharge ZIP codes: Contiguous U.S.: Extended (cont.)`). Everything that is not a heading or a ZIP
 * code is prose.
 */
import { getOrMake } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import type { PdfPage } from '../read/pdf.ts';
import {
  NO_TABLES,
  type ParsedAreas,
  type ParsedFile,
  type Reader,
  RefusedFile,
  type Unreadable,
} from '../read/reader.ts';
import { dateAfter, linesOf, textOf } from './layout.ts';

const TITLE = /Delivery\s{1,9}Area\s{1,9}Surcharge\s{1,9}ZIP\s{1,9}codes/i;
const HEADING = /Delivery\s{1,9}Area\s{1,9}Surcharge\s{1,9}ZIP\s{1,9}codes\s{0,9}:/i;
/** A heading, a date, a copyright, or a word with digits. */
const PIECE =
  /(?<heading>Delivery\s{1,9}Area\s{1,9}Surcharge\s{1,9}ZIP\s{1,9}codes\s{0,9}:\s{0,9}(?<first>[a-z-]{1,20})(?<us>\s{1,9}U\.?S\.?)?(?:\s{0,9}:\s{0,9}(?<named>[a-z-]{1,20})|\s{1,9}(?<bare>extended|remote)\b)?)|(?<date>Effective\s{1,9}[a-z]{3,9}\.?\s{1,9}\d{1,2},\s{0,9}\d{4})|©\s{0,9}\d{4}(?:[-–]\d{4})?|(?<word>[^\s\d]{0,20}\d\S{0,40})/gi;

const LIST = 'fedex-das';
/** ZIP codes for shipments within Hawaii are a separate list, not one of the other tiers. */
const INTRA_HAWAII = 'intra-hawaii';

const TIERS: Readonly<Record<string, string>> = {
  contiguousus: 'standard',
  'contiguousus extended': 'extended',
  'contiguousus remote': 'remote',
  alaska: 'alaska',
  hawaii: 'hawaii',
  'intra-hawaii': INTRA_HAWAII,
};

const bare = (text = ''): string => text.toLowerCase().replaceAll(/[^a-z-]/g, '');

/** A part of the text. `at` is its place in words for people. */
interface Section {
  /** Undefined if the heading is unknown. */
  readonly tier: string | undefined;
  readonly heading: string;
  readonly at: string;
  /** ZIP codes in a section without a tier. */
  readonly lost: string[];
}

const sectionAt = (groups: Readonly<Record<string, string | undefined>>, at: string): Section => {
  const { heading = '', first, us } = groups;
  const tier = bare(groups['named'] ?? groups['bare']);
  const name = `${bare(first)}${bare(us)}${tier === '' ? '' : ` ${tier}`}`;
  const known = Object.hasOwn(TIERS, name) ? TIERS[name] : undefined;
  return { tier: known, heading: heading.replaceAll(/\s+/g, ' '), at, lost: [] };
};

interface Found {
  readonly tier: string;
  readonly at: string;
}

/** Collects the ZIP codes by list, in the file's order. */
class Areas {
  readonly unreadable: Unreadable[] = [];
  readonly dates = new Map<string, string>();
  readonly #sections: Section[] = [];
  readonly #lists = new Map<string, Map<string, Found>>();

  begin(section: Section): void {
    const last = this.#sections.at(-1);
    // A section continues under the same heading on the next page.
    if (last === undefined || last.heading !== section.heading) this.#sections.push(section);
  }

  /** Takes a word with digits. Page numbers and other short numbers are prose. */
  word(text: string, at: string): void {
    const section = must(this.#sections.at(-1), 'a section');
    const plain = text.replace(/[.,;:)]{1,3}$/, '');
    if (/^\d{5}$/.test(plain)) this.#put(section, plain, at);
    else if (section.heading !== '' && /\d{3}/.test(plain))
      this.unreadable.push({ at, text: plain, problem: 'not a ZIP code of five digits' });
    else if (/(?<!\d)\d{5}(?!\d)/.test(plain))
      this.unreadable.push({ at, text: plain, problem: 'looks like a ZIP code, but is outside a section' });
  }

  #put(section: Section, zip: string, at: string): void {
    const { tier } = section;
    if (tier === undefined) {
      section.lost.push(zip);
      return;
    }
    const name = tier === INTRA_HAWAII ? `${LIST}-${INTRA_HAWAII}` : LIST;
    const list = getOrMake(this.#lists, name, () => new Map<string, Found>());
    const before = list.get(zip);
    if (before === undefined) list.set(zip, { tier, at });
    else if (before.tier !== tier)
      this.unreadable.push({ at, text: zip, problem: `is ${tier} here, but ${before.tier} on ${before.at}` });
  }

  get lists(): ParsedAreas[] {
    return [...this.#lists].map(([name, zips]) => ({
      name,
      carrier: 'FedEx',
      list: { rows: [...zips].map(([zip, { tier }]) => ({ zip, tier })) },
    }));
  }

  /** What could not be read, and a line for each unknown section. */
  get problems(): Unreadable[] {
    const lost = this.#sections.flatMap(({ heading, at, lost: zips }): Unreadable[] => {
      const [first] = zips;
      if (first === undefined) return [];
      const where = heading === '' ? 'outside a section' : `in a section that is not known: ${heading}`;
      const more = zips.length === 1 ? '' : ` and ${zips.length - 1} more`;
      return [{ at, text: `${first}${more}`, problem: `stands ${where}` }];
    });
    const [first, other] = this.dates;
    if (first === undefined || other === undefined) return [...lost, ...this.unreadable];
    const problem = `differs from ${first[0]} on ${first[1]}`;
    return [...lost, { at: other[1], text: `Effective ${other[0]}`, problem }, ...this.unreadable];
  }
}

/** @param placeOf returns the place of an index in the text. Its indexes ascend from call to call */
const readText = (kind: string, text: string, placeOf: (index: number) => string): ParsedFile => {
  const areas = new Areas();
  let begun = false;
  const begin = (section: Section): void => {
    areas.begin(section);
    begun = true;
  };
  for (const match of text.matchAll(PIECE)) {
    const at = placeOf(match.index);
    const groups = match.groups ?? {};
    const { heading, date, word } = groups;
    if (heading !== undefined) begin(sectionAt(groups, at));
    else if (date !== undefined) {
      const day = dateAfter('Effective', date.replaceAll(/\s+/g, ' '));
      if (day !== undefined && !areas.dates.has(day)) areas.dates.set(day, at);
    } else if (word !== undefined) {
      if (!begun) begin({ tier: undefined, heading: '', at, lost: [] });
      areas.word(word, at);
    }
  }
  const [effective] = areas.dates.keys();
  const lists = areas.lists;
  if (lists.length === 0) throw new RefusedFile('it is a list of delivery areas without a ZIP code in a known section');
  return { kind, ...NO_TABLES, areas: lists, ...present({ effective }), unreadable: areas.problems, notes: [] };
};

/** Returns a function that finds the line of an index. Its indexes must ascend. */
const lineCounter = (text: string): ((index: number) => string) => {
  let line = 1;
  let next = text.indexOf('\n');
  return (index) => {
    while (next !== -1 && next < index) {
      line++;
      next = text.indexOf('\n', next + 1);
    }
    return `line ${line}`;
  };
};

const ACCEPT_BYTES = 16_384;

const decoded = (bytes: Uint8Array): string =>
  new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes);

/** Reads the list as text. Only digits matter, so it may be in any encoding that includes ASCII. */
export const fedexAreaText: Reader = {
  accepts: (bytes) => TITLE.test(decoded(bytes.subarray(0, ACCEPT_BYTES))),
  read: async (bytes) => {
    const text = decoded(bytes);
    return readText('FedEx delivery areas (text)', text, lineCounter(text));
  },
};

const ZIPS = /(?<!\d)\d{5}(?!\d)/g;

/** A page's text, line by line. */
const pageText = ({ number, words }: PdfPage): string => {
  const lines = linesOf(words).map(({ text }) => text);
  const heading = lines.findIndex((text) => HEADING.test(text));
  const columns = lines.slice(0, Math.max(0, heading)).map((text) => text.match(ZIPS)?.length ?? 0);
  // In this case, it is unclear which ZIP codes belong to the heading.
  if (columns.some((count) => count > 1))
    throw new RefusedFile(
      `page ${number}: a section begins below several columns of ZIP codes: save the list as text, or as a CSV with zip and tier`,
    );
  return lines.join('\n');
};

export const isAreaList = (pages: readonly PdfPage[]): boolean =>
  pages.slice(0, 5).some(({ words }) => TITLE.test(textOf(words, '\n')));

/** Reads the list from a PDF. */
export const readAreaPages = (pages: readonly PdfPage[]): ParsedFile => {
  const starts: { readonly index: number; readonly number: number }[] = [];
  let text = '';
  for (const page of pages) {
    starts.push({ index: text.length, number: page.number });
    text += `${pageText(page)}\n`;
  }
  let current = 0;
  const placeOf = (index: number): string => {
    while ((starts[current + 1]?.index ?? Number.POSITIVE_INFINITY) <= index) current++;
    return `page ${must(starts[current], 'a page').number}`;
  };
  return readText('FedEx delivery areas (PDF)', text, placeOf);
};
