/** The methods of a client, built on the calls of the API. */
import type { Caller, Waiting } from './caller.ts';
import type { ApiCalls, ComparisonRequest, Preview, RateRequest } from './calls.ts';
import type { Content, OnSent } from './content.ts';
import { watch } from './events.ts';

type AnswerTo<N extends keyof ApiCalls> = ApiCalls[N]['answer'];
type QueryOf<N extends keyof ApiCalls> = ApiCalls[N]['query'];

const UPLOAD = 'POST /v1/client/shipment/rates/batches';
const COMPARE = 'POST /v1/client/shipment/rates/batches/{id}/comparisons';

export type Quote = AnswerTo<'POST /v1/client/shipment/rates'>;
export type Batch = AnswerTo<typeof UPLOAD>;
export type BatchPage = AnswerTo<'GET /v1/client/shipment/rates/batches'>;
export type Summary = AnswerTo<'GET /v1/client/shipment/rates/batches/{id}/summary'>;
export type Warehouses = AnswerTo<'GET /v1/client/warehouses'>;
export type Services = AnswerTo<'GET /v1/client/services'>;
export type Comparison = AnswerTo<typeof COMPARE>;
export type ComparisonSummary = AnswerTo<'GET /v1/client/shipment/rates/comparisons/{id}/summary'>;

export interface Uploading extends Waiting {
  /** Parameters of the upload: how the list is read, and what the output has. */
  readonly query?: QueryOf<typeof UPLOAD>;
  readonly onSent?: OnSent;
  /** Several uploads of the same list with one key make one batch. Default: a new key for each upload. */
  readonly key?: string;
}

/** The files of a batch. */
export type BatchFile = 'output' | 'faults' | 'unprocessed' | 'summary';

/** A random key. `crypto.randomUUID` exists only on secure origins. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Every call rejects with an `ApiFault` if the service refuses it or does not answer. */
export const operationsOf = (caller: Caller<ApiCalls>) => {
  const { call, answerOf } = caller;
  const events = (id: string, waiting?: Waiting): AsyncGenerator<Batch, void, undefined> =>
    watch(caller, 'GET /v1/client/shipment/rates/batches/{id}/events', id, waiting);
  return {
    /** Rates one shipment. @param options `explain`: whether each price has an explanation */
    quote: (
      json: RateRequest,
      { explain = false, ...waiting }: Waiting & { readonly explain?: boolean } = {},
    ): Promise<Quote> =>
      call('POST /v1/client/shipment/rates', {
        ...{ ...waiting, json, isHarmless: true },
        ...(explain && { query: { explain: 'true' } }),
      }),
    warehouses: (waiting?: Waiting): Promise<Warehouses> => call('GET /v1/client/warehouses', waiting),
    services: (waiting?: Waiting): Promise<Services> => call('GET /v1/client/services', waiting),

    /** Shows how a list would be read. `query.bytes`: the size of the whole list, if `content` is only its beginning. */
    preview: async (content: Content, { query, ...waiting }: Omit<Uploading, 'key' | 'onSent'> = {}) => {
      const asked = { preview: 'true', ...query };
      // The form of the answer depends on the parameters. No other call does this.
      const answer: unknown = await call(UPLOAD, { ...waiting, content, query: asked, isHarmless: true });
      return answer as Preview;
    },
    /** Uploads a list, which makes a batch. If the connection breaks, the list is sent again, but makes no second batch. */
    upload: (content: Content, { key = newKey(), ...options }: Uploading = {}): Promise<Batch> =>
      call(UPLOAD, { ...options, content, key }),
    batches: (query: QueryOf<'GET /v1/client/shipment/rates/batches'> = {}, waiting?: Waiting): Promise<BatchPage> =>
      call('GET /v1/client/shipment/rates/batches', { ...waiting, query }),
    batch: (id: string, waiting?: Waiting): Promise<Batch> =>
      call('GET /v1/client/shipment/rates/batches/{id}', { ...waiting, id }),
    cancel: (id: string, waiting?: Waiting): Promise<Batch> =>
      call('POST /v1/client/shipment/rates/batches/{id}/cancel', { ...waiting, id }),
    /** Finishes a batch that failed. */
    retry: (id: string, waiting?: Waiting): Promise<Batch> =>
      call('POST /v1/client/shipment/rates/batches/{id}/retry', { ...waiting, id }),
    /** Yields the batch at once and after each change, until it has ended. */
    events,
    /** @returns the batch once it has completed, failed or been cancelled */
    ended: async (id: string, waiting?: Waiting): Promise<Batch> => {
      let last: Batch | undefined;
      for await (const batch of events(id, waiting)) last = batch;
      return last ?? (await call('GET /v1/client/shipment/rates/batches/{id}', { ...waiting, id }));
    },
    summary: (id: string, waiting?: Waiting): Promise<Summary> =>
      call('GET /v1/client/shipment/rates/batches/{id}/summary', { ...waiting, id }),
    /** A file of a batch. The body of the response is a stream. */
    download: (
      id: string,
      file: BatchFile = 'output',
      query: QueryOf<'GET /v1/client/shipment/rates/batches/{id}/output'> = {},
      waiting?: Waiting,
    ): Promise<Response> => answerOf(`GET /v1/client/shipment/rates/batches/{id}/${file}`, { ...waiting, id, query }),

    /** Compares a completed batch with scenarios, or with another batch. */
    compare: (
      id: string,
      json: ComparisonRequest,
      { key = newKey(), ...waiting }: Waiting & { readonly key?: string } = {},
    ): Promise<Comparison> => call(COMPARE, { ...waiting, id, json, key }),
    comparison: (id: string, waiting?: Waiting): Promise<Comparison> =>
      call('GET /v1/client/shipment/rates/comparisons/{id}', { ...waiting, id }),
    comparisonEvents: (id: string, waiting?: Waiting): AsyncGenerator<Comparison, void, undefined> =>
      watch(caller, 'GET /v1/client/shipment/rates/comparisons/{id}/events', id, waiting),
    comparisonSummary: (id: string, waiting?: Waiting): Promise<ComparisonSummary> =>
      call('GET /v1/client/shipment/rates/comparisons/{id}/summary', { ...waiting, id }),
    comparisonOutput: (
      id: string,
      query: QueryOf<'GET /v1/client/shipment/rates/comparisons/{id}/output'> = {},
      waiting?: Waiting,
    ): Promise<Response> =>
      answerOf('GET /v1/client/shipment/rates/comparisons/{id}/output', { ...waiting, id, query }),
  };
};
