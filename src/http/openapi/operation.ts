/** Descriptions of operations, and the headers of their answers. */
import type { z } from 'zod';
import { must } from '../../base/must.ts';
import { BATCHES_PATH, COMPARISONS_PATH, type Kind } from '../../batch/ids.ts';
import type { Call } from '../call.ts';
import type { ApiFaultType } from '../faults.ts';
import type { Description, Media, Operation, Success } from '../operation.ts';
import { API_CALLS } from '../operations.ts';
import { batchEnded, comparisonEnded } from '../schemas.ts';
import { BATCH_ENDED, COMPARISON_ENDED } from './examples.ts';

/** An operation with its documentation and the schemas of its JSON answer and its query. */
export interface Described extends Operation, Description {
  readonly id: string;
  readonly answer?: z.ZodType | undefined;
  readonly query?: z.ZodObject | undefined;
}

interface PathParameter {
  readonly name: string;
  /** The paths that have it are below this one. */
  readonly below: string;
  readonly description: string;
}

/** The parameters of paths, by their names in the document. */
export const PATH_PARAMETERS: Readonly<Record<string, PathParameter>> = {
  BatchId: { name: 'id', below: BATCHES_PATH, description: 'Id of a batch of the client.' },
  ComparisonId: { name: 'id', below: COMPARISONS_PATH, description: 'Id of a comparison of the client.' },
  AgreementName: { name: 'name', below: '/v1/client/agreements', description: 'Name of an agreement of the client.' },
};

/** The document's names of the parameters in a path. */
export const pathParametersOf = (path: string): readonly string[] =>
  Object.keys(PATH_PARAMETERS).filter((id) => {
    const { name, below } = must(PATH_PARAMETERS[id], 'a parameter');
    return path.startsWith(`${below}/{${name}}`);
  });

/** The forms of a successful answer's body. Empty if there is no body. */
export const mediaOf = ({ content, example }: Success, answer: z.ZodType | undefined): readonly Media[] => {
  if (content !== undefined) return content;
  if (example === undefined) return [];
  return [{ type: 'application/json', schema: must(answer, 'the schema of an answer'), example }];
};

const CLIENT_FAULTS = ['InvalidAuthorizationException', 'getRates.invalidRequest'] as const;
const CALLER_FAULTS: Readonly<Record<Operation['caller'], readonly ApiFaultType[]>> = {
  quote: [...CLIENT_FAULTS, 'request.forbidden'],
  batch: [...CLIENT_FAULTS, 'request.forbidden'],
  client: CLIENT_FAULTS,
  credentials: ['InvalidCredentialsException', 'credentials.tooManyWrong'],
  operator: ['InvalidAuthorizationException', 'request.forbidden'],
  everybody: [],
};

/** Every fault that an operation may have. */
export const faultsOf = ({ caller, limit, faults = [] }: Described): readonly ApiFaultType[] => [
  ...new Set<ApiFaultType>([
    ...CALLER_FAULTS[caller],
    ...faults,
    ...(limit === 'none' ? [] : (['request.rateLimited'] as const)),
    'request.invalidHost',
    'request.methodNotAllowed',
    'service.internalError',
  ]),
];

type Json = Readonly<Record<string, unknown>>;

/** @param required whether it is always present */
export const header = (description: string, required = true): Json => ({
  description,
  required,
  schema: { type: 'string' },
});

const POLICY = 'Calls allowed per minute: `"quotes";q=60000;w=60`.';
const LEFT = 'Calls left, and for how many seconds: `"quotes";r=59999;t=60`.';

/** The headers that the document names. */
export const COMPONENT_HEADERS: Json = {
  'X-Request-Id': header('Id of the request, for questions about it; copied from the request if it is valid.'),
  'RateLimit-Policy': header(POLICY),
  RateLimit: header(LEFT),
  'Cache-Control': header('`no-store`'),
};

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
const UNKEPT = { 'Cache-Control': { $ref: '#/components/headers/Cache-Control' } };
const LIMITED = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
};
const SOMETIMES_LIMITED = { 'RateLimit-Policy': header(POLICY, false), RateLimit: header(LEFT, false) };

const BY_STATUS: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': header('How to authenticate (RFC 6750).') },
  403: { 'WWW-Authenticate': header('Which scope is needed (RFC 6750).') },
  405: { Allow: header('The methods that the path has.') },
  415: { 'Accept-Encoding': header('The accepted encodings, if the encoding was the reason.', false) },
  429: { 'Retry-After': header('Seconds after which to try again.') },
  503: { 'Retry-After': header('Seconds after which to try again.') },
};

/** A call is counted once its caller is known. An earlier refusal has no limit headers. */
const limitHeaders = ({ limit, caller }: Described, status: number): Json => {
  if (limit === 'none' || status === 405 || (caller !== 'credentials' && [401, 403].includes(status))) return {};
  // A limit on concurrent work has no such headers.
  return SOMETIMES_LIMITED;
};

const alwaysHeaders = ({ always = {} }: Described): Json =>
  Object.fromEntries(Object.entries(always).map(([name, text]) => [name, header(text)]));

export const faultHeaders = (operation: Described, status: number): Json => ({
  ...REQUEST_ID,
  ...UNKEPT,
  ...limitHeaders(operation, status),
  ...(status === 405 ? {} : alwaysHeaders(operation)),
  ...BY_STATUS[status],
});

/** Whether a success is JSON. Without `content` it is, unless it has no body. */
const isJson = ({ status, content }: Success): boolean =>
  content === undefined ? status !== 204 : content.some(({ type }) => type === 'application/json');

export const successHeaders = (operation: Described, success: Success): Json => ({
  ...REQUEST_ID,
  ...(isJson(success) ? UNKEPT : {}),
  ...(operation.limit === 'none' ? {} : LIMITED),
  ...alwaysHeaders(operation),
  ...Object.fromEntries(
    Object.entries(success.headers ?? {}).map(([name, text]) => [
      name,
      typeof text === 'string' ? header(text) : header(text.sometimes, false),
    ]),
  ),
});

/** In the order of the table. */
export const describedOperations = (): Described[] =>
  Object.entries<Call<never>>(API_CALLS).flatMap(([id, { doc, query, ...call }]) =>
    doc === undefined ? [] : [{ ...call, query, ...doc, id }],
  );

/**
 * The message about the end of a batch or a comparison, with the headers of the Standard Webhooks specification.
 * @param when each time that it is sent
 */
const endOf = (kind: Kind, when: string, schema: z.ZodType, example: unknown) => ({
  id: `${kind}Ended`,
  summary: `A ${kind} has ended`,
  description: `Sent to the client’s webhook each time ${when}.`,
  headers: {
    'webhook-id': 'The id of the message, which is the same for each attempt.',
    'webhook-timestamp': 'When this attempt was made, in seconds since 1970.',
    'webhook-signature':
      '`v1,` and the base64 HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}`. The key is the part of the signing secret after `whsec_`, decoded from base64.',
  },
  content: [{ type: 'application/json', schema, example }],
  /** The meaning of the receiver's answer, by status. */
  answers: {
    '2XX': 'The message was received.',
    '410': 'The receiver no longer exists. The message is not sent again.',
    default: 'The service retries for a day. It does not follow redirects. The answer must begin within 15 seconds.',
  },
});

export type WebhookMessage = ReturnType<typeof endOf>;

export const WEBHOOK_MESSAGES: readonly WebhookMessage[] = [
  endOf('batch', 'a batch or a revision of it ends', batchEnded, BATCH_ENDED),
  endOf('comparison', 'a comparison ends', comparisonEnded, COMPARISON_ENDED),
];
