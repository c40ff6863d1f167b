/**
 * `POST /token/generate`: an access token for a client's id and secret, sent as a form, with HTTP Basic (RFC 6749
 * §4.4, §2.3.1) or as JSON. Errors have the RFC's `error` in addition to the fault.
 */
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { Failed } from '../base/failed.ts';
import { type Client, clientOf, type Proven, SCOPES, type Scope } from '../catalog/clients/clients.ts';
import type { Fault, Result } from '../rating/fault.ts';
import { rawCall } from './call.ts';
import type { HttpFault, HttpResult, OAuthError } from './faults.ts';
import { CREDENTIALS, TOKEN } from './openapi/examples.ts';
import { sendFault, sendJson } from './reply.ts';
import { type BodyOptions, parseJson, readText, SIGN_IN_BYTES } from './server/body.ts';
import type { Given, Service } from './service.ts';

export const accessToken = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().describe('Seconds.'),
  scope: z.string(),
});

interface Refusal {
  readonly fault: Fault | HttpFault;
  readonly error: OAuthError;
}

interface Credentials {
  readonly id: string;
  readonly secret: string;
}

type Parameters = ReadonlyMap<string, string>;

const refuse = (reason: string, error: OAuthError = 'invalid_request'): Failed<Refusal> =>
  new Failed({ fault: { type: 'request.malformedBody', reason }, error });

const fromForm = (text: string): Result<Parameters, Refusal> => {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (parameters.has(name)) return refuse('a parameter is given twice');
    parameters.set(name, value);
  }
  return parameters;
};

/** A parameter without a value counts as omitted (RFC 6749 §3.2). */
const withoutEmpty = (parameters: Parameters): Parameters =>
  new Map([...parameters].filter(([, value]) => value !== ''));

const fromJson = (text: string): Result<Parameters, Refusal> => {
  const parsed = parseJson(text);
  if (parsed instanceof Failed) return new Failed({ fault: parsed.fault, error: 'invalid_request' });
  const { json } = parsed;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return refuse('it is not a JSON object');
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries(json)) {
    if (typeof value !== 'string') return refuse('its members must be strings');
    parameters.set(name, value);
  }
  return parameters;
};

const BODY: BodyOptions = {
  accepted: ['application/x-www-form-urlencoded', 'application/json'],
  limit: SIGN_IN_BYTES,
  emptyAllowed: true,
};

const readParameters = async (req: Request): Promise<Result<Parameters, Refusal>> => {
  const body = await readText(req, BODY);
  if (body instanceof Failed) return new Failed({ fault: body.fault, error: 'invalid_request' });
  return body.mediaType === 'application/json' ? fromJson(body.text) : fromForm(body.text);
};

const percentDecoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

/** Id and secret of an `Authorization: Basic` header, each percent-decoded (RFC 6749 §2.3.1). */
const fromBasic = (header: string): Credentials | undefined => {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon === -1) return undefined;
  const id = percentDecoded(pair.slice(0, colon));
  const secret = percentDecoded(pair.slice(colon + 1));
  return id === undefined || secret === undefined ? undefined : { id, secret };
};

const WRONG_CREDENTIALS: HttpFault = { type: 'InvalidCredentialsException' };
const WRONG = new Failed<Refusal>({ fault: WRONG_CREDENTIALS, error: 'invalid_client' });

const credentialsOf = (header: string | undefined, parameters: Parameters): Result<Credentials, Refusal> => {
  const id = parameters.get('client_id');
  const secret = parameters.get('client_secret');
  if (header !== undefined) {
    const basic = fromBasic(header);
    if (basic === undefined) return WRONG;
    if (secret !== undefined || (id !== undefined && id !== basic.id))
      return refuse('credentials are given twice, in the header and in the body');
    return basic;
  }
  return id === undefined || secret === undefined ? WRONG : { id, secret };
};

/** RFC 6749 requires the grant type in a form. JSON or a bare header may omit it, because only one value is possible. */
const grantProblem = (parameters: Parameters, isForm: boolean, isSent: boolean): Failed<Refusal> | undefined => {
  const grantType = parameters.get('grant_type');
  if (grantType === undefined)
    return isForm && isSent ? refuse('grant_type is missing: it must be client_credentials') : undefined;
  return grantType === 'client_credentials'
    ? undefined
    : refuse('grant_type must be client_credentials', 'unsupported_grant_type');
};

/** The requested scopes. Default: all scopes of the client. */
const scopesOf = (client: Client, asked: string | undefined): Result<readonly Scope[], Refusal> => {
  const own = SCOPES.filter((scope) => client.scopes.has(scope));
  const names = new Set((asked ?? '').split(' ').filter((name) => name !== ''));
  if (names.size === 0) return own;
  const granted = own.filter((scope) => names.has(scope));
  return granted.length === names.size
    ? granted
    : refuse('scope names a scope that the client does not have', 'invalid_scope');
};

/**
 * Finds the client for an id and a secret, and counts the try. A caller without the secret cannot learn which ids exist:
 * an unknown id is counted, limited and answered like a known one.
 * @returns the client with the matching secret, or `InvalidCredentialsException`, `credentials.tooManyWrong` or
 * `request.rateLimited`
 */
export const clientWith = async (
  { clients, limits, wrongTry, now }: Given,
  { id, secret }: Credentials,
  req: Request,
  res: Response,
): Promise<HttpResult<Proven>> => {
  const proven = clientOf(clients.current(), id, secret, now());
  if (proven === undefined) return new Failed(await wrongTry(req, res, id));
  const { client } = proven;
  const limited = await limits.tokens.take(res, client.id, client.limits.tokensPerMinute);
  return limited === undefined ? proven : new Failed(limited);
};

const judge = async (
  deps: Service,
  req: Request,
  res: Response,
): Promise<Result<{ readonly proven: Proven; readonly scopes: readonly Scope[] }, Refusal>> => {
  const sent = await readParameters(req);
  if (sent instanceof Failed) return sent;
  const parameters = withoutEmpty(sent);
  const isForm = !(req.headers['content-type'] ?? '').toLowerCase().startsWith('application/json');
  const problem = grantProblem(parameters, isForm, sent.size > 0);
  if (problem !== undefined) return problem;
  const credentials = credentialsOf(req.headers.authorization, parameters);
  if (credentials instanceof Failed) return credentials;

  const proven = await clientWith(deps, credentials, req, res);
  if (proven instanceof Failed) {
    const { fault } = proven;
    return fault.type === WRONG_CREDENTIALS.type ? WRONG : new Failed({ fault, error: 'invalid_request' });
  }
  const scopes = scopesOf(proven.client, parameters.get('scope'));
  return scopes instanceof Failed ? scopes : { proven, scopes };
};

/** Answers 200 with the token, or 400, 401, 413, 415 or 429 with a fault and an `error`. */
const issueToken =
  (deps: Service): RequestHandler =>
  async (req, res) => {
    res.setHeader('Pragma', 'no-cache');
    const judged = await judge(deps, req, res);
    if (judged instanceof Failed) return sendFault(res, judged.fault.fault, judged.fault.error);
    const { proven, scopes } = judged;
    res.locals.client = proven.client;
    const { token, seconds } = await deps.tokens.issue(proven, scopes);
    sendJson(res, 200, {
      access_token: token,
      token_type: 'Bearer',
      expires_in: seconds,
      scope: scopes.join(' '),
    });
  };

const grantType = z.literal('client_credentials');
const tokenForm = z.object({
  grant_type: grantType,
  client_id: z.string().optional().describe('Not needed with HTTP Basic.'),
  client_secret: z.string().optional().describe('Not needed with HTTP Basic.'),
  scope: z.string().optional().describe('Scope names, separated by spaces. Default: all scopes of the client.'),
});
const tokenJson = tokenForm.extend({ grant_type: grantType.optional() });

export const tokenCalls = {
  generateToken: rawCall<Service>()({
    ...{ is: 'POST /token/generate', caller: 'credentials', limit: 'tokens' },
    answer: accessToken,
    doc: {
      tag: 'Tokens',
      summary: 'Get an access token',
      description:
        'OAuth 2.0 client credentials (RFC 6749 §4.4): id and secret as a form, as JSON, or by HTTP Basic. Faults carry `error` too.',
      body: {
        required: false,
        content: [
          {
            type: 'application/x-www-form-urlencoded',
            schema: tokenForm,
            example: { grant_type: 'client_credentials', ...CREDENTIALS },
          },
          { type: 'application/json', schema: tokenJson, example: CREDENTIALS },
        ],
      },
      success: {
        status: 200,
        description: 'The token.',
        example: TOKEN,
      },
      always: { Pragma: '`no-cache`' },
      faults: ['request.malformedBody', 'request.tooLarge', 'request.unsupportedMediaType', 'service.unavailable'],
    },
    handlers: issueToken,
  }),
};
