/** `?format=parquet`: the output as Parquet. It has the rows and columns of the CSV. It is written while it is sent. */
import { type ParquetKind, parquetFile } from '../../files/parquet/write.ts';
import { numberedNames } from '../../lists/columns/fields.ts';
import type { BatchDocument } from '../records.ts';
import { addedTo, kindOfAdded, type OutputFile } from './output.ts';

export const PARQUET_TYPE = 'application/vnd.apache.parquet';

/** The columns of an output: the number of the list's own, which are text, and the names of the added ones. */
export interface OutputColumns {
  readonly own: number;
  readonly added: readonly string[];
  readonly isComparison: boolean;
}

/** @param csv the output with its header */
export const parquetOf = (
  csv: AsyncIterable<Uint8Array>,
  { own, added, isComparison }: OutputColumns,
): AsyncGenerator<Uint8Array> => {
  const kinds = Array<ParquetKind>(own).fill('text');
  return parquetFile(csv, [...kinds, ...added.map((name) => kindOfAdded(name, isComparison))], numberedNames);
};

export const parquetOutput = (document: BatchDocument, { content }: OutputFile): OutputFile => {
  const { columns, comparison } = document;
  const described = { own: columns.passed.length, added: addedTo(document), isComparison: comparison !== undefined };
  return { mediaType: PARQUET_TYPE, content: parquetOf(content, described) };
};
