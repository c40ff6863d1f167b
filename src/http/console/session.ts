/**
 * The console's session: a separate kind of token in a cookie that only calls below `/console` receive. It opens
 * nothing below `/v1`, and an access token opens nothing here. Calls that change something must come from the console's
 * own page: not from another site, and with the session's CSRF token, which no other page can read.
 *
 * A session begins with `POST /console/session` and ends after eight hours, or with its client or the secret that it was
 * started with. `DELETE` makes the browser forget it. The service stores no sessions, so a copy of the cookie stays valid
 * until then.
 */

import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { type Client, type Clients, SCOPES, sampleCredentials, stillProven } from '../../clients/clients.ts';
import { Failed } from '../../rating/fault.ts';
import type { Schedule } from '../../tariff/schedule.ts';
import { type Authorize, callerNow, cookieOf } from '../auth.ts';
import { readJson, SIGN_IN_BYTES } from '../body.ts';
import { clientWith } from '../credentials.ts';
import type { HttpFault, HttpResult } from '../faults.ts';
import type { Allowance } from '../limits.ts';
import { cookieOptions, csrfOf, FOREIGN, hasCsrf, isOwnPage, mayChange } from '../own-page.ts';
import { sendFault, sendJson } from '../reply.ts';
import type { Tokens, TokenUse } from '../tokens.ts';
import type { WrongTry } from '../wrong-tries.ts';
import type { SessionBody } from './schemas.ts';

export const SESSION: TokenUse = { audience: 'shipping-rates-console', type: 'session+jwt', seconds: 8 * 3_600 };

export interface SessionDeps {
  readonly clients: { readonly current: () => Clients };
  readonly tariffs: { readonly current: () => Schedule };
  /** Made for `SESSION`. */
  readonly sessions: Tokens;
  readonly tokenAllowance: Allowance;
  readonly wrongTry: WrongTry;
  readonly now: () => Date;
}

const COOKIE = 'rates_session';
const PATH = '/console';

const credentials = z.object({ client_id: z.string(), client_secret: z.string() });

const signInAgain = (reason: string): Failed<HttpFault> =>
  new Failed({ type: 'InvalidAuthorizationException', reason, by: 'session' });

type Signed = { readonly client: Client; readonly token: string };
/** @param judge finds the client, now and later */
type Session = Signed & { readonly judge: () => HttpResult<Client> };

const signedIn = async ({ clients, sessions, now }: SessionDeps, req: Request): Promise<HttpResult<Session>> => {
  const token = cookieOf(req, COOKIE);
  if (token === '') return signInAgain('there is no session');
  const grant = await sessions.verify(token);
  if (grant === 'expired') return signInAgain('the session has ended');
  if (grant === 'invalid') return signInAgain('the session is not one of ours');
  const judge = () =>
    stillProven(clients.current(), grant, now()) ?? signInAgain('the client, or its secret, was revoked');
  const client = judge();
  return client instanceof Failed ? client : { client, token, judge };
};

/** By the session, and by the CSRF token if the method may change something. Its scopes are those of the client. */
export const bySession =
  (deps: SessionDeps): Authorize =>
  async (req, scope) => {
    const changes = mayChange(req);
    if (changes && !isOwnPage(req)) return new Failed(FOREIGN);
    const signed = await signedIn(deps, req);
    if (signed instanceof Failed) return signed;
    if (changes && !hasCsrf(req, signed.token)) return new Failed(FOREIGN);
    return callerNow(() => {
      const client = signed.judge();
      if (client instanceof Failed || scope === undefined || client.scopes.has(scope)) return client;
      return new Failed({ type: 'request.forbidden', scope });
    }, deps.tariffs);
  };

/** The sample credentials to offer, found once for each state of the clients. */
const createSamples = (): ((clients: Clients) => SessionBody['samples']) => {
  let seen: Clients | undefined;
  let samples: SessionBody['samples'] = [];
  return (clients) => {
    if (clients !== seen) {
      samples = sampleCredentials(clients).map(({ id, secret }) => ({ client_id: id, client_secret: secret }));
      seen = clients;
    }
    return samples;
  };
};

/** @returns handlers of `/console/session`: who is signed in, signing in, signing out */
export const sessionHandlers = (deps: SessionDeps): Record<'getSession' | 'signIn' | 'signOut', RequestHandler> => {
  const samplesOf = createSamples();
  const bodyOf = (signed: Signed | undefined): SessionBody => ({
    client:
      signed === undefined
        ? null
        : {
            id: signed.client.id,
            name: signed.client.name,
            scopes: SCOPES.filter((scope) => signed.client.scopes.has(scope)),
          },
    csrf: signed === undefined ? null : csrfOf(signed.token),
    samples: samplesOf(deps.clients.current()),
  });

  return {
    getSession: async (req, res) => {
      const signed = await signedIn(deps, req);
      sendJson(res, 200, bodyOf(signed instanceof Failed ? undefined : signed));
    },
    signIn: async (req, res) => {
      if (!isOwnPage(req)) return sendFault(res, FOREIGN);
      const body = await readJson(req, { limit: SIGN_IN_BYTES });
      if (body instanceof Failed) return sendFault(res, body.fault);
      const { success, data } = credentials.safeParse(body.json);
      if (!success)
        return sendFault(res, { type: 'request.malformedBody', reason: 'client_id and client_secret must be texts' });
      const proven = await clientWith(deps, { id: data.client_id, secret: data.client_secret }, req, res);
      if (proven instanceof Failed) {
        const { fault } = proven;
        return sendFault(
          res,
          fault.type === 'InvalidCredentialsException' ? { type: fault.type, by: 'session' } : fault,
        );
      }
      const { client } = proven;
      res.locals.client = client;
      const { token, seconds } = await deps.sessions.issue(proven, []);
      res.cookie(COOKIE, token, { ...cookieOptions(req, PATH), maxAge: seconds * 1_000 });
      sendJson(res, 200, bodyOf({ client, token }));
    },
    signOut: async (req, res) => {
      const client = await bySession(deps)(req, undefined);
      // A caller without a session is already signed out.
      if (client instanceof Failed && client.fault.type !== 'InvalidAuthorizationException')
        return sendFault(res, client.fault);
      res.clearCookie(COOKIE, cookieOptions(req, PATH));
      res.status(204).end();
    },
  };
};
