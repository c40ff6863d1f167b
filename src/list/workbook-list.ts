/**
 * A workbook as the CSV that it stands for: one sheet, every cell as it is shown, so that all after this is the same as
 * for any list. Read as a stream; only the texts that cells share are held, within a limit. (The package that reads
 * carriers' workbooks knows no number formats while it streams, and a ZIP code is often nothing but one.)
 */
import { type CellFormat, formatOfCell, shownNumber } from './cell-text.ts';
import { writeCell } from './csv.ts';
import { SHEET_LIMITS } from './sheet-xml.ts';
import { type Archive, openArchive, type Stored } from './workbook-archive.ts';
import { OverLimit, readXml, UnreadablePart, type XmlHandlers } from './xml-events.ts';

const MEBIBYTE = 1024 * 1024;
const MOST = { meta: 4 * MEBIBYTE, sharedTexts: 64 * MEBIBYTE } as const;
/**
 * What a sheet may have that says nothing, for reading it costs time and no limit on lists sees it: cells that are
 * formatted and empty, at first and more for each that is not; and XML in step with the text that came of it (a genuine
 * list has 5 to 20 bytes of XML for one of CSV).
 */
const IDLE = { elements: 4_000_000, perValue: 16, xmlBytes: 64 * MEBIBYTE, xmlPerByte: 64 } as const;
const FLUSH_CHARACTERS = 64 * 1024;
const PLAIN: CellFormat = { kind: 'plain' };

/** Whether bytes begin as an archive does, which every workbook is and no text. */
export const isArchive = (start: Uint8Array): boolean =>
  start[0] === 0x50 && start[1] === 0x4b && start[2] === 0x03 && start[3] === 0x04;

const readThrough = async (archive: Archive, name: string, most: number, handlers: XmlHandlers): Promise<void> => {
  for await (const _ of readXml(archive.read(name, most), handlers));
};

interface Sheet {
  readonly name: string;
  readonly part: string;
}

/** The worksheets in the workbook's order, and whether its dates count from 1904. */
const readWorkbook = async (archive: Archive): Promise<{ sheets: readonly Sheet[]; since1904: boolean }> => {
  const parts = new Map<string, string>();
  await readThrough(archive, 'xl/_rels/workbook.xml.rels', MOST.meta, {
    open: (name, { Id = '', Type = '', Target = '' }) => {
      if (name === 'Relationship' && Type.endsWith('/worksheet'))
        parts.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
    },
  });
  const sheets: Sheet[] = [];
  let since1904 = false;
  await readThrough(archive, 'xl/workbook.xml', MOST.meta, {
    open: (name, attributes) => {
      if (name === 'workbookPr') since1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      const part = name === 'sheet' ? parts.get(id) : undefined;
      if (part !== undefined) sheets.push({ name: attributes['name'] ?? '', part });
    },
  });
  return { sheets, since1904 };
};

/** The texts that cells share, by place. What is said of pronunciation is no part of them. */
const readSharedTexts = async (archive: Archive): Promise<readonly string[]> => {
  const texts: string[] = [];
  if (!archive.has('xl/sharedStrings.xml')) return texts;
  let text = '';
  let inText = false;
  let inPhonetic = false;
  await readThrough(archive, 'xl/sharedStrings.xml', MOST.sharedTexts, {
    open: (name) => {
      if (name === 'si') text = '';
      if (name === 'rPh') inPhonetic = true;
      inText = name === 't' && !inPhonetic;
    },
    text: (piece) => {
      if (inText) text += piece;
    },
    close: (name) => {
      inText = false;
      if (name === 'rPh') inPhonetic = false;
      if (name === 'si') texts.push(unescaped(text));
    },
  });
  return texts;
};

/** How numbers are shown, by the cell formats' places. */
const readFormats = async (archive: Archive): Promise<readonly CellFormat[]> => {
  const codes = new Map<number, string>();
  const formats: CellFormat[] = [];
  if (!archive.has('xl/styles.xml')) return formats;
  let inCellFormats = false;
  await readThrough(archive, 'xl/styles.xml', MOST.meta, {
    open: (name, { numFmtId = '0', formatCode }) => {
      if (name === 'numFmt' && formatCode !== undefined) codes.set(Number(numFmtId), formatCode);
      if (name === 'cellXfs') inCellFormats = true;
      if (name === 'xf' && inCellFormats) formats.push(formatOfCell(Number(numFmtId), codes.get(Number(numFmtId))));
    },
    close: (name) => {
      if (name === 'cellXfs') inCellFormats = false;
    },
  });
  return formats;
};

/** `_x000D_` is how a workbook writes what XML cannot hold (ECMA-376, part 1, 22.9.2.19). */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

const columnOf = (reference: string): number => {
  let column = 0;
  for (const letter of reference) {
    const value = letter.charCodeAt(0) - 64;
    if (value < 1 || value > 26) break;
    column = column * 26 + value;
  }
  return column - 1;
};

interface Lookup {
  readonly texts: readonly string[];
  readonly formats: readonly CellFormat[];
  readonly since1904: boolean;
}

/** Gathers a sheet's cells into lines of CSV. */
const createLines = ({ texts, formats, since1904 }: Lookup) => {
  let lines = '';
  let cells: string[] = [];
  let [column, kind, format, value] = [0, '', 0, ''];
  let inValue = false;
  let rows = 0;
  let idle = 0;
  const shown = (): string => {
    if (kind === 's') return texts[Number(value)] ?? '';
    if (kind === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    if (kind === '' || kind === 'n') return shownNumber(value, formats[format] ?? PLAIN, since1904);
    return unescaped(value);
  };
  const handlers: XmlHandlers = {
    open: (name, { r = '', t = '', s = '0' }) => {
      idle += 1;
      if (idle > IDLE.elements) throw new OverLimit('workbookElements', `${IDLE.elements} without a value`);
      if (name === 'row') {
        cells = [];
        rows += 1;
        if (rows > SHEET_LIMITS.rows) throw new OverLimit('workbookRows', `${SHEET_LIMITS.rows} rows`);
      }
      if (name === 'c') {
        [column, kind, format, value] = [r === '' ? cells.length : columnOf(r), t, Number(s), ''];
        if (column < 0 || column >= SHEET_LIMITS.columns)
          throw new UnreadablePart(`has a cell outside of the ${SHEET_LIMITS.columns} columns`);
      }
      inValue = name === 'v' || name === 't';
    },
    text: (piece) => {
      if (inValue) value += piece;
    },
    close: (name) => {
      inValue = false;
      if (name === 'c') {
        while (cells.length < column) cells.push('');
        cells[column] = value === '' && kind !== 's' ? '' : shown();
        if (value !== '') idle = Math.max(0, idle - IDLE.perValue);
      }
      if (name === 'row' && cells.length > 0) lines += `${cells.map(writeCell).join(',')}\n`;
    },
  };
  const take = (): string => {
    const taken = lines;
    lines = '';
    return taken;
  };
  return { handlers, take };
};

const sheetNamed = (sheets: readonly Sheet[], wanted: string | undefined): Sheet => {
  const [first] = sheets;
  if (first === undefined) throw new UnreadablePart('is a workbook without a sheet');
  if (wanted === undefined) return first;
  const found =
    sheets.find(({ name }) => name === wanted) ??
    sheets.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()) ??
    (/^[1-9]\d{0,3}$/.test(wanted) ? sheets[Number(wanted) - 1] : undefined);
  if (found !== undefined) return found;
  throw new UnreadablePart(`has no sheet "${wanted}"; it has ${sheets.map(({ name }) => `"${name}"`).join(', ')}`);
};

/** The XML, as long as what `written` says came of it. */
async function* inStep(xml: AsyncIterable<Buffer>, written: () => number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of xml) {
    bytes += piece.length;
    const most = IDLE.xmlBytes + IDLE.xmlPerByte * written();
    if (bytes > most) throw new OverLimit('workbookSheet', `${most} bytes of XML for the text in it`);
    yield piece;
  }
}

/**
 * @param sheet by its name, else its number from 1; the first where absent
 * @param mostBytes of the sheet as XML
 * @returns the sheet as CSV (comma, LF), cells as they are shown
 * @throws {UnreadablePart} while reading, where it is no workbook or damaged; {OverLimit} where it is over a limit
 */
export async function* csvOfWorkbook(
  stored: Stored,
  sheet: string | undefined,
  mostBytes: number,
): AsyncGenerator<Buffer> {
  const archive = await openArchive(stored);
  const { sheets, since1904 } = await readWorkbook(archive);
  const { part } = sheetNamed(sheets, sheet);
  const lookup = { texts: await readSharedTexts(archive), formats: await readFormats(archive), since1904 };
  const { handlers, take } = createLines(lookup);
  let waiting = '';
  let written = 0;
  const xml = inStep(archive.read(part, mostBytes), () => written);
  for await (const _ of readXml(xml, handlers)) {
    const lines = take();
    waiting += lines;
    written += lines.length;
    if (waiting.length < FLUSH_CHARACTERS) continue;
    yield Buffer.from(waiting);
    waiting = '';
  }
  if (waiting !== '') yield Buffer.from(waiting);
}
