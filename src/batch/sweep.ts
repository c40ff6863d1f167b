/**
 * The sweeper holds what the store says against what Redis does: a batch that Redis has forgotten is made again, a lost
 * job is added again, an end that nobody was told of is told, what a killed upload left is removed, old batches expire,
 * and what Redis still lists of a batch that is not in the store is forgotten. Where Redis may have lost writes that it
 * had answered, it is thorough and looks at batches too that seem to have ended. Running it twice at once does no harm.
 * It always comes to its end: what does not answer is left behind, and the next batch is looked at.
 */
import { within } from '../deadline.ts';
import type { Redis } from '../redis/connection.ts';
import type { IsAbandoned, Store } from '../store/store.ts';
import type { Batches } from './batches.ts';
import { clientIndex, inFlight } from './client-index.ts';
import { idempotencyRecords } from './create.ts';
import type { Notifications } from './notifications.ts';
import { stored } from './quota.ts';
import { BATCH_ID, createdAt, type FinalDocument, keys, records, writeFinal } from './records.ts';
import { latestRevision, usedUploads } from './revisions.ts';
import { createRecheck, type Scheduler } from './scheduler.ts';
import { state } from './state.ts';
import { isActive } from './status.ts';
import { aliveUploads } from './uploads.ts';
import { finalFields } from './view.ts';
import { gatherStalled, type StalledBatches, type StalledSoFar, totals } from './workers.ts';

export interface SweepDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly scheduler: Scheduler;
  readonly batches: Pick<Batches, 'remove'>;
  readonly notifications: Pick<Notifications, 'notifyMissed'>;
  readonly now: () => Date;
  /** Told of the batches that have not moved for a minute, after each round over all of them. */
  readonly onStalled?: (stalled: StalledBatches) => Promise<void>;
  /** How long a step is waited for; ten minutes where absent. */
  readonly stepMs?: number;
}

export interface Swept {
  readonly restored: number;
  readonly reconciled: number;
  readonly expired: number;
  readonly removed: number;
}

const HOUR_MS = 3_600_000;
/** Each step takes less: to list the batches, to look at one, to tidy up. */
const STEP_MS = 600_000;
/** What an upload has left that nobody receives any more, and no batch was made of, goes after this. */
const LEFT_MS = HOUR_MS / 4;
/** All that there is in the store is looked at so often: what is left goes within the hour. */
const STORE_SWEEP_MS = HOUR_MS / 2;
/** Other writes take less than this. */
const LONGEST_WRITE_MS = 24 * HOUR_MS;
/** How long an expired batch is still known. */
const REMEMBERED_MS = 30 * 24 * HOUR_MS;

/** Of a key below a batch: the batch's id, and the name of the upload where it is one of corrections. */
const BATCH_KEY = /^batches\/(b[a-z0-9]{25})\/(?:revisions\/([a-z0-9]{18})\/)?/;

/** @param busy names of the uploads and batches under way */
const leftAt =
  (at: number, busy: ReadonlySet<string>): IsAbandoned =>
  (key, since) => {
    const [, id, upload] = BATCH_KEY.exec(key) ?? [];
    const age = at - since.getTime();
    if (id === undefined || busy.has(id) || busy.has(upload ?? '')) return age > LONGEST_WRITE_MS;
    return age > LEFT_MS;
  };

interface Look {
  readonly thorough: boolean;
  /** Whether all that the store has of a batch is looked at, not what may have changed alone. */
  readonly wholly: boolean;
  /** Uploads under way. */
  readonly uploads: ReadonlySet<string>;
  readonly stalled: StalledSoFar;
}

/** Removes a batch's files; that it was there is still said for a while. */
const createExpire = ({ store, redis, scheduler }: SweepDeps) => {
  /** The plan goes last: while it is there, a kill may have left others. */
  const removeFiles = async (id: string): Promise<void> => {
    const { revisions, parts, input, output, mergedOutput, mergedFaults, cancel, notified, plan } = keys;
    for (const key of [revisions, parts, input, output, mergedOutput, mergedFaults, cancel, notified, plan])
      await store.remove(key(id));
  };

  /** @param known its revision in Redis */
  return async (id: string, known: number): Promise<void> => {
    const revision = await latestRevision(store, id);
    const final = await records.final(store, id, revision);
    if (final === undefined) return await scheduler.restoreAnew(id);
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
};

/** Counts what a batch that is not under way holds, and frees what it holds for nothing. */
const createTidy = ({ store, redis }: SweepDeps) => {
  /** Removes corrections that no revision was made of, for their process died. */
  const removeUploads = async (id: string): Promise<void> => {
    const names = (await store.list(keys.revisions(id))).filter((name) => name.endsWith('/'));
    if (names.length === 0) return;
    // In this order: an upload that is over by now has its revision, which is looked for after that.
    const uploads = await aliveUploads(redis);
    const used = await usedUploads(store, id);
    for (const name of names.map((folder) => folder.slice(0, -1)))
      if (!uploads.has(name) && !used.has(name)) await store.remove(keys.upload(id, name));
  };

  return async (id: string, clientId: string, { thorough, wholly }: Look): Promise<void> => {
    if (wholly) await removeUploads(id);
    if (wholly || thorough) await stored.measure(store, redis, clientId, id);
    else await stored.measureNew(store, redis, clientId, id);
  };
};

/** Forgets what is listed or counted but was never made or is deleted: whoever was about to was killed. Sums up the rest. */
const createForgetGone =
  ({ store, redis, scheduler }: SweepDeps) =>
  async (there: ReadonlySet<string>, uploads: ReadonlySet<string>): Promise<number> => {
    let forgotten = 0;
    const sum = { bytesInFlight: 0, bytesStored: 0 };
    for (const clientId of await clientIndex.clients(redis)) {
      for (const id of await clientIndex.all(redis, clientId)) {
        if (there.has(id) || (await records.batch(store, id)) !== undefined) continue;
        await scheduler.forget(id, clientId);
        forgotten += 1;
      }
      for (const name of await stored.names(redis, clientId)) {
        if (there.has(name) || uploads.has(name) || (await store.size(keys.batch(name))) !== undefined) continue;
        await stored.remove(redis, clientId, name);
      }
      sum.bytesInFlight += await inFlight.bytes(redis, clientId);
      sum.bytesStored += await stored.sum(redis, clientId);
    }
    await totals.write(redis, sum);
    return forgotten;
  };

/** Removes what is left of writes that never ended. */
const createStoreSweep = ({ store, now }: SweepDeps) => {
  let sweptAt = Number.NEGATIVE_INFINITY;
  let underWay = false;
  return {
    isDue: (): boolean => now().getTime() - sweptAt >= STORE_SWEEP_MS,
    /** @param busy names of the uploads and batches under way */
    run: async (busy: ReadonlySet<string>): Promise<number> => {
      // One that was left behind still goes on.
      if (underWay) return 0;
      const at = now().getTime();
      underWay = true;
      try {
        const removed = await store.sweep(leftAt(at, busy));
        sweptAt = at;
        return removed;
      } finally {
        underWay = false;
      }
    },
  };
};

/**
 * @param thorough where Redis may have lost what it had answered
 * @throws {AggregateError} what kept it from batches, when it is through with the others
 */
export type Sweep = (thorough?: boolean) => Promise<Swept>;

export const createSweeper = (deps: SweepDeps): Sweep => {
  const { store, redis, scheduler, batches, notifications, now, onStalled, stepMs = STEP_MS } = deps;
  const recheck = createRecheck(deps);

  const expire = createExpire(deps);
  const tidy = createTidy(deps);

  const sweepOne = async (id: string, look: Look): Promise<keyof Swept | undefined> => {
    const { thorough, uploads, stalled } = look;
    const fields = await state.fields(redis, id);
    const { status, expiresAt, clientId, revision } = fields;
    if (status === undefined) {
      if (await scheduler.restore(id)) return 'restored';
      if (uploads.has(id) || now().getTime() - createdAt(id) < LEFT_MS) return undefined;
      await store.remove(keys.folder(id));
      return 'removed';
    }
    if (fields['deleted'] !== undefined) {
      await batches.remove(id, clientId ?? '');
      return 'removed';
    }
    // Of one that is failed, a retry may have been broken off.
    if ((thorough || status === 'failed') && (await recheck(id, fields))) return 'restored';
    if (isActive(status)) {
      stalled.look(id, fields);
      await scheduler.reconcile(id);
      await stored.measure(store, redis, clientId ?? '', id);
      return 'reconciled';
    }
    await tidy(id, clientId ?? '', look);
    const age = expiresAt === undefined || expiresAt === '' ? 0 : now().getTime() - Date.parse(expiresAt);
    if (status !== 'expired' && age > 0) {
      await expire(id, Number(revision));
      await stored.measure(store, redis, clientId ?? '', id);
      return 'expired';
    }
    if (age < REMEMBERED_MS) {
      await notifications.notifyMissed(id, fields, now());
      // Whoever expired it may have died before all of it was gone, or before the store knew.
      if (status === 'expired' && (await store.size(keys.plan(id))) !== undefined) await expire(id, Number(revision));
      return undefined;
    }
    await batches.remove(id, clientId ?? '');
    return 'removed';
  };

  const forgetGone = createForgetGone(deps);

  const storeSweep = createStoreSweep(deps);

  return async (thorough = false) => {
    const swept = { restored: 0, reconciled: 0, expired: 0, removed: 0 };
    const there = new Set<string>();
    const failures: Error[] = [];
    const busy = new Set<string>();
    const stalled = await within(stepMs, gatherStalled(redis));
    const names = await within(stepMs, store.list(keys.batches));
    // After that: an upload that is over by now has its batch, which is looked for later still.
    const uploads = await within(stepMs, aliveUploads(redis));
    for (const upload of uploads) busy.add(upload);
    const look = { thorough, uploads, stalled, wholly: storeSweep.isDue() };
    for (const name of names) {
      const id = name.slice(0, -1);
      if (!name.endsWith('/') || !BATCH_ID.test(id)) continue;
      try {
        const did = await within(stepMs, sweepOne(id, look));
        if (did !== undefined) swept[did] += 1;
        if (did === 'reconciled' || did === 'restored') busy.add(id);
        if (did !== 'removed') there.add(id);
      } catch (cause) {
        // One that cannot be swept, now or ever, keeps nobody else's from it.
        there.add(id);
        busy.add(id);
        failures.push(new Error(`batch ${id} could not be swept`, { cause }));
      }
    }
    await onStalled?.(stalled.found());
    swept.removed += await within(stepMs, forgetGone(there, uploads));
    if (look.wholly) swept.removed += await within(stepMs, storeSweep.run(busy));
    await within(stepMs, idempotencyRecords.sweep(store, now()));
    if (failures.length > 0) throw new AggregateError(failures, 'batches could not be swept');
    return swept;
  };
};
