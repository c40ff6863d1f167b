/** How far an import has come with its files. */
import { z } from 'zod';

export const readingProgress = z.object({
  /** Files that have been read, of all. */
  read: z.int(),
  of: z.int(),
  /** Names of those that are being read. */
  reading: z.array(z.string()).default([]),
  /** Names of those that wait until somebody says their origin. */
  waiting: z.array(z.string()).default([]),
});
export type ReadingProgress = Readonly<z.output<typeof readingProgress>>;
