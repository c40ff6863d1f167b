/**
 * Converts the service's own CSV to Parquet while reading it. Rows are collected into a row group. Its columns are then
 * packed one after the other, page by page, so memory does not grow with the rows. An empty cell is null.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ColumnChunk, FileMetaData, RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { must } from '../../base/must.ts';
import { turn } from '../../base/time-slices.ts';
import { cellValue, decodeText } from '../csv/cell.ts';
import { eachSlice, rowSink, SLICE } from '../csv/map-rows.ts';

/** Content of a column: `money` is dollars with two decimals, `count` whole numbers, `date` days. */
export type ParquetKind = 'text' | 'money' | 'count' | 'date';

/** A row group ends with the slice that reaches one of these. It has fewer rows if there are many columns. */
const MOST = { bytes: 16 * 1024 * 1024, rows: 65_536, cells: 4_000_000 } as const;
/** A page takes a fraction of a millisecond, so that other requests do not wait for it. */
const PAGE_ROWS = 8_192;
const MAGIC = Buffer.from('PAR1');
const DAY_MS = 86_400_000;

const ELEMENTS = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  money: {
    ...{ type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 2 },
    logical_type: { type: 'DECIMAL', precision: 18, scale: 2 },
  },
  count: { type: 'INT64' },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
} as const satisfies Record<ParquetKind, Omit<SchemaElement, 'name'>>;

const FORMS = { money: /^-?\d{1,16}\.\d{2}$/, count: /^-?\d{1,18}$/, date: /^\d{4}-\d{2}-\d{2}$/ } as const;

/** Collects the cells of a column. @param mostRows maximum number of rows of a row group */
const createColumn = (kind: ParquetKind, mostRows: number) => {
  const levels = new Uint8Array(mostRows);
  let bytes = Buffer.allocUnsafe(256);
  let at = 0;
  /** Where each full page ends. */
  const ends: number[] = [];
  const reserve = (length: number): void => {
    if (at + length <= bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, at + length));
    bytes.copy(larger, 0, 0, at);
    bytes = larger;
  };
  /** @param value the scanner's text */
  const write = (value: string): void => {
    reserve(value.length + 8);
    if (kind === 'text') {
      at = bytes.writeUInt32LE(value.length, at);
      at += bytes.write(value, at, 'latin1');
      return;
    }
    if (!FORMS[kind].test(value)) throw new Error(`The output has ${value} in a column of ${kind}.`);
    if (kind === 'date') at = bytes.writeInt32LE(Date.parse(`${value}T00:00:00Z`) / DAY_MS, at);
    else at = bytes.writeBigInt64LE(BigInt(value.replace('.', '')), at);
  };
  return {
    kind,
    /** @returns the number of bytes added */
    add: (row: number, value: string): number => {
      const before = at;
      levels[row] = value === '' ? 0 : 1;
      if (value !== '') write(value);
      if ((row + 1) % PAGE_ROWS === 0) ends.push(at);
      return at - before;
    },
    /** Returns the contents of the pages with all values, and begins the next row group. */
    *pages(rows: number): Generator<{ readonly rows: number; readonly page: Buffer }> {
      let start = 0;
      for (let from = 0; from < rows; from += PAGE_ROWS) {
        const to = Math.min(rows, from + PAGE_ROWS);
        const end = ends.shift() ?? at;
        const writer = new ByteWriter();
        const length = writeRleBitPackedHybrid(writer, levels.subarray(from, to), 1);
        const head = Buffer.alloc(4);
        head.writeUInt32LE(length);
        yield { rows: to - from, page: Buffer.concat([head, writer.getBytes(), bytes.subarray(start, end)]) };
        start = end;
      }
      at = 0;
    },
  };
};
type Column = ReturnType<typeof createColumn>;

const packed = promisify(gzip);

const headerOf = (rows: number, whole: number, size: number): Uint8Array => {
  const writer = new ByteWriter();
  writePageHeader(writer, {
    ...{ type: 'DATA_PAGE', uncompressed_page_size: whole, compressed_page_size: size },
    data_page_header: {
      ...{ num_values: rows, encoding: 'PLAIN' },
      ...{ definition_level_encoding: 'RLE', repetition_level_encoding: 'RLE' },
    },
  });
  return writer.getBytes();
};

/** Returns the footer and the end of the file. */
const footerOf = (columns: readonly Column[], names: readonly string[], groups: RowGroup[]): Uint8Array => {
  const writer = new ByteWriter();
  const schema = columns.map(({ kind }, index): SchemaElement => {
    return { name: must(names[index], 'a column'), repetition_type: 'OPTIONAL', ...ELEMENTS[kind] };
  });
  const metadata: Omit<FileMetaData, 'metadata_length'> = {
    ...{ version: 1, created_by: 'shipping-rates', row_groups: groups },
    num_rows: groups.reduce((sum, group) => sum + group.num_rows, 0n),
    schema: [{ name: 'schema', num_children: schema.length }, ...schema],
  };
  writeMetadata(writer, { ...metadata, metadata_length: 0 });
  return Buffer.concat([writer.getBytes(), MAGIC]);
};

/** Collects the rows of a row group. */
const createGroup = (kinds: readonly ParquetKind[]) => {
  const mostRows = Math.max(1, Math.min(MOST.rows, Math.floor(MOST.cells / kinds.length)));
  // In addition to its own rows, a slice may end one row and begin another.
  const columns = kinds.map((kind) => createColumn(kind, mostRows + Math.ceil(SLICE.cells / kinds.length) + 1));
  let names: readonly string[] | undefined;
  let [rows, bytes] = [0, 0];
  const sink = rowSink((cells) => {
    if (names === undefined) names = cells.map((cell) => decodeText(cellValue(cell)));
    else {
      for (const [index, column] of columns.entries()) bytes += column.add(rows, cellValue(cells[index] ?? ''));
      rows += 1;
    }
  });
  return {
    columns,
    sink,
    names: () => must(names, 'the header of the output'),
    rows: () => rows,
    isFull: () => rows >= mostRows || bytes >= MOST.bytes,
    clear: () => {
      rows = 0;
      bytes = 0;
    },
  };
};

/**
 * @param csv the CSV with its header
 * @param kinds the kinds of its columns
 * @param namesOf returns the names in the file for the names of the header
 */
export async function* parquetFile(
  csv: AsyncIterable<Uint8Array>,
  kinds: readonly ParquetKind[],
  namesOf: (header: readonly string[]) => readonly string[],
): AsyncGenerator<Uint8Array> {
  const group = createGroup(kinds);
  const groups: RowGroup[] = [];
  let offset = MAGIC.length;
  async function* packGroup(): AsyncGenerator<Uint8Array> {
    const rows = group.rows();
    const chunks: ColumnChunk[] = [];
    let total = 0;
    for (const [index, column] of group.columns.entries()) {
      const first = offset;
      let whole = 0;
      for (const { rows: ofPage, page } of column.pages(rows)) {
        const body = await packed(page, { level: 1 });
        const header = headerOf(ofPage, page.length, body.length);
        yield header;
        yield body;
        offset += header.length + body.length;
        whole += header.length + page.length;
        await turn();
      }
      chunks.push({
        file_offset: BigInt(first),
        meta_data: {
          ...{ type: ELEMENTS[column.kind].type, encodings: ['PLAIN', 'RLE'], codec: 'GZIP' },
          ...{ path_in_schema: [must(names()[index], 'a column')], num_values: BigInt(rows) },
          total_uncompressed_size: BigInt(whole),
          total_compressed_size: BigInt(offset - first),
          data_page_offset: BigInt(first),
        },
      });
      total += whole;
    }
    groups.push({ columns: chunks, total_byte_size: BigInt(total), num_rows: BigInt(rows) });
    group.clear();
  }
  let given: readonly string[] | undefined;
  const names = (): readonly string[] => {
    given ??= namesOf(group.names());
    return given;
  };
  yield MAGIC;
  for await (const _ of eachSlice(csv, group.sink)) if (group.isFull()) yield* packGroup();
  if (group.rows() > 0) yield* packGroup();
  yield footerOf(group.columns, names(), groups);
}
