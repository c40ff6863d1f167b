/**
 * Access tokens and session tokens of the console: JWTs signed with HS256. They are checked without Redis, so that quotes
 * work while Redis is unavailable. Several secrets may be valid during a rotation. The first signs, all verify, and the
 * token's `kid` says which one signed it. A token also names the client secret that it was issued for, and ends with it.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { link, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { createBoundedMap } from '../base/bounded-cache.ts';
import { must } from '../base/must.ts';
import { replaceFile } from '../base/replace-file.ts';
import type { Credential, Proven, Scope } from '../catalog/clients/clients.ts';

/** The purpose of a token. A token for another purpose is never accepted. */
export interface TokenUse {
  readonly audience: string;
  /** The header's `typ`. */
  readonly type: string;
  readonly seconds: number;
}

const ACCESS: TokenUse = { audience: 'shipping-rates', type: 'at+jwt', seconds: 3_600 };

const ISSUER = 'shipping-rates';
/** Limit on remembered verified tokens. The oldest are dropped first. */
const REMEMBERED = 10_000;

/** What a verified token grants. */
interface Grant extends Credential {
  readonly scopes: ReadonlySet<string>;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

export type TokenKeys = ReturnType<typeof tokenKeys>;
export type Tokens = ReturnType<typeof createTokens>;

const keyId = (secret: string): string => createHmac('sha256', secret).update('kid').digest('base64url').slice(0, 8);

/**
 * Keys from secrets separated by commas. The first one signs.
 * @throws {Error} if a secret is shorter than HS256 requires
 */
export const tokenKeys = (secrets: string) => {
  const list = secrets.split(',').map((secret) => secret.trim());
  if (list.some((secret) => Buffer.byteLength(secret) < 32))
    throw new Error('TOKEN_SECRET: each secret (commas separate several) must have at least 32 characters');
  const byId = new Map(list.map((secret) => [keyId(secret), createSecretKey(secret, 'utf8')]));
  return { signing: keyId(must(list[0], 'a token secret')), byId };
};

/** The token secret of a data folder. The first call creates it, and all processes get the same one. */
export const keptTokenSecret = async (dataDir: string): Promise<string> => {
  const file = join(dataDir, 'token-secret');
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (kept !== undefined) return kept.trim();
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // Unlike a rename, a link does not replace a secret that another process has made meanwhile.
  await replaceFile(file, `${randomBytes(32).toString('base64url')}\n`, 0o600, link).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return (await readFile(file, 'utf8')).trim();
};

type Purpose = Pick<TokenUse, 'audience' | 'type'>;
type Key = KeyObject | Uint8Array;

/** Signs a token. @param issuedAt in seconds since 1970, as is `expiresAt` @param kid the id of the key, if there are several */
export const signToken = (
  key: Key,
  { audience, type: typ }: Purpose,
  [subject, issuedAt, expiresAt]: readonly [subject: string, issuedAt: number, expiresAt: number],
  claims: JWTPayload = {},
  kid?: string,
): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ, ...(kid !== undefined && { kid }) })
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(key);

/** @returns what a token says, or why it is refused */
export const readToken = async (
  token: string,
  keyOf: (header: { readonly kid?: string }) => Key,
  { audience, type: typ }: Purpose,
  now: Date,
): Promise<JWTPayload | 'expired' | 'invalid'> => {
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      ...{ algorithms: ['HS256'], typ, issuer: ISSUER, audience },
      ...{ requiredClaims: ['sub', 'iat', 'exp'], currentDate: now },
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) return 'expired';
    if (error instanceof errors.JOSEError) return 'invalid';
    throw error;
  }
};

/**
 * @param now the clock, injected so that expiry can be tested
 * @param use the purpose of the tokens. Default: access to the API
 */
export const createTokens = (keys: TokenKeys, now: () => Date, use: TokenUse = ACCESS) => {
  const verified = createBoundedMap<Grant>(REMEMBERED);

  /** Issues a token that is valid until it expires, or until the secret that it was issued for ends. */
  const issue = async ({ client, secret }: Proven, scopes: readonly Scope[]) => {
    const key = keys.byId.get(keys.signing);
    if (key === undefined) throw new Error('there is no key to sign tokens with');
    const issuedAt = Math.floor(now().getTime() / 1_000);
    const secretEnds = secret.expiresAt === undefined ? Infinity : Math.ceil(Date.parse(secret.expiresAt) / 1_000);
    const seconds = Math.min(use.seconds, secretEnds - issuedAt);
    const claims = { scope: scopes.join(' '), secret: secret.name };
    const times = [client.id, issuedAt, issuedAt + seconds] as const;
    const token = await signToken(key, use, times, claims, keys.signing);
    return { token, seconds };
  };

  const keyOf = ({ kid }: { readonly kid?: string }): KeyObject => {
    const key = keys.byId.get(kid ?? '');
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  };

  const check = async (token: string): Promise<Grant | 'expired' | 'invalid'> => {
    const payload = await readToken(token, keyOf, use, now());
    if (typeof payload === 'string') return payload;
    const { sub, exp, scope, secret } = payload;
    if (typeof sub !== 'string' || typeof exp !== 'number' || typeof scope !== 'string' || typeof secret !== 'string')
      return 'invalid';
    return { clientId: sub, secretName: secret, scopes: new Set(scope.split(' ')), expiresAt: exp };
  };

  /** The result of `verify` for a token that was verified before, without waiting. */
  const recall = (token: string): Grant | 'expired' | undefined => {
    const known = verified.get(token);
    if (known === undefined || known.expiresAt * 1_000 > now().getTime()) return known;
    verified.delete(token);
    return 'expired';
  };

  const verify = async (token: string): Promise<Grant | 'expired' | 'invalid'> => {
    const known = recall(token);
    if (known !== undefined) return known;
    const grant = await check(token);
    if (typeof grant === 'string') return grant;
    verified.set(token, grant);
    return grant;
  };

  return { issue, recall, verify };
};
