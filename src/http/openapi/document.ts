/** The OpenAPI 3.1 document, made from the schemas that validate requests and from the table of operations. */
import { z } from 'zod';
import { COMPARISONS_PATH } from '../../batch/links.ts';
import { batchPageSchema, batchSchema, comparisonPageSchema, comparisonSchema } from '../../batch/view.ts';
import { scenarioSchema } from '../../comparison/scenario.ts';
import { must } from '../../must.ts';
import { faultSchema } from '../../rating/fault.ts';
import { quoteSchema, rateQuoteSchema } from '../../rating/quote.ts';
import { rateRequest } from '../../rating/shipment.ts';
import { previewBody } from '../../rows/preview-body.ts';
import { delivery } from '../../webhook/deliveries.ts';
import { STATUS } from '../faults.ts';
import { API_OPERATIONS, type Operation } from '../operations.ts';
import { ANSWERS, batchEnded, comparisonEnded, errorBody, oauthErrorBody, QUERIES } from '../schemas.ts';
import { faultExamples, tokenFaultExample } from './examples.ts';
import {
  COMPONENT_HEADERS,
  type Described,
  type Description,
  faultHeaders,
  faultsOf,
  header,
  type Media,
  type Success,
  successHeaders,
} from './operation.ts';
import { DESCRIPTIONS, WEBHOOK_MESSAGES } from './operations.ts';

/** Schemas that the document names. */
const COMPONENTS: Readonly<Record<string, z.ZodType>> = {
  RateRequest: rateRequest,
  RateQuote: rateQuoteSchema,
  Quote: quoteSchema,
  ErrorBody: errorBody,
  OAuthErrorBody: oauthErrorBody,
  Fault: faultSchema,
  AccessToken: ANSWERS.generateToken,
  WarehouseList: ANSWERS.listWarehouses,
  ServiceList: ANSWERS.listServices,
  AgreementList: ANSWERS.listAgreements,
  Agreement: ANSWERS.getAgreement,
  LimitList: ANSWERS.listLimits,
  Batch: batchSchema,
  BatchPage: batchPageSchema,
  BatchPreview: previewBody,
  Summary: ANSWERS.getSummary,
  Scenario: scenarioSchema,
  Comparison: comparisonSchema,
  ComparisonPage: comparisonPageSchema,
  ComparisonSummary: ANSWERS.getComparisonSummary,
  Delivery: delivery,
  BatchEnded: batchEnded,
  ComparisonEnded: comparisonEnded,
};

type Json = Readonly<Record<string, unknown>>;

const SETTINGS = {
  io: 'input',
  override: ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    // Client generators treat a member with a default as always present.
    const { default: absent, description = '' } = jsonSchema;
    if (zodSchema instanceof z.ZodDefault && absent !== undefined) {
      delete jsonSchema.default;
      jsonSchema.description = `${description} \`${String(absent)}\` unless given.`.trimStart();
    }
    // The core has only the types of its own faults.
    if (zodSchema === faultSchema.shape.type) jsonSchema.enum = Object.keys(STATUS);
    // A list that is counted before its entries are checked: the second schema has the form of the entries.
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

const faultResponses = (operation: Described): Json => {
  const all = faultsOf(operation);
  const byStatus = [...new Set(all.map((type) => STATUS[type]))]
    .sort()
    .map((status) => [status, all.filter((type) => STATUS[type] === status)] as const);
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
                isOAuth(status) ? tokenFaultExample(type) : { $ref: `#/components/examples/${type}` },
              ]),
            ),
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

const idOf = (path: string): 'BatchId' | 'ComparisonId' =>
  path.startsWith(COMPARISONS_PATH) ? 'ComparisonId' : 'BatchId';

const parametersOf = ({ path, headers = {} }: Described, query: z.ZodObject | undefined): Json[] => [
  { $ref: '#/components/parameters/RequestId' },
  ...(path.includes('{id}') ? [{ $ref: `#/components/parameters/${idOf(path)}` }] : []),
  ...(path.includes('{name}') ? [{ $ref: '#/components/parameters/AgreementName' }] : []),
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

const successResponse = (success: Success, operation: Described, answer: z.ZodType | undefined): Json => {
  const { example, content } = success;
  const json =
    example === undefined
      ? []
      : [{ type: 'application/json', schema: must(answer, 'the schema of an answer'), example }];
  const media = content ?? json;
  return {
    description: success.description,
    headers: successHeaders(operation, success),
    ...(media.length > 0 && { content: contentOf(media) }),
  };
};

const operationOf = (id: string, operation: Described): Json => {
  const { tag, summary, description, body, success, alternative } = operation;
  const answers: Readonly<Record<string, z.ZodType>> = ANSWERS;
  const queries: Readonly<Record<string, z.ZodObject>> = QUERIES;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(operation),
    parameters: parametersOf(operation, queries[id]),
    ...(body !== undefined && { requestBody: { required: body.required, content: contentOf(body.content) } }),
    responses: {
      ...(alternative !== undefined && {
        [alternative.status]: successResponse(alternative, operation, answers[id]),
      }),
      [success.status]: successResponse(success, operation, answers[id]),
      ...faultResponses(operation),
    },
  };
};

const paths = (): Json => {
  const items: Record<string, Record<string, Json>> = {};
  const descriptions: Readonly<Record<string, Description>> = DESCRIPTIONS;
  for (const [id, operation] of Object.entries<Operation>(API_OPERATIONS)) {
    const described = { ...operation, ...must(descriptions[id], `the description of ${id}`) };
    items[operation.path] = { ...items[operation.path], [operation.method]: operationOf(id, described) };
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
  BatchId: {
    name: 'id',
    in: 'path',
    required: true,
    schema: { type: 'string' },
    description: 'Id of a batch of the client.',
  },
  ComparisonId: {
    name: 'id',
    in: 'path',
    required: true,
    schema: { type: 'string' },
    description: 'Id of a comparison of the client.',
  },
  AgreementName: {
    name: 'name',
    in: 'path',
    required: true,
    schema: { type: 'string' },
    description: 'Name of an agreement of the client.',
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    ...header(
      'Id for the request, repeated in the answer: at most 64 letters, digits, `.`, `_` and `-`, starting with a letter or digit. Anything else is ignored.',
      false,
    ),
  },
};

/** The document as JSON. Made once: it depends on nothing that changes. */
export const openApiDocument = (): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Shipping rates',
    version: '1.0.0',
    description:
      'What it costs to ship packages within the United States: single quotes, and lists of shipments as CSV. Every other answer than a success has the same body: `code` and `fault`.',
  },
  servers: [{ url: '/' }],
  tags: ['Tokens', 'Quotes', 'Batches', 'Comparisons', 'Webhooks', 'Operation'].map((name) => ({ name })),
  paths: paths(),
  webhooks: webhooks(),
  components: {
    schemas: components(),
    examples: faultExamples(),
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
