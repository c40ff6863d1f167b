/**
 * The console's session: a separate kind of token in a cookie that only calls below `/console` receive. It opens
 * nothing below `/v1`, and an access token opens nothing here. It ends with its client or the secret that it was started with.
 */

import type { RequestHandler } from 'express';
import { z } from 'zod';
import {
  type Client,
  type Clients,
  type Credential,
  SCOPES,
  sampleCredentials,
  stillProven,
} from '../../clients/clients.ts';
import { Failed } from '../../rating/fault.ts';
import type { Schedule } from '../../tariff/schedule.ts';
import { type Authorize, callerNow } from '../auth.ts';
import { readJson, SIGN_IN_BYTES } from '../body.ts';
import { clientWith } from '../credentials.ts';
import type { HttpResult } from '../faults.ts';
import type { Allowance } from '../limits.ts';
import { csrfOf } from '../own-page.ts';
import { sendFault, sendJson } from '../reply.ts';
import { createSession, SESSION_SECONDS, signInAgain } from '../session.ts';
import type { Tokens, TokenUse } from '../tokens.ts';
import type { WrongTry } from '../wrong-tries.ts';
import type { SessionBody } from './schemas.ts';

export const SESSION: TokenUse = { audience: 'shipping-rates-console', type: 'session+jwt', seconds: SESSION_SECONDS };

export interface SessionDeps {
  readonly clients: { readonly current: () => Clients };
  readonly tariffs: { readonly current: () => Schedule };
  /** Made for `SESSION`. */
  readonly sessions: Tokens;
  readonly tokenAllowance: Allowance;
  readonly wrongTry: WrongTry;
  readonly now: () => Date;
}

const credentials = z.object({ client_id: z.string(), client_secret: z.string() });

/** @param judge finds the client, now and later */
interface Signed {
  readonly client: Client;
  readonly token: string;
  readonly judge: () => HttpResult<Client>;
}

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

const createConsoleSession = (deps: SessionDeps) => {
  const { clients, sessions, now } = deps;
  const samplesOf = createSamples();

  const signedWith = (grant: Credential, token: string): HttpResult<Signed> => {
    const judge = () =>
      stillProven(clients.current(), grant, now()) ?? signInAgain('the client, or its secret, was revoked');
    const client = judge();
    return client instanceof Failed ? client : { client, token, judge };
  };

  return createSession<Signed, SessionBody>({
    ...{ cookie: 'rates_session', path: '/console' },
    find: async (token) => {
      const grant = await sessions.verify(token);
      return typeof grant === 'string' ? grant : signedWith(grant, token);
    },
    begin: async (req, res) => {
      const body = await readJson(req, { limit: SIGN_IN_BYTES });
      if (body instanceof Failed) return body;
      const { success, data } = credentials.safeParse(body.json);
      if (!success)
        return new Failed({ type: 'request.malformedBody', reason: 'client_id and client_secret must be texts' });
      const proven = await clientWith(deps, { id: data.client_id, secret: data.client_secret }, req, res);
      if (proven instanceof Failed) {
        const { type } = proven.fault;
        return type === 'InvalidCredentialsException' ? new Failed({ type, by: 'session' }) : proven;
      }
      const { client, secret } = proven;
      res.locals.client = client;
      const { token, seconds } = await sessions.issue(proven, []);
      const signed = signedWith({ clientId: client.id, secretName: secret.name }, token);
      return signed instanceof Failed ? signed : { signed, seconds };
    },
    bodyOf: (signed): SessionBody => ({
      client:
        signed === undefined
          ? null
          : {
              id: signed.client.id,
              name: signed.client.name,
              scopes: SCOPES.filter((scope) => signed.client.scopes.has(scope)),
            },
      csrf: signed === undefined ? null : csrfOf(signed.token),
      samples: samplesOf(clients.current()),
    }),
  });
};

/** By the session, and by the CSRF token if the method may change something. Its scopes are those of the client. */
export const bySession = (deps: SessionDeps): Authorize => {
  const { judged } = createConsoleSession(deps);
  return async (req, scope) => {
    const signed = await judged(req);
    if (signed instanceof Failed) return signed;
    return callerNow(() => {
      const client = signed.judge();
      if (client instanceof Failed || scope === undefined || client.scopes.has(scope)) return client;
      return new Failed({ type: 'request.forbidden', scope });
    }, deps.tariffs);
  };
};

/** @returns handlers of `/console/session` */
export const sessionHandlers = (deps: SessionDeps): Record<'getSession' | 'signIn' | 'signOut', RequestHandler> => {
  const { show, enter, leave } = createConsoleSession(deps);
  return {
    getSession: async (req, res) => sendJson(res, 200, await show(req)),
    signIn: async (req, res) => {
      const body = await enter(req, res);
      if (body instanceof Failed) return sendFault(res, body.fault);
      sendJson(res, 200, body);
    },
    signOut: async (req, res) => {
      const refused = await leave(req, res);
      if (refused !== undefined) return sendFault(res, refused.fault);
      res.status(204).end();
    },
  };
};
