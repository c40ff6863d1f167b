/** A list of 100,000 rows in the built service: each process stays below 260 MB. Node 24 keeps a larger young generation than Node 20: 223 MB, not 156. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BATCHES, HEADER } from '../http/batch-api.ts';
import { type TestRedis, testRedis } from '../redis.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Its own build, because other tests read `dist` meanwhile. */
const BUILD = join(ROOT, '.cache', 'memory');
const MOST_KB = 260_000;
const ROWS = 100_000;

/** The peak resident memory of a process. */
const peakKb = ({ pid }: ChildProcess): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

const list = (): Buffer => {
  const zips = ['02139', '10001', '30303', '60601', '77002', '94103', '99501', '0213'];
  const services = ['', 'C1-GROUND', 'C1-EXPRESS', 'C2-GROUND'];
  const lines = [HEADER];
  for (let i = 0; i < ROWS; i += 1)
    lines.push(`A${i},${101 + (i % 3)},${zips[i % 8]},${(i % 98) + 0.5},LB,${services[i % 4]},${i % 500} Main St`);
  return Buffer.from(`${lines.join('\n')}\n`);
};

let dir: string;
let redis: TestRedis;
const children: ChildProcess[] = [];
beforeAll(async () => {
  const into = ['--outDir', BUILD, '--tsBuildInfoFile', join(BUILD, '.tsbuildinfo')];
  execFileSync('npx', ['tsc', ...into], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  dir = await mkdtemp(join(tmpdir(), 'memory-'));
  redis = await testRedis();
});
afterAll(async () => {
  for (const child of children) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  await rm(dir, { recursive: true, force: true });
  await redis.stop();
});

const start = async (args: readonly string[]): Promise<{ child: ChildProcess; port: number }> => {
  const env = { ...process.env, PORT: '0', DATA_DIR: dir, REDIS_URL: redis.url, LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  children.push(child);
  const [message] = await once(child, 'message');
  return { child, port: message.port };
};

test.skipIf(!existsSync('/proc/self/status'))(
  'a list of 100,000 rows',
  async () => {
    const main = pathToFileURL(join(BUILD, 'src', 'cli', 'serve', 'api.js')).href;
    const api = await start(['--input-type=module', '-e', `(await import('${main}')).api(process.env)`]);
    const worker = await start([join(BUILD, 'src', 'cli', 'main.js'), 'worker', '--no-restart']);
    const url = `http://127.0.0.1:${api.port}`;
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'demo',
      client_secret: 'demo-secret',
    });
    const json = async (answer: Promise<Response>) => JSON.parse(await (await answer).text());
    const token = (await json(fetch(`${url}/token/generate`, { method: 'POST', body }))).access_token;
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' };
    const { links } = await json(fetch(`${url}${BATCHES}`, { method: 'POST', headers, body: list() }));
    let batch = await json(fetch(`${url}${links.self}`, { headers }));
    for (let waited = 0; batch.status !== 'completed' && waited < 400; waited += 1) {
      await sleep(100);
      batch = await json(fetch(`${url}${links.self}`, { headers }));
    }
    expect(batch).toMatchObject({ status: 'completed', rows: { total: ROWS, processed: ROWS, faulted: ROWS / 8 } });
    const output = await (await fetch(`${url}${links.output}`, { headers })).text();
    expect(output.split('\n').length).toBe(ROWS + 2);
    const peaks = { api: peakKb(api.child), worker: peakKb(worker.child) };
    console.log(`most memory resident, in kB: API ${peaks.api}, worker ${peaks.worker}`);
    expect(peaks.api).toBeLessThan(MOST_KB);
    expect(peaks.worker).toBeLessThan(MOST_KB);
  },
  60_000,
);
