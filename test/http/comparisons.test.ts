import { describe, expect, test } from 'vitest';
import { comparisonSchema } from '../../src/batch/view.ts';
import { comparisonSummaryBody } from '../../src/http/batches/batches.ts';
import { BATCHES, type BatchApi, HEADER, listOf } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';
import { type ComparisonApi, comparisonsOf, COMPARISONS as comparisonsPath } from './comparison-api.ts';

let api: BatchApi;
let comparisons: ComparisonApi;
batchApiForFile(
  (started) => {
    api = started.api;
    comparisons = comparisonsOf(api);
  },
  { worker: true },
);

const SCENARIOS = [{ name: 'cheapest', service: 'cheapest' }, { service: 'C1-EXPRESS' }];

const completedBatch = async (list = listOf(7)): Promise<string> => {
  const id = await api.upload(list, '?filename=orders.csv');
  await api.ended(id);
  return id;
};

test('a finished batch is compared: state, output and summary', async () => {
  const batch = await completedBatch();
  const answer = await comparisons.ask(batch, { scenarios: SCENARIOS });
  expect([answer.status, answer.body]).toMatchObject([
    202,
    {
      batch: { id: batch, revision: 1, filename: 'orders.csv' },
      scenarios: [
        { name: 'cheapest', changes: 'each to its cheapest service', column: 'cheapest', scenario: SCENARIOS[0] },
        { name: 'all to C1-EXPRESS', column: 'all_to_c1_express' },
      ],
      rows: { total: 7 },
    },
  ]);
  const { id } = answer.body;
  expect(answer.headers.get('Location')).toBe(`/v1/client/shipment/rates/comparisons/${id}`);
  const ended = await comparisons.ended(id);
  expect(comparisonSchema.safeParse(ended).error).toBeUndefined();
  expect(ended).toMatchObject({ status: 'completed', outcome: 'all_quoted', rows: { processed: 7, quoted: 7 } });
  const output = await comparisons.file(`/${id}/output`);
  const lines = output.text.split('\n');
  expect(output.status).toBe(200);
  expect(lines[0]).toBe(
    'order,warehouse_id,postalCode,weight_value,weight_units,shippingService,addressLine,input_row,' +
      'net_base,service_base,zone_base,carrier_zone_base,billing_weight_base,state_base,warnings_base,fault_base,' +
      'net_cheapest,service_cheapest,zone_cheapest,carrier_zone_cheapest,billing_weight_cheapest,difference_cheapest,warnings_cheapest,fault_cheapest,' +
      'net_all_to_c1_express,service_all_to_c1_express,zone_all_to_c1_express,carrier_zone_all_to_c1_express,billing_weight_all_to_c1_express,difference_all_to_c1_express,' +
      'warnings_all_to_c1_express,fault_all_to_c1_express',
  );
  expect(lines.length).toBe(9);
  const plain = (await api.file(`/${batch}/output`)).text.split('\n');
  const netOf = (text: string, header: string, name: string) => text.split(',')[header.split(',').indexOf(name)];
  for (let row = 1; row <= 7; row++)
    expect(netOf(lines[row] ?? '', lines[0] ?? '', 'net_base')).toBe(
      netOf(plain[row] ?? '', plain[0] ?? '', 'quote_totalNetCharge'),
    );
  const summary = await comparisons.summary(id);
  expect(comparisonSummaryBody.safeParse(summary).error).toBeUndefined();
  expect(summary).toMatchObject({
    status: 200,
    id,
    base: { rows: 7, priced: 7 },
    scenarios: [{ name: 'cheapest', shipments: 7 }, { shipments: 7 }],
  });
  const sum = lines.slice(1, 8).reduce((total, line) => total + Number(netOf(line, lines[0] ?? '', 'net_base')), 0);
  expect(summary.base.totalNetCharge).toBeCloseTo(sum, 6);
});

const rowsOf = (text: string): readonly Record<string, string>[] => {
  const [header = '', ...lines] = text.trimEnd().split('\n');
  const names = header.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell])));
};

test('a list that is uploaded with scenarios gives the same result as a comparison of its batch', async () => {
  const list = listOf(5);
  const made = await comparisons.upload(list, SCENARIOS, '&filename=june.csv');
  expect(made).toMatchObject({ status: 202, body: { batch: null, filename: 'june.csv', rows: { total: 5 } } });
  expect(made.body.links).not.toHaveProperty('batch');
  const { id } = made.body;
  expect(await comparisons.ended(id)).toMatchObject({ status: 'completed' });
  const other = await comparisons.compare(await completedBatch(list), SCENARIOS);
  await comparisons.ended(other);
  expect((await comparisons.file(`/${id}/output`)).text).toBe((await comparisons.file(`/${other}/output`)).text);
  expect({ ...(await comparisons.summary(id)), id: '' }).toEqual({ ...(await comparisons.summary(other)), id: '' });
  const { body } = await api.call('GET', '?limit=100');
  expect(body.batches.map((batch: { id: string }) => batch.id)).not.toContain(id);
});

test('JSON has an object for each row, with numbers as numbers', async () => {
  const id = await comparisons.compare(await completedBatch(`${listOf(2)}A3,101,0213,2,LB,,\n`), SCENARIOS);
  await comparisons.ended(id);
  const { text, headers } = await comparisons.file(`/${id}/output?format=json`);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  const rows: readonly Record<string, unknown>[] = JSON.parse(text);
  expect(text.trimEnd().split('\n').length).toBe(5);
  const [plain] = rowsOf((await comparisons.file(`/${id}/output`)).text);
  expect(rows[0]).toMatchObject({
    order: 'A1',
    weight_value: '1.5',
    input_row: 1,
    net_base: Number(plain?.['net_base']),
    warnings_base: [],
    fault_base: null,
    difference_cheapest: Number(plain?.['difference_cheapest']),
  });
  expect(rows[2]).toMatchObject({ input_row: 3, net_base: null, fault_base: 'getRates.invalidRequest' });
  const columns = await comparisons.file(`/${id}/output?format=parquet`);
  expect([columns.headers.get('content-type'), columns.headers.get('content-disposition')]).toEqual([
    'application/vnd.apache.parquet',
    'attachment; filename=orders-comparison.parquet',
  ]);
  const sheet = await comparisons.file(`/${id}/output?format=xlsx`);
  expect([sheet.status, sheet.headers.get('content-disposition')]).toEqual([
    200,
    'attachment; filename=orders-comparison.xlsx',
  ]);
});

describe('nothing is started for', () => {
  const isIssue = (path: string, message: RegExp) => ({
    status: 422,
    body: { fault: { type: 'getRates.invalidRequest', arguments: { [path]: expect.stringMatching(message) } } },
  });
  const left = async () => [
    (await api.folders()).filter((name) => name.startsWith('c')),
    await api.redis.zrange('rates:comparisons:demo', '0', '-1'),
  ];

  test.each([
    ['an unknown tariff', [{ tariff: 'nobody' }], 'scenarios[0].tariff', /there is no tariff nobody/],
    ['an unknown agreement', [{}, { agreement: 'nobodys' }], 'scenarios[1].agreement', /there is no agreement nobodys/],
    ['an unknown service', [{ service: 'C9-NONE' }], 'scenarios[0].service', /names C9-NONE, but the services are/],
    ['an unknown warehouse', [{ warehouse: 999 }], 'scenarios[0].warehouse', /999 is not/],
    ['an unknown carrier', [{ carrier: 'C9' }], 'scenarios[0].carrier', /must be one of/],
    ['more than eight scenarios', Array.from({ length: 9 }, () => ({})), 'scenarios', /at most 8 entries/],
    ['no scenario', [], 'scenarios', /at least 1 entry/],
    ['an unknown member', [{ servce: 'cheapest' }], 'scenarios[0].servce', /is unknown/],
  ])('%s', async (_, scenarios, path, message) => {
    const batch = await completedBatch(listOf(1));
    const before = await left();
    expect(await comparisons.ask(batch, { scenarios })).toMatchObject(isIssue(path, message));
    expect(await comparisons.upload(listOf(1), scenarios)).toMatchObject(isIssue(path, message));
    expect(await left()).toEqual(before);
  });

  test('scenarios that are not JSON, and options that a comparison does not have', async () => {
    const before = await left();
    const post = (query: string) =>
      api.api.call(`/v1/client/shipment/rates/comparisons${query}`, {
        method: 'POST',
        headers: { ...api.bearer(), 'Content-Type': 'text/csv' },
        body: listOf(1),
      });
    expect(await post('?scenarios=[')).toMatchObject(isIssue('scenarios', /must be JSON/));
    expect(await post('')).toMatchObject(
      isIssue('scenarios', /is required in the URL, as \?scenarios=: the body is the list/),
    );
    expect(await comparisons.upload(listOf(1), SCENARIOS, '&services=all')).toMatchObject(
      isIssue('services', /is not a parameter/),
    );
    expect(await left()).toEqual(before);
  });

  test('a batch that runs, is deleted, or is another client’s', async () => {
    const batch = await completedBatch(listOf(1));
    const before = await left();
    const token = await api.api.tokenOf('other', 'other-secret');
    expect(await comparisons.ask(batch, { scenarios: SCENARIOS }, api.bearer(token))).toMatchObject({ status: 404 });
    await api.call('DELETE', `/${batch}`);
    expect(await comparisons.ask(batch, { scenarios: SCENARIOS })).toMatchObject({
      status: 404,
      body: { fault: { type: 'request.notFound', arguments: { path: `${BATCHES}/${batch}/comparisons` } } },
    });
    expect(await left()).toEqual(before);
  });
});

test('another client finds no comparison, and no batch call finds one', async () => {
  const batch = await completedBatch(listOf(1));
  const id = await comparisons.compare(batch, SCENARIOS);
  await comparisons.ended(id);
  const token = await api.api.tokenOf('other', 'other-secret');
  for (const [method, below] of [
    ['GET', ''],
    ['GET', '/events'],
    ['GET', '/output'],
    ['GET', '/summary'],
    ['POST', '/cancel'],
    ['POST', '/retry'],
    ['DELETE', ''],
  ] as const) {
    expect(await comparisons.call(method, `/${id}${below}`, token)).toMatchObject({ status: 404 });
    expect(await api.call(method, `/${id}${below}`)).toMatchObject({ status: 404 });
    expect(await comparisons.call(method, `/${batch}${below}`)).toMatchObject({ status: 404 });
  }
  expect((await comparisons.call('GET', '', token)).body.comparisons).toEqual([]);
  expect((await comparisons.call('GET', `?batch=${batch}`, token)).body.comparisons).toEqual([]);
  expect(await comparisons.call('GET', `/${id}`)).toMatchObject({ status: 200 });
});

test('lists have the newest first, and can be limited to one batch', async () => {
  const [one, two] = [await completedBatch(listOf(1)), await completedBatch(listOf(1))];
  const ids: string[] = [];
  for (const batch of [one, two, one]) ids.unshift(await comparisons.compare(batch, SCENARIOS));
  const listed = async (query: string) => {
    const { body } = await comparisons.call('GET', query);
    return [body.comparisons.map(({ id }: { id: string }) => id), body.next];
  };
  expect((await listed('?limit=3'))[0]).toEqual(ids);
  const [first, next] = await listed(`?batch=${one}&limit=1`);
  expect(first).toEqual([ids[0]]);
  expect(await listed(`?batch=${one}&limit=1&cursor=${next}`)).toEqual([[ids[2]], null]);
});

test('a key makes one comparison, and is refused with another body', async () => {
  const [batch, other] = [await completedBatch(listOf(1)), await completedBatch(listOf(1))];
  const key = { 'Idempotency-Key': 'compare-once' };
  const first = await comparisons.ask(batch, { scenarios: SCENARIOS }, key);
  const again = await comparisons.ask(batch, { scenarios: SCENARIOS }, key);
  expect([first.status, again.status, again.body.id]).toEqual([202, 202, first.body.id]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const reused = { status: 422, body: { fault: { type: 'idempotency.keyReused' } } };
  expect(await comparisons.ask(batch, { scenarios: [{}] }, key)).toMatchObject(reused);
  expect(await comparisons.ask(other, { scenarios: SCENARIOS }, key)).toMatchObject(reused);
  await comparisons.ended(first.body.id);
  await api.call('DELETE', `/${batch}`);
  expect((await comparisons.ask(batch, { scenarios: SCENARIOS }, key)).body.id).toBe(first.body.id);
  const upload = { 'Idempotency-Key': 'upload-once' };
  const made = await comparisons.upload(listOf(2), SCENARIOS, '', upload);
  expect((await comparisons.upload(listOf(2), SCENARIOS, '', upload)).body.id).toBe(made.body.id);
  expect(await comparisons.upload(listOf(2), [{}], '', upload)).toMatchObject(reused);
});

test('corrections count: if a row has several corrections, the last one counts', async () => {
  const bad = (order: string, zip: string) => `${order},101,${zip},3,LB,C1-GROUND,\n`;
  const list = `${HEADER}\n${bad('B1', '0213')}${bad('B2', '02139')}${bad('B3', '9')}${bad('B4', '8')}${bad('B5', '02139')}`;
  const batch = await completedBatch(list);
  const correct = async (revision: number, change: (faults: string) => string) => {
    const faults = (await api.file(`/${batch}/faults`)).text;
    const body = change(faults);
    const headers = { ...api.bearer(), 'Content-Type': 'text/csv' };
    const answer = await api.api.call(`${BATCHES}/${batch}/corrections`, { method: 'POST', headers, body });
    expect(answer.status).toBe(202);
    await api.until(batch, (now) => now.status === 'completed' && now.revision === revision);
  };
  await correct(2, (faults) => faults.replace('B1,101,0213,', 'B1,101,02139,').replace('B3,101,9,', 'B3,101,77,'));
  await correct(3, (faults) => faults.replace('B3,101,77,', 'B3,101,90210,'));
  const id = await comparisons.compare(batch, SCENARIOS);
  await comparisons.ended(id);
  const merged = `${HEADER}\n${bad('B1', '02139')}${bad('B2', '02139')}${bad('B3', '90210')}${bad('B4', '8')}${bad('B5', '02139')}`;
  const { body } = await comparisons.upload(merged, SCENARIOS);
  await comparisons.ended(body.id);
  expect((await comparisons.file(`/${id}/output`)).text).toBe((await comparisons.file(`/${body.id}/output`)).text);
  expect((await comparisons.summary(id)).scenarios).toEqual((await comparisons.summary(body.id)).scenarios);
  expect((await comparisons.call('GET', `/${id}`)).body).toMatchObject({
    batch: { revision: 3 },
    rows: { quoted: 4, faulted: 1 },
  });
});

test('the rows behind a bar', async () => {
  const id = await comparisons.compare(await completedBatch(listOf(9)), SCENARIOS);
  await comparisons.ended(id);
  const headers = await api.api.session();
  const page = (query: string) => api.api.call(`/console${comparisonsPath}/${id}/rows${query}`, { headers });
  const rows = rowsOf((await comparisons.file(`/${id}/output`)).text);
  const numbers = (answer: { readonly body: { readonly rows: readonly { readonly input_row: number }[] } }) =>
    answer.body.rows.map(({ input_row }) => input_row);
  const all = await page('');
  expect([numbers(all), all.body.next]).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9], null]);
  const light = rows.filter((row) => Number(row['billing_weight_base']) > 2 && Number(row['billing_weight_base']) <= 5);
  expect(numbers(await page('?by=weight&value=5'))).toEqual(light.map((row) => Number(row['input_row'])));
  expect(light.length).toBeGreaterThan(1);
  expect(numbers(await page('?by=service&value=C1-GROUND&scenario=2'))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(numbers(await page('?by=service&value=C2-GROUND'))).toEqual([]);
  expect(numbers(await page(`?by=zone&value=${rows[0]?.['zone_base']}&limit=2&from=3`))).toEqual([4, 5]);
  const sizeOf = (number: number): number => Math.abs(Number(rows[number - 1]?.['difference_all_to_c1_express']));
  const sorted = numbers(all).toSorted((a, b) => sizeOf(b) - sizeOf(a) || a - b);
  expect(sorted).not.toEqual(numbers(all));
  const [first, second] = [
    await page('?scenario=2&sort=difference&limit=4'),
    await page('?scenario=2&sort=difference&limit=5&from=4'),
  ];
  expect([...numbers(first), ...numbers(second)]).toEqual(sorted);
  expect([first.body.next, second.body.next, first.body.sortedTo]).toEqual([4, null, null]);
  expect(await page('?scenario=3')).toMatchObject({ status: 422 });
});

test('a scenario with the client’s current charges is reported to change nothing', async () => {
  const batch = await completedBatch(listOf(1));
  const { body } = await comparisons.ask(batch, {
    scenarios: [{ agreement: 'none' }, { discounts: { 'C1-GROUND': 5 } }],
  });
  expect(body.findings).toEqual([
    expect.objectContaining({ type: 'scenario.changesNothing', message: expect.stringContaining('Scenario 1 (') }),
  ]);
});
