/** The tools of an assistant, each declared once. The tools for lists call a service as the client. */
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { Failed } from '../../base/failed.ts';
import { must } from '../../base/must.ts';
import { check, pathText } from '../../base/validation.ts';
import { kindOf } from '../../batch/ids.ts';
import { batchSchema, comparisonSchema } from '../../batch/view.ts';
import { cellValue, decodeText } from '../../files/csv/cell.ts';
import { eachSlice, rowSink } from '../../files/csv/map-rows.ts';
import { createQuery } from '../../http/batches/batch-options.ts';
import { comparisonRequest } from '../../http/batches/scenarios.ts';
import { comparisonSummarySchema } from '../../lists/comparison/summary.ts';
import { readingParameters } from '../../lists/list-options.ts';
import { previewBody } from '../../lists/preview/preview-body.ts';
import type { FaultBody } from '../../rating/fault.ts';
import { quoteOutcome, rateQuoteSchema } from '../../rating/quote.ts';
import { rateRequest } from '../../rating/shipment.ts';
import { checkAgreements, checkedJson } from '../agreement/agreement-check.ts';
import { tariffsFor } from '../agreement/agreement-sources.ts';
import { patiently, type Remote, RemoteFailure, uploadList } from '../batch/remote.ts';
import { failureText } from '../exit.ts';
import type { Io } from '../io.ts';
import type { Local } from '../rate/local-sources.ts';
import { fetchPreview } from '../rate/preview.ts';

/* An assistant's tool, and the faults of tools in addition to the service's faults. */

/** The faults of tools in addition to the service's faults, and when they occur. */
export const TOOL_FAULTS = {
  'tool.unknown': 'There is no tool with this name, or it needs `--allow-changes`, or it does not work with `--local`.',
  'tool.invalidInput': 'The input does not match the schema of the tool, or names a file that may not be read.',
  'tool.busy': 'Eight calls are running. Try again when one of them has been answered.',
  'tool.failed': 'Something on this machine failed, such as reading a file.',
  'service.unreachable': 'The service did not answer, or another program answered.',
} as const;

/** An error that carries a fault to the answer. */
export class ToolFault extends Error {
  readonly fault: FaultBody;

  constructor(fault: FaultBody) {
    super(fault.message);
    this.fault = fault;
  }
}

export const toolFault = (type: keyof typeof TOOL_FAULTS, message: string, args = {}): ToolFault =>
  new ToolFault({ type, message, arguments: args });

/** @param problems the problem of each invalid member */
const invalidInput = (problems: Readonly<Record<string, string>>): ToolFault => {
  const words = Object.entries(problems).map(([member, problem]) => `${member} ${problem}`.trim());
  return toolFault('tool.invalidInput', `The input is invalid: ${words.join('; ')}.`, problems);
};

const NOTHING = 'names nothing that the client has';

/** Converts an error to a fault. @param given the input of the tool. A fault names its members, not the path of a call */
export const faultOf = (error: unknown, given: unknown): FaultBody => {
  if (error instanceof ToolFault) return error.fault;
  if (error instanceof RemoteFailure) {
    const { type, message } = error.fault;
    const args = error.fault.arguments;
    const parts = type === 'request.notFound' ? String(args['path']).split('/') : [];
    const [member] = Object.entries(Object(given)).find(([, value]) => parts.includes(`${value}`)) ?? [];
    if (member !== undefined) return { type, message: `${member} ${NOTHING}.`, arguments: { [member]: NOTHING } };
    const isAnswered = type !== 'network' && type !== 'unknown';
    return isAnswered ? { type, message, arguments: args } : toolFault('service.unreachable', error.message).fault;
  }
  return toolFault('tool.failed', failureText(error, false)).fault;
};

/** What a tool call can use. */
export interface Surroundings {
  /** The service, called as the client. Absent with `--local`. */
  readonly service: Remote | undefined;
  /** This machine's client and tariffs, with `--local`. */
  readonly local: Local | undefined;
  /** The folder below which files may be read. */
  readonly folder: string;
  readonly io: Io;
  readonly signal: AbortSignal;
}

/** A tool without the type of its input. */
export interface Tool {
  readonly name: string;
  /** The description for the assistant. */
  readonly about: string;
  readonly input: z.ZodObject;
  /** An answer has exactly these members. */
  readonly output: z.ZodObject;
  /** Whether it starts something. Such tools exist only with `--allow-changes`. */
  readonly starts?: true;
  /** Whether it works without a service. */
  readonly local?: true;
  /** How to get the parts that an answer omits because of its length. */
  readonly readOn: string;
  /** @throws {Error} an error that `faultOf` converts to a fault */
  readonly run: (given: unknown, at: Surroundings) => Promise<unknown>;
}

/** More problems of an input are omitted. */
const MOST_PROBLEMS = 20;

interface Declaration<I extends z.ZodObject> extends Omit<Tool, 'run'> {
  readonly input: I;
  readonly run: (given: z.output<I>, at: Surroundings) => Promise<unknown>;
}

/** Declares a tool. Its input is checked here. */
const tool = <I extends z.ZodObject>(declaration: Declaration<I>): Tool => ({
  ...declaration,
  run: async (given, at) => {
    const checked = check(declaration.input, given);
    if (!(checked instanceof Failed)) return await declaration.run(checked, at);
    const problems = checked.fault.slice(0, MOST_PROBLEMS).map(({ path, message }) => [pathText(path), message]);
    throw invalidInput(Object.fromEntries(problems));
  },
});

const MOST_ROWS = 200;
/** The maximum characters of a page, except that a page has at least one row. */
const MOST_CHARACTERS = 32 * 1024;

const rowsPage = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string())).describe('The cells of each row, in the order of the columns.'),
  next: z.int().nullable().describe('The number to go on from; null after the last row.'),
});
type RowsPage = z.output<typeof rowsPage>;

/**
 * Reads a page from the beginning without keeping earlier rows.
 * @param content a CSV from the service @param from the number of the first row, from 1
 */
const readRows = async (content: AsyncIterable<Uint8Array>, from: number, limit: number): Promise<RowsPage> => {
  let columns: readonly string[] = [];
  const rows: string[][] = [];
  let characters = 0;
  let next: number | null = null;
  // The header is row 0.
  let number = 0;
  const take = (row: string[]): void => {
    const length = row.reduce((sum, cell) => sum + cell.length, 0);
    if (rows.length === limit || (rows.length > 0 && characters + length > MOST_CHARACTERS)) next = number;
    else {
      rows.push(row);
      characters += length;
    }
  };
  const sink = rowSink((cells) => {
    const read = (): string[] => cells.map((cell) => decodeText(cellValue(cell)));
    if (number === 0) columns = read();
    else if (next === null && number >= from) take(read());
    number += 1;
  });
  for await (const _ of eachSlice(content, sink)) if (next !== null) break;
  return { columns: [...columns], rows, next };
};

/** Other files are not read because a settings file may have a secret. */
const LIST_NAME = /\.(?:csv|tsv|txt|tab|xlsx|parquet|zip|gz)$/i;

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return !isAbsolute(way) && !way.split(sep).some((part) => part.startsWith('.'));
};

/**
 * The path of a list or a folder. Links are resolved, so that none can lead out of the folder. @throws {ToolFault} if it may
 * not be read
 */
const pathBelow = async (folder: string, kind: 'file' | 'folder', given: string): Promise<string> => {
  const outside = invalidInput({ [kind]: `must be below ${folder}, and no part of it hidden` });
  const named = resolve(folder, given);
  if (!isBelow(folder, named)) throw outside;
  const path = await realpath(named);
  if (!isBelow(await realpath(folder), path)) throw outside;
  const found = await stat(path);
  if (kind === 'folder' ? found.isDirectory() : found.isFile() && LIST_NAME.test(path)) return path;
  const list = 'a list: a .csv, .tsv, .txt, .tab, .xlsx, .parquet, .zip or .gz file';
  throw invalidInput({ [kind]: `must be ${kind === 'file' ? list : 'a folder'}` });
};

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
const batchId = id.describe('The id of a batch.');
const listInput = {
  file: localPath.describe('A local list: a CSV or a workbook with a header.'),
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
    rows: z.int().min(0).max(50).default(10).describe('How many of the first rows to show.'),
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
    of: id.describe('The id of a batch or of a comparison.'),
    rows: z.enum(['all', 'faults']).default('all').describe('`faults`: only rows with a fault, of a batch.'),
    from: z.int().min(1).default(1).describe('The number of the first row, or `next` of the page before.'),
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
  input: z.strictObject({ comparison: id.describe('The id of a comparison.') }),
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
    folder: localPath.describe('A folder with an agreement.json, or one that contains such folders.'),
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
