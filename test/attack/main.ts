/**
 * `npm run attack`: attacks on the running service, and fuzzers of everything that reads foreign files. Bounded: loopback
 * only, at most ten minutes, and limited memory for each process. Exits with 0 if all hold.
 *
 *   --list            lists the attacks and what each tries
 *   --only NAME,NAME  runs some of them; `NAME*` stands for all names that begin so
 *   --seed NUMBER     sets the random seed, which each run prints
 *
 * During an attack, another client sends quotes at a steady rate (`victim-main.ts`). None may fail, and their
 * p99 may be at most four times that of the same service just before. `environment.ts` starts a service for each attack or
 * group of attacks. A baseline that noise raised is replaced by the median of the run, and late quotes are `noisy` if the host
 * of this virtual machine took the processors meanwhile. Attacks are repeated while there is time.
 *
 * To add an attack: write an `Attack` (`attack.ts`) in the file of `attacks/` that it belongs to and add it to `ATTACKS`.
 * `prepare` creates what the attack needs. `run` attacks for some seconds through `environment.calls`, which counts and
 * judges every answer, and returns what was wrong. See it fail on a service without the protection that it tests.
 * To add a fuzzer: write a `Target` (`fuzz/target.ts`), which runs in a process that can be killed, and a `Fuzzer`
 * (`fuzz/fuzzer.ts`) that makes inputs from genuine samples. Add the target to `fuzz/child.ts` and the fuzzer to `FUZZERS`.
 */
import { constants, setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { type Attack, allStopped, isNoisy, MOST_RATIO, makeAttack, type Report, ratioOf } from './attack.ts';
import { BODY_ATTACKS } from './attacks/bodies.ts';
import { EDGE_ATTACKS } from './attacks/edges.ts';
import { LIST_ATTACKS } from './attacks/lists.ts';
import { METRIC_ATTACKS } from './attacks/metrics.ts';
import { PIECE_ATTACKS } from './attacks/pieces.ts';
import { QUOTA_ATTACKS } from './attacks/quotas.ts';
import { READ_ATTACKS } from './attacks/reads.ts';
import { SHARE_ATTACKS } from './attacks/shares.ts';
import { WEBHOOK_ATTACKS } from './attacks/webhooks.ts';
import { WORKBOOK_ATTACKS } from './attacks/workbooks.ts';
import { hasRedis } from './environment.ts';
import { type Fuzzer, runFuzzer } from './fuzz/fuzzer.ts';
import { FUZZERS } from './fuzz/fuzzers.ts';
import { startVictim } from './victim.ts';

const ATTACKS: readonly Attack[] = [
  ...WORKBOOK_ATTACKS,
  ...METRIC_ATTACKS,
  ...EDGE_ATTACKS,
  ...WEBHOOK_ATTACKS,
  ...BODY_ATTACKS,
  ...PIECE_ATTACKS,
  ...QUOTA_ATTACKS,
  ...READ_ATTACKS,
  ...SHARE_ATTACKS,
  ...LIST_ATTACKS,
];

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed)) throw new Error('--seed takes a number');

const patterns = values.only?.split(',');
const isWanted = ({ name }: { readonly name: string }): boolean =>
  patterns?.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern)) ??
  true;

const say = (line = ''): void => void process.stdout.write(`${line}\n`);
const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
const verdictOf = (report: Report): string => {
  if (report.skipped !== undefined) return 'skipped';
  if (report.problems.length === 0) return 'holds';
  return isNoisy(report) ? 'noisy' : 'FAILS';
};

const COLUMNS = [
  'attack',
  'verdict',
  'idle p99',
  'p50',
  'p99',
  'p99/idle',
  'stolen',
  'failed',
  'API MB',
  's',
  'what happened',
];
const WIDTHS = [24, 7, 8, 6, 6, 8, 6, 6, 6, 4, 0];
const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(WIDTHS[0] ?? 0) : cell.padStart(WIDTHS[at] ?? 0))).join(' | ')} |`;

/** A row of the table. Its last cell begins with what is wrong. */
const show = (report: Report): void => {
  const { name, idle, attacked, apiMb, seconds, sent, back, problems, skipped } = report;
  const ratio = ratioOf(report);
  const happened = [...problems.map((problem) => `PROBLEM: ${problem}`), skipped ?? '', sent, back];
  say(
    row([
      name,
      verdictOf(report),
      idle === undefined ? '–' : ms(idle.p99),
      attacked === undefined ? '–' : ms(attacked.p50),
      attacked === undefined ? '–' : ms(attacked.p99),
      ratio === undefined ? '–' : ratio.toFixed(2),
      attacked === undefined ? '–' : `${(attacked.stolen * 100).toFixed(0)}%`,
      attacked === undefined ? '–' : String(attacked.failed),
      apiMb === undefined ? '–' : apiMb.toFixed(0),
      seconds.toFixed(0),
      happened
        .filter((text) => text !== '')
        .join('; ')
        .replaceAll(/\s*\n\s*/g, ' '),
    ]),
  );
};

/** The last moments at which attacks and fuzzers begin, for a run of ten minutes. Those that did not run count as failed. */
const LAST_ATTACK_MS = 8 * 60_000;
const LAST_FUZZER_MS = 9.5 * 60_000;
/** What an attack takes without a repetition. */
const ATTACK_MS = 9_000;
const notMade = ({ name }: { readonly name: string }): Report => ({
  ...{ name, sent: '', back: '', seconds: 0 },
  problems: ['it was not made: there was no time left'],
});

const attacks = ATTACKS.filter(isWanted);
const fuzzers: readonly Fuzzer[] = FUZZERS.filter(isWanted);
if (values.list) {
  for (const { name, tries } of [...attacks, ...fuzzers]) say(`${name.padEnd(28)}${tries}`);
  process.exit(0);
}
if (attacks.length + fuzzers.length === 0) throw new Error(`there is no attack ${values.only}; --list names them`);
if (!hasRedis()) throw new Error('redis-server or valkey-server is needed on the PATH');

try {
  // Other programs of this machine must not affect the measurements. Child processes inherit the priority.
  setPriority(constants.priority.PRIORITY_HIGH);
} catch {
  // Only root may raise it.
}
const begun = performance.now();
const reports: Report[] = [];
const hasPassed = (ms: number): boolean => performance.now() - begun > ms;
say(
  `Seed ${seed}. Quotes of another client, in milliseconds: their p99 is at most ${MOST_RATIO} times that of the idle service.`,
);
say(row(COLUMNS));
say(row(COLUMNS.map((_, at) => '-'.repeat(Math.max(3, WIDTHS[at] ?? 0)))));
const victim = await startVictim();
try {
  for (const [at, attack] of attacks.entries()) {
    const mayRepeat = (): boolean => !hasPassed(LAST_ATTACK_MS - (attacks.length - at) * ATTACK_MS);
    const report = hasPassed(LAST_ATTACK_MS) ? notMade(attack) : await makeAttack(attack, victim, seed, mayRepeat);
    reports.push(report);
    show(report);
  }
  await allStopped();
} finally {
  victim.close();
}
/** No quotes are measured while fuzzers run, so two run at a time, one for each core. The longest begin. */
const waiting = fuzzers.toSorted((one, other) => (other.seconds ?? 0) - (one.seconds ?? 0));
const fuzz = async (): Promise<void> => {
  for (let fuzzer = waiting.shift(); fuzzer !== undefined; fuzzer = waiting.shift()) {
    const report = hasPassed(LAST_FUZZER_MS) ? notMade(fuzzer) : await runFuzzer(fuzzer, seed);
    reports.push(report);
    show(report);
  }
};
await Promise.all([fuzz(), fuzz()]);

const failed = reports.filter((report) => report.problems.length > 0 && !isNoisy(report));
const noisy = reports.filter(isNoisy);
const idle = reports.flatMap((report) => (report.idle === undefined ? [] : [report.idle.p99])).sort((a, b) => a - b);
const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
say();
if (idle.length > 0) say(`Idle p99 over the run: ${ms(idle[0] ?? 0)} to ${ms(idle.at(-1) ?? 0)} ms.`);
const named = (what: string, some: readonly Report[]): string =>
  some.length === 0 ? '' : `; ${what}: ${some.map(({ name }) => name).join(', ')}`;
const holding = reports.length - failed.length - noisy.length;
say(
  `${holding} of ${reports.length} hold, in ${minutes} minutes${named('not', failed)}${named('too noisy to judge', noisy)}.`,
);
process.exitCode = holding === reports.length ? 0 : 1;
