/** The headers of requests and answers, as the document has them. */
import type { Operation, Success } from './operation.ts';

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
