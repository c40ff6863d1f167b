/**
 * Every call that the pages make. A test holds this table to the OpenAPI document, and those of the console's own to
 * its schemas; the answers' types come from the same schemas.
 */
import type { z } from 'zod';
import type {
  CardBody,
  CentroidsBody,
  RowsBody,
  SessionBody,
  TariffsBody,
  ZonesBody,
} from '../http/console/schemas.ts';
import type { batch, batchPage, limitList, rateQuote, serviceList, summary, warehouseList } from '../http/schemas.ts';
import type { Preview } from '../rows/preview-body.ts';

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `{id}` stands for a batch's. */
  readonly path: string;
  readonly query?: readonly string[];
}

const RATES = '/console/v1/client/shipment/rates';
const BATCHES = `${RATES}/batches`;
const LIST_OPTIONS = [
  'filename',
  'warehouse_id',
  'units',
  'dimension_units',
  'shippingService',
  'residential',
  'encoding',
  'delimiter',
  'sheet',
  'columns',
  'service_map',
  'repair',
  'tariff',
  'services',
  'explain',
] as const;

export const CALLS = {
  session: { method: 'GET', path: '/console/session' },
  signIn: { method: 'POST', path: '/console/session' },
  signOut: { method: 'DELETE', path: '/console/session' },
  warehouses: { method: 'GET', path: '/console/v1/client/warehouses' },
  services: { method: 'GET', path: '/console/v1/client/services' },
  limits: { method: 'GET', path: '/console/v1/client/limits' },
  quote: { method: 'POST', path: RATES, query: ['explain'] },
  tariffs: { method: 'GET', path: '/console/tariffs' },
  zones: { method: 'GET', path: '/console/tariffs/zones', query: ['service', 'warehouse_id', 'date'] },
  card: { method: 'GET', path: '/console/tariffs/card', query: ['service', 'date'] },
  centroids: { method: 'GET', path: '/console/centroids' },
  batches: { method: 'GET', path: BATCHES, query: ['limit', 'cursor'] },
  preview: { method: 'POST', path: BATCHES, query: [...LIST_OPTIONS, 'preview', 'bytes'] },
  createBatch: { method: 'POST', path: BATCHES, query: LIST_OPTIONS },
  batch: { method: 'GET', path: `${BATCHES}/{id}` },
  events: { method: 'GET', path: `${BATCHES}/{id}/events` },
  summary: { method: 'GET', path: `${BATCHES}/{id}/summary`, query: ['revision'] },
  output: { method: 'GET', path: `${BATCHES}/{id}/output`, query: ['partial', 'revision', 'format', 'output'] },
  faults: { method: 'GET', path: `${BATCHES}/{id}/faults`, query: ['revision', 'format', 'output'] },
  unprocessed: { method: 'GET', path: `${BATCHES}/{id}/unprocessed` },
  rows: {
    method: 'GET',
    path: `${BATCHES}/{id}/rows`,
    query: ['from', 'limit', 'outcome', 'fault', 'revision'],
  },
  cancel: { method: 'POST', path: `${BATCHES}/{id}/cancel` },
  retry: { method: 'POST', path: `${BATCHES}/{id}/retry` },
  correct: { method: 'POST', path: `${BATCHES}/{id}/corrections`, query: ['filename'] },
  remove: { method: 'DELETE', path: `${BATCHES}/{id}` },
} as const satisfies Readonly<Record<string, Call>>;
export type CallName = keyof typeof CALLS;

export type Batch = z.output<typeof batch>;
export type BatchPage = z.output<typeof batchPage>;
export type Summary = z.output<typeof summary>;
export type RateQuote = z.output<typeof rateQuote>;
export type Warehouses = z.output<typeof warehouseList>;
export type Services = z.output<typeof serviceList>;
export type Limits = z.output<typeof limitList>;
export type { CardBody, CentroidsBody, Preview, RowsBody, SessionBody, TariffsBody, ZonesBody };

/** What each call answers; `undefined` where the answer has no body, `never` where it is no JSON. */
export interface Answers {
  readonly session: SessionBody;
  readonly signIn: SessionBody;
  readonly signOut: undefined;
  readonly warehouses: Warehouses;
  readonly services: Services;
  readonly limits: Limits;
  readonly quote: RateQuote;
  readonly tariffs: TariffsBody;
  readonly zones: ZonesBody;
  readonly card: CardBody;
  readonly centroids: CentroidsBody;
  readonly batches: BatchPage;
  readonly preview: Preview;
  readonly createBatch: Batch;
  readonly batch: Batch;
  readonly events: never;
  readonly summary: Summary;
  readonly output: never;
  readonly faults: never;
  readonly unprocessed: never;
  readonly rows: RowsBody;
  readonly cancel: Batch;
  readonly retry: Batch;
  readonly correct: Batch;
  readonly remove: undefined;
}
