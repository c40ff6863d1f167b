/** The tools of an assistant, each declared once. The tools for lists call a service as the client. */
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { must } from '../../base/must.ts';
import { kindOf } from '../../batch/ids.ts';
import { batchSchema, comparisonSchema } from '../../batch/view.ts';
import { createQuery } from '../../http/batches/batch-options.ts';
import { comparisonRequest } from '../../http/batches/scenarios.ts';
import { comparisonSummarySchema } from '../../lists/comparison/summary.ts';
import { readingParameters } from '../../lists/list-options.ts';
import { previewBody } from '../../lists/preview/preview-body.ts';
import { quoteOutcome, rateQuoteSchema } from '../../rating/quote.ts';
import { rateRequest } from '../../rating/shipment.ts';
import { checkAgreements, checkedJson } from '../agreement/agreement-check.ts';
import { tariffsFor } from '../agreement/agreement-sources.ts';
import { patiently, type Remote } from '../batch/remote.ts';
import { uploadList } from '../batch/watch.ts';
import { fetchPreview } from '../rate/preview.ts';
import { pathBelow } from './files.ts';
import { MOST_ROWS, readRows, rowsPage } from './rows.ts';
import { type Surroundings, type Tool, ToolFault, tool } from './tool.ts';

const serviceOf = ({ service }: Surroundings): Remote => must(service, 'the service of a tool that needs one');

/** The core validates the request, so that the faults equal those of the single call. */
const quoting = (name: string, about: string, explains: boolean): Tool => ({
  name,
  about:
    `${about} Each weight is for one package. \`warehouse_id\` may be \`any\`. Without \`shippingService\`, the answer is the ` +
    'cheapest quote, and `quotes` has all. Amounts are US dollars. `warnings` say why a price is uncertain: tell the user.',
  // The schema itself has a name, so it would become a reference.
  input: z.object(rateRequest.shape),
  output: rateQuoteSchema.extend({}),
  local: true,
  readOn: 'Name one shippingService and one warehouse_id.',
  run: async (request, at) => {
    if (at.local === undefined)
      return await serviceOf(at).call('POST /v1/client/shipment/rates', {
        ...{ json: request, query: { explain: String(explains) }, signal: at.signal },
      });
    const { status, body } = quoteOutcome(request, at.local.client, at.local.schedule, new Date(), explains);
    if (status !== 200) throw new ToolFault(body.fault);
    return body;
  },
});

const id = z.string().min(1).max(100);
const localPath = z.string().min(1).max(1_000);
const batchId = id.meta({ description: 'The id of a batch.' });
const listInput = {
  file: localPath.meta({ description: 'A local list: a CSV or a workbook with a header.' }),
  ...readingParameters,
  ...createQuery.pick({ tariff: true, services: true, explain: true, formulas: true }).shape,
};

const previewList = tool({
  name: 'preview_list',
  about:
    'How the service reads a local list: which columns it uses, notes on them, the first rows with their quotes or faults, ' +
    'repairs, and an estimate for the whole list. Nothing is started or kept.',
  input: z.strictObject({
    ...listInput,
    rows: z.int().min(0).max(50).default(10).meta({ description: 'How many of the first rows to show.' }),
  }),
  output: previewBody.omit({ status: true, headerKey: true, mapping: true }),
  readOn: 'Ask for fewer rows.',
  run: async ({ file, rows, ...parameters }, at) => {
    const path = await pathBelow(at.folder, 'file', file);
    const preview = await fetchPreview(path, parameters, serviceOf(at), at);
    return { ...preview, rows: preview.rows.slice(0, rows) };
  },
});

const batchAnswer = batchSchema.omit({ links: true });
const comparisonAnswer = comparisonSchema.omit({ links: true });

const READ_ROWS = 'Read rows with read_rows.';

const startBatch = tool({
  name: 'start_batch',
  about: 'Sends a local list to the service, which rates all of its rows. Preview it first. Then call read_batch.',
  input: z.strictObject(listInput),
  output: batchAnswer,
  starts: true,
  readOn: READ_ROWS,
  run: async ({ file, ...parameters }, at) => {
    const path = await pathBelow(at.folder, 'file', file);
    const query = { ...parameters, filename: basename(path) };
    return await uploadList(serviceOf(at), () => createReadStream(path), { ...patiently(at.signal), query });
  },
});

const readBatch = tool({
  name: 'read_batch',
  about:
    'The state of a batch: its status, rows, faults and total. It has ended if it is completed, failed or cancelled.',
  input: z.strictObject({ batch: batchId }),
  output: batchAnswer,
  readOn: READ_ROWS,
  run: ({ batch }, at) => serviceOf(at).batch(batch, { signal: at.signal }),
});

/** The rows of a batch or of a comparison. */
const fetchRows = (of: string, rows: 'all' | 'faults', at: Surroundings): Promise<Response> => {
  const [service, waiting] = [serviceOf(at), { signal: at.signal }];
  if (kindOf(of) === 'comparison') return service.comparisonOutput(of, { format: 'csv' }, waiting);
  const form = { format: 'csv', output: 'plain' };
  return rows === 'faults'
    ? service.download(of, 'faults', form, waiting)
    : service.download(of, 'output', { ...form, partial: 'true' }, waiting);
};

const readRowsTool = tool({
  name: 'read_rows',
  about:
    'A page of the rows of a batch or a comparison, with their prices and faults. While a batch runs, the rows that are rated ' +
    'so far, from the top. Pages far down take longer.',
  input: z.strictObject({
    of: id.meta({ description: 'The id of a batch or of a comparison.' }),
    rows: z
      .enum(['all', 'faults'])
      .default('all')
      .meta({ description: '`faults`: only rows with a fault, of a batch.' }),
    from: z.int().min(1).default(1).meta({ description: 'The number of the first row, or `next` of the page before.' }),
    limit: z.int().min(1).max(MOST_ROWS).default(20),
  }),
  output: rowsPage,
  readOn: '`rates batch download` writes all cells to a file.',
  run: async ({ of, rows, from, limit }, at) => {
    const answer = await fetchRows(of, rows, at);
    return await readRows(must(answer.body, 'the body of an output'), from, limit);
  },
});

const startComparison = tool({
  name: 'start_comparison',
  about:
    'Rates the rows of a completed batch again in scenarios, or joins it with another batch of the client by a key column. Give ' +
    '`scenarios` or `with`. Then call read_comparison.',
  input: z.strictObject({ batch: batchId, ...comparisonRequest.shape }),
  output: comparisonAnswer,
  starts: true,
  readOn: 'Call read_comparison.',
  run: ({ batch, ...wanted }, at) => serviceOf(at).compare(batch, wanted, { signal: at.signal }),
});

const readComparison = tool({
  name: 'read_comparison',
  about: 'The state of a comparison and, once it is completed, what each scenario costs and where the money moves.',
  input: z.strictObject({ comparison: id.meta({ description: 'The id of a comparison.' }) }),
  output: comparisonAnswer.extend({ summary: comparisonSummarySchema.nullable() }),
  readOn: READ_ROWS,
  run: async ({ comparison }, at) => {
    const [service, waiting] = [serviceOf(at), { signal: at.signal }];
    const seen = await service.comparison(comparison, waiting);
    const isWhole = seen.status === 'completed';
    return { ...seen, summary: isWhole ? await service.comparisonSummary(comparison, waiting) : null };
  },
});

const checkAgreement = tool({
  name: 'check_agreement',
  about:
    'Errors and warnings of negotiated rates in a local folder, including against the tariffs on this machine, and their terms for ' +
    'each service. Amounts that end with `Cents` are cents, and percentages are as the folder has them.',
  input: z.strictObject({
    folder: localPath.meta({ description: 'A folder with an agreement.json, or one that contains such folders.' }),
  }),
  output: z.object({
    agreements: z.array(z.looseObject({ dir: z.string(), findings: z.array(z.looseObject({ message: z.string() })) })),
  }),
  local: true,
  readOn: 'Name the folder of one agreement. `rates agreement check` prints all.',
  run: async ({ folder }, { folder: allowed, io }) => {
    const dir = await pathBelow(allowed, 'folder', folder);
    const checked = await checkAgreements([dir], await tariffsFor(undefined, io));
    return { agreements: checked.map(checkedJson) };
  },
});

export const TOOLS: readonly Tool[] = [
  quoting('quote', 'What it costs to ship packages within the United States.', false),
  quoting('explain', 'A quote with the reason for each charge: weights, zone, rate, surcharges, discounts.', true),
  ...[previewList, startBatch, readBatch, readRowsTool, startComparison, readComparison, checkAgreement],
];
