/**
 * Reads and drops the rest of a body that was answered before all of it was read. Its sender then receives
 * the answer. One piece of one body is read at a time, with a pause in between. So when thousands of refused bodies arrive,
 * quotes wait neither for their reads nor for the garbage collector, which their bytes cause to run.
 */
import type { IncomingMessage } from 'node:http';

/** The pace for all bodies together: as fast as a connection of 100 Mbit/s. */
const BYTES_PER_MS = 16 * 1024;

/** Limit on bodies under way, each with up to 64 KB in its buffer. Over this limit, the oldest connection is closed. */
const MOST_BODIES = 512;

const dropped = new Set<IncomingMessage>();
const line: IncomingMessage[] = [];
let pauseMs = 1;

const dropNext = (): void => {
  const piece: unknown = line.shift()?.read();
  pauseMs = 1 + (Buffer.isBuffer(piece) ? piece.length / BYTES_PER_MS : 0);
  if (line.length > 0) setTimeout(dropNext, pauseMs);
};

const queue = (req: IncomingMessage): void => {
  line.push(req);
  if (line.length === 1) setTimeout(dropNext, pauseMs);
};

const enter = (req: IncomingMessage): void => {
  if (dropped.has(req)) return;
  dropped.add(req);
  req.once('close', () => dropped.delete(req));
  if (dropped.size <= MOST_BODIES) return;
  const [oldest = req] = dropped;
  // Its `close` comes later, and others may enter before.
  dropped.delete(oldest);
  oldest.destroy();
};

/** Drops the rest of a body. Nothing else may read it any more. */
export const dropRest = (req: IncomingMessage): void => {
  if (req.readableEnded || req.destroyed) return;
  enter(req);
  req.removeAllListeners('data').removeAllListeners('readable');
  req.on('readable', () => queue(req));
  // After the answer, Node reads a body at full speed if nothing has read from it.
  req.read(0);
  // Data that is already in the buffer is not announced again.
  queue(req);
};
