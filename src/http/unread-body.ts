/**
 * Reads and drops what is left of a body that the service has answered without reading all of it. Its sender then receives
 * the answer. One piece of one body is read in a millisecond, so that quotes do not wait while thousands of refused bodies
 * arrive: for their reads, or for the garbage collector, which their bytes cause to run.
 */
import type { IncomingMessage } from 'node:http';

const PAUSE_MS = 1;

const line: IncomingMessage[] = [];

const dropNext = (): void => {
  line.shift()?.read();
  if (line.length > 0) setTimeout(dropNext, PAUSE_MS);
};

const queue = (req: IncomingMessage): void => {
  line.push(req);
  if (line.length === 1) setTimeout(dropNext, PAUSE_MS);
};

/** Drops the rest of a body. Nothing else may read it any more. */
export const dropRest = (req: IncomingMessage): void => {
  if (req.readableEnded || req.destroyed) return;
  req.removeAllListeners('data').removeAllListeners('readable');
  req.on('readable', () => queue(req));
  // Node reads a body at full speed after the answer if nothing has read of it.
  req.read(0);
  // What is in its buffer already is not announced again.
  queue(req);
};
