/** Reads the CSVs of carriers and operators. */
import { type Options, parse } from 'csv-parse/sync';
import { RefusedFile } from './reader.ts';

const MAX_RECORD_BYTES = 64 * 1024;
const SEPARATORS = [',', ';', '\t'];

export const countOf = (mark: string, text: string): number => text.split(mark).length;

/** The separator that most cells have around them. */
export const separatorOf = (text: string): string =>
  SEPARATORS.reduce((best, mark) => (countOf(mark, text) > countOf(best, text) ? mark : best));

/**
 * The records of a CSV, which may differ in length.
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
