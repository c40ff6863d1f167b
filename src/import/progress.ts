/** How far an import has read its files. */
import { z } from 'zod';

export const readingProgress = z.object({
  /** Number of files that have been read. */
  read: z.int(),
  of: z.int(),
  /** Names of the files that are being read. */
  reading: z.array(z.string()).default([]),
  /** Names of the files that wait for an operator to enter their origin. */
  waiting: z.array(z.string()).default([]),
});
export type ReadingProgress = Readonly<z.output<typeof readingProgress>>;
