/** The documentation of the batch operations. */
import { z } from 'zod';
import { XLSX_TYPE } from '../../batch/workbook-file.ts';
import { previewBody } from '../../rows/preview-body.ts';
import type { ApiFaultType } from '../faults.ts';
import type { ApiOperationId } from '../operations.ts';
import { BATCHES, LIST, PREVIEW, SUMMARY } from './examples.ts';
import type { Description, Media, Success } from './operation.ts';

/** An operation on one batch. */
const onBatch = (
  description: Omit<Description, 'tag' | 'faults'>,
  ...faults: readonly ApiFaultType[]
): Description => ({
  ...description,
  tag: 'Batches',
  faults: ['request.notFound', 'service.unavailable', ...faults],
});

export const upload: readonly Media[] = [
  { type: 'text/csv', description: 'The list itself; `Content-Encoding: gzip` is accepted.', example: LIST },
  { type: XLSX_TYPE, description: 'An Excel workbook, one sheet of which is the list.' },
  { type: 'application/gzip', description: 'Either one, compressed.' },
  { type: 'application/zip', description: 'An archive with one CSV.' },
  { type: 'application/octet-stream', description: 'Any of these. A body without a type is read in the same way.' },
  {
    type: 'multipart/form-data',
    schema: z.object({ file: z.string().meta({ contentMediaType: 'text/csv', description: 'The list.' }) }),
  },
];

export const contentEncoding = {
  'Content-Encoding': {
    description: 'How the body is compressed.',
    schema: z.enum(['gzip', 'identity']),
  },
};

export const idempotencyKey = {
  'Idempotency-Key': {
    description:
      'Of several requests with one key within 24 hours, only one creates a batch. The others get that batch as their answer if they have the same content.',
    schema: z.string().min(1).max(255),
  },
};

const NOT_CACHED = { 'Cache-Control': '`no-store`' };

const FILES: readonly Media[] = [{ type: 'text/csv' }, { type: XLSX_TYPE }];

export const FILE_HEADERS = {
  ...NOT_CACHED,
  'Batch-Revision': 'Number of this revision.',
  'Content-Disposition': '`attachment`, with the name of the file.',
};

export const COMPLETE = { 'Batch-Complete': '`false` if rows are missing.' };

const file = (description: string, headers: Success['headers'] = {}): Success => ({
  status: 200,
  description,
  content: FILES,
  headers: { ...FILE_HEADERS, ...headers },
});

const presigned = (headers: Success['headers'] = {}): Success => ({
  status: 302,
  description:
    'If the service is configured for it: the same CSV in its store, at a URL that needs no token and expires soon.',
  headers: { ...FILE_HEADERS, ...headers, Location: 'The URL.' },
});

/** How a stream of events is answered. */
export const WATCH = {
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
    description: 'That event was the last one. Browsers do not reconnect.',
  },
} as const satisfies Partial<Description>;

export const BATCH_DESCRIPTIONS = {
  createBatch: {
    tag: 'Batches',
    summary: 'Upload a list of shipments',
    description: 'One CSV row is one shipment. The list is queued and rated with the tariffs in force now.',
    headers: { ...contentEncoding, ...idempotencyKey },
    body: { required: true, content: upload },
    success: {
      status: 202,
      description: 'The batch, which is queued.',
      example: BATCHES.queued,
      headers: {
        Location: 'Path of the batch.',
        'Idempotent-Replayed': { sometimes: '`true` if an earlier request with this key created the batch.' },
      },
    },
    alternative: {
      status: 200,
      description: 'With `?preview=true`: how the list is read, and quotes of its first rows. Nothing is queued.',
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
  },
  listBatches: {
    tag: 'Batches',
    summary: 'List batches, newest first',
    success: {
      status: 200,
      description: 'A page of them.',
      example: { batches: [BATCHES.completed], next: null },
    },
    faults: ['getRates.invalidRequest', 'service.unavailable'],
  },
  getBatch: onBatch({
    summary: 'Look at a batch',
    success: { status: 200, description: 'The batch.', example: BATCHES.completed },
  }),
  watchBatch: onBatch({
    summary: 'Watch a batch',
    description:
      'Server-sent events: `event: batch`, with the batch as data: at once, and then after each change, at most ten times a second. The stream ends after a final state, and within seconds after its token expires. Without changes there is a comment every 15 seconds.',
    ...WATCH,
  }),
  deleteBatch: onBatch(
    {
      summary: 'Delete a batch that has ended, and its files',
      success: { status: 204, description: 'The batch and its files are deleted.' },
    },
    'batches.notFinal',
  ),
  cancelBatch: onBatch(
    {
      summary: 'Cancel a batch',
      success: {
        status: 202,
        description: 'The batch stops. Rows that were rated can be downloaded.',
        example: BATCHES.cancelling,
      },
    },
    'batches.final',
  ),
  retryBatch: onBatch(
    {
      summary: 'Finish a failed batch',
      success: { status: 202, description: 'The batch continues.', example: BATCHES.resumed },
    },
    'batches.notFinal',
  ),
  getOutput: onBatch(
    {
      summary: 'Download the output',
      description:
        'One row for each row of the list, in its order; a row without a quote has a fault, which may be `row.malformed`.',
      success: file('The output.', COMPLETE),
      alternative: presigned(COMPLETE),
    },
    'getRates.invalidRequest',
    'batches.notReady',
    'batches.expired',
    'request.tooLarge',
  ),
  getFaults: onBatch(
    {
      summary: 'Download the rows that have a fault',
      success: file('The rows, ready to correct and upload again.'),
      alternative: presigned(),
    },
    'getRates.invalidRequest',
    'batches.notReady',
    'batches.expired',
    'request.tooLarge',
  ),
  getUnprocessed: onBatch(
    {
      summary: 'Download the rows that a cancelled or failed batch did not process',
      success: file('The rows, as they were uploaded.'),
    },
    'getRates.invalidRequest',
    'batches.notReady',
    'batches.expired',
  ),
  getSummary: onBatch(
    {
      summary: 'Counts and spend by service, zone and weight, faults by type',
      success: {
        status: 200,
        description:
          'The summary. The example is of a list with `?services=all`. Without it, there is no `allServices`.',
        example: SUMMARY,
      },
    },
    'getRates.invalidRequest',
    'batches.notReady',
  ),
  correctBatch: onBatch(
    {
      summary: 'Upload the corrected rows of a completed batch',
      description: 'Only those rows are quoted again. They replace the old ones in the next revision.',
      headers: contentEncoding,
      body: { required: true, content: upload },
      success: { status: 202, description: 'The batch, at its next revision.', example: BATCHES.corrected },
    },
    'request.malformedBody',
    'request.tooLarge',
    'request.unsupportedMediaType',
    'getRates.invalidRequest',
    'createBatch.invalidFile',
    'batches.notFinal',
    'batches.expired',
  ),
} as const satisfies Partial<Record<ApiOperationId, Description>>;
