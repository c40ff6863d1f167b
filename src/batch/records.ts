/**
 * The files of a batch in the store, below `batches/<id>/`:
 *
 *   input.csv              the upload as CSV text (decompressed if it was gzip)
 *   plan.json              the chunk plan, which decides what must be rated
 *   batch.json             the batch and the snapshot that it is rated on. It is written last, and the batch exists from then on
 *   cancel.json            a request to cancel the batch
 *   parts/00007.csv        the output rows of chunk 7; parts/00007.faults.csv: its rows with a fault, if any
 *   parts/00007.json       their sizes and tally. It is written after them, and marks the chunk as done
 *   parts/00007.corner     the search for poison rows of chunk 7, which kill the process that rates them
 *   parts/00007.sums.json  in a comparison: the sums of chunk 7
 *   output.json            the parts of the output, in order
 *   sums.json              in a comparison: the sums of all parts
 *   output.csv, faults.csv the merged output and faults, if the store serves downloads itself
 *   final.json             how the batch ended. It makes the batch final
 *   told.json              the notification of the client about the end, or why there is none
 *
 * For each revision after the first, below `revisions/`:
 *
 *   <upload>/input.csv     the corrections as uploaded; <upload>/rows.jsonl: which of their rows belong to which chunk
 *   2.json                 what revision 2 corrects, and in which revision. The revision exists once it is written
 *   2.cancel.json, 2.output.json, 2.output.csv, 2.faults.csv, 2.final.json, 2.told.json   like the files above, for revision 2
 *
 * A comparison of a batch has copies of the batch's input and, below `base/revisions/`, of the compared corrections. A
 * comparison of two batches has copies of their outputs below `base/` and `with/`.
 *
 * When the lists forget an expired batch, its summary stays below `summaries/`: see `kept/summaries.ts`.
 *
 * Only chunks with a corrected row get new parts (`parts/00007.r2.csv`, …). An output names the revision of each part. The
 * tariffs that batches are rated on are in `tariffs/<id>.json`, once each, and agreements in `agreements/<id>.json`.
 */
import { z } from 'zod';
import { getJson, putJson, type Store } from '../base/store/store.ts';
import { shippingHours } from '../catalog/clients/shipping-hours.ts';
import type { Plan } from '../lists/chunk-plan.ts';
import { dialectSchema, storedColumns } from '../lists/columns/columns.ts';
import { comparisonDocument, storedAgreements } from '../lists/comparison/scenario.ts';
import { resultSums, type Sums, sumsSchema } from '../lists/comparison/sums.ts';
import { outputFormat } from '../lists/output/output-format.ts';
import { tallySchema } from '../lists/output/tally.ts';
import { REPAIRS } from '../lists/rows/repair.ts';
import { FINAL_STATUSES } from './status.ts';

const warehouse = z.object({
  id: z.int(),
  name: z.string(),
  postalCode: z.string(),
  stateOrProvinceCode: z.string(),
  countryCode: z.string(),
  shipping: shippingHours.optional(),
});

export const batchDocument = z.object({
  id: z.string(),
  clientId: z.string(),
  revision: z.int(),
  filename: z.string(),
  createdAt: z.iso.datetime(),
  /** The options of the upload. */
  options: z.record(z.string(), z.string()),
  rows: z.int(),
  chunks: z.int(),
  inputBytes: z.int(),
  /** The size of the upload as it was sent. */
  sentBytes: z.int(),
  headerStart: z.int(),
  bodyStart: z.int(),
  columns: storedColumns,
  format: outputFormat,
  /** The snapshot: tariffs by name and version, and the client's warehouses and discounts in basis points. */
  tariffs: z.array(z.string()),
  warehouses: z.array(warehouse),
  discounts: z.record(z.string(), z.int()),
  /** The client's agreements by name and version, for all its warehouses or for some. */
  agreements: storedAgreements,
  /** Present in a comparison, which is a batch whose rows are rated in several scenarios. */
  comparison: comparisonDocument.optional(),
});
export type BatchDocument = z.output<typeof batchDocument>;

/** The sizes of a part's files, the tally of its rows, and the revision that wrote it. */
const part = z.object({
  bytes: z.int(),
  faultBytes: z.int(),
  /** The size of the sums. Present in a comparison. */
  sumBytes: z.int().optional(),
  revision: z.int(),
  tally: tallySchema,
});
export type Part = z.output<typeof part>;

export const failure = z.object({
  message: z.string(),
  /** The rows that could not be processed, if the failure is about rows. */
  rows: z.object({ from: z.int().gte(0), to: z.int().gte(0) }).optional(),
  limit: z.string().optional().describe('The limit that was exceeded, if it was one of the client’s limits.'),
});
export type Failure = z.output<typeof failure>;

export const finalDocument = z.object({
  status: z.enum(FINAL_STATUSES),
  startedAt: z.iso.datetime().nullable(),
  completedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  tally: tallySchema,
  failure: failure.nullable(),
  /** The last revision. Present if the batch has expired and its revisions are gone. */
  revision: z.int().optional(),
  /** The result of each scenario of a comparison. */
  results: z.array(resultSums).optional(),
});
export type FinalDocument = z.output<typeof finalDocument>;

const outputDocument = z.object({
  revision: z.int(),
  /** Chunk indexes in order, with the bytes of their parts. Missing chunks were not rated. */
  parts: z.array(z.object({ index: z.int(), bytes: z.int(), faultBytes: z.int(), revision: z.int() })),
});
export type OutputDocument = z.output<typeof outputDocument>;

const revisionDocument = z.object({
  revision: z.int(),
  /** The revision that it corrects. */
  from: z.int(),
  createdAt: z.iso.datetime(),
  filename: z.string(),
  /** The folder with the uploaded corrections. */
  upload: z.string(),
  /** Repairs of the cells of the corrections, in addition to the batch's own repairs. */
  repairs: z.array(z.enum(REPAIRS)),
  /** The CSV dialect of the corrections. */
  dialect: dialectSchema,
  /** The column with the row number. Then for each column of the batch its column in the corrections, or -1. */
  rowColumn: z.int(),
  cells: z.array(z.int()),
  /** The number of rows in chunks with corrected rows. All of them are rated again. */
  rows: z.int(),
  /** These chunks, how many of their rows are corrected, and the byte range in `rows.jsonl` with their positions. */
  chunks: z.array(z.object({ index: z.int(), rows: z.int(), from: z.int(), to: z.int() })),
});
export type RevisionDocument = z.output<typeof revisionDocument>;

const planDocument = z.object({
  rows: z.int(),
  bytes: z.int(),
  chunks: z.array(
    z.object({
      ...{ from: z.int(), to: z.int(), firstRow: z.int(), rows: z.int() },
      apart: z.array(z.int()).optional(),
    }),
  ),
});

const folder = (id: string): string => `batches/${id}/`;
const chunkName = (index: number, revision: number): string =>
  `${String(index).padStart(5, '0')}${revision === 1 ? '' : `.r${revision}`}`;
const revisions = (id: string): string => `${folder(id)}revisions/`;
/** Returns the key of a document that each revision has. The first revision's is next to the batch's document. */
const ofRevision = (id: string, revision: number, name: string, extension = 'json'): string =>
  revision === 1 ? `${folder(id)}${name}.${extension}` : `${revisions(id)}${revision}.${name}.${extension}`;

export const keys = {
  batches: 'batches/',
  folder,
  input: (id: string) => `${folder(id)}input.csv`,
  plan: (id: string) => `${folder(id)}plan.json`,
  batch: (id: string) => `${folder(id)}batch.json`,
  cancel: (id: string, revision = 1) => ofRevision(id, revision, 'cancel'),
  parts: (id: string) => `${folder(id)}parts/`,
  part: (id: string, index: number, revision = 1) => `${folder(id)}parts/${chunkName(index, revision)}.csv`,
  faults: (id: string, index: number, revision = 1) => `${folder(id)}parts/${chunkName(index, revision)}.faults.csv`,
  partSummary: (id: string, index: number, revision = 1) => `${folder(id)}parts/${chunkName(index, revision)}.json`,
  partSums: (id: string, index: number) => `${folder(id)}parts/${chunkName(index, 1)}.sums.json`,
  sums: (id: string) => `${folder(id)}sums.json`,
  base: (id: string) => `${folder(id)}base/`,
  joined: (id: string) => `${folder(id)}with/`,
  poisonRows: (id: string, index: number, revision = 1) => `${folder(id)}parts/${chunkName(index, revision)}.corner`,
  output: (id: string, revision = 1) => ofRevision(id, revision, 'output'),
  mergedOutput: (id: string, revision = 1) => ofRevision(id, revision, 'output', 'csv'),
  mergedFaults: (id: string, revision = 1) => ofRevision(id, revision, 'faults', 'csv'),
  final: (id: string, revision = 1) => ofRevision(id, revision, 'final'),
  notified: (id: string, revision = 1) => ofRevision(id, revision, 'told'),
  revisions,
  revision: (id: string, revision: number) => `${revisions(id)}${revision}.json`,
  upload: (id: string, upload: string) => `${revisions(id)}${upload}/`,
  corrections: (id: string, upload: string) => `${revisions(id)}${upload}/input.csv`,
  correctedRows: (id: string, upload: string) => `${revisions(id)}${upload}/rows.jsonl`,
} as const;

/** Returns the id under which a comparison keeps copies from its batch. `keys` and `records` take it like a batch's id. */
export const baseOf = (comparisonId: string): string => `${comparisonId}/base`;
/** The same for copies from the batch that a comparison joins with its own. */
export const joinedOf = (comparisonId: string): string => `${comparisonId}/with`;

/** Returns a function that reads and validates a document. It returns undefined if the document does not exist. */
export const readsJson =
  <T, K extends readonly unknown[]>(schema: z.ZodType<T>, keyOf: (...of: K) => string) =>
  async (store: Store, ...of: K): Promise<T | undefined> =>
    schema.optional().parse(await getJson(store, keyOf(...of)));

/** The documents of a batch. */
export const records = {
  batch: readsJson<BatchDocument, [id: string]>(batchDocument, keys.batch),
  plan: readsJson<Plan, [id: string]>(planDocument, keys.plan),
  part: readsJson(part, keys.partSummary),
  output: readsJson(outputDocument, keys.output),
  final: readsJson(finalDocument, keys.final),
  partSums: readsJson<Sums, [id: string, index: number]>(sumsSchema, keys.partSums),
  sums: readsJson<Sums, [id: string]>(sumsSchema, keys.sums),
  revision: readsJson(revisionDocument, keys.revision),
} as const;

export const readPart = (text: string): Part => part.parse(JSON.parse(text));

const partSizes = part.omit({ tally: true });
/** The same without the tally, which takes longest to read. */
export const readPartSizes = (text: string): z.output<typeof partSizes> => partSizes.parse(JSON.parse(text));

/** Returns the indexes of the chunks whose parts this revision wrote. */
export const writtenChunks = async (store: Store, id: string, revision: number): Promise<readonly number[]> => {
  const ending = `${revision === 1 ? '' : `.r${revision}`}.json`;
  return (await store.list(keys.parts(id))).flatMap((name) => {
    const [index] = /^\d+/.exec(name) ?? [];
    return index !== undefined && name === `${index}${ending}` ? [Number(index)] : [];
  });
};

export const writeFinal = (store: Store, id: string, revision: number, document: FinalDocument): Promise<number> =>
  putJson(store, keys.final(id, revision), document, { durable: true });
