/** Bodies that more than one call answers, and messages to webhooks. Shapes: service specification; contract, HTTP. */
import { z } from 'zod';
import type { Kind } from '../batch/ids.ts';
import { batchSchema, comparisonSchema } from '../batch/view.ts';
import { faultSchema } from '../rating/quote.ts';
import { OAUTH_ERRORS } from './faults.ts';

/** The status in the body of an answer. */
export const status = z.literal(200).describe('The HTTP status.');

export const errorBody = z.object({
  code: z.int().describe('The HTTP status.'),
  fault: faultSchema,
  header: z
    .array(z.string())
    .optional()
    .describe('The first hundred column names of the list, if a preview is refused because their meaning is unclear.'),
});

export const oauthErrorBody = errorBody.extend({
  error: z.enum(OAUTH_ERRORS),
  error_description: z.string(),
});

/** The message to a webhook about the end of a batch or a comparison. */
const endOf = <K extends Kind, D extends z.ZodType>(kind: K, data: D) =>
  z.object({
    type: z.enum([`${kind}.completed`, `${kind}.failed`, `${kind}.cancelled`] as const),
    timestamp: z.iso.datetime().describe('When it ended.'),
    data,
  });

export const batchEnded = endOf('batch', batchSchema);
export const comparisonEnded = endOf('comparison', comparisonSchema);
