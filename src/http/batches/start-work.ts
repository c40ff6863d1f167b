/** Makes a batch or a comparison, at most once per idempotency key. */
import { type Kind, newBatchId, pathOf } from '../../batch/ids.ts';
import { goneSince } from '../auth.ts';
import type { Asked } from '../call.ts';
import { HttpError, orThrow } from '../faults.ts';
import type { Service } from '../service.ts';
import { claimKeptKey, readKey } from './idempotency.ts';

export interface Order {
  readonly id: string;
  readonly createdAt: Date;
  /** Whether the request has a key. */
  readonly isKeyed: boolean;
  /** Records the content of the key before the batch is made. @throws {HttpError} if another request took over the key */
  readonly hold: (content: () => string) => Promise<void>;
}

export interface Work {
  /** Makes the batch, or throws and leaves nothing behind. */
  readonly make: (order: Order) => Promise<void>;
  /** The content of a request, to compare it with that of an earlier request with the same key. */
  readonly content: () => Promise<string>;
}

/** @throws {HttpError} if the client has since been revoked, or has lost its secret or the scope */
export const requireCallerStill = ({ res }: Asked<Service>): void => {
  const gone = goneSince(res);
  if (gone !== undefined) throw new HttpError(gone);
};

/** @returns the batch or comparison; its path is in the header @throws {HttpError} if it has been deleted since */
const answerMade = async ({ service, client, res }: Asked<Service>, id: string) => {
  const found = await service.batches.find(id, client.id);
  const location = pathOf(id);
  // It is not created again.
  if (found === undefined) throw new HttpError({ type: 'request.notFound', path: location });
  res.setHeader('Location', location);
  return found.view;
};

/** @returns the body of the answer @throws {HttpError} */
export const startWork = async (asked: Asked<Service>, kind: Kind, { make, content }: Work) => {
  const { service, client, req, res } = asked;
  const key = orThrow(readKey(req));
  const createdAt = service.now();
  const id = newBatchId(createdAt, kind);
  if (key === undefined) {
    await make({ id, createdAt, isKeyed: false, hold: async () => undefined });
    return await answerMade(asked, id);
  }
  const taken = (): HttpError => new HttpError({ type: 'idempotency.inProgress', key });
  const claim = await claimKeptKey(service, client.id, key, id, service.batches.exists);
  if (claim.kind === 'running') throw taken();
  if (claim.kind === 'done') {
    if ((await content()) !== claim.content) throw new HttpError({ type: 'idempotency.keyReused', key });
    res.setHeader('Idempotent-Replayed', 'true');
    return await answerMade(asked, claim.batchId);
  }
  const hold: Order['hold'] = async (made) => {
    if (!(await claim.hold(made()))) throw taken();
  };
  let isMade = false;
  try {
    await make({ id, createdAt, isKeyed: true, hold });
    isMade = true;
  } finally {
    // If Redis is unavailable, the key becomes free or done when its lease ends.
    await (isMade ? claim.done() : claim.free()).catch(() => undefined);
  }
  return await answerMade(asked, id);
};
