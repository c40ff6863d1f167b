/**
 * Reading a small request body whole. Done on the stream's own events: it is the quote route's hottest part, and a
 * refused body must leave the connection open for the answer, which an abandoned iterator would not.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { HttpFault } from './faults.ts';

export type MediaType = 'application/json' | 'application/x-www-form-urlencoded';

const BODY_MS = 15_000;
const LOOK_MS = 1_000;
const UTF8_CHARSET = /^(?:utf-?8|us-ascii)$/i;

/** The media type of a body, in lower case; undefined where none is named or its text is not UTF-8. */
const mediaTypeOf = (req: IncomingMessage): string | undefined => {
  const header = req.headers['content-type'];
  if (header === undefined || header === 'application/json') return header;
  const [type = '', ...parameters] = header.split(';');
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => /^charset=/i.test(parameter));
  if (charset !== undefined && !UTF8_CHARSET.test(charset.slice('charset='.length).replaceAll('"', '')))
    return undefined;
  return type.trim().toLowerCase();
};

const unsupported = (accepted: readonly MediaType[]): HttpFault => ({
  type: 'request.unsupportedMediaType',
  header: 'Content-Type',
  accepted,
});

const tooLarge = (limit: number): HttpFault => ({
  type: 'request.tooLarge',
  limit: 'body',
  most: `${limit} bytes`,
});

const malformed = (reason: string): HttpFault => ({ type: 'request.malformedBody', reason });

/** The bodies that are being read: how each is ended, and when. One clock looks after all, for a quote's is there at once. */
const awaited = new Map<() => void, number>();
let looking: NodeJS.Timeout | undefined;

const endLate = (): void => {
  const now = performance.now();
  for (const [end, lateAt] of awaited) if (lateAt < now) end();
  if (awaited.size > 0) return;
  clearInterval(looking);
  looking = undefined;
};

const readBytes = (req: IncomingMessage, limit: number): Promise<Buffer | HttpFault> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let over = false;
    // Who sends byte by byte must not hold a request for ever; an honest body of this size takes milliseconds.
    const late = (): void => {
      awaited.delete(late);
      resolve(malformed('it did not arrive in time'));
    };
    awaited.set(late, performance.now() + BODY_MS);
    looking ??= setInterval(endLate, LOOK_MS).unref();
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else if (!over) {
        // What still comes is read and dropped, so that the sender gets to see the answer.
        over = true;
        chunks.length = 0;
        resolve(tooLarge(limit));
      }
    });
    // `on`, for `once` makes a function more; what is settled is settled.
    req.on('end', () => {
      awaited.delete(late);
      const [only] = chunks;
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
    });
    // A request that breaks off is closed; it tells an error only to those who listen for it.
    req.on('close', () => {
      awaited.delete(late);
      resolve(malformed('it ended early'));
    });
  });

export interface TextBody {
  readonly mediaType: MediaType | undefined;
  readonly text: string;
}

/**
 * Reads a body of one of the accepted media types as text.
 * @param emptyAllowed whether a request may have no body, and then no media type
 * @returns the text, or `request.unsupportedMediaType`, `request.tooLarge` or `request.malformedBody`
 */
export const readText = async (
  req: IncomingMessage,
  accepted: readonly MediaType[],
  limit: number,
  emptyAllowed = false,
): Promise<TextBody | HttpFault> => {
  const named = mediaTypeOf(req);
  const mediaType = accepted.find((type) => type === named);
  const absent = req.headers['content-type'] === undefined && emptyAllowed;
  if (mediaType === undefined && !absent) return unsupported(accepted);
  // Names of codings are the same in either case (RFC 9110, 8.4.1).
  const encoding = req.headers['content-encoding']?.toLowerCase();
  if (encoding !== undefined && encoding !== 'identity')
    return { type: 'request.unsupportedMediaType', header: 'Content-Encoding', accepted: ['identity'] };
  if (Number(req.headers['content-length'] ?? 0) > limit) return tooLarge(limit);
  const bytes = await readBytes(req, limit);
  if ('type' in bytes) return bytes;
  if (mediaType === undefined && bytes.length > 0) return unsupported(accepted);
  if (!isUtf8(bytes)) return malformed('it is not UTF-8');
  const text = bytes.toString('utf8');
  return { mediaType, text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text };
};

/** Parses JSON; the parser's own message would repeat parts of the body, so it is not passed on. */
export const parseJson = (text: string): { readonly json: unknown } | HttpFault => {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return malformed(text.trim() === '' ? 'it is empty' : 'it is not JSON');
  }
};

/** Reads a JSON body: its value, or the faults of `readText`. */
export const readJson = async (
  req: IncomingMessage,
  limit: number,
): Promise<{ readonly json: unknown } | HttpFault> => {
  const body = await readText(req, ['application/json'], limit);
  return 'type' in body ? body : parseJson(body.text);
};
