import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { jobsFor } from '../../src/cli/rate/rate-list.ts';
import { shipments } from '../bench/shipments.ts';
import { folderForFile } from '../folder.ts';
import { ratesHere } from './in-process.ts';
import { childrenOf } from './processes.ts';
import { ROOT, startRates } from './rates.ts';

const SAMPLE = join(ROOT, 'samples', 'shipments.csv');

let dir: string;
folderForFile((made) => (dir = made));

/** A long run that has started its rating processes. */
const startLongRun = async (output: string) => {
  const list = join(dir, 'long.csv');
  await writeFile(list, [...shipments(200_000)].join(''));
  const child = startRates(['run', list, '-o', output, '--jobs', '2'], { CHUNK_ROWS: '100' });
  let words = '';
  child.stderr?.on('data', (piece: Buffer) => {
    words += piece.toString();
  });
  const processes = () => childrenOf(child.pid ?? 0, 'rating-process');
  await expect.poll(() => processes().length, { timeout: 30_000 }).toBe(2);
  // The first chunks have been written.
  const aside = async () => (await readdir(dir)).filter((name) => name.startsWith('.')).length;
  await expect.poll(aside, { timeout: 30_000 }).toBe(1);
  return { child, processes, exit: once(child, 'exit'), words: () => words };
};

describe('rates run with several processes', () => {
  test('writes the same bytes as one process, for any chunk size', async () => {
    const alone = await ratesHere(['run', SAMPLE, '-o', '-', '--jobs', '1']);
    for (const [jobs, rows] of [
      ['2', '7'],
      ['3', '5000'],
    ] as const) {
      const together = await ratesHere(['run', SAMPLE, '-o', '-', '--jobs', jobs], { env: { CHUNK_ROWS: rows } });
      expect([together.code, together.stderr.includes('970 quotes, 30 faults')]).toEqual([4, true]);
      expect(together.stdout).toBe(alone.stdout);
    }
  }, 90_000);

  test('uses the same options and tariffs as one process', async () => {
    const [one, two] = [join(dir, 'one.csv'), join(dir, 'two.csv')];
    const options = ['--json', '--all-services', '--explain', '--repair', 'all', '--tariff', 'reference'];
    const alone = await ratesHere(['run', SAMPLE, '-o', one, ...options]);
    const together = await ratesHere(['run', SAMPLE, '-o', two, '--jobs', '2', ...options]);
    expect(JSON.parse(together.stdout)).toEqual(JSON.parse(alone.stdout));
    expect(await readFile(two, 'utf8')).toBe(await readFile(one, 'utf8'));
  }, 90_000);

  test('compares with the same bytes and sums as one process', async () => {
    const specs = ['service=C1-GROUND', 'tariff=./samples/tariffs/reference; agreement=./samples/agreements/sample-c1'];
    const options = [...specs.flatMap((spec) => ['--against', spec]), '--json'];
    const [one, two] = [join(dir, 'one-compared.csv'), join(dir, 'two-compared.csv')];
    const alone = await ratesHere(['compare', SAMPLE, '-o', one, ...options, '--jobs', '1']);
    const env = { CHUNK_ROWS: '70' };
    const together = await ratesHere(['compare', SAMPLE, '-o', two, ...options, '--jobs', '2'], { env });
    expect([together.code, JSON.parse(together.stdout)]).toEqual([4, JSON.parse(alone.stdout)]);
    expect(await readFile(two, 'utf8')).toBe(await readFile(one, 'utf8'));
  }, 90_000);

  test('Ctrl-C ends all of them with 130 and leaves no partial file', async () => {
    const output = join(dir, 'interrupted.csv');
    const { child, processes, exit, words } = await startLongRun(output);
    child.kill('SIGINT');
    const [code] = await exit;
    expect([code, words()]).toEqual([130, `Interrupted. Nothing was written to ${output}.\n`]);
    expect(processes()).toEqual([]);
    expect((await readdir(dir)).filter((name) => name.includes('interrupted'))).toEqual([]);
  }, 90_000);

  test('a killed process is reported, and an existing output stays', async () => {
    const output = join(dir, 'killed.csv');
    await writeFile(output, 'before');
    const { processes, exit, words } = await startLongRun(output);
    const [first] = processes();
    if (first !== undefined) process.kill(first.pid, 'SIGKILL');
    const [code] = await exit;
    expect([code, words()]).toEqual([1, expect.stringContaining('(SIGKILL). Run the command again, with --jobs 1')]);
    expect(await readFile(output, 'utf8')).toBe('before');
  }, 90_000);
});

test('the number of processes follows from the size of the list and the cores', () => {
  expect(jobsFor(100_000, undefined, 8)).toBe(1);
  expect(jobsFor(20_000_000, undefined, 2)).toBe(2);
  expect(jobsFor(1_000_000_000, undefined, 8)).toBe(8);
  expect(jobsFor(100_000, 3, 8)).toBe(3);
});
