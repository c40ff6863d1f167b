/**
 * The sweeper compares the store with Redis. It restores batches that Redis has lost, adds lost jobs again, sends missed
 * notifications, removes what killed uploads left, expires old batches, and removes from Redis what the store does not have.
 * If Redis may have lost acknowledged writes, the sweep is thorough: it also checks batches that seem to have ended. Two
 * sweeps at the same time do no harm. A sweep always ends: it does not wait for a step that does not answer, but continues
 * with the next batch.
 */
import { EXPIRY_SHARE } from '../base/config/settings.ts';
import { within } from '../base/deadline.ts';
import { must } from '../base/must.ts';
import { timeOf } from '../base/redis/lock.ts';
import type { IsAbandoned } from '../base/store/store.ts';
import { plus } from '../lists/output/tally.ts';
import type { Batches } from './batches.ts';
import { bytesInFlight, clientIndex } from './client-index.ts';
import { idempotencyRecords } from './create.ts';
import { type DueSoFar, gatherDue } from './expiry.ts';
import { BATCH_ID, createdAt } from './ids.ts';
import { keptSummaries } from './kept/summaries.ts';
import { stored } from './quota.ts';
import { type FinalDocument, keys, records, writeFinal } from './records.ts';
import { latestRevision, usedUploads } from './revisions.ts';
import { type Context, createRecheck } from './scheduler.ts';
import { state } from './state.ts';
import { isActive } from './status.ts';
import { gatherSurvey, type Survey, type SurveySoFar, surveys } from './survey.ts';
import { aliveUploads } from './uploads.ts';
import { finalFields } from './view.ts';
import type { Notifications } from './work/notifications.ts';
import { gatherStalled, type StalledBatches, type StalledSoFar, totals } from './workers.ts';

export interface SweepDeps extends Pick<Context, 'store' | 'redis' | 'scheduler' | 'now'> {
  readonly batches: Pick<Batches, 'remove' | 'archive'>;
  /** Days that a summary is kept after the files of its batch expired. Undefined: `SUMMARY_DAYS`. */
  readonly summaryDays?: number | undefined;
  readonly notifications: Pick<Notifications, 'notifyMissed'>;
  /** The clock of Redis. Undefined: `TIME`. */
  readonly redisNow?: () => Promise<Date>;
  /** Percentage that may be removed at once although it expired long ago. Undefined: `EXPIRY_SHARE`. */
  readonly expiryShare?: number | undefined;
  /** Called after each sweep. */
  readonly onExpiry?: (expiry: Pick<Survey, 'held' | 'clockAhead'>) => void;
  /** Called after each sweep with the batches that have not moved for a minute. */
  readonly onStalled?: (stalled: StalledBatches) => Promise<void>;
  /** Maximum time of a step. Undefined: ten minutes. */
  readonly stepMs?: number;
}

export interface Swept {
  readonly restored: number;
  readonly reconciled: number;
  readonly expired: number;
  readonly removed: number;
}

type Did = keyof Swept | undefined;

const HOUR_MS = 3_600_000;
/** Longer than any step: listing the batches, sweeping one, cleaning up. */
const STEP_MS = 600_000;
/** After this time, the remains of a dead upload are removed if no batch was made from it. */
const LEFT_MS = HOUR_MS / 4;
/** How often the whole store is swept, so that abandoned files are gone within the hour. */
const STORE_SWEEP_MS = HOUR_MS / 2;
/** Longer than any other write. */
const LONGEST_WRITE_MS = 24 * HOUR_MS;
/** Days that summaries are kept, unless the settings say otherwise. */
const SUMMARY_DAYS = 400;
/** How long an expired batch stays in the lists, if its summary is kept that long. */
const REMEMBERED_MS = 30 * 24 * HOUR_MS;

/** A key of a batch's file: the id of the batch, and the name of the upload for corrections. */
const BATCH_KEY = /^batches\/([bc][a-z0-9]{25})\/(?:revisions\/([a-z0-9]{18})\/)?/;

/** @param busy names of the running uploads and batches */
const leftAt =
  (at: number, busy: ReadonlySet<string>): IsAbandoned =>
  (key, since) => {
    const [, id, upload] = BATCH_KEY.exec(key) ?? [];
    const age = at - since.getTime();
    const isBusy = id === undefined || busy.has(id) || (upload !== undefined && busy.has(upload));
    if (isBusy) return age > LONGEST_WRITE_MS;
    return age > LEFT_MS;
  };

interface Look {
  /** The earlier of this machine's time and the time of Redis, in ms. */
  readonly at: number;
  /** Batches whose files may have expired, and batches that may leave the lists. */
  readonly files: DueSoFar<Did>;
  readonly lists: DueSoFar<Did>;
  readonly thorough: boolean;
  /** Whether to check all files of a batch, or only what may have changed. */
  readonly wholly: boolean;
  /** Running uploads. */
  readonly uploads: ReadonlySet<string>;
  readonly stalled: StalledSoFar;
  readonly survey: SurveySoFar;
}

/** Removes the files of a batch. The batch is shown as expired for a while. */
const createExpire = ({ store, redis, scheduler }: SweepDeps) => {
  /** The plan goes last. While it exists, a killed process may have left other files. */
  const removeFiles = async (id: string): Promise<void> => {
    const { revisions, base, joined, parts, input, output, mergedOutput, mergedFaults, cancel, notified, plan } = keys;
    const outputs = [output, mergedOutput, mergedFaults];
    for (const key of [revisions, base, joined, parts, input, ...outputs, cancel, notified, plan])
      await store.remove(key(id));
  };

  /** @param known its revision in Redis */
  return async (id: string, known: number): Promise<void> => {
    const revision = await latestRevision(store, id);
    const final = await records.final(store, id, revision);
    if (final === undefined) return await scheduler.replaceState(id);
    const expired: FinalDocument = { ...final, status: 'expired', revision: final.revision ?? revision };
    // First, so that nobody downloads an incomplete output.
    await state.expire(redis, id, known, finalFields(expired));
    try {
      // As the end of revision 1, because the documents of later revisions are removed.
      await writeFinal(store, id, 1, expired);
      await removeFiles(id);
    } catch {
      // The disk may be full. Removing the parts makes room.
      await store.remove(keys.parts(id));
      await writeFinal(store, id, 1, expired);
      await removeFiles(id);
    }
  };
};

/** Counts the bytes of a batch that is not running, and removes abandoned files. */
const createTidy = ({ store, redis }: SweepDeps) => {
  /** Removes uploaded corrections whose process died before it created a revision. */
  const removeUploads = async (id: string): Promise<void> => {
    const names = (await store.list(keys.revisions(id))).filter((name) => name.endsWith('/'));
    if (names.length === 0) return;
    // In this order, so that the revision of an upload that ends in between is listed.
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

/** Removes batches from Redis that the store does not have, because a process was killed. Adds up the use of the rest. */
const createForgetGone =
  ({ store, redis, scheduler }: SweepDeps) =>
  async (there: ReadonlySet<string>, { uploads, survey }: Look): Promise<number> => {
    let forgotten = 0;
    let sum = { bytesInFlight: 0, bytesStored: 0 };
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
      const own = {
        bytesInFlight: await bytesInFlight.sum(redis, clientId),
        bytesStored: await stored.sum(redis, clientId),
      };
      survey.addUse(clientId, own);
      sum = plus(sum, own);
    }
    await totals.write(redis, sum);
    return forgotten;
  };

/** Removes what unfinished writes left in the store. */
const createStoreSweep = ({ store }: SweepDeps) => {
  let sweptAt = Number.NEGATIVE_INFINITY;
  let underWay = false;
  return {
    isDue: (at: number): boolean => at - sweptAt >= STORE_SWEEP_MS,
    /** @param busy names of the running uploads and batches */
    run: async (at: number, busy: ReadonlySet<string>): Promise<number> => {
      // An earlier sweep of the store that took too long is still running.
      if (underWay) return 0;
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

/** Checks a batch, and restores or removes it at once if necessary. Adds an expired batch to the candidates. */
const createSweepOne = (deps: SweepDeps) => {
  const { store, redis, scheduler, batches, notifications, summaryDays = SUMMARY_DAYS } = deps;
  const summaryMs = summaryDays * 24 * HOUR_MS;
  const recheck = createRecheck(deps);
  const expire = createExpire(deps);
  const tidy = createTidy(deps);

  return async (id: string, look: Look): Promise<Did> => {
    const { at, thorough, uploads, stalled, survey, files, lists } = look;
    const fields = await state.fields(redis, id);
    const { status, expiresAt, revision } = fields;
    if (status === undefined) {
      if (await scheduler.restore(id)) return 'restored';
      if (uploads.has(id) || at - createdAt(id) < LEFT_MS) return undefined;
      await store.remove(keys.folder(id));
      return 'removed';
    }
    const clientId = must(fields['clientId'], `the client of batch ${id}`);
    if (fields['deleted'] !== undefined) {
      await batches.remove(id, clientId);
      return 'removed';
    }
    survey.look(id, fields);
    // A retry of the failed batch may have been interrupted.
    if ((thorough || status === 'failed') && (await recheck(id, fields))) return 'restored';
    if (isActive(status)) {
      stalled.look(id, fields);
      await scheduler.reconcile(id);
      await stored.measure(store, redis, clientId, id);
      return 'reconciled';
    }
    await tidy(id, clientId, look);
    const age = expiresAt === undefined || expiresAt === '' ? 0 : at - Date.parse(expiresAt);
    const remembered = Math.min(REMEMBERED_MS, summaryMs);
    if (status === 'expired')
      lists.look(age - remembered + 1, {
        id,
        // Summaries are only in the store, because Redis would grow with them.
        remove: async () => {
          await (age < summaryMs ? batches.archive : batches.remove)(id, clientId);
          return 'removed';
        },
      });
    else
      files.look(age, {
        id,
        remove: async () => {
          const now = await state.fields(redis, id);
          // A client has started a retry or a correction since.
          if (now['status'] !== status || now['revision'] !== revision) return undefined;
          await expire(id, Number(revision));
          await stored.measure(store, redis, clientId, id);
          return 'expired';
        },
      });
    if (status === 'expired' ? age < remembered : age <= 0) {
      await notifications.notifyMissed(id, fields, new Date(at));
      // The process that expired it may have died before it removed all files.
      if (status === 'expired' && (await store.size(keys.plan(id))) !== undefined) await expire(id, Number(revision));
    }
    return undefined;
  };
};

export type Sweep = ReturnType<typeof createSweeper>;

export const createSweeper = (deps: SweepDeps) => {
  const { store, redis, now, onStalled, onExpiry } = deps;
  const { stepMs = STEP_MS, summaryDays = SUMMARY_DAYS, expiryShare = EXPIRY_SHARE } = deps;
  const { redisNow = () => timeOf(redis) } = deps;
  const sweepOne = createSweepOne(deps);
  const forgetGone = createForgetGone(deps);
  const storeSweep = createStoreSweep(deps);
  /** Days of summaries that the last sweep of the whole store held. */
  let heldDays = 0;

  /**
   * @param thorough whether Redis may have lost acknowledged writes
   * @throws {AggregateError} the batches that could not be swept, after all others
   */
  return async (thorough = false): Promise<Swept> => {
    const swept = { restored: 0, reconciled: 0, expired: 0, removed: 0 };
    const known = new Set<string>();
    const failures: Error[] = [];
    const busy = new Set<string>();
    const attempt = async (id: string, work: Promise<Did>): Promise<void> => {
      try {
        const did = await within(stepMs, work);
        if (did !== undefined) swept[did] += 1;
        if (did === 'reconciled' || did === 'restored') busy.add(id);
        if (did !== 'removed') known.add(id);
      } catch (cause) {
        // A batch that cannot be swept must not keep others from being swept.
        known.add(id);
        busy.add(id);
        failures.push(new Error(`batch ${id} could not be swept`, { cause }));
      }
    };
    const [here, there] = [now().getTime(), (await within(stepMs, redisNow())).getTime()];
    const at = Math.min(here, there);
    const [files, lists] = [gatherDue<Did>(expiryShare), gatherDue<Did>(expiryShare)];
    const seconds = Math.floor(there / 1_000);
    const [stalled, survey] = [gatherStalled(seconds), gatherSurvey(seconds)];
    const names = await within(stepMs, store.list(keys.batches));
    // In this order, so that the batch of an upload that ends in between is found.
    const uploads = await within(stepMs, aliveUploads(redis));
    for (const upload of uploads) busy.add(upload);
    const look = { at, files, lists, thorough, uploads, stalled, survey, wholly: storeSweep.isDue(at) };
    for (const name of names) {
      const id = name.slice(0, -1);
      if (!name.endsWith('/') || !BATCH_ID.test(id)) continue;
      await attempt(id, sweepOne(id, look));
    }
    const over = [files.found(), lists.found()];
    for (const { id, remove } of over.flatMap(({ due }) => due)) await attempt(id, remove());
    await onStalled?.(stalled.found());
    swept.removed += await within(stepMs, forgetGone(known, look));
    if (look.wholly) swept.removed += await within(stepMs, storeSweep.run(at, busy));
    if (look.wholly)
      heldDays = await within(stepMs, keptSummaries.sweep(store, new Date(at), summaryDays, expiryShare));
    await within(stepMs, idempotencyRecords.sweep(store, new Date(at)));
    const held = over.reduce((sum, one) => sum + one.held, heldDays);
    const expiry = { held, clockAhead: Math.round((here - there) / 1_000) };
    onExpiry?.(expiry);
    await within(stepMs, surveys.write(redis, survey.found(expiry)));
    if (failures.length > 0) throw new AggregateError(failures, 'batches could not be swept');
    return swept;
  };
};
