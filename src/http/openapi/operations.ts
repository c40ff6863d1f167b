/** The documentation of the operations for quotes, catalogs, tokens and health. */
import { z } from 'zod';
import { must } from '../../must.ts';
import { rateRequest } from '../../rating/shipment.ts';
import type { Operation } from '../operation.ts';
import { API_OPERATIONS, type ApiOperationId } from '../operations.ts';
import { ANSWERS, batchEnded, comparisonEnded, QUERIES } from '../schemas.ts';
import { AGREEMENT, AGREEMENTS } from './agreement-examples.ts';
import { BATCH_DESCRIPTIONS } from './batch-operations.ts';
import { COMPARISON_ENDED } from './comparison-examples.ts';
import { COMPARISON_DESCRIPTIONS } from './comparison-operations.ts';
import {
  BATCH_ENDED,
  CREDENTIALS,
  DELIVERIES,
  LIMIT_LIST,
  QUOTE,
  REQUEST,
  SERVICES,
  TOKEN,
  WAREHOUSES,
} from './examples.ts';
import type { Described, Description, Media } from './operation.ts';

const READY = {
  status: 200,
  checks: { redis: 'ok', store: 'ok', tariff: 'ok' },
  batches: { stalled: { in_progress: 1 }, sweptSecondsAgo: 12 },
};
const BEGINNING = { openapi: '3.1.0', info: { title: 'Shipping rates', version: '1.0.0' }, paths: {} };
/** What says whether a kept copy is still good. */
const KEPT = { 'Cache-Control': '`no-cache`', ETag: 'Changes with the content.' };

const grantType = z.literal('client_credentials');
const tokenForm = z.object({
  grant_type: grantType,
  client_id: z.string().optional().meta({ description: 'Not needed with HTTP Basic.' }),
  client_secret: z.string().optional().meta({ description: 'Not needed with HTTP Basic.' }),
  scope: z
    .string()
    .optional()
    .meta({ description: 'Names separated by spaces; the default is all scopes of the client.' }),
});
const tokenJson = tokenForm.extend({ grant_type: grantType.optional() });

/** The documentation of each operation of the table. */
const DESCRIPTIONS: Readonly<Record<ApiOperationId, Description>> = {
  generateToken: {
    tag: 'Tokens',
    summary: 'Get an access token',
    description:
      'OAuth 2.0 client credentials (RFC 6749 §4.4): id and secret as a form, as JSON, or by HTTP Basic. Faults carry `error` too.',
    body: {
      required: false,
      content: [
        {
          type: 'application/x-www-form-urlencoded',
          schema: tokenForm,
          example: { grant_type: 'client_credentials', ...CREDENTIALS },
        },
        { type: 'application/json', schema: tokenJson, example: CREDENTIALS },
      ],
    },
    success: {
      status: 200,
      description: 'The token.',
      example: TOKEN,
    },
    always: { Pragma: '`no-cache`' },
    faults: ['request.malformedBody', 'request.tooLarge', 'request.unsupportedMediaType', 'service.unavailable'],
  },
  getShippingRates: {
    tag: 'Quotes',
    summary: 'Get shipping rates',
    description:
      'A quote for one or more packages: of the named service; without one, the cheapest quote and all others. ' +
      'Several warehouses, or `any`, are compared: the quote is from the cheapest, beside the price of each.',
    body: { required: true, content: [{ type: 'application/json', schema: rateRequest, example: REQUEST }] },
    success: { status: 200, description: 'The quote.', example: QUOTE },
    faults: [
      'request.malformedBody',
      'request.tooLarge',
      'request.unsupportedMediaType',
      'getRates.invalidRequest',
      'getRates.unknownShippingService',
      'getRates.unknownWarehouse',
      'getRates.noTariff',
      'getRates.addressLineRequired',
      'getRates.noDeliveryCoverage',
      'getRates.weightNotServed',
      'getRates.sizeNotServed',
      'getRates.saturdayNotOffered',
      'getRates.incompletePrice',
      'service.unavailable',
    ],
  },
  listWarehouses: {
    tag: 'Quotes',
    summary: 'Get available warehouses',
    description: 'The warehouses of the calling client that a quote accepts: those in the United States.',
    success: { status: 200, description: 'The warehouses.', example: WAREHOUSES },
  },
  listServices: {
    tag: 'Quotes',
    summary: 'Get shipping services',
    description: 'Those in force today, in the tariff’s order.',
    success: { status: 200, description: 'The services.', example: SERVICES },
  },
  listAgreements: {
    tag: 'Quotes',
    summary: 'Get your agreements with carriers',
    description: 'Those of the calling client, and the tier that is in force. None: the price is the list’s.',
    success: { status: 200, description: 'The agreements.', example: AGREEMENTS },
    faults: ['service.unavailable'],
  },
  getAgreement: {
    tag: 'Quotes',
    summary: 'Get one of your agreements, as tables',
    description:
      'As it is today; before its first day and after its last one, as on that day. Another client’s agreement is not found.',
    success: { status: 200, description: 'The agreement.', example: AGREEMENT },
    faults: ['request.notFound', 'service.unavailable'],
  },
  listLimits: {
    tag: 'Quotes',
    summary: 'Get limits, and what is used of them',
    description: 'Those of the calling client. A call over a limit gets `request.rateLimited`, which names the limit.',
    success: { status: 200, description: 'The limits.', example: LIMIT_LIST },
    faults: ['service.unavailable'],
  },
  ...BATCH_DESCRIPTIONS,
  ...COMPARISON_DESCRIPTIONS,
  listDeliveries: {
    tag: 'Webhooks',
    summary: 'Look at the attempts to reach the client’s webhook',
    description:
      'Newest first, of the last seven days. When a batch has ended, the client’s webhook is sent `batch.completed`, `batch.failed` or `batch.cancelled` with the batch as `data`, signed as the Standard Webhooks specification says, and sent again for a day until the answer is 2xx.',
    success: {
      status: 200,
      description: 'The attempts, and the responses.',
      example: DELIVERIES,
    },
    faults: ['getRates.invalidRequest', 'service.unavailable'],
  },
  isLive: {
    tag: 'Operation',
    summary: 'Is the process alive?',
    success: { status: 200, description: 'Yes.', example: { status: 200 } },
  },
  isReady: {
    tag: 'Operation',
    summary: 'Is everything that the process needs available?',
    success: { status: 200, description: 'Yes.', example: READY },
    faults: ['service.unavailable'],
  },
  getMetrics: {
    tag: 'Operation',
    summary: 'Metrics for Prometheus',
    description: 'If the service has a metrics token, the call needs it as a bearer token.',
    success: {
      status: 200,
      description: 'In the text format.',
      content: [{ type: 'text/plain' }],
      headers: { 'Cache-Control': '`no-store`' },
    },
    faults: ['InvalidAuthorizationException', 'request.rateLimited'],
  },
  getDocument: {
    tag: 'Operation',
    summary: 'This document',
    success: { status: 200, description: 'OpenAPI 3.1.', example: BEGINNING, headers: KEPT },
  },
  getPages: {
    tag: 'Operation',
    summary: 'A quick start and this reference, as a page',
    success: {
      status: 200,
      description: 'The page.',
      content: [{ type: 'text/html' }],
      headers: {
        ...KEPT,
        'Content-Encoding': { sometimes: '`gzip` if the request accepts it.' },
      },
    },
  },
};

/** The operations with their documentation, in the order of the table. */
export const describedOperations = (): Described[] => {
  const answers: Readonly<Record<string, z.ZodType>> = ANSWERS;
  const queries: Readonly<Record<string, z.ZodObject>> = QUERIES;
  const descriptions: Readonly<Record<string, Description>> = DESCRIPTIONS;
  return Object.entries<Operation>(API_OPERATIONS).map(([id, operation]) => ({
    ...operation,
    ...must(descriptions[id], `the description of ${id}`),
    id,
    answer: answers[id],
    query: queries[id],
  }));
};

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
    'webhook-id': 'Id of the message: the same at each attempt.',
    'webhook-timestamp': 'When this attempt was made, in seconds since 1970.',
    'webhook-signature':
      '`v1,` and the HMAC-SHA-256, in base64, of `{webhook-id}.{webhook-timestamp}.{body}` with the key of the signing secret: what follows its `whsec_`, from base64.',
  },
  content: [{ type: 'application/json', schema, example }],
  answers: {
    '2XX': 'The message has arrived.',
    '410': 'The receiver is gone for good. This message is not sent again.',
    default: 'The message is sent again for a day. Redirects are not followed. An answer must begin within 15 seconds.',
  },
});

export const WEBHOOK_MESSAGES: readonly WebhookMessage[] = [
  endOf(
    {
      id: 'batchEnded',
      summary: 'A batch has ended',
      description: 'Sent to the client’s webhook at each end of its batches, also of each revision.',
    },
    batchEnded,
    BATCH_ENDED,
  ),
  endOf(
    {
      id: 'comparisonEnded',
      summary: 'A comparison has ended',
      description: 'Sent to the client’s webhook at each end of its comparisons.',
    },
    comparisonEnded,
    COMPARISON_ENDED,
  ),
];
