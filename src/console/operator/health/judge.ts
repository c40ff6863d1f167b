/** What needs attention in the health of the service. */
import type { HealthBody } from '../../calls.ts';
import { operatorHref } from '../../navigation.tsx';
import { allOf, bytes, counted, dayOf, duration, percent } from '../../ui/format.ts';
import { clientHref } from '../part.tsx';

export interface Concern {
  readonly kind: 'error' | 'warning';
  /** The part that does not work because of it. */
  readonly part?: string | undefined;
  /** Code is in backticks. */
  readonly text: string;
  /** What helps: the address of another page, or the id of a heading of this page. */
  readonly link?: readonly [to: string, label: string] | undefined;
}

type Work = NonNullable<HealthBody['work']>;
export type SurveyBody = NonNullable<Work['survey']>;
export type FuelEnd = NonNullable<HealthBody['fuel']>[number];

/** A started batch without progress for this long is stuck. Retries of its work take at most four minutes. */
const STUCK_S = 600;
/** The workers make the survey once a minute. */
const STALE_S = 300;
const CLOCK_S = 60;
const NEARLY_FULL = 0.9;
/** Multiple of the reserved space. */
const NEARLY_OUT = 2;
/** Limit on the clients that are named for a problem. The tables have the others. */
const MOST_NAMED = 5;

export const isStuck = ({ status, seconds }: SurveyBody['unfinished'][number]['oldest']): boolean =>
  status !== 'queued' && seconds >= STUCK_S;

export const isNearlyFull = ({ bytesStored, mostStored }: SurveyBody['use'][number]): boolean =>
  bytesStored >= NEARLY_FULL * mostStored;

export const errorsIn = ({ entries }: Pick<Work['errors'], 'entries'>): number =>
  entries.reduce((sum, one) => sum + one.count, 0);

const fuelText = (end: FuelEnd): string => {
  const { carrier, recent, allServices, lastDay, hasEnded, carries, nextDay } = end;
  const of = `The fuel rates of ${allServices ? carrier : allOf(recent.map(({ name }) => name))}`;
  if (!hasEnded) return `${of} end on ${dayOf(lastDay)}.`;
  const until = nextDay === undefined ? '' : ` The next rate begins on ${dayOf(nextDay)}.`;
  return `${of} ended on ${dayOf(lastDay)}. Prices for later days ${carries ? 'use the last rate' : 'do not include fuel'}.${until}`;
};

const PARTS: Readonly<Record<string, string>> = { process: 'API', redis: 'Redis', store: 'Store', tariff: 'Tariff' };

export const partName = (part: string): string => PARTS[part] ?? part;

const ADVICE: Readonly<Record<string, string>> = {
  process: 'Restart it.',
  redis: 'Start it.',
  store: 'Make space there.',
};

/** Something that is false needs no attention. */
type Maybe = Concern | false;

const badIn =
  (part: string) =>
  (text: string, link?: Concern['link']): Concern => ({ kind: 'error', part, text, link });
const bad = badIn('Workers');
const badTariff = badIn('Tariff');
const warn = (text: string, link?: Concern['link']): Concern => ({ kind: 'warning', text, link });

const QUEUES = ['/ops/queues', 'See the queues'] as const;
const TARIFFS = [operatorHref('tariffs'), 'Open the tariffs'] as const;

const surveyConcerns = (survey: SurveyBody): readonly Maybe[] => {
  const stuck = survey.unfinished.filter(({ oldest }) => isStuck(oldest));
  const full = survey.use.filter(isNearlyFull);
  const failed = survey.failures.length + survey.failuresOmitted;
  const [newest] = survey.failures;
  return [
    survey.secondsAgo > STALE_S &&
      bad(
        `No worker has looked at the batches for ${duration(survey.secondsAgo)}. The numbers below are from that time. Restart the workers.`,
      ),
    survey.held > 0 &&
      bad(
        `${counted(survey.held, 'old batch', 'old batches')} (or days of summaries) would be removed at once. Check the clocks. If they are right, allow it with \`EXPIRY_SHARE=100\`.`,
      ),
    Math.abs(survey.clockAhead) > CLOCK_S &&
      warn(`The clocks of a worker and of Redis differ by ${duration(Math.abs(survey.clockAhead))}: set them.`),
    ...stuck
      .slice(0, MOST_NAMED)
      .map(({ clientId, oldest }) =>
        bad(`Batch ${oldest.id} of ${clientId} has not moved for ${duration(oldest.seconds)}.`, QUEUES),
      ),
    stuck.length > MOST_NAMED && bad(`Batches of ${stuck.length - MOST_NAMED} more clients have not moved.`, QUEUES),
    ...full
      .slice(0, MOST_NAMED)
      .map(({ clientId, bytesStored, mostStored }) =>
        warn(
          `${clientId} uses ${percent(bytesStored, mostStored)} of its ${bytes(mostStored)}. At the limit, its uploads are refused.`,
          [clientHref(clientId), `Open ${clientId}`],
        ),
      ),
    full.length > MOST_NAMED &&
      warn(`${full.length - MOST_NAMED} more clients are near their limit.`, ['storage', 'See the storage']),
    failed > 0 &&
      warn(
        `${counted(failed, 'batch', 'batches')} failed in the last day. ${failed === 1 ? '' : 'The newest: '}${newest?.message}`,
        ['failed', 'See all'],
      ),
  ];
};

const workConcerns = ({ workers, survey, errors }: Work): readonly Maybe[] => {
  const lines = errorsIn(errors);
  return [
    workers.count === 0 && bad('No worker is running. Batches wait until you start one: `rates worker`.'),
    ...(survey === null ? [] : surveyConcerns(survey)),
    lines > 0 &&
      warn(`The logs of the last day have ${counted(lines, 'error')}. The newest: ${errors.entries[0]?.message}.`, [
        'logs',
        'See the errors',
      ]),
  ];
};

const spaceConcern = ({ free, reserved }: NonNullable<HealthBody['space']>): Maybe =>
  free < reserved
    ? badIn('Store')(
        `Its disk has ${bytes(free)} free, less than the ${bytes(reserved)} that are reserved for running batches. Uploads are refused until you make space.`,
      )
    : free < NEARLY_OUT * reserved &&
      warn(
        `The disk of the store has ${bytes(free)} free. Below ${bytes(reserved)}, uploads are refused. Make space there.`,
      );

/** Ordered from worst to least bad. @param isNew whether the first steps say that there is no tariff */
export const concernsOf = ({ readiness, space, work, fuel }: HealthBody, isNew: boolean): readonly Concern[] => {
  const all: readonly Maybe[] = [
    ...readiness.map(({ part, problem }) => {
      if (part === 'tariff')
        return problem !== null && !isNew && badTariff(`Nothing can be quoted: ${problem}.`, TARIFFS);
      return (
        problem !== null && badIn(partName(part))(`${partName(part)} does not work: ${problem}. ${ADVICE[part] ?? ''}`)
      );
    }),
    space !== null && spaceConcern(space),
    ...(work === null
      ? [badIn('Redis')('Redis does not answer, so nothing is known about queues and batches. Start it.')]
      : workConcerns(work)),
    ...(fuel ?? []).map((end) => (end.hasEnded ? badTariff : warn)(fuelText(end), ['fuel', 'Enter the next rates'])),
  ];
  const known = all.filter((one) => one !== false);
  return [...known.filter(({ kind }) => kind === 'error'), ...known.filter(({ kind }) => kind === 'warning')];
};
