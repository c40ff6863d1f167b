/** The operations in the OpenAPI document, and the messages to webhooks. */
import type { z } from 'zod';
import type { Call } from '../call.ts';
import type { Media } from '../operation.ts';
import { API_CALLS } from '../operations.ts';
import { batchEnded, comparisonEnded } from '../schemas.ts';
import { COMPARISON_ENDED } from './comparison-examples.ts';
import { BATCH_ENDED } from './examples.ts';
import type { Described } from './operation.ts';

/** In the order of the table. */
export const describedOperations = (): Described[] =>
  Object.entries<Call<never>>(API_CALLS).flatMap(([id, { doc, query, ...call }]) =>
    doc === undefined ? [] : [{ ...call, query, ...doc, id }],
  );

/** A message that clients receive, with the headers of the Standard Webhooks specification. */
export interface WebhookMessage {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: readonly Media[];
  /** The meaning of the receiver's answer, by status. */
  readonly answers: Readonly<Record<string, string>>;
}

/** A message about the end of a batch or a comparison. */
const endOf = (
  message: Pick<WebhookMessage, 'id' | 'summary' | 'description'>,
  schema: z.ZodType,
  example: unknown,
): WebhookMessage => ({
  ...message,
  headers: {
    'webhook-id': 'The id of the message, which is the same for each attempt.',
    'webhook-timestamp': 'When this attempt was made, in seconds since 1970.',
    'webhook-signature':
      '`v1,` and the base64 HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}`. The key is the part of the signing secret after `whsec_`, decoded from base64.',
  },
  content: [{ type: 'application/json', schema, example }],
  answers: {
    '2XX': 'The message was received.',
    '410': 'The receiver no longer exists. The message is not sent again.',
    default: 'The service retries for a day. It does not follow redirects. The answer must begin within 15 seconds.',
  },
});

export const WEBHOOK_MESSAGES: readonly WebhookMessage[] = [
  endOf(
    {
      id: 'batchEnded',
      summary: 'A batch has ended',
      description: 'Sent to the client’s webhook each time a batch or a revision of it ends.',
    },
    batchEnded,
    BATCH_ENDED,
  ),
  endOf(
    {
      id: 'comparisonEnded',
      summary: 'A comparison has ended',
      description: 'Sent to the client’s webhook each time a comparison ends.',
    },
    comparisonEnded,
    COMPARISON_ENDED,
  ),
];
