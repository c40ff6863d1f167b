/** The operations of batches, as the document has them. */
import { z } from 'zod';
import { BATCHES_PATH } from '../../batch/view.ts';
import { XLSX_TYPE } from '../../batch/workbook-file.ts';
import { previewBody } from '../../rows/preview-body.ts';
import { correctionQuery, createQuery, DOWNLOAD_QUERIES, listQuery } from '../batch-options.ts';
import { batch, batchPage, summary } from '../schemas.ts';
import { BATCHES, LIST, PREVIEW, SUMMARY } from './examples.ts';
import type { AnyFaultType, Media, Operation, Success } from './operation.ts';

const UNKEPT = { 'Cache-Control': '`no-store`' };
/** An operation on one batch. */
const onBatch = (
  operation: Pick<
    Operation,
    'method' | 'id' | 'summary' | 'success' | 'alternative' | 'query' | 'headers' | 'description'
  > & { readonly below: string },
  ...faults: readonly AnyFaultType[]
): Operation => {
  const { below, ...rest } = operation;
  return {
    ...rest,
    ...(rest.method === 'get' && { limited: true }),
    path: `${BATCHES_PATH}/{id}${below}`,
    tag: 'Batches',
    caller: 'batch',
    faults: ['request.notFound', 'service.unavailable', ...faults],
  };
};

const FILES: readonly Media[] = [{ type: 'text/csv' }, { type: XLSX_TYPE }];

const FILE_HEADERS = {
  ...UNKEPT,
  'Batch-Revision': 'Number of the revision that this is.',
  'Content-Disposition': '`attachment`, with the name of the file.',
};

const file = (description: string, headers: Success['headers'] = {}): Success => ({
  status: 200,
  description,
  content: FILES,
  headers: { ...FILE_HEADERS, ...headers },
});

const COMPLETE = { 'Batch-Complete': '`false` where rows are missing.' };

const elsewhere = (headers: Success['headers'] = {}): Success => ({
  status: 302,
  description: 'Where the service is set so: the same CSV at its store, by a URL that needs no token and soon expires.',
  content: [],
  headers: { ...FILE_HEADERS, ...headers, Location: 'The URL.' },
});

const downloadOperations: readonly Operation[] = [
  onBatch(
    {
      method: 'get',
      below: '/output',
      id: 'getOutput',
      summary: 'Download the output',
      description:
        'One row for each row of the list, in its order; a row without a quote has a fault, also `row.malformed`.',
      query: DOWNLOAD_QUERIES.output,
      success: file('The output.', COMPLETE),
      alternative: elsewhere(COMPLETE),
    },
    'getRates.invalidRequest',
    'batches.notReady',
    'batches.expired',
    'request.tooLarge',
  ),
  onBatch(
    {
      method: 'get',
      below: '/faults',
      id: 'getFaults',
      summary: 'Download the rows that have a fault',
      query: DOWNLOAD_QUERIES.faults,
      success: file('They, ready to mend and upload again.'),
      alternative: elsewhere(),
    },
    'getRates.invalidRequest',
    'batches.notReady',
    'batches.expired',
    'request.tooLarge',
  ),
  onBatch(
    {
      method: 'get',
      below: '/unprocessed',
      id: 'getUnprocessed',
      summary: 'Download the rows that a cancelled or failed batch did not come to',
      query: DOWNLOAD_QUERIES.unprocessed,
      success: file('They, as they came in.'),
    },
    'getRates.invalidRequest',
    'batches.notReady',
    'batches.expired',
  ),
  onBatch(
    {
      method: 'get',
      below: '/summary',
      id: 'getSummary',
      summary: 'Counts and spend by service, zone and weight, faults by type',
      success: {
        status: 200,
        description: 'The summary.',
        content: [{ type: 'application/json', schema: summary, example: SUMMARY }],
      },
      query: DOWNLOAD_QUERIES.summary,
    },
    'getRates.invalidRequest',
    'batches.notReady',
  ),
];

const batchIn = (status: keyof typeof BATCHES): readonly Media[] => [
  { type: 'application/json', schema: batch, example: BATCHES[status] },
];

const upload: readonly Media[] = [
  { type: 'text/csv', description: 'The list itself; `Content-Encoding: gzip` is taken.', example: LIST },
  { type: XLSX_TYPE, description: 'An Excel workbook, one sheet of which is the list.' },
  { type: 'application/gzip', description: 'Either, packed.' },
  { type: 'application/zip', description: 'An archive with one CSV.' },
  { type: 'application/octet-stream', description: 'Any of these; so is a body of no type.' },
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
      'Of several requests with one key within 24 hours, one makes a batch; the others are answered with it where they have the same content.',
    schema: z.string().min(1).max(255),
  },
};

const collection: readonly Operation[] = [
  {
    method: 'post',
    path: BATCHES_PATH,
    id: 'createBatch',
    tag: 'Batches',
    summary: 'Upload a list of shipments',
    description: 'One CSV row is one shipment. The list is queued, and rated with the tariffs that are in force now.',
    caller: 'batch',
    query: createQuery,
    headers: { ...contentEncoding, ...idempotencyKey },
    body: { required: true, content: upload },
    success: {
      status: 202,
      description: 'The batch, which is queued.',
      content: batchIn('queued'),
      headers: {
        Location: 'Path of the batch.',
        'Idempotent-Replayed': { sometimes: '`true` where an earlier request with this key made the batch.' },
      },
    },
    alternative: {
      status: 200,
      description: 'With `?preview=true`: how the list is read, and its first rows quoted; nothing is queued.',
      content: [{ type: 'application/json', schema: previewBody, example: PREVIEW }],
    },
    faults: [
      'request.malformedBody',
      'request.tooLarge',
      'request.unsupportedMediaType',
      'getRates.invalidRequest',
      'createBatch.invalidFile',
      'idempotency.inProgress',
      'idempotency.keyReused',
      'request.notFound',
      'service.unavailable',
    ],
    limited: true,
  },
  {
    method: 'get',
    path: BATCHES_PATH,
    id: 'listBatches',
    tag: 'Batches',
    summary: 'List batches, newest first',
    caller: 'batch',
    query: listQuery,
    success: {
      status: 200,
      description: 'A page of them.',
      content: [{ type: 'application/json', schema: batchPage, example: { batches: [BATCHES.completed], next: null } }],
    },
    faults: ['getRates.invalidRequest', 'service.unavailable'],
    limited: true,
  },
];

const one: readonly Operation[] = [
  onBatch({
    method: 'get',
    below: '',
    id: 'getBatch',
    summary: 'Look at a batch',
    success: { status: 200, description: 'The batch.', content: batchIn('completed') },
  }),
  onBatch({
    method: 'get',
    below: '/events',
    id: 'watchBatch',
    summary: 'Watch a batch',
    description:
      'Server-sent events: `event: batch`, with the batch as data, as it is and then whenever it has changed, at most ten times a second; after a final state the stream ends, and within seconds of its token. While nothing changes there is a comment every 15 seconds.',
    headers: {
      'Last-Event-ID': {
        description: 'Id of the last event that was received: only what is new since is sent.',
        schema: z.string(),
      },
    },
    success: {
      status: 200,
      description: 'The stream.',
      content: [{ type: 'text/event-stream' }],
      headers: { ...UNKEPT, 'X-Accel-Buffering': '`no`: proxies must not gather it before they pass it on.' },
    },
    alternative: {
      status: 204,
      description: 'That event was the last: nothing follows, and browsers do not ask again.',
      content: [],
    },
  }),
  onBatch(
    {
      method: 'delete',
      below: '',
      id: 'deleteBatch',
      summary: 'Delete a batch that has ended, and its files',
      success: { status: 204, description: 'They are gone.', content: [] },
    },
    'batches.notFinal',
  ),
  onBatch(
    {
      method: 'post',
      below: '/cancel',
      id: 'cancelBatch',
      summary: 'Cancel a batch',
      success: {
        status: 202,
        description: 'It ends; what was rated can be downloaded.',
        content: batchIn('cancelling'),
      },
    },
    'batches.final',
  ),
  onBatch(
    {
      method: 'post',
      below: '/retry',
      id: 'retryBatch',
      summary: 'Do what is missing of a failed batch',
      success: { status: 202, description: 'It goes on.', content: batchIn('resumed') },
    },
    'batches.notFinal',
  ),
];

const corrections: Operation = {
  ...onBatch(
    {
      method: 'post',
      below: '/corrections',
      id: 'correctBatch',
      summary: 'Upload the mended rows of a completed batch',
      description: 'Only those rows are quoted again, into their places, as the next revision.',
      query: correctionQuery,
      headers: contentEncoding,
      success: { status: 202, description: 'The batch, at its next revision.', content: batchIn('corrected') },
    },
    'request.malformedBody',
    'request.tooLarge',
    'request.unsupportedMediaType',
    'getRates.invalidRequest',
    'createBatch.invalidFile',
    'batches.notFinal',
    'batches.expired',
  ),
  body: { required: true, content: upload },
  limited: true,
};

export const batchOperations: readonly Operation[] = [...collection, ...one, ...downloadOperations, corrections];
