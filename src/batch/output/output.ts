/**
 * The downloads of a batch. The output is its header and its parts in order, streamed without a copy. Stores that serve
 * downloads themselves also get merged files. These are optional: if one is missing or has the wrong size, the parts are
 * streamed.
 */

import type { Logger } from '../../base/log.ts';
import { MissingObject, type Piece, type Store } from '../../base/store/store.ts';
import { isTurnOver, turn } from '../../base/time-slices.ts';
import { type CellSink, mapCells } from '../../files/csv/map-rows.ts';
import type { Dialect } from '../../files/csv/scanner.ts';
import { columnsOf, isComparedCount, isComparedMoney } from '../../lists/comparison/columns.ts';
import { addedColumn } from '../../lists/output/output-columns.ts';
import { addedColumns } from '../../lists/output/output-format.ts';
import { outputHeader, outputHeaderBytes } from '../../lists/rows/rate-rows.ts';
import { type BatchDocument, keys, type OutputDocument, readPartSizes, records } from '../records.ts';

export interface OutputFile {
  /** Undefined if the size is not known before the file is written. */
  readonly bytes?: number;
  readonly mediaType: string;
  /** Each piece is valid only until the next is requested. */
  readonly content: AsyncIterable<Uint8Array>;
}

interface Section {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

export const CSV_TYPE = 'text/csv; charset=utf-8';

/** Maximum number of bytes to read at once. */
const PIECE_BYTES = 256 * 1024;

/**
 * Reads all sections into the same memory. With new memory for each piece, the garbage collector would mark the whole heap
 * every few dozen megabytes, and quotes would wait for it.
 */
async function* inTurn(store: Store, header: Buffer, sections: readonly Section[]): AsyncGenerator<Uint8Array> {
  yield header;
  const longest = sections.reduce((most, { from, to }) => Math.max(most, to - from), 0);
  const into = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, longest));
  for (const { key, from, to } of sections) yield* store.stream(key, { from, to }, into);
}

const join = (store: Store, header: Buffer, sections: readonly Section[]): OutputFile => ({
  mediaType: CSV_TYPE,
  bytes: sections.reduce((sum, { from, to }) => sum + to - from, header.length),
  content: inTurn(store, header, sections),
});

export type Parts = OutputDocument['parts'];

export type OutputKind = 'output' | 'faults' | 'unprocessed';
/** `plain`: CSV with commas; `excel`: CSV that Excel opens by a double click. Only a comparison has `json`. */
export type OutputForm = 'plain' | 'excel' | 'xlsx' | 'parquet' | 'json';

/** The content of the output, or of the file of its faults. */
export interface Composed {
  readonly head: Buffer;
  readonly pieces: readonly Piece[];
}

const headerOf = ({ columns, format, comparison }: BatchDocument): Buffer =>
  comparison === undefined
    ? outputHeaderBytes(columns, format)
    : outputHeader(columns, format.keepFormulas, columnsOf(comparison));

const composedOutput = (document: BatchDocument, parts: Parts): Composed => ({
  head: headerOf(document),
  pieces: parts.map(({ index, bytes, revision }) => ({ key: keys.part(document.id, index, revision), bytes })),
});

const composedFaults = (document: BatchDocument, parts: Parts): Composed => ({
  head: outputHeaderBytes(document.columns, document.format),
  pieces: parts
    .filter(({ faultBytes }) => faultBytes > 0)
    .map(({ index, faultBytes, revision }) => ({ key: keys.faults(document.id, index, revision), bytes: faultBytes })),
});

const fileOf = (store: Store, { head, pieces }: Composed): OutputFile =>
  join(
    store,
    head,
    pieces.map(({ key, bytes }) => ({ key, from: 0, to: bytes })),
  );

export const outputOf = (store: Store, document: BatchDocument, parts: Parts): OutputFile =>
  fileOf(store, composedOutput(document, parts));

export const faultsOf = (store: Store, document: BatchDocument, parts: Parts): OutputFile =>
  fileOf(store, composedFaults(document, parts));

/** Returns the input rows that no part has, unchanged, below the header of the input. */
export const unprocessedOf = async (store: Store, document: BatchDocument, parts: Parts): Promise<OutputFile> => {
  const plan = await records.plan(store, document.id);
  if (plan === undefined) throw new MissingObject(keys.plan(document.id));
  const done = new Set(parts.map(({ index }) => index));
  const input = keys.input(document.id);
  const header = await store.get(input, { from: document.headerStart, to: document.bodyStart });
  if (header === undefined) throw new MissingObject(input);
  const missing = plan.chunks.filter((_, index) => !done.has(index));
  return join(
    store,
    header,
    missing.map(({ from, to }) => ({ key: input, from, to })),
  );
};

/** Returns the parts from the first chunk up to the first unfinished one. @param done parts as JSON, by index */
export const contiguousParts = async (done: Readonly<Record<string, string>>): Promise<Parts> => {
  const parts: Parts = [];
  for (let index = 0; ; index++) {
    const text = done[String(index)];
    if (text === undefined) return parts;
    parts.push({ index, ...readPartSizes(text) });
    if (isTurnOver()) await turn();
  }
};

export interface MergedFile extends Composed {
  readonly key: string;
  readonly bytes: number;
}

/** Returns the name and the content of a merged file, whether or not it exists. */
export const mergedFile = (
  document: BatchDocument,
  { parts, revision }: OutputDocument,
  what: 'output' | 'faults',
): MergedFile => {
  const key = what === 'output' ? keys.mergedOutput(document.id, revision) : keys.mergedFaults(document.id, revision);
  const composed = what === 'output' ? composedOutput(document, parts) : composedFaults(document, parts);
  const { head, pieces } = composed;
  return { key, head, pieces, bytes: pieces.reduce((sum, { bytes }) => sum + bytes, head.length) };
};

export type Merge = (document: BatchDocument, output: OutputDocument) => Promise<void>;

/** @returns a function that merges outputs; undefined if the store does not serve downloads itself */
export const createMerge = ({ direct }: Store, log: Logger): Merge | undefined => {
  if (direct === undefined) return undefined;
  return async (document, output) => {
    const files = document.comparison === undefined ? (['output', 'faults'] as const) : (['output'] as const);
    for (const what of files) {
      const { key, head, pieces } = mergedFile(document, output, what);
      try {
        await direct.join(key, head, pieces);
      } catch (error) {
        log.warn({ batchId: document.id, what, err: error }, 'the output was not merged, so its parts are streamed');
      }
    }
  };
};

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Cells that are quoted in the output stay quoted. Others are quoted if they contain the separator. */
const separatedBy =
  (delimiter: Dialect['delimiter']) =>
  (write: (text: string) => void): CellSink => {
    const parts: string[] = [];
    let isFirst = true;
    return {
      part: (text) => {
        parts.push(text);
      },
      end: (endsRow) => {
        const [first = '', ...others] = parts;
        const quote = !first.startsWith('"') && parts.some((part) => part.includes(delimiter)) ? '"' : '';
        const begin = isFirst ? `${quote}${first}` : `${delimiter}${quote}${first}`;
        const end = endsRow ? `${quote}\n` : quote;
        if (others.length === 0) write(`${begin}${end}`);
        else for (const text of [begin, ...others, end]) write(text);
        isFirst = endsRow;
        parts.length = 0;
      },
    };
  };

/**
 * `?output=excel`: CSV that Excel opens correctly by a double click. It has a byte-order mark, so that Excel reads UTF-8. It
 * has the separator of the uploaded list, which suits the country of its author.
 * @param delimiter the separator of the uploaded list
 */
export const excelFile = (file: OutputFile, delimiter: Dialect['delimiter']): OutputFile => {
  const rows = delimiter === ',' ? file.content : mapCells(file.content, separatedBy(delimiter));
  async function* marked(): AsyncGenerator<Uint8Array> {
    yield BYTE_ORDER_MARK;
    yield* rows;
  }
  const sized = delimiter === ',' && file.bytes !== undefined ? { bytes: file.bytes + BYTE_ORDER_MARK.length } : {};
  return { ...sized, mediaType: CSV_TYPE, content: marked() };
};

/** Returns the names of the columns that the service adds. */
export const addedTo = ({ columns, format, comparison }: BatchDocument): readonly string[] =>
  comparison === undefined ? addedColumns(columns, format) : columnsOf(comparison);

/** @param name the name of an added column. Zones are text, because some carriers have names such as `2A` */
export const kindOfAdded = (name: string, isComparison: boolean): 'text' | 'money' | 'count' | 'date' => {
  if (!isComparison) {
    const kind = addedColumn(name)?.kind ?? 'text';
    return kind === 'zone' ? 'text' : kind;
  }
  if (isComparedMoney(name)) return 'money';
  return isComparedCount(name) ? 'count' : 'text';
};
