/**
 * The calls that the pages make, by their method and path. Paths, parameters and answers come from the service's own table
 * and schemas. Only types: none of them is in the bundle.
 */
import type { z } from 'zod';
import type { AnswerOf as DeclaredAnswer } from '../http/call.ts';
import type { ALL } from '../http/operations.ts';
import type { Preview as PreviewBody } from '../lists/preview/preview-body.ts';

type All = typeof ALL;
type Id = keyof All;
/** Such as `GET /v1/client/limits`. Of a client's calls it is the path of the API, without `/console`. */
export type CallName = All[Id]['is'];

type IdOf<N extends CallName> = { [I in Id]: All[I]['is'] extends N ? I : never }[Id];
type AnswerOf<I extends Id> = DeclaredAnswer<All[I]>;

/** The schema of the parameters that a call reads, by itself or not. */
type QueryOf<I extends Id> = Exclude<All[I]['query'], undefined>;
/** The parameters of a call. Without Preact, so that tests of words need no browser. */
export type Query<N extends CallName> = Readonly<
  Partial<Record<Extract<keyof z.input<QueryOf<IdOf<N>>>, string>, string | undefined>>
>;

/** What a call answers. A list is previewed with a call, and uploaded with `uploadFile`. */
export type Answer<N extends CallName> = IdOf<N> extends 'createBatch' ? Preview : AnswerOf<IdOf<N>>;

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
