/** Examples of comparisons: all rows of the example batch with another service. */
import { type BatchFields, type ComparisonView, comparisonSchema, viewOf } from '../../batch/view.ts';
import { comparisonSummaryOf, resultOf } from '../../lists/comparison/summary.ts';
import { emptySums } from '../../lists/comparison/sums.ts';
import { CREATED_AT, DONE, FAULTS, ID, QUEUED } from './examples.ts';

const COMPARISON_ID = 'c0mm7p6yq13h4z6kd0r8w2nf5t';

const COMPARED: Pick<ComparisonView, 'batch' | 'with' | 'scenarios'> = {
  with: null,
  batch: { id: ID, revision: 1, filename: 'orders.csv' },
  scenarios: [
    {
      name: 'All to Express',
      changes: 'all to C1-EXPRESS',
      column: 'all_to_express',
      scenario: { name: 'All to Express', service: 'C1-EXPRESS' },
      result: null,
    },
  ],
};

const comparisonAs = (fields: Partial<BatchFields>, faults: Readonly<Record<string, number>> = {}): ComparisonView => {
  const counts = Object.entries(faults).map(([type, count]) => [`fault:${type}`, String(count)]);
  const own = { ...QUEUED, comparison: JSON.stringify(COMPARED), ...fields };
  return comparisonSchema.parse(viewOf(COMPARISON_ID, own, Object.fromEntries(counts), new Date(CREATED_AT)));
};

export const COMPARISON_REQUEST = { scenarios: COMPARED.scenarios.map(({ scenario }) => scenario) };

const COMPARISON_END = {
  ...DONE,
  status: 'completed',
  completedAt: '2026-03-01T12:00:00.220Z',
  expiresAt: '2026-03-08T12:00:00.220Z',
  results: JSON.stringify(emptySums(1).scenarios.map(resultOf)),
} as const;

export const COMPARISONS = {
  queued: comparisonAs({}),
  completed: comparisonAs(COMPARISON_END, FAULTS),
  cancelling: comparisonAs({ status: 'cancelling' }),
  resumed: comparisonAs({ status: 'in_progress', startedAt: DONE.startedAt }),
};

export const COMPARISON_SUMMARY = {
  status: 200,
  id: COMPARISON_ID,
  ...comparisonSummaryOf(
    { ...emptySums(1), base: { rows: 2, priced: 1, cents: 1199, faults: FAULTS, warnings: {}, missing: {} } },
    COMPARISON_REQUEST.scenarios,
  ),
};

export const COMPARISON_ENDED = {
  type: 'comparison.completed',
  timestamp: COMPARISONS.completed.completedAt,
  data: COMPARISONS.completed,
};
