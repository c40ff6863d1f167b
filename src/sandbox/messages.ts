/** What a confined process says last, on its standard error, as one line of JSON. Nothing is said where it succeeds. */
import { z } from 'zod';

export const lastWords = z.union([
  /** What is wrong with the file. */
  z.object({ problem: z.string() }),
  z.object({ limit: z.string(), most: z.string() }),
  /** A bug of ours. */
  z.object({ failure: z.string() }),
]);
export type LastWords = z.output<typeof lastWords>;
