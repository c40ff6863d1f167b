/** Measures another client's quotes, and how much of the processors was left for them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from './environment.ts';
import { stolenSince } from './stolen.ts';
import { type Figures, p50, p99, type Victim } from './victim.ts';

export interface Measured {
  readonly p50: number;
  readonly p99: number;
  readonly count: number;
  readonly failed: number;
  /** The share of the processors that the host of this virtual machine gave to others meanwhile. */
  readonly stolen: number;
}

const IDLE_WINDOWS = 2;
const MOST_IDLE_WINDOWS = 3;
const IDLE_WINDOW_MS = 1_000;
const WARM_MS = 1_500;
/** A second of the idle service counts if the host took less than this share of the processors. */
const MOST_STOLEN_IDLE = 0.02;

interface Window extends Figures {
  readonly stolen: number;
}

/** Begins to measure another client's quotes. @returns a function that ends it */
export const watch = (victim: Victim, { url, demo }: Environment): (() => Promise<Window>) => {
  const stolen = stolenSince();
  victim.begin(url, demo);
  return async () => ({ ...(await victim.end()), stolen: stolen() });
};

export const measured = (figures: Window): Measured => ({
  p50: p50(figures),
  p99: p99(figures),
  count: figures.times.length,
  failed: figures.failed,
  stolen: figures.stolen,
});

const measureFor = async (ms: number, victim: Victim, environment: Environment): Promise<Window> => {
  const end = watch(victim, environment);
  await sleep(ms);
  return await end();
};

/** The service that was measured last. */
let warm = '';

/** Measures until some seconds were quiet, within limits. The quietest count. */
export const measureIdle = async (victim: Victim, environment: Environment): Promise<Window> => {
  // This warms up a new service and is discarded.
  if (environment.url !== warm) await measureFor(WARM_MS, victim, environment);
  warm = environment.url;
  const windows: Window[] = [];
  const quiet = (): readonly Window[] => windows.filter(({ stolen }) => stolen < MOST_STOLEN_IDLE);
  while (quiet().length < IDLE_WINDOWS && windows.length < MOST_IDLE_WINDOWS)
    windows.push(await measureFor(IDLE_WINDOW_MS, victim, environment));
  const quietest = windows.toSorted((one, other) => one.stolen - other.stolen).slice(0, IDLE_WINDOWS);
  return {
    times: quietest.flatMap(({ times }) => times).sort((a, b) => a - b),
    failed: quietest.reduce((sum, { failed }) => sum + failed, 0),
    reasons: quietest.flatMap(({ reasons }) => reasons),
    stolen: Math.max(...quietest.map(({ stolen }) => stolen)),
  };
};

/** The p99 of each idle service in this run. */
const idleP99s: number[] = [];

/** The baseline: the median so far of the idle service's p99. One second of it is noise: on a quiet machine, 1 to 4 ms. */
export const baseline = (idle: Measured): Measured => {
  idleP99s.push(idle.p99);
  const middle = idleP99s.toSorted((a, b) => a - b)[Math.floor((idleP99s.length - 1) / 2)] ?? idle.p99;
  return { ...idle, p99: middle };
};
