/** A JSON schema as a list of members: name, type, limits, description, and nested members. */
import { API_FAULTS } from '../faults.ts';
import { nameOf, type Schema } from '../openapi/schemas.ts';
import { Html, html, NOTHING, prose } from './html.ts';

/** A request shows which members are required, with all of them open. An answer shows which may be absent, nested ones closed. */
export type Direction = 'request' | 'answer';

const joined = (parts: readonly Html[], by: string): Html => new Html(parts.map(({ text }) => text).join(by));

/** A link to the section of a schema that the document names. */
export const schemaLink = (ref: string): Html => html`<a href="#schema-${nameOf(ref)}">${nameOf(ref)}</a>`;

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
  if (direction === 'request') return isRequired ? html` <span class="need">required</span>` : NOTHING;
  return isRequired ? NOTHING : html` <span class="may">may be absent</span>`;
};

/** A parameter or a member: its name, type and description. */
export const memberItem = (name: string, schema: Schema, need: Html, below: Html = NOTHING): Html => {
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
