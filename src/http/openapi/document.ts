/** The OpenAPI 3.1 document, made from the schemas that validate requests and from the table of operations. */

import { API_FAULT_TYPES, API_FAULTS, type ApiFaultType } from '../faults.ts';
import { type Media, type Operation, type Success, TAGS } from '../operation.ts';
import {
  COMPONENT_HEADERS,
  type Described,
  describedOperations,
  faultHeaders,
  faultsOf,
  header,
  mediaOf,
  PATH_PARAMETERS,
  pathParametersOf,
  successHeaders,
  WEBHOOK_MESSAGES,
} from './operation.ts';
import { COMPONENT_SCHEMAS, queryOf, refTo, schemaOf } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;

const contentOf = (media: readonly Media[]): Json =>
  Object.fromEntries(
    media.map(({ type, schema, description, example }) => [
      type,
      {
        schema:
          schema === undefined ? { type: 'string', ...(description !== undefined && { description }) } : refTo(schema),
        ...(example !== undefined && { example }),
      },
    ]),
  );

/** An example of a fault's error body. @param atTokens whether the token endpoint answers it, with the code of RFC 6749 */
const exampleOf = (type: ApiFaultType, atTokens = false) => {
  const spec = API_FAULTS[type];
  const { when, wayOut, example, tokenExample } = spec;
  const [message, args] = spec.say((atTokens ? tokenExample : undefined) ?? example);
  const body = { code: spec.status, fault: { type, message, arguments: args } };
  const error = type === 'InvalidCredentialsException' ? 'invalid_client' : 'invalid_request';
  return {
    summary: type,
    description: `${when} ${wayOut}`,
    value: atTokens ? { ...body, error, error_description: message } : body,
  };
};

/** Examples of error bodies by fault type, as components of the document. */
export const FAULT_EXAMPLES: Readonly<Record<string, ReturnType<typeof exampleOf>>> = Object.fromEntries(
  API_FAULT_TYPES.map((type) => [type, exampleOf(type)]),
);

const faultResponses = (operation: Described): Json => {
  const all = faultsOf(operation);
  const byStatus = [...new Set(all.map((type) => API_FAULTS[type].status))]
    .sort()
    .map((status) => [status, all.filter((type) => API_FAULTS[type].status === status)] as const);
  const isOAuth = (status: number): boolean => operation.caller === 'credentials' && ![405, 500].includes(status);
  return Object.fromEntries(
    byStatus.map(([status, types]) => [
      status,
      {
        description: types.map((type) => `\`${type}\``).join(', '),
        headers: faultHeaders(operation, status),
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${isOAuth(status) ? 'OAuthErrorBody' : 'ErrorBody'}` },
            examples: Object.fromEntries(
              types.map((type) => [
                type,
                isOAuth(status) ? exampleOf(type, true) : { $ref: `#/components/examples/${type}` },
              ]),
            ),
          },
        },
      },
    ]),
  );
};

const parametersOf = ({ path, headers = {}, query }: Described): object[] => [
  { $ref: '#/components/parameters/RequestId' },
  ...pathParametersOf(path).map((id) => ({ $ref: `#/components/parameters/${id}` })),
  ...(query === undefined ? [] : queryOf(query)),
  ...Object.entries(headers).map(([name, { description, schema }]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: schemaOf(schema),
  })),
];

const securityOf = ({ caller }: Operation): Json[] => {
  if (caller === 'everybody') return [{}];
  if (caller === 'credentials') return [{ basic: [] }, {}];
  return [{ token: caller === 'client' ? [] : [caller] }];
};

const successResponse = (success: Success, operation: Described): Json => {
  const media = mediaOf(success, operation.answer);
  return {
    description: success.description,
    headers: successHeaders(operation, success),
    ...(media.length > 0 && { content: contentOf(media) }),
  };
};

const operationOf = (operation: Described): Json => {
  const { id, tag, summary, description, body, success, alternative } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(operation),
    parameters: parametersOf(operation),
    ...(body !== undefined && { requestBody: { required: body.required, content: contentOf(body.content) } }),
    responses: {
      ...(alternative !== undefined && { [alternative.status]: successResponse(alternative, operation) }),
      [success.status]: successResponse(success, operation),
      ...faultResponses(operation),
    },
  };
};

const paths = (): Json => {
  const items: Record<string, Record<string, Json>> = {};
  for (const operation of describedOperations()) {
    items[operation.path] = { ...items[operation.path], [operation.method]: operationOf(operation) };
  }
  return items;
};

const webhooks = (): Json =>
  Object.fromEntries(
    WEBHOOK_MESSAGES.map(({ id, summary: title, description, headers, content, answers }) => [
      id,
      {
        post: {
          operationId: id,
          tags: ['Webhooks'],
          summary: title,
          description,
          security: [{}],
          parameters: Object.entries(headers).map(([name, text]) => ({ name, in: 'header', ...header(text) })),
          requestBody: { required: true, content: contentOf(content) },
          responses: Object.fromEntries(
            Object.entries(answers).map(([status, text]) => [status, { description: text }]),
          ),
        },
      },
    ]),
  );

const COMPONENT_PARAMETERS = {
  ...Object.fromEntries(
    Object.entries(PATH_PARAMETERS).map(([id, { name, description }]) => [
      id,
      { name, in: 'path', required: true, schema: { type: 'string' }, description },
    ]),
  ),
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    ...header(
      'Id for the request, repeated in the answer: at most 64 letters, digits, `.`, `_` and `-`, starting with a letter or digit. Anything else is ignored.',
      false,
    ),
  },
};

/** The document as JSON. The build makes it, because it depends on nothing that changes. */
export const openApiDocument = (): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Shipping rates',
    version: '1.0.0',
    description:
      'What it costs to ship packages within the United States: single quotes, and lists of shipments. Every error has the same body: `code` and `fault`.',
  },
  servers: [{ url: '/' }],
  tags: TAGS.map((name) => ({ name })),
  paths: paths(),
  webhooks: webhooks(),
  components: {
    schemas: COMPONENT_SCHEMAS,
    examples: FAULT_EXAMPLES,
    parameters: COMPONENT_PARAMETERS,
    headers: COMPONENT_HEADERS,
    securitySchemes: {
      token: {
        type: 'oauth2',
        flows: {
          clientCredentials: {
            tokenUrl: '/token/generate',
            scopes: { quote: 'Get quotes.', batch: 'Upload lists and follow them.' },
          },
        },
      },
      basic: { type: 'http', scheme: 'basic' },
    },
  },
});
