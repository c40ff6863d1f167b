/** Rows of a comparison: those behind a bar, in a dialog over the page, and the ones with the largest differences. */
import { useEffect } from 'preact/hooks';
import { useApi, useCall, useLoad } from '../api.ts';
import type { ComparedRowsBody } from '../calls.ts';
import { guidanceOf, warningTitle } from '../fault-words.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog, EmptyState, FaultNotice, Skeleton } from '../ui/feedback.tsx';
import { count, difference, money } from '../ui/format.ts';
import { Rows, Show } from '../ui/kit.tsx';
import { useServiceName } from '../ui/service-names.tsx';
import { type Col, Pager, usePages } from '../ui/table.tsx';
import type { Behind } from './totals.tsx';
import type { ScenarioSummary, Sides } from './words.ts';

const ROWS = 'GET /console/v1/client/shipment/rates/comparisons/{id}/rows';

/* Columns of a comparison's rows, in reading order. */

type ComparedRow = ComparedRowsBody['rows'][number];

/** Number of columns from the uploaded list. */
const OWN_COLUMNS = 3;

const amount = (text: string): string => (text === '' ? '—' : money(Number(text)));

/** Returns why a side has no price, or its warnings if it has one. */
const noteOf = (fault: string, warnings: string): string =>
  fault === '' ? warnings.split('|').filter(Boolean).map(warningTitle).join(', ') : guidanceOf(fault).title;

/** Makes columns for the cells of a row. @param ending the ending of the scenario's column names */
const comparedColumns = (
  header: readonly string[],
  ending: string,
  nameOf: (code: string) => string,
): readonly (Col<ComparedRow> | false)[] => {
  const at = (name: string): number => header.lastIndexOf(name);
  const own = header.slice(0, Math.min(OWN_COLUMNS, at('input_row')));
  const cellOf =
    (name: string) =>
    ({ cells }: ComparedRow): string =>
      cells[at(name)] ?? '';
  /** The values of both sides, with an arrow if they differ. */
  const both =
    (name: string, say: (text: string) => string = String) =>
    (row: ComparedRow): string => {
      const [before, after] = [cellOf(`${name}_base`)(row), cellOf(`${name}_${ending}`)(row)];
      return [...new Set([before, after])].map((text) => say(text) || '—').join(' → ');
    };
  return [
    ['Row', ({ input_row }) => count(input_row), 'head number'],
    [
      'Difference',
      (row) => {
        const text = cellOf(`difference_${ending}`)(row);
        return text === '' ? '—' : <strong>{difference(Number(text))}</strong>;
      },
      'number',
    ],
    ...own.map((name, index): Col<ComparedRow> => [name, ({ cells }) => <span class="cell-text">{cells[index]}</span>]),
    ['Now', (row) => amount(cellOf('net_base')(row)), 'number'],
    ['In the scenario', (row) => amount(cellOf(`net_${ending}`)(row)), 'number'],
    ['Service', both('service', nameOf)],
    ['Zone', both('zone'), 'number'],
    ['Billed lb', both('billing_weight'), 'number'],
    at(`from_${ending}`) !== -1 && ['From', cellOf(`from_${ending}`), 'number'],
    [
      'Notes',
      (row) => {
        const scenario = noteOf(cellOf(`fault_${ending}`)(row), cellOf(`warnings_${ending}`)(row));
        const base = noteOf(cellOf('fault_base')(row), '');
        return [base === '' || base === scenario ? '' : `Now: ${base}`, scenario].filter(Boolean).join('. ');
      },
    ],
  ];
};

const PAGE_ROWS = 25;

interface RowsSheetProps {
  readonly id: string;
  /** The scenario's index, its name and the ending of its column names. */
  readonly scenario: number;
  readonly name: string;
  readonly column: string;
  readonly behind: Behind;
  readonly onClose: () => void;
}

export const RowsSheet = ({ id, scenario, name, column, behind, onClose }: RowsSheetProps) => {
  const pages = usePages();
  const nameOf = useServiceName();
  const { by, value } = behind;
  const query = {
    ...{ scenario: String(scenario + 1), by, value },
    ...{ from: String(pages.from), limit: String(PAGE_ROWS) },
  };
  const loaded = useCall(ROWS, { id, query });
  // A call only searches a part of the list. Matching rows may come later.
  const later = loaded.state === 'done' && loaded.data.rows.length === 0 ? loaded.data.next : null;
  useEffect(() => {
    if (later !== null) pages.turn(later, 0);
  }, [later]);
  return (
    <Dialog
      wide
      title={behind.title}
      lead={`${name}: ${behind.text}`}
      buttons={<Button onClick={onClose}>Close</Button>}
      onClose={onClose}
    >
      <Show of={loaded} lines={10} label="Loading rows">
        {({ header, rows, next }) => {
          if (later !== null) return <Skeleton lines={10} label="Looking for more rows" />;
          if (rows.length === 0) return <EmptyState title="No more rows" />;
          return (
            <>
              <div class="rows-table pinned">
                <Rows
                  caption={`Rows: ${behind.title}`}
                  dense
                  cols={comparedColumns(header, column, nameOf)}
                  of={rows}
                  keyOf={(row) => row.input_row}
                />
              </div>
              <Pager
                pages={pages}
                next={next}
                rows={rows.length}
                text={behind.text}
                busy={loaded.state === 'loading'}
              />
            </>
          );
        }}
      </Show>
    </Dialog>
  );
};

type Extreme = ScenarioSummary['largestIncreases'][number];

/** Number of rows in each table. */
const MOST = 10;
/** Number of columns from the uploaded list. */
const FEW_COLUMNS = 2;

interface ExtremesProps {
  readonly id: string;
  /** The index of the scenario. */
  readonly index: number;
  readonly scenario: ScenarioSummary;
  readonly sides: Sides;
  /** Whether only sums exist, without rows to show. */
  readonly sumsOnly: boolean;
}

export const Extremes = ({ id, index, scenario, sides, sumsOnly }: ExtremesProps) => {
  const api = useApi();
  const nameOf = useServiceName();
  const tables = [
    { title: 'Largest savings', rows: scenario.largestDecreases.slice(0, MOST) },
    { title: 'Largest increases', rows: scenario.largestIncreases.slice(0, MOST) },
  ].filter(({ rows }) => rows.length > 0);
  const numbers = tables.flatMap(({ rows }) => rows.map(({ row }) => row));
  const value = numbers.join(',');
  const found = useLoad(
    async (signal) => {
      if (value === '' || sumsOnly) return undefined;
      const query = { scenario: String(index + 1), by: 'row', value, limit: String(numbers.length) };
      return await api.call(ROWS, { id, query, signal });
    },
    [api, id, index, value, sumsOnly],
  );
  const header: readonly string[] = found.data?.header ?? [];
  /** The list's own cells. */
  const own = header
    .slice(0, Math.min(FEW_COLUMNS, header.lastIndexOf('input_row')))
    .map(
      (name, at): Col<Extreme> => [
        name,
        ({ row }) => (
          <span class="cell-text">{found.data?.rows.find(({ input_row }) => input_row === row)?.cells[at]}</span>
        ),
      ],
    );
  return tables.length === 0 ? null : (
    <section class="stack large" aria-label="Largest differences">
      {found.state === 'failed' ? <FaultNotice fault={found.fault} retry={found.reload} /> : null}
      {tables.map(({ title, rows }) => (
        <div class="stack small" key={title}>
          <h3>{title}</h3>
          <div class="extremes pinned">
            <Rows
              caption={title}
              cards="pairs"
              of={rows}
              keyOf={({ row }) => row}
              cols={[
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
                ...own,
                [sides.base, ({ baseNetCharge }) => money(baseNetCharge), 'number'],
                [sides.scenario, ({ totalNetCharge }) => money(totalNetCharge), 'number'],
                [
                  'Service',
                  ({ baseService: before, shippingService: after }) =>
                    [...new Set([before, after])].map(nameOf).join(' → '),
                ],
              ]}
            />
          </div>
        </div>
      ))}
    </section>
  );
};
