import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRemote } from '../../src/cli/batch/remote.ts';
import { folderForFile } from '../folder.ts';
import { breakingOnce } from '../http/client/breaking-once.ts';
import { type TestRedis, testRedis } from '../redis.ts';
import { ratesHere } from './in-process.ts';
import { ROOT, rates, startRates } from './rates.ts';

const SAMPLE = join(ROOT, 'samples', 'shipments.csv');

let dir: string;
let redis: TestRedis;
let env: NodeJS.ProcessEnv;
let server: string;
let api: ChildProcess;
let worker: ChildProcess;

/** A port on which nothing listens. */
const closedPort = async (): Promise<number> => {
  const listening = createServer().listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  listening.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

/** Starts the API, on its previous port if it had one. */
const startApi = async (port: string): Promise<string> => {
  api = startRates(['api'], { ...env, PORT: port });
  const [message] = await once(api, 'message');
  return String(message.port);
};

/** The number of recent batches with this name. */
const batchesNamed = async (name: string): Promise<number> => {
  const credentials = { id: 'demo', secret: 'demo-secret' };
  const remote = createRemote({ server, credentials, signal: AbortSignal.timeout(30_000) });
  const { batches } = await remote.batches({ limit: '100' });
  return batches.filter(({ filename }) => filename === name).length;
};

folderForFile((made) => (dir = made));
beforeAll(async () => {
  redis = await testRedis();
  env = { REDIS_URL: redis.url, DATA_DIR: join(dir, 'data'), CHUNK_ROWS: '100' };
  server = `http://127.0.0.1:${await startApi('0')}`;
  worker = startRates(['worker'], env);
});
afterAll(async () => {
  for (const child of [api, worker]) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await redis.stop();
});

test('a list sent to a service has the same output as rates run, byte for byte', async () => {
  const output = join(dir, 'quoted.csv');
  const sent = await ratesHere(['batch', SAMPLE, '-o', output, '--server', server, '--json']);
  expect(sent.stderr).toContain('970 quotes, 30 faults');
  expect(sent.code).toBe(4);
  const batch = JSON.parse(sent.stdout);
  expect(batch).toMatchObject({ status: 'completed', filename: 'shipments.csv', rows: { total: 1000, faulted: 30 } });

  const local = await ratesHere(['run', SAMPLE, '-o', '-']);
  expect(local.stdout).toBe(await readFile(output, 'utf8'));

  const again = await ratesHere(['batch', '--watch', batch.id, '-o', '-', '--server', server]);
  expect(again.code).toBe(4);
  expect(again.stdout).toBe(local.stdout);
});

test('prints the total, as the service adds it up', async () => {
  const options = ['--server', server, '--units', 'LB', '--warehouse', '101'];
  const { stderr } = await ratesHere(['batch', '-', '-o', '-', ...options], {
    input: 'zip,weight\n60601,5\n60601,5\n',
  });
  expect(stderr).toContain('\nTotal: $29.44\n');
});

test('a reader that closes standard output, such as head, gets no message', async () => {
  const child = startRates(['batch', SAMPLE, '-o', '-', '--server', server]);
  child.stdout?.once('data', () => child.stdout?.destroy());
  let words = '';
  child.stderr?.on('data', (piece) => (words += piece));
  const [code] = await once(child, 'close');
  expect([code, words]).toEqual([1, '']);
});

test('two formats of the output exclude each other', async () => {
  const both = await ratesHere(['batch', SAMPLE, '-o', '-', '--server', server, '--xlsx', '--excel']);
  expect(both.code).toBe(2);
  expect(both.stderr).toContain("option '--xlsx' cannot be used with option '--excel'");
});

test('an unknown batch is named', async () => {
  const id = 'b0000000000000000000000000';
  const unknown = await ratesHere(['batch', '--watch', id, '-o', '-', '--server', server]);
  expect(unknown).toMatchObject({
    code: 1,
    stderr: `The client demo has no batch ${id} at ${server}. \`rates batch list\` lists its batches.\n`,
  });
});

test.each([
  ['while it is sent', (sent: number) => sent > 60_000],
  ['when it was made, before that was told', (_: number, received: string) => received.includes(' 202 ')],
])(
  'an upload whose connection breaks %s is sent again, and makes one batch',
  async (when, breaks) => {
    const proxy = await breakingOnce(server, breaks);
    const name = `${when.replaceAll(/\W/g, '-')}.csv`;
    const path = join(dir, name);
    await copyFile(SAMPLE, path);
    const sent = await ratesHere(['batch', path, '-o', join(dir, 'broken.csv'), '--server', proxy.url]);
    proxy.close();
    expect(sent.stderr).toContain('Trying again: The connection was lost or could not be made');
    expect(sent.stderr).toContain('970 quotes, 30 faults');
    expect([sent.code, proxy.broken(), await batchesNamed(name)]).toEqual([4, 1, 1]);
  },
  90_000,
);

test('says what a list costs by each service, in sentences and beside the batch as JSON', async () => {
  const flags = ['batch', SAMPLE, '-o', join(dir, 'all.csv'), '--server', server, '--json'];
  const all = await ratesHere([...flags, '--all-services']);
  expect(all.stderr).toContain(
    'The cheapest service for each shipment saves $14,830.61 (24.9%): $44,847.94 instead of $59,678.55 as in the list.\n',
  );
  const { status, allServices } = JSON.parse(all.stdout);
  expect([status, allServices.totalCheapest]).toEqual(['completed', 44_847.94]);
  const plain = await ratesHere(flags);
  expect(plain.stderr).not.toContain('As listed');
  expect(JSON.parse(plain.stdout)).not.toHaveProperty('allServices');
}, 60_000);

test.skipIf(!existsSync('/dev/full'))('if the output cannot be written, it suggests another one', async () => {
  const { code, stderr } = await ratesHere(['batch', SAMPLE, '-o', '/dev/full', '--xlsx', '--server', server]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^The disk is full \(\/dev\/full\)\..*\nThe batch continues\. .* --watch b[a-z0-9]{25} --xlsx -o FILE --server /,
    ),
  ]);
});

test('a list from standard input without faults ends with 0', async () => {
  const options = ['--server', server, '--units', 'LB', '--warehouse', '101'];
  const { code, stdout, stderr } = await ratesHere(['batch', '-', '-o', '-', ...options], {
    input: 'zip,weight\n60601,5\n',
  });
  expect(stderr).toContain('1 row in');
  expect(code).toBe(0);
  expect(stdout).toContain('\n60601,5,1,200,C1-GROUND,');
});

test('a refused list ends with 1 and says why, with the names of options', async () => {
  const refused = await ratesHere(['batch', '-', '-o', '-', '--server', server], { input: 'zip,weight\n60601,5\n' });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('or set --units for all rows');
});

test('a large list that is refused early is reported, although the connection closes', async () => {
  const input = `zip,weight\n${'60601,5\n'.repeat(2_000_000)}`;
  const refused = await rates(['batch', '-', '-o', '-', '--server', server], { input });
  expect(refused.stderr).toContain('required column missing');
  expect(refused.code).toBe(1);
});

test('a wrong secret ends with 3, incomplete credentials with 2', async () => {
  const flags = ['batch', SAMPLE, '-o', '-', '--server', server, '--client-id', 'demo'];
  const wrong = await ratesHere([...flags, '--client-secret', 'wrong']);
  expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining('--client-secret') });
  expect((await ratesHere(flags, { env: { RATES_CLIENT_SECRET: '' } })).code).toBe(2);
});

test('a service on another machine needs credentials', async () => {
  const { code, stderr } = await ratesHere(['batch', SAMPLE, '-o', '-', '--server', 'http://192.0.2.1:3000']);
  expect([code, stderr.includes('needs a client.')]).toEqual([3, true]);
});

test('without a service it ends with 1 and says what to start', async () => {
  const { code, stderr } = await ratesHere([
    'batch',
    SAMPLE,
    '-o',
    '-',
    '--server',
    `http://127.0.0.1:${await closedPort()}`,
  ]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Nothing answers at http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)\. Start .*rates serve/);
});

test('a preview shows how the service reads a list, and writes nothing', async () => {
  const list = 'Warehouse;Ship To Zip;Package Weight (lbs)\r\n101;2139;2.1\r\n101;02139;2.1\r\n';
  const seen = await ratesHere(['batch', '-', '--preview', '--server', server], { input: list });
  expect(seen.code).toBe(4);
  const said = seen.stdout;
  expect(said).toContain('Encoding: UTF-8. Separator: semicolon. Line ends: CRLF.');
  expect(said).toContain('"Ship To Zip" (column 2)');
  expect(said).toContain('The first 2 rows: 1 quote, 1 fault');
  expect(said).toContain('--repair all repairs 1 row; 1 more row would be quoted:');
  expect(said).toContain('row 1: postalCode 2139 read as 02139');
  expect(said).toContain('The whole list: 2 rows, USD 11.99');
  const sample = await ratesHere(['batch', SAMPLE, '--preview', '--json', '--server', server]);
  expect(JSON.parse(sample.stdout)).toMatchObject({
    rowsRead: 1_000,
    faulted: 30,
    estimate: { exact: true },
  });
  const both = await ratesHere(['batch', SAMPLE, '--preview', '-o', 'x.csv', '--server', server]);
  expect(both.code).toBe(2);
});

test('options for reading a list work for rates batch and rates run', async () => {
  const list = Buffer.from('Where;Zip code;Wt\n101;2139;"12,5 oz"\n', 'utf16le');
  const options = ['--encoding', 'utf-16le', '--delimiter', ';', '--repair', 'all'];
  const columns = ['--columns', 'warehouse_id:Where,weight_value:Wt'];
  const file = join(dir, 'utf16.csv');
  await writeFile(file, list);
  const sent = await ratesHere(['batch', file, '-o', '-', ...options, ...columns, '--server', server]);
  const local = await ratesHere(['run', file, '-o', '-', ...options, ...columns]);
  expect(sent.stdout).toContain('postalCode 2139 read as 02139; weight_value 12,5 oz read as 0.78125 LB');
  expect(sent.code).toBe(0);
  expect(local.stdout).toBe(sent.stdout);
});

test('watching survives a restart of the API; Ctrl-C says how to resume and ends with 130', async () => {
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  const before = await batchesNamed('shipments.csv');
  const output = join(dir, 'later.csv');
  await writeFile(output, 'before');
  const waiting = ratesHere(['batch', SAMPLE, '-o', output, '--server', server]);
  let answers = 0;
  const proxy = await breakingOnce(server, (_sent, received) => {
    if (received.includes('"estimatedCompletionAt"')) answers += 1;
    return false;
  });
  const interrupted = startRates(['batch', SAMPLE, '-o', output, '--server', proxy.url]);
  const exit = once(interrupted, 'exit');
  let words = '';
  interrupted.stderr?.on('data', (piece: Buffer) => {
    words += piece.toString();
  });
  await expect.poll(() => batchesNamed('shipments.csv'), { timeout: 60_000 }).toBe(before + 2);
  // The answer to the upload, and the first while it watches.
  await expect.poll(() => answers, { timeout: 60_000 }).toBeGreaterThan(1);
  interrupted.kill('SIGINT');
  const [code] = await exit;
  expect([code, words]).toEqual([130, expect.stringMatching(/^Interrupted/)]);
  proxy.close();
  expect(words).toMatch(
    /^Interrupted\. The batch continues. Watch it again with: rates batch --watch b[a-z0-9]{25} -o /,
  );
  expect(await readFile(output, 'utf8')).toBe('before');

  api.kill('SIGKILL');
  await once(api, 'exit');
  await startApi(new URL(server).port);
  worker = startRates(['worker'], env);
  expect((await waiting).code).toBe(4);
  expect(await readFile(output, 'utf8')).toContain('quote_totalNetCharge');
}, 120_000);
