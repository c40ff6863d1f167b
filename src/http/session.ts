/**
 * A session in a cookie, for clients and for operators. The cookie has a signed token, which browsers send only below one path.
 * Sessions are protected from other sites (CSRF): a call that changes something must come from a page of this service, and
 * must have the session's CSRF token, which no other page can read.
 * A session begins with a sign-in and ends after eight hours. Signing out makes the browser forget it. The service
 * stores no sessions, so a copy of the cookie stays valid until then.
 */

import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { Failed } from '../base/failed.ts';
import type { Fault } from '../rating/fault.ts';
import { cookieOf, isSame } from './auth.ts';
import type { HttpFault, HttpResult } from './faults.ts';

export const SESSION_SECONDS = 8 * 3_600;

export const signInAgain = (reason: string): Failed<HttpFault> =>
  new Failed({ type: 'InvalidAuthorizationException', reason, by: 'session' });

interface SessionUse<S extends { readonly token: string }, B> {
  readonly cookie: string;
  /** The browser sends the cookie only below this path. */
  readonly path: string;
  /** Finds who is signed in with a token. */
  readonly find: (token: string) => Promise<HttpResult<S> | 'expired' | 'invalid'>;
  /** Signs in the caller that the request authenticates. `seconds`: how long the token is valid. */
  readonly begin: (
    req: Request,
    res: Response,
  ) => Promise<HttpResult<{ readonly signed: S; readonly seconds: number }>>;
  /** @param signed undefined if nobody is signed in */
  readonly bodyOf: (signed: S | undefined) => B;
}

export const createSession = <S extends { readonly token: string }, B>({
  cookie,
  path,
  find,
  begin,
  bodyOf,
}: SessionUse<S, B>) => {
  /** @returns who is signed in, or `InvalidAuthorizationException` if nobody is */
  const signedIn = async (req: IncomingMessage): Promise<HttpResult<S>> => {
    const token = cookieOf(req, cookie);
    if (token === '') return signInAgain('there is no session');
    const found = await find(token);
    if (found === 'expired') return signInAgain('the session has ended');
    return found === 'invalid' ? signInAgain('the session is not one of ours') : found;
  };

  /** As `signedIn`, but returns `FOREIGN` if the call may change something and none of our pages made it. */
  const judged = async (req: IncomingMessage): Promise<HttpResult<S>> => {
    const changes = mayChange(req);
    if (changes && !isOwnPage(req)) return new Failed(FOREIGN);
    const signed = await signedIn(req);
    if (signed instanceof Failed) return signed;
    return changes && !hasCsrf(req, signed.token) ? new Failed(FOREIGN) : signed;
  };

  return {
    signedIn,
    judged,
    /** Shows who is signed in. `enter` signs in, and `leave` signs out. */
    show: async (req: Request): Promise<B> => {
      const signed = await signedIn(req);
      return bodyOf(signed instanceof Failed ? undefined : signed);
    },
    enter: async (req: Request, res: Response): Promise<HttpResult<B>> => {
      if (!isOwnPage(req)) return new Failed(FOREIGN);
      const begun = await begin(req, res);
      if (begun instanceof Failed) return begun;
      const { signed, seconds } = begun;
      res.cookie(cookie, signed.token, { ...cookieOptions(req, path), maxAge: seconds * 1_000 });
      return bodyOf(signed);
    },
    leave: async (req: Request, res: Response): Promise<Failed<HttpFault | Fault> | undefined> => {
      const signed = await judged(req);
      // A caller without a session is already signed out.
      if (signed instanceof Failed && signed.fault.type !== 'InvalidAuthorizationException') return signed;
      res.clearCookie(cookie, cookieOptions(req, path));
      return undefined;
    },
  };
};

const SAFE = ['GET', 'HEAD'];

/** The fault of a call that no page of this service made. */
const FOREIGN: HttpFault = { type: 'request.forbidden', scope: 'csrf' };

/** Proves that a page could read the session's answers. It opens nothing alone. @param token the session's token */
export const csrfOf = (token: string): string => createHmac('sha256', token).update('csrf').digest('base64url');

const mayChange = ({ method = '' }: IncomingMessage): boolean => !SAFE.includes(method);

/** Whether the call comes from a page of this site. Browsers set this header, and no page can change it. */
const isOwnPage = ({ headers }: IncomingMessage): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
};

/** Whether the call has the CSRF token of the session with this token. */
const hasCsrf = ({ headers }: IncomingMessage, token: string): boolean =>
  isSame(String(headers['x-csrf-token'] ?? ''), csrfOf(token));

/**
 * Options of a session's cookie: scripts cannot read it, and other sites cannot send it. The request itself says whether it
 * came over TLS. Forging that header harms only the sender's own cookie.
 * @param path the browser sends the cookie only below it
 */
const cookieOptions = (req: Request, path: string) =>
  ({
    path,
    httpOnly: true,
    sameSite: 'strict',
    secure: req.secure || req.get('X-Forwarded-Proto')?.split(',', 1)[0] === 'https',
  }) as const;
