/** The subcommands of `rates batch`, against a real API and a real worker. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type TestRedis, testRedis } from '../redis.ts';
import { ratesHere, type Said } from './in-process.ts';
import { ROOT, startRates } from './rates.ts';

const SAMPLE = join(ROOT, 'samples', 'shipments.csv');
const UNKNOWN = 'b0000000000000000000000000';

let dir: string;
let redis: TestRedis;
let server: string;
let api: ChildProcess;
let worker: ChildProcess | undefined;
let settings: NodeJS.ProcessEnv;

/** A batch of the sample list that is completed, and one that waits: no worker runs any more. */
let completed: string;
let waiting: string;

const batch = (...args: string[]): Promise<Said> =>
  ratesHere(['batch', ...args, '--server', server], { env: { XDG_CONFIG_HOME: dir } });

const stopped = async (child: ChildProcess): Promise<void> => {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
};

const listed = async (): Promise<Record<string, unknown>[]> =>
  JSON.parse((await batch('list', '--json')).stdout).batches;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'batch-commands-'));
  redis = await testRedis();
  settings = { REDIS_URL: redis.url, DATA_DIR: join(dir, 'data'), CHUNK_ROWS: '100', PORT: '0' };
  api = startRates(['api'], settings);
  const [message] = await once(api, 'message');
  server = `http://127.0.0.1:${message.port}`;
  worker = startRates(['worker'], settings);
  await ratesHere(['batch', SAMPLE, '-o', join(dir, 'quoted.csv'), '--server', server]);
  await stopped(worker);
  worker = undefined;
  const sending = startRates(['batch', SAMPLE, '-o', '-', '--server', server]);
  await vi.waitUntil(async () => (await listed()).length === 2, { timeout: 60_000, interval: 100 });
  sending.kill('SIGINT');
  await once(sending, 'exit');
  [waiting = '', completed = ''] = (await listed()).map(({ id }) => String(id));
}, 120_000);
afterAll(async () => {
  for (const child of [api, worker]) if (child !== undefined) await stopped(child);
  await redis.stop();
  await rm(dir, { recursive: true });
});

describe('rates batch list', () => {
  test('shows dates, states, rows, faults and money, newest first', async () => {
    const { code, stdout } = await batch('list');
    expect(code).toBe(0);
    const [header, ...rows] = stdout.trimEnd().split('\n');
    expect(header).toMatch(/^batch +created +status +rows +faults +total +file$/);
    const at = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`;
    expect(rows).toEqual([
      expect.stringMatching(new RegExp(`^${waiting}  ${at}  queued +1,000 +0 +-  shipments\\.csv$`)),
      expect.stringMatching(new RegExp(`^${completed}  ${at}  completed +1,000 +30 +\\$59,678\\.55  shipments\\.csv$`)),
    ]);
  });

  test('says it as JSON, and whether there are more', async () => {
    expect((await listed()).map(({ totalNetCharge }) => totalNetCharge)).toEqual([null, 59_678.55]);
    const one = await batch('list', '--limit', '1');
    expect(one.stdout.split('\n')).toHaveLength(3);
    expect(one.stderr).toBe('There are more. --limit shows up to 1,000.\n');
    expect(await batch('list', '--limit', '0')).toMatchObject({ code: 2 });
  });

  test('of a client without batches says so', async () => {
    const said = await batch('list', '--client-id', 'other', '--client-secret', 'other-secret');
    expect(said).toEqual({ code: 0, stdout: '', stderr: `other has no batches at ${server}.\n` });
  });
});

describe('rates batch download', () => {
  test('writes the output, as rates batch did', async () => {
    const file = join(dir, 'again.csv');
    const { code, stderr } = await batch('download', completed, '-o', file);
    expect([code, stderr]).toEqual([0, `Wrote the output of batch ${completed} to ${file}.\n`]);
    expect(await readFile(file)).toEqual(await readFile(join(dir, 'quoted.csv')));
  });

  test('writes the faults as CSV, for Excel and as a workbook, and the summary', async () => {
    const plain = (await batch('download', completed, 'faults', '-o', '-')).stdout;
    expect(plain.trimEnd().split('\n')).toHaveLength(31);
    const forExcel = join(dir, 'excel.csv');
    await batch('download', completed, 'faults', '-o', forExcel, '--format', 'excel');
    expect(await readFile(forExcel, 'utf8')).toBe(`\uFEFF${plain}`);
    const file = join(dir, 'faults.xlsx');
    await batch('download', completed, 'faults', '-o', file, '--format', 'xlsx');
    expect((await readFile(file)).subarray(0, 2).toString()).toBe('PK');
    const summary = await batch('download', completed, 'summary', '-o', '-');
    expect(JSON.parse(summary.stdout)).toMatchObject({ totalNetCharge: 59_678.55, rows: { faulted: 30 } });
  });

  test.each([
    ['faults', 'faults.parquet', 'PAR1'],
    ['output', 'quoted.xlsx', 'PK'],
    ['output', 'quoted.txt', 'order_number'],
    ['summary', 'summary.json', '{"status"'],
  ])('writes %s to %s in the format of its ending', async (what, name, start) => {
    const file = join(dir, name);
    expect(await batch('download', completed, what, '-o', file)).toMatchObject({ code: 0 });
    expect((await readFile(file, 'utf8')).slice(0, start.length)).toBe(start);
  });

  test('and rates batch refuse an ending that they cannot write', async () => {
    const file = join(dir, 'summary.csv');
    expect(await batch('download', completed, 'summary', '-o', file)).toMatchObject({
      code: 2,
      stderr: `The name of the output must end in .json here, and ${file} does not.\n`,
    });
  });

  test('rates batch --watch writes the format of the ending too', async () => {
    const file = join(dir, 'watched.parquet');
    expect(await batch('--watch', completed, '-o', file)).toMatchObject({ code: 4 });
    expect((await readFile(file, 'utf8')).slice(0, 4)).toBe('PAR1');
  });

  test.each([
    ['a format of the summary', ['summary', '--format', 'csv'], '--format is only for the output and the faults.'],
    ['JSON, which only the summary is', ['--format', 'json'], 'Allowed choices are csv, excel, xlsx, parquet.'],
    ['a partial summary', ['summary', '--partial'], '--partial is only for the output.'],
    ['a revision of unprocessed rows', ['unprocessed', '--revision', '1'], '--revision is not for unprocessed rows.'],
    ['a file that no batch has', ['input'], 'Allowed choices are output, faults, unprocessed, summary.'],
  ])('refuses %s', async (_what, args, words) => {
    expect(await batch('download', completed, ...args, '-o', '-')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(words),
    });
  });

  test('of a batch that waits says how to wait for it, and leaves the file alone', async () => {
    const file = join(dir, 'kept.csv');
    await writeFile(file, 'before');
    expect(await batch('download', waiting, '-o', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'The result is not ready yet: the status is queued. Wait for it with `rates batch',
      ),
    });
    expect(await readFile(file, 'utf8')).toBe('before');
    const partial = await batch('download', waiting, '--partial', '-o', '-');
    expect([partial.code, partial.stdout.split('\n')]).toEqual([0, [expect.stringContaining('quote_status'), '']]);
  });
});

describe('rates batch cancel', () => {
  test('stops a batch, whose rows can be downloaded', async () => {
    const said = await batch('cancel', waiting);
    expect(said.code).toBe(0);
    expect(said.stderr).toMatch(
      new RegExp(
        `^The batch ${waiting} is cancell(ing|ed), with 0 rows rated\\. Rated rows stay: rates batch download`,
      ),
    );
    worker = startRates(['worker'], settings);
    await expect.poll(async () => (await listed())[0]?.['status'], { timeout: 60_000 }).toBe('cancelled');
    const rest = await batch('download', waiting, 'unprocessed', '-o', '-');
    expect(rest.stdout).toBe(await readFile(SAMPLE, 'utf8'));
    const watched = await batch('--watch', waiting, '-o', '-');
    expect(watched.stderr).toBe(
      `The batch ${waiting} is cancelled. Download the rated rows with: ` +
        `rates batch download ${waiting} -o FILE --server ${server}\n`,
    );
  }, 90_000);

  test('and retry refuse a batch that has ended', async () => {
    expect(await batch('cancel', completed)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has already ended'),
    });
    expect(await batch('retry', completed)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('must be failed'),
    });
  });
});

test.each([
  ['cancel', []],
  ['retry', []],
  ['download', ['-o', '-']],
])('%s names an unknown batch', async (command, args) => {
  expect(await batch(command, UNKNOWN, ...args)).toEqual({
    code: 1,
    stdout: '',
    stderr: `The client demo has no batch ${UNKNOWN} at ${server}. \`rates batch list\` lists its batches.\n`,
  });
});

test('options before a subcommand are refused, because it would not see them', async () => {
  expect(await ratesHere(['batch', '--server', server, 'list'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'Give the options after `rates batch list`.\n',
  });
});
