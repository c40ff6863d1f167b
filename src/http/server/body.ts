/**
 * Reads a small request body as a whole, by stream events. This is the hottest part of the quote route, and a
 * refused body must leave the connection open for the answer, which an abandoned iterator would not do.
 */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Failed } from '../../base/failed.ts';
import { grouped } from '../../base/maps.ts';
import { turn } from '../../base/time-slices.ts';
import type { HttpFault, HttpResult } from '../faults.ts';

export type MediaType = 'application/json' | 'application/x-www-form-urlencoded';

/** Enough for an id and a secret. This is the limit for callers that have not authenticated yet. */
export const SIGN_IN_BYTES = 4_096;

const BODY_MS = 15_000;
const LOOK_MS = 1_000;
const UTF8_CHARSET = /^(?:utf-?8|us-ascii)$/i;

/** The media type of a body, in lower case. Undefined if there is none, or if its charset is not UTF-8. */
const mediaTypeOf = (req: IncomingMessage): string | undefined => {
  const header = req.headers['content-type'];
  if (header === undefined || header === 'application/json') return header;
  const [type = '', ...parameters] = header.split(';');
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => /^charset=/i.test(parameter));
  if (charset !== undefined && !UTF8_CHARSET.test(charset.slice('charset='.length).replaceAll('"', '')))
    return undefined;
  return type.trim().toLowerCase();
};

/** @param given the header of the request. Only its charset is wrong if it names an accepted type. */
const unsupported = (accepted: readonly MediaType[], given = ''): HttpFault => ({
  type: 'request.unsupportedMediaType',
  header: 'Content-Type',
  accepted: accepted.map((type) => (given.toLowerCase().startsWith(`${type};`) ? `${type}; charset=utf-8` : type)),
});

const tooLarge = (limit: number): HttpFault => ({
  type: 'request.tooLarge',
  limit: 'body',
  most: `${limit} bytes`,
});

const malformed = (reason: string): HttpFault => ({ type: 'request.malformedBody', reason });

/** Limit on the bytes of all incomplete bodies together. It has room for at least two bodies of the maximum length. */
const MOST_HELD_BYTES = 16 * 1024 * 1024;

/** A body that has not arrived completely. */
interface Coming {
  /** The client that sends it, or '' for an unknown caller. */
  readonly owner: string;
  readonly lateAt: number;
  held: number;
  /** Drops the body and answers with the fault. */
  readonly refuse: (fault: HttpFault) => void;
}

/** All incomplete bodies of this process. One timer serves them all, because the body of a quote usually arrives at once. */
const coming = new Set<Coming>();
let heldBytes = 0;
let looking: NodeJS.Timeout | undefined;

const endLate = (): void => {
  const now = performance.now();
  for (const { lateAt, refuse } of coming) if (lateAt < now) refuse(malformed('it did not arrive in time'));
  if (coming.size > 0) return;
  clearInterval(looking);
  looking = undefined;
};

const noRoom: HttpFault = { type: 'service.unavailable', dependency: 'memory' };

/**
 * Refuses bodies until a quarter of the space is free again. The client that holds most comes first, and its longest bodies
 * come first. A body that arrives at once is never refused, however much others hold.
 */
const makeRoom = (room: number): void => {
  const total = (bodies: readonly Coming[]): number => bodies.reduce((sum, { held }) => sum + held, 0);
  const owners = [...grouped(coming, ({ owner }) => owner).values()].map((bodies) => ({
    bodies,
    total: total(bodies),
  }));
  for (const { bodies } of owners.sort((one, other) => other.total - one.total))
    for (const { refuse } of bodies.sort((one, other) => other.held - one.held)) {
      if (heldBytes <= room * 0.75) return;
      refuse(noRoom);
    }
};

/** Whether a client holds more than half of the space. */
const holdsHalf = (client: string, room: number): boolean => {
  let own = 0;
  for (const { owner, held } of coming) if (owner === client) own += held;
  return own > room / 2;
};

/** Shorter pieces share buffers of this length, because each buffer alone would take more memory than its bytes. */
const SHORT_PIECE = 4_096;

/** The part of a body that has arrived. */
interface Parts {
  buffers: Buffer[];
  /** Bytes of the body. */
  length: number;
  /** Bytes of the buffers. */
  held: number;
  /** Bytes at the end of the last buffer that are not used yet. */
  free: number;
}

const gather = (parts: Parts, piece: Buffer): void => {
  const last = parts.buffers.at(-1);
  const copied = last === undefined || parts.free === 0 ? 0 : piece.copy(last, last.length - parts.free);
  parts.length += piece.length;
  parts.free -= copied;
  const rest = copied === 0 ? piece : piece.subarray(copied);
  if (rest.length === 0) return;
  const isAlone = last === undefined || rest.length >= SHORT_PIECE;
  const buffer = isAlone ? rest : Buffer.allocUnsafeSlow(SHORT_PIECE);
  if (!isAlone) rest.copy(buffer);
  parts.buffers.push(buffer);
  parts.held += buffer.length;
  parts.free = buffer.length - rest.length;
};

const bytesOf = ({ buffers, length }: Parts): Buffer => {
  const [first] = buffers;
  return buffers.length === 1 && first !== undefined ? first : Buffer.concat(buffers, length);
};

const readBytes = (req: IncomingMessage, limit: number, owner: string): Promise<HttpResult<Buffer>> =>
  new Promise((resolve) => {
    const parts: Parts = { buffers: [], length: 0, held: 0, free: 0 };
    const expected = Number(req.headers['content-length'] ?? Infinity);
    const room = Math.max(MOST_HELD_BYTES, 2 * limit);
    const leave = (): boolean => {
      if (!coming.delete(body)) return false;
      heldBytes -= body.held;
      return true;
    };
    const refuse = (fault: HttpFault): void => {
      if (!leave()) return;
      parts.buffers = [];
      req.pause();
      // Thousands may be refused at once. Each turn answers one of them, so that quotes do not wait for all.
      void turn().then(() => {
        dropRest(req);
        resolve(new Failed(fault));
      });
    };
    // A caller that sends byte by byte must not hold a request forever. An ordinary body takes milliseconds.
    const body: Coming = { owner, lateAt: performance.now() + BODY_MS, held: 0, refuse };
    coming.add(body);
    looking ??= setInterval(endLate, LOOK_MS).unref();
    req.on('data', (piece: Buffer) => {
      if (!coming.has(body)) return;
      if (parts.length + piece.length > limit) return refuse(tooLarge(limit));
      gather(parts, piece);
      heldBytes += parts.held - body.held;
      body.held = parts.held;
      if (heldBytes <= room) return;
      // Refusing a body at its first piece costs less than refusing one that has almost arrived.
      if (parts.length < expected && holdsHalf(owner, room)) refuse(noRoom);
      else makeRoom(room);
    });
    // `on` is used because `once` creates another function. Resolving twice does nothing.
    req.on('end', () => {
      if (leave()) resolve(bytesOf(parts));
    });
    // A broken request always emits `close`. It emits `error` only if there are listeners.
    req.on('close', () => refuse(malformed('it ended early')));
  });

export interface TextBody {
  readonly mediaType: MediaType | undefined;
  readonly text: string;
}

export interface BodyOptions {
  readonly accepted: readonly MediaType[];
  /** In bytes. */
  readonly limit: number;
  /** The id of the client that sends it. Undefined for unknown callers. */
  readonly owner?: string;
  /** Whether a request may have no body and no media type. */
  readonly emptyAllowed?: boolean;
}

/**
 * Reads a body of one of the accepted media types as text.
 * @returns the text, or `request.unsupportedMediaType`, `request.tooLarge`, `request.malformedBody` or, if too many
 * bodies are incomplete, `service.unavailable`
 */
export const readText = async (
  req: IncomingMessage,
  { accepted, limit, owner = '', emptyAllowed = false }: BodyOptions,
): Promise<HttpResult<TextBody>> => {
  const named = mediaTypeOf(req);
  const mediaType = accepted.find((type) => type === named);
  const absent = req.headers['content-type'] === undefined && emptyAllowed;
  if (mediaType === undefined && !absent) return new Failed(unsupported(accepted, req.headers['content-type']));
  // Names of codings are case-insensitive (RFC 9110, 8.4.1).
  const encoding = req.headers['content-encoding']?.toLowerCase();
  if (encoding !== undefined && encoding !== 'identity')
    return new Failed({ type: 'request.unsupportedMediaType', header: 'Content-Encoding', accepted: ['identity'] });
  if (Number(req.headers['content-length'] ?? 0) > limit) return new Failed(tooLarge(limit));
  const bytes = await readBytes(req, limit, owner);
  if (bytes instanceof Failed) return bytes;
  if (mediaType === undefined && bytes.length > 0) return new Failed(unsupported(accepted));
  if (!isUtf8(bytes)) return new Failed(malformed('it is not UTF-8'));
  const text = bytes.toString('utf8');
  return { mediaType, text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text };
};

/** Parses JSON. The parser's own message is not passed on, because it would repeat parts of the body. */
export const parseJson = (text: string): HttpResult<{ readonly json: unknown }> => {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return new Failed(malformed(text.trim() === '' ? 'it is empty' : 'it is not JSON'));
  }
};

/** Reads a JSON body. @returns its value, or the faults of `readText` */
export const readJson = async (
  req: IncomingMessage,
  options: Pick<BodyOptions, 'limit' | 'owner'>,
): Promise<HttpResult<{ readonly json: unknown }>> => {
  const body = await readText(req, { ...options, accepted: ['application/json'] });
  return body instanceof Failed ? body : parseJson(body.text);
};

/*
 * The rest of a body that was answered before all of it was read is read and dropped. Its sender then receives the answer.
 * One piece of one body is read at a time, with a pause in between. So when thousands of refused bodies arrive, quotes wait
 * neither for their reads nor for the garbage collector, which their bytes cause to run.
 */

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
