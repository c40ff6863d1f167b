/**
 * Creating a comparison of a batch. It copies the batch's list and its corrections. So the batch may be deleted or expire
 * while the comparison runs or is retried.
 */
import { MissingObject } from '../store/store.ts';
import { revisionsUpTo } from './compare-chunk.ts';
import { type CreateDeps, queueNew } from './create.ts';
import { type AskedScenarios, keepScenarios } from './kept-scenarios.ts';
import { type BatchDocument, baseOf, keys, records } from './records.ts';

/** A comparison of a completed batch. */
export interface NewComparison {
  readonly id: string;
  readonly createdAt: Date;
  readonly batch: BatchDocument;
  readonly revision: number;
  readonly asked: AskedScenarios;
}

/** The files of a batch that a comparison needs, each with its place in the comparison. */
const filesToCopy = async (
  { store }: CreateDeps,
  { id, batch, revision }: NewComparison,
): Promise<readonly (readonly [from: string, to: string])[]> => {
  const revisions = await revisionsUpTo(store, batch.id, revision);
  const base = baseOf(id);
  return [
    [keys.input(batch.id), keys.input(id)],
    ...revisions.flatMap(({ revision: number, upload }): (readonly [string, string])[] => [
      [keys.corrections(batch.id, upload), keys.corrections(base, upload)],
      [keys.correctedRows(batch.id, upload), keys.correctedRows(base, upload)],
      [keys.revision(batch.id, number), keys.revision(base, number)],
    ]),
  ];
};

/**
 * Makes a comparison of a batch, and queues it. If that fails, nothing of it stays.
 * @throws {MissingObject} if files of the batch are gone; else what failed: the store or Redis
 */
export const createComparison = async (deps: CreateDeps, comparison: NewComparison): Promise<void> => {
  const { store, snapshots } = deps;
  const { id, createdAt, batch, revision, asked } = comparison;
  const of = { id: batch.id, revision, filename: batch.filename };
  const document: BatchDocument = {
    ...batch,
    id,
    createdAt: createdAt.toISOString(),
    columns: { ...batch.columns, findings: [...asked.findings] },
    comparison: await keepScenarios(snapshots, asked, { of, instant: batch.createdAt }),
  };
  await queueNew(deps, document, async () => {
    const plan = await records.plan(store, batch.id);
    if (plan === undefined) throw new MissingObject(keys.plan(batch.id));
    for (const [from, to] of await filesToCopy(deps, comparison)) await store.copy(from, to);
    return plan;
  });
};
