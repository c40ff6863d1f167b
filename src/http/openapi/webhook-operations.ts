/** The operations of webhooks, and the messages that clients receive, as the document has them. */
import { z } from 'zod';
import { delivery } from '../../webhook/deliveries.ts';
import { DELIVERIES_PATH, deliveriesQuery } from '../deliveries.ts';
import { batchEnded } from './batch-schemas.ts';
import { BATCH_ENDED, DELIVERIES } from './examples.ts';
import type { Media, Operation } from './operation.ts';

export const webhookOperations: readonly Operation[] = [
  {
    method: 'get',
    path: DELIVERIES_PATH,
    id: 'listDeliveries',
    tag: 'Webhooks',
    summary: 'Look at the attempts to reach the client’s webhook',
    description:
      'Newest first, of the last seven days. When a batch has ended, the client’s webhook is sent `batch.completed`, `batch.failed` or `batch.cancelled` with the batch as `data`, signed as the Standard Webhooks specification says, and tried again for a day where it does not answer with 2xx.',
    caller: 'batch',
    query: deliveriesQuery,
    success: {
      status: 200,
      description: 'They, and what came back.',
      content: [{ type: 'application/json', schema: z.object({ deliveries: z.array(delivery) }), example: DELIVERIES }],
    },
    faults: ['getRates.invalidRequest', 'service.unavailable'],
    limited: true,
  },
];

/** A message that clients receive, with the headers of the Standard Webhooks specification. */
export interface WebhookMessage {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: readonly Media[];
  /** What the receiver's answer means, by its status. */
  readonly answers: Readonly<Record<string, string>>;
}

export const WEBHOOK_MESSAGES: readonly WebhookMessage[] = [
  {
    id: 'batchEnded',
    summary: 'A batch has ended',
    description: 'Sent to the client’s webhook at each end of its batches, also of each revision.',
    headers: {
      'webhook-id': 'Id of the message: the same at each attempt.',
      'webhook-timestamp': 'When this attempt was made, in seconds since 1970.',
      'webhook-signature':
        '`v1,` and the HMAC-SHA-256, in base64, of `{webhook-id}.{webhook-timestamp}.{body}` with the key of the signing secret: what follows its `whsec_`, from base64.',
    },
    content: [{ type: 'application/json', schema: batchEnded, example: BATCH_ENDED }],
    answers: {
      '2XX': 'The message has arrived.',
      '410': 'The receiver is gone for good: this message is not tried again.',
      default: 'It is tried again for a day. Redirects are not followed; an answer must begin within 15 seconds.',
    },
  },
];
