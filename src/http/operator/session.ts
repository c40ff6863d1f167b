/**
 * The operator's session: a signed token in a cookie that browsers send only below `/ops`. It begins with the operator token
 * and the operator's own name, which the audit log shows, and ends after eight hours. Its key is derived from the operator
 * token, so every process accepts it, and it ends when the token changes. It opens nothing that belongs to clients, and a
 * client's session opens nothing here.
 */
import { createHmac } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { SIGN_IN } from '../../base/audit/same-act.ts';
import { Failed } from '../../base/failed.ts';
import { isSame } from '../auth.ts';
import { callsOf } from '../call.ts';
import type { HttpFault } from '../faults.ts';
import { readBodyAs } from '../input.ts';
import { sendFault } from '../reply.ts';
import { SIGN_IN_BYTES } from '../server/body.ts';
import { createWrongTries } from '../server/wrong-tries.ts';
import { createSession, csrfOf, SESSION_SECONDS } from '../session.ts';
import { readToken, signToken } from '../tokens.ts';
import type { OperatorService } from './service.ts';

export const OPERATOR_PATH = '/ops';

const USE = { audience: 'shipping-rates-operator', type: 'operator+jwt' };
/** Limit on wrong tokens from one address. */
const WRONG_PER_MINUTE = 10;

/** Names are shown to people, so control characters are not allowed. */
const operatorName = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^\P{C}*$/u, 'must have no control characters');
const operatorCredentials = z.strictObject({ token: z.string(), name: operatorName });

interface Signed {
  readonly name: string;
  readonly token: string;
  readonly endsAt: Date;
}

export type OperatorSessions = ReturnType<typeof createOperatorSessions>;

const bodyOf = (signed: Signed | undefined) => ({
  /** Who is signed in, and until when. Null if nobody is. */
  operator: signed === undefined ? null : { name: signed.name, endsAt: signed.endsAt.toISOString() },
  /** The value of `X-CSRF-Token` for every call that changes something. */
  csrf: signed === undefined ? null : csrfOf(signed.token),
});

export const createOperatorSessions = ({
  operatorToken,
  addressOf,
  audit,
  now,
}: Pick<OperatorService, 'operatorToken' | 'addressOf' | 'audit' | 'now'>) => {
  const wrongTry = createWrongTries({ addressOf, perMinute: WRONG_PER_MINUTE, by: 'operator' });
  // The key is a hash, so the cookie does not reveal the token.
  const key = createHmac('sha256', operatorToken).update('operator session').digest();

  /** Checks the operator token, and counts a wrong one. @returns undefined if it is right, or the fault to answer */
  const judge = async (req: Request, res: Response, token: string): Promise<HttpFault | undefined> => {
    if (isSame(token, operatorToken)) return undefined;
    return await wrongTry(req, res, '');
  };

  const session = createSession({
    ...{ cookie: 'rates_operator', path: OPERATOR_PATH, bodyOf },
    find: async (token: string) => {
      const payload = await readToken(token, () => key, USE, now());
      if (typeof payload === 'string') return payload;
      const { sub = '', exp = 0 } = payload;
      return { name: sub, token, endsAt: new Date(exp * 1_000) };
    },
    begin: async (req, res) => {
      const typed = await readBodyAs(operatorCredentials, req, SIGN_IN_BYTES);
      if (typed instanceof Failed) return typed;
      const fault = await judge(req, res, typed.token);
      if (fault !== undefined) return new Failed(fault);
      const { name } = typed;
      const issuedAt = Math.floor(now().getTime() / 1_000);
      const endsAt = issuedAt + SESSION_SECONDS;
      const token = await signToken(key, USE, [name, issuedAt, endsAt]);
      await audit.record({ name, address: addressOf(req) }, { action: SIGN_IN });
      return { signed: { name, token, endsAt: new Date(endsAt * 1_000) }, seconds: SESSION_SECONDS };
    },
  });

  /** Lets calls of a signed-in operator pass. Then `operatorOf` names the operator. */
  const guard: RequestHandler = async (req, res, next) => {
    const signed = await session.judged(req);
    if (signed instanceof Failed) return sendFault(res, signed.fault);
    res.locals.operator = { name: signed.name, address: addressOf(req) };
    next();
  };

  return { judge, session, guard };
};

const sessionCall = callsOf<{ readonly sessions: OperatorSessions }, 'caller' | 'limit'>({
  caller: 'everybody',
  limit: 'none',
});

export const sessionCalls = {
  getOperatorSession: sessionCall({
    is: 'GET /ops/session',
    handle: ({ service, req }) => service.sessions.session.show(req),
  }),
  signInOperator: sessionCall({
    is: 'POST /ops/session',
    handle: ({ service, req, res }) => service.sessions.session.enter(req, res),
  }),
  signOutOperator: sessionCall({
    is: 'DELETE /ops/session',
    handle: ({ service, req, res }) => service.sessions.session.leave(req, res),
  }),
};
