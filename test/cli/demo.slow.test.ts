import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type TestRedis, testRedis } from '../redis.ts';
import { ROOT } from './rates.ts';

const demo = (dataDir: string, env: NodeJS.ProcessEnv) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', join(ROOT, 'src', 'cli', 'main.ts'), 'demo'], {
    cwd: ROOT,
    env: { ...process.env, WORKERS: '1', DATA_DIR: dataDir, ...env },
  });

const shown = async (dataDir: string, env: NodeJS.ProcessEnv): Promise<void> => {
  const { stdout } = await demo(dataDir, env);
  expect(stdout).toContain('Total USD');
  expect(stdout).toMatch(/1,000 rows in [\d.]+ s, [\d,]+ rows per second/);
  expect(stdout).toMatch(/970 quotes, \$[\d,]+\.\d\d in total/);
  expect(stdout).toContain('row.malformed: 2 rows');
  expect(stdout).toContain('SO-100001');
};

test('the demo shows a quote and a list, also twice at once, and leaves only its output', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'demo-'));
  try {
    await Promise.all([shown(dir, { REDIS_URL: '' }), shown(dir, { REDIS_URL: '' })]);
    expect((await readFile(join(dir, 'demo', 'shipments-quoted.csv'), 'utf8')).split('\n')).toHaveLength(1002);
  } finally {
    await rm(dir, { recursive: true });
  }
}, 120_000);

test('the demo does not read the agreements of the operator', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'demo-'));
  try {
    await mkdir(join(dir, 'agreements', 'broken'), { recursive: true });
    await writeFile(join(dir, 'agreements', 'broken', 'agreement.json'), '{');
    const { stderr } = await demo(dir, { REDIS_URL: '', AGREEMENTS_DIR: join(dir, 'agreements') });
    expect(stderr).not.toContain('agreement');
  } finally {
    await rm(dir, { recursive: true });
  }
}, 120_000);

test('on a shared Redis, two demos use separate databases', async () => {
  const redis: TestRedis = await testRedis();
  const dir = await mkdtemp(join(tmpdir(), 'demo-'));
  try {
    await Promise.all([shown(dir, { REDIS_URL: redis.url }), shown(dir, { REDIS_URL: redis.url })]);
  } finally {
    await rm(dir, { recursive: true });
    await redis.stop();
  }
}, 120_000);
