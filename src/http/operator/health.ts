/**
 * `GET /ops/health`: what an operator checks first. Its work in Redis is bounded: counts of three queues, the live
 * workers, the last survey and the newest errors. Calls within two seconds share one result.
 */
import type { RequestHandler } from 'express';
import { within } from '../../base/deadline.ts';
import { readErrors } from '../../base/error-log.ts';
import { must } from '../../base/must.ts';
import { ifKnown } from '../../base/store/store.ts';
import { surveys } from '../../batch/survey.ts';
import { aliveWorkers } from '../../batch/workers.ts';
import { limitsIn } from '../../catalog/clients/clients.ts';
import { fuelEndsNow } from '../../catalog/tariff/check/fuel-ends.ts';
import { recentFuel } from '../../catalog/tariff/fuel.ts';
import { servicesText } from '../../import/merge/charged-services.ts';
import { rawCall } from '../call.ts';
import { makeChecks } from '../health.ts';
import { readQuoteCounts } from '../quote-counts.ts';
import { sendJson } from '../reply.ts';
import { depthOf } from '../work-metrics.ts';
import type { OperatorService } from './service.ts';

type HealthService = Pick<
  OperatorService,
  'redis' | 'queues' | 'clients' | 'tariffs' | 'checks' | 'now' | 'store' | 'reserveBytes'
>;

const FRESH_MS = 2_000;
/** If Redis does not answer, the page must not wait for it. */
const REDIS_MS = 2_000;
const STORE_MS = 1_000;
const MOST_WORKERS = 100;
const MOST_CHARACTERS = 300;
/** Number of past fuel rates that are shown with the next one. */
const SHOWN_WEEKS = 8;

const textOf = (problem: unknown): string =>
  (problem instanceof Error ? problem.message : String(problem)).slice(0, MOST_CHARACTERS);

const surveyOf = async ({ redis, clients }: HealthService) => {
  const last = await surveys.last(redis);
  if (last === undefined) return null;
  const current = clients.current();
  const named = <T extends { readonly clientId: string }>(one: T) => ({
    ...one,
    name: current.get(one.clientId)?.name ?? null,
  });
  const { unfinished, failures, use, ...others } = last;
  return {
    ...others,
    unfinished: unfinished.map(named),
    failures: failures.map(named),
    use: use.map((one) => {
      const { bytesStored, bytesInFlight } = limitsIn(current, one.clientId);
      return { ...named(one), mostStored: bytesStored, mostInFlight: bytesInFlight };
    }),
  };
};

const workOf = async (deps: HealthService) => {
  const { redis, queues, now } = deps;
  const [workers, survey, errors, quotes, ...depths] = await Promise.all([
    aliveWorkers(redis),
    surveyOf(deps),
    readErrors(redis, now()),
    readQuoteCounts(redis, now()),
    ...queues.all.map(async (queue) => ({ queue: queue.name, ...(await depthOf(queue)) })),
  ]);
  const names = [...workers].toSorted();
  const alive = { count: names.length, names: names.slice(0, MOST_WORKERS) };
  return { queues: depths, workers: alive, survey, errors, quotes };
};

/** The free bytes of the store's disk, and how many of them uploads must leave. Null if it has no disk, or does not answer. */
const spaceOf = async ({ store, reserveBytes }: HealthService) => {
  const free = await within(STORE_MS, Promise.resolve(store.free?.())).catch(() => undefined);
  return free === undefined ? null : { free, reserved: reserveBytes };
};

/** Null if the published tariffs are unknown. */
const fuelOf = ({ tariffs, now }: HealthService) => {
  const schedule = ifKnown(tariffs.current);
  if (schedule === undefined) return null;
  return fuelEndsNow(schedule, now()).map((end) => {
    const document = must(schedule.documents[schedule.ids.indexOf(end.tariff)], 'the tariff of a fuel rate');
    const recent = recentFuel(document, end.services, SHOWN_WEEKS);
    return { ...end, recent: recent.map((of) => ({ ...of, name: servicesText(of.services, document.file.services) })) };
  });
};

const lookAt = async (deps: HealthService) => {
  const [results, work, space] = await Promise.all([
    makeChecks(deps.checks),
    // The check of Redis reports what is wrong.
    within(REDIS_MS, workOf(deps)).catch(() => null),
    spaceOf(deps),
  ]);
  const readiness = results.map(({ name, problem }) => ({
    part: name,
    problem: problem === undefined ? null : textOf(problem),
  }));
  return { at: deps.now().toISOString(), readiness, space, work, fuel: fuelOf(deps) };
};

/**
 * @param freshMs how long a result is shared after its end
 * @returns the handler of `GET /ops/health`
 */
export const showHealth = (deps: HealthService, freshMs: number = FRESH_MS): RequestHandler => {
  let look: ReturnType<typeof lookAt> | undefined;
  let endedAt = Number.NEGATIVE_INFINITY;
  let isUnderWay = false;
  return async (_req, res) => {
    if (look === undefined || (!isUnderWay && performance.now() - endedAt > freshMs)) {
      isUnderWay = true;
      look = lookAt(deps).finally(() => {
        endedAt = performance.now();
        isUnderWay = false;
      });
    }
    sendJson(res, 200, await look);
  };
};

export const healthCalls = {
  getOperatorHealth: rawCall<OperatorService, Awaited<ReturnType<typeof lookAt>>>()({
    ...{ is: 'GET /ops/health', caller: 'operator', limit: 'none' },
    handlers: (service) => showHealth(service),
  }),
};
