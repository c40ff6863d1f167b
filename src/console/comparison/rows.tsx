/** Rows of a comparison: those behind a bar, in a dialog over the page, and the ones with the largest differences. */
import { useApi, useCall, useLoad } from '../api.ts';
import type { ComparedRowsBody } from '../calls.ts';
import { guidanceOf, warningTitle } from '../fault-words.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog, EmptyState, FaultNotice } from '../ui/feedback.tsx';
import { capital, count, difference, money } from '../ui/format.ts';
import { Rows, Show } from '../ui/kit.tsx';
import { useServiceName } from '../ui/service-names.tsx';
import { type Col, Pager, usePages } from '../ui/table.tsx';
import type { Behind, OnOpen } from './totals.tsx';
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

const RowNumber = ({ row, onOpen }: { readonly row: number; readonly onOpen?: (() => void) | undefined }) => (
  <>
    <span class="cell-label">Row</span>{' '}
    {onOpen === undefined ? (
      count(row)
    ) : (
      <button type="button" class="link" aria-label={`Row ${count(row)}: show its prices`} onClick={onOpen}>
        {count(row)}
      </button>
    )}
  </>
);

/** The name of one of the list's columns: `Order number` for `order_number`. */
const columnText = (name: string): string => capital(name.replaceAll('_', ' '));

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
    ['Row', ({ input_row }) => <RowNumber row={input_row} />, 'head number'],
    [
      'Difference',
      (row) => {
        const text = cellOf(`difference_${ending}`)(row);
        return text === '' ? '—' : <strong>{difference(Number(text))}</strong>;
      },
      'number',
    ],
    ['Now', (row) => amount(cellOf('net_base')(row)), 'number'],
    ['In the scenario', (row) => amount(cellOf(`net_${ending}`)(row)), 'number'],
    ...own.map(
      (name, index): Col<ComparedRow> => [
        columnText(name),
        ({ cells }) => <span class="cell-text">{cells[index]}</span>,
      ],
    ),
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
    ...{ scenario: String(scenario + 1), by, value, sort: 'difference' },
    ...{ from: String(pages.from), limit: String(PAGE_ROWS) },
  };
  const loaded = useCall(ROWS, { id, query });
  return (
    <Dialog
      wide
      title={behind.title}
      lead={`${name}: ${behind.text}`}
      buttons={<Button onClick={onClose}>Close</Button>}
      onClose={onClose}
    >
      <Show of={loaded} lines={10} label="Loading rows">
        {({ header, rows, next, sortedTo }) => {
          if (rows.length === 0) return <EmptyState title="No more rows" />;
          return (
            <>
              <div class="rows-table pinned">
                <Rows
                  caption={`Rows: ${behind.title}`}
                  dense
                  cards="pairs"
                  cols={comparedColumns(header, column, nameOf)}
                  of={rows}
                  keyOf={(row) => row.input_row}
                />
              </div>
              {sortedTo === null ? null : (
                <p class="hint">Only rows 1 to {count(sortedTo)} of the list are here. The files have all rows.</p>
              )}
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
  /** Undefined if there are only sums, without rows to show. */
  readonly onOpen: OnOpen | undefined;
}

const behindOf = ({ row, difference: value }: Extreme): Behind => ({
  by: 'row',
  value: String(row),
  title: `Row ${count(row)}`,
  text: difference(value),
});

export const Extremes = ({ id, index, scenario, sides, onOpen }: ExtremesProps) => {
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
      if (value === '' || onOpen === undefined) return undefined;
      const query = { scenario: String(index + 1), by: 'row', value, limit: String(numbers.length) };
      return await api.call(ROWS, { id, query, signal });
    },
    [api, id, index, value, onOpen === undefined],
  );
  const header: readonly string[] = found.data?.header ?? [];
  /** The list's own cells. */
  const own = header
    .slice(0, Math.min(FEW_COLUMNS, header.lastIndexOf('input_row')))
    .map(
      (name, at): Col<Extreme> => [
        columnText(name),
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
                  (own) => <RowNumber row={own.row} onOpen={onOpen && (() => onOpen(behindOf(own)))} />,
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
