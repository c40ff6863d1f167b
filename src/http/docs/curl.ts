/** A request as a command that can be run, with the variables of the quick start. */
import type { Described, Media } from '../openapi/operation.ts';
import { queryOf } from '../openapi/schemas.ts';
import { prettyJson } from './code.ts';

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

/** What stands in a path for its parameters. */
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

/** The command. `$URL` and `$TOKEN` are those of the quick start, `$ID` is the id of a batch or a comparison. */
export const requestSample = (operation: Described): string => {
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
