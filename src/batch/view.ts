/** A batch as clients see it, read from the fields of its state in Redis, and what is written to these fields. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { must } from '../base/must.ts';
import { findingBody } from '../lists/columns/findings.ts';
import type { ComparisonDocument } from '../lists/comparison/scenario.ts';
import { columnNames, nameOf, OTHER_BATCH, scenarioSchema, scenarioText } from '../lists/comparison/scenario.ts';
import { resultOf, type ScenarioResult, scenarioResult } from '../lists/comparison/summary.ts';
import { joinedCount, rowCounts } from '../lists/output/summary.ts';
import { netCentsOf } from '../lists/output/tally.ts';
import { dollars } from '../rating/quantity.ts';
import { linksOf } from './ids.ts';
import { type BatchDocument, type FinalDocument, failure } from './records.ts';
import { BATCH_STATUSES, isFinal } from './status.ts';

const text = z.string().optional();
const fieldsSchema = z.object({
  clientId: z.string(),
  status: z.enum(BATCH_STATUSES),
  revision: z.coerce.number(),
  filename: z.string(),
  tariff: z.string(),
  options: z.string(),
  findings: z.string(),
  rows: z.coerce.number(),
  chunks: z.coerce.number(),
  processed: z.coerce.number(),
  quoted: z.coerce.number(),
  faulted: z.coerce.number(),
  createdAt: z.string(),
  startedAt: text,
  completedAt: text,
  expiresAt: text,
  failure: text,
  /** The sum of all net charges in cents. Absent before the end. */
  netCents: z.coerce.number().optional(),
  /** What a comparison compares, as JSON. Absent for batches. */
  comparison: text,
  /** The results of its scenarios, as JSON. Absent before the end. */
  results: text,
  /** Set while the files are being removed. */
  deleted: text,
});
export type BatchFields = z.output<typeof fieldsSchema>;

const instant = z.iso.datetime().nullable();
const count = z.int().gte(0);

export const batchSchema = z.object({
  id: z.string(),
  status: fieldsSchema.shape.status.describe('`completed` means that the output can be downloaded.'),
  outcome: z
    .enum(['all_quoted', 'some_faults', 'all_faults'])
    .nullable()
    .describe('Set when the status is `completed`.'),
  revision: z.int(),
  filename: z.string(),
  tariff: z.string(),
  options: z.record(z.string(), z.string()),
  findings: z
    .array(findingBody)
    .describe('Notes about the columns, such as columns that look relevant and were not used.'),
  rows: z.object({
    ...{ total: count.nullable(), processed: count, quoted: count, faulted: count },
    joined: joinedCount.optional(),
  }),
  faults: z.record(z.string(), count).describe('Rows by fault type.'),
  createdAt: z.iso.datetime(),
  startedAt: instant,
  completedAt: instant,
  expiresAt: instant,
  estimatedCompletionAt: instant,
  failure: failure.nullable(),
  totalNetCharge: z
    .number()
    .nullable()
    .describe('The total of the quoted rows in US dollars. Null before the end, and for comparisons.'),
  links: z.record(z.string(), z.string()).describe('Paths, relative to the host.'),
});
export type BatchView = z.output<typeof batchSchema>;

/** Members of a comparison in addition to a batch's members. */
const comparedSchema = z.object({
  batch: z
    .object({ id: z.string(), revision: z.int(), filename: z.string() })
    .nullable()
    .describe('The batch that is compared. Null if a list was uploaded for the comparison.'),
  with: z
    .object({ batch: z.string(), revision: z.int(), filename: z.string(), key: z.string() })
    .nullable()
    .describe('The batch that it is joined with, and the key column. Null for scenarios.'),
  scenarios: z.array(
    z.object({
      name: z.string(),
      changes: z.string().describe('What the scenario changes, in words.'),
      column: z.string().describe('The suffix of its columns in the output, such as `net_<column>`.'),
      scenario: scenarioSchema,
      result: scenarioResult.nullable().describe('What it costs, as in the summary. Null before the end.'),
    }),
  ),
});
type Compared = z.output<typeof comparedSchema>;

export const comparisonSchema = z.object({ ...batchSchema.shape, ...comparedSchema.shape });
export type ComparisonView = z.output<typeof comparisonSchema>;

const next = z.string().nullable().describe('The `cursor` of the next page. Null on the last page.');
export const comparisonPageSchema = z.object({ comparisons: z.array(comparisonSchema), next });
export const batchPageSchema = z.object({ batches: z.array(batchSchema), next });

/** @returns undefined if Redis does not know the batch */
export const readFields = (fields: Readonly<Record<string, string>>): BatchFields | undefined =>
  Object.keys(fields).length === 0 ? undefined : fieldsSchema.parse(fields);

const comparedOf = ({ of, scenarios, join }: ComparisonDocument): Compared => {
  const asked = scenarios.map(({ scenario }) => scenario);
  const columns = columnNames(asked);
  return {
    batch: of ?? null,
    with:
      join === undefined
        ? null
        : { batch: join.with.id, revision: join.with.revision, filename: join.with.filename, key: join.key },
    scenarios: asked.map((scenario, index) => ({
      name: nameOf(scenario),
      changes: join === undefined ? scenarioText(scenario) : OTHER_BATCH,
      column: join === undefined ? must(columns[index], 'the column of a scenario') : 'with',
      scenario,
      result: null,
    })),
  };
};

/** Returns the fields of a comparison in addition to a batch's fields. */
const comparisonFields = ({ comparison }: BatchDocument): Record<string, string> => {
  if (comparison === undefined) return {};
  const { of } = comparison;
  return { comparison: JSON.stringify(comparedOf(comparison)), ...(of === undefined ? {} : { of: of.id }) };
};

/** Returns the fields of a batch that is not final. */
export const initialFields = (document: BatchDocument, status: string, revision: number): Record<string, string> => ({
  clientId: document.clientId,
  status,
  revision: String(revision),
  epoch: randomBytes(6).toString('hex'),
  filename: document.filename,
  tariff: document.tariffs.join(', '),
  options: JSON.stringify(document.options),
  findings: JSON.stringify(document.columns.findings),
  rows: String(document.rows),
  inputBytes: String(document.inputBytes),
  chunks: String(document.chunks),
  processed: '0',
  quoted: '0',
  faulted: '0',
  next: '0',
  createdAt: document.createdAt,
  ...comparisonFields(document),
});

/** Returns the fields of a batch that has ended. */
export const finalFields = (document: FinalDocument): Record<string, string> => ({
  ...(document.revision === undefined ? {} : { revision: String(document.revision) }),
  status: document.status,
  processed: String(document.tally.processed),
  quoted: String(document.tally.quoted),
  faulted: String(document.tally.faulted),
  ...Object.fromEntries(Object.entries(document.tally.faults).map(([type, count]) => [`fault:${type}`, String(count)])),
  startedAt: document.startedAt ?? '',
  completedAt: document.completedAt,
  expiresAt: document.expiresAt,
  failure: document.failure === null ? '' : JSON.stringify(document.failure),
  netCents: String(netCentsOf(document.tally)),
  ...(document.results === undefined ? {} : { results: JSON.stringify(document.results.map(resultOf)) }),
});

const faultCounts = (fields: Readonly<Record<string, string>>): Record<string, number> =>
  Object.fromEntries(
    Object.keys(fields)
      .filter((name) => name.startsWith('fault:') && fields[name] !== '0')
      .sort()
      .map((name) => [name.slice('fault:'.length), Number(fields[name])]),
  );

const outcomeOf = ({ status, rows, quoted, faulted }: BatchFields): BatchView['outcome'] => {
  if (status !== 'completed') return null;
  if (faulted === 0) return 'all_quoted';
  return quoted === 0 && rows > 0 ? 'all_faults' : 'some_faults';
};

/**
 * Estimates when the batch will be done at its pace so far. Returns null before it has a pace and after the end. Corrections
 * take most rows from the previous revision, so they have no pace.
 */
const estimate = ({ status, revision, rows, processed, startedAt }: BatchFields, now: Date): string | null => {
  if (status !== 'in_progress' || revision > 1 || processed === 0 || startedAt === undefined || startedAt === '')
    return null;
  const begun = Date.parse(startedAt);
  return new Date(now.getTime() + ((now.getTime() - begun) / processed) * (rows - processed)).toISOString();
};

const orNull = (value: string | undefined): string | null => (value === undefined || value === '' ? null : value);

/** Returns the total. A running revision has none, because the previous total no longer applies. */
const totalOf = ({ status, netCents }: BatchFields): number | null =>
  isFinal(status) && netCents !== undefined ? dollars(netCents) : null;

/** @param raw the Redis hash that `fields` was read from */
export const viewOf = (
  id: string,
  fields: BatchFields,
  raw: Readonly<Record<string, string>>,
  now: Date,
): BatchView | ComparisonView => {
  const compared: Compared | undefined = fields.comparison === undefined ? undefined : JSON.parse(fields.comparison);
  const results: ScenarioResult[] = fields.results === undefined ? [] : JSON.parse(fields.results);
  return {
    id,
    status: fields.status,
    outcome: outcomeOf(fields),
    revision: fields.revision,
    filename: fields.filename,
    tariff: fields.tariff,
    options: JSON.parse(fields.options),
    findings: JSON.parse(fields.findings),
    rows: { total: fields.rows, ...rowCounts(fields) },
    faults: faultCounts(raw),
    createdAt: fields.createdAt,
    startedAt: orNull(fields.startedAt),
    completedAt: orNull(fields.completedAt),
    expiresAt: orNull(fields.expiresAt),
    estimatedCompletionAt: estimate(fields, now),
    failure: fields.failure === undefined || fields.failure === '' ? null : JSON.parse(fields.failure),
    // In a comparison, each scenario has its own total.
    totalNetCharge: compared === undefined ? totalOf(fields) : null,
    ...(compared === undefined
      ? { links: linksOf(id) }
      : {
          ...compared,
          scenarios: compared.scenarios.map((own, index) => ({ ...own, result: results[index] ?? null })),
          links: linksOf(id, compared.batch?.id),
        }),
  };
};

/** Returns a batch as it was at its end. Only the store has it, or it may have been retried or corrected since. */
export const endedView = (document: BatchDocument, final: FinalDocument, revision: number, at: Date) => {
  const raw = { ...initialFields(document, final.status, revision), ...finalFields(final) };
  const fields = fieldsSchema.parse(raw);
  return { id: document.id, fields, view: viewOf(document.id, fields, raw, at) };
};
