/**
 * Authentication of callers. The API requires a bearer token (RFC 6750; service specification, Authentication), the
 * console its session (console/session.ts).
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { type Client, type Clients, type Scope, stillProven } from '../clients/clients.ts';
import { Failed } from '../rating/fault.ts';
import { usedBy } from './connections.ts';
import type { HttpFault, HttpResult } from './faults.ts';
import type { Operation } from './operations.ts';
import { sendFault } from './reply.ts';
import type { Tokens } from './tokens.ts';

const BEARER = /^bearer(?: +|$)/i;
/** RFC 6750 §2.1, and no longer than any token that we issue. */
const TOKEN = { form: /^[A-Za-z0-9\-._~+/]+=*$/, characters: 2_048 };

export interface AuthDeps {
  readonly clients: { readonly current: () => Clients };
  readonly tokens: Tokens;
  readonly now: () => Date;
}

const invalid = (reason: string): Failed<HttpFault> =>
  new Failed({ type: 'InvalidAuthorizationException', reason, error: 'invalid_token' });

/**
 * Finds out who calls, by what the request carries.
 * @returns the client, `InvalidAuthorizationException`, or `request.forbidden` if the client lacks the scope
 */
export type Authorize = (req: Request, scope: Scope | undefined) => Promise<HttpResult<Client>>;

/** By the bearer token only: no cookie opens the API. */
export const byBearer =
  ({ clients, tokens, now }: AuthDeps): Authorize =>
  async (req, scope) => {
    const header = req.headers.authorization;
    const scheme = header === undefined ? null : BEARER.exec(header);
    if (header === undefined || scheme === null)
      return new Failed({ type: 'InvalidAuthorizationException', reason: 'there is no bearer token' });
    const token = header.slice(scheme[0].length);
    const known = tokens.recall(token);
    if (known === undefined && (token.length > TOKEN.characters || !TOKEN.form.test(token)))
      return invalid('the access token is malformed');
    const grant = known ?? (await tokens.verify(token));
    if (grant === 'expired') return invalid('the access token has expired');
    if (grant === 'invalid') return invalid('the access token is not one of ours');
    // Looked up at each call, so that a token ends with its secret and its client, and a removed scope ends at once.
    const client = stillProven(clients.current(), grant, now());
    if (client === undefined) return invalid('the access token was revoked');
    if (scope !== undefined && !(grant.scopes.has(scope) && client.scopes.has(scope)))
      return new Failed({ type: 'request.forbidden', scope });
    return client;
  };

/** Records the caller for the log and for the limit on connections. */
export const callsAs = (req: Request, res: Response, client: Client): void => {
  res.locals.client = client;
  usedBy(req.socket, client.id);
};

/** Lets a request pass whose caller has the scope (any caller without one); `callerOf` then names the client. */
export const requireCaller =
  (authorize: Authorize, scope?: Scope): RequestHandler =>
  async (req, res, next) => {
    const client = await authorize(req, scope);
    if (client instanceof Failed) return sendFault(res, client.fault);
    callsAs(req, res, client);
    res.locals.judgeAgain = () => authorize(req, scope);
    next();
  };

/** What an operation requires of its caller. A quote, a token and a session judge theirs themselves. */
export const callerGuard = (authorize: Authorize, { caller }: Operation): RequestHandler[] => {
  if (caller === 'client') return [requireCaller(authorize)];
  return caller === 'batch' ? [requireCaller(authorize, 'batch')] : [];
};

/** The client of a request that `requireCaller` let pass. */
export const callerOf = (res: Response): Client => {
  const { client } = res.locals;
  if (client === undefined) throw new Error('this route does not ask who calls');
  return client;
};

/** Whether `requireCaller` would still let this request pass: tokens expire, secrets and clients are removed. */
export const mayStill = async (res: Response): Promise<boolean> => {
  const { judgeAgain } = res.locals;
  if (judgeAgain === undefined) throw new Error('this route does not ask who calls');
  return !((await judgeAgain()) instanceof Failed);
};

/** The value of a cookie; empty if the request has none of this name. */
export const cookieOf = (req: Request, name: string): string =>
  (req.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

/** The bearer token of a request; empty if it has none. */
export const bearerOf = (req: Request): string => /^bearer +(\S.*)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';

/** Both sides are hashed first, so that neither the length nor the first difference shows in the time. */
export const isSame = (given: string, expected: string): boolean => {
  const digest = (text: string): Buffer => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
};
