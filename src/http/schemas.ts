/** Bodies that more than one call answers, and messages to webhooks. Shapes: service specification; contract, HTTP. */
import { z } from 'zod';
import { batchSchema, comparisonSchema } from '../batch/view.ts';
import { faultSchema } from '../rating/quote.ts';

/** The status in the body of an answer. */
export const status = z.literal(200).meta({ description: 'The HTTP status.' });

export const errorBody = z.object({
  code: z.int().meta({ description: 'The HTTP status.' }),
  fault: faultSchema,
  header: z.array(z.string()).optional().meta({
    description:
      'The first hundred column names of the list, if a preview is refused because their meaning is unclear.',
  }),
});

export const oauthErrorBody = errorBody.extend({
  error: z.enum([
    'invalid_request',
    'invalid_client',
    'unsupported_grant_type',
    'invalid_scope',
    'unauthorized_client',
  ]),
  error_description: z.string(),
});

/** The message to a webhook about a batch. */
export const batchEnded = z.object({
  type: z.enum(['batch.completed', 'batch.failed', 'batch.cancelled']),
  timestamp: z.iso.datetime().meta({ description: 'When it ended.' }),
  data: batchSchema,
});

/** The message to a webhook about a comparison. */
export const comparisonEnded = z.object({
  type: z.enum(['comparison.completed', 'comparison.failed', 'comparison.cancelled']),
  timestamp: z.iso.datetime().meta({ description: 'When it ended.' }),
  data: comparisonSchema,
});
