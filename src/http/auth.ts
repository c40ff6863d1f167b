/**
 * Authentication of callers. The API requires a bearer token (RFC 6750; service specification, Authentication). The
 * console uses a session (console/session.ts).
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { Actor } from '../base/audit/audit.ts';
import { Failed } from '../base/failed.ts';
import { type Client, type Clients, type Scope, stillProven } from '../catalog/clients/clients.ts';
import type { Schedule } from '../catalog/tariff/schedule.ts';
import type { Fault } from '../rating/fault.ts';
import type { HttpFault, HttpResult } from './faults.ts';
import type { Operation } from './operation.ts';
import { type BareResponse, sendFault } from './reply.ts';
import { usedBy } from './server/connections.ts';
import type { Tokens } from './tokens.ts';

declare global {
  namespace Express {
    /** What handlers know about a request in addition to its content. */
    interface Locals {
      requestId: string;
      /** Headers that `sendJson` writes: alternating names and values. Undefined after `setHeaders` (reply.ts). */
      headers?: string[] | undefined;
      /** Type of the fault in the answer. */
      fault?: string;
      /** Name of the limit that refused the request. */
      limit?: string;
      /** The client, once a route has checked the token. */
      client?: Client;
      /** The same client, with what was in force at that moment. */
      caller?: Caller;
      /** The operator, once a route has checked the session. */
      operator?: Actor;
      /** Checks the caller again, for long-running answers. */
      judgeAgain?: () => Promise<HttpResult<Caller>>;
    }
  }
}

const BEARER = /^bearer(?: +|$)/i;
/** RFC 6750 §2.1. The length limit is above any token that we issue. */
const TOKEN = { form: /^[A-Za-z0-9\-._~+/]+=*$/, characters: 2_048 };

const invalid = (reason: string): Failed<HttpFault> =>
  new Failed({ type: 'InvalidAuthorizationException', reason, error: 'invalid_token' });

/** Who calls, and what was in force at that moment. A request uses this to its end, so it never mixes versions. */
export interface Caller {
  readonly client: Client;
  /** @throws {StoreFailure} if the tariffs were unknown */
  readonly schedule: () => Schedule;
  /** The fault if the client has since been revoked, or has lost its secret or the scope. An expired token is not a fault. */
  readonly goneSince: () => Fault | HttpFault | undefined;
}

/**
 * Captures what is in force at this moment.
 * @param judge finds the client, now and later
 */
export const callerNow = (
  judge: () => HttpResult<Client>,
  tariffs: { readonly current: () => Schedule },
): HttpResult<Caller> => {
  const client = judge();
  if (client instanceof Failed) return client;
  const goneSince = (): Fault | HttpFault | undefined => {
    const still = judge();
    return still instanceof Failed ? still.fault : undefined;
  };
  try {
    const schedule = tariffs.current();
    return { client, schedule: () => schedule, goneSince };
  } catch (error) {
    // Most calls need no tariffs.
    const schedule = (): never => {
      throw error;
    };
    return { client, schedule, goneSince };
  }
};

/**
 * Identifies the caller from the request.
 * @returns the caller, `InvalidAuthorizationException`, or `request.forbidden` if the client lacks the scope
 */
export type Authorize = (req: IncomingMessage, scope: Scope | undefined) => Promise<HttpResult<Caller>>;

interface Known {
  readonly clients: { readonly current: () => Clients };
  readonly tariffs: { readonly current: () => Schedule };
  readonly tokens: Tokens;
  readonly now: () => Date;
}

/** Accepts only a bearer token. No cookie opens the API. */
export const byBearer =
  ({ clients, tariffs, tokens, now }: Known): Authorize =>
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
    // Each call looks the client up. A token ends with its secret or its client, and a removed scope ends at once.
    const judge = (): HttpResult<Client> => {
      const client = stillProven(clients.current(), grant, now());
      if (client === undefined) return invalid('the access token was revoked');
      if (scope !== undefined && !(grant.scopes.has(scope) && client.scopes.has(scope)))
        return new Failed({ type: 'request.forbidden', scope });
      return client;
    };
    return callerNow(judge, tariffs);
  };

/** Records the caller for the log and for the limit on connections. */
export const callsAs = (req: IncomingMessage, res: BareResponse, caller: Caller): void => {
  res.locals.client = caller.client;
  res.locals.caller = caller;
  usedBy(req.socket, caller.client.id);
};

/** Lets a request pass if its caller has the scope, or has a valid token if no scope is given. */
const requireCaller =
  (authorize: Authorize, scope?: Scope): RequestHandler =>
  async (req, res, next) => {
    const caller = await authorize(req, scope);
    if (caller instanceof Failed) return sendFault(res, caller.fault);
    callsAs(req, res, caller);
    res.locals.judgeAgain = () => authorize(req, scope);
    next();
  };

/** Handlers that check the caller of an operation. Quotes, tokens and sessions check theirs themselves. */
export const callerGuard = (authorize: Authorize, { caller }: Operation): RequestHandler[] => {
  if (caller === 'client') return [requireCaller(authorize)];
  return caller === 'batch' ? [requireCaller(authorize, 'batch')] : [];
};

const callOf = (res: Response): Caller => {
  const { caller } = res.locals;
  if (caller === undefined) throw new Error('this route does not ask who calls');
  return caller;
};

/** The client of a request that passed `requireCaller`. */
export const callerOf = (res: Response): Client => callOf(res).client;

/** The operator of a request that passed the operator's guard. */
export const operatorOf = (res: Response): Actor => {
  const { operator } = res.locals;
  if (operator === undefined) throw new Error('this route does not ask which operator calls');
  return operator;
};

/** The tariffs that were in force when this request began. */
export const scheduleOf = (res: Response): Schedule => callOf(res).schedule();

/** `Caller.goneSince` of this request. Use it after reading a slow body. */
export const goneSince = (res: Response): Fault | HttpFault | undefined => callOf(res).goneSince();

/** Whether `requireCaller` would still let this request pass. Tokens expire, and secrets and clients are removed. */
export const mayStill = async (res: Response): Promise<boolean> => {
  const { judgeAgain } = res.locals;
  if (judgeAgain === undefined) throw new Error('this route does not ask who calls');
  return !((await judgeAgain()) instanceof Failed);
};

/** The value of a cookie, or an empty string if the request has no such cookie. */
export const cookieOf = (req: IncomingMessage, name: string): string =>
  (req.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

/** The bearer token of a request, or an empty string if it has none. */
export const bearerOf = (req: Request): string => /^bearer +(\S.*)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';

/** Compares the hashes of both, so that the time reveals neither the length nor the first difference. */
export const isSame = (given: string, expected: string): boolean => {
  const digest = (text: string): Buffer => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
};
