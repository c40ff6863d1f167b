/** The OpenAPI 3.1 document, made of the schemas that requests are validated with and the table of operations. */
import { z } from 'zod';
import { previewBody } from '../../batch/preview-body.ts';
import { rateRequest } from '../../rating/shipment.ts';
import { delivery } from '../../webhook/deliveries.ts';
import { STATUS } from '../faults.ts';
import { batch, batchPage, summary } from './batch-schemas.ts';
import { faultExamples } from './fault-examples.ts';
import { faultsOf, type Media, type Operation, type Success } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import {
  accessToken,
  errorBody,
  fault,
  oauthErrorBody,
  quote,
  rateQuote,
  serviceList,
  warehouseList,
} from './quote-schemas.ts';

/** Schemas that the document names. */
const COMPONENTS: Readonly<Record<string, z.ZodType>> = {
  RateRequest: rateRequest,
  RateQuote: rateQuote,
  Quote: quote,
  ErrorBody: errorBody,
  OAuthErrorBody: oauthErrorBody,
  Fault: fault,
  AccessToken: accessToken,
  WarehouseList: warehouseList,
  ServiceList: serviceList,
  Batch: batch,
  BatchPage: batchPage,
  BatchPreview: previewBody,
  Summary: summary,
  Delivery: delivery,
};

type Json = Readonly<Record<string, unknown>>;

const SETTINGS = {
  io: 'input',
  override: ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    // A list that is counted before its entries are looked at: what these must be stands in the second schema.
    if (zodSchema instanceof z.ZodPipe && zodSchema.in instanceof z.ZodArray && zodSchema.out instanceof z.ZodArray) {
      const { element } = zodSchema.out;
      if (element instanceof z.ZodType) jsonSchema.items = schemaOf(element);
    }
  },
} as const;

const schemaOf = (schema: z.ZodType): z.core.JSONSchema.BaseSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, SETTINGS);
  return rest;
};

const components = (): Json => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { ...SETTINGS, uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema: _, $id: __, ...rest }]) => [id, rest]));
};

const refTo = (schema: z.ZodType): Json => {
  const name = Object.keys(COMPONENTS).find((id) => COMPONENTS[id] === schema);
  return name === undefined ? { ...schemaOf(schema) } : { $ref: `#/components/schemas/${name}` };
};

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

const header = (description: string, required = true): Json => ({ description, required, schema: { type: 'string' } });

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
const LIMITED = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
};
const FAULT_HEADERS: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': header('How to authenticate (RFC 6750).') },
  403: { 'WWW-Authenticate': header('Which scope is needed (RFC 6750).') },
  405: { Allow: header('The methods that there are.') },
  429: { 'Retry-After': header('Seconds after which to try again.') },
  503: { 'Retry-After': header('Seconds after which to try again.') },
};

const faultResponses = (operation: Operation): Json => {
  const all = faultsOf(operation);
  const byStatus = [...new Set(all.map((type) => STATUS[type]))]
    .sort()
    .map((status) => [status, all.filter((type) => STATUS[type] === status)] as const);
  const body = operation.caller === 'credentials' ? 'OAuthErrorBody' : 'ErrorBody';
  return Object.fromEntries(
    byStatus.map(([status, types]) => [
      status,
      {
        description: types.map((type) => `\`${type}\``).join(', '),
        headers: { ...REQUEST_ID, ...FAULT_HEADERS[status] },
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${[405, 500].includes(status) ? 'ErrorBody' : body}` },
            examples: Object.fromEntries(types.map((type) => [type, { $ref: `#/components/examples/${type}` }])),
          },
        },
      },
    ]),
  );
};

const queryOf = (query: z.ZodObject): Json[] =>
  Object.entries(query.shape).map(([name, schema]) => {
    const { description, ...rest } = schemaOf(z.instanceof(z.ZodType).parse(schema));
    return { name, in: 'query', required: false, ...(description !== undefined && { description }), schema: rest };
  });

const parametersOf = ({ path, query, headers = {} }: Operation): Json[] => [
  ...(path.includes('{id}') ? [{ $ref: '#/components/parameters/BatchId' }] : []),
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
  return [{ token: caller === 'token' ? [] : [caller] }];
};

const successResponse = ({ description, headers, content }: Success, { limited }: Operation): Json => {
  const own = Object.entries(headers ?? {}).map(([name, text]) => [name, header(text)]);
  return {
    description,
    headers: { ...REQUEST_ID, ...(limited ? LIMITED : {}), ...Object.fromEntries(own) },
    ...(content.length > 0 && { content: contentOf(content) }),
  };
};

const operationOf = (operation: Operation): Json => {
  const { id, tag, summary: title, description, body, success, alternative } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary: title,
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
  for (const operation of OPERATIONS) {
    items[operation.path] = { ...items[operation.path], [operation.method]: operationOf(operation) };
  }
  return items;
};

/** The document as JSON. Made once: it depends on nothing that changes. */
export const openApiDocument = (): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Shipping rates',
    version: '1.0.0',
    description:
      'What it costs to ship packages within the United States: single quotes, and lists of shipments as CSV. Every answer that is not a success has one body: `code` and `fault`.',
  },
  servers: [{ url: '/' }],
  tags: ['Tokens', 'Quotes', 'Batches', 'Webhooks', 'Operation'].map((name) => ({ name })),
  paths: paths(),
  components: {
    schemas: components(),
    examples: faultExamples(),
    parameters: {
      BatchId: {
        name: 'id',
        in: 'path',
        required: true,
        schema: { type: 'string' },
        description: 'Id of a batch of the client.',
      },
    },
    headers: {
      'X-Request-Id': header(
        'Id of the request, for questions about it; taken over from the request where it is sane.',
      ),
      'RateLimit-Policy': header('Calls that are allowed a minute: `"quotes";q=60000;w=60`.'),
      RateLimit: header('What is left, for how many seconds: `"quotes";r=59999;t=60`.'),
    },
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
