import { readFile } from 'node:fs/promises';
import { METHODS, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import { createWorkMetrics } from '../../src/http/work-metrics.ts';
import { completeTariff } from '../catalog/tariff/complete-tariff.ts';
import { fixedTariffs, rateRequest, startApi, to } from './api.ts';
import { type BatchApi, listOf } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';
import { operatorApiOf } from './operator/operator-api.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const DASHBOARD = join(ROOT, 'deploy', 'grafana-dashboard.json');
const RULES = join(ROOT, 'deploy', 'prometheus-rules.yaml');
/** Metrics of sweeps and of the disk, which the API of this test does not have. */
const ABSENT_HERE = new Set([
  'rates_sweep_age_seconds',
  'rates_expiry_held',
  'rates_batches_stalled',
  'rates_store_free_bytes',
]);
const OPERATING = join(ROOT, 'docs', 'operating.md');

let batchApi: BatchApi;
let api: Awaited<ReturnType<typeof startApi>>;
batchApiForFile(async (started) => {
  batchApi = started.api;
  api = await operatorApiOf(batchApi, { app: { workMetrics: createWorkMetrics(batchApi.redis, batchApi.queues) } });
});
afterAll(() => api.close());

const scrape = async (): Promise<string> => await (await fetch(`${api.url}/metrics`)).text();
const sample = (text: string, name: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')
      .at(-1),
  );

test('requests are counted by route and code, and quotes by outcome and fault', async () => {
  await api.quote(rateRequest());
  await api.quote(rateRequest());
  await api.quote(rateRequest(to({ postalCode: '00901' })));
  await api.quote('{');
  await api.quote(rateRequest(), '', { Authorization: 'Bearer x' });
  await api.call('/nothing/here');
  const text = await scrape();
  const route = 'route="/v1/client/shipment/rates"';
  expect(sample(text, `http_request_duration_seconds_count{method="POST",${route},code="200"}`)).toBe(2);
  expect(sample(text, `http_request_duration_seconds_count{method="POST",${route},code="422"}`)).toBe(1);
  expect(sample(text, 'http_request_duration_seconds_count{method="GET",route="other",code="404"}')).toBe(1);
  expect(sample(text, 'rates_quotes_total{outcome="quoted",fault=""}')).toBe(2);
  expect(sample(text, 'rates_quotes_total{outcome="faulted",fault="getRates.noDeliveryCoverage"}')).toBe(1);
  expect(sample(text, 'rates_quotes_total{outcome="refused",fault="request.malformedBody"}')).toBe(1);
  expect(sample(text, 'rates_quotes_total{outcome="refused",fault="InvalidAuthorizationException"}')).toBe(1);
  expect(sample(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
});

test('fuel rates that end are reported with the remaining time, by service', async () => {
  const own = await startApi({
    tariffs: fixedTariffs(scheduleOf([completeTariff()])),
    now: () => new Date('2026-06-12T12:00:00Z'),
  });
  const text = await (await fetch(`${own.url}/metrics`)).text();
  await own.close();
  expect(sample(text, 'rates_fuel_left_seconds{carrier="Small",service="GROUND"}')).toBe(259_200);
  // The fuel of the reference tariff has no end.
  expect(await scrape()).not.toContain('rates_fuel_left_seconds{');
});

test('ended fuel rates leave the service ready', async () => {
  const own = await startApi({
    tariffs: fixedTariffs(scheduleOf([completeTariff()])),
    now: () => new Date('2026-06-20T12:00:00Z'),
  });
  const text = await (await fetch(`${own.url}/metrics`)).text();
  const ready = await own.call('/readyz');
  await own.close();
  expect(sample(text, 'rates_fuel_left_seconds{carrier="Small",service="GROUND"}')).toBe(-432_000);
  expect(ready.status).toBe(200);
});

test('every process reports the work of all workers and the waiting jobs', async () => {
  await batchApi.upload(listOf(3));
  const before = await scrape();
  expect(sample(before, 'rates_queue_jobs{queue="chunk",state="waiting"}')).toBe(1);
  const stop = await batchApi.work();
  const { batches } = (await batchApi.call('GET', '')).body;
  await batchApi.ended(batches[0].id);
  await batchApi.ended(await batchApi.upload(`${listOf(7)}F1,101,0213,2,LB,,\n`));
  await stop();
  const after = await scrape();
  const grown = (name: string): number => sample(after, name) - sample(before, name);
  expect(grown('rates_rows_total{outcome="quoted"}')).toBe(10);
  expect(grown('rates_rows_total{outcome="faulted"}')).toBe(1);
  expect(grown('rates_chunk_duration_seconds_count')).toBe(4);
  expect(grown('rates_chunk_duration_seconds_bucket{le="30"}')).toBe(4);
  expect(sample(after, 'rates_queue_jobs{queue="chunk",state="waiting"}')).toBe(0);
  expect(sample(after, 'rates_redis_up')).toBe(1);
});

test('no label names a client, a ZIP code or a path', async () => {
  await api.call('/v1/client/shipment/rates/02139?zip=02139');
  // Checks only the labels, because a measured number may contain any digits.
  const labels = (await scrape()).match(/\{[^}]*\}/g) ?? [];
  expect(labels.length).toBeGreaterThan(10);
  for (const label of labels) expect(label).not.toMatch(/demo|02139|00901|nothing/);
});

/** The values of a label in the text of the metrics. */
const valuesOf = (text: string, label: string): ReadonlySet<string> =>
  new Set([...text.matchAll(new RegExp(`[{,]${label}="([^"]*)"`, 'g'))].map(([, value = '']) => value));

test('callers cannot create labels with spellings of a path or with methods', async () => {
  const ask = (path: string, method = 'GET'): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const sent = request(`${api.url}${path}`, { method }, (answer) => answer.resume().once('end', resolve));
      sent.once('error', reject).end();
    });
  const spelled = (path: string, bits: number): string =>
    [...path].map((letter, at) => ((bits >> at) % 2 === 1 ? letter.toUpperCase() : letter)).join('');
  await ask('/ops/session');
  for (let bits = 1; bits < 200; bits++) await ask(`${spelled('/ops', bits)}${spelled('/session', bits)}`);
  for (const method of METHODS.filter((name) => name !== 'CONNECT')) await ask('/livez', method);
  const text = await scrape();
  expect([...valuesOf(text, 'route')].filter((route) => /ops/i.test(route))).toEqual(['/ops/session']);
  expect(valuesOf(text, 'route')).toContain('other');
  expect([...valuesOf(text, 'method')].toSorted()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'other']);
  expect(text.split('\n').length).toBeLessThan(2_000);
});

test('if a token is set, the metrics require it', async () => {
  const metricsToken = 'the-metrics-own-token-0123';
  const closed = await startApi({ metricsToken });
  const ask = (authorization?: string) =>
    closed.call('/metrics', authorization === undefined ? {} : { headers: { Authorization: authorization } });
  for (const wrong of [undefined, `Bearer ${metricsToken}x`, `Bearer ${closed.token}`, `Basic ${metricsToken}`]) {
    const { status, headers, body } = await ask(wrong);
    expect([status, body.fault.type]).toEqual([401, 'InvalidAuthorizationException']);
    expect(headers.get('www-authenticate')).toContain('the metrics token is missing or wrong');
  }
  const { status } = await fetch(`${closed.url}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } });
  await closed.close();
  expect(status).toBe(200);
});

test('concurrent scrapes share one collection, and only a limited number waits', async () => {
  let collections = 0;
  let finish = (): void => undefined;
  const collected = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const slow = await startApi({
    workMetrics: async () => {
      collections += 1;
      await collected;
      return '';
    },
  });
  const waiting = Array.from({ length: 4 }, () => fetch(`${slow.url}/metrics`));
  await expect.poll(() => collections).toBe(1);
  await expect.poll(async () => (await slow.call('/livez')).status).toBe(200);
  const { status, headers, body } = await slow.call('/metrics');
  expect([status, headers.get('retry-after'), body.fault.arguments]).toEqual([429, '5', { limit: 'scrapes' }]);
  finish();
  for (const answer of await Promise.all(waiting)) {
    expect(answer.status).toBe(200);
    await answer.text();
  }
  expect(collections).toBe(1);
  expect((await fetch(`${slow.url}/metrics`)).status).toBe(200);
  await slow.close();
});

test('errors of rejected tariffs are reported, without warnings', async () => {
  expect(sample(await scrape(), 'rates_tariff_errors')).toBe(0);
  const { current } = api.deps.tariffs;
  const findings = () => [
    { severity: 'error', at: '2027/tariff.json', message: 'is not JSON' } as const,
    { severity: 'warning', at: '2027/zones', message: 'has holes' } as const,
  ];
  const broken = await startApi({ tariffs: { current, findings } });
  const text = await (await fetch(`${broken.url}/metrics`)).text();
  await broken.close();
  expect(sample(text, 'rates_tariff_errors')).toBe(1);
});

test('clients without a usable agreement are counted, and not named', async () => {
  expect(sample(await scrape(), 'rates_clients_without_agreement')).toBe(0);
  const lacking = await startApi({ clients: { current: api.deps.clients.current, withoutAgreement: () => 2 } });
  const text = await (await fetch(`${lacking.url}/metrics`)).text();
  await lacking.close();
  expect(sample(text, 'rates_clients_without_agreement')).toBe(2);
});

test('every metric of the dashboard exists', async () => {
  const { panels } = JSON.parse(await readFile(DASHBOARD, 'utf8'));
  const names = new Set(
    panels
      .flatMap(({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr))
      .flatMap((expr: string) => expr.match(/\b(?:http|rates|nodejs|process)_[a-z0-9_]+/g) ?? []),
  );
  expect(names.size).toBeGreaterThan(7);
  const text = await scrape();
  for (const name of names) expect(text).toMatch(new RegExp(`^${name}[{ ]`, 'm'));
});

test('alert rules ask for metrics that exist', async () => {
  const { groups } = parse(await readFile(RULES, 'utf8'));
  const rules: { alert: string; expr: string; for?: string; annotations: { summary: string } }[] = groups[0].rules;
  expect(rules.map(({ alert }) => alert)).toEqual([
    'RatesRedisDown',
    'RatesTariffErrors',
    'RatesClientsWithoutAgreement',
    'RatesServerErrors',
    'RatesStoreNearlyFull',
    'RatesSweepMissing',
    'RatesExpiryHeld',
    'RatesBatchesStalled',
    'RatesFuelEndsSoon',
    'RatesFuelEnded',
  ]);
  const docs = await readFile(OPERATING, 'utf8');
  const text = await scrape();
  for (const { expr, annotations } of rules) {
    expect(annotations.summary).toMatch(/\w/);
    for (const name of expr.match(/\b(?:http|rates)_[a-z_]+/g) ?? []) {
      // A histogram declares its name without the suffix.
      if (!ABSENT_HERE.has(name)) expect(text).toContain(`# TYPE ${name.replace(/_count$/, '')} `);
      if (name.startsWith('rates_')) expect(docs).toContain(`\`${name}\``);
    }
  }
});

test('each family has its help and type once', async () => {
  const lines = (await scrape()).split('\n');
  const families = lines.filter((line) => line.startsWith('# TYPE ')).map((line) => line.split(' ')[2]);
  expect(new Set(families).size).toBe(families.length);
  for (const line of lines.filter((text) => text !== '' && !text.startsWith('#'))) {
    const name = /^[a-z_0-9]+/.exec(line)?.[0] ?? '';
    const family = families.includes(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '');
    expect(families).toContain(family);
  }
});
