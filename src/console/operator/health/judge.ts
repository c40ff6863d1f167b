/** What needs attention in the health of the service. */
import type { HealthBody } from '../../calls.ts';
import { bytes, carrierText, counted, dayOf, duration, percent } from '../../ui/format.ts';

export interface Concern {
  readonly kind: 'error' | 'warning';
  readonly text: string;
}

type Work = NonNullable<HealthBody['work']>;
export type SurveyBody = NonNullable<Work['survey']>;

/** A started batch without progress for this long is stuck. Retries of its work take at most four minutes. */
const STUCK_S = 600;
/** The workers make the survey once a minute. */
const STALE_S = 300;
const CLOCK_S = 60;
const NEARLY_FULL = 0.9;
/** Limit on the clients that are named for a problem. The tables have the others. */
const MOST_NAMED = 5;

export const isStuck = ({ status, seconds }: SurveyBody['unfinished'][number]['oldest']): boolean =>
  status !== 'queued' && seconds >= STUCK_S;

export const isNearlyFull = ({ bytesStored, mostStored }: SurveyBody['use'][number]): boolean =>
  bytesStored >= NEARLY_FULL * mostStored;

export const errorsIn = ({ entries }: Work['errors']): number => entries.reduce((sum, one) => sum + one.count, 0);

const fuelText = (end: FuelEnd): string => {
  const { lastDay, hasEnded, carries, nextDay } = end;
  const of = carrierText(end);
  if (!hasEnded) return `${of} fuel rates end ${dayOf(lastDay)}.`;
  const until = nextDay === undefined ? '' : ` The next rate begins on ${dayOf(nextDay)}.`;
  return `${of} fuel rates ended ${dayOf(lastDay)}: prices for later days ${carries ? 'use the last rate' : 'do not include fuel'}.${until}`;
};
export type FuelEnd = NonNullable<HealthBody['fuel']>[number];

const PARTS: Readonly<Record<string, string>> = {
  process: 'API',
  redis: 'Redis',
  store: 'Store',
  tariff: 'Tariff',
};

export const partName = (part: string): string => PARTS[part] ?? part;

const surveyConcerns = (survey: SurveyBody): Concern[] => {
  const stuck = survey.unfinished.filter(({ oldest }) => isStuck(oldest));
  const full = survey.use.filter(isNearlyFull);
  const failed = survey.failures.length + survey.failuresOmitted;
  const concerns: Concern[] = [];
  if (survey.secondsAgo > STALE_S)
    concerns.push({
      kind: 'error',
      text: `No worker has looked at the batches for ${duration(survey.secondsAgo)}. The numbers below are from that time.`,
    });
  if (survey.held > 0)
    concerns.push({
      kind: 'error',
      text: `${counted(survey.held, 'old batch', 'old batches')} (or days of summaries) would be removed at once. Check the clocks. If they are right, allow it with EXPIRY_SHARE=100.`,
    });
  if (Math.abs(survey.clockAhead) > CLOCK_S)
    concerns.push({
      kind: 'warning',
      text: `The clocks of a worker and of Redis differ by ${duration(Math.abs(survey.clockAhead))}.`,
    });
  for (const { clientId, oldest } of stuck.slice(0, MOST_NAMED))
    concerns.push({
      kind: 'error',
      text: `Batch ${oldest.id} of ${clientId} has not moved for ${duration(oldest.seconds)}.`,
    });
  if (stuck.length > MOST_NAMED)
    concerns.push({ kind: 'error', text: `Batches of ${stuck.length - MOST_NAMED} more clients have not moved.` });
  for (const { clientId, bytesStored, mostStored } of full.slice(0, MOST_NAMED))
    concerns.push({
      kind: 'warning',
      text: `${clientId} uses ${percent(bytesStored, mostStored)} of its ${bytes(mostStored)}. At the limit, its uploads are refused.`,
    });
  if (full.length > MOST_NAMED)
    concerns.push({ kind: 'warning', text: `${full.length - MOST_NAMED} more clients are near their limit.` });
  if (failed > 0)
    concerns.push({ kind: 'warning', text: `${counted(failed, 'batch', 'batches')} failed in the last day.` });
  return concerns;
};

const workConcerns = ({ workers, survey, errors }: Work): Concern[] => {
  const concerns: Concern[] = [];
  if (workers.count === 0)
    concerns.push({ kind: 'error', text: 'No worker is running. Batches wait until one starts.' });
  if (survey !== null) concerns.push(...surveyConcerns(survey));
  const lines = errorsIn(errors);
  if (lines > 0) concerns.push({ kind: 'warning', text: `The logs of the last day have ${counted(lines, 'error')}.` });
  return concerns;
};

/** Ordered from worst to least bad. */
export const concernsOf = ({ readiness, work, fuel }: HealthBody): readonly Concern[] => {
  const failing = readiness.flatMap(({ part, problem }): Concern[] =>
    problem === null ? [] : [{ kind: 'error', text: `A check failed (${partName(part)}): ${problem}` }],
  );
  const lost: Concern[] =
    work === null
      ? [{ kind: 'error', text: 'Redis does not answer, so nothing is known about queues and batches.' }]
      : [];
  const ends = (fuel ?? []).map((end): Concern => ({ kind: end.hasEnded ? 'error' : 'warning', text: fuelText(end) }));
  const all = [...failing, ...lost, ...(work === null ? [] : workConcerns(work)), ...ends];
  return [...all.filter(({ kind }) => kind === 'error'), ...all.filter(({ kind }) => kind === 'warning')];
};
