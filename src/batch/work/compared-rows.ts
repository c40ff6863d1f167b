/** A page of a comparison's output for the console: the rows behind a bar of a chart. */

import { must } from '../../base/must.ts';
import type { Store } from '../../base/store/store.ts';
import { comparisonColumns } from '../../lists/comparison/columns.ts';
import { columnNames } from '../../lists/comparison/scenario.ts';
import type { ScenarioSums } from '../../lists/comparison/sums.ts';
import { weightBand } from '../../lists/output/tally.ts';
import { MOST_PARTS, ownHeader, type PageSource, type Part, readPage } from '../output/rows-page.ts';
import { keyOf, type SortedPage, sortPage } from '../output/sorted-rows.ts';
import { type BatchDocument, keys, records } from '../records.ts';

/** What rows can be chosen by. */
export const ROW_GROUPS = [
  'all',
  'row',
  'outcome',
  'service',
  'move',
  'zone',
  'weight',
  'state',
  'warehouse',
  'warning',
  'fault',
] as const;
export type RowGroup = (typeof ROW_GROUPS)[number];

/** How a scenario ends for a row. Rows with one of the last three are not in its difference. */
export const ROW_OUTCOMES = ['dearer', 'cheaper', 'same', 'onlyBase', 'onlyScenario', 'neither'] as const;
type RowOutcome = (typeof ROW_OUTCOMES)[number];

export interface ComparedRowsWanted {
  /** Number of rows of the list to skip, whether or not they match. */
  readonly from: number;
  readonly limit: number;
  /** The number of the scenario, from 1. */
  readonly scenario: number;
  readonly by: RowGroup;
  /** A name as in the sums: a zone, a service, `C2-GROUND>C1-GROUND` or a weight band. Or row numbers with commas. */
  readonly value: string;
  /** The largest differences come first, and `from` counts sorted rows. Default: the order of the list. */
  readonly sort?: 'difference' | undefined;
}

/** Returns the cell of a comparison's column, by the column's name. */
type CellOf = (name: string) => string;

/** @param fault the base's fault. A row with neither a price nor a fault belongs to an order that is in another row */
const outcomeOf = (base: string, net: string, difference: string, fault: string): RowOutcome | undefined => {
  if (base === '' && fault === '') return undefined;
  if (base === '') return net === '' ? 'neither' : 'onlyScenario';
  if (net === '') return 'onlyBase';
  if (Number(difference) === 0) return 'same';
  return difference.startsWith('-') ? 'cheaper' : 'dearer';
};

/** @param own the suffix of the scenario's columns */
const matches = ({ by, value }: ComparedRowsWanted, own: string, cell: CellOf, rows: ReadonlySet<number>): boolean => {
  const isCompared = cell('net_base') !== '' && cell(`net_${own}`) !== '';
  switch (by) {
    case 'all':
      return true;
    case 'row':
      return rows.has(Number(cell('input_row')));
    case 'outcome':
      return outcomeOf(cell('net_base'), cell(`net_${own}`), cell(`difference_${own}`), cell('fault_base')) === value;
    case 'service':
      return isCompared && cell('service_base') === value;
    case 'move':
      return isCompared && `${cell('service_base')}>${cell(`service_${own}`)}` === value;
    case 'zone':
      return isCompared && cell('zone_base') === value;
    case 'weight':
      return isCompared && weightBand(Number(cell('billing_weight_base'))) === value;
    case 'state':
      return isCompared && cell('state_base') === value;
    case 'warehouse':
      return isCompared && cell(`from_${own}`) === value;
    case 'warning':
      return isCompared && cell(`warnings_${own}`).split('|').includes(value);
    case 'fault':
      return cell(`fault_${own}`) === value;
    default:
      return by satisfies never;
  }
};

/** Returns how many rows match according to some sums; undefined if the sums do not say. */
const matchingRows = (sums: ScenarioSums, by: RowGroup, value: string): number | undefined => {
  const grouped = {
    service: 'byService',
    move: 'moves',
    zone: 'byZone',
    weight: 'byWeight',
    state: 'byState',
  } as const;
  switch (by) {
    case 'all':
    case 'row':
      return undefined;
    case 'outcome': {
      const outcome = ROW_OUTCOMES.find((known) => known === value);
      if (outcome === undefined) return 0;
      return outcome === 'neither' ? sums.neither : sums[outcome].rows;
    }
    case 'warehouse':
      return sums.byWarehouse[value]?.rows ?? 0;
    case 'warning':
      return sums.warnings[value] ?? 0;
    case 'fault':
      return sums.faults[value] ?? 0;
    default:
      return sums[grouped[by]][value]?.rows ?? 0;
  }
};

/**
 * @param parts the finished parts of a comparison, in order
 * @returns the first matching rows. There may be none although `next` is not null. Then the next page may have some
 */
export const comparedRowsPage = async (
  store: Store,
  document: BatchDocument,
  parts: readonly Part[],
  wanted: ComparedRowsWanted,
): Promise<SortedPage> => {
  const { id, columns } = document;
  const scenarios = must(document.comparison, 'the scenarios of a comparison').scenarios.map((own) => own.scenario);
  const names = comparisonColumns(scenarios);
  const places = new Map(names.map((name, index) => [name, columns.passed.length + index]));
  const own = must(columnNames(scenarios)[wanted.scenario - 1], 'the scenario of the rows');
  const rows = new Set(wanted.by === 'row' ? wanted.value.split(',').map(Number) : []);
  const source: PageSource = {
    from: wanted.from,
    limit: wanted.limit,
    holds: ({ firstRow, rows: count }) =>
      wanted.by !== 'row' || [...rows].some((row) => row >= firstRow && row < firstRow + count),
    mayHave: async ({ index }) => {
      // Only a scenario that chooses among warehouses has this column.
      if (wanted.by === 'warehouse' && !places.has(`from_${own}`)) return false;
      const sums = (await records.partSums(store, id, index))?.scenarios[wanted.scenario - 1];
      return sums === undefined || matchingRows(sums, wanted.by, wanted.value) !== 0;
    },
    content: ({ index, revision, bytes }) => store.stream(keys.part(id, index, revision), { from: 0, to: bytes }),
    numberOf: ({ firstRow }, position, value) => {
      const cell: CellOf = (name) => value(must(places.get(name), 'a column of the comparison'));
      return matches(wanted, own, cell, rows) ? firstRow + position - 1 : undefined;
    },
  };
  const difference = must(places.get(`difference_${own}`), 'the difference of a scenario');
  const page =
    wanted.sort === undefined
      ? await readPage(store, id, parts, { ...source, mostParts: MOST_PARTS })
      : await sortPage(store, id, parts, source, (value) => keyOf(value(difference).replace('-', ''), true));
  return { header: [...ownHeader(document), ...names], sortedTo: null, ...page };
};
