/** What all operations have in common. Each operation in the table is tested. */
import { once } from 'node:events';
import { request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Clients, LIMIT_NAMES } from '../../src/catalog/clients/clients.ts';
import type { Call } from '../../src/http/call.ts';
import type { Operation } from '../../src/http/operation.ts';
import { ALL } from '../../src/http/operations.ts';
import { errorBody, oauthErrorBody } from '../../src/http/schemas.ts';
import { fixedTariffs, rateRequest, referenceSchedule, sampleClients, withDemo } from './api.ts';
import { type BatchApi, listOf } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';
import { comparisonsOf } from './comparison-api.ts';
import { startTariffApi } from './operator/tariff-api.ts';

/** An operation at one of its paths. Client calls are also below `/console`, where the session authenticates. */
interface Way {
  readonly name: string;
  readonly id: string;
  readonly operation: Operation;
  readonly path: string;
  readonly proof: 'token' | 'session' | 'operator';
}

const isOfClient = ({ caller }: Operation): boolean => ['quote', 'client', 'batch'].includes(caller);

const WAYS: readonly Way[] = Object.entries<Operation>(ALL).flatMap(([id, operation]) => {
  const at = (path: string, proof: Way['proof']): Way => {
    return { name: `${operation.method} ${path}`, id, operation, path, proof };
  };
  const { path } = operation;
  if (path.startsWith('/ops/')) return [at(path, 'operator')];
  if (path.startsWith('/console/')) return [at(path, 'session')];
  return isOfClient(operation) ? [at(path, 'token'), at(`/console${path}`, 'session')] : [at(path, 'token')];
});
const GUARDED = WAYS.filter(({ operation }) => isOfClient(operation) || operation.caller === 'operator');
/** The calls for one batch or one comparison. */
const OF_ONE_BATCH = WAYS.filter(({ operation: { caller, path } }) => caller === 'batch' && path.includes('{id}'));
const CHANGES = WAYS.filter(({ operation: { method }, proof }) => method !== 'get' && proof !== 'token');
const ofMethod = (method: Operation['method']): readonly Way[] =>
  WAYS.filter(({ operation }) => operation.method === method);

/** Their path says everything. */
const WITHOUT_BODY = ['cancelBatch', 'retryBatch', 'cancelComparison', 'retryComparison', 'importTariffDraft'];
const WITH_BODY = ofMethod('post').filter(({ id }) => !WITHOUT_BODY.includes(id));

/** Queries without which an operation checks nothing else. */
const NEEDED: Readonly<Record<string, string>> = {
  getZones: '?service=C1-GROUND&warehouse_id=101',
  getCard: '?service=C1-GROUND',
  getRow: '?row=1',
  getAgreementCard: '?service=C1-GROUND',
  createComparison: `?${new URLSearchParams({ scenarios: '[{"service":"cheapest"}]' })}`,
  addDraftFile: '?name=rates.csv',
};

/** Some calls answer only the pages, and have no schema. */
const CALLS: Readonly<Record<string, Call<never>>> = ALL;
const TYPES: Readonly<Record<string, string>> = {
  ...{ createBatch: 'text/csv', createComparison: 'text/csv', correctBatch: 'text/csv' },
  addDraftFile: 'application/octet-stream',
};
const typeOf = ({ id }: Way): string => TYPES[id] ?? 'application/json';

type Fields = Readonly<Record<string, string>>;

const JSON_BODY = { 'Content-Type': 'application/json' };
const CREDENTIALS = JSON.stringify({ client_id: 'demo', client_secret: 'demo-secret' });

let service: BatchApi;
let all: Awaited<ReturnType<typeof startTariffApi>>;
let proofs: Readonly<Record<Way['proof'], Fields>>;
/** Values of `{id}` and `{name}` in paths with these beginnings. */
let places: Fields;
let samples: Clients;
let clients: Clients;

interface Sent {
  readonly headers?: Fields;
  readonly query?: string;
  /** Another path. */
  readonly target?: string;
  readonly method?: string;
  readonly body?: string;
}

interface Answered {
  readonly status: number;
  readonly fault: { readonly type?: string; readonly arguments?: unknown };
  readonly header: (name: string) => string | undefined;
}

const targetOf = ({ path }: Way): string =>
  Object.entries(places).reduce((target, [from, to]) => target.replace(from, to), path);

/** Calls an operation. Each JSON answer must fit its schema, without other members. */
const send = async (
  way: Way,
  { headers = {}, query = NEEDED[way.id] ?? '', target = targetOf(way), method, body }: Sent,
): Promise<Answered> => {
  const sent = request({
    ...{ port: all.api.port, path: `${target}${query}`, headers, timeout: 20_000 },
    method: method ?? way.operation.method.toUpperCase(),
  });
  // A refusal may come before the whole body is sent. Then the connection ends.
  sent.on('error', () => undefined);
  if (headers['Content-Length'] === undefined) sent.end(way.operation.method === 'post' ? body : undefined);
  else sent.write('x');
  const [answer] = await once(sent, 'response');
  const { statusCode: status = 0, headers: received } = answer;
  const isJson = String(received['content-type']).startsWith('application/json');
  const text = isJson ? await textOf(answer) : '';
  sent.destroy();
  const said = text === '' ? undefined : JSON.parse(text);
  const failed = said !== undefined && 'error' in said ? oauthErrorBody : errorBody;
  const schema = status < 300 ? CALLS[way.id]?.answer : failed;
  // Parsing leaves out unknown members.
  if (said !== undefined && schema !== undefined)
    expect({ ...way, said: schema.parse(said) }).toEqual({ ...way, said });
  if (way.proof === 'operator') expect(text).not.toMatch(/"(?:secret)?(?:hash|salt)"|signingSecret/i);
  return { status, fault: said?.fault ?? {}, header: (name) => received[name]?.toString() };
};

const told = async (
  ways: readonly Way[],
  sent: (way: Way) => Sent,
  tell: (answer: Answered) => unknown,
): Promise<Record<string, unknown>> => {
  const said: Record<string, unknown> = {};
  for (const way of ways) said[way.name] = tell(await send(way, sent(way)));
  return said;
};
const each = (ways: readonly Way[], expected: (way: Way) => unknown): Record<string, unknown> => {
  expect(ways.length).toBeGreaterThan(0);
  return Object.fromEntries(ways.map((way) => [way.name, expected(way)]));
};

const statusAndType = ({ status, fault }: Answered): unknown => [status, fault.type];
const own = ({ proof }: Way): Fields => proofs[proof];

const signIn = async (id: string): Promise<Fields> => {
  const body = JSON.stringify({ client_id: id, client_secret: `${id}-secret` });
  const answer = await all.api.call('/console/session', { method: 'POST', headers: JSON_BODY, body });
  return { Cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '', 'X-CSRF-Token': answer.body.csrf };
};

batchApiForFile(
  ({ api }) => {
    service = api;
  },
  { worker: true },
);
beforeAll(async () => {
  samples = await sampleClients();
  clients = samples;
  const tariffs = fixedTariffs(await referenceSchedule());
  all = await startTariffApi(service, {
    app: { ...service.api.deps, tariffs, clients: { current: () => clients } },
  });
  proofs = { token: service.bearer(), session: await signIn('demo'), operator: await all.api.signIn() };
  const batch = await service.upload(listOf(2));
  await service.ended(batch);
  const comparisons = comparisonsOf(service);
  const comparison = await comparisons.compare(batch, [{ service: 'cheapest' }]);
  await comparisons.ended(comparison);
  const made = { name: 'mine', headerKey: 'x'.repeat(43), options: {} };
  const mapping = await all.api.send('POST', '/console/mappings', made, proofs.session);
  const draft = await all.api.send(
    'POST',
    '/ops/tariff-drafts',
    { name: 'next', effectiveDate: '2027-01-04' },
    proofs.operator,
  );
  places = {
    '/batches/{id}': `/batches/${batch}`,
    '/comparisons/{id}': `/comparisons/${comparison}`,
    '/mappings/{id}': `/mappings/${mapping.body.id}`,
    '/tariff-drafts/{id}': `/tariff-drafts/${draft.body.id}`,
    '/clients/{id}': '/clients/demo',
    '{name}': 'sample-c1',
  };
});
beforeEach(() => {
  clients = samples;
});
afterAll(() => all.close());

test('a call without credentials, or with credentials of another kind, is unauthorized', async () => {
  const expected = each(GUARDED, () => [401, 'InvalidAuthorizationException']);
  expect(await told(GUARDED, () => ({}), statusAndType)).toEqual(expected);
  const { token, session, operator } = proofs;
  const others = {
    token: { ...session, ...operator },
    session: { ...token, ...operator },
    operator: { ...token, ...session },
  };
  expect(await told(GUARDED, ({ proof }) => ({ headers: others[proof] }), statusAndType)).toEqual(expected);
});

test.each([
  ['quote', 'batch'],
  ['batch', 'quote'],
] as const)('a call for the scope %s is forbidden to a client with the scope %s alone', async (scope, other) => {
  const ways = WAYS.filter(({ operation }) => operation.caller === scope);
  clients = withDemo(clients, { scopes: new Set([other]) });
  const said = await told(
    ways,
    (way) => ({ headers: own(way) }),
    ({ status, fault, header }) => [
      ...[status, fault.type, fault.arguments],
      header('www-authenticate')?.includes(`error="insufficient_scope", scope="${scope}"`),
    ],
  );
  expect(said).toEqual(each(ways, () => [403, 'request.forbidden', { scope }, true]));
});

test.each(['quote', 'batch'] as const)(
  'calls for any client are answered to one with the scope %s alone',
  async (scope) => {
    const ways = WAYS.filter(({ operation }) => operation.caller === 'client');
    clients = withDemo(clients, { scopes: new Set([scope]) });
    const said = await told(
      ways,
      (way) => ({ headers: own(way) }),
      ({ status }) => [401, 403].includes(status),
    );
    expect(said).toEqual(each(ways, () => false));
  },
);

test('another client’s things are not found, like things that never existed', async () => {
  const ways = OF_ONE_BATCH;
  const theirs = {
    token: service.bearer(await service.api.tokenOf('other', 'other-secret')),
    session: await signIn('other'),
    operator: {},
  };
  const tell = ({ status, fault }: Answered) => [status, fault.type, fault.arguments];
  const absent = () => each(ways, (way) => [404, 'request.notFound', { path: targetOf(way) }]);
  const sent = ({ proof }: Way): Sent => ({ headers: theirs[proof] });
  expect(await told(ways, sent, tell)).toEqual(absent());
  const kept = ways.filter(({ operation }) => operation.method !== 'delete');
  const found = await told(
    kept,
    (way) => ({ headers: own(way) }),
    ({ status }) => status !== 404,
  );
  expect(found).toEqual(each(kept, () => true));
});

test.each([
  ['of one letter', 'x'],
  ['that no batch has', `b${'0'.repeat(25)}`],
  ['that leads elsewhere', '..%2f..%2fetc'],
  ['of a NUL', '%00'],
  ['of three thousand letters', 'b'.repeat(3_000)],
])('an id %s is not found', async (_what, id) => {
  const sent = (way: Way): Sent => ({ headers: own(way), target: way.path.replace('{id}', id) });
  const expected = each(OF_ONE_BATCH, () => [404, 'request.notFound']);
  expect(await told(OF_ONE_BATCH, sent, statusAndType)).toEqual(expected);
});

test('other methods of a path are answered with the allowed ones', async () => {
  for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
    const methodsOf = ({ path }: Way) =>
      (['get', 'post', 'delete'] as const).filter((one) => ofMethod(one).some((other) => other.path === path));
    const ways = WAYS.filter((way) => !methodsOf(way).some((one) => one.toUpperCase() === method));
    const said = await told(
      ways,
      (way) => ({ method, headers: own(way) }),
      ({ status, fault, header }) => [status, fault.type, fault.arguments, header('allow')],
    );
    const allow = (way: Way) => methodsOf(way).map((one) => (one === 'get' ? 'GET, HEAD' : one.toUpperCase()));
    expect(said).toEqual(
      each(ways, (way) => [405, 'request.methodNotAllowed', { path: targetOf(way) }, allow(way).join(', ')]),
    );
  }
});

test('a body of 10 GB is refused before it arrives', async () => {
  const sent = (way: Way): Sent => ({
    headers: { ...own(way), 'Content-Type': typeOf(way), 'Content-Length': '10000000000' },
  });
  expect(await told(WITH_BODY, sent, statusAndType)).toEqual(each(WITH_BODY, () => [413, 'request.tooLarge']));
});

test('a body of another media type is refused', async () => {
  const sent = (way: Way): Sent => ({ headers: { ...own(way), 'Content-Type': 'image/png' }, body: 'x' });
  expect(await told(WITH_BODY, sent, statusAndType)).toEqual(
    each(WITH_BODY, () => [415, 'request.unsupportedMediaType']),
  );
});

test('an unknown parameter is named, even if an operation has no parameters', async () => {
  // `quotes.test.ts` has quotes, and `agreements.test.ts` agreements. The operator's health has no input.
  const others = ['getShippingRates', 'getAgreement', 'getOperatorHealth'];
  const ways = GUARDED.filter(({ id }) => !others.includes(id));
  const sent = (way: Way): Sent => ({ headers: own(way), query: `${NEEDED[way.id] ?? '?'}&colour=red` });
  const said = await told(ways, sent, ({ status, fault }) => [status, fault.type, fault.arguments]);
  const named = { colour: expect.stringContaining('is not a parameter of this call') };
  expect(said).toEqual(each(ways, () => [422, 'getRates.invalidRequest', expect.objectContaining(named)]));
});

test('only probes are answered under a foreign host', async () => {
  const ways = WAYS.filter(({ id }) => id !== 'isLive' && id !== 'isReady');
  const sent = (way: Way): Sent => ({ headers: { ...own(way), Host: 'elsewhere.example' } });
  expect(await told(ways, sent, statusAndType)).toEqual(each(ways, () => [400, 'request.invalidHost']));
});

test('a change from a page of another site is forbidden, and one without the CSRF token of the session', async () => {
  const forged = each(CHANGES, () => [403, 'request.forbidden', { scope: 'csrf' }]);
  const tell = ({ status, fault }: Answered) => [status, fault.type, fault.arguments];
  for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://elsewhere.example' }])
    expect(await told(CHANGES, (way) => ({ headers: { ...own(way), ...headers } }), tell)).toEqual(forged);
  const ways = CHANGES.filter(({ id }) => id !== 'signIn' && id !== 'signInOperator');
  for (const csrf of ['', 'x']) {
    const said = await told(ways, (way) => ({ headers: { ...own(way), 'X-CSRF-Token': csrf } }), tell);
    expect(said).toEqual(each(ways, () => [403, 'request.forbidden', { scope: 'csrf' }]));
  }
});

test('each answer to a read fits its schema', async () => {
  // These need more than a name: see `agreements.test.ts` and `operator/tariffs.slow.test.ts`.
  const others = ['getAgreement', 'compareTariffDraft', 'getOperatorTariff', 'getTariffCard'];
  const ways = ofMethod('get').filter(({ id }) => !others.includes(id));
  const said = await told(
    ways,
    (way) => ({ headers: own(way) }),
    ({ status }) => status,
  );
  expect(said).toEqual(each(ways, () => 200));
});

test('each operation with a limit is refused when the limit is used up', async () => {
  clients = withDemo(clients, { limits: Object.fromEntries(LIMIT_NAMES.map((name) => [name, 1])) });
  const bodies: Fields = {
    getShippingRates: JSON.stringify(rateRequest()),
    generateToken: CREDENTIALS,
    signIn: CREDENTIALS,
  };
  const sent = (way: Way): Sent => ({
    headers: { ...(way.operation.caller === 'credentials' ? {} : own(way)), 'Content-Type': typeOf(way) },
    body: bodies[way.id] ?? '{}',
  });
  const limited = WAYS.filter(({ operation }) => operation.limit !== 'none');
  const kinds = new Map(limited.map((way) => [way.operation.limit, way]));
  await Promise.all(
    [...kinds.values()].map(async (way) => {
      for (let tries = 0; tries < 2_000; tries += 1) if ((await send(way, sent(way))).status === 429) break;
    }),
  );
  const refused = await Promise.all(
    limited.map(async (way) => {
      const { status, fault, header } = await send(way, sent(way));
      return [way.name, [status, fault.type, fault.arguments, header('retry-after') !== undefined]] as const;
    }),
  );
  // Streams count as reads.
  const nameOf = ({ limit }: Operation) => (limit === 'streams' ? 'reads' : limit);
  expect(Object.fromEntries(refused)).toEqual(
    each(limited, ({ operation }) => [429, 'request.rateLimited', { limit: nameOf(operation) }, true]),
  );
});
