/**
 * `?output=excel`: the output as Excel opens it by a double click, with a byte-order mark, so that it is read as UTF-8,
 * and the separator that the list came with, which is the one of its writer's country.
 */
import { Readable } from 'node:stream';
import { type CellSink, mapCells } from '../csv/map-rows.ts';
import type { Dialect } from '../csv/scanner.ts';
import { CSV_TYPE, type OutputFile } from './output.ts';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Cells that are quoted in the output are so in any dialect; others are quoted if they hold the separator. */
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

/** @param delimiter of the list that the batch was made of */
export const excelFile = (file: OutputFile, delimiter: Dialect['delimiter']): OutputFile => {
  const rows = delimiter === ',' ? file.content : mapCells(file.content, separatedBy(delimiter));
  async function* marked(): AsyncGenerator<Buffer> {
    yield BYTE_ORDER_MARK;
    for await (const bytes of rows) yield Buffer.from(bytes);
  }
  const sized = delimiter === ',' && file.bytes !== undefined ? { bytes: file.bytes + BYTE_ORDER_MARK.length } : {};
  return { ...sized, mediaType: CSV_TYPE, content: Readable.from(marked(), { objectMode: false }) };
};
