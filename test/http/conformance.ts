/** Checks answers against the OpenAPI document, with a validator for JSON Schema 2020-12. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsOf from 'ajv-formats';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import type { Answer } from './api.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look at any part of the document
export const DOCUMENT: any = JSON.parse(JSON.stringify(openApiDocument()));

/** Objects may get more members later. Answers must not have undocumented members now. */
const closed = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, closed(value)] as const);
  const object = Object.fromEntries(entries);
  return 'properties' in node && !('additionalProperties' in node)
    ? { ...object, additionalProperties: false }
    : object;
};

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
formatsOf.default(ajv);
ajv.addKeyword('example');
const components: object = { $id: 'doc', components: { schemas: closed(DOCUMENT.components.schemas) } };
ajv.addKeyword('components');
ajv.addSchema(components);

/** By the text of their schema. Compiling takes much longer than validating. */
const validators = new Map<string, ValidateFunction>();

/** The problems of a value by a schema of the document. Empty if it is valid. */
export const problemsOf = (schema: object, value: unknown): string => {
  const text = JSON.stringify(schema).replaceAll('"#/components', '"doc#/components');
  const validate = validators.get(text) ?? ajv.compile(closed(JSON.parse(text)) as object);
  validators.set(text, validate);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
};

/** The target of a `$ref`, or the node itself. */
export const resolved = <T extends { $ref?: string }>(node: T): T =>
  node.$ref === undefined
    ? node
    : node.$ref
        .slice(2)
        .split('/')
        .reduce((at, key) => at[key], DOCUMENT);

/** Headers of HTTP itself, and headers for browsers that show a page. */
const UNTOLD = [
  ...['connection', 'keep-alive', 'date', 'content-length', 'content-type', 'transfer-encoding', 'vary'],
  ...['x-content-type-options', 'x-download-options', 'x-permitted-cross-domain-policies', 'x-xss-protection'],
  ...['x-dns-prefetch-control', 'x-frame-options', 'content-security-policy', 'cross-origin-opener-policy'],
  ...['cross-origin-resource-policy', 'origin-agent-cluster', 'referrer-policy'],
];

/** How an answer disagrees with the document: status, headers, media type, body, or fault. */
export const disagreements = (
  method: string,
  path: string,
  { status, headers, body }: Pick<Answer, 'status' | 'headers'> & { readonly body?: unknown },
): string[] => {
  const response = DOCUMENT.paths[path]?.[method]?.responses[status];
  if (response === undefined) return [`${method} ${path} has no ${status}`];
  const wrong: string[] = [];
  for (const [name, header] of Object.entries<{ $ref?: string; required?: boolean }>(response.headers))
    if (resolved(header).required && headers.get(name) === null) wrong.push(`no header ${name}`);
  const told = new Set(Object.keys(response.headers).map((name) => name.toLowerCase()));
  for (const name of headers.keys())
    if (!told.has(name) && !UNTOLD.includes(name)) wrong.push(`the header ${name}, which is not told of`);
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  if (response.content === undefined) return body === undefined ? wrong : [...wrong, 'a body'];
  const media = response.content[type];
  if (media === undefined) return [...wrong, `media type ${type}`];
  const problems = type === 'application/json' ? problemsOf(media.schema, body) : '';
  if (problems !== '') wrong.push(problems);
  const fault = typeof body === 'object' && body !== null && 'fault' in body ? body.fault : undefined;
  if (typeof fault === 'object' && fault !== null && 'type' in fault && !(String(fault.type) in (media.examples ?? {})))
    wrong.push(`the fault ${fault.type}`);
  return wrong;
};
