/** `POST …/batches/{id}/comparisons`: rates the rows of a completed batch in scenarios. */
import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { InFlightLimit } from '../batch/client-index.ts';
import { bytesToJoin } from '../batch/create.ts';
import { kindOf, newBatchId } from '../batch/ids.ts';
import type { AskedScenarios } from '../batch/kept-scenarios.ts';
import { stored } from '../batch/quota.ts';
import type { Client } from '../clients/clients.ts';
import type { Scenario } from '../comparison/scenario.ts';
import { must } from '../must.ts';
import { Failed } from '../rating/fault.ts';
import { MissingObject } from '../store/store.ts';
import type { Schedule } from '../tariff/schedule.ts';
import { callerOf, goneSince, scheduleOf } from './auth.ts';
import { readJson } from './body.ts';
import type { BatchRouteDeps } from './create-batch.ts';
import type { HttpResult } from './faults.ts';
import { readKey } from './idempotency.ts';
import { type Completed, type JoinRequest, joinOf } from './join-batches.ts';
import { sendFault } from './reply.ts';
import { pathOf } from './routes.ts';
import { askScenarios, type ComparisonRequest, readComparison } from './scenarios.ts';
import { answerAgain, answerMade, type Held, holdKey, type Refused, underKey } from './under-key.ts';
import { counting, limitFault, refusalOf } from './upload-quota.ts';

/** More than eight scenarios need that name all services. */
const BODY_BYTES = 64 * 1024;

interface Order {
  readonly id: string;
  readonly batchId: string;
  readonly createdAt: Date;
  readonly schedule: () => Schedule;
  readonly asked: ComparisonRequest;
  /** What another request with the same key must have too. */
  readonly content: string;
}

/** The caller's batch, if it is completed. A comparison is none: its output has other columns. */
const baseOf = async (
  deps: BatchRouteDeps,
  client: Client,
  id: string,
  path: string,
): Promise<HttpResult<Completed>> => {
  const gone = new Failed({ type: 'request.notFound', path } as const);
  const found = kindOf(id) === 'batch' ? await deps.batches.find(id, client.id) : undefined;
  if (found === undefined) return gone;
  const { status, revision, expiresAt } = found.fields;
  if (status === 'expired')
    return new Failed({ type: 'batches.expired', expiresAt: must(expiresAt, 'the time of expiry') });
  if (status !== 'completed') return new Failed({ type: 'batches.notFinal', status, needs: 'completed' });
  const document = await deps.batches.document(id);
  return document === undefined ? gone : { document, revision };
};

const ask = async (
  { snapshots, draft }: BatchRouteDeps,
  client: Client,
  schedule: Schedule,
  { document }: Completed,
  scenarios: readonly Scenario[],
): Promise<HttpResult<AskedScenarios>> =>
  askScenarios(scenarios, client, {
    base: await snapshots.schedule(document.tariffs),
    account: await snapshots.accountParts(document),
    schedule,
    draft,
    warehouses: new Map(document.warehouses.map((warehouse) => [warehouse.id, warehouse])),
  });

/** The other batch of a join; or why it cannot be joined, which names nothing of another client's batch. */
const otherOf = async (
  deps: BatchRouteDeps,
  client: Client,
  { batch }: JoinRequest,
  path: string,
): Promise<Completed | string> => {
  const other = await baseOf(deps, client, batch, path);
  if (!(other instanceof Failed)) return other;
  const { fault } = other;
  if (fault.type === 'batches.expired') return 'has expired';
  if (fault.type === 'batches.notFinal') return `must be completed; it is ${fault.status}`;
  return 'must be a completed batch of yours';
};

/** How to make a comparison. */
interface Prepared {
  /** The bytes that it copies. */
  readonly bytes: () => Promise<number>;
  readonly start: () => Promise<InFlightLimit | undefined>;
}

/** Checks what is asked for. */
const prepare = async (
  deps: BatchRouteDeps,
  client: Client,
  base: Completed,
  { id, createdAt, asked, schedule }: Order,
  path: string,
): Promise<HttpResult<Prepared>> => {
  if (asked.with !== undefined) {
    const joined = await joinOf(base, await otherOf(deps, client, asked.with, path), asked.with);
    if (joined instanceof Failed) return joined;
    return {
      bytes: () => bytesToJoin(deps.store, joined),
      start: () => deps.batches.join({ id, createdAt, ...joined }, client.limits),
    };
  }
  const found = await ask(deps, client, schedule(), base, asked.scenarios ?? []);
  if (found instanceof Failed) return found;
  const comparison = { id, createdAt, batch: base.document, revision: base.revision, asked: found };
  return {
    bytes: async () => base.document.inputBytes,
    start: () => deps.batches.compare(comparison, client.limits),
  };
};

/** Makes the comparison. @returns the fault, if any; then nothing of it stays */
const make = async (deps: BatchRouteDeps, req: Request, client: Client, order: Order, held: Held | undefined) => {
  const { id, batchId, content } = order;
  const path = pathOf(req);
  const base = await baseOf(deps, client, batchId, path);
  if (base instanceof Failed) return base.fault;
  const prepared = await prepare(deps, client, base, order, path);
  if (prepared instanceof Failed) return prepared.fault;
  const taken = await holdKey(held, () => content);
  if (taken !== undefined) return taken;
  const create = async (): Promise<Refused | undefined> => {
    try {
      const { bytesStored } = client.limits;
      if (!(await stored.set(deps.redis, client.id, id, await prepared.bytes(), bytesStored)))
        return limitFault({ limit: 'bytesStored', most: bytesStored });
      const limit = await prepared.start();
      return limit === undefined ? undefined : refusalOf(limit, client.limits);
    } catch (error) {
      // The batch was deleted or has expired meanwhile.
      if (error instanceof MissingObject) return { type: 'request.notFound', path };
      throw error;
    }
  };
  const counted = { client, name: id, expected: base.document.inputBytes };
  const creating = counting(
    deps,
    counted,
    () => create(),
    (fault) => fault === undefined,
  );
  return await creating;
};

/** @returns the fault, or undefined if the request was answered */
const run = async (deps: BatchRouteDeps, req: Request, res: Response): Promise<Refused | undefined> => {
  const client = callerOf(res);
  const limited = await deps.uploadAllowance.take(res, client.id, client.limits.uploadsPerMinute);
  if (limited !== undefined) return limited;
  const key = readKey(req);
  if (key instanceof Failed) return key.fault;
  const body = await readJson(req, { limit: BODY_BYTES, owner: client.id });
  const batchId = String(req.params['id']);
  const asked = body instanceof Failed ? body : readComparison(body.json);
  if (asked instanceof Failed) {
    // A batch that is not the caller's is not found, whatever is asked of it.
    const base = await baseOf(deps, client, batchId, pathOf(req));
    return base instanceof Failed && base.fault.type === 'request.notFound' ? base.fault : asked.fault;
  }
  const gone = goneSince(res);
  if (gone !== undefined) return gone;
  const createdAt = deps.now();
  const content = createHash('sha256')
    .update(`${batchId}?${JSON.stringify(asked)}`)
    .digest('hex');
  const order = {
    id: newBatchId(createdAt, 'comparison'),
    batchId,
    createdAt,
    schedule: () => scheduleOf(res),
    asked,
    content,
  };
  const made = await underKey(deps, client.id, key, order.id, (held) => make(deps, req, client, order, held));
  if (made === undefined) await answerMade(deps, order.id, res);
  else if (!('kind' in made)) return made;
  else return await answerAgain(deps, must(key, 'the key'), made, content, res);
  return undefined;
};

/** Answers 202 with the comparison and its place, or 404, 409, 410, 413, 415, 422, 429 or 503 with a fault. */
export const compareBatch =
  (deps: BatchRouteDeps): RequestHandler =>
  async (req, res) => {
    const fault = await run(deps, req, res);
    if (fault !== undefined) sendFault(res, fault);
  };
