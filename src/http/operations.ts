/**
 * Every call of the service. The routes, the OpenAPI document and the types of the console's calls follow this table.
 */
import { BATCHES_PATH, COMPARISONS_PATH } from '../batch/links.ts';

export interface Operation {
  readonly method: 'get' | 'post' | 'delete';
  /** As OpenAPI writes it: `{id}` is the id of a batch or a comparison, `{name}` an agreement's name. */
  readonly path: string;
  /** Who may call: a client with this scope, any client, a client's id and secret, an operator, or everybody. */
  readonly caller: 'quote' | 'batch' | 'client' | 'credentials' | 'operator' | 'everybody';
  /**
   * The rate limit that counts the call. `none`: it costs little or is an operator's. Scrapes and an operator's sign-ins
   * have bounds of their own.
   */
  readonly limit: 'quotes' | 'tokens' | 'uploads' | 'reads' | 'downloads' | 'streams' | 'changes' | 'none';
}

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

const TARIFF_DRAFT = '/ops/tariff-drafts/{id}';

/** The calls of the operator's pages. They exist with OPERATOR_TOKEN, and the OpenAPI document leaves them out. */
const OPERATOR_OPERATIONS = {
  getOperatorSession: { method: 'get', path: '/ops/session', caller: 'everybody', limit: 'none' },
  signInOperator: { method: 'post', path: '/ops/session', caller: 'everybody', limit: 'none' },
  signOutOperator: { method: 'delete', path: '/ops/session', caller: 'everybody', limit: 'none' },
  getOperatorHealth: { method: 'get', path: '/ops/health', caller: 'operator', limit: 'none' },
  listAudit: { method: 'get', path: '/ops/audit', caller: 'operator', limit: 'none' },
  listOperatorClients: { method: 'get', path: '/ops/clients', caller: 'operator', limit: 'none' },
  addClient: { method: 'post', path: '/ops/clients', caller: 'operator', limit: 'none' },
  getOperatorClient: { method: 'get', path: '/ops/clients/{id}', caller: 'operator', limit: 'none' },
  changeClient: { method: 'post', path: '/ops/clients/{id}', caller: 'operator', limit: 'none' },
  discountService: { method: 'post', path: '/ops/clients/{id}/discount', caller: 'operator', limit: 'none' },
  rotateSecret: { method: 'post', path: '/ops/clients/{id}/secrets', caller: 'operator', limit: 'none' },
  endOldSecrets: { method: 'post', path: '/ops/clients/{id}/secrets/end-old', caller: 'operator', limit: 'none' },
  revokeClient: { method: 'post', path: '/ops/clients/{id}/revoke', caller: 'operator', limit: 'none' },
  listOperatorAgreements: { method: 'get', path: '/ops/agreements', caller: 'operator', limit: 'none' },
  publishAgreement: { method: 'post', path: '/ops/agreements', caller: 'operator', limit: 'none' },
  checkAgreement: { method: 'post', path: '/ops/agreement-check', caller: 'operator', limit: 'none' },
  getOperatorAgreement: { method: 'get', path: '/ops/agreements/{name}', caller: 'operator', limit: 'none' },
  getAgreementCard: { method: 'get', path: '/ops/agreements/{name}/card', caller: 'operator', limit: 'none' },
  testWebhook: { method: 'post', path: '/ops/clients/{id}/webhook-test', caller: 'operator', limit: 'none' },
  listOperatorTariffs: { method: 'get', path: '/ops/tariffs', caller: 'operator', limit: 'none' },
  withdrawTariff: { method: 'post', path: '/ops/tariffs/withdraw', caller: 'operator', limit: 'none' },
  goBackToVersion: { method: 'post', path: '/ops/tariffs/back', caller: 'operator', limit: 'none' },
  getOperatorCentroids: { method: 'get', path: '/ops/centroids', caller: 'operator', limit: 'none' },
  createTariffDraft: { method: 'post', path: '/ops/tariff-drafts', caller: 'operator', limit: 'none' },
  getTariffDraft: { method: 'get', path: TARIFF_DRAFT, caller: 'operator', limit: 'none' },
  changeTariffDraft: { method: 'post', path: TARIFF_DRAFT, caller: 'operator', limit: 'none' },
  discardTariffDraft: { method: 'delete', path: TARIFF_DRAFT, caller: 'operator', limit: 'none' },
  addDraftFile: { method: 'post', path: `${TARIFF_DRAFT}/files`, caller: 'operator', limit: 'none' },
  removeDraftFile: { method: 'delete', path: `${TARIFF_DRAFT}/files`, caller: 'operator', limit: 'none' },
  importTariffDraft: { method: 'post', path: `${TARIFF_DRAFT}/import`, caller: 'operator', limit: 'none' },
  compareTariffDraft: { method: 'get', path: `${TARIFF_DRAFT}/difference`, caller: 'operator', limit: 'none' },
  publishTariffDraft: { method: 'post', path: `${TARIFF_DRAFT}/publish`, caller: 'operator', limit: 'none' },
  publishTogether: { method: 'post', path: '/ops/publications', caller: 'operator', limit: 'none' },
} as const satisfies Readonly<Record<string, Operation>>;

export const OPERATIONS = { ...API_OPERATIONS, ...CONSOLE_OPERATIONS, ...OPERATOR_OPERATIONS } as const;
export type OperatorOperationId = keyof typeof OPERATOR_OPERATIONS;
export type ApiOperationId = keyof typeof API_OPERATIONS;
export type OperationId = keyof typeof OPERATIONS;
