/**
 * `GET …/batches/{id}/events`: a batch or a comparison as server-sent events. Each event is `event: batch` or
 * `event: comparison`, with the batch or comparison as its data. The first event comes at once,
 * then one after each change. The stream ends after a final state. The id of an event identifies the state, so a caller
 * that reconnects with its last id (`Last-Event-ID`) gets only newer events. After the final event it gets 204, which
 * stops browsers from reconnecting. The stream also ends when its caller is revoked or its token expires.
 */
import type { Request, Response } from 'express';
import { Failed } from '../../base/failed.ts';
import { poll } from '../../base/poll.ts';
import type { FoundBatch } from '../../batch/batches.ts';
import { kindOf } from '../../batch/ids.ts';
import { isFinal } from '../../batch/status.ts';
import { type BatchUpdate, type Subscriptions, updateOf } from '../../batch/subscriptions.ts';
import { mayStill } from '../auth.ts';
import { ANSWERED, type Asked } from '../call.ts';
import type { HttpFault } from '../faults.ts';
import { createCounts } from '../server/concurrency.ts';
import type { Service } from '../service.ts';

/** Well below the silence after which the server or a proxy closes a connection. */
const HEARTBEAT_MS = 15_000;
/** The lifetime of a token. The console, whose session lasts longer, reconnects. */
const LONGEST_MS = 3_600_000;
/** How long a stream may continue after its caller is revoked. */
const JUDGE_MS = 1_000;
/** How long a browser waits before it reconnects. */
const COME_BACK_MS = 2_000;
/** Limit on the streams of one client in one process. */
const MOST_STREAMS = 1_000;
const RETRY_S = 10;

const eventText = ({ id, batch, json }: BatchUpdate): string =>
  `id: ${id}\nevent: ${kindOf(batch.id)}\ndata: ${json}\n\n`;

/** Writes updates to a caller until they end or the caller leaves. A slow reader gets only the latest update. */
const stream = (
  subscriptions: Subscriptions,
  found: FoundBatch,
  clientId: string,
  lastId: string | undefined,
  res: Response,
): void => {
  let sent = lastId;
  let waiting: BatchUpdate | undefined;
  const send = (news: BatchUpdate | undefined): void => {
    if (res.writableEnded) return;
    if (news === undefined) {
      res.end();
    } else if (res.writableNeedDrain) {
      waiting = news;
    } else if (news.id !== sent) {
      sent = news.id;
      res.write(eventText(news));
      if (isFinal(news.batch.fields.status)) res.end();
    }
  };
  res.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // Asks proxies not to buffer the stream.
    'X-Accel-Buffering': 'no',
  });
  res.write(`retry: ${COME_BACK_MS}\n\n`);
  const heartbeat = setInterval(() => {
    if (!res.writableNeedDrain && !res.writableEnded) res.write(': heartbeat\n\n');
  }, HEARTBEAT_MS);
  const longest = setTimeout(() => res.end(), LONGEST_MS);
  const judging = poll(async () => {
    // A caller that cannot be checked gets no more.
    if (!(await mayStill(res).catch(() => false))) res.end();
  }, JUDGE_MS);
  send(updateOf(found));
  const leave = res.writableEnded ? () => undefined : subscriptions.watch(found.id, clientId, send);
  res.on('drain', () => {
    const news = waiting;
    waiting = undefined;
    if (news !== undefined) send(news);
  });
  res.once('close', () => {
    clearInterval(heartbeat);
    clearTimeout(longest);
    judging.stop();
    leave();
  });
};

const lastIdOf = (req: Request): string | undefined => {
  const given = req.headers['last-event-id'];
  return typeof given === 'string' ? given : undefined;
};

/** Open streams in this process, by client. */
const streams = createCounts();

/** Answers with the stream, or with 204 if the caller already has the final event. */
export const watch = ({
  service,
  client,
  found,
  req,
  res,
}: Asked<Service> & { readonly found: FoundBatch }): Failed<HttpFault> | symbol | undefined => {
  const lastId = lastIdOf(req);
  if (isFinal(found.fields.status) && updateOf(found).id === lastId) return undefined;
  if (streams.of(client.id) >= MOST_STREAMS) {
    const limit = { limit: 'eventStreams', atOnce: MOST_STREAMS, retryAfterS: RETRY_S };
    return new Failed({ type: 'request.rateLimited', ...limit });
  }
  // The caller has left meanwhile.
  if (res.destroyed) return ANSWERED;
  streams.add(client.id, 1);
  res.once('close', () => streams.add(client.id, -1));
  stream(service.subscriptions, found, client.id, lastId, res);
  if (req.method === 'HEAD') res.end();
  return ANSWERED;
};
