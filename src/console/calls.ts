/**
 * Every call that the pages make, by the operation that answers it. Paths, parameters and answers come from the service's
 * own table and schemas. Of the schemas only the types are in the bundle.
 */
import type { z } from 'zod';
import { consolePathOf, OPERATIONS, type Operation, type OperationId } from '../http/operations.ts';
import type { ANSWERS, QUERIES } from '../http/schemas.ts';
import type { Preview as PreviewBody } from '../rows/preview-body.ts';

export interface Call<Id extends OperationId = OperationId> {
  readonly operation: Id;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `{id}` stands for the id of a batch or a comparison, `{name}` for an agreement's name. */
  readonly path: string;
}

const METHODS = { get: 'GET', post: 'POST', delete: 'DELETE' } as const;

const callOf = <Id extends OperationId>(operation: Id): Call<Id> => {
  const { method }: Operation = OPERATIONS[operation];
  return { operation, method: METHODS[method], path: consolePathOf(operation) };
};

export const CALLS = {
  session: callOf('getSession'),
  signIn: callOf('signIn'),
  signOut: callOf('signOut'),
  warehouses: callOf('listWarehouses'),
  services: callOf('listServices'),
  agreements: callOf('listAgreements'),
  agreement: callOf('getAgreement'),
  limits: callOf('listLimits'),
  quote: callOf('getShippingRates'),
  tariffs: callOf('listTariffs'),
  drafts: callOf('listDrafts'),
  zones: callOf('getZones'),
  card: callOf('getCard'),
  centroids: callOf('getCentroids'),
  mappings: callOf('listMappings'),
  saveMapping: callOf('saveMapping'),
  removeMapping: callOf('deleteMapping'),
  batches: callOf('listBatches'),
  preview: callOf('createBatch'),
  createBatch: callOf('createBatch'),
  batch: callOf('getBatch'),
  events: callOf('watchBatch'),
  summary: callOf('getSummary'),
  output: callOf('getOutput'),
  faults: callOf('getFaults'),
  unprocessed: callOf('getUnprocessed'),
  rows: callOf('getRows'),
  row: callOf('getRow'),
  mending: callOf('getMending'),
  cancel: callOf('cancelBatch'),
  retry: callOf('retryBatch'),
  correct: callOf('correctBatch'),
  remove: callOf('deleteBatch'),
  compare: callOf('compareBatch'),
  comparisons: callOf('listComparisons'),
  comparison: callOf('getComparison'),
  comparisonEvents: callOf('watchComparison'),
  comparisonSummary: callOf('getComparisonSummary'),
  comparisonOutput: callOf('getComparisonOutput'),
  comparedRows: callOf('getComparedRows'),
  cancelComparison: callOf('cancelComparison'),
  retryComparison: callOf('retryComparison'),
  removeComparison: callOf('deleteComparison'),
  operatorSession: callOf('getOperatorSession'),
  operatorSignIn: callOf('signInOperator'),
  operatorSignOut: callOf('signOutOperator'),
  operatorHealth: callOf('getOperatorHealth'),
  audit: callOf('listAudit'),
  operatorClients: callOf('listOperatorClients'),
  addClient: callOf('addClient'),
  operatorClient: callOf('getOperatorClient'),
  changeClient: callOf('changeClient'),
  discountService: callOf('discountService'),
  rotateSecret: callOf('rotateSecret'),
  endOldSecrets: callOf('endOldSecrets'),
  revokeClient: callOf('revokeClient'),
  testWebhook: callOf('testWebhook'),
  operatorAgreements: callOf('listOperatorAgreements'),
  operatorAgreement: callOf('getOperatorAgreement'),
  agreementCard: callOf('getAgreementCard'),
  checkAgreement: callOf('checkAgreement'),
  publishAgreement: callOf('publishAgreement'),
  operatorTariffs: callOf('listOperatorTariffs'),
  withdrawTariff: callOf('withdrawTariff'),
  goBackToVersion: callOf('goBackToVersion'),
  operatorCentroids: callOf('getOperatorCentroids'),
  createTariffDraft: callOf('createTariffDraft'),
  tariffDraft: callOf('getTariffDraft'),
  changeTariffDraft: callOf('changeTariffDraft'),
  discardTariffDraft: callOf('discardTariffDraft'),
  addDraftFile: callOf('addDraftFile'),
  removeDraftFile: callOf('removeDraftFile'),
  importTariffDraft: callOf('importTariffDraft'),
  compareTariffDraft: callOf('compareTariffDraft'),
  publishTariffDraft: callOf('publishTariffDraft'),
} as const;
export type CallName = keyof typeof CALLS;

type IdOf<N extends CallName> = (typeof CALLS)[N]['operation'];
type AnswerOf<Id extends OperationId> = Id extends keyof typeof ANSWERS ? z.output<(typeof ANSWERS)[Id]> : never;

/** The names of a call's query parameters. */
type QueryName<N extends CallName> =
  IdOf<N> extends infer Id extends keyof typeof QUERIES ? Extract<keyof z.input<(typeof QUERIES)[Id]>, string> : never;
/** The parameters of a call. Without Preact, so that tests of words need no browser. */
export type Query<N extends CallName> = Readonly<Partial<Record<QueryName<N>, string | undefined>>>;

/** Calls whose answers have no body. */
type NoBody = 'signOut' | 'remove' | 'removeMapping' | 'removeComparison' | 'operatorSignOut' | 'discardTariffDraft';

/** What each call answers; `undefined` if the answer has no body, `never` if it is not JSON. */
export type Answers = {
  readonly [N in CallName]: N extends NoBody ? undefined : N extends 'preview' ? Preview : AnswerOf<IdOf<N>>;
};

export type Batch = AnswerOf<'getBatch'>;
export type Summary = AnswerOf<'getSummary'>;
export type RateQuote = AnswerOf<'getShippingRates'>;
export type Warehouses = AnswerOf<'listWarehouses'>;
export type AgreementSummary = AnswerOf<'listAgreements'>['agreements'][number];
export type Agreement = AnswerOf<'getAgreement'>;
export type Services = AnswerOf<'listServices'>;
export type SessionBody = AnswerOf<'getSession'>;
export type TariffsBody = AnswerOf<'listTariffs'>;
export type ZonesBody = AnswerOf<'getZones'>;
export type CardBody = AnswerOf<'getCard'>;
export type CentroidsBody = AnswerOf<'getCentroids'>;
export type Comparison = AnswerOf<'getComparison'>;
export type ComparisonSummary = AnswerOf<'getComparisonSummary'>;
export type ComparedRowsBody = AnswerOf<'getComparedRows'>;
export type RowsBody = AnswerOf<'getRows'>;
export type OperatorSessionBody = AnswerOf<'getOperatorSession'>;
export type HealthBody = AnswerOf<'getOperatorHealth'>;
export type AuditBody = AnswerOf<'listAudit'>;
export type OperatorClientSummary = AnswerOf<'listOperatorClients'>['clients'][number];
export type OperatorClient = AnswerOf<'getOperatorClient'>;
export type ChangedClient = AnswerOf<'changeClient'>;
export type NewSecrets = NonNullable<ChangedClient['secrets']>;
export type OperatorAgreements = AnswerOf<'listOperatorAgreements'>;
export type OperatorAgreement = AnswerOf<'getOperatorAgreement'>;
export type CheckedAgreement = AnswerOf<'checkAgreement'>;
export type WebhookTest = AnswerOf<'testWebhook'>;
export type OperatorTariffsBody = AnswerOf<'listOperatorTariffs'>;
export type TariffDraftBody = AnswerOf<'getTariffDraft'>;
export type DifferenceBody = AnswerOf<'compareTariffDraft'>;
export type TariffChangeBody = AnswerOf<'publishTariffDraft'>;
export type RowBody = AnswerOf<'getRow'>;
export type KeptMapping = AnswerOf<'saveMapping'>;
export type Preview = PreviewBody;
