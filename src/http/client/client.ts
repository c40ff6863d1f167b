/**
 * The client: `import { createClient } from 'shipping-rates/client'`. It needs only `fetch`, `AbortSignal` and web streams, so
 * it runs in Node, Deno, Bun and browsers.
 */

import { type Access, type Caller, createCaller, type Waiting } from './caller.ts';
import type { ApiCalls } from './calls.ts';
import type { Send } from './content.ts';
import { type ApiFault, notOurs } from './fault.ts';
import { operationsOf } from './operations.ts';

export type { Asked, Caller, Waiting } from './caller.ts';
export type { ApiCalls, ComparisonRequest, Preview, RateRequest } from './calls.ts';
export type { Content, OnSent } from './content.ts';
export { ApiFault, type ApiFaultType, asFault } from './fault.ts';
export type {
  Batch,
  BatchFile,
  BatchPage,
  Comparison,
  ComparisonSummary,
  Quote,
  Services,
  Summary,
  Uploading,
  Warehouses,
} from './operations.ts';

/** A client's id and secret, or a token that the caller renews. */
export type Credentials =
  | { readonly clientId: string; readonly clientSecret: string; readonly token?: undefined }
  | { readonly token: string };

export interface ClientOptions extends Waiting {
  /** Without a path: `https://rates.example.com`. */
  readonly server: string;
  /** The longest time until a whole answer has arrived, in milliseconds. Uploads and downloads have no limit. Default: 30,000. */
  readonly callMs?: number;
  /** Default: the `fetch` of the runtime. */
  readonly fetch?: Send;
}

export type Client = Caller<ApiCalls> &
  ReturnType<typeof operationsOf> & {
    /** Gets a token now, which also checks the secret. @throws {ApiFault} */
    readonly signIn: () => Promise<void>;
  };

const CALL_MS = 30_000;
const PATIENCE_MS = 60_000;
/** The part of its lifetime in which a token is used. The rest is for long calls, which end with the token they began with. */
const USED = 0.9;

interface Held {
  readonly token: string;
  /** When to renew it. */
  readonly untilMs: number;
}

/** @param given a fixed token, which cannot be renewed @param ask gets a new token */
const tokenAccess = (given: string | undefined, ask: () => Promise<Held>): Access & { renew: () => Promise<Held> } => {
  let held: Promise<Held> | undefined;
  let latest = given;
  const renew = async (): Promise<Held> => {
    try {
      const got = await ask();
      latest = got.token;
      return got;
    } catch (error) {
      held = undefined;
      throw error;
    }
  };
  // Concurrent calls that need a token wait for the same one.
  const current = async (): Promise<string> => {
    if (given !== undefined) return given;
    held ??= renew();
    const asked = held;
    const { token, untilMs } = await asked;
    if (Date.now() < untilMs) return token;
    if (held === asked) held = renew();
    // Returned even if its lifetime is already over.
    return (await (held ?? renew())).token;
  };
  return {
    renew: () => {
      held = renew();
      return held;
    },
    proof: async () => ({ Authorization: `Bearer ${await current()}` }),
    renewed: async ({ status }: ApiFault, { Authorization: sent }) => {
      if (status !== 401 || given !== undefined) return false;
      // If several calls fail together, only the first one discards the token.
      if (sent === `Bearer ${latest}`) held = latest = undefined;
      return true;
    },
  };
};

const OPEN: Access = { proof: async () => ({}), renewed: async () => false };

/** Makes no call yet. Options of a call override these options. @throws {TypeError} if `server` is no address */
export const createClient = ({ fetch, callMs = CALL_MS, ...rest }: ClientOptions & Credentials): Client => {
  // A page may leave out its own host.
  if (!/^(?:https?:\/\/|$)/i.test(rest.server))
    throw new TypeError(`server must be an address such as https://rates.example.com, not ${rest.server}`);
  const server = rest.server.replace(/\/$/, '');
  const { signal, patienceMs = PATIENCE_MS, onRetry, token } = rest;
  const open = createCaller<ApiCalls>({ server, fetch, callMs, signal, access: OPEN });
  const ask = async (): Promise<Held> => {
    const json = 'clientId' in rest ? { client_id: rest.clientId, client_secret: rest.clientSecret } : {};
    const answer = await open.call('POST /token/generate', { json });
    // Another program may answer with different JSON.
    if (typeof answer?.access_token !== 'string') throw notOurs(new Response(), server);
    return { token: answer.access_token, untilMs: Date.now() + answer.expires_in * USED * 1_000 };
  };
  const access = tokenAccess(token, ask);
  const caller = createCaller<ApiCalls>({ server, fetch, callMs, signal, patienceMs, onRetry, access });
  const signIn = async (): Promise<void> => {
    if (token === undefined) await access.renew();
  };
  return { ...caller, ...operationsOf(caller), signIn };
};
