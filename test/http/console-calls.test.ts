/** Every call that the console's pages make, held to what there is: the OpenAPI document, and the console's own routes. */
import { describe, expect, test } from 'vitest';
import { CALLS, type Call } from '../../src/console/calls.ts';
import { type BatchApi, listOf } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';
import { DOCUMENT } from './conformance.ts';

let api: BatchApi;
let session: Record<string, string>;
batchApiForFile(async (started) => {
  ({ api } = started);
  const { headers, body } = await api.api.call('/console/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"client_id":"demo","client_secret":"demo-secret"}',
  });
  session = { Cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '', 'X-CSRF-Token': body.csrf };
});

const calls = Object.entries<Call>(CALLS);
const documented = (path: string) => DOCUMENT.paths[path.replace(/^\/console/, '')];

test.each(calls.filter(([, { path }]) => documented(path) !== undefined))(
  '%s is a call of the API, with parameters that it has',
  (_name, { method, path, query = [] }) => {
    const operation = documented(path)[method.toLowerCase()];
    expect(operation).toBeDefined();
    const parameters: { in: string; name: string }[] = operation.parameters ?? [];
    const known = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    expect(query.filter((name) => !known.includes(name))).toEqual([]);
  },
);

test('all others are the console’s own', () => {
  const own = calls.filter(([, { path }]) => documented(path) === undefined).map(([, { path }]) => path);
  const known =
    /^\/console\/(?:session|tariffs(?:\/zones|\/card)?|centroids|v1\/client\/shipment\/rates\/batches\/\{id\}\/rows)$/;
  expect(own.filter((path) => !known.test(path))).toEqual([]);
  expect(own.length).toBeGreaterThan(3);
});

describe('each is answered below /console, and knows its parameters:', () => {
  // Those that change something are held to the document above.
  const reading = calls.filter(([, { method }]) => method === 'GET');
  test.each(reading)('%s', async (_name, { path, query = [] }) => {
    const id = await api.upload(listOf(1));
    // Values are nonsense: it is the names that are asked about.
    const search = query.length === 0 ? '' : `?${query.map((name) => `${name}=-`).join('&')}`;
    const answer = await fetch(`${api.api.url}${path.replace('{id}', id)}${search}`, {
      headers: session,
      signal: AbortSignal.timeout(10_000),
    });
    expect([401, 404, 405]).not.toContain(answer.status);
    if (answer.headers.get('content-type')?.startsWith('text/event-stream') === true) await answer.body?.cancel();
    else expect(await answer.text()).not.toContain('is not a parameter of this call');
  });
});
