/** Runs the commands for the first quote and the first list from the docs in a shell, against a running service. */
import { type ChildProcess, execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRedisServer } from '../../src/base/redis/private-redis.ts';
import { ROOT, startRates } from '../cli/rates.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) console.warn('curl is not on the PATH: the test of the first quote and the first list is skipped.');
const hasRedis = findRedisServer(process.env['PATH']) !== undefined;

/** The shell blocks of a section. */
const blocksOf = (page: string, chapter: string): readonly string[] => {
  const [, after = ''] = page.split(`\n## ${chapter}\n`);
  const [text = ''] = after.split('\n## ');
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
};

describe.skipIf(!hasCurl || !hasRedis)('the pages in docs', () => {
  let dir: string;
  let service: ChildProcess;
  let url: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'quick-start-'));
    await symlink(join(ROOT, 'samples'), join(dir, 'samples'));
    service = startRates(['serve'], { PORT: '0', WORKERS: '1', DATA_DIR: join(dir, 'data'), REDIS_URL: '' });
    service.stderr?.resume();
    if (service.stdout === null) throw new Error('it has no standard output');
    for await (const line of createInterface({ input: service.stdout })) {
      url = /served at (http:\S+)$/.exec(line)?.[1] ?? '';
      if (url !== '') break;
    }
    service.stdout.resume();
  }, 120_000);
  afterAll(async () => {
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    await ended;
    await rm(dir, { recursive: true });
  });

  test('work when their first blocks are pasted at once', async () => {
    const page = (name: string): Promise<string> => readFile(join(ROOT, 'docs', name), 'utf8');
    const quote = blocksOf(await page('api.md'), 'A first quote')[0] ?? '';
    const list = blocksOf(await page('lists.md'), 'A first list')[0] ?? '';
    expect(await readFile(join(ROOT, 'README.md'), 'utf8')).toContain(quote);
    const pasted = `${quote}${list}`.replaceAll('http://127.0.0.1:3000', url);
    expect(pasted.match(/curl /g)).toHaveLength(6);
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', pasted], { cwd: dir });
    expect(stderr).toBe('');
    expect(stdout).toContain('"totalNetCharge":11.99');
    expect(stdout.match(/"status":"\w+"/g)?.at(-1)).toBe('"status":"completed"');
    const rows = async (file: string): Promise<Record<string, string>[]> =>
      parse(await readFile(join(dir, file)), { columns: true, relax_column_count: true });
    const [quoted, faults] = [await rows('shipments-quoted.csv'), await rows('faults.csv')];
    expect([quoted.length, quoted.filter((row) => row['quote_status'] === '200').length]).toEqual([1000, 970]);
    expect(faults).toHaveLength(30);
  }, 60_000);
});
