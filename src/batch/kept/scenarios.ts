/** The snapshot of scenarios. What they name is stored with a comparison, so that retries and late chunks rate the same. */

import { AGREEMENTS, TARIFFS } from '../../catalog/documents/kinds.ts';
import type { Snapshots } from '../../catalog/published/snapshots.ts';
import type { Finding } from '../../lists/columns/findings.ts';
import type { ResolvedScenario } from '../../lists/comparison/resolve.ts';
import type { ComparisonDocument, StoredScenario } from '../../lists/comparison/scenario.ts';

/** Checked scenarios, and what their author should know. */
export interface AskedScenarios {
  readonly scenarios: readonly ResolvedScenario[];
  readonly findings: readonly Finding[];
}

/** Stores what a scenario names. */
const keep = async (
  snapshots: Snapshots,
  { scenario, tariffs, accountParts }: ResolvedScenario,
): Promise<StoredScenario> => {
  const ids = tariffs === undefined ? undefined : await snapshots.keep(TARIFFS, tariffs.documents);
  const agreements =
    accountParts === undefined
      ? []
      : await snapshots.keep(
          AGREEMENTS,
          accountParts.agreements.map(({ document }) => document),
        );
  return {
    scenario,
    ...(ids === undefined ? {} : { tariffs: [...ids] }),
    ...(accountParts === undefined
      ? {}
      : {
          account: {
            discounts: Object.fromEntries(accountParts.discounts),
            agreements: agreements.map((id) => ({ id })),
          },
        }),
  };
};

/** @param rest what is compared, and the day for rows without a `shipDate` */
export const keepScenarios = async (
  snapshots: Snapshots,
  { scenarios }: AskedScenarios,
  rest: Omit<ComparisonDocument, 'scenarios'>,
): Promise<ComparisonDocument> => {
  const kept: StoredScenario[] = [];
  for (const scenario of scenarios) kept.push(await keep(snapshots, scenario));
  return { ...rest, scenarios: kept };
};
