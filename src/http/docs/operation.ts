/** An operation as a section of the page: its input and answers next to an example of a request and of an answer. */
import type { z } from 'zod';
import { must } from '../../base/must.ts';
import { API_FAULTS, type ApiFaultType } from '../faults.ts';
import {
  type Described,
  faultsOf,
  mediaOf,
  PATH_PARAMETERS,
  pathParametersOf,
  type WebhookMessage,
} from '../openapi/operation.ts';
import { nameOf, queryOf, refTo, type Schema, schemaOf } from '../openapi/schemas.ts';
import type { Media, Success } from '../operation.ts';
import { codeBlock, Html, html, NOTHING, prettyJson, prose } from './html.ts';

/* A request as a command that people can run, with the variables of the quick start. */

const TOKEN = '-H "Authorization: Bearer $TOKEN"';

const formArguments = (example: unknown): string[] =>
  Object.entries(example ?? {}).map(([name, value]) => `-d ${name}=${encodeURIComponent(String(value))}`);

/** The arguments that send the first form of a body. */
const bodyArguments = ({ type, example }: Media): string[] => {
  if (type === 'application/x-www-form-urlencoded') return formArguments(example);
  const contentType = `-H 'Content-Type: ${type}'`;
  return type === 'application/json'
    ? [contentType, `-d '${prettyJson(example)}'`]
    : [contentType, '--data-binary @orders.csv'];
};

/** Samples for path parameters. */
const ON_THE_PATH: readonly (readonly [string, string])[] = [
  ['{id}', '$ID'],
  ['{name}', 'acme-c1'],
];

/** The query parameters that the call needs, with their examples. */
const searchOf = ({ query }: Described): string => {
  const needed = (query === undefined ? [] : queryOf(query)).filter(({ required }) => required);
  if (needed.length === 0) return '';
  const pairs = needed.map(({ name, schema }): [string, string] => [name, String(schema['example'] ?? '')]);
  return `?${new URLSearchParams(pairs).toString()}`;
};

/** The command. `$URL` and `$TOKEN` come from the quick start. `$ID` is the id of a batch or a comparison. */
const requestSample = (operation: Described): string => {
  const { method, path, caller, body, success } = operation;
  const place = ON_THE_PATH.reduce((text, [parameter, value]) => text.replace(parameter, value), path);
  const [media] = body?.content ?? [];
  const answers = success.content?.map(({ type }) => type) ?? [];
  const verb = method === 'delete' ? ' -X DELETE' : method === 'post' && media === undefined ? ' -X POST' : '';
  const flags = answers.includes('text/event-stream') ? ' -N' : '';
  const parts = [
    `curl${flags}${verb} "$URL${place}${searchOf(operation)}"`,
    ...(caller === 'everybody' || caller === 'credentials' ? [] : [TOKEN]),
    ...(media === undefined ? [] : bodyArguments(media)),
    ...(answers.includes('text/csv') ? [`-o ${path.split('/').at(-1)}.csv`] : []),
  ];
  return parts.join(' \\\n  ');
};

/** The schemas that the document names. `inPlace` names those that are shown at the only place that uses them. */
export interface NamedSchemas {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly inPlace: ReadonlySet<string>;
}

const titled = (title: string, content: Html): Html =>
  content.text === '' ? NOTHING : html`<h4>${title}</h4>${content}`;

const list = (items: readonly Html[]): Html => (items.length === 0 ? NOTHING : html`<ul class="members">${items}</ul>`);

/** The members of a body, or a link to the section that has them. */
const bodyMembers = (schema: z.ZodType, direction: Direction, { schemas, inPlace }: NamedSchemas): Html => {
  const told = refTo(schema);
  if (told.$ref === undefined) return memberList(told, direction);
  const name = nameOf(told.$ref);
  if (!inPlace.has(name)) return html`<p>Object: ${schemaLink(told.$ref)}</p>`;
  return html`<div id="schema-${name}">${memberList(must(schemas[name], `the schema ${name}`), direction)}</div>`;
};

const mediaItems = (media: readonly Media[], direction: Direction, named: NamedSchemas): Html[] =>
  media.map(({ type, description, schema }, index) => {
    // If a body has several forms with the same members, only the first form shows them.
    const members =
      schema === undefined || (index > 0 && type === 'application/json')
        ? NOTHING
        : bodyMembers(schema, direction, named);
    const text = description === undefined ? NOTHING : html` ${prose(description)}`;
    return html`<div class="media"><p><code>${type}</code>${text}</p>${members}</div>`;
  });

const NEED = html` <span class="need">required</span>`;
const MAY = html` <span class="may">may be absent</span>`;

const itemsOf = (items: readonly (readonly [name: string, schema: Schema, need?: Html])[]): Html =>
  list(items.map(([name, schema, need = NOTHING]) => memberItem(name, schema, need)));

const pathParameters = (path: string): Html =>
  itemsOf(
    pathParametersOf(path).map((id) => {
      const { name, description } = must(PATH_PARAMETERS[id], 'a parameter');
      return [name, { type: 'string', description }, NEED];
    }),
  );

const queryParameters = (query: z.ZodObject): Html =>
  itemsOf(
    queryOf(query).map(({ name, description, schema }) => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  );

const headerItems = (headers: Described['headers'] = {}): Html =>
  itemsOf(
    Object.entries(headers).map(([name, { description, schema }]) => [name, { ...schemaOf(schema), description }]),
  );

/** @param headers of an answer or a message, with their descriptions */
const answerHeaders = (headers: Success['headers'] = {}): Html =>
  itemsOf(
    Object.entries(headers).map(([name, text]) =>
      typeof text === 'string'
        ? [name, { type: 'string', description: text }]
        : [name, { type: 'string', description: text.sometimes }, MAY],
    ),
  );

const answerOf = (success: Success, { answer }: Described, named: NamedSchemas): Html => html`<div class="answer">
<p><span class="status">${success.status}</span> ${prose(success.description)}</p>
${mediaItems(mediaOf(success, answer), 'answer', named)}${answerHeaders(success.headers)}</div>`;

/** Who may call, and the limit that counts the call. */
const callerText = ({ caller, limit }: Described): Html => {
  const who = {
    quote: 'Needs a token with the scope `quote`.',
    batch: 'Needs a token with the scope `batch`.',
    client: 'Needs a token.',
    credentials: 'Needs a client id and its secret.',
    operator: 'Needs the session of an operator.',
    everybody: 'Needs no token.',
  }[caller];
  return html`<p class="caller">${prose(limit === 'none' ? who : `${who} The limit \`${limit}\` counts it.`)}</p>`;
};

/** A link to a fault, which is described once. */
export const faultLink = (type: ApiFaultType): Html =>
  html`<a href="#fault-${type}"><span class="status">${API_FAULTS[type].status}</span> ${type}</a>`;

const faultLinks = (operation: Described, common: ReadonlySet<ApiFaultType>): Html => {
  const own = faultsOf(operation)
    .filter((type) => !common.has(type))
    .toSorted((one, other) => API_FAULTS[one].status - API_FAULTS[other].status);
  return own.length === 0
    ? NOTHING
    : html`<ul class="fault-links">${own.map((type) => html`<li>${faultLink(type)}</li>`)}</ul>`;
};

const answerSample = (success: Success, title: string): Html => {
  const example = success.example ?? success.content?.find((media) => media.example !== undefined)?.example;
  if (example === undefined) return NOTHING;
  return codeBlock(prettyJson(example), 'json', `Answer ${success.status} to: ${title}`);
};

/** @param common faults that every call may have, which are described once */
export const operationSection = (
  operation: Described,
  common: ReadonlySet<ApiFaultType>,
  named: NamedSchemas,
): Html => {
  const { id, method, path, summary, description, body, headers, query, success, alternative } = operation;
  const answers = [success, ...(alternative === undefined ? [] : [alternative])];
  return html`<section class="pair" id="${id}" aria-labelledby="${id}-title">
<div class="about">
<h3 id="${id}-title">${summary}</h3>
<p class="call"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
${description === undefined ? NOTHING : html`<p>${prose(description)}</p>`}
${callerText(operation)}
${titled('Path', pathParameters(path))}
${query === undefined ? NOTHING : titled('Query', queryParameters(query))}
${titled('Headers', headerItems(headers))}
${body === undefined ? NOTHING : titled(body.required ? 'Body' : 'Body, optional', html`${mediaItems(body.content, 'request', named)}`)}
${titled('Answer', html`${answers.map((answer) => answerOf(answer, operation, named))}`)}
${titled('Faults', faultLinks(operation, common))}
</div>
<div class="samples">
${codeBlock(requestSample(operation), 'sh', `Request: ${summary}`)}
${answers.map((answer) => answerSample(answer, summary))}
</div>
</section>
`;
};

/** A message that clients receive. */
export const messageSection = (message: WebhookMessage, named: NamedSchemas): Html => {
  const { id, summary, description, headers, content, answers } = message;
  const example = content.find((media) => media.example !== undefined)?.example;
  return html`<section class="pair" id="${id}" aria-labelledby="${id}-title">
<div class="about">
<h3 id="${id}-title">${summary}</h3>
<p class="call"><span class="method post">POST</span> your webhook</p>
<p>${prose(description)}</p>
${titled('Headers', answerHeaders(headers))}
${titled('Body', html`${mediaItems(content, 'answer', named)}`)}
${titled('What your answer means', html`<dl>${Object.entries(answers).map(([status, text]) => html`<dt>${status === 'default' ? 'Any other' : status}</dt><dd>${prose(text)}</dd>`)}</dl>`)}
</div>
<div class="samples">${example === undefined ? NOTHING : codeBlock(prettyJson(example), 'json', `Message: ${summary}`)}</div>
</section>
`;
};

/** The names of schemas that exactly one body uses directly. */
export const usedOnce = (
  operations: readonly Described[],
  messages: readonly WebhookMessage[],
): ReadonlySet<string> => {
  const media = [
    ...operations.flatMap(({ body, success, alternative, answer }) => [
      ...(body?.content ?? []),
      ...mediaOf(success, answer),
      ...(alternative === undefined ? [] : mediaOf(alternative, answer)),
    ]),
    ...messages.flatMap(({ content }) => content),
  ];
  const counts = new Map<string, number>();
  for (const { schema } of media) {
    const ref = schema === undefined ? undefined : refTo(schema).$ref;
    if (ref !== undefined) counts.set(nameOf(ref), (counts.get(nameOf(ref)) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, uses]) => uses === 1).map(([name]) => name));
};

/** A request shows which members are required, with all of them open. An answer shows which may be absent, nested ones closed. */
export type Direction = 'request' | 'answer';

const joined = (parts: readonly Html[], by: string): Html => new Html(parts.map(({ text }) => text).join(by));

/** A link to the section of a schema that the document names. */
const schemaLink = (ref: string): Html => html`<a href="#schema-${nameOf(ref)}">${nameOf(ref)}</a>`;

const isSchema = (schema: unknown): schema is Schema => typeof schema === 'object' && schema !== null;

const choicesOf = ({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] => [...anyOf, ...oneOf];

/** The schema of the entries of a list or a map, if it is given. */
const entriesOf = ({ items, additionalProperties }: Schema): Schema | undefined =>
  [items, additionalProperties].find((entries) => isSchema(entries) && Object.keys(entries).length > 0) as
    | Schema
    | undefined;

const enumText = (values: readonly unknown[]): Html =>
  values.length === Object.keys(API_FAULTS).length && values.every((value) => String(value) in API_FAULTS)
    ? html`the type of a <a href="#faults">fault</a>`
    : html`one of ${joined(
        values.map((value) => html`<code>${String(value)}</code>`),
        ', ',
      )}`;

const FORMATS: Readonly<Record<string, string>> = { date: 'date, YYYY-MM-DD', 'date-time': 'time, RFC 3339' };

const PLAIN = ['object', 'string', 'number', 'integer', 'boolean'];

/** The type of a list's entries: plain types in the plural, other types unchanged. */
const entriesText = (entries: Schema): Html => {
  const text = typeText(entries);
  return PLAIN.includes(text.text) ? html`${text}s` : text;
};

/** The type of a value, without its members. */
const typeText = (schema: Schema): Html => {
  const { $ref, const: only, enum: values, type, format, additionalProperties } = schema;
  if ($ref !== undefined) return schemaLink($ref);
  if (only !== undefined) return html`<code>${JSON.stringify(only)}</code>`;
  if (values !== undefined) return enumText(values);
  const choices = choicesOf(schema);
  if (choices.length > 0) return joined(choices.map(typeText), ' or ');
  const entries = entriesOf(schema);
  if (type === 'array') return html`list${entries === undefined ? NOTHING : html` of ${entriesText(entries)}`}`;
  if (additionalProperties !== undefined && entries !== undefined)
    return html`object, each member: ${typeText(entries)}`;
  return html`${FORMATS[format ?? ''] ?? [type ?? 'any value'].flat().join(' or ')}`;
};

/** A range in words. Empty if neither end is given. @param unit follows each number, with a space */
const rangeText = (least: number | undefined, most: number | undefined, unit = ''): string => {
  if (least === undefined && most === undefined) return '';
  if (least === undefined) return `at most ${most}${unit}`;
  return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`;
};

const limitTexts = (schema: Schema): Html[] => {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems, pattern, format } = schema;
  // Integers without other limits have the limits of JavaScript.
  const isSafe = maximum === Number.MAX_SAFE_INTEGER;
  const texts = [
    isSafe ? '' : rangeText(minimum, maximum),
    exclusiveMinimum === undefined ? '' : `more than ${exclusiveMinimum}`,
    rangeText(minLength === 1 && maxLength !== undefined ? undefined : minLength, maxLength, ' characters'),
    rangeText(minItems, maxItems, ' entries'),
  ].filter((text) => text !== '');
  const form = pattern === undefined || format !== undefined ? [] : [html`form <code>${pattern}</code>`];
  return [...texts.map((text) => html`${text}`), ...form];
};

/** The objects that provide the members of a value, from lists, maps and choices. */
const objectsOf = (schema: Schema): readonly Schema[] => {
  if (schema.properties !== undefined) return [schema];
  const entries = entriesOf(schema);
  return [...(entries === undefined ? [] : [entries]), ...choicesOf(schema)].flatMap(objectsOf);
};

const needText = (isRequired: boolean, direction: Direction): Html => {
  if (direction === 'request') return isRequired ? NEED : NOTHING;
  return isRequired ? NOTHING : MAY;
};

/** A parameter or a member: its name, type and description. */
const memberItem = (name: string, schema: Schema, need: Html, below: Html = NOTHING): Html => {
  const { description, example } = schema;
  const type = joined([typeText(schema), ...limitTexts(schema)], ', ');
  const sample = example === undefined ? NOTHING : html` Such as <code>${String(example)}</code>.`;
  const text =
    description === undefined && sample === NOTHING ? NOTHING : html`<p>${prose(description ?? '')}${sample}</p>`;
  return html`<li><div class="member"><code class="name">${name}</code> <span class="type">${type}</span>${need}</div>${text}${below}</li>`;
};

const membersOf = (object: Schema, direction: Direction): Html => {
  const { properties = {}, required = [] } = object;
  const items = Object.entries(properties).map(([name, member]) => {
    const schema = isSchema(member) ? member : {};
    const lists = objectsOf(schema).map((below) => membersOf(below, direction));
    const below =
      lists.length === 0
        ? NOTHING
        : html`<details${direction === 'request' ? new Html(' open') : NOTHING}><summary>Members of <code>${name}</code></summary>${lists}</details>`;
    return memberItem(name, schema, needText(required.includes(name), direction), below);
  });
  return html`<ul class="members">${items}</ul>`;
};

/** The members of a schema as a list. Empty if it has none. */
export const memberList = (schema: Schema, direction: Direction): Html =>
  new Html(
    objectsOf(schema)
      .map((object) => membersOf(object, direction).text)
      .join(''),
  );
