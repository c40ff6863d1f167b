/** The service has a route for every call of the console's pages, and accepts its parameters. */
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { CALLS, type Call } from '../../src/console/calls.ts';
import { QUERIES } from '../../src/http/schemas.ts';
import { type BatchApi, listOf } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';
import { comparisonsOf } from './comparison-api.ts';
import { DOCUMENT } from './conformance.ts';

let api: BatchApi;
let session: Record<string, string>;
batchApiForFile(
  async (started) => {
    ({ api } = started);
    const { headers, body } = await api.api.call('/console/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"client_id":"demo","client_secret":"demo-secret"}',
    });
    session = { Cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '', 'X-CSRF-Token': body.csrf };
  },
  { worker: true },
);

/** The id of a comparison. */
const comparisonId = async (): Promise<string> => {
  const batch = await api.upload(listOf(1));
  await api.ended(batch);
  return await comparisonsOf(api).compare(batch, [{ service: 'cheapest' }]);
};

// Those of operators are in `operator/session.test.ts`.
const calls = Object.entries<Call>(CALLS).filter(([, { path }]) => !path.startsWith('/ops/'));
const queries: Readonly<Record<string, z.ZodObject>> = QUERIES;

test('each is a call of the API below /console, or one of the console alone', () => {
  for (const [, { method, path }] of calls)
    expect([method, path, DOCUMENT.paths[path.replace('/console', '')]?.[method.toLowerCase()] !== undefined]).toEqual([
      method,
      path,
      !/^\/console\/(?:session|tariffs(?:\/zones|\/card)?|centroids|drafts|mappings(?:\/\{id\})?|v1\/.+\/(?:rows?|mending))$/.test(
        path,
      ),
    ]);
});

describe('each is answered below /console, with its parameters:', () => {
  // Calls that change something use the routes and schemas of the API.
  // `agreements.test.ts` asks for an agreement.
  const reading = calls.filter(([name, { method }]) => method === 'GET' && name !== 'agreement');
  test.each(reading)('%s', async (_name, { operation, path }) => {
    const id = path.includes('/comparisons/{id}') ? await comparisonId() : await api.upload(listOf(1));
    // The values are nonsense. The test is about the names.
    const search = Object.keys(queries[operation]?.shape ?? {})
      .map((name) => `${name}=-`)
      .join('&');
    const answer = await fetch(`${api.api.url}${path.replace('{id}', id)}?${search}`, {
      headers: session,
      signal: AbortSignal.timeout(10_000),
    });
    expect([401, 404, 405]).not.toContain(answer.status);
    if (answer.headers.get('content-type')?.startsWith('text/event-stream') === true) await answer.body?.cancel();
    else expect(await answer.text()).not.toContain('is not a parameter of this call');
  });
});
