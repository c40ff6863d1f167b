/** JSON schemas of the document and its page, made from the schemas that validate requests. */
import { z } from 'zod';
import { delivery } from '../../base/webhook/deliveries.ts';
import { batchPageSchema, batchSchema, comparisonPageSchema, comparisonSchema } from '../../batch/view.ts';
import { agreementBody, agreementsBody } from '../../catalog/agreement/view/schemas.ts';
import { scenarioSchema } from '../../lists/comparison/scenario.ts';
import { previewBody } from '../../lists/preview/preview-body.ts';
import { faultSchema, quoteSchema, rateQuoteSchema } from '../../rating/quote.ts';
import { rateRequest } from '../../rating/shipment.ts';
import { comparisonSummaryBody, summaryBody } from '../batches/batches.ts';
import { limitList, serviceList, warehouseList } from '../client-info.ts';
import { accessToken } from '../credentials.ts';
import { API_FAULT_TYPES } from '../faults.ts';
import { batchEnded, comparisonEnded, errorBody, oauthErrorBody } from '../schemas.ts';

export type Schema = z.core.JSONSchema.BaseSchema;

/** Schemas that the document names. */
const COMPONENTS: Readonly<Record<string, z.ZodType>> = {
  RateRequest: rateRequest,
  RateQuote: rateQuoteSchema,
  Quote: quoteSchema,
  ErrorBody: errorBody,
  OAuthErrorBody: oauthErrorBody,
  Fault: faultSchema,
  AccessToken: accessToken,
  WarehouseList: warehouseList,
  ServiceList: serviceList,
  AgreementList: agreementsBody,
  Agreement: agreementBody,
  LimitList: limitList,
  Batch: batchSchema,
  BatchPage: batchPageSchema,
  BatchPreview: previewBody,
  Summary: summaryBody,
  Scenario: scenarioSchema,
  Comparison: comparisonSchema,
  ComparisonPage: comparisonPageSchema,
  ComparisonSummary: comparisonSummaryBody,
  Delivery: delivery,
  BatchEnded: batchEnded,
  ComparisonEnded: comparisonEnded,
};

const SETTINGS = {
  io: 'input',
  override: ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Schema }) => {
    // Client generators treat a member with a default as always present.
    const { default: absent, description = '' } = jsonSchema;
    if (zodSchema instanceof z.ZodDefault && absent !== undefined) {
      delete jsonSchema.default;
      jsonSchema.description = `${description} Default: \`${String(absent)}\`.`.trimStart();
    }
    // The core has only the types of its own faults.
    if (zodSchema === faultSchema.shape.type) jsonSchema.enum = [...API_FAULT_TYPES];
    // A list that is counted before its entries are checked. The second schema describes the entries.
    if (zodSchema instanceof z.ZodPipe && zodSchema.in instanceof z.ZodArray && zodSchema.out instanceof z.ZodArray) {
      const { element } = zodSchema.out;
      if (element instanceof z.ZodType) jsonSchema.items = schemaOf(element);
    }
  },
} as const;

/** A schema whose parts have no names. */
export const schemaOf = (schema: z.ZodType): Schema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, SETTINGS);
  return rest;
};

const PREFIX = '#/components/schemas/';

const makeComponents = (): Readonly<Record<string, Schema>> => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { ...SETTINGS, uri: (id) => `${PREFIX}${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema: _, $id: __, ...rest }]) => [id, rest]));
};

/**
 * The schemas that the document names. They refer to each other. Zod makes them all in one step, which takes 40 ms, so this
 * happens at the start, before anybody waits for a quote.
 */
export const COMPONENT_SCHEMAS = makeComponents();

/** A reference to the schema if the document names it, otherwise the schema itself. */
export const refTo = (schema: z.ZodType): Schema => {
  const name = Object.keys(COMPONENTS).find((id) => COMPONENTS[id] === schema);
  return name === undefined ? schemaOf(schema) : { $ref: `${PREFIX}${name}` };
};

/** The name of the schema that a reference in the document points to. */
export const nameOf = (ref: string): string => ref.slice(PREFIX.length);

export const queryOf = (query: z.ZodObject) =>
  Object.entries(query.shape).map(([name, schema]) => {
    const own = z.instanceof(z.ZodType).parse(schema);
    const { description, ...rest } = schemaOf(own);
    const required = !own.safeParse(undefined).success;
    return { name, in: 'query' as const, required, ...(description !== undefined && { description }), schema: rest };
  });
