/**
 * Reads the parts of a workbook other than its rows: the list of sheets, the shared texts and the number formats. Parts are
 * found by relationships (ECMA-376, part 2, 6.5), never by name.
 */

import { OverLimit, UnreadableFile } from '../unreadable-file.ts';
import type { Archive } from './archive.ts';
import { type CellFormat, formatOfCell } from './number-format.ts';
import { SHEET_LIMITS } from './sheet-limits.ts';
import { readXml, type XmlHandlers } from './xml.ts';

const MEBIBYTE = 1024 * 1024;
const MOST = { metaBytes: 4 * MEBIBYTE, sharedTextBytes: 64 * MEBIBYTE, cellFormats: 65_490 } as const;

export interface SheetPlace {
  readonly name: string;
  readonly part: string;
  readonly isHidden: boolean;
}

export interface Workbook {
  /** The worksheets, in the workbook's order. */
  readonly sheets: readonly SheetPlace[];
  readonly since1904: boolean;
  readonly sharedTextsPart: string | undefined;
  readonly stylesPart: string | undefined;
}

/** The tables that cells refer to. */
export interface Lookup {
  /** An entry is undefined if the text is longer than a cell allows. */
  readonly texts: readonly (string | undefined)[];
  readonly formats: readonly CellFormat[];
  readonly since1904: boolean;
}

const readThrough = async (archive: Archive, name: string, most: number, handlers: XmlHandlers): Promise<void> => {
  for await (const _ of readXml(archive.read(name, most), handlers));
};

/** Resolves a relationship's target, which is relative to the part `from`, to a part's name. */
const resolved = (target: string, from: string): string => {
  const steps: string[] = [];
  const path = target.startsWith('/') ? target : `${from.slice(0, from.lastIndexOf('/') + 1)}${target}`;
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
};

interface Relationship {
  readonly id: string;
  /** The last segment of its type, such as `worksheet`. */
  readonly type: string;
  readonly part: string;
}

/** @param part the part that has the relationships; empty for the whole package */
const relationshipsOf = async (archive: Archive, part: string): Promise<readonly Relationship[]> => {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const found: Relationship[] = [];
  await readThrough(archive, `${folder}_rels/${part.slice(folder.length)}.rels`, MOST.metaBytes, {
    open: (name, { Id = '', Type = '', Target = '' }) => {
      if (name === 'Relationship')
        found.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), part: resolved(Target, part) });
    },
  });
  return found;
};

const HIDDEN = ['hidden', 'veryHidden'];

/** @throws {UnreadableFile} if the archive is not a workbook */
export const openWorkbook = async (archive: Archive): Promise<Workbook> => {
  if (!archive.has('_rels/.rels'))
    throw new UnreadableFile('is a ZIP archive, not a workbook: unpack it and use its files');
  const main = (await relationshipsOf(archive, '')).find(({ type }) => type === 'officeDocument')?.part;
  if (main === undefined) throw new UnreadableFile('is a workbook without its main part');
  const relationships = await relationshipsOf(archive, main);
  const byId = new Map(relationships.map((relationship) => [relationship.id, relationship]));
  const sheets: SheetPlace[] = [];
  let since1904 = false;
  await readThrough(archive, main, MOST.metaBytes, {
    open: (name, attributes) => {
      if (name === 'workbookPr') since1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      const relationship = byId.get(id);
      if (relationship?.type !== 'worksheet') return;
      const { name: sheet = '', state = '' } = attributes;
      sheets.push({ name: sheet, part: relationship.part, isHidden: HIDDEN.includes(state) });
    },
  });
  const partOf = (wanted: string): string | undefined => relationships.find(({ type }) => type === wanted)?.part;
  return { sheets, since1904, sharedTextsPart: partOf('sharedStrings'), stylesPart: partOf('styles') };
};

/** Decodes escapes such as `_x000D_`, for characters that XML does not allow (ECMA-376, part 1, 22.9.2.19). */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Matches a shared text as programs write it. */
const USUAL_TEXT = /<si><t(?: xml:space="preserve")?>([\t\n -%'-;=?-~]*)<\/t><\/si>/y;

/** Reads the shared texts by index, without phonetic hints. */
const readSharedTexts = async (archive: Archive, part: string | undefined): Promise<Lookup['texts']> => {
  const texts: (string | undefined)[] = [];
  if (part === undefined || !archive.has(part)) return texts;
  let text = '';
  let length = 0;
  let inText = false;
  let inPhonetic = false;
  const begin = (): void => {
    text = '';
    length = 0;
  };
  const add = (piece: string): void => {
    length += piece.length;
    if (length <= SHEET_LIMITS.cellCharacters) text += piece;
  };
  // A text that is too long is an error only if a cell refers to it.
  const end = (): number => texts.push(length > SHEET_LIMITS.cellCharacters ? undefined : unescaped(text));
  await readThrough(archive, part, MOST.sharedTextBytes, {
    open: (name) => {
      if (name === 'si') begin();
      if (name === 'rPh') inPhonetic = true;
      inText = name === 't' && !inPhonetic;
    },
    text: (piece) => {
      if (inText) add(piece);
    },
    close: (name) => {
      inText = false;
      if (name === 'rPh') inPhonetic = false;
      if (name === 'si') end();
    },
    usual: {
      pattern: USUAL_TEXT,
      found: ([, piece = '']) => {
        inText = false;
        begin();
        if (!inPhonetic) add(piece);
        end();
      },
    },
  });
  return texts;
};

/** Reads the number formats, by the index of the cell format. */
const readFormats = async (archive: Archive, part: string | undefined): Promise<readonly CellFormat[]> => {
  const codes = new Map<number, string>();
  const formats: CellFormat[] = [];
  if (part === undefined || !archive.has(part)) return formats;
  let inCellFormats = false;
  await readThrough(archive, part, MOST.metaBytes, {
    open: (name, { numFmtId = '0', formatCode }) => {
      if (name === 'numFmt' && formatCode !== undefined) codes.set(Number(numFmtId), formatCode);
      if (name === 'cellXfs') inCellFormats = true;
      if (name !== 'xf' || !inCellFormats) return;
      formats.push(formatOfCell(Number(numFmtId), codes.get(Number(numFmtId))));
      if (formats.length > MOST.cellFormats) throw new OverLimit('cellFormats', String(MOST.cellFormats));
    },
    close: (name) => {
      if (name === 'cellXfs') inCellFormats = false;
    },
  });
  return formats;
};

export const readLookup = async (
  archive: Archive,
  { sharedTextsPart, stylesPart, since1904 }: Workbook,
): Promise<Lookup> => ({
  texts: await readSharedTexts(archive, sharedTextsPart),
  formats: await readFormats(archive, stylesPart),
  since1904,
});
