/**
 * Creating a comparison of two batches that are joined by a key column. It copies the outputs of both, so the batches may be
 * deleted or expire while it runs or is retried.
 */
import { partitionsFor } from '../comparison/join.ts';
import type { OutputPlaces } from '../comparison/join-rows.ts';
import { MissingObject, putJson, type Store } from '../store/store.ts';
import { type CreateDeps, queueNew } from './create.ts';
import { type BatchDocument, baseOf, joinedOf, keys, type OutputDocument, records } from './records.ts';

/** A completed batch, the revision of its output, and where that has its columns. */
export interface JoinedBatch {
  readonly document: BatchDocument;
  readonly revision: number;
  readonly places: OutputPlaces;
}

/** A comparison of two completed batches. */
export interface NewJoin {
  readonly id: string;
  readonly createdAt: Date;
  readonly base: JoinedBatch;
  readonly other: JoinedBatch;
  /** The name of the key column, as it was asked for. */
  readonly key: string;
}

/** Files that are copied at the same time. */
const TOGETHER = 32;
const MOST_NAME_CHARACTERS = 60;

const outputOf = async (store: Store, { document: { id }, revision }: JoinedBatch): Promise<OutputDocument> => {
  const output = await records.output(store, id, revision);
  if (output === undefined) throw new MissingObject(keys.output(id, revision));
  return output;
};

/** The bytes that a join copies. @throws {MissingObject} if the output of a batch is gone */
export const bytesToJoin = async (store: Store, { base, other }: Pick<NewJoin, 'base' | 'other'>): Promise<number> => {
  const outputs = await Promise.all([outputOf(store, base), outputOf(store, other)]);
  return outputs.flatMap(({ parts }) => parts).reduce((sum, { bytes }) => sum + bytes, 0);
};

/** Copies the parts of a batch's output. @param to what `baseOf` or `joinedOf` gives */
const copyOutput = async ({ store }: CreateDeps, batch: JoinedBatch, to: string) => {
  const { id } = batch.document;
  const output = await outputOf(store, batch);
  for (let at = 0; at < output.parts.length; at += TOGETHER)
    await Promise.all(
      output.parts
        .slice(at, at + TOGETHER)
        .map((part) => store.copy(keys.part(id, part.index, part.revision), keys.part(to, part.index, part.revision))),
    );
  await putJson(store, keys.output(to), { ...output, revision: 1 }, { durable: true });
};

/** A file may be called anything, even ` `. */
const nameOf = ({ filename, id }: BatchDocument): string => filename.trim().slice(0, MOST_NAME_CHARACTERS).trim() || id;

const documentOf = ({ id, createdAt, base, other, key }: NewJoin): BatchDocument => {
  const { document, revision, places } = base;
  const rows = document.rows + other.document.rows;
  return {
    ...document,
    id,
    createdAt: createdAt.toISOString(),
    rows,
    chunks: partitionsFor(rows),
    // The output has columns of its own alone.
    columns: { ...document.columns, header: [], passed: [], fields: {}, findings: [] },
    // Only where both lists kept theirs.
    format: { ...document.format, keepFormulas: document.format.keepFormulas && other.document.format.keepFormulas },
    comparison: {
      of: { id: document.id, revision, filename: document.filename },
      instant: document.createdAt,
      scenarios: [{ scenario: { name: nameOf(other.document) } }],
      join: {
        with: { id: other.document.id, revision: other.revision, filename: other.document.filename },
        key,
        places: { base: places, with: other.places },
      },
    },
  };
};

/**
 * Makes a comparison of two batches, and queues it. If that fails, nothing of it stays.
 * @throws {MissingObject} if files of a batch are gone; else what failed: the store or Redis
 */
export const createJoin = async (deps: CreateDeps, join: NewJoin): Promise<void> => {
  const document = documentOf(join);
  const { id, rows, chunks } = document;
  await queueNew(deps, document, async () => {
    await copyOutput(deps, join.base, baseOf(id));
    await copyOutput(deps, join.other, joinedOf(id));
    // A chunk is a partition of the keys, which may stand in any rows.
    return { rows, bytes: 0, chunks: Array.from({ length: chunks }, () => ({ from: 0, to: 0, firstRow: 1, rows })) };
  });
};
