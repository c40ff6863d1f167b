/**
 * Starts the longest files first. A fresh clone knows no durations, and a long file that starts last ends a run alone.
 * The order is that of a quiet machine. It only saves time: a file that is missing here runs later.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONGEST = [
  'console/batch.slow',
  'http/workbooks.slow',
  'http/read-limits.slow',
  'console/operator-clients.slow',
  'console/comparison.slow',
  'console/upload.slow',
  'acceptance/bills.slow',
  'acceptance/soak.slow',
  'acceptance/memory.slow',
  'console/agreements.slow',
  'console/operator-tariffs.slow',
  'cli/batch.slow',
  'cli/run-jobs.slow',
  'cli/serve.slow',
  'acceptance/worker-death.slow',
  'http/attacks.slow',
  'console/batches.slow',
  'lists/comparison/genuine.slow',
  'catalog/published/cluster.slow',
  'cli/supervisor.slow',
  'console/tariffs.slow',
  'http/batches-states.slow',
  'cli/terminal.slow',
].map((name) => `test/${name}.test.ts`);

const rankOf = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(name));
  return at === -1 ? LONGEST.length : at;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
