import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { TestRedis } from '../redis.ts';
import { sampleClients } from './api.ts';
import { BATCHES, type BatchApi, HEADER, listOf, startBatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

const KIB = 1024;
const LIMITS = { maximumBytes: 8_000 * KIB, maximumRows: 20, maximumRowBytes: 1_024 * KIB };
const OTHER = '; save it as UTF-8, or use ?encoding=windows-1252 if it is in that encoding';
const ROW = 'A1,101,02139,2,LB,,\n';

let redis: TestRedis;
let api: BatchApi;
batchApiForFile((started) => ({ redis, api } = started), { limits: LIMITS });

/** A refused upload leaves no file, no folder, and nothing in the list. */
afterEach(async () => {
  expect(await api.folders()).toEqual([]);
  expect((await api.call('GET', '')).body).toEqual({ batches: [], next: null });
});

const csv = { 'Content-Type': 'text/csv' };
const rowsOf = (count: number): string => ROW.repeat(count);

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A ZIP archive's first entry: its header, and `content` compressed or stored. */
const zipOf = (content: string, compressed: boolean): Buffer => {
  const data = compressed ? deflateRawSync(content) : Buffer.from(content);
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt16LE(compressed ? 8 : 0, 8);
  header.writeUInt32LE(data.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE('shipments.csv'.length, 26);
  return Buffer.concat([header, Buffer.from('shipments.csv'), data]);
};

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('a file that is not a list', () => {
  test.each<[string, string | Buffer, string, string]>([
    ['empty', '', 'file', 'is empty; it needs a header row and at least one row'],
    ['blank', '\r\n \n\n', 'file', 'is empty; it needs a header row and at least one row'],
    ['only a header', `${HEADER}\n`, 'file', 'has only a header row; add at least one shipment'],
    ['a header and blank rows', `${HEADER}\n\n,,,\n`, 'file', 'has only a header row; add at least one shipment'],
    [
      'an unclosed header',
      '"order,zip\n',
      'header',
      'is not CSV: a quoted cell is not closed; if the list quotes no cells, use ?quotes=none',
    ],
    ['a PNG', PNG, 'file', 'is not UTF-8 text at byte 0 (line 1)'],
    [
      'Latin-1 in its header',
      latin1(`${HEADER},stra\xdfe\n${ROW}`),
      'file',
      `is not UTF-8 text at byte ${HEADER.length + 5} (line 1)${OTHER}`,
    ],
    [
      'cut within a character',
      latin1(`${HEADER}\n${ROW}\xc3`),
      'file',
      `is not UTF-8 text at byte ${HEADER.length + 1 + ROW.length} (line 3)${OTHER}`,
    ],
  ])('%s', async (_, body, name, problem) => {
    const answer = await api.post(body, '', csv);
    expect([answer.status, answer.body.code, answer.body.fault.type]).toEqual([422, 422, 'createBatch.invalidFile']);
    expect(answer.body.fault.arguments).toEqual({ [name]: problem });
    expect(answer.body.fault.message).toContain(problem);
  });

  test.each([
    ['a compressed ZIP', zipOf(listOf(9), true)],
    ['an uncompressed ZIP, by its NUL bytes', zipOf(listOf(2), false)],
    ['random bytes', randomBytes(100 * KIB)],
  ])('%s', async (_, bytes) => {
    const { status, body } = await api.post(bytes, '', csv);
    expect([status, body.fault.type]).toEqual([422, 'createBatch.invalidFile']);
    expect(Object.keys(body.fault.arguments)).toEqual(['file']);
  });

  test.each([
    ['JSON', '{"rates": {"shipper": {"warehouse_id": 101}}}'],
    ['JSON in lines', '{\n  "rates": {\n    "shipper": {}\n  }\n}\n'],
    ['no header', 'A1,101,02139,2,LB,,\nA2,101,02139,2,LB,,\n'],
  ])('%s, which has none of the columns', async (_, body) => {
    const answer = await api.post(body, '', csv);
    expect([answer.status, answer.body.fault.type]).toEqual([422, 'createBatch.invalidFile']);
    expect(Object.keys(answer.body.fault.arguments)).toEqual([
      'warehouse_id',
      'postalCode',
      'weight_value',
      'weight_units',
    ]);
    expect(answer.body.fault.arguments.postalCode).toContain('the first row must be the header');
  });

  test('a required column is missing', async () => {
    const { status, body } = await api.post('warehouse,weight,units\n101,2,LB\n', '', csv);
    expect([status, body.fault.type]).toEqual([422, 'createBatch.invalidFile']);
    expect(Object.keys(body.fault.arguments)).toEqual(['postalCode']);
  });

  test('two columns have the same meaning', async () => {
    const { status, body } = await api.post(`${HEADER},Weight Value\n${ROW}`, '', csv);
    expect([status, body.fault.type]).toEqual([422, 'createBatch.invalidFile']);
    expect(body.fault.arguments).toEqual({
      weight_value:
        'two columns claim it: "weight_value" (column 4) and "Weight Value" (column 8); ?columns=weight_value:weight_value chooses one',
    });
  });

  test('bytes that are not UTF-8 after the first 64 KiB are reported by line and byte', async () => {
    const good = `${HEADER}\n${`A1,101,02139,2,LB,,${'x'.repeat(30 * KIB)}\n`.repeat(18)}`;
    const { status, body } = await api.post(latin1(`${good}\xff,101\n`), '', csv);
    expect([status, body.fault.type]).toEqual([422, 'createBatch.invalidFile']);
    expect(body.fault.arguments).toEqual({
      file: `is not UTF-8 text at byte ${good.length} (line 20)${OTHER}`,
    });
  });
});

describe('a list over a limit', () => {
  const tooLarge = async (body: string | Buffer, limit: string, headers: Record<string, string> = csv) => {
    const answer = await api.post(body, '', headers);
    expect([answer.status, answer.body.fault.type]).toEqual([413, 'request.tooLarge']);
    expect(Object.keys(answer.body.fault.arguments)).toEqual([limit]);
    return String(answer.body.fault.arguments[limit]);
  };

  test('of 21 rows if the limit is 20', async () => {
    expect(await tooLarge(`${HEADER}\n${rowsOf(21)}`, 'rows')).toBe('20 rows');
  });

  test.each([
    ['unquoted', `${'x'.repeat(2_048 * KIB)}`],
    ['quoted', `"${'x'.repeat(2_048 * KIB)}"`],
    ['quoted and never closed', `"${'x'.repeat(2_048 * KIB)}`],
  ])('of a 2 MiB cell that is %s', async (_, cell) => {
    expect(await tooLarge(`${HEADER}\n${ROW}${cell},101,02139,2,LB,,\n${ROW}`, 'row')).toBe(
      '1048576 bytes, and row 2 (line 3) is longer',
    );
  });

  test('of a header of 2 MiB', async () => {
    const { status, body } = await api.post(`${HEADER},${'x'.repeat(2_048 * KIB)}\n${ROW}`, '', csv);
    expect([status, body.fault.type]).toEqual([422, 'createBatch.invalidFile']);
    expect(body.fault.arguments).toEqual({ header: 'is longer than 1048576 bytes' });
  });

  test.each(['', '?preview=true'])(
    'of a header of half a million columns (%s), before each is checked',
    async (query) => {
      const { status, body } = await api.post(`${'a,'.repeat(500_000)}\n${ROW}`, query, csv);
      expect([status, body.fault.arguments]).toEqual([422, { header: 'has 500001 columns; the most are 16384' }]);
    },
  );

  const wide = `${HEADER}\n${`A1,101,02139,2,LB,,${'x'.repeat(900 * KIB)}\n`.repeat(10)}`;

  test('of bytes, by the declared length', async () => {
    expect(await tooLarge(wide, 'upload')).toBe('8192000 bytes');
  });

  test('of bytes, counted as they arrive', async () => {
    const sent = request(`${api.api.url}${BATCHES}`, { method: 'POST', headers: { ...api.bearer(), ...csv } });
    const answered = once(sent, 'response');
    sent.on('error', () => undefined); // The connection may close before everything is sent.
    sent.write(wide.slice(0, 100));
    sent.end(wide.slice(100));
    const [response] = await answered;
    expect(response.statusCode).toBe(413);
    response.resume();
  });

  test('of bytes, inflated', async () => {
    const zipped = { ...csv, 'Content-Encoding': 'gzip' };
    expect(await tooLarge(gzipSync(wide), 'inflatedUpload', zipped)).toBe('8192000 bytes');
  });

  test('of bytes, in a form', async () => {
    const form = new FormData();
    form.set('file', new Blob([wide]));
    const { status, body } = await api.post(form);
    expect([status, body.fault.type]).toEqual([413, 'request.tooLarge']);
  });
});

describe('a body that contradicts its headers', () => {
  const malformed = async (body: RequestInit['body'], headers: Record<string, string>) => {
    const answer = await api.post(body, '', headers);
    expect([answer.status, answer.body.fault.type]).toEqual([400, 'request.malformedBody']);
    return answer.body.fault.arguments;
  };
  const zipped = { ...csv, 'Content-Encoding': 'gzip' };
  const form = { 'Content-Type': 'multipart/form-data; boundary=cut' };
  const begun = '--cut\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';

  test.each([
    ['not gzip', Buffer.from(listOf(3))],
    ['truncated gzip', gzipSync(listOf(3)).subarray(0, -10)],
  ])('%s', async (_what, body) => {
    expect(await malformed(body, zipped)).toEqual({ body: 'it is not gzip, or is damaged or truncated' });
  });

  test('gzip that breaks in the middle', async () => {
    const bytes = gzipSync(randomBytes(100 * KIB).toString('hex'));
    bytes.fill(0xff, 40 * KIB, 41 * KIB);
    await malformed(bytes, zipped);
  });

  test('gzip that ends too early', async () => {
    await malformed(gzipSync(`${HEADER}\n${rowsOf(20)}`).subarray(0, -9), zipped);
  });

  test('gzip of nothing', async () => {
    const { status, body } = await api.post(gzipSync(''), '', zipped);
    expect([status, body.fault.type]).toEqual([422, 'createBatch.invalidFile']);
  });

  test('a form without a boundary', async () => {
    expect(await malformed(begun, { 'Content-Type': 'multipart/form-data' })).toEqual({
      body: 'it is not multipart/form-data',
    });
  });

  test('a form without an end', async () => {
    await malformed(`${begun}${listOf(3)}`, form);
  });

  test('a form that breaks in a part before the file', async () => {
    await malformed(`--cut\r\nno header\r\n\r\n${begun}${listOf(20_000)}\r\n--cut--\r\n`, form);
  });

  test('a form that continues after its end', async () => {
    const part = `${begun}${listOf(3)}\r\n`;
    await malformed(`${part}--cut--\r\n${part}${part}`, form);
  });

  test('text that is not a form', async () => {
    await malformed(listOf(3), form);
  });
});

describe('a form', () => {
  const invalid = async (form: FormData, query = ''): Promise<unknown> => {
    const { status, body } = await api.post(form, query);
    expect([status, body.fault.type]).toEqual([422, 'createBatch.invalidFile']);
    return body.fault.arguments;
  };

  test('without a part named file', async () => {
    const form = new FormData();
    form.set('list', new Blob([listOf(2)]), 'a.csv');
    expect(await invalid(form)).toEqual({ file: 'is missing: the form needs one part named file' });
  });

  test('with a field named file, which is not a file', async () => {
    const form = new FormData();
    form.set('file', listOf(2));
    expect(await invalid(form)).toEqual({ file: 'is missing: the form needs one part named file' });
  });

  test.each([[[]], [['note']], [['note', 'note']]])('with two parts named file after %j', async (before) => {
    const form = new FormData();
    for (const name of before) form.append(name, new Blob(['x']), 'x.txt');
    form.append('file', new Blob([listOf(2)]), 'a.csv');
    form.append('file', new Blob([listOf(3)]), 'b.csv');
    expect(await invalid(form)).toEqual({ file: 'occurs twice: the form takes one list' });
  });

  test.each([
    ['repair', 2, '', 'belongs in the URL, as ?repair=, and not in the form'],
    ['repair', 100_000, '?preview=true', 'belongs in the URL, as ?repair=, and not in the form'],
    ['Repair', 2, '', 'is not a parameter of this call'],
    ['Repair', 2, '?preview=true', 'is not a parameter of this call'],
  ])(
    'with the field %s next to a list of %i rows, which would have no effect%s',
    async (name, rows, query, problem) => {
      const file = new Blob([listOf(rows)]);
      const before = new FormData();
      before.set(name, 'zip');
      before.set('file', file, 'a.csv');
      const after = new FormData();
      after.set('file', file, 'a.csv');
      after.set(name, 'zip');
      for (const form of [before, after]) expect(await invalid(form, query)).toEqual({ [name]: problem });
    },
  );

  test('with a second list, for a preview', async () => {
    const form = new FormData();
    for (const name of ['a.csv', 'b.csv']) form.append('file', new Blob([listOf(100_000)]), name);
    expect(await invalid(form, '?preview=true')).toEqual({ file: 'occurs twice: the form takes one list' });
  });

  test('with another file', async () => {
    const form = new FormData();
    form.set('file', new Blob([listOf(2)]), 'a.csv');
    form.set('more', new Blob([listOf(2)]), 'b.csv');
    expect(await invalid(form)).toEqual({ more: 'is not a parameter of this call' });
  });

  test('with a large list that is refused by its header', async () => {
    const form = new FormData();
    form.set('file', new Blob([PNG, randomBytes(4_000 * KIB)]), 'a.png');
    expect(await invalid(form)).toEqual({ file: 'is not UTF-8 text at byte 0 (line 1)' });
  });
});

describe('a request is refused by its headers or its query', () => {
  test.each(['application/json', 'image/png', 'application/x-www-form-urlencoded', 'multipart/mixed'])(
    'of type %s',
    async (type) => {
      const { status, body } = await api.post(listOf(2), '', { 'Content-Type': type });
      expect([status, body.fault.type]).toEqual([415, 'request.unsupportedMediaType']);
      expect(Object.keys(body.fault.arguments)).toEqual(['Content-Type']);
    },
  );

  test.each(['br', 'deflate', 'gzip, gzip'])('under Content-Encoding %s', async (encoding) => {
    const { status, headers, body } = await api.post(listOf(2), '', { ...csv, 'Content-Encoding': encoding });
    expect([status, body.fault.type]).toEqual([415, 'request.unsupportedMediaType']);
    expect(Object.keys(body.fault.arguments)).toEqual(['Content-Encoding']);
    expect(headers.get('accept-encoding')).toBe('gzip, identity');
  });

  test.each([
    ['unit=KG', 'unit'],
    ['units=ST', 'units'],
    ['dimension_units=FT', 'dimension_units'],
    ['units=KG&units=LB', 'units'],
    ['warehouse_id=0', 'warehouse_id'],
    ['warehouse_id=12345678901', 'warehouse_id'],
    ['shippingService=ABCDEFGHIJK', 'shippingService'],
    ['residential=yes', 'residential'],
    ['tariff=none', 'tariff'],
    ['filename=', 'filename'],
  ])('?%s', async (query, parameter) => {
    const { status, body } = await api.post(listOf(2), `?${query}`, csv);
    expect([status, body.fault.type]).toEqual([422, 'getRates.invalidRequest']);
    expect(Object.keys(body.fault.arguments)).toEqual([parameter]);
  });
});

test('the sender sees the answer even if much of the list is not yet sent', async () => {
  const { status, body } = await api.post(Buffer.concat([PNG, randomBytes(7_000 * KIB)]), '', csv);
  expect([status, body.fault.type]).toEqual([422, 'createBatch.invalidFile']);
});

test.each([
  ['raw', csv, listOf(15)],
  [
    'in a form',
    { 'Content-Type': 'multipart/form-data; boundary=cut' },
    `--cut\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${listOf(15)}`,
  ],
])('a sender that disconnects in the middle (%s) leaves nothing', async (_, headers, begun) => {
  const sent = request(`${api.api.url}${BATCHES}`, {
    method: 'POST',
    headers: { ...api.bearer(), ...headers, 'Content-Length': 500 * KIB },
  });
  sent.on('error', () => undefined); // This test ends it.
  sent.write(begun + ROW.repeat(5));
  sent.write(`${'x'.repeat(200 * KIB)}`);
  for (let waited = 0; (await api.folders()).length === 0 && waited < 200; waited += 1) await sleep(10);
  expect((await api.folders()).length).toBe(1);
  sent.destroy();
  for (let waited = 0; (await api.folders()).length > 0 && waited < 200; waited += 1) await sleep(10);
  expect(await api.folders()).toEqual([]);
});

test('uploads over the client’s limit per minute are refused with 429', async () => {
  const clients = new Map(
    [...(await sampleClients())].map(([id, client]) => [
      id,
      { ...client, limits: { ...client.limits, uploadsPerMinute: 2 } },
    ]),
  );
  const limited = await startBatchApi({ redisUrl: redis.url, clients });
  try {
    const answers = [];
    for (let i = 0; i < 3; i += 1) answers.push(await limited.post('', '', csv));
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 429]);
    expect(answers[2]?.body.fault).toMatchObject({ type: 'request.rateLimited', arguments: { limit: 'uploads' } });
    expect(answers[2]?.headers.get('retry-after')).toMatch(/^\d+$/);
  } finally {
    await limited.close();
  }
});
