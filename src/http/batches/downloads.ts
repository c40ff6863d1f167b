/** The downloads of a batch: the output, the rows with faults, the unprocessed rows, and the summary. */
import type { Writable } from 'node:stream';
import type { Response } from 'express';
import { Failed } from '../../base/failed.ts';
import { must } from '../../base/must.ts';
import type { Store } from '../../base/store/store.ts';
import { turn } from '../../base/time-slices.ts';
import type { FoundBatch } from '../../batch/batches.ts';
import { type Kind, kindOf } from '../../batch/ids.ts';
import {
  CSV_TYPE,
  type MergedFile,
  mergedFile,
  type OutputFile,
  type OutputForm,
  type OutputKind,
  type Parts,
} from '../../batch/output/output.ts';
import { overSheet } from '../../batch/output/workbook-file.ts';
import { type BatchDocument, records } from '../../batch/records.ts';
import { isFinal } from '../../batch/status.ts';
import { summaryOf } from '../../lists/output/summary.ts';
import type { Fault } from '../../rating/fault.ts';
import { ANSWERED, type Asked } from '../call.ts';
import type { HttpFault, HttpResult } from '../faults.ts';
import { invalid } from '../input.ts';
import type { Service } from '../service.ts';
import type { DownloadQuery } from './batch-options.ts';

/** Resolves when the piece is sent. @returns whether the caller is still connected */
const send = (to: Writable, piece: Uint8Array): Promise<boolean> =>
  new Promise((resolve) => {
    const left = (): void => resolve(false);
    to.once('close', left);
    to.write(piece, (error) => {
      to.off('close', left);
      resolve(error === null || error === undefined);
    });
  });

/**
 * Sends each piece before it requests the next one, because both may use the same memory. Each turn of the event loop sends
 * one piece, so that quotes run in between. Stops if the caller leaves.
 */
export const sendPieces = async (to: Writable, content: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const piece of content) {
    if (!(await send(to, piece))) return;
    await turn();
  }
  to.end();
};

const sendFile = async (
  res: Response,
  name: string,
  file: OutputFile,
  headers: Record<string, string> = {},
): Promise<void> => {
  res.attachment(name);
  res.writeHead(200, {
    ...headers,
    'Content-Type': file.mediaType,
    ...(file.bytes === undefined ? {} : { 'Content-Length': file.bytes }),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  try {
    await sendPieces(res, file.content);
  } catch (error) {
    res.destroy();
    throw error;
  }
};

/**
 * Redirects the caller to the store, if that is allowed and the file is one object there.
 * @returns whether it redirected the caller
 */
const sendElsewhere = async (
  { store, presignSeconds: seconds }: Service,
  res: Response,
  name: string,
  { key, bytes }: MergedFile,
  headers: Record<string, string>,
): Promise<boolean> => {
  const { direct } = store;
  if (seconds === undefined || direct === undefined) return false;
  // A script of the console's pages must not load from another host. A click on a link may.
  const { authorization, 'sec-fetch-mode': mode } = res.req.headers;
  if (authorization === undefined && mode !== 'navigate') return false;
  if ((await store.size(key)) !== bytes) return false;
  const disposition = String(res.attachment(name).getHeader('Content-Disposition'));
  const location = await direct.presign(key, { seconds, disposition, contentType: CSV_TYPE });
  res.writeHead(302, { ...headers, Location: location, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
  return true;
};

const named = ({ filename }: BatchDocument, what: string, extension: string): string =>
  `${filename.replace(/\.(?:csv|txt|tsv|xlsx|parquet)$/i, '')}-${what}.${extension}`;

/** The fault of a batch or a comparison whose files are gone. */
export const expired = ({ expiresAt }: Pick<FoundBatch['fields'], 'expiresAt'>) =>
  ({ type: 'batches.expired', expiresAt: must(expiresAt, 'the time of expiry') }) as const;

/**
 * The revision to serve: the requested one, otherwise the last complete one. While corrections run, or after they
 * failed, that is the revision that they correct.
 * @returns its number, or the fault if it is not ready, has expired or does not exist
 */
const revisionServed = async (
  store: Store,
  { id, fields }: FoundBatch,
  asked: number | undefined,
): Promise<HttpResult<number>> => {
  const { status, revision } = fields;
  if (status === 'expired') return new Failed(expired(fields));
  const isWhole = revision === 1 ? isFinal(status) : status === 'completed';
  if (asked === undefined || asked === revision) {
    if (isWhole) return revision;
    const before = asked === undefined ? await records.revision(store, id, revision) : undefined;
    return before?.from ?? new Failed({ type: 'batches.notReady', status });
  }
  const output = asked > revision ? undefined : await records.output(store, id, asked);
  if (output !== undefined) return asked;
  const problem = asked > revision ? `must be from 1 to ${revision}` : 'must be a revision that was completed';
  return invalid({ revision: problem });
};

/** The format given at the download, otherwise at the upload. */
const formOf = ({ options }: BatchDocument, form: DownloadQuery): OutputForm => {
  const format = form.format ?? (form.output === undefined ? options['format'] : undefined);
  if (format === 'xlsx' || format === 'parquet' || format === 'json') return format;
  return (form.output ?? options['output']) === 'excel' ? 'excel' : 'plain';
};

interface Served {
  readonly parts: Parts;
  readonly revision: number;
  /** Whether they contain all rows of the list. */
  readonly complete: boolean;
}

/** The parts to serve: of the requested revision or, with `partial`, of the first revision while it runs. */
export const partsServed = async (
  service: Service,
  found: FoundBatch,
  { partial, revision: asked }: { readonly partial: boolean; readonly revision: number | undefined },
): Promise<HttpResult<Served>> => {
  const { status, revision: current } = found.fields;
  if (partial && current === 1 && !isFinal(found.fields.status))
    return { parts: await service.batches.partialParts(found.id), revision: 1, complete: false };
  const revision = await revisionServed(service.store, found, asked);
  if (revision instanceof Failed) return revision;
  const output = await records.output(service.store, found.id, revision);
  const complete = current > 1 || status === 'completed';
  // A batch that failed or was cancelled may have ended before its output was put together.
  const parts = complete ? must(output, 'the output of the batch').parts : (output?.parts ?? []);
  return { parts, revision, complete };
};

/** The totals of a revision's output. Undefined while the batch runs. */
const summedOf = async ({ store }: Service, { id }: FoundBatch, revision: number) => {
  const final = await records.final(store, id, revision);
  return final && { tally: final.tally, revision };
};

type Downloading = Pick<Asked<Service>, 'service' | 'res'> & {
  readonly found: { readonly batch: FoundBatch; readonly document: BatchDocument };
  readonly query: DownloadQuery;
};

const EXTENSIONS: Readonly<Record<OutputForm, string>> = {
  plain: 'csv',
  excel: 'csv',
  xlsx: 'xlsx',
  parquet: 'parquet',
  json: 'json',
};

const sendOutput = async (
  what: OutputKind,
  { service, found: { batch: found, document }, query, res }: Downloading,
): Promise<Failed<Fault | HttpFault> | symbol> => {
  const isComparison = document.comparison !== undefined;
  const served = await partsServed(service, found, { partial: query.partial === 'true', revision: query.revision });
  if (served instanceof Failed) return served;
  const { parts, revision, complete } = served;
  const form = formOf(document, query);
  const over = what !== 'unprocessed' && form === 'xlsx' ? overSheet(document) : undefined;
  if (over !== undefined) return new Failed({ type: 'request.tooLarge', ...over });
  const headers: Record<string, string> = isComparison ? {} : { 'Batch-Revision': String(revision) };
  const own = what === 'output' ? { ...headers, 'Batch-Complete': String(complete) } : headers;
  const elsewhere = what === 'unprocessed' || form !== 'plain' ? undefined : mergedFile(document, served, what);
  const name = isComparison ? 'comparison' : what;
  if (elsewhere !== undefined && (await sendElsewhere(service, res, named(document, name, 'csv'), elsewhere, own)))
    return ANSWERED;
  const summed =
    isComparison || what !== 'output' || form !== 'xlsx' ? undefined : await summedOf(service, found, revision);
  const file = await service.batches.output(document, parts, what, form, summed);
  await sendFile(res, named(document, name, what === 'unprocessed' ? 'csv' : EXTENSIONS[form]), file, own);
  return ANSWERED;
};

/** Sends a file of a batch or a comparison. */
export const download = (what: OutputKind) => async (asked: Downloading) => {
  try {
    return await sendOutput(what, asked);
  } catch (error) {
    const { id, fields } = asked.found.batch;
    const now = await asked.service.batches.find(id, fields.clientId);
    // It may have expired since.
    if (now?.fields.status === 'expired') return new Failed(expired(now.fields));
    throw error;
  }
};

/** The summary of a batch. */
export const summary = async (
  service: Service,
  found: FoundBatch,
  asked: number | undefined,
): Promise<HttpResult<object>> => {
  const { id, fields } = found;
  // The summary of an expired batch is kept.
  const revision = fields.status === 'expired' ? 1 : await revisionServed(service.store, found, asked);
  if (revision instanceof Failed) return revision;
  const final = (await service.batches.ended(id, revision))?.final;
  if (final === undefined) return new Failed({ type: 'batches.notReady', status: fields.status });
  return { status: 200, id, revision: final.revision ?? revision, ...summaryOf(final.tally) };
};

/** @param look returns something if the batch is in the store, such as its document */
const found = async <T>(
  { service: { batches }, id, client }: Asked<Service>,
  kind: Kind,
  look: (id: string) => Promise<T | undefined>,
): Promise<{ readonly batch: FoundBatch; readonly seen: T } | undefined> => {
  const batch = kindOf(id) === kind ? await batches.find(id, client.id) : undefined;
  if (batch === undefined) return undefined;
  const seen = await look(id);
  if (seen !== undefined) return { batch, seen };
  await batches.forget(id, batch.fields.clientId);
  return undefined;
};

/** The caller's batch. Another client's batch gets the same answer as a batch that never existed. */
export const foundOf =
  (kind: Kind) =>
  async (asked: Asked<Service>): Promise<FoundBatch | undefined> =>
    (await found(asked, kind, async (id) => (await asked.service.batches.exists(id)) || undefined))?.batch;

/** As `foundOf`, but also reads its document. */
export const readOf =
  (kind: Kind) =>
  async (
    asked: Asked<Service>,
  ): Promise<{ readonly batch: FoundBatch; readonly document: BatchDocument } | undefined> => {
    const read = await found(asked, kind, asked.service.batches.document);
    return read && { batch: read.batch, document: read.seen };
  };
