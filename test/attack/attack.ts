/** One attack: how it is run and judged. */
import { constants, getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { callsTo } from './calls.ts';
import { type Environment, type EnvironmentOptions, openEnvironment } from './environment.ts';
import { baseline, type Measured, measured, measureIdle, watch } from './measure.ts';
import type { Victim } from './victim.ts';

export interface Attack extends EnvironmentOptions {
  readonly name: string;
  /** What it tries, in one sentence. */
  readonly tries: string;
  /** Why it cannot run on this machine. */
  readonly skip?: () => string | undefined;
  /** Creates what the attack needs. It is not part of the attack. */
  readonly prepare?: (environment: Environment) => Promise<void>;
  readonly run: (environment: Environment, seed: number) => Promise<Outcome>;
  /** The memory limit of the API during the attack. */
  readonly mostApiMb?: number;
  /** Attacks of one group come one after another, on one service. They have the same options, and limits that none reaches. */
  readonly group?: string;
}

export interface Outcome {
  readonly sent: string;
  /** Results besides the counted answers. */
  readonly back?: string;
  /** What went wrong. */
  readonly problems: readonly string[];
}

/** A row of the table. */
export interface Report {
  readonly name: string;
  readonly sent: string;
  readonly back: string;
  readonly idle?: Measured;
  readonly attacked?: Measured;
  readonly apiMb?: number;
  readonly seconds: number;
  readonly problems: readonly string[];
  readonly skipped?: string;
}

/** The p99 of another client's quotes may be at most this many times that of the idle service. */
export const MOST_RATIO = 4;
const MOST_API_MB = 512;
const LONGEST_MS = 45_000;
/** A shorter attack has too few quotes for a p99. */
const SHORTEST_MS = 2_500;
/** Late quotes are no evidence against the service if the host took more than this share during the attack. */
const MOST_STOLEN = 0.1;
/** Quotes may be late because other programs use the cores. An attack is repeated before a late p99 counts. */
const ROUNDS = 3;

export const ratioOf = ({ idle, attacked }: Pick<Report, 'idle' | 'attacked'>): number | undefined =>
  idle === undefined || attacked === undefined ? undefined : attacked.p99 / idle.p99;

/** The outcome, or that it is missing. */
const inTime = async (attack: Attack, environment: Environment, seed: number): Promise<Outcome> => {
  const over = new AbortController();
  const late = sleep(LONGEST_MS, undefined, { signal: over.signal }).then(
    (): Outcome => ({ sent: '', problems: [`it was not answered within ${LONGEST_MS / 1_000} s`] }),
    () => ({ sent: '', problems: [] }),
  );
  try {
    return await Promise.race([attack.run(environment, seed), late]);
  } catch (error) {
    return { sent: '', problems: [`it ended with ${error instanceof Error ? error.message : String(error)}`] };
  } finally {
    over.abort();
  }
};

/**
 * Runs an attack at a lower priority than the service, whose priority `main.ts` raised: attackers have machines of their
 * own and take no processor from the service.
 */
const behindService = async (run: () => Promise<Outcome>): Promise<Outcome> => {
  const raised = getPriority();
  // Only root may raise it, and raise it again.
  if (raised >= 0) return await run();
  setPriority(constants.priority.PRIORITY_NORMAL);
  try {
    return await run();
  } finally {
    setPriority(raised);
  }
};

/** The end of the services before. It takes seconds in which the next one starts. */
let stopped: Promise<void> = Promise.resolve();
/** The service of the attack before, for the others of its group. */
let kept: { readonly group: string; readonly environment: Environment } | undefined;

const stopKept = (): void => {
  if (kept !== undefined) stopped = Promise.all([stopped, kept.environment.stop()]).then(() => undefined);
  kept = undefined;
};

/** Resolves when no service of an attack runs. */
export const allStopped = (): Promise<void> => {
  stopKept();
  return stopped;
};

/** The service for an attack, with its own counts of answers. */
const environmentOf = async (attack: Attack): Promise<Environment> => {
  if (kept?.group !== (attack.group ?? attack.name)) {
    stopKept();
    const environment = await openEnvironment(attack);
    kept = { group: attack.group ?? attack.name, environment };
  }
  await attack.prepare?.(kept.environment);
  await stopped;
  return { ...kept.environment, calls: callsTo(kept.environment.url) };
};

const round = async (attack: Attack, victim: Victim, seed: number): Promise<Report> => {
  const startedAt = performance.now();
  let isKept = false;
  try {
    const environment = await environmentOf(attack);
    const idle = await measureIdle(victim, environment);
    const begun = performance.now();
    const end = watch(victim, environment);
    const outcome = await behindService(() => inTime(attack, environment, seed));
    await sleep(Math.max(0, SHORTEST_MS - (performance.now() - begun)));
    const attacked = await end();
    environment.calls.close();
    const processReport = environment.processReport();
    const { mostApiMb = MOST_API_MB } = attack;
    const figures = { idle: baseline(measured(idle)), attacked: measured(attacked) };
    const isLate = (ratioOf(figures) ?? 0) > MOST_RATIO;
    const problems = [
      ...outcome.problems,
      ...environment.calls.problems(),
      ...processReport.problems,
      ...(attacked.failed > 0 ? [`${attacked.failed} quotes failed: ${attacked.reasons.join(', ')}`] : []),
      ...(processReport.apiMb > mostApiMb ? [`the API had ${processReport.apiMb} MB, more than ${mostApiMb}`] : []),
      ...(isLate ? [attacked.stolen > MOST_STOLEN ? NOISY : LATE] : []),
    ];
    isKept = attack.group !== undefined && problems.length === 0;
    return {
      ...{ name: attack.name, sent: outcome.sent, ...figures, apiMb: processReport.apiMb, problems },
      back: [outcome.back, environment.calls.counts()].filter(Boolean).join('; '),
      seconds: (performance.now() - startedAt) / 1_000,
    };
  } finally {
    if (!isKept) stopKept();
  }
};

const LATE = `the quotes' p99 was over ${MOST_RATIO} times that of the idle service`;
const NOISY = `${LATE}, while the host took over ${MOST_STOLEN * 100}% of the processors: repeat it on a quieter machine`;

const isLate = ({ problems }: Report): boolean => problems.length === 1 && [LATE, NOISY].includes(problems[0] ?? '');

/** Whether nothing failed but times, which noise explains. */
export const isNoisy = ({ problems }: Report): boolean => problems.join() === NOISY;

/**
 * Runs an attack on its group's service or its own, and repeats it on a new one if only times failed.
 * @param mayRepeat whether there is time to repeat it
 */
export const makeAttack = async (
  attack: Attack,
  victim: Victim,
  seed: number,
  mayRepeat: () => boolean,
): Promise<Report> => {
  const skipped = attack.skip?.();
  if (skipped !== undefined) return { name: attack.name, sent: '', back: '', seconds: 0, problems: [], skipped };
  let report = await round(attack, victim, seed);
  for (let rounds = 1; rounds < ROUNDS && isLate(report) && mayRepeat(); rounds += 1) {
    const again = await round(attack, victim, seed);
    const isBetter = (ratioOf(again) ?? Infinity) < (ratioOf(report) ?? Infinity);
    // A late quote of a quiet round is evidence. A noisy round takes nothing from it.
    const replaces =
      !isLate(again) || (isNoisy(report) && !isNoisy(again)) || (isBetter && isNoisy(report) === isNoisy(again));
    const seconds = again.seconds + report.seconds;
    report = replaces ? { ...again, seconds } : { ...report, seconds };
  }
  return report;
};
