/** `POST …/batches/{id}/comparisons`: rates the rows of a completed batch in scenarios. */
import { createHash } from 'node:crypto';
import { Failed } from '../../base/failed.ts';
import { MissingObject } from '../../base/store/store.ts';
import type { InFlightLimit } from '../../batch/client-index.ts';
import { type AskedScenarios, bytesToJoin } from '../../batch/create.ts';
import { kindOf, newBatchId } from '../../batch/ids.ts';
import { stored } from '../../batch/quota.ts';
import type { Client } from '../../catalog/clients/clients.ts';
import type { Schedule } from '../../catalog/tariff/schedule.ts';
import type { Scenario } from '../../lists/comparison/scenario.ts';
import type { Asked } from '../call.ts';
import { HttpError, type HttpResult, orThrow } from '../faults.ts';
import { pathOf } from '../routes.ts';
import { readJson } from '../server/body.ts';
import type { Service } from '../service.ts';
import { expired } from './downloads.ts';
import {
  askScenarios,
  type ComparisonRequest,
  type Completed,
  type JoinRequest,
  joinOf,
  readComparison,
} from './scenarios.ts';
import { type Order, requireCallerStill, startWork } from './start-work.ts';
import { counting, limitFault, requireRoom } from './upload.ts';

/** Enough for eight scenarios that name all services. */
const BODY_BYTES = 64 * 1024;

/** The caller's batch, if it is completed. A comparison is not accepted, because its output has other columns. */
const baseOf = async (service: Service, client: Client, id: string, path: string): Promise<HttpResult<Completed>> => {
  const gone = new Failed({ type: 'request.notFound', path } as const);
  const found = kindOf(id) === 'batch' ? await service.batches.find(id, client.id) : undefined;
  if (found === undefined) return gone;
  const { status, revision } = found.fields;
  if (status === 'expired') return new Failed(expired(found.fields));
  if (status !== 'completed') return new Failed({ type: 'batches.notFinal', status, needs: 'completed' });
  const document = await service.batches.document(id);
  return document === undefined ? gone : { document, revision };
};

const ask = async (
  { snapshots, clients: { draft } }: Service,
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

/** The other batch of a join, or why it cannot be joined. The reason reveals nothing about another client's batch. */
const otherOf = async (
  service: Service,
  client: Client,
  { batch }: JoinRequest,
  path: string,
): Promise<Completed | string> => {
  const other = await baseOf(service, client, batch, path);
  if (!(other instanceof Failed)) return other;
  const { fault } = other;
  if (fault.type === 'batches.expired') return 'has expired';
  if (fault.type === 'batches.notFinal') return `must be completed; it is ${fault.status}`;
  return 'must be a completed batch of yours';
};

interface Prepared {
  /** The number of bytes that it copies. */
  readonly bytes: () => Promise<number>;
  readonly start: () => Promise<InFlightLimit | undefined>;
}

/** Checks the request. @throws {HttpError} */
const prepare = async (
  { service, client, schedule, req, requestId }: Asked<Service>,
  base: Completed,
  wanted: ComparisonRequest,
  { id, createdAt }: Order,
): Promise<Prepared> => {
  const batches = service.batches.causedBy(requestId);
  if (wanted.with !== undefined) {
    const other = await otherOf(service, client, wanted.with, pathOf(req));
    const joined = orThrow(await joinOf(base, other, wanted.with));
    return {
      bytes: () => bytesToJoin(service.store, joined),
      start: () => batches.join({ id, createdAt, ...joined }, client.limits),
    };
  }
  const asked = orThrow(await ask(service, client, schedule, base, wanted.scenarios ?? []));
  const comparison = { id, createdAt, batch: base.document, revision: base.revision, asked };
  return {
    bytes: async () => base.document.inputBytes,
    start: () => batches.compare(comparison, client.limits),
  };
};

/** Makes the comparison. Nothing remains after a failure. */
const make = async (asked: Asked<Service>, wanted: ComparisonRequest, order: Order, content: string): Promise<void> => {
  const { service, client, req } = asked;
  const { id } = order;
  const path = pathOf(req);
  const base = orThrow(await baseOf(service, client, asked.id, path));
  const prepared = await prepare(asked, base, wanted, order);
  await order.hold(() => content);
  await counting(service, { client, name: id, expected: base.document.inputBytes }, true, async () => {
    try {
      const { bytesStored } = client.limits;
      if (!(await stored.set(service.redis, client.id, id, await prepared.bytes(), bytesStored)))
        throw new HttpError(limitFault({ limit: 'bytesStored', most: bytesStored }));
      requireRoom(await prepared.start(), client.limits);
    } catch (error) {
      // The batch was deleted or has expired meanwhile.
      if (error instanceof MissingObject) throw new HttpError({ type: 'request.notFound', path });
      throw error;
    }
  });
};

export const compareBatch = async (asked: Asked<Service>) => {
  const { service, client, req, id: batchId } = asked;
  const body = await readJson(req, { limit: BODY_BYTES, owner: client.id });
  const wanted = body instanceof Failed ? body : readComparison(body.json);
  if (wanted instanceof Failed) {
    // If the batch is not the caller's, the answer is 404, whatever the request asks for.
    const base = await baseOf(service, client, batchId, pathOf(req));
    return base instanceof Failed && base.fault.type === 'request.notFound' ? base : wanted;
  }
  requireCallerStill(asked);
  const content = createHash('sha256')
    .update(`${batchId}?${JSON.stringify(wanted)}`)
    .digest('hex');
  return await startWork(asked, (at) => newBatchId(at, 'comparison'), {
    content: async () => content,
    make: (order) => make(asked, wanted, order, content),
  });
};
