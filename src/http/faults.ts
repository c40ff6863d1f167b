/**
 * Faults of HTTP, besides those of a shipment (`rating/fault.ts`), and the table of the status that each
 * is answered with. Types, conditions and arguments: contract, Faults; service specification, Errors.
 */
import { type Fault, type FaultBody, type FaultType, faultBody, type Result } from '../rating/fault.ts';
import { FAULT_STATUS } from '../rating/quote.ts';
import { isOfStore } from '../store/store.ts';

/** Error codes of RFC 6749 §5.2, which answers of the token endpoint have beside the fault. */
export type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'unauthorized_client';

export type HttpFault =
  | { readonly type: 'request.malformedBody'; readonly reason: string }
  /** `problem`: what is wrong with the header Host. */
  | { readonly type: 'request.invalidHost'; readonly problem: string }
  /** `error` as in RFC 6750 §3.1; absent if no bearer token was sent. */
  | { readonly type: 'InvalidAuthorizationException'; readonly reason: string; readonly error?: 'invalid_token' }
  /** `by`: the console asked; the browser must not show its own form. */
  | { readonly type: 'InvalidAuthorizationException'; readonly reason: string; readonly by: 'session' }
  /** `session`: the console asked. `operator`: it is about the operator token. */
  | { readonly type: 'InvalidCredentialsException'; readonly by?: 'session' | 'operator' }
  /** `csrf`: the call was not made by the console's own page. */
  | { readonly type: 'request.forbidden'; readonly scope: string }
  | { readonly type: 'request.notFound'; readonly path: string }
  | { readonly type: 'request.methodNotAllowed'; readonly path: string; readonly allow: readonly string[] }
  | { readonly type: 'batches.notReady' | 'batches.final'; readonly status: string }
  /** `needs`: the status that is needed, if it is not just any final one. */
  | { readonly type: 'batches.notFinal'; readonly status: string; readonly needs?: string }
  | { readonly type: 'batches.expired'; readonly expiresAt: string }
  /** `limit` is the name of the limit, `most` its value with the unit. */
  | { readonly type: 'request.tooLarge'; readonly limit: string; readonly most: string }
  | {
      readonly type: 'request.unsupportedMediaType';
      readonly header: 'Content-Type' | 'Content-Encoding';
      readonly accepted: readonly string[];
    }
  | {
      readonly type: 'createBatch.invalidFile';
      readonly problems: Readonly<Record<string, string>>;
      readonly header?: readonly string[];
    }
  | { readonly type: 'idempotency.keyReused' | 'idempotency.inProgress'; readonly key: string }
  | {
      readonly type: 'request.rateLimited';
      readonly limit: string;
      readonly perMinute: number;
      readonly retryAfterS: number;
    }
  /** A limit on concurrent work. */
  | {
      readonly type: 'request.rateLimited';
      readonly limit: string;
      readonly atOnce: number;
      readonly retryAfterS: number;
    }
  /** `memory`: the limit on all incomplete bodies together. */
  /** A limit on stored bytes. */
  | {
      readonly type: 'request.rateLimited';
      readonly limit: string;
      readonly kept: number;
      readonly retryAfterS: number;
    }
  /** A change by an operator that is not made. `reason`: why, and the way out. */
  | { readonly type: 'operator.refused'; readonly reason: string }
  /** `reason`: a sentence with details, if there are any. */
  | { readonly type: 'service.unavailable'; readonly dependency: string; readonly reason?: string }
  | { readonly type: 'service.internalError'; readonly requestId: string };

/** A value, or the fault to answer instead. */
export type HttpResult<T> = Result<T, Fault | HttpFault>;

export type HttpFaultType = HttpFault['type'];

/** The status that each fault is answered with. */
export const STATUS: Readonly<Record<FaultType | HttpFaultType, number>> = {
  'request.malformedBody': 400,
  'request.invalidHost': 400,
  InvalidAuthorizationException: 401,
  InvalidCredentialsException: 401,
  'request.forbidden': 403,
  'request.notFound': 404,
  'request.methodNotAllowed': 405,
  'batches.notReady': 409,
  'batches.notFinal': 409,
  'batches.final': 409,
  'idempotency.inProgress': 409,
  'operator.refused': 409,
  'batches.expired': 410,
  'request.tooLarge': 413,
  'request.unsupportedMediaType': 415,
  'getRates.invalidRequest': FAULT_STATUS,
  'getRates.unknownShippingService': FAULT_STATUS,
  'getRates.unknownWarehouse': FAULT_STATUS,
  'getRates.noTariff': FAULT_STATUS,
  'getRates.addressLineRequired': FAULT_STATUS,
  'getRates.noDeliveryCoverage': FAULT_STATUS,
  'getRates.weightNotServed': FAULT_STATUS,
  'getRates.sizeNotServed': FAULT_STATUS,
  'row.malformed': FAULT_STATUS,
  'createBatch.invalidFile': 422,
  'idempotency.keyReused': 422,
  'request.rateLimited': 429,
  'service.internalError': 500,
  'service.unavailable': 503,
};

/** A dependency that failed; answered with `service.unavailable`. */
export class UnavailableError extends Error {
  readonly dependency: string;

  constructor(dependency: string, options?: ErrorOptions) {
    super(`${dependency} is unavailable`, options);
    this.name = 'UnavailableError';
    this.dependency = dependency;
  }
}

/** The answer to a client that gets no price, because an agreement of its own cannot be used. It names no agreement. */
export const noAgreement: HttpFault = { type: 'service.unavailable', dependency: 'agreements' };

/**
 * A failure of Redis or the store is theirs; anything else is a bug and is reported as one.
 * @param dependency what most likely failed if a promise needs both, unless the store says that it failed
 */
export const orUnavailable = async <T>(dependency: string, promise: Promise<T>): Promise<T> => {
  try {
    return await promise;
  } catch (error) {
    throw new UnavailableError(isOfStore(error) ? 'store' : dependency, { cause: error });
  }
};

const UNAUTHORIZED = 'The request is unauthorized because the access token is invalid.';
const NO_SESSION = 'You are not signed in. Sign in again.';
const AWAY = 'Something that this request needs is unavailable. Try again soon.';
const NO_ROOM =
  'Too many requests are waiting for the rest of their bodies. Send the whole body at once, or try again soon.';
const FOREIGN_PAGE = 'The request does not come from the console’s current session. Load the page again.';

const limitWording = (fault: Extract<HttpFault, { type: 'request.rateLimited' }>): string => {
  if ('perMinute' in fault)
    return `Too many requests: ${fault.perMinute} ${fault.limit} a minute are allowed; try again in ${fault.retryAfterS} s.`;
  if ('kept' in fault)
    return `Too much is stored: ${fault.limit} is at most ${fault.kept}; delete batches, or try again after some have expired.`;
  return `Too much is running: ${fault.limit} is at most ${fault.atOnce}; try again when some of it has finished.`;
};

const wording = (fault: HttpFault): readonly [message: string, args: FaultBody['arguments']] => {
  switch (fault.type) {
    case 'request.malformedBody':
      return [`The body cannot be read: ${fault.reason}.`, { body: fault.reason }];
    case 'request.invalidHost':
      return [`The header Host ${fault.problem}.`, { Host: fault.problem }];
    case 'InvalidAuthorizationException':
      return ['by' in fault ? NO_SESSION : UNAUTHORIZED, { Authorization: `invalid: ${fault.reason}` }];
    case 'InvalidCredentialsException':
      if (fault.by === 'operator') return ['This is not the operator token.', { token: 'invalid: another text' }];
      return [
        'The client id or the client secret is wrong.',
        { client_id: 'invalid: unknown, or not with this secret' },
      ];
    case 'request.forbidden':
      return [
        fault.scope === 'csrf' ? FOREIGN_PAGE : `The access token lacks the scope ${fault.scope}.`,
        { scope: fault.scope },
      ];
    case 'request.notFound':
      return ['There is nothing at this path.', { path: fault.path }];
    case 'request.methodNotAllowed':
      return [`This path answers ${fault.allow.join(', ')} only.`, { path: fault.path }];
    case 'batches.notReady':
      return [`The batch is ${fault.status}: the result is not ready yet.`, { status: fault.status }];
    case 'batches.notFinal':
      return [
        `The batch is ${fault.status}: this needs a batch that ${fault.needs === undefined ? 'has ended' : `is ${fault.needs}`}.`,
        { status: fault.status },
      ];
    case 'batches.final':
      return [`The batch is ${fault.status}: it has ended already.`, { status: fault.status }];
    case 'batches.expired':
      return [`The files of the batch were kept until ${fault.expiresAt}.`, { expiresAt: fault.expiresAt }];
    case 'request.tooLarge':
      return [`The request is too large: ${fault.limit} is at most ${fault.most}.`, { [fault.limit]: fault.most }];
    case 'request.unsupportedMediaType': {
      const accepted = fault.accepted.join(' or ');
      return [`The header ${fault.header} must be ${accepted}.`, { [fault.header]: `must be ${accepted}` }];
    }
    case 'createBatch.invalidFile': {
      const [first = 'it cannot be read'] = Object.values(fault.problems);
      return [`The file cannot be used: ${first}.`, fault.problems];
    }
    case 'idempotency.keyReused':
      return ['This Idempotency-Key was used before, for other content.', { 'Idempotency-Key': fault.key }];
    case 'idempotency.inProgress':
      return ['The first request with this Idempotency-Key is still running.', { 'Idempotency-Key': fault.key }];
    case 'request.rateLimited':
      return [limitWording(fault), { limit: fault.limit }];
    case 'operator.refused':
      return [fault.reason, { reason: fault.reason }];
    case 'service.unavailable':
      return [fault.reason ?? (fault.dependency === 'memory' ? NO_ROOM : AWAY), { dependency: fault.dependency }];
    case 'service.internalError':
      return ['The request failed because of an error in the service.', { requestId: fault.requestId }];
    default:
      return fault satisfies never;
  }
};

/** `RateLimit-Policy` and `RateLimit`: what is allowed per minute, and what is left for how many seconds. */
export const rateLimitHeaders = (limit: string, perMinute: number, left: number, resetS: number) => ({
  policy: `"${limit}";q=${perMinute};w=60`,
  state: `"${limit}";r=${left};t=${resetS}`,
});

const REALM = 'realm="shipping-rates"';
/** A scheme that no browser knows: the page asks for id and secret itself. */
const SIGN_IN = { 'WWW-Authenticate': `Session ${REALM}` };

/** The headers that belong to a fault: how to authenticate, what is allowed, when to try again. */
export const headersOf = (fault: Fault | HttpFault): Readonly<Record<string, string>> => {
  switch (fault.type) {
    case 'InvalidAuthorizationException':
      if ('by' in fault) return SIGN_IN;
      return {
        'WWW-Authenticate':
          fault.error === undefined
            ? `Bearer ${REALM}`
            : `Bearer ${REALM}, error="${fault.error}", error_description="${fault.reason}"`,
      };
    case 'InvalidCredentialsException':
      return fault.by !== undefined ? SIGN_IN : { 'WWW-Authenticate': `Basic ${REALM}, charset="UTF-8"` };
    case 'request.forbidden':
      if (fault.scope === 'csrf') return {};
      return { 'WWW-Authenticate': `Bearer ${REALM}, error="insufficient_scope", scope="${fault.scope}"` };
    case 'request.methodNotAllowed':
      return { Allow: fault.allow.join(', ') };
    case 'request.unsupportedMediaType':
      return fault.header === 'Content-Encoding' ? { 'Accept-Encoding': fault.accepted.join(', ') } : {};
    case 'request.rateLimited': {
      const retry = { 'Retry-After': String(fault.retryAfterS) };
      if (!('perMinute' in fault)) return retry;
      const { policy, state } = rateLimitHeaders(fault.limit, fault.perMinute, 0, fault.retryAfterS);
      return { ...retry, 'RateLimit-Policy': policy, RateLimit: state };
    }
    case 'service.unavailable':
      return { 'Retry-After': '5' };
    default:
      return {};
  }
};

/** The fault object of the error body, for any fault. */
export const faultObject = (fault: Fault | HttpFault): FaultBody => {
  switch (fault.type) {
    case 'getRates.invalidRequest':
    case 'getRates.unknownShippingService':
    case 'getRates.unknownWarehouse':
    case 'getRates.noTariff':
    case 'getRates.addressLineRequired':
    case 'getRates.noDeliveryCoverage':
    case 'getRates.weightNotServed':
    case 'getRates.sizeNotServed':
    case 'row.malformed':
      return faultBody(fault);
    default: {
      const [message, args] = wording(fault);
      return { type: fault.type, message, arguments: args };
    }
  }
};
