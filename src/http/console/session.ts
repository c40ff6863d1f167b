/**
 * The console's session: a separate kind of token, in a cookie that browsers send only below `/console`. It opens
 * nothing below `/v1`, and an access token opens nothing here. It ends with its client, or with the secret that started it.
 */

import { z } from 'zod';
import { Failed } from '../../base/failed.ts';
import { getOrMake } from '../../base/maps.ts';
import {
  type Client,
  type Clients,
  type Credential,
  SCOPES,
  sampleCredentials,
  stillProven,
} from '../../catalog/clients/clients.ts';
import { type Authorize, callerNow } from '../auth.ts';
import { clientWith } from '../credentials.ts';
import type { HttpResult } from '../faults.ts';
import { readJson, SIGN_IN_BYTES } from '../server/body.ts';
import { call, type Given } from '../service.ts';
import { createSession, csrfOf, SESSION_SECONDS, signInAgain } from '../session.ts';
import type { TokenUse } from '../tokens.ts';

export const SESSION: TokenUse = { audience: 'shipping-rates-console', type: 'session+jwt', seconds: SESSION_SECONDS };

const credentials = z.object({ client_id: z.string(), client_secret: z.string() });

/** @param judge finds the client, now and later */
interface Signed {
  readonly client: Client;
  readonly token: string;
  readonly judge: () => HttpResult<Client>;
}

/** The sample credentials to offer, computed once for each version of the clients. */
const samples = new WeakMap<Clients, { client_id: string; client_secret: string }[]>();

const samplesOf = (clients: Clients) =>
  getOrMake(samples, clients, () =>
    sampleCredentials(clients).map(({ id, secret }) => ({ client_id: id, client_secret: secret })),
  );

const shownOf = ({ id, name, scopes }: Client) => ({ id, name, scopes: SCOPES.filter((scope) => scopes.has(scope)) });

const consoleSession = (service: Given) => {
  const { clients, sessions, now } = service;

  const signedWith = (grant: Credential, token: string): HttpResult<Signed> => {
    const judge = () =>
      stillProven(clients.current(), grant, now()) ?? signInAgain('the client, or its secret, was revoked');
    const client = judge();
    return client instanceof Failed ? client : { client, token, judge };
  };

  return createSession({
    ...{ cookie: 'rates_session', path: '/console' },
    find: async (token: string) => {
      const grant = await sessions.verify(token);
      return typeof grant === 'string' ? grant : signedWith(grant, token);
    },
    begin: async (req, res) => {
      const body = await readJson(req, { limit: SIGN_IN_BYTES });
      if (body instanceof Failed) return body;
      const { success, data } = credentials.safeParse(body.json);
      if (!success)
        return new Failed({ type: 'request.malformedBody', reason: 'client_id and client_secret must be texts' });
      const proven = await clientWith(service, { id: data.client_id, secret: data.client_secret }, req, res);
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
    bodyOf: (signed: Signed | undefined) => ({
      /** The client that is signed in. Null if nobody is. */
      client: signed === undefined ? null : shownOf(signed.client),
      /** The value of `X-CSRF-Token` for every call that changes something. */
      csrf: signed === undefined ? null : csrfOf(signed.token),
      /** Credentials for trying things out. Empty if the service does not accept them. */
      samples: samplesOf(clients.current()),
    }),
  });
};

/** Authenticates with the session, and with the CSRF token if the method may change something. Uses the client's scopes. */
export const bySession = (service: Given): Authorize => {
  const { judged } = consoleSession(service);
  return async (req, scope) => {
    const signed = await judged(req);
    if (signed instanceof Failed) return signed;
    return callerNow(() => {
      const client = signed.judge();
      if (client instanceof Failed || scope === undefined || client.scopes.has(scope)) return client;
      return new Failed({ type: 'request.forbidden', scope });
    }, service.tariffs);
  };
};

export const sessionCalls = {
  getSession: call({
    ...{ is: 'GET /console/session', caller: 'everybody', limit: 'none' },
    handle: ({ service, req }) => consoleSession(service).show(req),
  }),
  signIn: call({
    ...{ is: 'POST /console/session', caller: 'credentials', limit: 'tokens' },
    handle: ({ service, req, res }) => consoleSession(service).enter(req, res),
  }),
  signOut: call({
    ...{ is: 'DELETE /console/session', caller: 'everybody', limit: 'none' },
    handle: ({ service, req, res }) => consoleSession(service).leave(req, res),
  }),
};
