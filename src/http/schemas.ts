/**
 * One schema for each answer and each query, by operation: the OpenAPI document, the console's types and the tests use it.
 * Shapes: service specification; contract, HTTP.
 */

import { z } from 'zod';
import { cardBody } from '../agreement/view/card.ts';
import { agreementBody, agreementsBody } from '../agreement/view/schemas.ts';
import { keptMapping } from '../batch/kept-mappings.ts';
import { batchPageSchema, batchSchema, comparisonPageSchema, comparisonSchema } from '../batch/view.ts';
import { comparisonSummarySchema } from '../comparison/summary.ts';
import { faultSchema, rateQuoteSchema } from '../rating/quote.ts';
import { summarySchema } from '../rows/summary.ts';
import { centroidsBody, tariffsBody, zonesBody } from '../tariff/view/schemas.ts';
import { delivery, MOST_DELIVERIES } from '../webhook/deliveries.ts';
import {
  compareQuery,
  comparisonQuery,
  comparisonsQuery,
  correctionQuery,
  createQuery,
  DOWNLOAD_QUERIES,
  listQuery,
} from './batch-options.ts';
import { comparedRowsBody, comparedRowsQuery } from './console/compared-rows-body.ts';
import {
  cardQuery,
  draftsBody,
  mappingsBody,
  mappingsQuery,
  mendingBody,
  rowBody,
  rowQuery,
  rowsBody,
  rowsQuery,
  sessionBody,
  zonesQuery,
} from './console/schemas.ts';
import type { OperationId } from './operations.ts';

const status = z.literal(200).meta({ description: 'The HTTP status.' });

export const errorBody = z.object({
  code: z.int().meta({ description: 'The HTTP status.' }),
  fault: faultSchema,
  header: z.array(z.string()).optional().meta({
    description: 'The first hundred column names of the list, if a preview is refused because of their meaning.',
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

const warehouseList = z.object({
  status,
  warehouses: z.array(
    z.object({
      warehouse_id: z.int(),
      name: z.string(),
      address: z.object({ postalCode: z.string(), stateOrProvinceCode: z.string(), countryCode: z.string() }),
    }),
  ),
});

const serviceList = z.object({
  status,
  services: z.array(
    z.object({
      shippingService: z.string(),
      carrier: z.string(),
      description: z.string(),
      addressLineRequired: z.boolean(),
    }),
  ),
});

const limitList = z.object({
  status,
  limits: z.array(
    z.object({
      limit: z.string().meta({ description: 'Its name, as in faults.' }),
      most: z.int(),
      used: z.int().nullable().meta({ description: 'How much of it is used now; null if that is not counted here.' }),
    }),
  ),
});

const accessToken = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ description: 'Seconds.' }),
  scope: z.string(),
});

const readiness = z.object({
  status,
  checks: z.record(z.string(), z.literal('ok')),
  batches: z
    .object({
      stalled: z.record(z.string(), z.int()).describe('Batches that have not moved for a minute, by status.'),
      sweptSecondsAgo: z.int().nullable().describe('Time since the last sweep; null before the first one.'),
    })
    .optional()
    .describe('What the last sweep over all batches found. It does not affect readiness.'),
});

/** The message to a webhook. */
export const batchEnded = z.object({
  type: z.enum(['batch.completed', 'batch.failed', 'batch.cancelled']),
  timestamp: z.iso.datetime().meta({ description: 'When it ended.' }),
  data: batchSchema,
});

const summaryBody = z.object({
  status: z.literal(200),
  id: z.string(),
  revision: z.int(),
  ...summarySchema.shape,
});

/** The same of a comparison. */
export const comparisonEnded = z.object({
  type: z.enum(['comparison.completed', 'comparison.failed', 'comparison.cancelled']),
  timestamp: z.iso.datetime().meta({ description: 'When it ended.' }),
  data: comparisonSchema,
});

const comparisonSummaryBody = z.object({ status, id: z.string(), ...comparisonSummarySchema.shape });

/** The JSON answer of each operation when it succeeds. */
export const ANSWERS = {
  generateToken: accessToken,
  getShippingRates: rateQuoteSchema,
  listWarehouses: warehouseList,
  listServices: serviceList,
  listAgreements: agreementsBody,
  getAgreement: agreementBody,
  listLimits: limitList,
  createBatch: batchSchema,
  listBatches: batchPageSchema,
  getBatch: batchSchema,
  cancelBatch: batchSchema,
  retryBatch: batchSchema,
  getSummary: summaryBody,
  correctBatch: batchSchema,
  compareBatch: comparisonSchema,
  createComparison: comparisonSchema,
  listComparisons: comparisonPageSchema,
  getComparison: comparisonSchema,
  cancelComparison: comparisonSchema,
  retryComparison: comparisonSchema,
  getComparisonSummary: comparisonSummaryBody,
  listDeliveries: z.object({ deliveries: z.array(delivery) }),
  isLive: z.object({ status }),
  isReady: readiness,
  getDocument: z.record(z.string(), z.unknown()),
  getSession: sessionBody,
  signIn: sessionBody,
  listTariffs: tariffsBody,
  listDrafts: draftsBody,
  getZones: zonesBody,
  getCard: cardBody,
  getCentroids: centroidsBody,
  listMappings: mappingsBody,
  saveMapping: keptMapping,
  getComparedRows: comparedRowsBody,
  getMending: mendingBody,
  getRow: rowBody,
  getRows: rowsBody,
} as const satisfies Readonly<Partial<Record<OperationId, z.ZodType>>>;

const DEFAULT_LIMIT = 100;
const LIMIT_RULE = `must be a whole number from 1 to ${MOST_DELIVERIES}`;

export const deliveriesQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, LIMIT_RULE)
    .transform(Number)
    .refine((limit) => limit <= MOST_DELIVERIES, LIMIT_RULE)
    .default(DEFAULT_LIMIT),
});

/** The query of each operation. */
export const QUERIES = {
  getShippingRates: z.object({
    explain: z.enum(['true', 'false']).optional().meta({ description: 'Adds `explanation` to each quote.' }),
  }),
  createBatch: createQuery,
  listBatches: listQuery,
  getOutput: DOWNLOAD_QUERIES.output,
  getFaults: DOWNLOAD_QUERIES.faults,
  getUnprocessed: DOWNLOAD_QUERIES.unprocessed,
  getSummary: DOWNLOAD_QUERIES.summary,
  correctBatch: correctionQuery,
  createComparison: compareQuery,
  listComparisons: comparisonsQuery,
  getComparisonOutput: DOWNLOAD_QUERIES.comparison,
  getComparisonSummary: comparisonQuery,
  listDeliveries: deliveriesQuery,
  getZones: zonesQuery,
  getCard: cardQuery,
  listMappings: mappingsQuery,
  getComparedRows: comparedRowsQuery,
  getMending: DOWNLOAD_QUERIES.summary,
  getRow: rowQuery,
  getRows: rowsQuery,
} as const satisfies Readonly<Partial<Record<OperationId, z.ZodObject>>>;
