/**
 * Which host a request may name. A page whose name was pointed at this machine after it was loaded (DNS rebinding) runs in
 * a browser as if it were the service's own; it is told by the name that its requests carry.
 */
import type { IncomingMessage } from 'node:http';
import cors from 'cors';
import type { RequestHandler } from 'express';
import { isLoopback } from '../config/settings.ts';
import { sendFault } from './reply.ts';

/** What probes ask, by whatever name or address: it tells nothing and changes nothing. */
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/** A name or an address, then maybe a port. */
const HOST = /^(\[[\da-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?$/i;

/** Node keeps the first of several headers of this name and drops the rest. */
const hostsIn = ({ rawHeaders }: IncomingMessage): number => {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
};

/** Whether it is the address that the connection was made to: no name was looked up then that could have been changed. */
const isOwnAddress = (name: string, { socket: { localAddress = '' } }: IncomingMessage): boolean =>
  name === localAddress.replace(/^::ffff:(\d{1,3}\.)/, '$1') || name === `[${localAddress}]`;

/**
 * Refuses requests that name no host, several, or one that is not served here.
 * @param allowed names and addresses beside loopback's own and the one that a request was sent to
 */
export const onlyHosts = (allowed: readonly string[]): RequestHandler => {
  const names = new Set(allowed.map((name) => name.toLowerCase()));
  const problemOf = (req: IncomingMessage): string | undefined => {
    const count = hostsIn(req);
    if (count > 1) return 'is there twice';
    // Some probes speak HTTP/1.0, which does not ask for this header.
    if (PROBES.has(req.url ?? '') && (count === 1 || req.httpVersion === '1.0')) return undefined;
    if (count === 0) return 'is missing';
    const name = HOST.exec(req.headers.host ?? '')?.[1]?.toLowerCase();
    if (name === undefined) return 'must be a host name or an address, and maybe a port';
    const bare = name.startsWith('[') ? name.slice(1, -1) : name;
    if (names.has(name) || isLoopback(bare) || isOwnAddress(name, req)) return undefined;
    return 'is not served here; whoever runs the service can name it in ALLOWED_HOSTS';
  };
  return (req, res, next) => {
    const problem = problemOf(req);
    if (problem === undefined) next();
    // The token endpoint names errors by RFC 6749 too.
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
export const allowOrigins = (origins: readonly string[]): RequestHandler =>
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
    // Callers show a token; a cookie is nobody's but the console's.
    credentials: false,
    maxAge: PREFLIGHT_SECONDS,
  });
