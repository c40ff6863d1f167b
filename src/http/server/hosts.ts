/**
 * Which hosts a request may name, and which origins may call (CORS). The check of hosts stops DNS rebinding: a foreign
 * page whose name now points at this machine looks like the service's own page, but its requests have the foreign name.
 */
import type { IncomingMessage } from 'node:http';
import cors from 'cors';
import { isLoopback } from '../../base/config/settings.ts';
import { type BareHandler, sendFault } from '../reply.ts';

/** Probes may use any name or address, because these calls reveal nothing and change nothing. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/** A name or an address with an optional port. */
const HOST = /^(\[[\da-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?$/i;

/** Counts the `Host` headers. Node itself keeps only the first one. */
const hostsIn = ({ rawHeaders }: IncomingMessage): number => {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
};

/** Whether the name is the address of the connection itself, so that no DNS name was involved. */
const isOwnAddress = (name: string, { socket: { localAddress = '' } }: IncomingMessage): boolean =>
  name === localAddress.replace(/^::ffff:(\d{1,3}\.)/, '$1') || name === `[${localAddress}]`;

/**
 * Refuses requests that name no host, several hosts, or a host that is not served here.
 * @param allowed names and addresses in addition to loopback and the address that received the request
 */
export const onlyHosts = (allowed: readonly string[]): BareHandler => {
  const names = new Set(allowed.map((name) => name.toLowerCase()));
  const problemOf = (req: IncomingMessage): string | undefined => {
    const count = hostsIn(req);
    if (count > 1) return 'appears twice';
    // Some probes speak HTTP/1.0, which does not ask for this header.
    if (PROBES.has(req.url ?? '') && (count === 1 || req.httpVersion === '1.0')) return undefined;
    if (count === 0) return 'is missing';
    const name = HOST.exec(req.headers.host ?? '')?.[1]?.toLowerCase();
    if (name === undefined) return 'must be a host name or an address, with an optional port';
    const bare = name.startsWith('[') ? name.slice(1, -1) : name;
    if (names.has(name) || isLoopback(bare) || isOwnAddress(name, req)) return undefined;
    return 'is not served here; the operator can add it to ALLOWED_HOSTS';
  };
  return (req, res, next) => {
    const problem = problemOf(req);
    if (problem === undefined) next();
    // The token endpoint also has the error codes of RFC 6749.
    else
      sendFault(
        res,
        { type: 'request.invalidHost', problem },
        req.url.startsWith('/token/') ? 'invalid_request' : undefined,
      );
  };
};

const SEEN_HEADERS = [
  'X-Request-Id',
  'Location',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Batch-Complete',
  'Batch-Revision',
  'Content-Disposition',
  'WWW-Authenticate',
  'Idempotent-Replayed',
];
const PREFLIGHT_SECONDS = 600;

/** @param origins exact origins, such as `https://shop.example.com` */
export const allowOrigins = (origins: readonly string[]): BareHandler =>
  cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Content-Encoding',
      'Idempotency-Key',
      'Last-Event-ID',
      'X-Request-Id',
    ],
    exposedHeaders: SEEN_HEADERS,
    // Callers send a token. Only the console has a cookie.
    credentials: false,
    maxAge: PREFLIGHT_SECONDS,
  });
