/**
 * A session in a cookie, for clients and for operators: a signed token that only calls below one path receive. Calls that
 * change something must come from a page of this service, and must carry the session's CSRF token, which no other page can
 * read. A session begins with a sign-in and ends after eight hours. Signing out makes the browser forget it: the service
 * stores no sessions, so a copy of the cookie stays valid until then.
 */
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { Failed } from '../base/failed.ts';
import type { Fault } from '../rating/fault.ts';
import { cookieOf } from './auth.ts';
import type { HttpFault, HttpResult } from './faults.ts';
import { cookieOptions, FOREIGN, hasCsrf, isOwnPage, mayChange } from './own-page.ts';

export const SESSION_SECONDS = 8 * 3_600;

export const signInAgain = (reason: string): Failed<HttpFault> =>
  new Failed({ type: 'InvalidAuthorizationException', reason, by: 'session' });

interface SessionUse<S extends { readonly token: string }, B> {
  readonly cookie: string;
  /** Below which the browser sends the cookie. */
  readonly path: string;
  /** Who is signed in with a token. */
  readonly find: (token: string) => Promise<HttpResult<S> | 'expired' | 'invalid'>;
  /** Signs in who the request proves to be. `seconds`: how long the token is valid. */
  readonly begin: (
    req: Request,
    res: Response,
  ) => Promise<HttpResult<{ readonly signed: S; readonly seconds: number }>>;
  /** @param signed undefined if nobody is signed in */
  readonly bodyOf: (signed: S | undefined) => B;
}

export interface Session<S, B> {
  /** @returns who is signed in; `InvalidAuthorizationException` if nobody is */
  readonly signedIn: (req: IncomingMessage) => Promise<HttpResult<S>>;
  /** The same; `FOREIGN` if the call may change something and no page of ours made it. */
  readonly judged: (req: IncomingMessage) => Promise<HttpResult<S>>;
  /** Who is signed in, signing in, and signing out. */
  readonly show: (req: Request) => Promise<B>;
  readonly enter: (req: Request, res: Response) => Promise<HttpResult<B>>;
  readonly leave: (req: Request, res: Response) => Promise<Failed<HttpFault | Fault> | undefined>;
}

export const createSession = <S extends { readonly token: string }, B>({
  cookie,
  path,
  find,
  begin,
  bodyOf,
}: SessionUse<S, B>): Session<S, B> => {
  const signedIn: Session<S, B>['signedIn'] = async (req) => {
    const token = cookieOf(req, cookie);
    if (token === '') return signInAgain('there is no session');
    const found = await find(token);
    if (found === 'expired') return signInAgain('the session has ended');
    return found === 'invalid' ? signInAgain('the session is not one of ours') : found;
  };

  const judged: Session<S, B>['judged'] = async (req) => {
    const changes = mayChange(req);
    if (changes && !isOwnPage(req)) return new Failed(FOREIGN);
    const signed = await signedIn(req);
    if (signed instanceof Failed) return signed;
    return changes && !hasCsrf(req, signed.token) ? new Failed(FOREIGN) : signed;
  };

  return {
    signedIn,
    judged,
    show: async (req) => {
      const signed = await signedIn(req);
      return bodyOf(signed instanceof Failed ? undefined : signed);
    },
    enter: async (req, res) => {
      if (!isOwnPage(req)) return new Failed(FOREIGN);
      const begun = await begin(req, res);
      if (begun instanceof Failed) return begun;
      const { signed, seconds } = begun;
      res.cookie(cookie, signed.token, { ...cookieOptions(req, path), maxAge: seconds * 1_000 });
      return bodyOf(signed);
    },
    leave: async (req, res) => {
      const signed = await judged(req);
      // A caller without a session is already signed out.
      if (signed instanceof Failed && signed.fault.type !== 'InvalidAuthorizationException') return signed;
      res.clearCookie(cookie, cookieOptions(req, path));
      return undefined;
    },
  };
};
