/**
 * A batch in Redis held against the store, where Redis may have lost writes that it had answered: a replica that takes
 * over lacks the last ones of its master, and a server that was killed those of up to a second. What is under way the
 * sweeper reconciles anyway; this finds what looks as if nothing were to do, and is not as the store has it.
 */
import type { Redis } from '../redis/connection.ts';
import type { Store } from '../store/store.ts';
import { listing } from './client-index.ts';
import { FINAL_STATUSES, records } from './records.ts';
import { latestRevision } from './revisions.ts';
import type { Intake } from './scheduler.ts';

export interface RecheckDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly intake: Pick<Intake, 'restoreAnew'>;
}

/** @returns true where the batch's state was made again */
export type Recheck = (id: string, fields: Readonly<Record<string, string>>) => Promise<boolean>;

export const createRecheck =
  ({ store, redis, intake }: RecheckDeps): Recheck =>
  async (id, { clientId, createdAt, status, revision }) => {
    if (clientId !== undefined && createdAt !== undefined) await listing.add(redis, clientId, id, createdAt);
    const latest = await latestRevision(store, id);
    const isFinal = FINAL_STATUSES.some((final) => final === status);
    // Of a revision that is being made Redis knows before the store: it is never behind by being ahead.
    const isBehind = latest > Number(revision);
    // A final state without its document is one of before a retry.
    const differs = isFinal && (await records.final(store, id, latest))?.status !== status;
    if (!isBehind && !differs) return false;
    await intake.restoreAnew(id);
    return true;
  };
