/** Parquet files of one column made page by page, so that an attack can choose each part. */
import { gzipSync } from 'node:zlib';
import type { CompressionCodec, PageHeader, ParquetType } from 'hyparquet';
import { ByteWriter, parquetWriteBuffer } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';

export const PARQUET = 'application/vnd.apache.parquet';

const HEADER = ['warehouse_id', 'postalCode', 'weight_value', 'weight_units'];
/** A list of valid rows, as the library writes it. */
export const goodList = (rows: number, codec: CompressionCodec = 'SNAPPY'): Buffer => {
  const cells = ['101', '02139', '2', 'LB'];
  const columnData = HEADER.map((name, at) => ({ name, data: Array<unknown>(rows).fill(cells[at]) }));
  return Buffer.from(parquetWriteBuffer({ columnData, codec, compressors: { GZIP: (bytes) => gzipSync(bytes) } }));
};

interface Page {
  readonly header: Partial<PageHeader>;
  /** As they are in the file. */
  readonly bytes: Uint8Array;
}

export interface Column {
  readonly pages: readonly Page[];
  readonly rows: number;
  readonly codec?: CompressionCodec;
  readonly type?: ParquetType;
  readonly isOptional?: boolean;
  readonly rowGroups?: number;
}

/** What a page with values holds. @param values that it says it has */
export const dataPage = (values: number, encoding: 'PLAIN' | 'RLE_DICTIONARY' = 'PLAIN'): Partial<PageHeader> => ({
  type: 'DATA_PAGE',
  data_page_header: {
    ...{ num_values: values, encoding },
    ...{ definition_level_encoding: 'RLE', repetition_level_encoding: 'RLE' },
  },
});
export const dictionaryPage = (values: number): Partial<PageHeader> => ({
  type: 'DICTIONARY_PAGE',
  dictionary_page_header: { num_values: values, encoding: 'PLAIN' },
});

/** A text as a page holds it. */
export const plain = (text: string | Buffer): Buffer => {
  const bytes = Buffer.from(text);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(bytes.length);
  return Buffer.concat([head, bytes]);
};

/** A run of one value of a byte, however often. */
export const run = (times: number, value: number): Buffer => {
  const writer = new ByteWriter();
  writer.appendVarInt(times << 1);
  writer.appendUint8(value);
  return Buffer.from(writer.getBytes());
};

export const parquetOf = (column: Column): Buffer => {
  const { pages, rows, codec = 'UNCOMPRESSED', type = 'BYTE_ARRAY', isOptional = false, rowGroups = 1 } = column;
  const writer = new ByteWriter();
  writer.appendBytes(Buffer.from('PAR1'));
  for (const { header, bytes } of pages) {
    const sizes = { uncompressed_page_size: bytes.length, compressed_page_size: bytes.length };
    writePageHeader(writer, { type: 'DATA_PAGE', ...sizes, ...header });
    writer.appendBytes(bytes);
  }
  const size = BigInt(writer.offset - 4);
  const meta_data = {
    ...{ type, encodings: [], path_in_schema: ['postalCode'], codec, num_values: BigInt(rows) },
    ...{ total_uncompressed_size: size, total_compressed_size: size, data_page_offset: 4n },
  };
  const group = { columns: [{ file_offset: 4n, meta_data }], total_byte_size: size, num_rows: BigInt(rows) };
  writeMetadata(writer, {
    ...{ version: 1, num_rows: BigInt(rows), metadata_length: 0, row_groups: Array(rowGroups).fill(group) },
    schema: [
      { name: 'root', num_children: 1 },
      { name: 'postalCode', type, repetition_type: isOptional ? 'OPTIONAL' : 'REQUIRED' },
    ],
  });
  writer.appendBytes(Buffer.from('PAR1'));
  return Buffer.from(writer.getBytes());
};

/** One text that all rows share. */
export const sharedText = (bytes: number, rows: number): Buffer =>
  parquetOf({
    rows,
    pages: [
      { header: dictionaryPage(1), bytes: plain('x'.repeat(bytes)) },
      // The width of an index, then a run of the first one.
      { header: dataPage(rows, 'RLE_DICTIONARY'), bytes: Buffer.concat([Buffer.from([1]), run(rows, 0)]) },
    ],
  });

/** A page of a few bytes that inflates. @param said the size that its header has */
export const inflating = (bytes: number, said: number): Buffer =>
  parquetOf({
    ...{ rows: 1, codec: 'GZIP' },
    pages: [{ header: { ...dataPage(1), uncompressed_page_size: said }, bytes: gzipSync(Buffer.alloc(bytes)) }],
  });

/** Levels of a run that is longer than the page. */
export const longRun = (times: number): Buffer =>
  parquetOf({ rows: 8, isOptional: true, pages: [{ header: dataPage(8), bytes: plain(run(times, 0)) }] });

/** Pages of empty rows, in row groups that all are the same bytes. */
export const emptyRows = (rows: number, rowGroups: number): Buffer =>
  parquetOf({ rows, rowGroups, isOptional: true, pages: [{ header: dataPage(rows), bytes: plain(run(rows, 0)) }] });

/** A footer of this many bytes. */
export const hugeFooter = (bytes: number): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes);
  return Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(bytes, 0x19), length, Buffer.from('PAR1')]);
};
