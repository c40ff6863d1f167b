/** What is asked of the process that reads an archive, and what it says before the list. */
import { z } from 'zod';

export interface ArchiveTask {
  /** A sheet's name, else its number from 1; the first that is shown if absent. */
  readonly sheet?: string | undefined;
  /** Of the archive. */
  readonly fileBytes: number;
  /** Of the list, and of a row. */
  readonly mostBytes: number;
  readonly mostRowBytes: number;
}

export const archiveListSchema = z.discriminatedUnion('kind', [
  /** CSV (comma, LF, UTF-8), of the sheet; `others` lists the other sheets that are shown. */
  z.object({ kind: z.literal('workbook'), sheet: z.string(), others: z.string() }),
  /** Text as it came. */
  z.object({ kind: z.literal('text') }),
]);
export type ArchiveList = z.output<typeof archiveListSchema>;
