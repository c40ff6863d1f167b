/** How long a client's small batch waits while another client has thousands of batches of one row. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BATCHES, completed, upload } from './batch.ts';
import { median } from './median.ts';
import { BUILT, clientOf, type Service, startService } from './service.ts';
import { shipments } from './shipments.ts';

/** Times of small batches, divided by the median of the same batch alone. */
interface Times {
  readonly median: number;
  readonly slowest: number;
  readonly measured: number;
}

export interface CrowdFigures {
  /** While the crowd's batches were uploaded, and afterwards while they waited. */
  readonly sending: Times;
  readonly sent: Times;
  /** The largest number of waiting jobs. */
  readonly deepest: number;
  readonly aloneMs: number;
}

const CONNECTIONS = 50;
const ALONE = 15;
const NO_LIMIT = 100_000_000;

/** Clients: the sample `demo`, and `crowd`, which has its secret and no limits. */
const writeClients = async (path: string): Promise<void> => {
  const { clients } = JSON.parse(await readFile(join(import.meta.dirname, '../../samples/clients.json'), 'utf8'));
  const [demo] = clients;
  const limits = { uploadsPerMinute: NO_LIMIT, batchesInFlight: NO_LIMIT, rowsInFlight: NO_LIMIT };
  const ample = { ...demo, limits: { ...demo.limits, uploadsPerMinute: NO_LIMIT } };
  await writeFile(path, JSON.stringify({ clients: [ample, { ...demo, id: 'crowd', limits }] }));
};

const waitingJobs = async ({ url }: Service): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = text.matchAll(/^rates_queue_jobs\{queue="(?:chunk|assemble)",state="waiting"\} (\d+)/gm);
  return [...counts].reduce((sum, [, jobs]) => sum + Number(jobs), 0);
};

const msOf = async (service: Service, list: string): Promise<number> => {
  const begun = performance.now();
  const { id } = await upload(service, list);
  await completed(service, id);
  return performance.now() - begun;
};

const beside = async (service: Service, crowd: Service, batches: number) => {
  const list = [...shipments(10)].join('');
  const single = [...shipments(1)].join('');
  const alone: number[] = [];
  for (let run = 0; run < ALONE; run += 1) alone.push(await msOf(service, list));
  let left = batches;
  const send = async (): Promise<void> => {
    while (left-- > 0) {
      const { status } = await crowd.call('POST', BATCHES, single, { 'Content-Type': 'text/csv' });
      // The API is overloaded.
      if (status === 503) left += 1;
      else if (status !== 202) throw new Error(`the upload was answered with ${status}`);
    }
  };
  const sending = Promise.all(Array.from({ length: CONNECTIONS }, send));
  const times: Record<'sending' | 'sent', number[]> = { sending: [], sent: [] };
  let deepest = 0;
  for (;;) {
    const waiting = await waitingJobs(crowd);
    deepest = Math.max(deepest, waiting);
    if (left <= 0 && waiting === 0) break;
    const when = left > 0 ? 'sending' : 'sent';
    times[when].push(await msOf(service, list));
    await sleep(100);
  }
  await sending;
  return { alone: median(alone), times, deepest };
};

const timesOf = (times: readonly number[], alone: number): Times => ({
  median: median(times) / alone,
  slowest: Math.max(...times) / alone,
  measured: times.length,
});

/** @param batches the number of the crowd's batches of one row */
export const crowding = async (batches: number): Promise<CrowdFigures> => {
  const dir = await mkdtemp(join(tmpdir(), 'rates-crowd-'));
  const clientsFile = join(dir, 'clients.json');
  await writeClients(clientsFile);
  const service = await startService({ WORKERS: '2', CLIENTS_FILE: clientsFile }, BUILT);
  try {
    const crowd = { ...service, ...(await clientOf(service.url, 'crowd')) };
    const { alone, times, deepest } = await beside(service, crowd, batches);
    return {
      sending: timesOf(times.sending, alone),
      sent: timesOf(times.sent, alone),
      ...{ deepest, aloneMs: alone },
    };
  } finally {
    await service.stop();
    await rm(dir, { recursive: true });
  }
};
