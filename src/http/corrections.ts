/** `POST …/batches/{id}/corrections`: receives a corrected faults file and quotes its rows again as a new revision. */
import { randomBytes } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { FoundBatch } from '../batch/batches.ts';
import { judgeCorrections, MOST_CORRECTIONS } from '../batch/corrections.ts';
import { mostOfBatch, stored } from '../batch/quota.ts';
import { type BatchDocument, keys, type OutputDocument, type RevisionDocument, records } from '../batch/records.ts';
import type { Client } from '../clients/clients.ts';
import { must } from '../must.ts';
import { Failed, type Fault } from '../rating/fault.ts';
import { readingParameters, readOptionsOf } from '../rows/list-options.ts';
import { type Caller, callerOf, goneSince } from './auth.ts';
import { readCorrectionOptions } from './batch-options.ts';
import type { BatchRouteDeps } from './create-batch.ts';
import type { HttpFault } from './faults.ts';
import { onBatch } from './load-batch.ts';
import { sendFault, sendJson } from './reply.ts';
import { dropRest } from './unread-body.ts';
import { type Received, receiveUpload } from './upload.ts';
import { counting, expectedOf, refusalOf, type UploadCount } from './upload-quota.ts';

type Refused = Fault | HttpFault;

/** Whether the batch may keep new parts of these chunks beside those of all its revisions. */
const hasRoom = async (
  { store, redis }: BatchRouteDeps,
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

/** Checks the corrections in the store and starts their revision. @returns the fault, if any */
const begin = async (
  deps: BatchRouteDeps,
  client: Client,
  document: BatchDocument,
  { from, upload, filename, repairs }: Pick<RevisionDocument, 'from' | 'upload' | 'filename' | 'repairs'>,
  { head, plan: uploaded }: Received,
): Promise<Refused | undefined> => {
  const { store } = deps;
  const { id } = document;
  const [plan, output] = await Promise.all([records.plan(store, id), records.output(store, id, from)]);
  if (plan === undefined || output === undefined) throw new Error(`batch ${id} is completed and has no output`);
  const batch = { store, document, plan, output, maximumRowBytes: deps.limits.maximumRowBytes };
  const judged = await judgeCorrections(batch, { upload, columns: head.columns, plan: uploaded });
  if (judged === 'tooMany') return { type: 'request.tooLarge', limit: 'corrections', most: `${MOST_CORRECTIONS} rows` };
  if ('problems' in judged) return { type: 'createBatch.invalidFile', problems: judged.problems };
  const { rowColumn, cells, rows, chunks } = judged;
  if (!(await hasRoom(deps, client, document, output, chunks)))
    return { type: 'request.tooLarge', limit: 'outputPerInputByte', most: mostRevisions(client) };
  const { dialect } = head.columns;
  const createdAt = deps.now().toISOString();
  const revision = { from, createdAt, filename, upload, repairs, dialect, rowColumn, cells: [...cells] };
  const correcting = deps.batches.correct(document, { ...revision, rows, chunks }, client.limits);
  const refused = await correcting;
  if (refused === 'notCompleted') return { type: 'batches.notFinal', status: 'in_progress', needs: 'completed' };
  return refused === undefined ? undefined : refusalOf(refused, client.limits);
};

const batchOptions = z.object(readingParameters);

/** Receives the corrections. Nothing remains if they are refused. */
const take = async (
  deps: BatchRouteDeps,
  caller: Pick<Caller, 'client' | 'goneSince'>,
  { id, fields }: FoundBatch,
  document: BatchDocument,
  req: Request,
): Promise<Refused | undefined> => {
  const { client } = caller;
  const options = readCorrectionOptions(req, document.options);
  if (options instanceof Failed) return options.fault;
  const { status, expiresAt, revision } = fields;
  if (status === 'expired') return { type: 'batches.expired', expiresAt: must(expiresAt, 'the time of expiry') };
  if (status !== 'completed') return { type: 'batches.notFinal', status, needs: 'completed' };
  // The meaning of columns comes from the list. The corrections have their own encoding and delimiter.
  const { named, repairs } = readOptionsOf(batchOptions.parse(document.options));
  const reading = { named, repairs, defaults: document.columns.defaults, ...options.reading };
  // Repairs that the batch makes in every row happen when the row is rated; `quote_repairs` states them.
  const added = options.repairs.filter((repair) => !document.columns.repairs.includes(repair));
  const upload = randomBytes(9).toString('hex');
  const key = keys.corrections(id, upload);
  const receive = async (count: UploadCount): Promise<Refused | undefined> => {
    const where = { client: client.id, store: deps.store, key, reading, hashed: false, count };
    const received = await receiveUpload(req, where, deps.limits);
    if (received instanceof Failed) return received.fault;
    const gone = caller.goneSince();
    if (gone !== undefined) return gone;
    const filename = options.filename ?? received.filename ?? 'corrections.csv';
    return await begin(deps, client, document, { from: revision, upload, filename, repairs: added }, received);
  };
  const counted = { client, name: upload, expected: expectedOf(req, deps.limits.maximumBytes) };
  const refused = await counting(deps, counted, receive, () => false);
  if (refused !== undefined) await deps.store.remove(keys.upload(id, upload));
  return refused;
};

/** Answers 202 with the batch, at its next revision; or 404, 409, 410, 413, 415, 422, 429 or 503 with a fault. */
export const correct = (deps: BatchRouteDeps): RequestHandler =>
  onBatch(deps, async (found, document, req, res) => {
    const client = callerOf(res);
    const limited = await deps.uploadAllowance.take(res, client.id, client.limits.uploadsPerMinute);
    const refused = limited ?? (await take(deps, { client, goneSince: () => goneSince(res) }, found, document, req));
    if (refused !== undefined) {
      sendFault(res, refused);
      dropRest(req);
      return;
    }
    const revised = await deps.batches.find(found.id, client.id);
    if (revised === undefined) throw new Error('a batch that was revised is not there');
    sendJson(res, 202, revised.view);
  });
