/** The calls for batches and comparisons (contract, HTTP): create, list, get, watch, download, cancel, retry, delete. */
import { z } from 'zod';
import { Failed } from '../../base/failed.ts';
import { must } from '../../base/must.ts';
import { turn } from '../../base/time-slices.ts';
import type { FoundBatch } from '../../batch/batches.ts';
import { BATCHES_PATH, COMPARISONS_PATH, type Kind } from '../../batch/ids.ts';
import type { OutputKind } from '../../batch/output/output.ts';
import { PARQUET_TYPE } from '../../batch/output/parquet-file.ts';
import { XLSX_TYPE } from '../../batch/output/workbook-file.ts';
import { isFinal } from '../../batch/status.ts';
import { batchPageSchema, batchSchema, comparisonPageSchema, comparisonSchema } from '../../batch/view.ts';
import { comparisonSummaryOf, comparisonSummarySchema } from '../../lists/comparison/summary.ts';
import { summarySchema } from '../../lists/output/summary.ts';
import { previewBody } from '../../lists/preview/preview-body.ts';
import type { Asked } from '../call.ts';
import type { ApiFaultType } from '../faults.ts';
import {
  BATCHES,
  COMPARISON_REQUEST,
  COMPARISON_SUMMARY,
  COMPARISONS,
  LIST,
  PREVIEW,
  SUMMARY,
} from '../openapi/examples.ts';
import type { Description, Media, Success } from '../operation.ts';
import { status } from '../schemas.ts';
import { createConcurrencyLimit } from '../server/concurrency.ts';
import { call, type Service } from '../service.ts';
import { watch } from './batch-events.ts';
import {
  compareOptionsOf,
  compareQuery,
  comparisonQuery,
  comparisonsQuery,
  correctionQuery,
  createOptionsOf,
  createQuery,
  DOWNLOAD_QUERIES,
  type DownloadQuery,
  listQuery,
} from './batch-options.ts';
import { correct } from './corrections.ts';
import { createFromList } from './create-batch.ts';
import { compareBatch } from './create-comparison.ts';
import { download, foundOf, readOf, summary } from './downloads.ts';
import { comparisonRequest } from './scenarios.ts';
import { shareCalls } from './shares.ts';

/** Limit on lists received at the same time. Each takes some megabytes of memory, however slowly it arrives. */
const UPLOADS = { slots: 32, slotsOfClient: 6 };
/** How long a list waits for its turn. */
const PATIENCE_MS = 60_000;

const uploadSlot = createConcurrencyLimit({ ...UPLOADS, patience: { ms: PATIENCE_MS, limit: 'uploadsAtOnce' } });
const byUpload = { caller: 'batch', limit: 'uploads', first: uploadSlot } as const;

const upload: readonly Media[] = [
  { type: 'text/csv', description: 'The list as it is. `Content-Encoding: gzip` is accepted.', example: LIST },
  { type: XLSX_TYPE, description: 'An Excel workbook with the list in one of its sheets.' },
  { type: PARQUET_TYPE, description: 'A Parquet file without nested columns.' },
  { type: 'application/gzip', description: 'Any of these, compressed.' },
  { type: 'application/zip', description: 'An archive with one CSV.' },
  { type: 'application/octet-stream', description: 'Any of these. A body without a type is read the same way.' },
  {
    type: 'multipart/form-data',
    schema: z.object({ file: z.string().meta({ contentMediaType: 'text/csv', description: 'The list.' }) }),
  },
];

const contentEncoding = {
  'Content-Encoding': {
    description: 'How the body is compressed.',
    schema: z.enum(['gzip', 'identity']),
  },
};

const idempotencyKey = {
  'Idempotency-Key': {
    description:
      'If several requests within 24 hours have the same key, only one has an effect. The others get its result if they have the same content.',
    schema: z.string().min(1).max(255),
  },
};

const NOT_CACHED = { 'Cache-Control': '`no-store`' };

const FILES: readonly Media[] = [{ type: 'text/csv' }, { type: XLSX_TYPE }, { type: PARQUET_TYPE }];

const FILE_HEADERS = {
  ...NOT_CACHED,
  'Batch-Revision': 'Number of this revision.',
  'Content-Disposition': '`attachment`, with the name of the file.',
};

const COMPLETE = { 'Batch-Complete': '`false` if rows are missing.' };

const file = (description: string, headers: Success['headers'] = {}): Success => ({
  status: 200,
  description,
  content: FILES,
  headers: { ...FILE_HEADERS, ...headers },
});

const presigned = (headers: Success['headers'] = {}): Success => ({
  status: 302,
  description:
    'The same CSV in the object store, if the service is configured for it. The URL needs no token and expires soon.',
  headers: { ...FILE_HEADERS, ...headers, Location: 'The URL.' },
});

const { 'Batch-Revision': _, ...COMPARISON_HEADERS } = { ...FILE_HEADERS, ...COMPLETE };

/** The documentation of an event stream. */
const WATCH = {
  headers: {
    'Last-Event-ID': {
      description: 'Id of the last event received. Only later changes are sent.',
      schema: z.string(),
    },
  },
  success: {
    status: 200,
    description: 'The stream.',
    content: [{ type: 'text/event-stream' }],
    headers: { ...NOT_CACHED, 'X-Accel-Buffering': '`no`: proxies must not buffer the stream.' },
  },
  alternative: {
    status: 204,
    description: 'There are no more events. Browsers do not reconnect.',
  },
} as const satisfies Partial<Description>;

/** Faults of an uploaded list. */
const LIST_FAULTS = [
  'request.malformedBody',
  'request.tooLarge',
  'request.unsupportedMediaType',
  'createBatch.invalidFile',
] as const;
const KEY_FAULTS = ['idempotency.inProgress', 'idempotency.keyReused'] as const;
const OWN_FAULTS = ['request.notFound', 'service.unavailable'] as const;
const READ_FAULTS = [...OWN_FAULTS, 'batches.notReady'] as const;
const FILE_FAULTS = [...READ_FAULTS, 'batches.expired', 'request.tooLarge'] as const;

const created = (kind: Kind, example: unknown): Success => ({
  status: 202,
  description: `The ${kind}, which is queued.`,
  example,
  headers: {
    Location: `Path of the ${kind}.`,
    'Idempotent-Replayed': { sometimes: '`true` if an earlier request had this key.' },
  },
});

/** Makes a change and answers with the new state. @returns undefined if the change is not possible */
const changed = async (
  { service: { batches }, requestId, client, found }: Asked<Service> & { readonly found: FoundBatch },
  change: 'cancel' | 'retry',
) => {
  if (!(await batches.causedBy(requestId)[change](found.id))) return undefined;
  return must(await batches.find(found.id, client.id), 'a batch that was changed').view;
};

interface Kept<P extends `/${string}`, A extends z.ZodType> {
  readonly kind: Kind;
  readonly path: P;
  readonly answer: A;
  readonly tag: Description['tag'];
  readonly watching: string;
  readonly examples: Readonly<Record<'completed' | 'cancelling' | 'resumed', unknown>>;
}

/** The calls that batches and comparisons have in common. */
const lifecycle = <const P extends `/${string}`, A extends z.ZodType>({ kind, path, answer, ...told }: Kept<P, A>) => {
  const { tag, watching, examples } = told;
  const find = foundOf(kind);
  const by = { caller: 'batch', find } as const;
  const doc = (summary: string, success: Success, ...faults: ApiFaultType[]) => ({
    ...{ tag, summary, success },
    faults: [...OWN_FAULTS, ...faults],
  });
  return {
    get: call({
      ...{ ...by, is: `GET ${path}/{id}` as const, limit: 'reads', answer },
      doc: doc(`Get a ${kind}`, { status: 200, description: `The ${kind}.`, example: examples.completed }),
      handle: ({ found }) => found.view,
    }),
    watch: call({
      ...{ ...by, is: `GET ${path}/{id}/events` as const, limit: 'streams' },
      doc: { ...doc(`Watch a ${kind}`, WATCH.success), description: watching, ...WATCH },
      handle: watch,
    }),
    remove: call({
      ...{ ...by, is: `DELETE ${path}/{id}` as const, limit: 'changes' },
      doc: doc(
        `Delete a ${kind} that has ended, and its files`,
        { status: 204, description: `The ${kind} and its files are deleted.` },
        'batches.notFinal',
      ),
      handle: async ({ service, client, found }) => {
        const { status } = found.fields;
        if (!isFinal(status)) return new Failed({ type: 'batches.notFinal', status } as const);
        await service.batches.remove(found.id, client.id);
        await service.shares.revokeAll(found.id);
        return undefined;
      },
    }),
    cancel: call({
      ...{ ...by, is: `POST ${path}/{id}/cancel` as const, limit: 'changes', answer },
      doc: doc(
        `Cancel a ${kind}`,
        {
          status: 202,
          description: `The ${kind} stops. Rows that were rated can be downloaded.`,
          example: examples.cancelling,
        },
        'batches.final',
      ),
      handle: async (asked) => {
        const { status } = asked.found.fields;
        return (await changed(asked, 'cancel')) ?? new Failed({ type: 'batches.final', status } as const);
      },
    }),
    retry: call({
      ...{ ...by, is: `POST ${path}/{id}/retry` as const, limit: 'changes', answer },
      doc: doc(
        `Finish a failed ${kind}`,
        { status: 202, description: `The ${kind} continues.`, example: examples.resumed },
        'batches.notFinal',
      ),
      handle: async (asked) => {
        const { status } = asked.found.fields;
        const needs = new Failed({ type: 'batches.notFinal', status, needs: 'failed' } as const);
        return (await changed(asked, 'retry')) ?? needs;
      },
    }),
    ...shareCalls(kind, path, tag),
    /** A file of it. */
    file: <const N extends OutputKind, Q extends z.ZodObject & z.ZodType<DownloadQuery>>(
      name: N,
      query: Q,
      { faults = FILE_FAULTS, ...told }: Omit<Description, 'tag'>,
    ) =>
      call({
        ...{ is: `GET ${path}/{id}/${name}` as const, caller: 'batch', limit: 'downloads', query, find: readOf(kind) },
        doc: { tag, ...told, faults },
        handle: download(name),
      }),
  };
};

const batch = lifecycle({
  ...{ kind: 'batch', path: BATCHES_PATH, answer: batchSchema, tag: 'Batches', examples: BATCHES },
  watching:
    'Server-sent events: `event: batch`, with the batch as data. The first event comes at once, and then one after each change, at most ten a second. The stream ends after a final state, or within seconds after the token expires. Without changes, it sends a comment every 15 seconds.',
});

export const summaryBody = z.object({
  status: z.literal(200),
  id: z.string(),
  revision: z.int(),
  ...summarySchema.shape,
});

export const batchCalls = {
  createBatch: call({
    ...{ ...byUpload, is: `POST ${BATCHES_PATH}` },
    query: createQuery,
    answer: batchSchema,
    doc: {
      tag: 'Batches',
      summary: 'Upload a list of shipments',
      description:
        'Each row is one shipment, except where several rows are lines of one order. The list is queued and rated with the tariffs in force now.',
      headers: { ...contentEncoding, ...idempotencyKey },
      body: { required: true, content: upload },
      success: created('batch', BATCHES.queued),
      alternative: {
        status: 200,
        description: 'With `?preview=true`: how the list is read, and quotes for its first rows. Nothing is queued.',
        content: [{ type: 'application/json', schema: previewBody, example: PREVIEW }],
      },
      faults: [...LIST_FAULTS, ...KEY_FAULTS, ...OWN_FAULTS],
    },
    handle: (asked) => createFromList(asked, 'batch', createOptionsOf(asked.req, asked.query, asked.schedule)),
  }),
  listBatches: call({
    ...{ is: `GET ${BATCHES_PATH}`, caller: 'batch', limit: 'reads' },
    query: listQuery,
    answer: batchPageSchema,
    doc: {
      tag: 'Batches',
      summary: 'List batches, newest first',
      success: {
        status: 200,
        description: 'One page of the list.',
        example: { batches: [BATCHES.completed], next: null },
      },
      faults: ['service.unavailable'],
    },
    handle: async ({ service, client, query: { limit, cursor } }) => {
      const { views, next } = await service.batches.list(client.id, limit, cursor);
      await turn();
      return { batches: views, next };
    },
  }),
  getBatch: batch.get,
  watchBatch: batch.watch,
  deleteBatch: batch.remove,
  cancelBatch: batch.cancel,
  retryBatch: batch.retry,
  shareBatch: batch.share,
  listBatchShares: batch.listShares,
  unshareBatch: batch.unshare,
  getOutput: batch.file('output', DOWNLOAD_QUERIES.output, {
    summary: 'Download the output',
    description:
      'One row for each row of the list, in its order; a row without a quote has a fault, which may be `row.malformed` or `row.order`. A row of an order may have its quote in another row.',
    success: file('The output.', COMPLETE),
    alternative: presigned(COMPLETE),
  }),
  getFaults: batch.file('faults', DOWNLOAD_QUERIES.faults, {
    summary: 'Download the rows that have a fault',
    success: file('The rows, ready to correct and upload again.'),
    alternative: presigned(),
  }),
  getUnprocessed: batch.file('unprocessed', DOWNLOAD_QUERIES.unprocessed, {
    summary: 'Download the rows that a cancelled or failed batch did not process',
    success: file('The rows, as they were uploaded.'),
    faults: [...READ_FAULTS, 'batches.expired'],
  }),
  getSummary: call({
    ...{ is: `GET ${BATCHES_PATH}/{id}/summary`, caller: 'batch', limit: 'reads' },
    query: DOWNLOAD_QUERIES.summary,
    find: foundOf('batch'),
    answer: summaryBody,
    doc: {
      tag: 'Batches',
      summary: 'Counts and spend by service, zone and weight, faults by type',
      success: {
        status: 200,
        description:
          'The summary. The example is of a list with `?services=all`. Without it, there is no `allServices`.',
        example: SUMMARY,
      },
      faults: READ_FAULTS,
    },
    handle: ({ service, found, query }) => summary(service, found, query.revision),
  }),
  correctBatch: call({
    ...{ ...byUpload, is: `POST ${BATCHES_PATH}/{id}/corrections` },
    query: correctionQuery,
    find: readOf('batch'),
    answer: batchSchema,
    doc: {
      tag: 'Batches',
      summary: 'Upload the corrected rows of a completed batch',
      description: 'Only the uploaded rows are quoted again. They replace the old ones in the next revision.',
      headers: { ...contentEncoding, ...idempotencyKey },
      body: { required: true, content: upload },
      success: { ...created('batch', BATCHES.corrected), description: 'The batch, at its next revision.' },
      faults: [...OWN_FAULTS, ...LIST_FAULTS, ...KEY_FAULTS, 'batches.notFinal', 'batches.expired'],
    },
    handle: correct,
  }),
};

const comparison = lifecycle({
  ...{
    kind: 'comparison',
    path: COMPARISONS_PATH,
    answer: comparisonSchema,
    tag: 'Comparisons',
    examples: COMPARISONS,
  },
  watching: 'Like the events of a batch, but with `event: comparison`.',
});

export const comparisonSummaryBody = z.object({
  status,
  id: z.string(),
  ...comparisonSummarySchema.shape,
});

export const comparisonCalls = {
  compareBatch: call({
    ...{ is: `POST ${BATCHES_PATH}/{id}/comparisons`, caller: 'batch', limit: 'uploads' },
    answer: comparisonSchema,
    doc: {
      tag: 'Comparisons',
      summary: 'Compare a completed batch with scenarios',
      description:
        'The rows of the last revision are rated as they are and in each scenario, in one pass. A scenario states what it changes: tariffs, an agreement, discounts, services, the warehouse, the day, the divisor or the fuel surcharge. You may delete the batch at any time after the answer.',
      headers: idempotencyKey,
      body: {
        required: true,
        content: [{ type: 'application/json', schema: comparisonRequest, example: COMPARISON_REQUEST }],
      },
      success: created('comparison', COMPARISONS.queued),
      faults: [
        'request.malformedBody',
        'request.tooLarge',
        'request.unsupportedMediaType',
        'batches.notFinal',
        'batches.expired',
        ...KEY_FAULTS,
        ...OWN_FAULTS,
      ],
    },
    handle: compareBatch,
  }),
  createComparison: call({
    ...{ ...byUpload, is: `POST ${COMPARISONS_PATH}` },
    query: compareQuery,
    answer: comparisonSchema,
    doc: {
      tag: 'Comparisons',
      summary: 'Upload a list of shipments and compare it with scenarios',
      description:
        'The list is read like the list of a batch, and rated with the tariffs in force now and in each scenario, in one pass. No batch is created.',
      headers: { ...contentEncoding, ...idempotencyKey },
      body: { required: true, content: upload },
      success: created('comparison', COMPARISONS.queued),
      faults: [...LIST_FAULTS, ...KEY_FAULTS, ...OWN_FAULTS],
    },
    handle: (asked) => createFromList(asked, 'comparison', compareOptionsOf(asked, asked.query)),
  }),
  listComparisons: call({
    ...{ is: `GET ${COMPARISONS_PATH}`, caller: 'batch', limit: 'reads' },
    query: comparisonsQuery,
    answer: comparisonPageSchema,
    doc: {
      tag: 'Comparisons',
      summary: 'List comparisons, newest first',
      success: {
        status: 200,
        description: 'One page of the list.',
        example: { comparisons: [COMPARISONS.completed], next: null },
      },
      faults: ['service.unavailable'],
    },
    handle: async ({ service, client, query: { limit, cursor, batch: of } }) => {
      const { views, next } = await service.batches.list(client.id, limit, cursor, { kind: 'comparison', batch: of });
      await turn();
      return { comparisons: views, next };
    },
  }),
  getComparison: comparison.get,
  watchComparison: comparison.watch,
  deleteComparison: comparison.remove,
  cancelComparison: comparison.cancel,
  retryComparison: comparison.retry,
  shareComparison: comparison.share,
  listComparisonShares: comparison.listShares,
  unshareComparison: comparison.unshare,
  getComparisonOutput: comparison.file('output', DOWNLOAD_QUERIES.comparison, {
    summary: 'Download the rows with their price in each scenario',
    description: 'One row for each row of the list, in its order, with the columns of the base and of each scenario.',
    success: {
      status: 200,
      description: 'The output.',
      content: [
        ...FILES,
        {
          type: 'application/json',
          schema: z.array(z.record(z.string(), z.unknown())),
          example: [
            { postalCode: '02139', input_row: 1, net_base: 11.45, service_base: 'C1-GROUND', net_cheapest: 10.24 },
          ],
        },
      ],
      headers: COMPARISON_HEADERS,
    },
    alternative: { ...presigned(), headers: { ...COMPARISON_HEADERS, Location: 'The URL.' } },
  }),
  getComparisonSummary: call({
    ...{ is: `GET ${COMPARISONS_PATH}/{id}/summary`, caller: 'batch', limit: 'reads' },
    query: comparisonQuery,
    find: readOf('comparison'),
    answer: comparisonSummaryBody,
    doc: {
      tag: 'Comparisons',
      summary: 'Get what each scenario costs, and where the difference comes from',
      description:
        'A row counts in a difference only if both sides price it. The others are counted in `onlyBase`, `onlyScenario` and `neither`.',
      success: { status: 200, description: 'The summary.', example: COMPARISON_SUMMARY },
      faults: READ_FAULTS,
    },
    handle: async ({ service, found: { batch: found, document } }) => {
      const { id, fields } = found;
      const ended = await service.batches.ended(id, 1);
      if (ended === undefined) return new Failed({ type: 'batches.notReady', status: fields.status } as const);
      const sums = must(ended.sums, `the sums of comparison ${id}`);
      const { scenarios } = must(document.comparison, `the scenarios of ${id}`);
      return {
        status: 200,
        id,
        ...comparisonSummaryOf(
          sums,
          scenarios.map(({ scenario }) => scenario),
        ),
      };
    },
  }),
};
