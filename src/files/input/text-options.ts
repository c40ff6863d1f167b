/** Options for reading a file as text. */
import type { Encoding } from '../csv/encoding.ts';
import type { Dialect } from '../csv/scanner.ts';

/** Problems of a file or of its options, by the name of the option or field. */
export type Problems = Readonly<Record<string, string>>;

/** The last row that can be the header. */
export const MOST_HEADER_ROW = 100;

/** Length of what follows the list of a workbook: JSON with spaces. */
export const SHEET_END_BYTES = 16_384;

/** Undefined options are detected. */
export interface TextOptions {
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: Dialect['delimiter'] | undefined;
  /** `none`: quotes are ordinary text. */
  readonly quotes?: Dialect['quotes'];
  /** The name or number of a workbook's sheet. */
  readonly sheet?: string | undefined;
  /** The number of the header row, from 1. Undefined: the first row that is not blank. */
  readonly headerRow?: number | undefined;
}
