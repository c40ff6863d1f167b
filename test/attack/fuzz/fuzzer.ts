/** One fuzzer: runs inputs made from genuine samples one by one, and shrinks the first finding. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Report } from '../attack.ts';
import type { Input, TargetName } from './target.ts';
import { type FeedLimits, startTargetProcess } from './target-process.ts';

export interface Fuzzer extends Partial<FeedLimits> {
  readonly name: string;
  readonly tries: string;
  readonly target: TargetName;
  /** Prepares the samples. @returns an arbitrary of inputs */
  readonly inputs: () => Promise<fc.Arbitrary<Input>>;
  /** The limits of inputs and time. */
  readonly runs: number;
  readonly seconds?: number;
}

/** Far above what an input takes on a busy machine. */
const DEADLINE_MS = 10_000;
const MOST_MB = 600;
const SECONDS = 9;

const counted = (outcomes: ReadonlyMap<string, number>): string =>
  [...outcomes]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 8)
    .map(([outcome, times]) => `${outcome} ×${times}`)
    .join(', ');

const kept = async (name: string, { bytes, said }: Input): Promise<string> => {
  const path = join(await mkdtemp(join(tmpdir(), 'rates-finding-')), name);
  await writeFile(path, bytes);
  return said === undefined ? path : `${path}, said ${JSON.stringify(said)}`;
};

/** @param path replays one finding, as a report names it */
export const runFuzzer = async (fuzzer: Fuzzer, seed: number, factor = 1): Promise<Report> => {
  const { name, target, inputs, runs, seconds = SECONDS, deadlineMs = DEADLINE_MS, mostMb = MOST_MB } = fuzzer;
  const begun = performance.now();
  const child = await startTargetProcess(target, { deadlineMs, mostMb });
  const outcomes = new Map<string, number>();
  let bytes = 0;
  let fedInputs = 0;
  try {
    const property = fc.asyncProperty(await inputs(), async (input) => {
      fedInputs += 1;
      bytes += input.bytes.length;
      const outcome = await child.feed(input);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    });
    const found = await fc.check(property, {
      seed,
      numRuns: Math.ceil(runs * factor),
      interruptAfterTimeLimit: seconds * factor * 1_000,
      markInterruptAsFailure: false,
    });
    const problems: string[] = [];
    if (found.failed) {
      const [worst] = found.counterexample ?? [];
      const at = worst === undefined ? 'no input' : await kept(name, worst);
      const reason = found.errorInstance instanceof Error ? found.errorInstance.message : String(found.errorInstance);
      problems.push(`${reason}\n      input: ${at} (seed ${seed}, path ${found.counterexamplePath})`);
    }
    return {
      name,
      sent: `${fedInputs} inputs, ${Math.round(bytes / 1_024)} KB, each with ${deadlineMs / 1_000} s and ${mostMb} MB`,
      back: counted(outcomes),
      apiMb: child.peakMb(),
      seconds: (performance.now() - begun) / 1_000,
      problems,
    };
  } finally {
    child.close();
  }
};
