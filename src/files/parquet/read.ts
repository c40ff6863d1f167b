/**
 * Reads the rows of a Parquet file as texts. It reads a page of each column at a time, so memory grows with the pages
 * and not with the row groups. Everything that the file claims is checked before it is used.
 */
import { readSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type ColumnMetaData, type Compressors, parquetMetadata, type SchemaElement } from 'hyparquet';
import { parquetHeader, readPage } from 'hyparquet/src/column.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { decompressLz4, decompressLz4Raw, decompressSnappy, decompressZstd } from 'hyparquet-compressors';
import { OverLimit, UnreadableFile } from '../unreadable-file.ts';
import { cellTextOf, damaged } from './value-text.ts';

const MEBIBYTE = 1024 * 1024;
/** Writers make pages of about a mebibyte and at most a million values. */
const MOST = {
  footerBytes: 16 * MEBIBYTE,
  pageBytes: 64 * MEBIBYTE,
  pageValues: 4 * MEBIBYTE,
  rows: 16 * MEBIBYTE,
} as const;
/** Bytes of a page header. Most have a hundred, but statistics may have long texts. */
const HEADER_BYTES = [4 * 1024, MEBIBYTE] as const;
/** At the end of a file: the length of the footer, and `PAR1`. */
const TAIL_BYTES = 8;

/** An empty page may have no bytes, which is not a valid stream for a codec. */
const unlessEmpty =
  (inflate: (bytes: Uint8Array, length: number) => Uint8Array) =>
  (bytes: Uint8Array, length: number): Uint8Array =>
    length === 0 ? new Uint8Array() : inflate(bytes, length);

const CODECS: Compressors = {
  SNAPPY: unlessEmpty(decompressSnappy),
  GZIP: unlessEmpty((bytes, length) => gunzipSync(bytes, { maxOutputLength: length })),
  BROTLI: unlessEmpty((bytes, length) => brotliDecompressSync(bytes, { maxOutputLength: length })),
  ZSTD: unlessEmpty((bytes, length) => decompressZstd(bytes, new Uint8Array(length))),
  LZ4: unlessEmpty(decompressLz4),
  LZ4_RAW: unlessEmpty(decompressLz4Raw),
};

const bounded = (value: number, most: number, what: string): number => {
  if (!(value >= 0)) throw damaged('a page has no size');
  if (value > most) throw new OverLimit(what, String(most));
  return value;
};

const bytesAt = (fd: number, from: number, length: number): Uint8Array => {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const read = readSync(fd, bytes, at, length - at, from + at);
    if (read === 0) throw damaged('it is truncated');
    at += read;
  }
  return bytes;
};

/** Returns a page header and the position after it. */
const headerAt = (fd: number, from: number, end: number) => {
  const [usual, longest] = HEADER_BYTES;
  const tryWith = (bytes: number) => {
    const reader = { view: new DataView(bytesAt(fd, from, Math.min(bytes, end - from)).buffer), offset: 0 };
    return { header: parquetHeader(reader), at: from + reader.offset };
  };
  try {
    return tryWith(usual);
  } catch {
    return tryWith(longest);
  }
};

interface Column {
  readonly name: string;
  readonly element: SchemaElement;
  readonly text: (value: unknown) => string;
}

interface Source {
  readonly fd: number;
  readonly bytes: number;
}

/** Yields the values of a column in a row group, page by page. @param toCell converts a text to a cell */
function* pagesOf({ fd, bytes }: Source, column: Column, meta: ColumnMetaData, toCell: (text: string) => string) {
  const { type, type_length, repetition_type = 'REQUIRED', name } = column.element;
  // Values arrive as the file stores them. `text` converts them.
  const element: SchemaElement = { name, repetition_type, ...(type && { type }), ...(type_length && { type_length }) };
  const decoder = {
    ...{ pathInSchema: [name], type: meta.type, codec: meta.codec, element, compressors: CODECS, utf8: false },
    schemaPath: [{ name: 'root' }, element].map((one) => ({ element: one, children: [], count: 1, path: [] })),
    parsers: { ...DEFAULT_PARSERS, timestampFromNanoseconds: (nanos: bigint) => nanos },
  };
  const cellOf = (value: unknown): string => {
    if (value === null) return '';
    if (value === undefined) throw damaged('a page has fewer values than it says');
    return toCell(column.text(value));
  };
  const shared = (value: unknown): string => {
    if (value === null || typeof value === 'string') return value ?? '';
    throw damaged('a value is not in its dictionary');
  };
  const first = [meta.dictionary_page_offset, meta.data_page_offset].map(Number).filter((offset) => offset > 0);
  const end = Math.min(...first) + Number(meta.total_compressed_size);
  if (!(Math.min(...first) < end && end <= bytes)) throw damaged('a column is not in the file');
  let dictionary: string[] | undefined;
  for (let at = Math.min(...first); at < end; ) {
    const found = headerAt(fd, at, end);
    const { type: kind, compressed_page_size: size, uncompressed_page_size: whole, ...header } = found.header;
    const said = header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header;
    bounded(whole, MOST.pageBytes, 'parquetPageBytes');
    bounded(said?.num_values ?? 0, MOST.pageValues, 'parquetPageValues');
    at = found.at + bounded(size, end - found.at, 'parquetPageBytes');
    if (kind === 'INDEX_PAGE') continue;
    const reader = { view: new DataView(bytesAt(fd, found.at, size).buffer), offset: 0 };
    const { data = [] } = readPage(reader, found.header, decoder, dictionary, undefined, 0);
    if (kind === 'DICTIONARY_PAGE') {
      dictionary = Array.from(data, cellOf);
      continue;
    }
    // The values of a page with a dictionary are the cells of the dictionary.
    yield Array.from(data, said?.encoding.endsWith('_DICTIONARY') === true ? shared : cellOf);
  }
}

/** Returns the columns. Nested columns are refused. */
const columnsIn = ([root, ...elements]: readonly SchemaElement[]): readonly Column[] => {
  const nested = elements.find(
    (element) => element.num_children !== undefined || element.repetition_type === 'REPEATED',
  );
  if (nested !== undefined)
    throw new UnreadableFile(
      `has the nested column "${nested.name}": write a column for each of its values, or leave it out`,
    );
  if (elements.length === 0 || root?.num_children !== elements.length) throw damaged('it has no columns');
  // A damaged footer may lack what the library's type promises.
  if (elements.some(({ name }) => typeof name !== 'string')) throw damaged('a column has no name');
  return elements.map((element) => {
    const naming = <T>(work: () => T): T => {
      try {
        return work();
      } catch (error) {
        if (error instanceof UnreadableFile && error.problem.startsWith('has '))
          throw new UnreadableFile(
            `${error.problem} in the column "${element.name}": write it as text, or leave it out`,
          );
        throw error;
      }
    };
    const text = naming(() => cellTextOf(element));
    return { name: element.name, element, text: (value) => naming(() => text(value)) };
  });
};

const metadataOf = ({ fd, bytes }: Source) => {
  if (bytes < TAIL_BYTES + 4) throw damaged('it is truncated');
  const tail = bytesAt(fd, bytes - TAIL_BYTES, TAIL_BYTES);
  if (Buffer.from(tail).toString('latin1', 4) !== 'PAR1') throw damaged('it is truncated');
  const length = new DataView(tail.buffer).getUint32(0, true) + TAIL_BYTES;
  if (length > bytes) throw damaged('it is truncated');
  if (length > MOST.footerBytes) throw new OverLimit('parquetFooter', `${MOST.footerBytes} bytes`);
  return parquetMetadata(bytesAt(fd, bytes - length, length), { geoparquet: false });
};

const chunkOf = (meta: ColumnMetaData | undefined, column: Column, rows: number): ColumnMetaData => {
  if (meta === undefined) throw new UnreadableFile('is encrypted: write it without encryption');
  if (meta.codec !== 'UNCOMPRESSED' && CODECS[meta.codec] === undefined)
    throw new UnreadableFile(
      `is compressed with ${meta.codec ?? 'an unknown codec'}: write it with ${Object.keys(CODECS).join(', ')} or without compression`,
    );
  if (meta.type !== column.element.type || Number(meta.num_values) !== rows) throw damaged('its parts do not fit');
  return meta;
};

const NOTHING: readonly string[] = [];

function* rowsOf(source: Source, toCell: (text: string) => string): Generator<readonly string[]> {
  const { schema, row_groups: groups } = metadataOf(source);
  const columns = columnsIn(schema);
  const all = groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  if (all > MOST.rows) throw new OverLimit('parquetRows', String(MOST.rows));
  yield columns.map(({ name }) => toCell(name));
  for (const group of groups) {
    const rows = Number(group.num_rows);
    if (group.columns.length !== columns.length) throw damaged('its parts do not fit');
    const cursors = columns.map((column, index) => {
      const chunk = group.columns[index];
      if (chunk?.file_path !== undefined) throw new UnreadableFile('is only the index of other Parquet files');
      return { pages: pagesOf(source, column, chunkOf(chunk?.meta_data, column, rows), toCell), page: NOTHING, at: 0 };
    });
    for (let row = 0; row < rows; row += 1)
      yield cursors.map((cursor) => {
        while (cursor.at >= cursor.page.length) {
          const next = cursor.pages.next();
          if (next.done === true) throw damaged('a column has fewer rows than others');
          cursor.page = next.value;
          cursor.at = 0;
        }
        const cell = cursor.page[cursor.at] ?? '';
        cursor.at += 1;
        return cell;
      });
  }
}

/**
 * Yields the rows of a file, with the names of its columns first.
 * @param toCell converts a text to a cell. It is called once for a text that many rows share
 * @throws {UnreadableFile} or {OverLimit}
 */
export function* parquetRows(source: Source, toCell: (text: string) => string): Generator<readonly string[]> {
  try {
    yield* rowsOf(source, toCell);
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile(`is a damaged Parquet file: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}
