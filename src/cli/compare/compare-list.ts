/** Compares a list in scenarios, without a server or Redis. */

import { comparisonColumns } from '../../lists/comparison/columns.ts';
import type { Resolved } from '../../lists/comparison/resolve.ts';
import { comparisonSummaryOf } from '../../lists/comparison/summary.ts';
import { emptySums } from '../../lists/comparison/sums.ts';
import { formatOf } from '../../lists/output/output-format.ts';
import { outputHeader } from '../../lists/rows/rate-rows.ts';
import { readOptionsFrom } from '../batch/list-options.ts';
import type { Io } from '../io.ts';
import { planFile, rateHere } from '../rate/rate-file.ts';
import { type OpenList, type RateFlags, withList, writeOutput } from '../rate/rate-list.ts';
import type { OrderedScenario } from '../rate/rating-pool.ts';
import { comparerFor } from '../rate/row-work.ts';
import type { Compared } from './compare-result.ts';
import { askedScenarios, resolvedHere, type SpecFlags } from './compare-scenarios.ts';

const orderedScenarios = ({ scenarios }: Resolved): OrderedScenario[] =>
  scenarios.map(({ scenario, tariffs, accountParts }) => ({
    scenario,
    documents: tariffs?.documents,
    account: accountParts,
  }));

/** Compares the rows, and writes the output if one is requested. */
const compareFile = async (list: OpenList, resolved: Resolved): Promise<Compared> => {
  const { path, file, flags, local, config, pool, progress, signal } = list;
  const { client, schedule } = local;
  const { columns, plan } = await planFile(list, readOptionsFrom(flags, schedule), config, progress, signal);
  const format = formatOf(flags, schedule);
  const { warehouses, discounts, agreements, account } = client;
  const context = { columns, format, maximumRowBytes: config.maxRowBytes };
  const instant = new Date();
  const shipper = { warehouses, discounts, agreements };
  const scenarios = orderedScenarios(resolved);
  pool?.order({ kind: 'order', path, documents: schedule.documents, instant, context, shipper, scenarios });
  const parts = { schedule, shipper: { warehouses, account }, instant };
  const rated =
    pool?.rate(plan.chunks) ?? rateHere(file, plan.chunks, comparerFor(context, parts, resolved.scenarios), signal);
  const given = resolved.scenarios.map(({ scenario }) => scenario);
  const added = comparisonColumns(given);
  const header = outputHeader(columns, format.keepFormulas, added);
  const described = { own: columns.passed.length, added, isComparison: true };
  const { sums = emptySums(given.length) } = await writeOutput(list, header, rated, plan.rows, described);
  return { summary: comparisonSummaryOf(sums, given), findings: [...resolved.findings, ...columns.findings] };
};

export const compareList = async (path: string, flags: RateFlags & SpecFlags, io: Io): Promise<Compared> => {
  const asked = await askedScenarios(flags.against, flags.scenarios);
  return await withList(path, flags, io, async (list) =>
    compareFile(list, await resolvedHere(asked, list.local, list.config)),
  );
};
