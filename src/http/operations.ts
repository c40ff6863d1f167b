/**
 * Every call of the service. The routes, the OpenAPI document and the types of the console's calls follow this table.
 */

import { BATCHES_PATH, COMPARISONS_PATH } from '../batch/links.ts';
import type { Operation } from './operation.ts';
import { OPERATOR_CALLS } from './operator/calls.ts';

const BATCH = `${BATCHES_PATH}/{id}` as const;
const COMPARISON = `${COMPARISONS_PATH}/{id}` as const;

/** In the order of the OpenAPI document. */
export const API_OPERATIONS = {
  generateToken: { method: 'post', path: '/token/generate', caller: 'credentials', limit: 'tokens' },
  getShippingRates: { method: 'post', path: '/v1/client/shipment/rates', caller: 'quote', limit: 'quotes' },
  listWarehouses: { method: 'get', path: '/v1/client/warehouses', caller: 'client', limit: 'reads' },
  listServices: { method: 'get', path: '/v1/client/services', caller: 'client', limit: 'reads' },
  listAgreements: { method: 'get', path: '/v1/client/agreements', caller: 'client', limit: 'reads' },
  getAgreement: { method: 'get', path: '/v1/client/agreements/{name}', caller: 'client', limit: 'reads' },
  listLimits: { method: 'get', path: '/v1/client/limits', caller: 'client', limit: 'reads' },
  createBatch: { method: 'post', path: BATCHES_PATH, caller: 'batch', limit: 'uploads' },
  listBatches: { method: 'get', path: BATCHES_PATH, caller: 'batch', limit: 'reads' },
  getBatch: { method: 'get', path: BATCH, caller: 'batch', limit: 'reads' },
  watchBatch: { method: 'get', path: `${BATCH}/events`, caller: 'batch', limit: 'streams' },
  deleteBatch: { method: 'delete', path: BATCH, caller: 'batch', limit: 'changes' },
  cancelBatch: { method: 'post', path: `${BATCH}/cancel`, caller: 'batch', limit: 'changes' },
  retryBatch: { method: 'post', path: `${BATCH}/retry`, caller: 'batch', limit: 'changes' },
  getOutput: { method: 'get', path: `${BATCH}/output`, caller: 'batch', limit: 'downloads' },
  getFaults: { method: 'get', path: `${BATCH}/faults`, caller: 'batch', limit: 'downloads' },
  getUnprocessed: { method: 'get', path: `${BATCH}/unprocessed`, caller: 'batch', limit: 'downloads' },
  getSummary: { method: 'get', path: `${BATCH}/summary`, caller: 'batch', limit: 'reads' },
  correctBatch: { method: 'post', path: `${BATCH}/corrections`, caller: 'batch', limit: 'uploads' },
  compareBatch: { method: 'post', path: `${BATCH}/comparisons`, caller: 'batch', limit: 'uploads' },
  createComparison: { method: 'post', path: COMPARISONS_PATH, caller: 'batch', limit: 'uploads' },
  listComparisons: { method: 'get', path: COMPARISONS_PATH, caller: 'batch', limit: 'reads' },
  getComparison: { method: 'get', path: COMPARISON, caller: 'batch', limit: 'reads' },
  watchComparison: { method: 'get', path: `${COMPARISON}/events`, caller: 'batch', limit: 'streams' },
  deleteComparison: { method: 'delete', path: COMPARISON, caller: 'batch', limit: 'changes' },
  cancelComparison: { method: 'post', path: `${COMPARISON}/cancel`, caller: 'batch', limit: 'changes' },
  retryComparison: { method: 'post', path: `${COMPARISON}/retry`, caller: 'batch', limit: 'changes' },
  getComparisonOutput: { method: 'get', path: `${COMPARISON}/output`, caller: 'batch', limit: 'downloads' },
  getComparisonSummary: { method: 'get', path: `${COMPARISON}/summary`, caller: 'batch', limit: 'reads' },
  listDeliveries: { method: 'get', path: '/v1/client/webhooks/deliveries', caller: 'batch', limit: 'reads' },
  isLive: { method: 'get', path: '/livez', caller: 'everybody', limit: 'none' },
  isReady: { method: 'get', path: '/readyz', caller: 'everybody', limit: 'none' },
  getMetrics: { method: 'get', path: '/metrics', caller: 'everybody', limit: 'none' },
  getDocument: { method: 'get', path: '/openapi.json', caller: 'everybody', limit: 'none' },
  getPages: { method: 'get', path: '/docs', caller: 'everybody', limit: 'none' },
} as const satisfies Readonly<Record<string, Operation>>;

/** The console's own calls, which the OpenAPI document leaves out. */
const CONSOLE_OPERATIONS = {
  getSession: { method: 'get', path: '/console/session', caller: 'everybody', limit: 'none' },
  signIn: { method: 'post', path: '/console/session', caller: 'credentials', limit: 'tokens' },
  signOut: { method: 'delete', path: '/console/session', caller: 'everybody', limit: 'none' },
  listTariffs: { method: 'get', path: '/console/tariffs', caller: 'client', limit: 'reads' },
  listDrafts: { method: 'get', path: '/console/drafts', caller: 'client', limit: 'reads' },
  getZones: { method: 'get', path: '/console/tariffs/zones', caller: 'client', limit: 'reads' },
  getCard: { method: 'get', path: '/console/tariffs/card', caller: 'client', limit: 'reads' },
  getCentroids: { method: 'get', path: '/console/centroids', caller: 'client', limit: 'reads' },
  listMappings: { method: 'get', path: '/console/mappings', caller: 'batch', limit: 'reads' },
  saveMapping: { method: 'post', path: '/console/mappings', caller: 'batch', limit: 'reads' },
  deleteMapping: { method: 'delete', path: '/console/mappings/{id}', caller: 'batch', limit: 'reads' },
  getComparedRows: { method: 'get', path: `/console${COMPARISON}/rows`, caller: 'batch', limit: 'reads' },
  getMending: { method: 'get', path: `/console${BATCH}/mending`, caller: 'batch', limit: 'reads' },
  getRow: { method: 'get', path: `/console${BATCH}/row`, caller: 'batch', limit: 'reads' },
  getRows: { method: 'get', path: `/console${BATCH}/rows`, caller: 'batch', limit: 'reads' },
} as const satisfies Readonly<Record<string, Operation>>;

export const OPERATIONS = { ...API_OPERATIONS, ...CONSOLE_OPERATIONS, ...OPERATOR_CALLS } as const;
export type ApiOperationId = keyof typeof API_OPERATIONS;
export type OperationId = keyof typeof OPERATIONS;
