/**
 * The sweeper holds what the store says against what Redis does: a batch that Redis has forgotten is made again, a lost
 * job is added again, an end that nobody was told of is told, what a killed upload left is removed, old batches expire,
 * and what Redis still lists of a batch that is not in the store is forgotten. Where Redis may have lost writes that it
 * had answered, it is thorough and looks at batches too that seem to have ended. Running it twice at once does no harm.
 */
import type { Redis } from '../queue/redis.ts';
import type { Store } from '../store/store.ts';
import type { Batches } from './batches.ts';
import { finalFields, type Intake } from './intake.ts';
import { listing } from './listing.ts';
import type { Notices } from './notice.ts';
import { createRecheck } from './recheck.ts';
import { BATCH_ID, type FinalDocument, isActive, keys, records, writeFinal } from './records.ts';
import { latestRevision } from './revisions.ts';
import { state } from './state.ts';
import { takenKeys } from './taken-keys.ts';

export interface SweepDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly intake: Intake;
  readonly batches: Batches;
  readonly notices: Pick<Notices, 'tellUntold'>;
  readonly now: () => Date;
}

export interface Swept {
  readonly restored: number;
  readonly reconciled: number;
  readonly expired: number;
  readonly removed: number;
}

const HOUR_MS = 3_600_000;
/** An upload takes less than this; a folder without a batch, or half an upload, that is older was left by a kill. */
const ORPHAN_MS = 24 * HOUR_MS;
/** How long an expired batch is still known. */
const REMEMBERED_MS = 30 * 24 * HOUR_MS;

const createdAt = (id: string): number => Number.parseInt(id.slice(1, 10), 36);

/** What is left of writes that never ended is looked for once an hour: it takes a look at all there is. */
const createStoreSweep = ({ store, now }: SweepDeps): (() => Promise<number>) => {
  let sweptAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const at = now().getTime();
    if (at - sweptAt < HOUR_MS) return 0;
    const removed = await store.sweep(new Date(at - ORPHAN_MS));
    sweptAt = at;
    return removed;
  };
};

/**
 * @param thorough where Redis may have lost what it had answered
 * @throws {AggregateError} what kept it from batches, when it is through with the others
 */
export type Sweep = (thorough?: boolean) => Promise<Swept>;

export const createSweeper = (deps: SweepDeps): Sweep => {
  const { store, redis, intake, batches, notices, now } = deps;
  const sweepStore = createStoreSweep(deps);
  const recheck = createRecheck(deps);

  /** The plan goes last: while it is there, a kill may have left others. */
  const removeFiles = async (id: string): Promise<void> => {
    const { revisions, parts, input, output, joinedOutput, joinedFaults, cancel, told, plan } = keys;
    for (const key of [revisions, parts, input, output, joinedOutput, joinedFaults, cancel, told, plan])
      await store.remove(key(id));
  };

  /**
   * Removes a batch's files; that it was there is still said for a while.
   * @param known its revision in Redis
   */
  const expire = async (id: string, known: number): Promise<void> => {
    const revision = await latestRevision(store, id);
    const final = await records.final(store, id, revision);
    if (final === undefined) return await intake.restoreAnew(id);
    const expired: FinalDocument = { ...final, status: 'expired', revision: final.revision ?? revision };
    // First, so that nothing is given out any more of which something is gone.
    await state.expire(redis, id, known, finalFields(expired));
    try {
      // Where its revisions are gone, the batch's own end is all that is known.
      await writeFinal(store, id, 1, expired);
      await removeFiles(id);
    } catch {
      // The disk is full: what it needs is what these files take.
      await store.remove(keys.parts(id));
      await writeFinal(store, id, 1, expired);
      await removeFiles(id);
    }
  };

  const sweepOne = async (id: string, thorough: boolean): Promise<keyof Swept | undefined> => {
    const fields = await state.fields(redis, id);
    const { status, expiresAt, clientId, revision } = fields;
    if (status === undefined) {
      if (await intake.restore(id)) return 'restored';
      if (now().getTime() - createdAt(id) < ORPHAN_MS) return undefined;
      await store.remove(keys.folder(id));
      return 'removed';
    }
    // Of one that is failed, a retry may have been broken off.
    if ((thorough || status === 'failed') && (await recheck(id, fields))) return 'restored';
    if (isActive(status)) {
      await intake.reconcile(id);
      return 'reconciled';
    }
    const age = expiresAt === undefined || expiresAt === '' ? 0 : now().getTime() - Date.parse(expiresAt);
    if (status !== 'expired' && age > 0) {
      await expire(id, Number(revision));
      return 'expired';
    }
    if (age < REMEMBERED_MS) {
      await notices.tellUntold(id, fields, now());
      // Whoever expired it may have died before all of it was gone, or before the store knew.
      if (status === 'expired' && (await store.size(keys.plan(id))) !== undefined) await expire(id, Number(revision));
      return undefined;
    }
    await batches.remove(id, clientId ?? '');
    return 'removed';
  };

  /** Forgets batches that are listed but were never made or are deleted: whoever was about to was killed. */
  const forgetGone = async (there: ReadonlySet<string>): Promise<number> => {
    let forgotten = 0;
    for (const clientId of await listing.clients(redis)) {
      for (const id of await listing.all(redis, clientId)) {
        if (there.has(id) || (await records.batch(store, id)) !== undefined) continue;
        await intake.forget(id, clientId);
        forgotten += 1;
      }
    }
    return forgotten;
  };

  return async (thorough = false) => {
    const swept = { restored: 0, reconciled: 0, expired: 0, removed: 0 };
    const there = new Set<string>();
    const failures: Error[] = [];
    for (const name of await store.list(keys.batches)) {
      const id = name.slice(0, -1);
      if (!name.endsWith('/') || !BATCH_ID.test(id)) continue;
      try {
        const did = await sweepOne(id, thorough);
        if (did !== undefined) swept[did] += 1;
        if (did !== 'removed') there.add(id);
      } catch (cause) {
        // One that cannot be swept, now or ever, keeps nobody else's from it.
        there.add(id);
        failures.push(new Error(`batch ${id} could not be swept`, { cause }));
      }
    }
    swept.removed += (await forgetGone(there)) + (await sweepStore());
    await takenKeys.sweep(store, now());
    if (failures.length > 0) throw new AggregateError(failures, 'batches could not be swept');
    return swept;
  };
};
