/** One attack: how it is run and judged. */
import { constants, getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, type EnvironmentOptions, openEnvironment } from './environment.ts';
import { type Figures, p50, p99, type Victim } from './victim.ts';

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
}

export interface Outcome {
  readonly sent: string;
  /** Results besides the counted answers. */
  readonly back?: string;
  /** What went wrong. */
  readonly problems: readonly string[];
}

export interface Measured {
  readonly p50: number;
  readonly p99: number;
  readonly count: number;
  readonly failed: number;
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
const IDLE_WINDOWS = 3;
const IDLE_WINDOW_MS = 1_000;
const WARM_MS = 1_500;
/** Quotes may be late because other programs use the cores. An attack is repeated before a late p99 counts. */
const ROUNDS = 3;

export const ratioOf = ({ idle, attacked }: Pick<Report, 'idle' | 'attacked'>): number | undefined =>
  idle === undefined || attacked === undefined ? undefined : attacked.p99 / idle.p99;

const measured = (figures: Figures): Measured => ({
  p50: p50(figures),
  p99: p99(figures),
  count: figures.times.length,
  failed: figures.failed,
});

const measureIdle = async (victim: Victim, { url, demo }: Environment): Promise<Figures> => {
  const windows: Figures[] = [];
  for (let window = 0; window <= IDLE_WINDOWS; window += 1) {
    victim.begin(url, demo);
    // The first warms up the service and is discarded.
    await sleep(window === 0 ? WARM_MS : IDLE_WINDOW_MS);
    windows.push(await victim.end());
  }
  const kept = windows.slice(1);
  return {
    times: kept.flatMap(({ times }) => times).sort((a, b) => a - b),
    failed: kept.reduce((sum, { failed }) => sum + failed, 0),
    reasons: kept.flatMap(({ reasons }) => reasons),
  };
};

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

/** The end of the service before. It takes seconds in which the next one starts. */
let stopped: Promise<void> = Promise.resolve();

/** Resolves when no service of an attack runs. */
export const allStopped = (): Promise<void> => stopped;

const round = async (attack: Attack, victim: Victim, seed: number): Promise<Report> => {
  const environment = await openEnvironment(attack);
  const startedAt = performance.now();
  try {
    await attack.prepare?.(environment);
    await stopped;
    const idle = await measureIdle(victim, environment);
    const begun = performance.now();
    victim.begin(environment.url, environment.demo);
    const outcome = await behindService(() => inTime(attack, environment, seed));
    await sleep(Math.max(0, SHORTEST_MS - (performance.now() - begun)));
    const attacked = await victim.end();
    const processReport = environment.processReport();
    const { mostApiMb = MOST_API_MB } = attack;
    const figures = { idle: measured(idle), attacked: measured(attacked) };
    const ratio = ratioOf(figures) ?? 0;
    return {
      ...{ name: attack.name, sent: outcome.sent, ...figures, apiMb: processReport.apiMb },
      back: [outcome.back, environment.calls.counts()].filter(Boolean).join('; '),
      seconds: (performance.now() - startedAt) / 1_000,
      problems: [
        ...outcome.problems,
        ...environment.calls.problems(),
        ...processReport.problems,
        ...(attacked.failed > 0 ? [`${attacked.failed} quotes failed: ${attacked.reasons.join(', ')}`] : []),
        ...(processReport.apiMb > mostApiMb ? [`the API had ${processReport.apiMb} MB, more than ${mostApiMb}`] : []),
        ...(ratio > MOST_RATIO ? [LATE] : []),
      ],
    };
  } finally {
    stopped = Promise.all([stopped, environment.stop()]).then(() => undefined);
  }
};

const LATE = `the quotes' p99 was over ${MOST_RATIO} times that of the idle service`;

/**
 * Runs an attack on its own service, and repeats it if only times failed.
 * @param isOver true if there is no time to repeat it
 */
export const makeAttack = async (
  attack: Attack,
  victim: Victim,
  seed: number,
  isOver: () => boolean,
): Promise<Report> => {
  const skipped = attack.skip?.();
  if (skipped !== undefined) return { name: attack.name, sent: '', back: '', seconds: 0, problems: [], skipped };
  let report = await round(attack, victim, seed);
  for (let rounds = 1; rounds < ROUNDS && report.problems.join() === LATE && !isOver(); rounds += 1) {
    const again = await round(attack, victim, seed);
    const isBetter = (ratioOf(again) ?? Infinity) < (ratioOf(report) ?? Infinity);
    if (isBetter || again.problems.join() !== LATE) report = { ...again, seconds: again.seconds + report.seconds };
  }
  return report;
};
