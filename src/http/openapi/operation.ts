/** What the document is told of one operation, and what several of them have in common. */
import type { z } from 'zod';
import type { FaultType } from '../../rating/fault.ts';
import type { HttpFaultType } from '../faults.ts';

export type AnyFaultType = FaultType | HttpFaultType;

export interface Media {
  readonly type: string;
  /** Absent: text or bytes. */
  readonly schema?: z.ZodType;
  readonly description?: string;
  readonly example?: unknown;
}

export interface Success {
  readonly status: 200 | 202 | 204 | 302;
  readonly description: string;
  readonly content: readonly Media[];
  /** Headers beside `X-Request-Id`: what each says. */
  readonly headers?: Readonly<Record<string, string | { readonly sometimes: string }>>;
}

export interface Operation {
  readonly method: 'get' | 'post' | 'delete';
  /** As OpenAPI writes it: `/batches/{id}`. */
  readonly path: string;
  readonly id: string;
  readonly tag: 'Tokens' | 'Quotes' | 'Batches' | 'Webhooks' | 'Operation';
  readonly summary: string;
  readonly description?: string;
  /** Who may call: a token with the scope, any token, a client's credentials, or everybody. */
  readonly caller: 'quote' | 'batch' | 'token' | 'credentials' | 'everybody';
  /** The query: one parameter per member. */
  readonly query?: z.ZodObject;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: z.ZodType }>>;
  readonly body?: { readonly required: boolean; readonly content: readonly Media[] };
  readonly success: Success;
  /** What else a call may come to, by what it asks for. */
  readonly alternative?: Success;
  /** Beside those that belong to its caller, its limit, its path and every operation. */
  readonly faults: readonly AnyFaultType[];
  /** Limited by the minute, with headers that say so on every answer to a known client. */
  readonly limited?: true;
  /** Headers of every answer but 405. */
  readonly always?: Readonly<Record<string, string>>;
}

const CALLER_FAULTS: Readonly<Record<Operation['caller'], readonly AnyFaultType[]>> = {
  quote: ['InvalidAuthorizationException', 'request.forbidden'],
  batch: ['InvalidAuthorizationException', 'request.forbidden'],
  token: ['InvalidAuthorizationException'],
  credentials: ['InvalidCredentialsException'],
  everybody: [],
};

/** Every fault that an operation may have. */
export const faultsOf = ({ caller, limited, faults }: Operation): readonly AnyFaultType[] => [
  ...new Set<AnyFaultType>([
    ...CALLER_FAULTS[caller],
    ...faults,
    ...(limited ? (['request.rateLimited'] as const) : []),
    'request.invalidHost',
    'request.methodNotAllowed',
    'service.internalError',
  ]),
];

type Json = Readonly<Record<string, unknown>>;

/** @param required whether it is always there */
export const header = (description: string, required = true): Json => ({
  description,
  required,
  schema: { type: 'string' },
});

const POLICY = 'Calls that are allowed a minute: `"quotes";q=60000;w=60`.';
const LEFT = 'What is left, for how many seconds: `"quotes";r=59999;t=60`.';

/** Those that the document names. */
export const COMPONENT_HEADERS: Json = {
  'X-Request-Id': header('Id of the request, for questions about it; taken over from the request where it is sane.'),
  'RateLimit-Policy': header(POLICY),
  RateLimit: header(LEFT),
};

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
const LIMITED = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
};
const SOMETIMES_LIMITED = { 'RateLimit-Policy': header(POLICY, false), RateLimit: header(LEFT, false) };

const BY_STATUS: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': header('How to authenticate (RFC 6750).') },
  403: { 'WWW-Authenticate': header('Which scope is needed (RFC 6750).') },
  405: { Allow: header('The methods that there are.') },
  415: { 'Accept-Encoding': header('The encodings that are taken, where it was for its encoding.', false) },
  429: { 'Retry-After': header('Seconds after which to try again.') },
  503: { 'Retry-After': header('Seconds after which to try again.') },
};

/** Calls are counted once it is known who calls; what is refused before that says nothing of a limit. */
const limitHeaders = ({ limited, caller }: Operation, status: number): Json => {
  if (!limited || status === 405 || (caller !== 'credentials' && [401, 403].includes(status))) return {};
  // A limit on what is under way at a time is told without them.
  return SOMETIMES_LIMITED;
};

const alwaysHeaders = ({ always = {} }: Operation): Json =>
  Object.fromEntries(Object.entries(always).map(([name, text]) => [name, header(text)]));

export const faultHeaders = (operation: Operation, status: number): Json => ({
  ...REQUEST_ID,
  ...limitHeaders(operation, status),
  ...(status === 405 ? {} : alwaysHeaders(operation)),
  ...BY_STATUS[status],
});

export const successHeaders = (operation: Operation, { headers = {} }: Success): Json => ({
  ...REQUEST_ID,
  ...(operation.limited ? LIMITED : {}),
  ...alwaysHeaders(operation),
  ...Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [
      name,
      typeof text === 'string' ? header(text) : header(text.sometimes, false),
    ]),
  ),
});
