/** The parts of a batch that its output is put together from. */
import type { Redis } from '../redis/connection.ts';
import type { Store } from '../store/store.ts';
import { keys, type Part, readPart } from './records.ts';
import { doneChunks, type Pass, partOf } from './revisions.ts';
import { state } from './state.ts';

/** Parts looked at together: enough to keep a disk or an object store busy. */
const TOGETHER = 32;

export interface PartCheckDeps {
  readonly store: Store;
  readonly redis: Redis;
}

/** Parts of the chunks that are done, in order; those whose files are not whole are taken back. */
export const createPartCheck =
  ({ store, redis }: PartCheckDeps) =>
  async (id: string, pass: Pass): Promise<{ parts: Map<number, Part>; lost: number }> => {
    const known = await state.done(redis, id);
    const parts = new Map<number, Part>();
    let lost = 0;
    const check = async (index: number): Promise<void> => {
      const text = known[String(index)];
      const part = text === undefined ? await partOf(store, id, pass, index) : readPart(text);
      const revision = part?.revision ?? pass.revision;
      const [bytes, faultBytes] = await Promise.all([
        store.size(keys.part(id, index, revision)),
        part?.faultBytes === 0 ? 0 : store.size(keys.faults(id, index, revision)),
      ]);
      if (part !== undefined && bytes === part.bytes && faultBytes === part.faultBytes) parts.set(index, part);
      else {
        lost += 1;
        await store.remove(keys.partSummary(id, index, revision));
        if (part !== undefined) await state.undone(redis, id, index, part);
      }
    };
    const written = await doneChunks(store, id, pass);
    const indexes = [...new Set([...Object.keys(known).map(Number), ...written])].sort((a, b) => a - b);
    for (let at = 0; at < indexes.length; at += TOGETHER)
      await Promise.all(indexes.slice(at, at + TOGETHER).map(check));
    return { parts: new Map([...parts].sort(([a], [b]) => a - b)), lost };
  };
