/**
 * The cost of a row, a chunk and a quote for each part of the service, with 1, 2 and 4 workers and 1 and 2 APIs on one Redis and
 * one object store, and the resulting capacity. It counts processor seconds, which also hold on other machines with
 * similar cores. Elapsed time would not, because the processes share two cores with everything else.
 */
import { createReadStream } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { completed, upload } from './batch.ts';
import { CHUNK_ROWS, type Costs, modelOf, needOf } from './capacity-model.ts';
import { beyondIdle, type Spent, spentOn } from './costs.ts';
import { openBackend, type Parts, startParts } from './parts.ts';
import { load } from './quotes.ts';
import { commandsIn } from './redis-counts.ts';
import { replay } from './replay.ts';

type Say = (line: string) => void;

const IDLE_MS = 10_000;
const QUOTE_SECONDS = 5;
const CONNECTIONS = 10;
const BILLION = 10 ** 9;
/** The planned utilization of the cores. */
const PLANNED = 0.6;
const MACHINE_CORES = 4;
const SHAPES = [
  { workers: 1, apis: 1 },
  { workers: 2, apis: 1 },
  { workers: 4, apis: 2 },
] as const;

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const ms = (seconds: number): string => `${(seconds * 1_000).toPrecision(3)} ms`;
const kb = (bytes: number): string => `${(bytes / 1_000).toPrecision(3)} kB`;

interface Measured {
  readonly workers: number;
  readonly idle: Spent;
  readonly rows: number;
  readonly batch: Spent;
  readonly quotes: number;
  readonly quoting: Spent;
}

const tokenOf = async ({ call }: Parts['apis'][number]): Promise<string> => {
  const form = 'grant_type=client_credentials&client_id=demo&client_secret=demo-secret';
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const { access_token: token }: { access_token: string } = JSON.parse(
    (await call('POST', '/token/generate', form, headers)).body,
  );
  return token;
};

/** Uploads the list once for each API, all at once, after a warm-up. */
const measure = async (parts: Parts, list: string, rowsOfList: number): Promise<Measured> => {
  const { apis, workers } = parts;
  const rate = async (): Promise<void> => {
    const batches = apis.map(async (api) => completed(api, (await upload(api, createReadStream(list))).id, 500));
    await Promise.all(batches);
  };
  await rate();
  await sleep(2_000);
  const idle = await spentOn(parts, () => sleep(IDLE_MS));
  const batch = beyondIdle(await spentOn(parts, rate), idle);
  const tokens = await Promise.all(apis.map(tokenOf));
  let quotes = 0;
  const quote = async (): Promise<void> => {
    const figures = apis.map(({ url }, at) =>
      load(`${url}/v1/client/shipment/rates`, tokens[at] ?? '', CONNECTIONS, QUOTE_SECONDS),
    );
    for (const { perSecond } of await Promise.all(figures)) quotes += perSecond * QUOTE_SECONDS;
  };
  const quoting = beyondIdle(await spentOn(parts, quote), idle);
  return { workers: workers.length, idle, rows: rowsOfList * apis.length, batch, quotes, quoting };
};

const sayMeasured = ({ workers, idle, rows, batch, quotes, quoting }: Measured, apis: number, say: Say): void => {
  const thousands = rows / 1_000;
  const chunks = rows / CHUNK_ROWS;
  say(`### Workers ${workers}, APIs ${apis}, load ${loadavg()[0]?.toFixed(1)}`);
  say(
    `processor time for 1,000 rows: workers ${ms(batch.workerSeconds / thousands)}, APIs ${ms(batch.apiSeconds / thousands)}, Redis ${ms(batch.redis.cpuSeconds / thousands)}, store ${ms(batch.storeSeconds / thousands)}; ${whole(rows / batch.clockSeconds)} rows/s on the clock`,
  );
  say(
    `a chunk of ${whole(CHUNK_ROWS)} rows: ${whole(commandsIn(batch.redis) / chunks)} Redis commands (scripts' own among them), ${kb(batch.redis.bytesIn / chunks)} in, ${kb(batch.redis.bytesOut / chunks)} out; ${(batch.storeRequests / chunks).toFixed(1)} store requests, ${kb(batch.storeBytesIn / chunks)} in, ${kb(batch.storeBytesOut / chunks)} out`,
  );
  say(
    `a quote: API ${ms(quoting.apiSeconds / quotes)}, ${(commandsIn(quoting.redis) / quotes).toFixed(3)} Redis commands, ${((quoting.redis.bytesIn + quoting.redis.bytesOut) / quotes).toFixed(0)} bytes, ${(quoting.storeRequests / quotes).toFixed(3)} store requests`,
  );
  const { clockSeconds } = idle;
  say(
    `idle, a second: ${whole(commandsIn(idle.redis) / clockSeconds)} Redis commands, ${ms(idle.redis.cpuSeconds / clockSeconds)} of Redis, ${ms(idle.workerSeconds / clockSeconds / workers)} of each worker`,
  );
};

/** From all measurements: sums over sums, so that longer runs weigh more. */
const costsOf = (all: readonly Measured[]): Costs => {
  const sum = (of: (measured: Measured) => number): number => all.reduce((total, one) => total + of(one), 0);
  const rows = sum((one) => one.rows);
  const chunks = rows / CHUNK_ROWS;
  const quotes = sum((one) => one.quotes);
  const idleSeconds = sum(({ idle, workers }) => idle.clockSeconds * workers);
  return {
    workerPerRow: sum(({ batch }) => batch.workerSeconds) / rows,
    apiPerRow: sum(({ batch }) => batch.apiSeconds) / rows,
    apiPerQuote: sum(({ quoting }) => quoting.apiSeconds) / quotes,
    redisPerChunk: sum(({ batch }) => batch.redis.cpuSeconds) / chunks,
    redisPerQuote: sum(({ quoting }) => quoting.redis.cpuSeconds) / quotes,
    storePerChunk: sum(({ batch }) => batch.storeSeconds) / chunks,
    redisPerIdleWorker: sum(({ idle }) => idle.redis.cpuSeconds) / idleSeconds,
    redisBytesPerChunk: sum(({ batch }) => batch.redis.bytesIn + batch.redis.bytesOut) / chunks,
    storeBytesPerChunk: sum(({ batch }) => batch.storeBytesIn + batch.storeBytesOut) / chunks,
  };
};

const sayModel = (costs: Costs, say: Say): void => {
  const model = modelOf(costs);
  const need = needOf(BILLION, costs);
  say('### The model');
  say(
    `a worker's core rates ${whole(model.rowsPerWorkerCore)} rows/s; an API's core answers ${whole(model.quotesPerApiCore)} quotes/s`,
  );
  say(
    `one core of Redis is busy with ${whole(model.workersPerRedis)} worker cores at work (${whole(model.workersPerRedis * model.rowsPerWorkerCore)} rows/s)`,
  );
  say(
    `each core of this store with ${model.workersPerStoreCore.toFixed(1)} of them (${whole(model.workersPerStoreCore * model.rowsPerWorkerCore)} rows/s), 10 Gbit/s to it with ${whole(model.workersPerStoreLink)}`,
  );
  const cores = need.workerCores + need.apiCores;
  say(
    `${whole(BILLION)} rows a day are ${whole(need.rowsPerSecond)} rows/s, ${need.chunksPerSecond.toFixed(1)} chunks/s: ${need.workerCores.toFixed(2)} cores of workers, ${need.apiCores.toFixed(2)} of APIs, ${need.redisCores.toFixed(3)} of Redis, ${need.storeCores.toFixed(2)} of this store, ${(need.storeBytesPerSecond / 10 ** 6).toFixed(1)} MB/s to and from it`,
  );
  say(
    `machines of ${MACHINE_CORES} cores, planned to be ${PLANNED * 100}% busy: ${Math.ceil(cores / (MACHINE_CORES * PLANNED))} for workers and APIs if it comes evenly, ${Math.ceil((10 * cores) / (MACHINE_CORES * PLANNED))} if all of it comes in a tenth of the day`,
  );
};

export const capacity = async (list: string, rows: number, jobs: number, say: Say): Promise<void> => {
  say('## Capacity: workers and APIs on one Redis and one store');
  const backend = await openBackend();
  try {
    say(
      backend.store === 'disk'
        ? 'The store is the disk: nothing of it is counted, for the packages of Swift are not installed.'
        : 'The store is Swift, all of it on this machine.',
    );
    say('Seconds of a processor hold on other machines with such cores; rows/s on the clock do not.');
    const all: Measured[] = [];
    for (const { workers, apis } of SHAPES) {
      const parts = await startParts(backend, apis, workers);
      try {
        const measured = await measure(parts, list, rows);
        sayMeasured(measured, apis, say);
        all.push(measured);
      } finally {
        await parts.stop();
      }
    }
    const costs = costsOf(all);
    sayModel(costs, say);
    say(`### The model's Redis for real: ${whole(jobs)} chunk jobs with nothing to do`);
    const { chunksPerSecond } = needOf(BILLION, costs);
    for (const processes of [1, 2, 4]) {
      const done = await replay(backend, jobs, processes);
      say(
        `${processes} processes: ${whole(done.jobsPerSecond)} jobs/s, ${whole(done.jobsPerSecond / chunksPerSecond)} times what ${whole(BILLION)} rows a day need; Redis ${(done.redisBusy * 100).toFixed(0)} % busy, ${ms(done.redisPerJob)} and ${whole(done.commandsPerJob)} commands a job, their takers ${ms(done.workersPerJob)}: alone Redis bears ${whole(1 / done.redisPerJob)} jobs/s; load ${loadavg()[0]?.toFixed(1)}`,
      );
    }
  } finally {
    await backend.stop();
  }
};
