import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import type { AnswerOf } from '../../src/http/call.ts';
import type { rowCalls } from '../../src/http/console/rows.ts';
import { smallTariff, TEN_POUNDS } from '../catalog/tariff/small-tariff.ts';
import { BATCHES, type BatchApi, HEADER, listOf, startBatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

type RowsBody = AnswerOf<typeof rowCalls.getRows>;

let api: BatchApi;
let redisUrl: string;
let session: Record<string, string>;
/** 20 rows in seven chunks of three, completed. */
let id: string;

/** In chunk 1 (rows 4 to 6) all rows have a fault. In chunk 3 (rows 10 to 12) none has one. */
const NO_ZIP = [2, 4, 5, 9, 20];
const NO_SERVICE = [6, 15];
const faultyList = (): string =>
  listOf(20)
    .split('\n')
    .map((line, row) => (NO_ZIP.includes(row) ? line.replace(',02139,', ',0213,') : line))
    .map((line, row) => (NO_SERVICE.includes(row) ? line.replace('C1-GROUND', 'C9-NONE') : line))
    .join('\n');

batchApiForFile(async (started) => {
  ({ api } = started);
  redisUrl = started.redis.url;
  session = await api.api.session('demo');
  const stop = await api.work();
  id = await api.upload(faultyList());
  await api.ended(id);
  await stop();
});

const ask = (query: string, of = id) => api.api.call(`/console${BATCHES}/${of}/rows${query}`, { headers: session });
const page = async (query: string, of = id): Promise<RowsBody> => (await ask(query, of)).body;
const numbers = ({ rows }: RowsBody): number[] => rows.map(({ input_row }) => input_row);

/** The rows of all pages, in order. */
const pages = async (query: string): Promise<RowsBody[]> => {
  const all: RowsBody[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const next: RowsBody = await page(`?${query}&from=${from}`);
    all.push(next);
    from = next.next;
  }
  return all;
};

describe('pages of a completed batch', () => {
  test('can be sorted by a result', async () => {
    const { rows, header, next, total, sortedTo } = await page('?sort=-charge&limit=5&from=5');
    expect([rows.length, next, total, sortedTo]).toEqual([5, 10, 20, null]);
    const charges = rows.map(({ cells }) => Number(cells[header.indexOf('quote_totalNetCharge')]));
    expect(charges).toEqual([...charges].sort((a, b) => b - a));
    expect((await page('?limit=1')).sortedTo).toBeNull();
    const { status, body } = await ask('?sort=name');
    expect([status, body.fault.arguments.sort]).toEqual([
      422,
      'must be one of charge, -charge, zone, -zone, weight, -weight',
    ]);
  });

  test.each([1, 2, 3, 7, 19, 20, 200])('of %d rows together are the output', async (limit) => {
    const [header, ...rows] = parse((await api.file(`/${id}/output`)).text) as string[][];
    const all = await pages(`limit=${limit}`);
    expect(all.flatMap((one) => one.rows.map(({ cells }) => cells))).toEqual(rows);
    expect(all.flatMap(numbers)).toEqual(rows.map((_, index) => index + 1));
    expect(all.map(({ rows: { length } }) => length)).toEqual(
      Array.from({ length: Math.ceil(20 / limit) }, (_, at) => Math.min(limit, 20 - at * limit)),
    );
    expect(all[0]).toMatchObject({ header, revision: 1, complete: true, total: 20 });
    expect(all[0]?.fields).toMatchObject({ warehouse_id: 1, postalCode: 2, weight_value: 3, weight_units: 4 });
  });

  test.each<[string, number[]]>([
    ['outcome=faulted', [2, 4, 5, 6, 9, 15, 20]],
    ['outcome=faulted&fault=getRates.unknownShippingService', [6, 15]],
    ['outcome=faulted&fault=getRates.noTariff', []],
    ['outcome=quoted', [1, 3, 7, 8, 10, 11, 12, 13, 14, 16, 17, 18, 19]],
  ])('with %s have only those rows, and their number', async (query, expected) => {
    for (const limit of [1, 2, 5, 200]) {
      const all = await pages(`${query}&limit=${limit}`);
      expect(all.flatMap(numbers)).toEqual(expected);
      expect(new Set(all.map(({ total }) => total))).toEqual(new Set([expected.length]));
    }
  });

  const of = async (query: string): Promise<number[]> => (await pages(query)).flatMap(numbers);

  test('can be filtered by service, zone and weight, and state the number of rows', async () => {
    const { body: summary } = await api.call('GET', `/${id}/summary`);
    const quoted = await of('outcome=quoted');
    for (const { shippingService, shipments } of summary.byService) {
      const all = await pages(`service=${shippingService}&limit=5`);
      expect(new Set(all.map(({ total }) => total))).toEqual(new Set([shipments]));
      expect(all.flatMap(numbers)).toHaveLength(shipments);
    }
    const byZone = await Promise.all(
      summary.byZone.map(({ rateZone }: { rateZone: string }) => of(`zone=${rateZone}&limit=3`)),
    );
    expect(byZone.flat().toSorted((a, b) => a - b)).toEqual(quoted);
    const bands: { toLb: number | null }[] = summary.byBillingWeight;
    const byWeight = await Promise.all(bands.map(({ toLb }) => of(`weight=${toLb ?? 'over'}`)));
    expect(byWeight.flat().toSorted((a, b) => a - b)).toEqual(quoted);
    expect(await of('zone=8&service=NONE')).toEqual([]);
    expect((await ask('?weight=3')).body.fault.arguments).toHaveProperty('weight');
  });

  test('can be searched by the text of the list’s own cells', async () => {
    expect(await of('search=a1')).toEqual([1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    expect(await of('search=A1&outcome=faulted')).toEqual([15]);
    expect(await of('search=noTariff')).toEqual([]);
    expect((await page('?search=A1')).total).toBeNull();
  });

  test('can begin at any row, and end after the last', async () => {
    expect(numbers(await page('?from=10&limit=4'))).toEqual([11, 12, 13, 14]);
    expect(numbers(await page('?from=5&limit=2&outcome=faulted'))).toEqual([6, 9]);
    expect(await page('?from=20')).toMatchObject({ rows: [], next: null, total: 20 });
    expect(await page('?from=9999999999')).toMatchObject({ rows: [], next: null });
  });

  test('have 50 rows by default', async () => {
    const stop = await api.work();
    const long = await api.upload(listOf(60));
    await api.ended(long);
    await stop();
    expect(numbers(await page('', long))).toHaveLength(50);
    expect((await page('', long)).next).toBe(50);
  });

  test('end early at one MiB, and the next one continues', async () => {
    const wide = 'é'.repeat(300_000);
    const list = `${HEADER}\n${`${wide},101,02139,2,LB,C1-GROUND,\n`.repeat(8)}`;
    const stop = await api.work();
    const heavy = await api.upload(list);
    await api.ended(heavy);
    await stop();
    const first = await page('?limit=200', heavy);
    expect([numbers(first), first.next]).toEqual([[1, 2, 3, 4], 4]);
    expect(first.rows[0]?.cells[0]).toBe(wide);
    expect(numbers(await page('?from=4', heavy))).toEqual([5, 6, 7, 8]);
  });
});

test('a running batch has the finished rows from the top without a gap', async () => {
  const running = await api.upload(faultyList());
  expect(await page('', running)).toMatchObject({ rows: [], next: null, total: null, complete: false });
  await api.rateChunk(running, 0);
  await api.rateChunk(running, 2);
  expect(numbers(await page('', running))).toEqual([1, 2, 3]);
  await api.rateChunk(running, 1);
  const { rows, ...rest } = await page('?outcome=faulted', running);
  expect(rows.map(({ input_row }) => input_row)).toEqual([2, 4, 5, 6, 9]);
  expect(rest).toMatchObject({ next: null, total: null, complete: false, revision: 1 });
});

test('a cancelled batch has all rated rows, also after gaps', async () => {
  const cancelled = await api.upload(faultyList());
  await api.rateChunk(cancelled, 0);
  await api.rateChunk(cancelled, 2);
  await api.call('POST', `/${cancelled}/cancel`);
  const stop = await api.work();
  await api.ended(cancelled);
  await stop();
  const all = await page('', cancelled);
  expect([numbers(all), all.total, all.complete]).toEqual([[1, 2, 3, 7, 8, 9], 6, false]);
});

test('a corrected batch has the rows of the requested revision, by default the last', async () => {
  const stop = await api.work();
  const corrected = await api.upload(faultyList());
  await api.ended(corrected);
  const correctedText = (await api.file(`/${corrected}/faults`)).text.replaceAll(',0213,', ',02139,');
  const sent = await api.api.call(`/console${BATCHES}/${corrected}/corrections`, {
    method: 'POST',
    headers: { ...session, 'Content-Type': 'text/csv' },
    body: correctedText,
  });
  expect(sent.status).toBe(202);
  await api.until(corrected, ({ status, revision }) => status === 'completed' && revision === 2);
  await stop();
  const now = await page('?outcome=faulted', corrected);
  expect([numbers(now), now.total, now.revision]).toEqual([[6, 15], 2, 2]);
  const before = await page('?outcome=faulted&revision=1', corrected);
  expect([numbers(before), before.total, before.revision]).toEqual([[2, 4, 5, 6, 9, 15, 20], 7, 1]);
  expect(numbers(await page('', corrected))).toHaveLength(20);
});

describe('a page is refused', () => {
  test.each([
    ['?limit=0', { limit: 'must be a whole number from 1 to 200' }],
    ['?limit=201', { limit: 'must be a whole number from 1 to 200' }],
    ['?from=-1', { from: 'must be a whole number from 0' }],
    ['?outcome=some', { outcome: 'must be one of all, quoted, faulted' }],
    ['?fault=getRates.noTariff', { fault: 'goes with outcome=faulted only' }],
    ['?offset=3', { offset: 'is not a parameter of this call' }],
    ['?revision=2', { revision: 'must be from 1 to 1' }],
  ])('for %s', async (query, args) => {
    const { status, body } = await ask(query);
    expect([status, body.fault.type, body.fault.arguments]).toEqual([422, 'getRates.invalidRequest', args]);
  });

  test('below /v1, because the call belongs to the console', async () => {
    expect((await api.call('GET', `/${id}/rows`)).status).toBe(404);
  });
});

describe('the console does not find a batch of another client', () => {
  test.each([
    ['GET', ''],
    ['GET', '/rows'],
    ['GET', '/output'],
    ['GET', '/faults'],
    ['GET', '/summary'],
    ['GET', '/events'],
    ['POST', '/cancel'],
    ['POST', '/retry'],
    ['DELETE', ''],
  ])('%s %s', async (method, below) => {
    const headers = await api.api.session('other');
    const { status, body } = await api.api.call(`/console${BATCHES}/${id}${below}`, { method, headers });
    expect([status, body.fault.type]).toEqual([404, 'request.notFound']);
  });

  test('in the list; its own client finds it there', async () => {
    const list = async (headers: Record<string, string>) =>
      (await api.api.call(`/console${BATCHES}`, { headers })).body.batches.map((batch: { id: string }) => batch.id);
    expect(await list(await api.api.session('other'))).toEqual([]);
    expect(await list(session)).toContain(id);
  });
});

test('a batch is uploaded, watched, downloaded and deleted through the console', async () => {
  const sent = await api.api.call(`/console${BATCHES}`, {
    method: 'POST',
    headers: { ...session, 'Content-Type': 'text/csv' },
    body: listOf(4),
  });
  expect(sent.status).toBe(202);
  const { Cookie = '' } = session;
  const own = `${api.api.url}/console${BATCHES}/${sent.body.id}`;
  const stream = await fetch(`${own}/events`, { headers: { Cookie } });
  const stop = await api.work();
  expect(await stream.text()).toMatch(/"status":"completed"/);
  await stop();
  expect(parse(await (await fetch(`${own}/output`, { headers: { Cookie } })).text())).toHaveLength(5);
  expect((await fetch(own, { method: 'DELETE', headers: { Cookie } })).status).toBe(403);
  expect((await fetch(own, { method: 'DELETE', headers: session })).status).toBe(204);
});

describe('one row', () => {
  const askRow = (query: string, of = id) => api.api.call(`/console${BATCHES}/${of}/row${query}`, { headers: session });

  test('has the price of the output, and its explanation', async () => {
    const { rows, header } = await page('?outcome=quoted');
    const at = header.lastIndexOf('quote_totalNetCharge');
    for (const { input_row: number, cells } of rows) {
      const { status, body } = await askRow(`?row=${number}`);
      expect(status).toBe(200);
      const { quote, fault, outputNetCharge } = body as AnswerOf<typeof rowCalls.getRow>;
      expect([quote?.totalNetCharge, fault]).toEqual([Number(cells[at]), null]);
      expect(outputNetCharge).toBe(Number(cells[at]));
      expect(quote?.explanation?.packages).toHaveLength(1);
    }
  });

  test('with a fault has the fault of the output', async () => {
    const { rows, header } = await page('?outcome=faulted');
    const at = header.lastIndexOf('fault_message');
    for (const { input_row: number, cells } of rows)
      expect((await askRow(`?row=${number}`)).body).toMatchObject({
        quote: null,
        fault: { message: cells[at] },
        outputNetCharge: null,
      });
  });

  test('is refused if the list has no such row', async () => {
    for (const query of ['?row=21', '?row=0', '?row=x', ''])
      expect((await askRow(query)).body.fault.arguments).toHaveProperty('row');
  });

  test('is rated as it was corrected', async () => {
    const stop = await api.work();
    const own = await api.upload(faultyList());
    await api.ended(own);
    const { text } = await api.file(`/${own}/faults`);
    const answer = await api.api.call(`/console${BATCHES}/${own}/corrections`, {
      method: 'POST',
      headers: { ...session, 'Content-Type': 'text/csv' },
      body: text.replaceAll('C9-NONE', 'C1-GROUND'),
    });
    expect(answer.status).toBe(202);
    await api.until(own, ({ revision, status }) => revision === 2 && status === 'completed');
    await stop();
    const [found] = (await page('?from=5&limit=1', own)).rows;
    expect(found?.input_row).toBe(6);
    const { quote } = (await askRow('?row=6', own)).body as AnswerOf<typeof rowCalls.getRow>;
    expect(found?.cells).toContain(quote?.totalNetCharge.toFixed(2));
    expect((await askRow('?row=6&revision=1', own)).body).toMatchObject({ quote: null });
    expect((await askRow('?row=1', own)).body.quote).not.toBeNull();
  });
});

test('the rows that repairs would fix are counted by column, and nothing changes', async () => {
  const stop = await api.work();
  const list = `${listOf(3)}A4,101,2139,1,LB,C1-GROUND,\nA5,101,2139,1,LB,C1-GROUND,\nA6,101,2139,1,LB,C9-NONE,\nA7,101,02139,heavy,LB,,\n`;
  const own = await api.upload(list);
  await api.ended(own);
  await stop();
  const { status, body } = await api.api.call(`/console${BATCHES}/${own}/mending`, { headers: session });
  expect([status, body]).toEqual([
    200,
    {
      looked: 4,
      all: true,
      kinds: [
        {
          ...{ type: 'getRates.invalidRequest', kind: 'getRates.invalidRequest postalCode', field: 'postalCode' },
          ...{
            column: 'postalCode',
            rows: 3,
            estimatedRows: 3,
            message: expect.stringContaining('must have the form'),
          },
          examples: [{ input_row: 4, value: '2139' }],
        },
        {
          ...{ type: 'getRates.invalidRequest', kind: 'getRates.invalidRequest weight_value', field: 'weight_value' },
          ...{ column: 'weight_value', rows: 1, estimatedRows: 1, message: 'must be a number' },
          examples: [{ input_row: 7, value: 'heavy' }],
        },
      ],
      rows: 2,
      columns: [{ column: 'postalCode', rows: 2, example: { row: 4, from: '2139', to: '02139' } }],
    },
  ]);
  expect((await page('?outcome=faulted', own)).total).toBe(4);
  const weights = '?outcome=faulted&fault=getRates.invalidRequest&kind=getRates.invalidRequest%20weight_value';
  expect((await page(weights, own)).rows.map(({ input_row }) => input_row)).toEqual([7]);
});

test('rows that cannot be read are counted by the column that is wrong', async () => {
  const stop = await api.work();
  const [names, ...rows] = listOf(3).trim().split('\n');
  const list = [`${names},Pieces`, ...rows.map((row, at) => `${row},${['1.5', '2', 'two'][at]}`), '"x"y'].join('\n');
  const own = await api.upload(list);
  await api.ended(own);
  await stop();
  const { body } = await api.api.call(`/console${BATCHES}/${own}/mending`, { headers: session });
  expect(body.kinds).toMatchObject([
    { kind: 'row.malformed Pieces', field: 'packages', column: 'Pieces', rows: 2 },
    { kind: 'row.malformed', field: null, column: null, rows: 1, examples: [] },
  ]);
  const malformed = '?outcome=faulted&fault=row.malformed';
  expect(numbers(await page(`${malformed}&kind=row.malformed%20Pieces`, own))).toEqual([1, 3]);
  expect(numbers(await page(`${malformed}&kind=row.malformed`, own))).toEqual([4]);
});

test('rows that ship before a service begins are a kind of their own', async () => {
  const late = smallTariff({
    file: { name: 'late', effective: '2026-11-26' },
    service: { code: 'LATE' },
    document: { rates: { LATE: TEN_POUNDS } },
  });
  const other = await startBatchApi({ redisUrl, schedule: scheduleOf([smallTariff(), late]) });
  const stop = await other.work();
  const rows = ['2026-11-25,LATE', '2026-11-25,NONE', '2026-11-24,LATE'].map((row) => `101,10001,1,LB,${row}`);
  const own = await other.upload(
    `warehouse_id,postalCode,weight_value,weight_units,shipDate,shippingService\n${rows.join('\n')}\n`,
  );
  await other.ended(own);
  await stop();
  const headers = await other.api.session('demo');
  const get = async (path: string) => (await other.api.call(`/console${BATCHES}/${own}/${path}`, { headers })).body;
  const type = 'getRates.unknownShippingService';
  const kind = `${type} LATE 2026-11-26`;
  expect((await get('mending')).kinds).toMatchObject([
    {
      type,
      kind,
      rows: 2,
      message: 'The shipping service LATE is not in force on 2026-11-25; it starts on 2026-11-26.',
    },
    { type, kind: type, rows: 1 },
  ]);
  const of = (wanted: string) => get(`rows?${new URLSearchParams({ outcome: 'faulted', fault: type, kind: wanted })}`);
  expect([numbers(await of(kind)), numbers(await of(type))]).toEqual([[1, 3], [2]]);
  await other.close();
});
