/** Columns of a comparison's output: the list's own, the row number, then columns of the base and of each scenario. */

import { JOIN_COLUMNS } from './join.ts';
import { type ComparisonDocument, columnNames, type Scenario } from './scenario.ts';

/**
 * The columns of the base and of each scenario: `net_base`, `net_all_to_ground`, … Billing weights are in pounds. The state
 * is the recipient's.
 */
const PRICED_COLUMNS = ['net', 'service', 'zone', 'carrier_zone', 'billing_weight'] as const;
const BASE_COLUMNS = [...PRICED_COLUMNS, 'state', 'warnings', 'fault'] as const;
const SCENARIO_COLUMNS = [...PRICED_COLUMNS, 'difference', 'warnings', 'fault'] as const;

/** Whether a scenario chooses among warehouses. If so, its output says which one. */
export const choosesWarehouse = ({ warehouse }: Scenario): boolean =>
  warehouse !== undefined && typeof warehouse !== 'number';

/** Returns the names of the columns that a comparison adds. */
export const comparisonColumns = (scenarios: readonly Scenario[]): readonly string[] => {
  const names = columnNames(scenarios);
  return [
    'input_row',
    ...BASE_COLUMNS.map((column) => `${column}_base`),
    ...scenarios.flatMap((scenario, index) =>
      [...SCENARIO_COLUMNS, ...(choosesWarehouse(scenario) ? ['from'] : [])].map(
        (column) => `${column}_${names[index]}`,
      ),
    ),
  ];
};

/** Returns the names of the columns that a comparison adds. If it joins two batches, these are all of its columns. */
export const columnsOf = ({ scenarios, join }: ComparisonDocument): readonly string[] =>
  join === undefined ? comparisonColumns(scenarios.map(({ scenario }) => scenario)) : JOIN_COLUMNS;

/** Whether an added column has dollars, by its name. */
export const isComparedMoney = (name: string): boolean =>
  name.startsWith('net_') || name.startsWith('difference_') || name === 'difference';

const WHOLE_NUMBERS = ['billing_weight_', 'from_', 'row_'];

/** Whether an added column has whole numbers. */
export const isComparedCount = (name: string): boolean =>
  name === 'input_row' || WHOLE_NUMBERS.some((prefix) => name.startsWith(prefix));
