/** Makes a batch or a comparison, at most once for an idempotency key. */

import type { Response } from 'express';
import type { Batches } from '../batch/batches.ts';
import { kindOf } from '../batch/ids.ts';
import { BATCHES_PATH, COMPARISONS_PATH } from '../batch/links.ts';
import type { Fault } from '../rating/fault.ts';
import { callerOf } from './auth.ts';
import type { HttpFault } from './faults.ts';
import { type Claim, claimKeptKey, type HeldKey, type KeptClaimDeps } from './idempotency.ts';
import { sendFault, sendJson } from './reply.ts';

export type Refused = Fault | HttpFault;
/** What an earlier request with the same key made. */
export type MadeBefore = Extract<Claim, { kind: 'done' }>;

/** The key that a request holds. */
export interface Held {
  readonly key: string;
  readonly claim: HeldKey;
}

export interface KeyedDeps extends KeptClaimDeps {
  readonly batches: Pick<Batches, 'exists' | 'find'>;
}

/** Frees the key if nothing was made. */
const makeAndEnd = async (
  make: (held: Held | undefined) => Promise<Refused | undefined>,
  held: Held | undefined,
): Promise<Refused | undefined> => {
  let made = false;
  try {
    const refused = await make(held);
    made = refused === undefined;
    return refused;
  } finally {
    // If Redis is away, the key becomes free or done when its lease ends.
    await (made ? held?.claim.done() : held?.claim.free())?.catch(() => undefined);
  }
};

/**
 * @param key absent: the request has none
 * @param id of what is made
 * @param make returns the fault, if any
 * @returns the fault, or what was made with this key before, or undefined if it was made now
 */
export const underKey = async (
  deps: KeyedDeps,
  clientId: string,
  key: string | undefined,
  id: string,
  make: (held: Held | undefined) => Promise<Refused | undefined>,
): Promise<Refused | MadeBefore | undefined> => {
  if (key === undefined) return await makeAndEnd(make, undefined);
  const exists = async (before: string): Promise<boolean> => await deps.batches.exists(before);
  const claim = await claimKeptKey(deps, clientId, key, id, exists);
  if (claim.kind === 'running') return { type: 'idempotency.inProgress', key };
  return claim.kind === 'done' ? claim : await makeAndEnd(make, { key, claim });
};

/** Records what a key makes, before it is made. @returns the fault if another request took over the key */
export const holdKey = async (held: Held | undefined, content: () => string): Promise<Refused | undefined> =>
  held === undefined || (await held.claim.hold(content()))
    ? undefined
    : { type: 'idempotency.inProgress', key: held.key };

/** Answers 202 with the batch or the comparison, and its place. */
export const answerMade = async (deps: KeyedDeps, id: string, res: Response): Promise<void> => {
  const found = await deps.batches.find(id, callerOf(res).id);
  const location = `${kindOf(id) === 'batch' ? BATCHES_PATH : COMPARISONS_PATH}/${id}`;
  // It was created and has been deleted since. It is not created again.
  if (found === undefined) return sendFault(res, { type: 'request.notFound', path: location });
  res.setHeader('Location', location);
  sendJson(res, 202, found.view);
};

/** Answers a request whose key was used before: with what was made, if the content is the same. */
export const answerAgain = async (
  deps: KeyedDeps,
  key: string,
  { batchId, content: before }: MadeBefore,
  content: string,
  res: Response,
): Promise<Refused | undefined> => {
  if (content !== before) return { type: 'idempotency.keyReused', key };
  res.setHeader('Idempotent-Replayed', 'true');
  await answerMade(deps, batchId, res);
  return undefined;
};
