/** Query parameters of the batch calls. They are checked like the fields of a request: a mistake is reported, never ignored. */
import type { Request } from 'express';
import { z } from 'zod';
import { Failed } from '../../base/failed.ts';
import { readCursor } from '../../batch/client-index.ts';
import type { AskedScenarios } from '../../batch/create.ts';
import { type Schedule, serviceCodes } from '../../catalog/tariff/schedule.ts';
import type { ReadOptions } from '../../lists/columns/columns.ts';
import { unknownCode } from '../../lists/columns/service-names.ts';
import { readingParameters, readOptionsOf } from '../../lists/list-options.ts';
import { formatOf, type OutputFormat } from '../../lists/output/output-format.ts';
import type { Repair } from '../../lists/rows/repair.ts';
import type { Result } from '../../rating/fault.ts';
import type { Asked } from '../call.ts';
import { invalid } from '../input.ts';
import type { Service } from '../service.ts';
import { askScenarios, parseScenarios } from './scenarios.ts';

export interface CreateOptions {
  readonly filename: string | undefined;
  /** How to read the list. */
  readonly reading: ReadOptions;
  /** Whether only to preview the list. `report`: also if its columns are unclear. */
  readonly preview: 'true' | 'report' | undefined;
  /** Size of the whole list, if only its beginning is sent for a preview. */
  readonly bytes: number | undefined;
  /** The tariffs to rate with: those in force, or the tariff that `?tariff=` names. */
  readonly schedule: Schedule;
  /** What the output has in addition to the usual columns. */
  readonly format: OutputFormat;
  /** As given, for the batch to show. */
  readonly given: Readonly<Record<string, string>>;
  /** Set if the list is compared. */
  readonly asked?: AskedScenarios;
}

/** More does not fit into the head of a request. */
const MOST_SCENARIO_CHARACTERS = 16_000;
const NEEDS_SCENARIOS = 'is required in the URL, as ?scenarios=: the body is the list';

/** The format of downloads. Set at the upload for all downloads of the batch, or at a download. */
const downloadForm = {
  format: z.enum(['csv', 'xlsx', 'parquet'], 'must be csv, xlsx or parquet').optional(),
  output: z.enum(['excel', 'plain'], 'must be excel or plain').optional(),
};

export const createQuery = z.strictObject({
  filename: z.string().min(1).max(255).optional(),
  ...readingParameters,
  tariff: z.string().min(1).max(100).optional(),
  services: z.enum(['all'], 'must be all').optional(),
  preview: z
    .enum(['true', 'report', 'false'], 'must be true, report or false')
    .optional()
    .describe(
      'Only reads the first thousand rows. The status is 200, and nothing is queued. If columns are missing or unclear, `true` gives 422, and `report` gives 200 with `problems` and `mapping`.',
    ),
  bytes: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be the size of the whole list in bytes')
    .optional()
    .describe('The size of the whole list in bytes, if only its beginning is sent for a preview.'),
  explain: z.enum(['true', 'false'], 'must be true or false').optional(),
  formulas: z.enum(['keep'], 'must be keep').optional(),
  ...downloadForm,
});

export const listQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .default(20),
  cursor: z
    .string()
    .max(200)
    .refine((text) => readCursor(text) !== undefined, 'must be the `next` value of an earlier page')
    .optional(),
});

/** The list's name for people, from `?filename=` or `Content-Disposition`. It is never used as a path. */
const filenameOf = (req: Request, asked: string | undefined): string | undefined => {
  const disposition = /filename="?([^";]+)"?/i.exec(req.headers['content-disposition'] ?? '')?.[1];
  return (asked ?? disposition)?.slice(0, 255);
};

export const createOptionsOf = (
  req: Request,
  query: z.output<typeof createQuery>,
  current: Schedule,
): Result<CreateOptions> => {
  const { filename, tariff } = query;
  const schedule = tariff === undefined ? current : current.only(tariff);
  if (schedule === undefined) return invalid({ tariff: `must be one of ${current.ids.join(', ')}` });
  const codes = serviceCodes(schedule);
  const reading = readOptionsOf(query, codes);
  const wrongCode = unknownCode(reading.serviceMap ?? [], codes);
  if (wrongCode !== undefined) return invalid({ service_map: wrongCode });
  const { filename: _, preview, bytes, ...given } = query;
  const format = formatOf(query, schedule);
  return {
    filename: filenameOf(req, filename),
    reading,
    preview: preview === 'false' ? undefined : preview,
    bytes: bytes === undefined ? undefined : Number(bytes),
    schedule,
    format,
    given: JSON.parse(JSON.stringify(given)),
  };
};

/** A list that is uploaded for a comparison. Its output has neither prices of all services nor explanations. */
export const compareQuery = createQuery.omit({ preview: true, bytes: true, services: true, explain: true }).extend({
  scenarios: z.string(NEEDS_SCENARIOS).min(1).max(MOST_SCENARIO_CHARACTERS).meta({
    description: 'The scenarios as JSON, in the same form as `scenarios` in the body of a comparison of a batch.',
    example: '[{"service":"cheapest"}]',
  }),
});

/** As `createOptionsOf`, for a list that is compared. */
export const compareOptionsOf = (
  { req, schedule, client, service }: Asked<Service>,
  { scenarios: text, ...rest }: z.output<typeof compareQuery>,
): Result<CreateOptions> => {
  const scenarios = parseScenarios(text);
  if (scenarios instanceof Failed) return scenarios;
  const options = createOptionsOf(req, rest, schedule);
  if (options instanceof Failed) return options;
  const { warehouses } = client;
  const asked = askScenarios(scenarios, client, {
    ...{ base: options.schedule, schedule },
    ...{ account: client, warehouses, draft: service.clients.draft },
  });
  return asked instanceof Failed ? asked : { ...options, asked };
};

const downloadQuery = z.strictObject({
  partial: z.enum(['true', 'false'], 'must be true or false').optional(),
  revision: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
    .transform(Number)
    .optional(),
  ...downloadForm,
});

/** The list of all comparisons, or of one batch's comparisons. */
export const comparisonsQuery = listQuery.extend({
  batch: z.string().max(100).optional().describe('The id of a batch, to list only its comparisons.'),
});

/** The summary of a comparison has no parameters. */
export const comparisonQuery = z.strictObject({});

/** The parameters of each download. Unprocessed rows are returned unchanged, so they have none. */
export const DOWNLOAD_QUERIES = {
  output: downloadQuery,
  faults: downloadQuery.omit({ partial: true }),
  unprocessed: z.strictObject({}),
  summary: downloadQuery.pick({ revision: true }),
  comparison: downloadQuery.omit({ revision: true }).extend({
    format: z.enum(['csv', 'xlsx', 'parquet', 'json'], 'must be csv, xlsx, parquet or json').optional(),
  }),
} as const;

/** The parameters of all downloads. Each kind of file has some of them. */
export type DownloadQuery = Partial<
  Omit<z.output<typeof DOWNLOAD_QUERIES.output>, 'format'> &
    Pick<z.output<typeof DOWNLOAD_QUERIES.comparison>, 'format'>
>;

/** The options of the upload: how the file is written, its repairs, and the options that the batch was created with. */
export const correctionQuery = createQuery.omit({ preview: true, bytes: true });

export interface CorrectionOptions {
  readonly filename: string | undefined;
  /** How the corrections are written. */
  readonly reading: Pick<ReadOptions, 'encoding' | 'delimiter' | 'quotes' | 'sheet'>;
  /** Repairs in addition to those that the batch makes in every row. */
  readonly repairs: readonly Repair[];
}

/** Options that corrections may set. All others come from the batch. */
const OWN_OPTIONS = new Set(['filename', 'encoding', 'delimiter', 'quotes', 'sheet', 'repair']);

/** An option that the batch was not created with cannot apply to only some of its rows. */
const otherThan = (given: Readonly<Record<string, unknown>>, options: Readonly<Record<string, string>>) =>
  Object.entries(given)
    .filter(([name, value]) => !OWN_OPTIONS.has(name) && value !== undefined && value !== options[name])
    .map(([name]) => [
      name,
      options[name] === undefined
        ? 'must be left out: the batch was created without it'
        : `must be ${JSON.stringify(options[name])}, as the batch was created with, or left out`,
    ]);

/** @param options of the batch, as its upload gave them */
export const correctionOptionsOf = (
  req: Request,
  query: z.output<typeof correctionQuery>,
  options: Readonly<Record<string, string>>,
): Result<CorrectionOptions> => {
  const problems = otherThan(query, options);
  if (problems.length > 0) return invalid(Object.fromEntries(problems));
  const { encoding, delimiter, quotes, sheet, repairs = [] } = readOptionsOf(query);
  return { filename: filenameOf(req, query.filename), reading: { encoding, delimiter, quotes, sheet }, repairs };
};
