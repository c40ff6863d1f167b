/**
 * The operator's session: a signed token in a cookie that only calls below `/ops` receive. It begins with the operator token
 * and the operator's own name, which the audit log shows, and ends after eight hours. Its key follows from the operator
 * token, so every process accepts it, and it ends when the token changes. It opens nothing of a client's, and a client's
 * session opens nothing here.
 */
import { createHmac } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { Actor, Audit } from '../../audit/audit.ts';
import { Failed } from '../../rating/fault.ts';
import { cookieOf, isSame } from '../auth.ts';
import { SIGN_IN_BYTES } from '../body.ts';
import type { HttpFault, HttpResult } from '../faults.ts';
import { readBodyAs } from '../input.ts';
import { cookieOptions, csrfOf, FOREIGN, hasCsrf, isOwnPage, mayChange } from '../own-page.ts';
import { sendFault, sendJson } from '../reply.ts';
import { type AddressOf, createWrongTries } from '../wrong-tries.ts';
import type { OperatorSessionBody } from './schemas.ts';

export const OPERATOR_PATH = '/ops';

const COOKIE = 'rates_operator';
const SECONDS = 8 * 3_600;
const USE = { issuer: 'shipping-rates', audience: 'shipping-rates-operator', typ: 'operator+jwt' } as const;
/** Wrong tokens from one address. */
const WRONG_PER_MINUTE = 10;

/** Names are shown to people, so they have no control characters. */
const operatorName = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^\P{C}*$/u, 'must have no control characters');
/** What signs an operator in. */
const operatorCredentials = z.strictObject({ token: z.string(), name: operatorName });

interface Signed {
  readonly name: string;
  /** The session's token. */
  readonly token: string;
  readonly endsAt: Date;
}

export interface OperatorSessionDeps {
  readonly operatorToken: string;
  readonly addressOf: AddressOf;
  readonly audit: Audit;
  readonly now: () => Date;
}

export interface OperatorSessions {
  /** Whether a token is the operator token. It counts a wrong one. @returns undefined if it is, or the fault to answer */
  readonly judge: (req: Request, res: Response, token: string) => Promise<HttpFault | undefined>;
  /** @returns `InvalidAuthorizationException` if nobody is signed in */
  readonly signedIn: (req: Request) => Promise<HttpResult<Signed>>;
  /** Lets calls of a signed-in operator pass; `operatorOf` then names the operator. */
  readonly guard: RequestHandler;
  readonly handlers: Readonly<Record<'getOperatorSession' | 'signInOperator' | 'signOutOperator', RequestHandler>>;
}

const signInAgain = (reason: string): Failed<HttpFault> =>
  new Failed({ type: 'InvalidAuthorizationException', reason, by: 'session' });

/** The operator of a request that the guard let pass. @public */
export const operatorOf = (res: Response): Actor => {
  const { operator } = res.locals;
  if (operator === undefined) throw new Error('this route does not ask which operator calls');
  return operator;
};

const bodyOf = (signed: Signed | undefined): OperatorSessionBody => ({
  operator: signed === undefined ? null : { name: signed.name, endsAt: signed.endsAt.toISOString() },
  csrf: signed === undefined ? null : csrfOf(signed.token),
});

export const createOperatorSessions = (deps: OperatorSessionDeps): OperatorSessions => {
  const { operatorToken, addressOf, audit, now } = deps;
  const wrongTry = createWrongTries({ addressOf, perMinute: WRONG_PER_MINUTE, by: 'operator' });
  // The cookie does not reveal the token.
  const key = createHmac('sha256', operatorToken).update('operator session').digest();

  const judge: OperatorSessions['judge'] = async (req, res, token) => {
    if (isSame(token, operatorToken)) return undefined;
    return await wrongTry(req, res, '');
  };

  const signedIn: OperatorSessions['signedIn'] = async (req) => {
    const token = cookieOf(req, COOKIE);
    if (token === '') return signInAgain('there is no session');
    try {
      const { payload } = await jwtVerify(token, key, {
        ...USE,
        algorithms: ['HS256'],
        requiredClaims: ['sub', 'exp'],
        currentDate: now(),
      });
      const { sub = '', exp = 0 } = payload;
      return { name: sub, token, endsAt: new Date(exp * 1_000) };
    } catch (error) {
      if (error instanceof errors.JWTExpired) return signInAgain('the session has ended');
      if (error instanceof errors.JOSEError) return signInAgain('the session is not one of ours');
      throw error;
    }
  };

  /** Begins a session and sets its cookie. */
  const begin = async (
    req: Request,
    res: Response,
    typed: z.output<typeof operatorCredentials>,
  ): Promise<HttpResult<Signed>> => {
    const fault = await judge(req, res, typed.token);
    if (fault !== undefined) return new Failed(fault);
    const { name } = typed;
    const issuedAt = Math.floor(now().getTime() / 1_000);
    const token = await new SignJWT()
      .setProtectedHeader({ alg: 'HS256', typ: USE.typ })
      .setIssuer(USE.issuer)
      .setAudience(USE.audience)
      .setSubject(name)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + SECONDS)
      .sign(key);
    res.cookie(COOKIE, token, { ...cookieOptions(req, OPERATOR_PATH), maxAge: SECONDS * 1_000 });
    await audit.record({ name, address: addressOf(req) }, { action: 'Signed in' });
    return { name, token, endsAt: new Date((issuedAt + SECONDS) * 1_000) };
  };

  /** @returns who is signed in; `FOREIGN` if the call may change something and no page of ours made it */
  const judged = async (req: Request): Promise<HttpResult<Signed>> => {
    const changes = mayChange(req);
    if (changes && !isOwnPage(req)) return new Failed(FOREIGN);
    const signed = await signedIn(req);
    if (signed instanceof Failed) return signed;
    return changes && !hasCsrf(req, signed.token) ? new Failed(FOREIGN) : signed;
  };

  const handlers: OperatorSessions['handlers'] = {
    getOperatorSession: async (req, res) => {
      const signed = await signedIn(req);
      sendJson(res, 200, bodyOf(signed instanceof Failed ? undefined : signed));
    },
    signInOperator: async (req, res) => {
      if (!isOwnPage(req)) return sendFault(res, FOREIGN);
      const typed = await readBodyAs(operatorCredentials, req, SIGN_IN_BYTES);
      if (typed instanceof Failed) return sendFault(res, typed.fault);
      const signed = await begin(req, res, typed);
      if (signed instanceof Failed) return sendFault(res, signed.fault);
      sendJson(res, 200, bodyOf(signed));
    },
    signOutOperator: async (req, res) => {
      const signed = await judged(req);
      // A caller without a session is already signed out.
      if (signed instanceof Failed && signed.fault.type !== 'InvalidAuthorizationException')
        return sendFault(res, signed.fault);
      res.clearCookie(COOKIE, cookieOptions(req, OPERATOR_PATH));
      res.status(204).end();
    },
  };

  const guard: RequestHandler = async (req, res, next) => {
    const signed = await judged(req);
    if (signed instanceof Failed) return sendFault(res, signed.fault);
    res.locals.operator = { name: signed.name, address: addressOf(req) };
    next();
  };

  return { judge, signedIn, guard, handlers };
};
