/**
 * How sessions are kept from other sites (CSRF). A call that changes something must come from a page of this service, and
 * must carry the session's CSRF token, which no other page can read.
 */
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { isSame } from './auth.ts';
import type { HttpFault } from './faults.ts';

const SAFE = ['GET', 'HEAD'];

/** The fault of a call that a page of this service did not make. */
export const FOREIGN: HttpFault = { type: 'request.forbidden', scope: 'csrf' };

/** Proves that a page could read the session's answers. Alone it opens nothing. @param token the session's */
export const csrfOf = (token: string): string => createHmac('sha256', token).update('csrf').digest('base64url');

export const mayChange = ({ method = '' }: IncomingMessage): boolean => !SAFE.includes(method);

/** Whether the call comes from this site's own page. Browsers say so, and no page can change it. */
export const isOwnPage = ({ headers }: IncomingMessage): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
};

/** Whether the call carries the CSRF token of the session with this token. */
export const hasCsrf = ({ headers }: IncomingMessage, token: string): boolean =>
  isSame(String(headers['x-csrf-token'] ?? ''), csrfOf(token));

/**
 * A session's cookie: scripts cannot read it, and other sites cannot send it. Whether the request came over TLS is what it
 * says. Forging the header only harms the sender's own cookie.
 * @param path below which the browser sends the cookie
 */
export const cookieOptions = (req: Request, path: string) =>
  ({
    path,
    httpOnly: true,
    sameSite: 'strict',
    secure: req.secure || req.get('X-Forwarded-Proto')?.split(',', 1)[0] === 'https',
  }) as const;
