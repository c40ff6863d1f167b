/** Receives a list, and makes a batch or a comparison of it. */

import { must } from '../../base/must.ts';
import { StoreFailure } from '../../base/store/store.ts';
import type { Kind } from '../../batch/ids.ts';
import { keys } from '../../batch/records.ts';
import { NO_ACCOUNT } from '../../catalog/agreement/account.ts';
import { withWarehouses } from '../../lists/output/output-format.ts';
import type { Result } from '../../rating/fault.ts';
import type { Asked } from '../call.ts';
import { HttpError, noAgreement, orThrow } from '../faults.ts';
import type { Service } from '../service.ts';
import type { CreateOptions } from './batch-options.ts';
import { contentOf } from './idempotency.ts';
import { sendPreview } from './preview.ts';
import { type Order, requireCallerStill, startWork } from './start-work.ts';
import { hashUpload, invalidFile, type Received, receiveUpload } from './upload.ts';
import { counting, expectedOf, requireRoom } from './upload-quota.ts';

const make = async (
  { service, client, requestId }: Asked<Service>,
  { id, createdAt }: Order,
  options: CreateOptions,
  received: Received,
): Promise<void> => {
  const { head, plan, bytes, sentBytes } = received;
  const filename = options.filename ?? received.filename ?? 'shipments.csv';
  const { given, schedule, asked } = options;
  // A comparison has no columns for the prices from each warehouse.
  const format = asked === undefined ? withWarehouses(options.format, plan.shipFrom, client) : options.format;
  if ('problems' in format) throw new HttpError(invalidFile(format.problems));
  const batch = { id, clientId: client.id, filename, options: given, format, head, plan, bytes, sentBytes };
  const order = { ...batch, schedule, shipper: client, createdAt, asked };
  const limit = await service.batches.causedBy(requestId).create(order, client.limits);
  requireRoom(limit, client.limits);
};

/** Receives the list, and makes the batch or comparison. Nothing remains after a failure. */
const take = async (asked: Asked<Service>, order: Order, options: CreateOptions): Promise<void> => {
  const { service, client, req } = asked;
  const { store, maxList } = service;
  const { id, isKeyed: hashed } = order;
  // A list with more rows than its client may have in flight would never be accepted, however often it is sent.
  const most = { ...maxList, maximumRows: Math.min(maxList.maximumRows, client.limits.rowsInFlight) };
  const upload = { client, name: id, expected: expectedOf(req, maxList.maximumBytes) };
  try {
    await counting(service, upload, true, async (count) => {
      const where = { client: client.id, store, key: keys.input(id), reading: options.reading, hashed, count };
      const received = await receiveUpload(req, where, most);
      requireCallerStill(asked);
      await order.hold(() => contentOf(req, must(received.content, 'the hash of the list')));
      await make(asked, order, options, received);
    });
  } catch (error) {
    // The first failure is reported. If the store is unavailable, the sweep cleans up later. Waiting again would not help.
    if (!(error instanceof StoreFailure)) await store.remove(keys.folder(id)).catch(() => undefined);
    throw error;
  }
};

export const createFromList = async (asked: Asked<Service>, kind: Kind, wanted: Result<CreateOptions>) => {
  const { service, client, req } = asked;
  const options = orThrow(wanted);
  // A new batch would have no prices. Running batches continue with their snapshots.
  if (client.account === NO_ACCOUNT) throw new HttpError(noAgreement);
  if (options.preview !== undefined) return await sendPreview(asked, options);
  // Refuses an upload early if it could not be queued.
  await service.redis.ping();
  return await startWork(asked, kind, {
    content: async () => contentOf(req, await hashUpload(req, service.maxList)),
    make: (order) => take(asked, order, options),
  });
};
