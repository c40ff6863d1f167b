/**
 * Protects sessions from other sites (CSRF). A call that changes something must come from a page of this service, and
 * must have the session's CSRF token, which no other page can read.
 */
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { isSame } from './auth.ts';
import type { HttpFault } from './faults.ts';

const SAFE = ['GET', 'HEAD'];

/** The fault of a call that no page of this service made. */
export const FOREIGN: HttpFault = { type: 'request.forbidden', scope: 'csrf' };

/** Proves that a page could read the session's answers. It opens nothing alone. @param token the session's token */
export const csrfOf = (token: string): string => createHmac('sha256', token).update('csrf').digest('base64url');

export const mayChange = ({ method = '' }: IncomingMessage): boolean => !SAFE.includes(method);

/** Whether the call comes from a page of this site. Browsers set this header, and no page can change it. */
export const isOwnPage = ({ headers }: IncomingMessage): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
};

/** Whether the call has the CSRF token of the session with this token. */
export const hasCsrf = ({ headers }: IncomingMessage, token: string): boolean =>
  isSame(String(headers['x-csrf-token'] ?? ''), csrfOf(token));

/**
 * Options of a session's cookie: scripts cannot read it, and other sites cannot send it. The request itself says whether it
 * came over TLS. Forging that header harms only the sender's own cookie.
 * @param path the browser sends the cookie only below it
 */
export const cookieOptions = (req: Request, path: string) =>
  ({
    path,
    httpOnly: true,
    sameSite: 'strict',
    secure: req.secure || req.get('X-Forwarded-Proto')?.split(',', 1)[0] === 'https',
  }) as const;
