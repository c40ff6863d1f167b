/** Rows that kill their worker, under the real supervisor: how soon work continues, and how such a row is given up. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/base/config/settings.ts';
import { createLog } from '../../src/base/log.ts';
import { type Service, startService } from '../../src/cli/serve/supervisor.ts';
import { childrenOf } from '../cli/processes.ts';
import { folderForEachTest } from '../folder.ts';
import { BATCHES } from '../http/batch-api.ts';
import { DIED_ONCE, LETHAL, LETHAL_ONCE } from './lethal.ts';

// Workers start from their sources, one by one.
vi.setConfig({ testTimeout: 360_000 });

const SOURCES = join(import.meta.dirname, '..', '..', 'src');
const programs = {
  api: { main: join(SOURCES, 'cli', 'main.ts'), args: ['api'] },
  worker: { main: join(import.meta.dirname, 'fixtures', 'lethal-worker.ts'), args: [] },
};

let dataDir: string;
let service: Service;
let deaths: number[];
/** How long the whole service took to start, on this machine under its current load. */
let startMs: number;
folderForEachTest((made) => (dataDir = made));
beforeEach(() => {
  deaths = [];
});
afterEach(() => service.stop());

const start = async (workers: number, chunkRows: number): Promise<void> => {
  const settings = { PORT: '0', WORKERS: String(workers), CHUNK_ROWS: String(chunkRows), DATA_DIR: dataDir };
  const env = { ...process.env, ...settings, REDIS_URL: '', LOG_LEVEL: 'silent' };
  const begun = performance.now();
  const log = createLog({ level: 'silent', name: 'test' });
  service = await startService(readConfig(env), {
    ...{ env, execArgv: ['--import', 'tsx'], log, tell: () => undefined, programs },
    onWorkerExit: () => void deaths.push(Date.now()),
  });
  startMs = performance.now() - begun;
};

/** A list of `count` rows; those in `ships` have a ship date. */
const listOf = (count: number, ships: Readonly<Record<number, string>>): string =>
  [
    'order,warehouse_id,postalCode,weight_value,weight_units,shippingService,shipDate',
    ...Array.from({ length: count }, (_, i) => `A${i + 1},101,02139,${i + 1}.5,LB,C1-GROUND,${ships[i + 1] ?? ''}`),
    '',
  ].join('\n');

const client = async () => {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo',
    client_secret: 'demo-secret',
  });
  const { access_token } = JSON.parse(
    await (await fetch(`${service.url}/token/generate`, { method: 'POST', body })).text(),
  );
  const headers = { Authorization: `Bearer ${access_token}`, 'Content-Type': 'text/csv' };
  const get = async (below: string) => await (await fetch(`${service.url}${BATCHES}${below}`, { headers })).text();
  const upload = async (list: string): Promise<string> =>
    JSON.parse(await (await fetch(`${service.url}${BATCHES}`, { method: 'POST', headers, body: list })).text()).id;
  const ended = async (id: string) => {
    for (;;) {
      const batch = JSON.parse(await get(`/${id}`));
      if (['completed', 'failed'].includes(batch.status)) return batch;
      await sleep(20);
    }
  };
  return { get, upload, ended };
};

describe('a worker that dies within a chunk', () => {
  test.each([1, 2])('of %i: its work continues within 15 s', async (workers) => {
    await start(workers, 5_000);
    const { upload, ended } = await client();
    const { status, rows } = await ended(await upload(listOf(90, { 50: LETHAL_ONCE })));
    const doneAt = Date.now();
    expect([status, rows.quoted]).toEqual(['completed', 90]);
    const { mtimeMs: diedAt } = await stat(join(dataDir, DIED_ONCE));
    expect(deaths.length).toBe(1);
    // A new worker starts meanwhile.
    expect(doneAt - diedAt).toBeLessThan(15_000 + startMs);
  });
});

test('a row that kills every worker becomes one faulted row, and all others are quoted', async () => {
  await start(2, 8);
  const { get, upload, ended } = await client();
  const id = await upload(listOf(40, { 19: LETHAL, 20: LETHAL_ONCE, 21: '2026-07-06' }));
  // Workers killed for other reasons must not count against a row. Each is killed after a further row has killed one.
  for (let [killed, died] = [0, 0]; killed < 3; killed += 1) {
    await expect.poll(() => deaths.length, { timeout: 30_000 }).toBeGreaterThan(died);
    const worker = await vi.waitUntil(() => childrenOf(process.pid, 'lethal-worker')[0], { timeout: 30_000 });
    died = deaths.length + 1;
    process.kill(worker.pid, 'SIGKILL');
  }
  expect(await ended(id)).toMatchObject({
    status: 'completed',
    rows: { total: 40, processed: 40, quoted: 39, faulted: 1 },
    faults: { 'row.malformed': 1 },
  });
  const rows: Record<string, string>[] = parse(await get(`/${id}/output`), { columns: true });
  expect(rows.filter((row) => row['quote_status'] !== '200').map((row) => row['order'])).toEqual(['A19']);
  const faults: Record<string, string>[] = parse(await get(`/${id}/faults`), { columns: true });
  expect(faults.map((row) => [row['input_row'], row['fault_type']])).toEqual([['19', 'row.malformed']]);
  expect(faults[0]?.['fault_message']).toContain('the program fails whenever it rates this row');
});
