/** The downloads of a batch, as the document has them. */
import { XLSX_TYPE } from '../../batch/workbook-file.ts';
import { DOWNLOAD_QUERIES } from '../download-options.ts';
import { summary } from './batch-schemas.ts';
import { SUMMARY } from './examples.ts';
import { onBatch, UNKEPT } from './load-batch-operation.ts';
import type { Media, Operation, Success } from './operation.ts';

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

export const downloadOperations: readonly Operation[] = [
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
