/** Compares a list in scenarios, without a server or Redis. */

import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { comparisonColumns, comparisonHeader } from '../comparison/columns.ts';
import type { Resolved } from '../comparison/resolve.ts';
import { comparisonSummaryOf } from '../comparison/summary.ts';
import { emptySums } from '../comparison/sums.ts';
import { cellOf, decodeText } from '../csv/cell.ts';
import { createRows } from '../csv/rows.ts';
import { must } from '../must.ts';
import { warehousesInUs } from '../rating/rate.ts';
import type { Chunk } from '../rows/chunk-plan.ts';
import type { Columns } from '../rows/columns.ts';
import { type PageFacts, shownRows, warehouseNames } from './compare-page.ts';
import type { Compared, ResultFlags } from './compare-result.ts';
import { askedScenarios, resolvedHere, type SpecFlags } from './compare-scenarios.ts';
import { printable } from './format.ts';
import type { Io } from './io.ts';
import { formatFrom, readOptionsFrom } from './list-options.ts';
import type { Local } from './local-sources.ts';
import { planFile, rateHere, readRange } from './rate-file.ts';
import { type OpenList, type RateFlags, withList, writeOutput } from './rate-list.ts';
import type { OrderedScenario } from './rating-pool.ts';
import { comparerFor } from './row-work.ts';

/* Names rows of a list for people: their first cells, such as an order number and a name. */

const FIRST_COLUMNS = 2;
const MOST_CHARACTERS = 60;

/**
 * @param numbers of the rows to name
 * @returns the cells by the row's number. Rows with empty cells have none
 */
const rowLabels = async (
  file: FileHandle,
  chunks: readonly Chunk[],
  { dialect, passed }: Columns,
  maximumRowBytes: number,
  numbers: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> => {
  const labels = new Map<number, string>();
  const wanted = [...numbers];
  for (const { from, to, firstRow, rows } of chunks) {
    if (!wanted.some((number) => number >= firstRow && number < firstRow + rows)) continue;
    const { row, next } = createRows(await readRange(file, from, to), dialect, maximumRowBytes);
    for (let number = firstRow; next() === 'row'; ) {
      if (row.blank) continue;
      if (numbers.has(number)) {
        const cells = passed
          .slice(0, FIRST_COLUMNS)
          .map((column) => (column < row.cells ? printable(decodeText(cellOf(row.text, row, column))).trim() : ''))
          .filter((cell) => cell !== '');
        if (cells.length > 0) labels.set(number, [...cells.join(', ')].slice(0, MOST_CHARACTERS).join(''));
      }
      number += 1;
    }
  }
  return labels;
};

const orderedScenarios = ({ scenarios }: Resolved): OrderedScenario[] =>
  scenarios.map(({ scenario, tariffs, accountParts }) => ({
    scenario,
    documents: tariffs?.documents,
    account: accountParts,
  }));

/** What the list is rated with as it is, in words. */
const factsOf = ({ client, schedule }: Local, instant: Date): Omit<PageFacts, 'list' | 'rowLabels'> => {
  const { cards, day } = schedule.bookAt(instant);
  const inForce = new Set(cards.map(({ tariff }) => tariff));
  return {
    client: `${client.name} (${client.id})`,
    tariffs: schedule.documents.flatMap(({ file: { name, effective } }, at) =>
      inForce.has(must(schedule.ids[at], 'the id of a tariff')) ? [`${name}, from ${effective} on`] : [],
    ),
    day,
    warehouses: warehouseNames(warehousesInUs(client)),
  };
};

/** Compares the rows, and writes the output if there is one. */
const compareFile = async (
  list: OpenList,
  resolved: Resolved,
  isForPage: boolean,
): Promise<Omit<Compared, 'facts'> & { readonly facts: Omit<PageFacts, 'list'> }> => {
  const { path, file, flags, local, config, pool, progress, signal } = list;
  const { client, schedule } = local;
  const { columns, plan } = await planFile(list, readOptionsFrom(flags, schedule), config, progress, signal);
  const format = formatFrom(flags, schedule);
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
  const header = comparisonHeader(columns, format.keepFormulas, comparisonColumns(given));
  const { sums = emptySums(given.length) } = await writeOutput(list, header, rated, plan.rows);
  const summary = comparisonSummaryOf(sums, given);
  const shown = isForPage ? shownRows(summary) : new Set<number>();
  const labels = await rowLabels(file, plan.chunks, columns, config.maxRowBytes, shown);
  return {
    summary,
    findings: [...resolved.findings, ...columns.findings],
    facts: { ...factsOf(local, instant), rowLabels: labels },
  };
};

export const compareList = async (
  path: string,
  flags: RateFlags & SpecFlags & ResultFlags,
  io: Io,
): Promise<Compared> => {
  const asked = await askedScenarios(flags.against, flags.scenarios);
  const compared = await withList(path, flags, io, async (list) => {
    const resolved = await resolvedHere(asked, list.local, list.config);
    return await compareFile(list, resolved, flags.summary === true);
  });
  return { ...compared, facts: { ...compared.facts, list: path === '-' ? 'standard input' : basename(path) } };
};
