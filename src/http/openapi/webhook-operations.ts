/** The operations of webhooks, and the messages that clients receive, as the document has them. */
import { z } from 'zod';
import { delivery } from '../../webhook/deliveries.ts';
import { DELIVERIES_PATH, deliveriesQuery } from '../deliveries.ts';
import type { Operation } from './operation.ts';

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
      content: [{ type: 'application/json', schema: z.object({ deliveries: z.array(delivery) }) }],
    },
    faults: ['getRates.invalidRequest', 'service.unavailable'],
  },
];
