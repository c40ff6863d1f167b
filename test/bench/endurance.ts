/** The quote endpoint beside a batch for a minute: errors, memory from the tenth second to the last, and an outage of Redis. */
import { createReadStream, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BATCHES, upload, watch } from './batch.ts';
import { median } from './median.ts';
import { type LoadFigures, load } from './quotes.ts';
import { childrenOf, type Service } from './service.ts';

const residentMb = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024);

/** The medians of a process's resident memory over seconds 10 to 20 and over the last ten. */
interface Memory {
  readonly earlyMb: number;
  readonly lateMb: number;
}

/** Measures the memory of the process each second. */
const watchMemory = async (pid: number, seconds: number): Promise<Memory> => {
  const each: number[] = [];
  for (let second = 1; second < seconds; second += 1) {
    await sleep(1_000);
    each.push(residentMb(pid));
  }
  return { earlyMb: median(each.slice(9, 20)), lateMb: median(each.slice(-10)) };
};

const processOf = (service: Service, kind: 'api' | 'redis'): number => {
  const found = childrenOf(service.pid).find((child) => child.kind === kind);
  if (found === undefined) throw new Error(`the service has no ${kind}`);
  return found.pid;
};

export interface EnduranceFigures {
  readonly quotes: LoadFigures;
  readonly memory: Memory;
}

/** 200 connections of quotes for a minute, with batches running all the time. */
export const endurance = async (
  service: Service,
  url: string,
  token: string,
  list: string,
  seconds: number,
): Promise<EnduranceFigures> => {
  let running = true;
  const batches = (async () => {
    while (running) await watch(service, (await upload(service, createReadStream(list))).id, 500);
  })();
  const memory = watchMemory(processOf(service, 'api'), seconds);
  const quotes = await load(url, token, 200, seconds);
  running = false;
  await batches;
  return { quotes, memory: await memory };
};

export interface OutageFigures {
  readonly quotes: LoadFigures;
  /** The slowest answer to a batch call while Redis was unavailable, and the statuses of all. */
  readonly slowestMs: number;
  readonly statuses: readonly number[];
  /** The time from the return of Redis to the next successful batch call. */
  readonly backMs: number;
}

/** Suspends Redis for some seconds under load: quotes continue, batch calls are answered with 503 at once. */
export const outage = async (service: Service, url: string, token: string, seconds: number): Promise<OutageFigures> => {
  const redis = processOf(service, 'redis');
  const loading = load(url, token, 50, seconds + 4);
  await sleep(2_000);
  process.kill(redis, 'SIGSTOP');
  const until = performance.now() + seconds * 1_000;
  const statuses = new Set<number>();
  let slowestMs = 0;
  // The first call may still get an answer that was already on its way.
  await service.call('GET', BATCHES);
  while (performance.now() < until) {
    const begun = performance.now();
    statuses.add((await service.call('GET', BATCHES)).status);
    slowestMs = Math.max(slowestMs, performance.now() - begun);
    await sleep(200);
  }
  process.kill(redis, 'SIGCONT');
  const back = performance.now();
  while ((await service.call('GET', BATCHES)).status !== 200) await sleep(50);
  const backMs = performance.now() - back;
  return { quotes: await loading, slowestMs, statuses: [...statuses], backMs };
};
