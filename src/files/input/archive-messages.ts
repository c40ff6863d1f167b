/** The messages of the process that reads an archive: its task, and the header that it writes before the list. */
import { z } from 'zod';

export interface ArchiveTask {
  /** A sheet's name, or its number from 1; by default the first visible one that looks like a list. */
  readonly sheet?: string | undefined;
  /** The size of the archive. */
  readonly fileBytes: number;
  /** The limit for the list. */
  readonly mostBytes: number;
  /** The limit for a row. */
  readonly mostRowBytes: number;
}

export const archiveListSchema = z.discriminatedUnion('kind', [
  /** CSV (comma, LF, UTF-8) made from a sheet. `others` has the other visible sheets, `sheets` all that can be chosen. */
  z.object({ kind: z.literal('workbook'), sheet: z.string(), others: z.string(), sheets: z.array(z.string()) }),
  /** CSV of the same form, made from the columns of a Parquet file. */
  z.object({ kind: z.literal('columns') }),
  /** A text file, unchanged. */
  z.object({ kind: z.literal('text') }),
]);
export type ArchiveList = z.output<typeof archiveListSchema>;
