/** Winners and losers: the rows with the largest differences, with a few columns of the list. */
import { useApi, useLoad } from '../api.ts';
import { FaultNotice } from '../ui/feedback.tsx';
import { count, difference, money } from '../ui/format.ts';
import { Rows } from '../ui/kit.tsx';
import { useServiceName } from '../ui/service-names.tsx';
import type { Col } from '../ui/table.tsx';
import type { ScenarioSummary, Sides } from './words.ts';

type Extreme = ScenarioSummary['largestIncreases'][number];

/** Number of rows in each table. */
const MOST = 10;
/** Number of columns from the uploaded list. */
const OWN_COLUMNS = 2;

interface ExtremesProps {
  readonly id: string;
  /** The index of the scenario. */
  readonly index: number;
  readonly scenario: ScenarioSummary;
  readonly sides: Sides;
  /** Whether only sums exist, without rows to show. */
  readonly sumsOnly: boolean;
}

interface Own {
  readonly header: readonly string[];
  readonly cells: ReadonlyMap<number, readonly string[]>;
}

const NO_OWN: Own = { header: [], cells: new Map() };

/** Loads the list's own cells of these rows. */
const useOwnCells = ({ id, index, sumsOnly }: ExtremesProps, rows: readonly number[]) => {
  const api = useApi();
  const value = rows.join(',');
  return useLoad(
    async (signal): Promise<Own> => {
      if (value === '' || sumsOnly) return NO_OWN;
      const query = { scenario: String(index + 1), by: 'row', value, limit: String(rows.length) };
      const page = await api.call('GET /console/v1/client/shipment/rates/comparisons/{id}/rows', { id, query, signal });
      const own = Math.min(OWN_COLUMNS, page.header.lastIndexOf('input_row'));
      return {
        header: page.header.slice(0, own),
        cells: new Map(page.rows.map(({ input_row, cells }) => [input_row, cells.slice(0, own)])),
      };
    },
    [api, id, index, value, sumsOnly],
  );
};

const columnsOf = (
  { header, cells }: Own,
  { base, scenario }: Sides,
  nameOf: (code: string) => string,
): readonly Col<Extreme>[] => [
  [
    'Row',
    ({ row }) => (
      <>
        <span class="cell-label">Row</span> {count(row)}
      </>
    ),
    'head number',
  ],
  ['Difference', (row) => <strong>{difference(row.difference)}</strong>, 'number'],
  ...header.map(
    (name, at): Col<Extreme> => [name, ({ row }) => <span class="cell-text">{cells.get(row)?.[at] ?? ''}</span>],
  ),
  [base, ({ baseNetCharge }) => money(baseNetCharge), 'number'],
  [scenario, ({ totalNetCharge }) => money(totalNetCharge), 'number'],
  [
    'Service',
    ({ baseService, shippingService }) => [...new Set([baseService, shippingService])].map(nameOf).join(' → '),
  ],
];

export const Extremes = (props: ExtremesProps) => {
  const nameOf = useServiceName();
  const { largestIncreases, largestDecreases } = props.scenario;
  const tables = [
    { title: 'Largest savings', rows: largestDecreases.slice(0, MOST) },
    { title: 'Largest increases', rows: largestIncreases.slice(0, MOST) },
  ].filter(({ rows }) => rows.length > 0);
  const numbers = tables.flatMap(({ rows }) => rows.map(({ row }) => row));
  const own = useOwnCells(props, numbers);
  return tables.length === 0 ? null : (
    <section class="stack large" aria-label="Largest differences">
      {own.state === 'failed' ? <FaultNotice fault={own.fault} retry={own.reload} /> : null}
      {tables.map(({ title, rows }) => (
        <div class="stack small" key={title}>
          <h3>{title}</h3>
          <div class="extremes pinned">
            <Rows
              caption={title}
              cards="pairs"
              cols={columnsOf(own.data ?? NO_OWN, props.sides, nameOf)}
              of={rows}
              keyOf={({ row }) => row}
            />
          </div>
        </div>
      ))}
    </section>
  );
};
