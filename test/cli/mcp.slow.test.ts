/** `rates mcp` against a running service, through the protocol's own client. */
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { folderForFile } from '../folder.ts';
import { type BatchApi, HEADER, listOf } from '../http/batch-api.ts';
import { batchApiForFile } from '../http/batch-suite.ts';
import { untilReached } from '../soon.ts';
import { makeAgreement } from './agreements.ts';
import { ratesHere } from './in-process.ts';
import { type Assistant, startAssistant } from './mcp-client.ts';
import { ROOT, rates } from './rates.ts';

const MOST_BYTES = 48 * 1024;

let api: BatchApi;
batchApiForFile(
  (started) => {
    api = started.api;
  },
  { worker: true },
);

let dir: string;
let reading: Assistant;
let changing: Assistant;
folderForFile((made) => (dir = made));

const start = (...args: string[]): Promise<Assistant> =>
  startAssistant(['--import', 'tsx', join(ROOT, 'src', 'cli', 'main.ts'), 'mcp', '--folder', dir, ...args]);

beforeAll(async () => {
  await writeFile(join(dir, 'list.csv'), `${listOf(30)}A31,101,09001,1,LB,C1-EXPRESS,\nA32,999,02139,1,LB,,\n`);
  reading = await start('--server', api.api.url);
  changing = await start('--server', api.api.url, '--allow-changes');
});
afterAll(async () => {
  for (const one of [reading, changing]) await one.close();
});

const SECRETS = /demo-secret|other-secret|eyJ[\w-]{10}|Bearer/;
const READ_ONLY = ['quote', 'explain', 'preview_list', 'read_batch', 'read_rows', 'read_comparison', 'check_agreement'];

afterEach(() => {
  for (const { heard, log } of [reading, changing]) {
    expect(heard.filter((answer) => SECRETS.test(answer))).toEqual([]);
    expect(log()).not.toMatch(SECRETS);
    // An answer is in its text, and again as an object.
    expect(heard.filter((answer) => Buffer.byteLength(answer) > 2.2 * MOST_BYTES)).toEqual([]);
  }
});

test('tools that start something exist only where changes are allowed', async () => {
  expect(await reading.tools()).toEqual(READ_ONLY.map((name) => [name, true]));
  const all = await changing.tools();
  expect(all.filter(([name]) => !READ_ONLY.includes(name))).toEqual([
    ['start_batch', false],
    ['start_comparison', false],
  ]);
  expect(all).toHaveLength(READ_ONLY.length + 2);
  expect(await reading.fault('start_batch', { file: 'list.csv' })).toMatchObject({ type: 'tool.unknown' });
  expect((await api.call('GET', '')).body.batches).toEqual([]);
});

const shipment = (postalCode: string, more: object = {}) => ({
  rates: {
    shipper: { warehouse_id: 101 },
    recipient: { address: { postalCode } },
    packageItems: [{ weight: { units: 'LB', value: 2.1 } }],
    ...more,
  },
});

test('a quote is the answer of the single call, and so is a fault', async () => {
  const there = async (request: object, query = '') =>
    (await api.api.quote(request, query, { Authorization: `Bearer ${api.api.token}` })).body;
  const local = await start('--local');
  expect((await local.tools()).map(([name]) => name)).toEqual(['quote', 'explain', 'check_agreement']);
  for (const one of [reading, local]) {
    expect(await one.answer('quote', shipment('02139'))).toEqual(await there(shipment('02139')));
    const explained = await one.answer('explain', shipment('02139'));
    expect(explained).toEqual(await there(shipment('02139'), '?explain=true'));
    expect(explained).toHaveProperty('explanation');
    // An unknown member is named in a warning, as in the call.
    const more = { ...shipment('02139'), colour: 'red' };
    expect(await one.answer('quote', more)).toMatchObject({ warnings: [{ arguments: { member: 'colour' } }] });
    const wrong = [shipment('09001'), shipment('2139'), shipment('02139', { shippingService: 'C9' }), {}];
    for (const request of wrong) expect(await one.fault('quote', request)).toEqual((await there(request)).fault);
  }
  await local.close();
});

test('a preview says how the service reads a list, and keeps nothing', async () => {
  const preview = await reading.answer('preview_list', { file: 'list.csv', rows: 3 });
  expect(preview).toMatchObject({ rowsRead: 32, faulted: 2, estimate: { exact: true, rows: 32 } });
  expect(preview['rows']).toHaveLength(3);
  expect(await reading.fault('preview_list', { file: 'list.csv', repair: 'some' })).toEqual({
    type: 'tool.invalidInput',
    message: 'The input is invalid: repair must be zip, weight or all.',
    arguments: { repair: 'must be zip, weight or all' },
  });
  await writeFile(join(dir, 'other.csv'), 'a,b\n1,2\n');
  expect(await reading.fault('preview_list', { file: 'other.csv' })).toMatchObject({
    type: 'createBatch.invalidFile',
    arguments: { postalCode: expect.any(String) },
  });
});

test('only lists below the folder are read', async () => {
  await writeFile(join(dir, '.hidden.csv'), listOf(1));
  await writeFile(join(dir, 'clients.json'), '{}');
  await symlink(join(ROOT, 'samples', 'shipments.csv'), join(dir, 'link.csv'));
  const outside = { file: `must be below ${dir}, and no part of it hidden` };
  for (const file of ['.hidden.csv', '../list.csv', join(ROOT, 'samples', 'shipments.csv'), 'link.csv'])
    expect(await reading.fault('preview_list', { file })).toMatchObject({
      type: 'tool.invalidInput',
      arguments: outside,
    });
  expect(await reading.fault('preview_list', { file: 'clients.json' })).toMatchObject({
    arguments: { file: expect.stringContaining('must be a list') },
  });
  expect(await reading.fault('preview_list', { file: 'none.csv' })).toMatchObject({
    type: 'tool.failed',
    message: expect.stringContaining('none.csv does not exist'),
  });
});

const ended = (tool: string, input: object) =>
  untilReached(
    () => changing.answer(tool, input),
    ({ status }) => status === 'completed',
    ({ status }) => [status],
    () => changing.log(),
  );

test('a batch and a comparison from their start to their rows', async () => {
  const { id: batch } = await changing.answer('start_batch', { file: 'list.csv', service_map: 'x:C1-GROUND' });
  const whole = await ended('read_batch', { batch });
  const seen = (await api.call('GET', `/${batch}`)).body;
  expect({ ...whole, links: seen.links }).toEqual(seen);
  expect(whole).toMatchObject({ filename: 'list.csv', rows: { total: 32, quoted: 30, faulted: 2 } });

  const lines = (await api.file(`/${batch}/output`)).text.trim().split('\n');
  const first = await reading.answer('read_rows', { of: batch, limit: 30 });
  expect([first['columns'], first['next']]).toEqual([lines[0]?.split(','), 31]);
  expect(first['rows'][29]).toEqual(lines[30]?.split(','));
  const last = await reading.answer('read_rows', { of: batch, from: 31, limit: 30 });
  expect([last['rows'].map(([order]: string[]) => order), last['next']]).toEqual([['A31', 'A32'], null]);
  const faults = await reading.answer('read_rows', { of: batch, rows: 'faults' });
  expect(faults['rows']).toEqual(last['rows']);

  const scenarios = [{ name: 'half', discounts: { 'C1-GROUND': 50 } }];
  const { id: comparison } = await changing.answer('start_comparison', { batch, scenarios });
  const compared = await ended('read_comparison', { comparison });
  expect(compared['summary'].scenarios).toEqual([expect.objectContaining({ name: 'half', shipments: 30 })]);
  const rows = await reading.answer('read_rows', { of: comparison, limit: 1 });
  expect([rows['columns'], rows['next']]).toEqual([expect.arrayContaining(['net_half']), 2]);
  expect(await changing.fault('start_comparison', { batch })).toMatchObject({ type: 'getRates.invalidRequest' });
});

test('another client’s batch is not found', async () => {
  const { Authorization } = api.bearer(await api.api.tokenOf('other', 'other-secret'));
  const sent = await api.post(`${HEADER}\nA1,201,02139,1,LB,,\n`, '', { Authorization, 'Content-Type': 'text/csv' });
  const { id } = sent.body;
  for (const [tool, member] of [
    ['read_batch', 'batch'],
    ['read_rows', 'of'],
  ] as const)
    expect(await reading.fault(tool, { [member]: id })).toEqual({
      type: 'request.notFound',
      message: `${member} names nothing that the client has.`,
      arguments: { [member]: 'names nothing that the client has' },
    });
});

test('a long answer is cut, and says what is left out', async () => {
  const notes = Array.from({ length: 60 }, (_, row) => `A${row + 1},101,02139,1,LB,C1-GROUND,,${'n'.repeat(1_000)}`);
  const wide = `A61,101,02139,1,LB,C1-GROUND,,${'w'.repeat(100_000)}`;
  await writeFile(join(dir, 'wide.csv'), `${HEADER},note\n${[...notes, wide].join('\n')}\n`);
  const { id } = await changing.answer('start_batch', { file: 'wide.csv' });
  await ended('read_batch', { batch: id });
  const numbers: string[] = [];
  let from: number | null = 1;
  let page: Awaited<ReturnType<Assistant['answer']>> = {};
  while (from !== null) {
    page = await changing.answer('read_rows', { of: id, from, limit: 200 });
    numbers.push(...page['rows'].map(([order]: string[]) => order));
    from = page['next'];
  }
  expect(numbers).toEqual(Array.from({ length: 61 }, (_, row) => `A${row + 1}`));
  // The last page has the long cell alone.
  expect(page).toMatchObject({
    cut: [{ at: 'rows[0][7]', kept: 1_000, of: 100_000 }],
    readOn: '`rates batch download` writes all cells to a file.',
  });
  expect(page['rows'][0][7]).toBe('w'.repeat(1_000));
  const many = await reading.fault(
    'preview_list',
    Object.fromEntries(
      listOf(500)
        .split('\n')
        .map((one) => [one, 1]),
    ),
  );
  expect(Object.keys(many.arguments)).toHaveLength(20);
});

test('an agreement is checked as the command checks it', async () => {
  await makeAgreement(join(dir, 'agreements', 'acme'), {
    'agreement.json': JSON.stringify({ name: 'acme', carrier: 'C1', effective: '2026-01-01' }),
    'discounts.csv': ['discount,services,percent', 'Incentive,C1-GROUND,30', 'Incentive,C1-NONE,30'],
  });
  const said = await ratesHere(['agreement', 'check', join(dir, 'agreements'), '--json']);
  const { agreements } = JSON.parse(said.stdout);
  expect(agreements).toHaveLength(1);
  expect(await reading.answer('check_agreement', { folder: 'agreements' })).toEqual({ agreements });
});

test('standard output has the protocol alone, and what was asked before the end is answered', async () => {
  const line = (id: number, method: string, params: object): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a test', version: '1' } };
  const call = { name: 'quote', arguments: shipment('02139') };
  const calls = Array.from({ length: 9 }, (_, at) => line(at + 2, 'tools/call', call)).join('');
  const said = await rates(['mcp', '--server', api.api.url], {
    input: `${line(1, 'initialize', hello)}not the protocol 02139\n${calls}`,
  });
  const answers = said.stdout
    .toString()
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one));
  expect(answers.map(({ id }) => id).sort((a, b) => a - b)).toEqual([null, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(answers.find(({ id }) => id === null).error).toEqual({ code: -32700, message: 'The line is not JSON.' });
  const busy = answers.filter(({ result }) => result?.isError).map(({ result }) => JSON.parse(result.content[0].text));
  expect(busy.map(({ fault }) => fault.type)).toEqual(['tool.busy']);
  expect([said.code, said.stderr]).toEqual([0, expect.stringContaining('could not be read or answered (SyntaxError)')]);
  expect(said.stderr).toContain(`the client demo at ${api.api.url}, read-only`);
  expect(said.stderr).not.toContain('02139');
});

test('a service that does not answer is a fault, and a wrong secret too', async () => {
  const away = await start('--server', 'http://127.0.0.1:1');
  expect(await away.fault('read_batch', { batch: 'b1' })).toMatchObject({
    type: 'service.unreachable',
    message: expect.stringContaining('at http://127.0.0.1:1'),
  });
  await away.close();
  const wrong = await start('--server', api.api.url, '--client-id', 'demo', '--client-secret', 'not-the-secret');
  expect(await wrong.fault('quote', shipment('02139'))).toMatchObject({ type: 'InvalidCredentialsException' });
  expect([...wrong.heard, wrong.log()].join()).not.toContain('not-the-secret');
  await wrong.close();
});
