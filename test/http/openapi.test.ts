import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import type { Call } from '../../src/http/call.ts';
import { API_FAULT_TYPES, statusOf } from '../../src/http/faults.ts';
import { API_CALLS } from '../../src/http/operations.ts';
import { startReceiver } from '../base/webhook/receiver.ts';
import { ACME_C1 } from '../catalog/agreement/acme-c1.ts';
import type { TestRedis } from '../redis.ts';
import { soon } from '../soon.ts';
import { apiWithAgreements } from './agreement-api.ts';
import { type Answer, RATES, rateRequest, sampleClients, withDemo } from './api.ts';
import { BATCHES, type BatchApi, HEADER, listOf, startBatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';
import { COMPARISONS, comparisonsOf } from './comparison-api.ts';
import { DOCUMENT, disagreements, problemsOf, resolved } from './conformance.ts';

type Content = Record<string, { schema: object; example?: unknown; examples?: object }>;
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { content: Content };
  readonly responses: Record<string, { content?: Content }>;
}
const operations = Object.values<Record<string, Operation>>(DOCUMENT.paths).flatMap((item) => Object.values(item));

const sorted = (entries: Iterable<readonly [string, number]>) => [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));

test('warehouses and units have their format in the document', () => {
  const { shipper, packageItems } = DOCUMENT.components.schemas.RateRequest.properties.rates.properties;
  const [, several] = shipper.properties.warehouse_id.anyOf;
  const form = new RegExp(several.pattern, 'u');
  for (const text of ['any', ' Any ', '101|103', '101 | 103']) expect(form.test(text)).toBe(true);
  for (const text of ['', '101', 'many', '101|', '101||103', '12345678901|1']) expect(form.test(text)).toBe(false);
  expect(packageItems.items.properties.weight.properties.units.enum).toEqual(['KG', 'LB']);
  const parameters: { name: string; schema: { pattern?: string; enum?: string[] } }[] =
    DOCUMENT.paths[BATCHES].post.parameters;
  const named = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema;
  const choice = new RegExp(named('warehouse_id')?.pattern ?? '', 'u');
  expect(['101', 'any', '101|103', '0', 'x'].map((text) => choice.test(text))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect([named('units')?.enum, named('dimension_units')?.enum]).toEqual([
    ['KG', 'LB', 'OZ', 'G'],
    ['IN', 'CM'],
  ]);
});

describe('faults are the same everywhere', () => {
  const inCode = sorted(API_FAULT_TYPES.map((type) => [type, statusOf(type)] as const));

  test('the document has an example of each, under its code, as an error body', () => {
    const examples = Object.entries<{ value: { code: number; fault: { type: string } } }>(DOCUMENT.components.examples);
    expect(sorted(examples.map(([type, { value }]) => [type, value.code]))).toEqual(inCode);
    for (const [type, { value }] of examples) {
      expect(value.fault.type).toBe(type);
      expect(problemsOf({ $ref: '#/components/schemas/ErrorBody' }, value)).toBe('');
    }
  });

  test('operations list each fault under its code, and every fault has an operation', () => {
    const told = new Map<string, number>();
    for (const { responses } of operations)
      for (const [status, { content }] of Object.entries(responses))
        for (const type of Object.keys(content?.['application/json']?.examples ?? {})) told.set(type, Number(status));
    // These occur only in rows of an output.
    expect(sorted([...told, ['row.malformed', 422], ['row.order', 422]])).toEqual(inCode);
  });
});

describe('examples match their schemas:', () => {
  test('requests, and each JSON or form request has one', () => {
    const messages = Object.values<{ post: Operation }>(DOCUMENT.webhooks).map(({ post }) => post);
    const bodies = [...operations, ...messages].flatMap(({ requestBody }) =>
      Object.entries(requestBody?.content ?? {}),
    );
    const missing = bodies.filter(([, { example }]) => example === undefined).map(([type]) => type);
    expect(missing.filter((type) => /json|urlencoded/.test(type))).toEqual([]);
    for (const [, { schema, example }] of bodies)
      if (example !== undefined) expect(problemsOf(schema, example)).toBe('');
  });

  test('answers, and each JSON answer has one', () => {
    for (const { operationId, responses } of operations)
      for (const [status, { content }] of Object.entries(responses)) {
        const media = content?.['application/json'];
        if (media === undefined) continue;
        const { schema, example, examples = {} } = media;
        const values = Object.values<{ $ref?: string; value?: unknown }>({ ...examples }).map(
          (entry) => resolved(entry).value,
        );
        const all = example === undefined ? values : [example, ...values];
        expect([operationId, status, all.length > 0]).toEqual([operationId, status, true]);
        for (const value of all)
          expect([operationId, status, problemsOf(schema, value)]).toEqual([operationId, status, '']);
      }
  });
});

let redis: TestRedis;
let api: BatchApi;
const checked = new Set<string>();

/** Reads that need nothing in their path and answer with JSON. */
const PLAIN_READS = Object.values<Call<never>>(API_CALLS)
  .filter(({ method, path, answer }) => method === 'get' && !path.includes('{') && answer !== undefined)
  .map(({ path }) => path);

/** Checks an answer against the document. */
const agree = (method: string, path: string, answer: Answer | (Omit<Answer, 'body'> & { text: string })): void => {
  expect(disagreements(method, path, { body: undefined, ...answer })).toEqual([]);
  checked.add(`${method} ${path} ${answer.status}`);
};

batchApiForFile((started) => ({ redis, api } = started));

interface RouteLayer {
  readonly route?: { readonly path: string; readonly stack: readonly { readonly method?: string }[] };
}

const routesOf = (stack: readonly RouteLayer[], below = ''): string[] =>
  stack.flatMap(({ route }) =>
    route === undefined
      ? []
      : [...new Set(route.stack.map(({ method }) => method))]
          .filter((method) => method !== undefined)
          .map((method) => `${method} ${`${below}${route.path}`.replace(/(.)\/$/, '$1').replace(/:(\w+)/g, '{$1}')}`),
  );

test('every route is in the document, and every operation of the document is a route', () => {
  const routes = routesOf(createApp(api.api.deps).routes.router.stack);
  const documented = Object.entries<object>(DOCUMENT.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  );
  const ofPages = /^\w+ (?:\/docs\/|\/console\/|\/shared\/|\/?$)/;
  expect(routes.filter((route) => !ofPages.test(route)).toSorted()).toEqual(documented.toSorted());
});

const json = { 'Content-Type': 'application/json' };

/** The example of a success. */
const exampleOf = (method: string, path: string, status = 200) =>
  DOCUMENT.paths[path][method].responses[status].content['application/json'].example;

describe('examples are the real answers to the sample client:', () => {
  test('the quote for the example request', async () => {
    const { example } = DOCUMENT.paths[RATES].post.requestBody.content['application/json'];
    expect((await api.api.quote(example)).body).toEqual(exampleOf('post', RATES));
  });

  test.each(['/v1/client/warehouses', '/v1/client/services'])('%s', async (path) => {
    expect((await api.api.call(path, { headers: api.bearer() })).body).toEqual(exampleOf('get', path));
  });

  test('the batch of the example list, its preview and its summary', async () => {
    const list = DOCUMENT.paths[BATCHES].post.requestBody.content['text/csv'].example;
    const preview = await api.post(list, '?preview=true', { 'Content-Type': 'text/csv' });
    expect(preview.body).toEqual(exampleOf('post', BATCHES));
    const id = await api.upload(list, '?filename=orders.csv');
    const compared = await api.upload(list, '?filename=orders.csv&services=all');
    const alike = (value: { id?: string }) => {
      const text = JSON.stringify(value).replaceAll(value.id ?? '', 'ID');
      return JSON.parse(text.replaceAll(/"20\d\d-\d\d-\d\dT[^"]+"/g, '"TIME"'));
    };
    expect(alike((await api.call('GET', `/${id}`)).body)).toEqual(alike(exampleOf('post', BATCHES, 202)));
    const stop = await api.work();
    await api.ended(id);
    await api.ended(compared);
    await stop();
    expect(alike((await api.call('GET', `/${id}`)).body)).toEqual(alike(exampleOf('get', `${BATCHES}/{id}`)));
    const summary = exampleOf('get', `${BATCHES}/{id}/summary`);
    expect(alike((await api.call('GET', `/${compared}/summary`)).body)).toEqual(alike(summary));
    const { allServices: _, ...plain } = summary;
    expect(alike((await api.call('GET', `/${id}/summary`)).body)).toEqual(alike(plain));
  });
});

test('the document and the refusal name the same media types for lists', async () => {
  const answer = await api.post('x', '', { 'Content-Type': 'image/png' });
  const told = String(answer.body.fault.arguments['Content-Type']).replace('must be ', '').split(' or ');
  for (const path of [BATCHES, `${BATCHES}/{id}/corrections`])
    expect(Object.keys(DOCUMENT.paths[path].post.requestBody.content).toSorted()).toEqual(told.toSorted());
});

describe('answers match the document:', () => {
  test('tokens', async () => {
    const { schema } = DOCUMENT.paths['/token/generate'].post.requestBody.content['application/x-www-form-urlencoded'];
    expect(problemsOf(schema, { grant_type: 'client_credentials' })).toBe('');
    expect(problemsOf(schema, { client_id: 'demo', client_secret: 'demo-secret' })).toContain('grant_type');
    const ask = (body: string) => api.api.call('/token/generate', { method: 'POST', headers: json, body });
    agree('post', '/token/generate', await ask('{"client_id":"demo","client_secret":"demo-secret"}'));
    const refused = [await ask('{"client_id":"demo","client_secret":"wrong"}'), await ask('{')];
    for (const answer of refused) {
      agree('post', '/token/generate', answer);
      const { examples } = DOCUMENT.paths['/token/generate'].post.responses[answer.status].content['application/json'];
      expect(examples[answer.body.fault.type].value.error).toBe(answer.body.error);
    }
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'x' });
    let last = await api.api.call('/token/generate', { method: 'POST', body });
    while (last.status === 401) last = await api.api.call('/token/generate', { method: 'POST', body });
    expect(last.status).toBe(429);
    agree('post', '/token/generate', last);
    agree('post', '/token/generate', await ask(JSON.stringify('x'.repeat(300_000))));
    agree('post', '/token/generate', await api.api.call('/token/generate', { method: 'POST', body: 'x' }));
  });

  test('quotes', async () => {
    const quote = api.api.quote;
    agree('post', RATES, await quote(rateRequest()));
    agree('post', RATES, await quote(rateRequest({ shippingService: undefined }), '?explain=true'));
    agree('post', RATES, await quote(rateRequest({ shipper: { warehouse_id: 'any' } }), '?explain=true'));
    agree('post', RATES, await quote(rateRequest({ shippingService: 'C9-NONE' })));
    agree('post', RATES, await quote('{'));
    agree('post', RATES, await quote('{}'));
    agree('post', RATES, await quote(JSON.stringify('x'.repeat(300_000))));
    agree('post', RATES, await quote(rateRequest(), '', { 'Content-Type': 'text/plain' }));
    agree('post', RATES, await quote(rateRequest(), '', { Authorization: 'Bearer x' }));
    const token = await api.api.tokenOf('demo', 'demo-secret', 'batch');
    agree('post', RATES, await quote(rateRequest(), '', api.bearer(token)));
  });

  test.each(PLAIN_READS)('%s', async (path) => {
    agree('get', path, await api.api.call(path, { headers: api.bearer() }));
  });

  test('an agreement', async () => {
    const own = await apiWithAgreements('2026-06-01', [{ document: ACME_C1 }]);
    const headers = { Authorization: `Bearer ${own.token}` };
    const path = '/v1/client/agreements';
    agree('get', `${path}/{name}`, await own.call(`${path}/acme-c1`, { headers }));
    agree('get', `${path}/{name}`, await own.call(`${path}/acme-c2`, { headers }));
    await own.close();
  });

  test('webhooks', async () => {
    const log = '/v1/client/webhooks/deliveries';
    agree('get', log, await api.api.call(`${log}?limit=x`, { headers: api.bearer() }));
  });

  test.each(['/metrics', '/docs'])('%s', async (path) => {
    const { status, headers } = await fetch(`${api.api.url}${path}`);
    agree('get', path, { status, headers, body: '' });
  });

  test('batches', async () => {
    const csv = { 'Content-Type': 'text/csv' };
    const one = `${BATCHES}/{id}`;
    agree('get', `${one}/output`, await api.call('GET', '/b0000000000000000000000000/output'));
    agree('post', BATCHES, await api.post(HEADER, '', csv));
    agree('post', BATCHES, await api.post(listOf(1), '?colour=red', csv));
    agree('post', BATCHES, await api.post(listOf(1), '', { 'Content-Type': 'image/png' }));
    const id = await api.upload(`${listOf(7)}F1,101,0213,2,LB,,\n`);
    agree('post', BATCHES, await api.post(listOf(1), '', { ...csv, 'Idempotency-Key': 'k' }));
    const again = await api.post(listOf(1), '', { ...csv, 'Idempotency-Key': 'k' });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    agree('post', BATCHES, again);
    agree('post', BATCHES, await api.post(listOf(2), '', { ...csv, 'Idempotency-Key': 'k' }));
    agree('post', BATCHES, await api.post(listOf(1), '', { ...csv, 'Content-Encoding': 'br' }));
    agree('get', BATCHES, await api.call('GET', '?limit=1'));
    agree('get', BATCHES, await api.call('GET', '?limit=0'));
    agree('get', one, await api.call('GET', `/${id}`));
    agree('get', one, await api.call('GET', `/${id}x`));
    agree('delete', one, await api.call('DELETE', `/${id}`));
    for (const below of ['output', 'faults', 'unprocessed', 'summary'])
      agree('get', `${one}/${below}`, await api.call('GET', `/${id}/${below}`));
    agree('post', BATCHES, await api.post(listOf(2), '?preview=true', csv));
    const cancelled = await api.upload(listOf(40));
    agree('post', `${one}/cancel`, await api.call('POST', `/${cancelled}/cancel`));
    const stop = await api.work();
    await api.ended(id);
    await api.ended(cancelled);
    await stop();
    agree('get', one, await api.call('GET', `/${id}`));
    for (const below of ['output', 'faults', 'unprocessed'])
      agree('get', `${one}/${below}`, { ...(await api.file(`/${id}/${below}`)), body: '' });
    agree('get', `${one}/summary`, await api.call('GET', `/${id}/summary`));
    const stream = await api.file(`/${id}/events`);
    agree('get', `${one}/events`, { ...stream, body: '' });
    const headers = { ...api.bearer(), 'Last-Event-ID': /^id: (.+)$/m.exec(stream.text)?.[1] ?? '' };
    agree('get', `${one}/events`, await api.api.call(`${BATCHES}/${id}/events`, { headers }));
    agree('get', `${one}/events`, await api.call('GET', `/${id}x/events`));
    const correct = (body: string) =>
      api.api.call(`${BATCHES}/${id}/corrections`, { method: 'POST', headers: { ...api.bearer(), ...csv }, body });
    agree('post', `${one}/corrections`, await correct('x'));
    agree('post', `${one}/cancel`, await api.call('POST', `/${id}/cancel`));
    agree('post', `${one}/retry`, await api.call('POST', `/${id}/retry`));
    const correctedText = (await api.file(`/${id}/faults`)).text.replace('0213,', '02139,');
    agree('post', `${one}/corrections`, await correct(correctedText));
    const more = await api.work();
    await api.until(id, ({ status, revision }) => status === 'completed' && revision === 2);
    await more();
    await links(BATCHES, id);
    agree('delete', one, await api.call('DELETE', `/${id}`));
  });

  test('comparisons', async () => {
    const one = `${COMPARISONS}/{id}`;
    const create = `${BATCHES}/{id}/comparisons`;
    const { ask, call, file, ended, upload: uploaded } = comparisonsOf(api);
    const batch = await api.upload(listOf(4));
    const scenarios = [{ service: 'cheapest' }];
    agree('post', COMPARISONS, await uploaded(listOf(2), scenarios));
    agree('post', COMPARISONS, await uploaded(listOf(2), []));
    agree('post', create, await ask(batch, { scenarios }));
    const stop = await api.work();
    await api.ended(batch);
    await stop();
    agree('post', create, await ask(batch, { scenarios: [] }));
    const key = { 'Idempotency-Key': 'a comparison' };
    agree('post', create, await ask(batch, { scenarios }, key));
    const again = await ask(batch, { scenarios }, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    agree('post', create, again);
    agree('post', create, await ask(batch, { scenarios: [{}] }, key));
    const { id } = again.body;
    agree('get', `${one}/output`, await call('GET', `/${id}/output`));
    agree('get', `${one}/summary`, await call('GET', `/${id}/summary`));
    agree('delete', one, await call('DELETE', `/${id}`));
    const cancelled = (await ask(batch, { scenarios })).body.id;
    agree('post', `${one}/cancel`, await call('POST', `/${cancelled}/cancel`));
    const more = await api.work();
    await ended(id);
    await ended(cancelled);
    await more();
    agree('get', COMPARISONS, await call('GET', `?batch=${batch}`));
    agree('get', COMPARISONS, await call('GET', '?limit=0'));
    agree('get', one, await call('GET', `/${id}`));
    agree('get', one, await call('GET', `/${batch}`));
    agree('get', `${one}/output`, { ...(await file(`/${id}/output`)), body: '' });
    agree('get', `${one}/output`, await call('GET', `/${id}/output?format=json`));
    agree('get', `${one}/summary`, await call('GET', `/${id}/summary`));
    const stream = await file(`/${id}/events`);
    agree('get', `${one}/events`, { ...stream, body: '' });
    const headers = { ...api.bearer(), 'Last-Event-ID': /^id: (.+)$/m.exec(stream.text)?.[1] ?? '' };
    agree('get', `${one}/events`, await api.api.call(`${COMPARISONS}/${id}/events`, { headers }));
    agree('post', `${one}/cancel`, await call('POST', `/${id}/cancel`));
    agree('post', `${one}/retry`, await call('POST', `/${id}/retry`));
    await links(COMPARISONS, id);
    agree('delete', one, await call('DELETE', `/${id}`));
  });

  /** The calls for links to a result. */
  const links = async (place: string, id: string): Promise<void> => {
    const [path, own] = [`${place}/{id}/shares`, `${place}/${id}/shares`];
    const make = (days: number) =>
      api.api.call(own, {
        method: 'POST',
        headers: { ...api.bearer(), 'Content-Type': 'application/json' },
        body: JSON.stringify({ days }),
      });
    const made = await make(7);
    agree('post', path, made);
    agree('post', path, await make(2));
    agree('get', path, await api.api.call(own, { headers: api.bearer() }));
    const revoke = (share: string) =>
      api.api.call(`${own}?share=${share}`, { method: 'DELETE', headers: api.bearer() });
    agree('delete', path, await revoke(made.body.id));
    agree('delete', path, await revoke(made.body.id));
    agree('delete', path, await revoke('x'));
  };

  test('any path with another method', async () => {
    for (const path of Object.keys(DOCUMENT.paths)) {
      const [method = ''] = Object.keys(DOCUMENT.paths[path]);
      const answer = await api.api.call(path.replace('{id}', 'b'), { method: 'PATCH', headers: api.bearer() });
      agree(method, path, answer);
    }
  });

  test('the success of each operation was checked, except retries, which need a failure', () => {
    const successes = Object.entries<object>(DOCUMENT.paths).flatMap(([path, item]) =>
      Object.entries<{ responses: object }>({ ...item }).flatMap(([method, { responses }]) =>
        Object.keys(responses)
          .filter((status) => status.startsWith('2'))
          .map((status) => `${method} ${path} ${status}`),
      ),
    );
    expect(successes.filter((success) => !checked.has(success))).toEqual([
      `post ${BATCHES}/{id}/retry 202`,
      `post ${COMPARISONS}/{id}/retry 202`,
    ]);
  });
});

test('a webhook message matches the document', async () => {
  const receiver = await startReceiver();
  const webhook = { url: receiver.url, signingSecret: `whsec_${Buffer.alloc(32).toString('base64')}` };
  const own = await startBatchApi({ redisUrl: redis.url, clients: withDemo(await sampleClients(), { webhook }) });
  const stop = await own.work();
  const id = await own.upload(listOf(2));
  const sent = () => receiver.received.find(({ headers }) => `${headers['webhook-id']}`.startsWith(id));
  await soon(() => expect(sent()).toBeDefined());
  const { headers = {}, body = '' } = sent() ?? {};
  const { parameters, requestBody } = DOCUMENT.webhooks.batchEnded.post;
  expect(problemsOf(requestBody.content['application/json'].schema, JSON.parse(body))).toBe('');
  const told = parameters.map(({ name }: { name: string }) => name);
  expect(Object.keys(headers).filter((name) => name.startsWith('webhook-'))).toEqual(told);
  await stop();
  await own.close();
  await receiver.close();
});

test('the document contains no data of clients other than the samples', async () => {
  const text = JSON.stringify(DOCUMENT);
  for (const { id, secrets } of (await sampleClients()).values())
    for (const secret of [...secrets.map(({ hash }) => hash), `"${id}"`]) expect(text).not.toContain(secret);
});
