/** `POST …/batches/{id}/corrections`: receives a corrected faults file, and quotes its rows again in a new revision. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { FoundBatch } from '../../batch/batches.ts';
import { judgeCorrections, MOST_CORRECTIONS } from '../../batch/corrections.ts';
import { mostOfBatch, stored } from '../../batch/quota.ts';
import { type BatchDocument, keys, type OutputDocument, type RevisionDocument, records } from '../../batch/records.ts';
import type { Client } from '../../catalog/clients/clients.ts';
import { readingParameters, readOptionsOf } from '../../lists/list-options.ts';
import type { Asked } from '../call.ts';
import { HttpError, orThrow, refusalIn } from '../faults.ts';
import type { Service } from '../service.ts';
import { type CorrectionOptions, correctionOptionsOf, type correctionQuery } from './batch-options.ts';
import { expired } from './downloads.ts';
import { contentOf, type Order, requireCallerStill, startWork } from './start-work.ts';
import { counting, expectedOf, hashUpload, type Received, receiveUpload, requireRoom } from './upload.ts';

/** Whether the batch has room for new parts of these chunks, in addition to the parts of all its revisions. */
const hasRoom = async (
  { store, redis }: Service,
  { id: clientId, limits }: Client,
  document: BatchDocument,
  { parts }: OutputDocument,
  chunks: RevisionDocument['chunks'],
): Promise<boolean> => {
  const { id } = document;
  await stored.measureNew(store, redis, clientId, id);
  const kept = await stored.of(redis, clientId, id);
  const corrected = new Set(chunks.map(({ index }) => index));
  const again = parts.filter(({ index }) => corrected.has(index));
  const more = again.reduce((sum, { bytes, faultBytes }) => sum + bytes + faultBytes, 0);
  return kept + more <= mostOfBatch(limits, document);
};

const mostRevisions = ({ limits }: Client): string =>
  `${limits.outputPerInputByte} bytes of output for each byte of the list, in all revisions together. Correct more rows at once, or upload the corrected list as a new batch`;

/** Checks the stored corrections and starts their revision. @throws {HttpError} */
const begin = async (
  { service, client, requestId }: Asked<Service>,
  document: BatchDocument,
  { from, upload, filename, repairs }: Pick<RevisionDocument, 'from' | 'upload' | 'filename' | 'repairs'>,
  { head, plan: uploaded }: Received,
): Promise<void> => {
  const { store } = service;
  const { id } = document;
  const [plan, output] = await Promise.all([records.plan(store, id), records.output(store, id, from)]);
  if (plan === undefined || output === undefined) throw new Error(`batch ${id} is completed and has no output`);
  const batch = { store, document, plan, output, maximumRowBytes: service.maxList.maximumRowBytes };
  const judged = await judgeCorrections(batch, { upload, columns: head.columns, plan: uploaded });
  if (judged === 'tooMany')
    throw new HttpError({ type: 'request.tooLarge', limit: 'corrections', most: `${MOST_CORRECTIONS} rows` });
  if ('problems' in judged) throw new HttpError({ type: 'createBatch.invalidFile', problems: judged.problems });
  const { rowColumn, cells, rows, chunks } = judged;
  if (!(await hasRoom(service, client, document, output, chunks)))
    throw new HttpError({ type: 'request.tooLarge', limit: 'outputPerInputByte', most: mostRevisions(client) });
  const { dialect } = head.columns;
  const createdAt = service.now().toISOString();
  const revision = { from, createdAt, filename, upload, repairs, dialect, rowColumn, cells: [...cells] };
  const refused = await service.batches
    .causedBy(requestId)
    .correct(document, { ...revision, rows, chunks }, client.limits);
  if (refused === 'notCompleted')
    throw new HttpError({ type: 'batches.notFinal', status: 'in_progress', needs: 'completed' });
  requireRoom(refused, client.limits);
};

const batchOptions = z.object(readingParameters);

type Correcting = Asked<Service> & {
  readonly found: { readonly batch: FoundBatch; readonly document: BatchDocument };
  readonly query: z.output<typeof correctionQuery>;
};

/** Receives the corrections. Nothing remains if they are refused. */
const take = async (asked: Correcting, upload: string, order: Order, options: CorrectionOptions): Promise<void> => {
  const { service, client, req, found } = asked;
  const { store, maxList } = service;
  const { batch, document } = found;
  const { id } = batch;
  const { status, revision } = batch.fields;
  if (status === 'expired') throw new HttpError(expired(batch.fields));
  if (status !== 'completed') throw new HttpError({ type: 'batches.notFinal', status, needs: 'completed' });
  // The list defines what its columns mean. The corrections have their own encoding and delimiter.
  const { named, repairs: usual } = readOptionsOf(batchOptions.parse(document.options));
  const reading = { named, repairs: usual, defaults: document.columns.defaults, ...options.reading };
  // Repairs that the batch makes in every row happen when the row is rated. `quote_repairs` states them.
  const repairs = options.repairs.filter((repair) => !document.columns.repairs.includes(repair));
  const counted = { client, name: upload, expected: expectedOf(req, maxList.maximumBytes) };
  try {
    await counting(service, counted, false, async (count) => {
      const where = { client: client.id, store, key: keys.corrections(id, upload), reading, count };
      const received = await receiveUpload(req, { ...where, hashed: order.isKeyed }, maxList);
      requireCallerStill(asked);
      await order.hold(() => contentOf(req, `${id}/${received.content}`));
      const filename = options.filename ?? received.filename ?? 'corrections.csv';
      await begin(asked, document, { from: revision, upload, filename, repairs }, received);
    });
  } catch (error) {
    if (refusalIn(error) !== undefined) await store.remove(keys.upload(id, upload));
    throw error;
  }
};

/** @returns the batch, at its next revision */
export const correct = async (asked: Correcting) => {
  const { service, req, found, query, id } = asked;
  const options = orThrow(correctionOptionsOf(req, query, found.document.options));
  const upload = randomBytes(9).toString('hex');
  return await startWork(asked, () => `${id}/${upload}`, {
    content: async () => contentOf(req, `${id}/${await hashUpload(req, service.maxList)}`),
    make: (order) => take(asked, upload, order, options),
  });
};
