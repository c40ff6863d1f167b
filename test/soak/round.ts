/** One round of a soak: uploads and rates a list while the service is harmed, and compares the output. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { BATCHES } from '../bench/batch.ts';
import type { Service } from '../bench/service.ts';
import { type Client, patientClient } from './client.ts';
import { difference, type Truth } from './expected-output.ts';
import { assembling, kill, openRedis, type Part, restartRedis, running, stall } from './harm.ts';

export interface Round {
  readonly seed: number;
  /** Kills -9 of each part while the batch was uploaded or rated. */
  readonly kills: Record<Part, number>;
  /** Those of them during the assembly of the output. */
  readonly assembling: number;
  /** Other harm: Redis restarted or emptied, a worker suspended past its lock. */
  readonly others: string[];
  readonly uploads: number;
  readonly batches: number;
  readonly seconds: number;
  /** `same bytes`, or what is wrong. */
  readonly verdict: string;
}

export const SAME = 'same bytes';
export const killsOf = ({ kills }: Pick<Round, 'kills'>): number => kills.api + kills.worker + kills.redis;

export interface Plan {
  readonly seed: number;
  /** A number from 0 to 1, the same for the same seed. */
  readonly random: () => number;
  /** Kills at random times. */
  readonly kills: number;
  readonly longestGapMs: number;
  readonly restart: boolean;
  readonly empty: boolean;
  readonly stall: boolean;
  readonly assemble: boolean;
}

/** A suspended worker's locks expire, and others take its jobs, before it resumes. */
const STALL_MS = 66_000;
const ROUND_MS = 240_000;
const PARTS: readonly Part[] = ['api', 'worker', 'redis'];

interface Scene {
  readonly service: Service;
  readonly plan: Plan;
  readonly redis: Redis;
  readonly over: AbortSignal;
  readonly round: Round & { assembling: number };
}

const pause = async ({ plan, over }: Scene): Promise<void> => {
  await sleep(plan.random() * plan.longestGapMs, undefined, { signal: over }).catch(() => undefined);
};

const killAtRandom = async (scene: Scene): Promise<void> => {
  const { service, plan, over, round } = scene;
  while (killsOf(round) < plan.kills) {
    await pause(scene);
    if (over.aborted) return;
    const part = PARTS[Math.floor(plan.random() * PARTS.length)] ?? 'worker';
    if (kill(service, part, plan.random())) round.kills[part] += 1;
  }
};

/** Kills every worker soon after the assembly has begun, because one of them runs it. */
const killAssembly = async ({ service, plan, redis, over, round }: Scene, id: string): Promise<void> => {
  if (!(await assembling(redis, id, over))) return;
  await sleep(plan.random() * 4);
  for (const _worker of running(service, 'worker')) {
    if (!kill(service, 'worker', 0)) continue;
    round.kills.worker += 1;
    round.assembling += 1;
  }
};

/** Harm other than kills, after the upload was accepted. */
const harmOtherwise = async (scene: Scene): Promise<void> => {
  const { service, plan, redis, over, round } = scene;
  const stalled = plan.stall ? stall(service, STALL_MS) : undefined;
  if (stalled !== undefined) round.others.push('stopped past its lock');
  if (plan.restart) {
    await pause(scene);
    if (!over.aborted && restartRedis(service)) round.others.push('Redis restarted');
  }
  if (plan.empty) {
    await pause(scene);
    if (!over.aborted) {
      await redis.flushall();
      round.others.push('Redis emptied');
    }
  }
  await stalled?.over;
};

const judge = async (client: Client, truth: Truth, id: string): Promise<string | undefined> => {
  const { status, rows, failure } = await client.ended(id);
  if (status !== 'completed') return `it is ${status}: ${JSON.stringify(failure)}`;
  const counts = [rows.total, rows.processed, rows.quoted, rows.faulted].join();
  const expected = [truth.rows, truth.rows, truth.rows - truth.faulted, truth.faulted].join();
  if (counts !== expected) return `it counts ${counts} rows and not ${expected}`;
  return difference(truth, await client.file(id, 'output'), await client.file(id, 'faults'));
};

/** Judges every batch, because an upload whose answer was lost may have created one too. */
const judgeAll = async (client: Client, truth: Truth): Promise<{ batches: number; wrong: string | undefined }> => {
  const batches = await client.batches();
  for (const { id } of batches) {
    const wrong = await judge(client, truth, id);
    if (wrong !== undefined) return { batches: batches.length, wrong: `${id}: ${wrong}` };
    await client.call('DELETE', `${BATCHES}/${id}`);
  }
  return { batches: batches.length, wrong: undefined };
};

export const runRound = async (service: Service, list: string, truth: Truth, plan: Plan): Promise<Round> => {
  const begun = performance.now();
  const over = new AbortController();
  const client = patientClient(service, AbortSignal.timeout(ROUND_MS));
  const redis = openRedis(service);
  const kills = { api: 0, worker: 0, redis: 0 };
  const empty = { seed: plan.seed, kills, assembling: 0, others: [], uploads: 0, batches: 0, seconds: 0, verdict: '' };
  const round: Round & { assembling: number } = empty;
  const scene: Scene = { service, plan, redis, over: over.signal, round };
  const ended = (verdict: string, uploads = 0, batches = 0): Round => {
    const seconds = (performance.now() - begun) / 1_000;
    return { ...round, uploads, batches, seconds, verdict };
  };
  const harming = [killAtRandom(scene)];
  try {
    const { batch, tries } = await client.upload(list);
    harming.push(harmOtherwise(scene));
    if (plan.assemble) harming.push(killAssembly(scene, batch.id));
    await client.ended(batch.id);
    over.abort();
    await Promise.all(harming);
    const { batches, wrong } = await judgeAll(client, truth);
    return ended(wrong ?? SAME, tries, batches);
  } catch (error) {
    over.abort();
    await Promise.allSettled(harming);
    return ended(error instanceof Error ? error.message : String(error));
  } finally {
    redis.disconnect();
  }
};
