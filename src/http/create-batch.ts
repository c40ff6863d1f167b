/**
 * `POST /v1/client/shipment/rates/batches`: receives a list and creates a batch from it. `POST …/comparisons` does the same
 * with a comparison.
 */
import type { Request, RequestHandler, Response } from 'express';
import { NO_ACCOUNT } from '../agreement/account.ts';
import type { Batches } from '../batch/batches.ts';
import { type Kind, newBatchId } from '../batch/ids.ts';
import { keys } from '../batch/records.ts';
import type { Snapshots } from '../batch/snapshot.ts';
import type { Subscriptions } from '../batch/subscriptions.ts';
import type { Client } from '../clients/clients.ts';
import { must } from '../must.ts';
import { Failed } from '../rating/fault.ts';
import type { Redis } from '../redis/connection.ts';
import { withWarehouses } from '../rows/output-format.ts';
import { type Store, StoreFailure } from '../store/store.ts';
import type { Schedule } from '../tariff/schedule.ts';
import { callerOf, goneSince, scheduleOf } from './auth.ts';
import { type CreateOptions, readCompareOptions, readCreateOptions } from './batch-options.ts';
import { noAgreement } from './faults.ts';
import { contentOf, readKey } from './idempotency.ts';
import type { Allowance, ReadLimits } from './limits.ts';
import type { UploadLimits } from './list-body.ts';
import { sendPreview } from './preview.ts';
import { sendFault } from './reply.ts';
import type { FindDraft } from './scenarios.ts';
import { answerAgain, answerMade, type Held, holdKey, type Refused, underKey } from './under-key.ts';
import { dropRest } from './unread-body.ts';
import { hashUpload, invalidFile, type Received, receiveUpload } from './upload.ts';
import { counting, expectedOf, refusalOf, type UploadCount } from './upload-quota.ts';

export interface BatchRouteDeps {
  readonly store: Store;
  readonly redis: Redis;
  readonly batches: Batches;
  readonly snapshots: Snapshots;
  readonly subscriptions: Subscriptions;
  readonly tariffs: { readonly current: () => Schedule };
  readonly limits: UploadLimits;
  /** Bytes in the store that are reserved for running batches. */
  readonly reserveBytes: number;
  /** How long a presigned URL of the store is valid; absent: outputs pass through this process. */
  readonly presignSeconds?: number;
  readonly uploadAllowance: Allowance;
  readonly readLimits: ReadLimits;
  /** Drafts of agreements, which clients may ask about in comparisons. */
  readonly draft: FindDraft;
  /** What the routes are about. Absent: batches. */
  readonly kind?: Kind;
  readonly now: () => Date;
}

interface Order {
  readonly id: string;
  /** The fault if its client may no longer call. */
  readonly goneSince: () => Refused | undefined;
  readonly client: Client;
  readonly createdAt: Date;
  readonly options: CreateOptions;
  readonly received: Received;
}

const make = async (deps: BatchRouteDeps, order: Order): Promise<Refused | undefined> => {
  const { id, client, createdAt, options, received } = order;
  const { head, plan, bytes, sentBytes } = received;
  const filename = options.filename ?? received.filename ?? 'shipments.csv';
  const { given, schedule, asked } = options;
  // A comparison has no columns for the prices from each warehouse.
  const format = asked === undefined ? withWarehouses(options.format, plan.shipFrom, client) : options.format;
  if ('problems' in format) return invalidFile(format.problems);
  const batch = { id, clientId: client.id, filename, options: given, format, head, plan, bytes, sentBytes };
  const creating = deps.batches.create({ ...batch, schedule, shipper: client, createdAt, asked }, client.limits);
  const limit = await creating;
  return limit === undefined ? undefined : refusalOf(limit, client.limits);
};

/** Receives the list and creates the batch. @returns the fault, if any */
const receive = async (
  deps: BatchRouteDeps,
  req: Request,
  order: Omit<Order, 'received'>,
  held: Held | undefined,
  count: UploadCount,
): Promise<Refused | undefined> => {
  const { id, client, options } = order;
  const where = {
    client: client.id,
    store: deps.store,
    key: keys.input(id),
    reading: options.reading,
    hashed: held !== undefined,
    count,
  };
  const received = await receiveUpload(req, where, deps.limits);
  if (received instanceof Failed) return received.fault;
  const gone = order.goneSince();
  if (gone !== undefined) return gone;
  const content = (): string => contentOf(req, must(received.content, 'the hash of the list'));
  return (await holdKey(held, content)) ?? (await make(deps, { ...order, received }));
};

/** Receives the list and creates the batch. Nothing remains of a failure. @returns the fault, if any */
const take = async (
  deps: BatchRouteDeps,
  req: Request,
  order: Omit<Order, 'received'>,
  held: Held | undefined,
): Promise<Refused | undefined> => {
  const [{ store, limits }, { id, client }] = [deps, order];
  const upload = { client, name: id, expected: expectedOf(req, limits.maximumBytes) };
  const clear = (): Promise<void> => store.remove(keys.folder(id));
  try {
    const receiving = (count: UploadCount) => receive(deps, req, order, held, count);
    const refused = await counting(deps, upload, receiving, (fault) => fault === undefined);
    if (refused !== undefined) await clear();
    return refused;
  } catch (error) {
    // The first failure is reported. If the store is away, the sweep cleans up later; waiting again would not help.
    const isAway = error instanceof StoreFailure;
    if (!isAway) await clear().catch(() => undefined);
    throw error;
  }
};

/** @returns the fault, or undefined if the request was answered */
const run = async (deps: BatchRouteDeps, req: Request, res: Response): Promise<Refused | undefined> => {
  const client = callerOf(res);
  const limited = await deps.uploadAllowance.take(res, client.id, client.limits.uploadsPerMinute);
  if (limited !== undefined) return limited;
  const key = readKey(req);
  if (key instanceof Failed) return key.fault;
  const { kind = 'batch' } = deps;
  const schedule = scheduleOf(res);
  const options =
    kind === 'batch' ? readCreateOptions(req, schedule) : readCompareOptions(req, schedule, client, deps.draft);
  if (options instanceof Failed) return options.fault;
  // A new batch would have no prices. Those that run go on with their snapshots.
  if (client.account === NO_ACCOUNT) return noAgreement;
  if (options.preview !== undefined) return await sendPreview(req, res, options, client, deps.now(), deps.limits);
  // Refuses an upload early that could not be queued.
  await deps.redis.ping();
  const createdAt = deps.now();
  const order = { id: newBatchId(createdAt, kind), goneSince: () => goneSince(res), client, createdAt, options };
  const made = await underKey(deps, client.id, key, order.id, (held) => take(deps, req, order, held));
  if (made === undefined) await answerMade(deps, order.id, res);
  else if (!('kind' in made)) return made;
  else {
    const uploaded = await hashUpload(req, deps.limits);
    if (uploaded instanceof Failed) return uploaded.fault;
    return await answerAgain(deps, must(key, 'the key'), made, contentOf(req, uploaded.content), res);
  }
  return undefined;
};

/** Answers 202 with the batch and its place, or 400, 401, 403, 409, 413, 415, 422, 429 or 503 with a fault. */
export const create =
  (deps: BatchRouteDeps): RequestHandler =>
  async (req, res) => {
    const fault = await run(deps, req, res);
    if (fault === undefined) return;
    sendFault(res, fault);
    dropRest(req);
  };
