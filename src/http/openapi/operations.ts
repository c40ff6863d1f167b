/** The operations of quotes, catalogues, tokens and health, as the document has them. */
import { z } from 'zod';
import { rateRequest } from '../../rating/shipment.ts';
import { delivery } from '../../webhook/deliveries.ts';
import { DELIVERIES_PATH, deliveriesQuery, LIMITS_PATH } from '../client-info.ts';
import {
  accessToken,
  batchEnded,
  limitList,
  liveness,
  rateQuote,
  readiness,
  serviceList,
  warehouseList,
} from '../schemas.ts';
import { batchOperations } from './batch-operations.ts';
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
import type { Media, Operation } from './operation.ts';

const json = (schema: z.ZodType, example: unknown) => [{ type: 'application/json', schema, example }];

const READY = {
  status: 200,
  checks: { redis: 'ok', store: 'ok', tariff: 'ok' },
  batches: { stalled: { in_progress: 1 }, sweptSecondsAgo: 12 },
};
const BEGINNING = { openapi: '3.1.0', info: { title: 'Shipping rates', version: '1.0.0' }, paths: {} };

const grantType = z.literal('client_credentials');
const tokenForm = z.object({
  grant_type: grantType,
  client_id: z.string().optional().meta({ description: 'Left out where HTTP Basic says it.' }),
  client_secret: z.string().optional().meta({ description: 'Left out where HTTP Basic says it.' }),
  scope: z.string().optional().meta({ description: 'Names separated by spaces; all of the client’s unless given.' }),
});
const tokenJson = tokenForm.extend({ grant_type: grantType.optional() });

const quoteQuery = z.object({
  explain: z.enum(['true', 'false']).optional().meta({ description: 'Adds `explanation` to each quote.' }),
});

const webhookOperations: readonly Operation[] = [
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

export const OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/token/generate',
    id: 'generateToken',
    tag: 'Tokens',
    summary: 'Get an access token',
    description:
      'OAuth 2.0 client credentials (RFC 6749 §4.4): id and secret as a form, as JSON, or by HTTP Basic. Faults carry `error` too.',
    caller: 'credentials',
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
      content: json(accessToken, TOKEN),
    },
    always: { 'Cache-Control': '`no-store`', Pragma: '`no-cache`' },
    faults: ['request.malformedBody', 'request.tooLarge', 'request.unsupportedMediaType', 'service.unavailable'],
    limited: true,
  },
  {
    method: 'post',
    path: '/v1/client/shipment/rates',
    id: 'getShippingRates',
    tag: 'Quotes',
    summary: 'Get shipping rates',
    description:
      'A quote for one or more packages: of the service named, or, where none is, the cheapest and all others.',
    caller: 'quote',
    query: quoteQuery,
    body: { required: true, content: json(rateRequest, REQUEST) },
    success: { status: 200, description: 'The quote.', content: json(rateQuote, QUOTE) },
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
      'service.unavailable',
    ],
    limited: true,
  },
  {
    method: 'get',
    path: '/v1/client/warehouses',
    id: 'listWarehouses',
    tag: 'Quotes',
    summary: 'Get available warehouses',
    description: 'Those of the calling client that a quote accepts: they are in the United States.',
    caller: 'token',
    success: { status: 200, description: 'The warehouses.', content: json(warehouseList, WAREHOUSES) },
    faults: [],
    limited: true,
  },
  {
    method: 'get',
    path: '/v1/client/services',
    id: 'listServices',
    tag: 'Quotes',
    summary: 'Get shipping services',
    description: 'Those in force today, in the tariff’s order.',
    caller: 'token',
    success: { status: 200, description: 'The services.', content: json(serviceList, SERVICES) },
    faults: [],
    limited: true,
  },
  {
    method: 'get',
    path: LIMITS_PATH,
    id: 'listLimits',
    tag: 'Quotes',
    summary: 'Get limits, and what is used of them',
    description: 'Those of the calling client. A call over one is answered with `request.rateLimited`, which names it.',
    caller: 'token',
    success: { status: 200, description: 'The limits.', content: json(limitList, LIMIT_LIST) },
    faults: ['service.unavailable'],
    limited: true,
  },
  ...batchOperations,
  ...webhookOperations,
  {
    method: 'get',
    path: '/livez',
    id: 'isLive',
    tag: 'Operation',
    summary: 'Does the process answer?',
    caller: 'everybody',
    success: { status: 200, description: 'It does.', content: json(liveness, { status: 200 }) },
    faults: [],
  },
  {
    method: 'get',
    path: '/readyz',
    id: 'isReady',
    tag: 'Operation',
    summary: 'Does all that it needs answer?',
    caller: 'everybody',
    success: { status: 200, description: 'It does.', content: json(readiness, READY) },
    faults: ['service.unavailable'],
  },
  {
    method: 'get',
    path: '/metrics',
    id: 'getMetrics',
    tag: 'Operation',
    summary: 'Metrics for Prometheus',
    description: 'Where the service is set so, they need its metrics token, as a bearer token.',
    caller: 'everybody',
    success: {
      status: 200,
      description: 'In the text format.',
      content: [{ type: 'text/plain' }],
      headers: { 'Cache-Control': '`no-store`' },
    },
    faults: ['InvalidAuthorizationException', 'request.rateLimited'],
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'getDocument',
    tag: 'Operation',
    summary: 'This document',
    caller: 'everybody',
    success: { status: 200, description: 'OpenAPI 3.1.', content: json(z.record(z.string(), z.unknown()), BEGINNING) },
    faults: [],
  },
  {
    method: 'get',
    path: '/docs',
    id: 'getPages',
    tag: 'Operation',
    summary: 'This document as pages',
    caller: 'everybody',
    success: {
      status: 200,
      description: 'The pages.',
      content: [{ type: 'text/html' }],
      headers: { 'Cache-Control': '`no-cache`' },
    },
    faults: [],
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
