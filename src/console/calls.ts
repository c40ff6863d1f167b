/**
 * The calls that the pages make, by method and path. Paths, parameters and answers come from the service's own table
 * and schemas. This file has only types, so none of them is in the bundle.
 */
import type { CallsIn, AnswerOf as DeclaredAnswer } from '../http/call.ts';
import type { ALL } from '../http/operations.ts';
import type { linkCalls } from '../http/shared.ts';
import type { Preview as PreviewBody } from '../lists/preview/preview-body.ts';

type All = typeof ALL & typeof linkCalls;
export type ConsoleCalls = CallsIn<All>;
/** Such as `GET /v1/client/limits`. Client calls have their path in the API, without `/console`. */
export type CallName = keyof ConsoleCalls;
type AnswerOf<I extends keyof All> = DeclaredAnswer<All[I]>;

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
export type Delivery = AnswerOf<'listOperatorDeliveries'>['deliveries'][number];
export type WebhookTest = AnswerOf<'testWebhook'>;
export type OperatorTariffsBody = AnswerOf<'listOperatorTariffs'>;
export type TariffDraftBody = AnswerOf<'getTariffDraft'>;
export type DifferenceBody = AnswerOf<'compareTariffDraft'>;
export type TariffChangeBody = AnswerOf<'publishTariffDraft'>;
export type RowBody = AnswerOf<'getRow'>;
export type KeptMapping = AnswerOf<'saveMapping'>;
export type Preview = PreviewBody;
export type FaultKind = Preview['faultKinds'][number];
