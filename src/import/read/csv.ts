/** Reads CSVs from carriers and operators. */
import { type Options, parse } from 'csv-parse/sync';
import { RefusedFile } from './reader.ts';

const MAX_RECORD_BYTES = 64 * 1024;
const SEPARATORS = [',', ';', '\t'];

export const countOf = (mark: string, text: string): number => text.split(mark).length;

/** The most frequent separator. */
export const separatorOf = (text: string): string =>
  SEPARATORS.reduce((best, mark) => (countOf(mark, text) > countOf(best, text) ? mark : best));

/**
 * Reads the records of a CSV. Their lengths may differ.
 * @param content text, or bytes that must be UTF-8
 * @throws RefusedFile if it is not CSV
 */
export const csvRecords = (content: string | Uint8Array, options: Options<string[]> = {}): string[][] => {
  try {
    const text = typeof content === 'string' ? content : new TextDecoder('utf-8', { fatal: true }).decode(content);
    return parse(text, { relax_column_count: true, max_record_size: MAX_RECORD_BYTES, ...options });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RefusedFile(`it cannot be read as CSV: ${reason}`, { cause: error });
  }
};
