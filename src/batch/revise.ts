/** Beginning a new revision of a batch, of corrections that lie in the store and were found good. */
import type { Redis } from '../redis/connection.ts';
import { putJson, type Store } from '../store/store.ts';
import { type BatchDocument, keys, type RevisionDocument } from './records.ts';
import { nextRevision, openPass } from './revisions.ts';
import { type Intake, initialFields } from './scheduler.ts';
import { state } from './state.ts';

export interface ReviseDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly intake: Intake;
}

/**
 * Makes the revision and queues it. The state in Redis is what decides between two that come at once; a process that is
 * killed behind it leaves a revision without a document, which the sweeper takes back.
 * @returns false where the batch is not completed as the revision that is corrected (any more): nothing is left then
 */
export const revise = async (
  { store, redis, intake }: ReviseDeps,
  document: BatchDocument,
  corrections: Omit<RevisionDocument, 'revision'>,
): Promise<boolean> => {
  const { id } = document;
  const revision = await nextRevision(store, id);
  const fields = { ...initialFields(document, 'queued', revision), revisedAt: corrections.createdAt };
  if (!(await state.revise(redis, id, corrections.from, fields))) return false;
  try {
    await putJson(store, keys.revision(id, revision), { ...corrections, revision }, { durable: true });
  } catch (error) {
    await state.remove(redis, id);
    await intake.restore(id);
    throw error;
  }
  const pass = await openPass(store, id, revision);
  if (pass === undefined) throw new Error(`revision ${revision} of batch ${id} is not there`);
  await intake.enqueueRevision(document, pass);
  return true;
};
