/** The documentation of the operations on comparisons. */
import { JSON_TYPE } from '../../batch/json-file.ts';
import { XLSX_TYPE } from '../../batch/workbook-file.ts';
import type { ApiFaultType } from '../faults.ts';
import type { ApiOperationId } from '../operations.ts';
import { comparisonRequest } from '../scenarios.ts';
import { COMPLETE, contentEncoding, FILE_HEADERS, idempotencyKey, upload, WATCH } from './batch-operations.ts';
import { COMPARISON_REQUEST, COMPARISON_SUMMARY, COMPARISONS } from './comparison-examples.ts';
import type { Description, Success } from './operation.ts';

/** An operation on one comparison. */
const onComparison = (
  description: Omit<Description, 'tag' | 'faults'>,
  ...faults: readonly ApiFaultType[]
): Description => ({
  ...description,
  tag: 'Comparisons',
  faults: ['request.notFound', 'service.unavailable', ...faults],
});

const { 'Batch-Revision': _, ...HEADERS } = FILE_HEADERS;
const OUTPUT_HEADERS = { ...HEADERS, ...COMPLETE };

const created = (description: string): Success => ({
  status: 202,
  description,
  example: COMPARISONS.queued,
  headers: {
    Location: 'Path of the comparison.',
    'Idempotent-Replayed': { sometimes: '`true` if an earlier request with this key created the comparison.' },
  },
});

export const COMPARISON_DESCRIPTIONS = {
  compareBatch: {
    tag: 'Comparisons',
    summary: 'Compare a completed batch with scenarios',
    description:
      'The rows of its last revision are rated again as they are and in each scenario, in one pass. A scenario names what it changes: tariffs, an agreement, discounts, services, the warehouse, the day, the divisor or the fuel surcharge. The batch may be deleted at any time after the answer.',
    headers: idempotencyKey,
    body: {
      required: true,
      content: [{ type: 'application/json', schema: comparisonRequest, example: COMPARISON_REQUEST }],
    },
    success: created('The comparison, which is queued.'),
    faults: [
      'request.malformedBody',
      'request.tooLarge',
      'request.unsupportedMediaType',
      'getRates.invalidRequest',
      'batches.notFinal',
      'batches.expired',
      'idempotency.inProgress',
      'idempotency.keyReused',
      'request.notFound',
      'service.unavailable',
    ],
  },
  createComparison: {
    tag: 'Comparisons',
    summary: 'Upload a list of shipments and compare it with scenarios',
    description:
      'The list is read as that of a batch, and rated with the tariffs in force now and in each scenario, in one pass. There is no batch.',
    headers: { ...contentEncoding, ...idempotencyKey },
    body: { required: true, content: upload },
    success: created('The comparison, which is queued.'),
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
  listComparisons: {
    tag: 'Comparisons',
    summary: 'List comparisons, newest first',
    success: {
      status: 200,
      description: 'A page of them.',
      example: { comparisons: [COMPARISONS.completed], next: null },
    },
    faults: ['getRates.invalidRequest', 'service.unavailable'],
  },
  getComparison: onComparison({
    summary: 'Look at a comparison',
    success: { status: 200, description: 'The comparison.', example: COMPARISONS.completed },
  }),
  watchComparison: onComparison({
    ...WATCH,
    summary: 'Watch a comparison',
    description: 'As the events of a batch, but with `event: comparison`.',
  }),
  deleteComparison: onComparison(
    {
      summary: 'Delete a comparison that has ended, and its files',
      success: { status: 204, description: 'The comparison and its files are deleted.' },
    },
    'batches.notFinal',
  ),
  cancelComparison: onComparison(
    {
      summary: 'Cancel a comparison',
      success: {
        status: 202,
        description: 'The comparison stops. Rows that were rated can be downloaded.',
        example: COMPARISONS.cancelling,
      },
    },
    'batches.final',
  ),
  retryComparison: onComparison(
    {
      summary: 'Finish a failed comparison',
      success: { status: 202, description: 'The comparison continues.', example: COMPARISONS.resumed },
    },
    'batches.notFinal',
  ),
  getComparisonOutput: onComparison(
    {
      summary: 'Download the rows with their price in each scenario',
      description: 'One row for each row of the list, in its order, with the columns of the base and of each scenario.',
      success: {
        status: 200,
        description: 'The output.',
        content: [{ type: 'text/csv' }, { type: XLSX_TYPE }, { type: JSON_TYPE }],
        headers: OUTPUT_HEADERS,
      },
      alternative: {
        status: 302,
        description:
          'If the service is configured for it: the same CSV in its store, at a URL that needs no token and expires soon.',
        headers: { ...OUTPUT_HEADERS, Location: 'The URL.' },
      },
    },
    'getRates.invalidRequest',
    'batches.notReady',
    'batches.expired',
    'request.tooLarge',
  ),
  getComparisonSummary: onComparison(
    {
      summary: 'What each scenario costs, where the money moves, and why',
      description:
        'A row counts in a difference only if both sides price it. The others are counted in `onlyBase`, `onlyScenario` and `neither`.',
      success: { status: 200, description: 'The summary.', example: COMPARISON_SUMMARY },
    },
    'getRates.invalidRequest',
    'batches.notReady',
  ),
} as const satisfies Partial<Record<ApiOperationId, Description>>;
