/**
 * Faults that only HTTP has. `rating/fault.ts` has the faults of shipments. Types, conditions and arguments: contract,
 * Faults; service specification, Errors.
 */
import { Failed } from '../base/failed.ts';
import { isOfRedis } from '../base/redis/connection.ts';
import { isOfStore } from '../base/store/store.ts';
import { limitText, wayBelow } from '../files/unreadable-file.ts';
import {
  bodyOf,
  type Fault,
  type FaultBody,
  type FaultSpec,
  type FaultsOf,
  type FaultType,
  fault,
  type Result,
  SHIPMENT_FAULTS,
} from '../rating/fault.ts';

/** Error codes of RFC 6749 §5.2. The token endpoint answers them in addition to the fault. */
export const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_client',
  'unsupported_grant_type',
  'invalid_scope',
  'unauthorized_client',
] as const;
export type OAuthError = (typeof OAUTH_ERRORS)[number];

const REALM = 'realm="shipping-rates"';
/** A scheme that no browser knows, so that no browser opens its own dialog. The page asks for the id and the secret. */
const SIGN_IN = { 'WWW-Authenticate': `Session ${REALM}` };

/** `RateLimit-Policy` and `RateLimit`: the calls allowed per minute, the calls left, and the seconds until the reset. */
export const rateLimitHeaders = (limit: string, perMinute: number, left: number, resetS: number) => ({
  policy: `"${limit}";q=${perMinute};w=60`,
  state: `"${limit}";r=${left};t=${resetS}`,
});

/** A limit that is reached: on calls per minute, on concurrent work, or on stored data. */
type Limited = { readonly limit: string; readonly retryAfterS: number } & (
  | { readonly perMinute: number }
  | { readonly atOnce: number }
  | { readonly kept: number }
);

const limitWording = (limited: Limited): string => {
  const { limit, retryAfterS } = limited;
  if ('perMinute' in limited)
    return `Too many requests: ${limited.perMinute} ${limit} a minute are allowed; try again in ${retryAfterS} s.`;
  if ('kept' in limited)
    return `Too much is stored: ${limitText(limit, limited.kept)}; delete batches, or try again when old ones are gone.`;
  return `Too much is running: ${limitText(limit, limited.atOnce)}; try again when some of it has finished.`;
};

const UNAVAILABLE_REASONS: Readonly<Record<string, string>> = {
  /** The limit on all incomplete bodies together. */
  memory: 'Too many requests are waiting for the rest of their bodies. Send the whole body at once, or try again soon.',
};

const OF_STATUS = { status: 'the status of the batch' };
const OF_KEY = { 'Idempotency-Key': 'the key' };
const OF_PATH = { path: 'the path of the request' };

/** Ordered by status. */
const HTTP_FAULTS = {
  'request.malformedBody': fault<{ readonly reason: string }>({
    status: 400,
    when: 'The body cannot be read or used.',
    wayOut: 'Send JSON, or a whole upload.',
    args: { body: 'what is wrong with it' },
    example: { reason: 'it is not JSON' },
    tokenExample: { reason: 'grant_type is missing: it must be client_credentials' },
    say: ({ reason }) => [`The body cannot be used: ${reason}.`, { body: reason }],
  }),
  'request.invalidHost': fault<{ readonly problem: string }>({
    status: 400,
    when: 'The header `Host` is missing, appears twice, or does not name the service.',
    wayOut: 'Send one header `Host` with a name of the service (`ALLOWED_HOSTS`).',
    args: { Host: 'what is wrong with it' },
    example: { problem: 'appears twice' },
    say: ({ problem }) => [`The header Host ${problem}.`, { Host: problem }],
  }),
  /** `error` as in RFC 6750 §3.1. Undefined if no bearer token was sent. `session`: the console sent the request. */
  InvalidAuthorizationException: fault<{
    readonly reason: string;
    readonly error?: 'invalid_token';
    readonly by?: 'session';
  }>({
    status: 401,
    when: 'The token is missing, malformed, expired or revoked.',
    wayOut: 'Get a new token.',
    args: { Authorization: 'what is wrong with the token' },
    example: { reason: 'the access token has expired', error: 'invalid_token' },
    say: ({ reason, by }) => [
      by === 'session'
        ? 'You are not signed in. Sign in again.'
        : 'The request is unauthorized because the access token is invalid.',
      { Authorization: `invalid: ${reason}` },
    ],
    headers: ({ reason, error, by }) => {
      if (by === 'session') return SIGN_IN;
      const why = error === undefined ? '' : `, error="${error}", error_description="${reason}"`;
      return { 'WWW-Authenticate': `Bearer ${REALM}${why}` };
    },
  }),
  /** `session`: the console sent the request. `operator`: the operator token is wrong. */
  InvalidCredentialsException: fault<{ readonly by?: 'session' | 'operator' }>({
    status: 401,
    when: 'No client has this id with this secret.',
    wayOut: 'Check both. If you lost your secret, ask the operator for a new one.',
    args: { client_id: 'that the id is unknown or the secret is wrong' },
    example: {},
    say: ({ by }) =>
      by === 'operator'
        ? ['This is not the operator token.', { token: 'invalid: another text' }]
        : [
            'The client id or the client secret is wrong.',
            { client_id: 'invalid: the id is unknown or the secret is wrong' },
          ],
    headers: ({ by }) => (by !== undefined ? SIGN_IN : { 'WWW-Authenticate': `Basic ${REALM}, charset="UTF-8"` }),
  }),
  /** Scope `csrf`: the call did not come from the console's own page. */
  'request.forbidden': fault<{ readonly scope: string }>({
    status: 403,
    when: 'The token does not have the required scope.',
    wayOut: 'Get a token with the scope that `arguments` names.',
    args: { scope: 'the scope that is missing' },
    example: { scope: 'batch' },
    say: ({ scope }) => [
      scope === 'csrf'
        ? 'The request does not come from the console’s current session. Load the page again.'
        : `The access token does not have the scope ${scope}.`,
      { scope },
    ],
    headers: ({ scope }): Readonly<Record<string, string>> =>
      scope === 'csrf' ? {} : { 'WWW-Authenticate': `Bearer ${REALM}, error="insufficient_scope", scope="${scope}"` },
  }),
  /** `message`: what is missing, if it is not at the path itself. */
  'request.notFound': fault<{ readonly path: string; readonly message?: string }>({
    status: 404,
    when: 'Nothing is at this path, or the batch or the agreement is not yours.',
    wayOut: 'Compare the path with this reference: paths are case-sensitive and have no trailing slash.',
    args: OF_PATH,
    example: { path: '/v1/client/shipment/rate' },
    say: ({ path, message = 'There is nothing at this path.' }) => [message, { path }],
  }),
  'request.methodNotAllowed': fault<{ readonly path: string; readonly allow: readonly string[] }>({
    status: 405,
    when: 'The path exists, but not with this method.',
    wayOut: 'Use a method that the header `Allow` lists.',
    args: OF_PATH,
    example: { path: '/v1/client/shipment/rates', allow: ['POST'] },
    say: ({ path, allow }) => [`This path allows only ${allow.join(', ')}.`, { path }],
    headers: ({ allow }) => ({ Allow: allow.join(', ') }),
  }),
  'batches.notReady': fault<{ readonly status: string }>({
    status: 409,
    when: 'The output is not ready yet.',
    wayOut: 'Wait until the batch has ended.',
    args: OF_STATUS,
    example: { status: 'in_progress' },
    say: ({ status }) => [`The result is not ready yet: the status is ${status}.`, { status }],
  }),
  /** `needs`: the required status, if not every final status will do. */
  'batches.notFinal': fault<{ readonly status: string; readonly needs?: string }>({
    status: 409,
    when: 'The batch is still running, or did not fail.',
    wayOut: 'Wait until it has ended, or cancel it. Only a failed batch can be retried.',
    args: OF_STATUS,
    example: { status: 'in_progress' },
    say: ({ status, needs = 'completed, failed or cancelled' }) => [
      `The status is ${status}; it must be ${needs}.`,
      { status },
    ],
  }),
  'batches.final': fault<{ readonly status: string }>({
    status: 409,
    when: 'The batch has already ended.',
    wayOut: 'There is nothing to cancel. Download what it has, or delete it.',
    args: OF_STATUS,
    example: { status: 'completed' },
    say: ({ status }) => [`It has already ended: the status is ${status}.`, { status }],
  }),
  'idempotency.inProgress': fault<{ readonly key: string }>({
    status: 409,
    when: 'Another request with this `Idempotency-Key` is still running, or Redis lost the key during the request.',
    wayOut: 'Wait a few seconds, then send the request again with the same key.',
    args: OF_KEY,
    example: { key: 'order-17' },
    say: ({ key }) => [
      'Another request with this Idempotency-Key may still be running. Wait a few seconds, then send the request again with the same key.',
      { 'Idempotency-Key': key },
    ],
  }),
  'batches.expired': fault<{ readonly expiresAt: string }>({
    status: 410,
    when: 'The files of the batch are gone.',
    wayOut: 'Upload the list again.',
    args: { expiresAt: 'when they expired' },
    example: { expiresAt: '2026-03-08T12:00:00.000Z' },
    say: ({ expiresAt }) => [`The files were kept until ${expiresAt}.`, { expiresAt }],
  }),
  /** `limit` is the name of the limit. `most` is its value with the unit. `way`: what to do, if the limit does not tell. */
  'request.tooLarge': fault<{ readonly limit: string; readonly most: string; readonly way?: string }>({
    status: 413,
    when: 'A body, a row or the number of rows is over a limit.',
    wayOut: 'Send less at once: divide the list.',
    args: { '<limit>': 'the highest allowed value, under the name of the limit' },
    example: { limit: 'body', most: '262144 bytes' },
    say: ({ limit, most, way = wayBelow(limit) }) => {
      const message = `The request is too large: ${limitText(limit, most)}${way === '' ? '' : `: ${way}`}.`;
      return [message, { [limit]: most }];
    },
  }),
  'request.unsupportedMediaType': fault<{
    readonly header: 'Content-Type' | 'Content-Encoding';
    readonly accepted: readonly string[];
  }>({
    status: 415,
    when: 'The body has a type or a compression that the call does not accept.',
    wayOut: 'Use one of the values that `arguments` lists.',
    args: { '<header>': 'the accepted values, under `Content-Type` or `Content-Encoding`' },
    example: { header: 'Content-Type', accepted: ['application/json'] },
    tokenExample: { header: 'Content-Type', accepted: ['application/x-www-form-urlencoded', 'application/json'] },
    say: ({ header, accepted }) => {
      const values = accepted.join(' or ');
      return [`The header ${header} must be ${values}.`, { [header]: `must be ${values}` }];
    },
    headers: ({ header, accepted }): Readonly<Record<string, string>> =>
      header === 'Content-Encoding' ? { 'Accept-Encoding': accepted.join(', ') } : {},
  }),
  'createBatch.invalidFile': fault<{
    readonly problems: Readonly<Record<string, string>>;
    readonly header?: readonly string[];
  }>({
    status: 422,
    when: 'The list cannot be used.',
    wayOut: 'Correct each problem that `arguments` names.',
    args: { '<problem>': 'what is wrong, under the column or the part of the file' },
    example: { problems: { postalCode: 'no column has one of its names' } },
    say: ({ problems }) => {
      const [[part, first] = ['file', 'cannot be read']] = Object.entries(problems);
      return [part === 'file' ? `The file ${first}.` : `The file cannot be used. ${part}: ${first}.`, problems];
    },
  }),
  'idempotency.keyReused': fault<{ readonly key: string }>({
    status: 422,
    when: 'This `Idempotency-Key` was used before, for other content.',
    wayOut: 'Use a new key for new content.',
    args: OF_KEY,
    example: { key: 'order-17' },
    say: ({ key }) => ['This Idempotency-Key was used before, for other content.', { 'Idempotency-Key': key }],
  }),
  /** Too many `InvalidCredentialsException`. `operator`: the wrong tries were at the operator token. */
  'credentials.tooManyWrong': fault<{
    readonly by?: 'operator';
    readonly perMinute: number;
    readonly retryAfterS: number;
  }>({
    status: 429,
    when: 'Too many wrong secrets for this client id came from your address within a minute.',
    wayOut: 'Send the right secret: it is accepted at any time. Correct the program that sends the wrong one.',
    args: { client_id: 'that attempts at it are limited' },
    example: { perMinute: 60, retryAfterS: 12 },
    say: ({ by, perMinute, retryAfterS }) => {
      const [what, name] = by === 'operator' ? ['tokens', 'token'] : ['secrets for this client id', 'client_id'];
      return [
        `Too many wrong ${what} came from your address: ${perMinute} a minute are allowed; the right one still works, others can be tried again in ${retryAfterS} s.`,
        { [name]: 'limited: too many wrong attempts' },
      ];
    },
    headers: ({ retryAfterS }) => ({ 'Retry-After': String(retryAfterS) }),
  }),
  'request.rateLimited': fault<Limited>({
    status: 429,
    when: 'A limit of the client is reached: calls a minute, work at once, or stored bytes.',
    wayOut: 'Try again after the number of seconds in the header `Retry-After`.',
    args: { limit: 'the name of the limit, such as `quotes`' },
    example: { limit: 'quotes', perMinute: 60_000, retryAfterS: 12 },
    tokenExample: { limit: 'tokens', perMinute: 60, retryAfterS: 12 },
    say: (limited) => [limitWording(limited), { limit: limited.limit }],
    headers: (limited) => {
      const { limit, retryAfterS } = limited;
      const retry = { 'Retry-After': String(retryAfterS) };
      if (!('perMinute' in limited)) return retry;
      const { policy, state } = rateLimitHeaders(limit, limited.perMinute, 0, retryAfterS);
      return { ...retry, 'RateLimit-Policy': policy, RateLimit: state };
    },
  }),
  'service.internalError': fault<{ readonly requestId: string }>({
    status: 500,
    when: 'There is a bug in the service.',
    wayOut: 'Tell the operator the `requestId`.',
    args: { requestId: 'the id of the request, as in the header `X-Request-Id`' },
    example: { requestId: 'b1946ac9-2492-4d23-a0ab-8f5a1f3c2d10' },
    say: ({ requestId }) => ['The request failed because of an error in the service.', { requestId }],
  }),
  /** `reason`: a sentence with details, if there are any. */
  'service.unavailable': fault<{ readonly dependency: string; readonly reason?: string }>({
    status: 503,
    when: 'Redis or the store is unavailable or nearly full (single quotes still work), bodies arrive too slowly, or one of your agreements cannot be used (`agreements`).',
    wayOut:
      'Try again after the number of seconds in the header `Retry-After`. If it is an agreement, the operator must correct it first.',
    args: { dependency: 'what is unavailable' },
    example: { dependency: 'redis' },
    say: ({ dependency, reason = UNAVAILABLE_REASONS[dependency] }) => [
      reason ?? 'Something that this request needs is unavailable. Try again soon.',
      { dependency },
    ],
    headers: () => ({ 'Retry-After': '5' }),
  }),
} as const;

/** Faults that only calls of the operator's pages have. The API document does not name them. */
const OPERATOR_FAULTS = {
  /** A change that was refused. `reason`: why, and what to do. */
  'operator.refused': fault<{ readonly reason: string }>({
    status: 409,
    when: 'A change by an operator is not made.',
    wayOut: 'Do what the message says.',
    args: { reason: 'why, and what to do' },
    example: { reason: 'The client acme is revoked.' },
    say: ({ reason }) => [reason, { reason }],
  }),
} as const;

export type HttpFault = FaultsOf<typeof HTTP_FAULTS & typeof OPERATOR_FAULTS>;
export type HttpFaultType = HttpFault['type'];

/** A value, or the fault to answer instead. */
export type HttpResult<T> = Result<T, Fault | HttpFault>;

export type ApiFaultType = FaultType | keyof typeof HTTP_FAULTS;

/** The faults that the API document names. */
export const API_FAULTS: { readonly [T in ApiFaultType]: FaultSpec<unknown> } = { ...SHIPMENT_FAULTS, ...HTTP_FAULTS };

const isApiFault = (type: string): type is ApiFaultType => type in API_FAULTS;

/** The types of `API_FAULTS`, ordered by status. */
export const API_FAULT_TYPES: readonly ApiFaultType[] = Object.keys(API_FAULTS)
  .filter(isApiFault)
  .sort((one, other) => API_FAULTS[one].status - API_FAULTS[other].status);

const FAULTS: { readonly [T in FaultType | HttpFaultType]: FaultSpec<unknown> } = { ...API_FAULTS, ...OPERATOR_FAULTS };

/** The status that a fault is answered with. */
export const statusOf = (type: FaultType | HttpFaultType): number => FAULTS[type].status;

/** The headers of a fault: how to authenticate, what is allowed, when to try again. */
export const headersOf = (refused: Fault | HttpFault): Readonly<Record<string, string>> =>
  FAULTS[refused.type].headers?.(refused) ?? {};

/** The fault object of the error body, for any fault. */
export const faultObject = (refused: Fault | HttpFault): FaultBody => bodyOf(FAULTS, refused);

/**
 * Ends a request with a fault, however deep below its handler it is thrown. If it has a cause, something failed that the
 * operator should know about, so it is logged.
 */
export class HttpError extends Error {
  readonly fault: Fault | HttpFault;

  constructor(refused: Fault | HttpFault, options?: ErrorOptions) {
    super(faultObject(refused).message, options);
    this.name = 'HttpError';
    this.fault = refused;
  }
}

/** @throws {HttpError} the fault, if it is one */
export const orThrow = <T>(result: T | Failed<Fault | HttpFault>): T => {
  if (result instanceof Failed) throw new HttpError(result.fault);
  return result;
};

/** The answer to a client that gets no price because one of its agreements cannot be used. It does not name the agreement. */
export const noAgreement: HttpFault = { type: 'service.unavailable', dependency: 'agreements' };

/** The fault of an `HttpError` that refuses a request. Undefined if it has a cause, because then something failed. */
export const refusalIn = (error: unknown): Fault | HttpFault | undefined =>
  error instanceof HttpError && error.cause === undefined ? error.fault : undefined;

/** The fault of an error from a handler, Redis or the store. Undefined for any other error, which is a bug. */
export const thrownFault = (error: unknown): Fault | HttpFault | undefined => {
  if (error instanceof HttpError) return error.fault;
  if (isOfStore(error)) return { type: 'service.unavailable', dependency: 'store' };
  return isOfRedis(error) ? { type: 'service.unavailable', dependency: 'redis' } : undefined;
};
