/** What reading a file as text takes from its caller. */
import type { Encoding } from '../csv/encoding.ts';
import type { Dialect } from '../csv/scanner.ts';

/** What is wrong with a file or with its options, by the name of the option or field. */
export type Problems = Readonly<Record<string, string>>;

/** The last row that can be the header. */
export const MOST_HEADER_ROW = 100;

/** Whatever is absent is detected. */
export interface TextOptions {
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: Dialect['delimiter'] | undefined;
  /** `none`: a quote is text like any other. */
  readonly quotes?: Dialect['quotes'];
  /** The name or number of a workbook's sheet. */
  readonly sheet?: string | undefined;
}
