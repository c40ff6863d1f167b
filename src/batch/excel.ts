/**
 * `?output=excel`: the output as Excel opens it by a double click, with a byte-order mark, so that it is read as UTF-8,
 * and the separator that the list came with, which is the one of its writer's country.
 */
import { Readable } from 'node:stream';
import { mapRows } from '../list/row-stream.ts';
import type { Dialect, ScannedRow } from '../list/scanner.ts';
import { CSV_TYPE, type OutputFile } from './output.ts';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

const separatedBy =
  (delimiter: Dialect['delimiter']) =>
  (text: string, row: ScannedRow): string => {
    // A cell that is quoted in the output is so in any dialect.
    const needsQuotes = (raw: string): boolean => raw.includes(delimiter) || /[,\r\n]/.test(raw);
    let line = '';
    for (let at = 0; at < row.cells; at++) {
      const raw = text.slice(row.starts[at], row.ends[at]);
      const cell = needsQuotes(raw) && !raw.startsWith('"') ? `"${raw}"` : raw;
      line += at === 0 ? cell : `${delimiter}${cell}`;
    }
    return `${line}\n`;
  };

/** @param delimiter of the list that the batch was made of */
export const excelFile = (file: OutputFile, delimiter: Dialect['delimiter']): OutputFile => {
  const rows = delimiter === ',' ? file.content : mapRows(file.content, separatedBy(delimiter));
  async function* marked(): AsyncGenerator<Buffer> {
    yield BYTE_ORDER_MARK;
    for await (const bytes of rows) yield Buffer.from(bytes);
  }
  const sized = delimiter === ',' && file.bytes !== undefined ? { bytes: file.bytes + BYTE_ORDER_MARK.length } : {};
  return { ...sized, mediaType: CSV_TYPE, content: Readable.from(marked(), { objectMode: false }) };
};
