/**
 * What a batch leaves in the store, below `batches/<id>/`:
 *
 *   input.csv              the upload, as it came (inflated where it was gzip)
 *   plan.json              the chunk plan: the truth about what must be done
 *   batch.json             the batch and the snapshot it is rated on; written last, so with it the batch exists
 *   cancel.json            someone asked for it to be cancelled
 *   parts/00007.csv        the output rows of chunk 7, parts/00007.faults.csv those with a fault (if any)
 *   parts/00007.json       sizes and tally, written after them: the truth about what is done
 *   parts/00007.corner     what is known of a row of chunk 7 that ends whatever process rates it
 *   output.json            which parts make the output, in order
 *   final.json             how it ended; with it the batch is final
 *
 * and the tariffs that batches are rated on, once each, as `tariffs/<id>.json`.
 */
import { z } from 'zod';
import { getJson, putJson, type Store } from '../store/store.ts';
import { FIELDS } from './columns.ts';
import { outputFormat, PLAIN_FORMAT } from './format.ts';
import type { Plan } from './plan.ts';
import { REPAIRS } from './repair.ts';

export const FINAL_STATUSES = ['completed', 'failed', 'cancelled', 'expired'] as const;
export type FinalStatus = (typeof FINAL_STATUSES)[number];

const defaults = z.partialRecord(z.enum(FIELDS), z.string());

const columns = z.object({
  dialect: z.object({ delimiter: z.enum([',', ';', '\t', '|']), lineBreak: z.enum(['lf', 'cr']) }),
  header: z.array(z.string()),
  fields: z.partialRecord(z.enum(FIELDS), z.int()),
  defaults,
  passed: z.array(z.int()),
  ownOutput: z.boolean(),
  repairs: z.array(z.enum(REPAIRS)).default([]),
});

const warehouse = z.object({
  id: z.int(),
  name: z.string(),
  postalCode: z.string(),
  stateOrProvinceCode: z.string(),
  countryCode: z.string(),
});

const batchDocument = z.object({
  id: z.string(),
  clientId: z.string(),
  revision: z.int(),
  filename: z.string(),
  createdAt: z.iso.datetime(),
  /** What was asked for at upload. */
  options: z.record(z.string(), z.string()),
  rows: z.int(),
  chunks: z.int(),
  inputBytes: z.int(),
  headerStart: z.int(),
  bodyStart: z.int(),
  columns,
  format: outputFormat.default({ ...PLAIN_FORMAT }),
  /** The snapshot: tariffs by name and version, and the client's warehouses and discounts in basis points. */
  tariffs: z.array(z.string()),
  warehouses: z.array(warehouse),
  discounts: z.record(z.string(), z.int()),
});
export type BatchDocument = z.output<typeof batchDocument>;

const spend = z.record(z.string(), z.object({ shipments: z.int(), netCents: z.int() }));
const tally = z.object({
  processed: z.int(),
  quoted: z.int(),
  faulted: z.int(),
  faults: z.record(z.string(), z.int()),
  byService: spend,
  byZone: spend,
  byWeight: spend,
});

const part = z.object({ bytes: z.int(), faultBytes: z.int(), tally });
export type Part = z.output<typeof part>;

const failure = z.object({
  message: z.string(),
  /** The rows that could not be processed, where it was rows. */
  rows: z.object({ from: z.int(), to: z.int() }).optional(),
});
export type Failure = z.output<typeof failure>;

const finalDocument = z.object({
  status: z.enum(FINAL_STATUSES),
  startedAt: z.iso.datetime().nullable(),
  completedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  tally,
  failure: failure.nullable(),
});
export type FinalDocument = z.output<typeof finalDocument>;

const outputDocument = z.object({
  revision: z.int(),
  /** Chunk indexes in order with the bytes of their parts; what is missing was not rated. */
  parts: z.array(z.object({ index: z.int(), bytes: z.int(), faultBytes: z.int() })),
});
export type OutputDocument = z.output<typeof outputDocument>;

const planDocument = z.object({
  rows: z.int(),
  bytes: z.int(),
  chunks: z.array(z.object({ from: z.int(), to: z.int(), firstRow: z.int(), rows: z.int() })),
});

/** A batch id: made by us, 26 lower-case letters and digits that begin with a letter. */
export const BATCH_ID = /^b[a-z0-9]{25}$/;

const folder = (id: string): string => `batches/${id}/`;
const chunkName = (index: number): string => String(index).padStart(5, '0');

export const keys = {
  batches: 'batches/',
  folder,
  input: (id: string) => `${folder(id)}input.csv`,
  plan: (id: string) => `${folder(id)}plan.json`,
  batch: (id: string) => `${folder(id)}batch.json`,
  cancel: (id: string) => `${folder(id)}cancel.json`,
  parts: (id: string) => `${folder(id)}parts/`,
  part: (id: string, index: number) => `${folder(id)}parts/${chunkName(index)}.csv`,
  faults: (id: string, index: number) => `${folder(id)}parts/${chunkName(index)}.faults.csv`,
  partSummary: (id: string, index: number) => `${folder(id)}parts/${chunkName(index)}.json`,
  corner: (id: string, index: number) => `${folder(id)}parts/${chunkName(index)}.corner`,
  output: (id: string) => `${folder(id)}output.json`,
  final: (id: string) => `${folder(id)}final.json`,
  tariff: (tariffId: string) => `tariffs/${tariffId}.json`,
} as const;

/** The batch's documents, checked when they are read. Each is undefined where it is not there (yet, or any more). */
export const records = {
  batch: async (store: Store, id: string): Promise<BatchDocument | undefined> =>
    batchDocument.optional().parse(await getJson(store, keys.batch(id))),
  plan: async (store: Store, id: string): Promise<Plan | undefined> =>
    planDocument.optional().parse(await getJson(store, keys.plan(id))),
  part: async (store: Store, id: string, index: number): Promise<Part | undefined> =>
    part.optional().parse(await getJson(store, keys.partSummary(id, index))),
  output: async (store: Store, id: string): Promise<OutputDocument | undefined> =>
    outputDocument.optional().parse(await getJson(store, keys.output(id))),
  final: async (store: Store, id: string): Promise<FinalDocument | undefined> =>
    finalDocument.optional().parse(await getJson(store, keys.final(id))),
} as const;

export const readPart = (text: string): Part => part.parse(JSON.parse(text));

/** Indexes of the chunks whose parts are in the store. */
export const doneChunks = async (store: Store, id: string): Promise<readonly number[]> =>
  (await store.list(keys.parts(id))).flatMap((name) => (name.endsWith('.json') ? [Number.parseInt(name, 10)] : []));

export const writeFinal = (store: Store, id: string, document: FinalDocument): Promise<number> =>
  putJson(store, keys.final(id), document, { durable: true });
