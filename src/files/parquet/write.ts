/**
 * Converts the service's own CSV to Parquet while reading it. Rows are collected into a page of each column, and pages into
 * a row group. A page is packed as soon as it is full, so memory is small and does not grow with the rows. An empty cell is
 * null. Large buffers that live long would also make V8 mark the whole heap again and again, which delays quotes.
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

/** The last slice of a page may exceed these. A page of a column takes a fraction of a millisecond. */
const PAGE = { rows: 8_192, bytes: 8 * 1024 * 1024 } as const;
/** A row group ends with the page that reaches one of these. It is kept in memory, packed. */
const GROUP = { rows: 65_536, bytes: 8 * 1024 * 1024 } as const;
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

interface Page {
  /** With its header. */
  readonly bytes: Uint8Array;
  readonly unpacked: number;
}

const packed = promisify(gzip);

const packPage = async (content: Buffer, rows: number): Promise<Page> => {
  const body = await packed(content, { level: 1 });
  const writer = new ByteWriter();
  writePageHeader(writer, {
    ...{ type: 'DATA_PAGE', uncompressed_page_size: content.length, compressed_page_size: body.length },
    data_page_header: {
      ...{ num_values: rows, encoding: 'PLAIN' },
      ...{ definition_level_encoding: 'RLE', repetition_level_encoding: 'RLE' },
    },
  });
  const header = writer.getBytes();
  return { bytes: Buffer.concat([header, body]), unpacked: header.length + content.length };
};

/** Collects the cells of a column. @param mostRows maximum number of rows of a page */
const createColumn = (kind: ParquetKind, mostRows: number) => {
  const levels = new Uint8Array(mostRows);
  let bytes = Buffer.allocUnsafe(256);
  let at = 0;
  let pages: Page[] = [];
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
      return at - before;
    },
    /** Ends a page. @returns its packed length */
    pack: async (rows: number): Promise<number> => {
      const writer = new ByteWriter();
      const length = writeRleBitPackedHybrid(writer, levels.subarray(0, rows), 1);
      const head = Buffer.alloc(4);
      head.writeUInt32LE(length);
      const page = await packPage(Buffer.concat([head, writer.getBytes(), bytes.subarray(0, at)]), rows);
      at = 0;
      pages.push(page);
      return page.bytes.length;
    },
    /** Returns the pages, and begins the next row group. */
    take: (): readonly Page[] => {
      const taken = pages;
      pages = [];
      return taken;
    },
  };
};
type Column = ReturnType<typeof createColumn>;

/** Writes the row groups one after the other. */
const createGroups = (columns: readonly Column[]) => {
  const groups: RowGroup[] = [];
  let offset = MAGIC.length;
  return {
    /** Yields the bytes of the packed pages as the next row group. */
    *write(rows: number, names: readonly string[]): Generator<Uint8Array> {
      const chunks: ColumnChunk[] = [];
      for (const [index, { kind, take }] of columns.entries()) {
        const first = offset;
        let whole = 0;
        for (const { bytes, unpacked } of take()) {
          yield bytes;
          offset += bytes.length;
          whole += unpacked;
        }
        chunks.push({
          file_offset: BigInt(first),
          meta_data: {
            ...{ type: ELEMENTS[kind].type, encodings: ['PLAIN', 'RLE'], codec: 'GZIP' },
            ...{ path_in_schema: [must(names[index], 'a column')], num_values: BigInt(rows) },
            total_uncompressed_size: BigInt(whole),
            total_compressed_size: BigInt(offset - first),
            data_page_offset: BigInt(first),
          },
        });
      }
      const total = chunks.reduce((sum, { meta_data: meta }) => sum + (meta?.total_uncompressed_size ?? 0n), 0n);
      groups.push({ columns: chunks, total_byte_size: total, num_rows: BigInt(rows) });
    },
    /** Returns the footer and the end of the file. */
    footer: (names: readonly string[]): Uint8Array => {
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
  // In addition to its own rows, a slice may end one row and begin another.
  const columns = kinds.map((kind) => createColumn(kind, PAGE.rows + Math.ceil(SLICE.cells / kinds.length) + 1));
  const groups = createGroups(columns);
  let header: readonly string[] | undefined;
  const page = { rows: 0, bytes: 0 };
  const group = { rows: 0, bytes: 0 };
  const sink = rowSink((cells) => {
    if (header === undefined) {
      header = namesOf(cells.map((cell) => decodeText(cellValue(cell))));
      return;
    }
    for (const [index, column] of columns.entries()) page.bytes += column.add(page.rows, cellValue(cells[index] ?? ''));
    page.rows += 1;
  });
  const names = (): readonly string[] => must(header, 'the header of the output');
  const endPage = async (): Promise<void> => {
    for (const column of columns) {
      group.bytes += await column.pack(page.rows);
      await turn();
    }
    group.rows += page.rows;
    Object.assign(page, { rows: 0, bytes: 0 });
  };
  function* endGroup(): Generator<Uint8Array> {
    yield* groups.write(group.rows, names());
    Object.assign(group, { rows: 0, bytes: 0 });
  }
  yield MAGIC;
  for await (const _ of eachSlice(csv, sink)) {
    if (page.rows < PAGE.rows && page.bytes < PAGE.bytes) continue;
    await endPage();
    if (group.rows >= GROUP.rows || group.bytes >= GROUP.bytes) yield* endGroup();
  }
  if (page.rows > 0) await endPage();
  if (group.rows > 0) yield* endGroup();
  yield groups.footer(names());
}
