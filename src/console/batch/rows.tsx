/** The output as a table in pages. The results come first, then the columns of the list. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApi, useLoad } from '../api.ts';
import type { Batch, RowsBody, Summary } from '../calls.ts';
import { sentencesOf } from '../guide.ts';
import { hasEnded } from '../ui/batch-state.tsx';
import { EmptyState, FaultNotice, Skeleton } from '../ui/feedback.tsx';
import { count } from '../ui/format.ts';
import { type Column, Pager, Table, usePages } from '../ui/table.tsx';
import { warningTitle } from '../warnings.ts';
import type { RowFilter } from './charts.tsx';
import { faultIn } from './corrections.ts';
import { OutcomeChoice, RowFilterBar } from './row-filter.tsx';
import { RowReceipt } from './row-receipt.tsx';

const PAGE_ROWS = 25;
const AGAIN_MS = 2_000;

/** The columns that come first, and their labels. */
const FIRST: ReadonlyMap<string, string> = new Map([
  ['quote_totalNetCharge', 'Net charge'],
  ['quote_shippingService', 'Service'],
  ['quote_rateZone', 'Zone'],
  ['quote_carrierZone', 'Carrier’s zone'],
  ['quote_billingWeight_value', 'Billed lb'],
  ['fault_message', 'Fault'],
  ['quote_warnings', 'Warnings'],
]);
/** Labels of the other columns that the service adds. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['quote_carrier', 'Carrier'],
  ['quote_rateType', 'Rates'],
  ['quote_totalBaseCharge', 'Base charge'],
  ['quote_totalDiscounts', 'Discounts'],
  ['quote_totalSurcharges', 'Surcharges'],
  ['quote_currency', 'Currency'],
  ['quote_billingWeight_units', 'Unit of billed weight'],
  ['quote_repairs', 'Repairs'],
  ['cheapest', 'Cheapest service'],
  ['ship_from', 'Ships from'],
  ['explain_zone', 'Why this zone'],
  ['explain_weight', 'Why this weight'],
  ['explain_base', 'Why this base charge'],
  ['explain_surcharges', 'Why these surcharges'],
]);
/** For programs: people read the fault instead. */
const HIDDEN = ['input_row', 'quote_status', 'fault_type', 'fault_column', 'fault_arguments'];
const NET_FROM = 'net_from_';
const NET = 'net_';

/** The label of a column that the service adds. */
const addedLabel = (name: string): string => {
  const label = FIRST.get(name) ?? LABELS.get(name);
  if (label !== undefined) return label;
  if (name.startsWith(NET_FROM)) return `Net charge from ${name.slice(NET_FROM.length)}`;
  return name.startsWith(NET) ? `Net charge, ${name.slice(NET.length)}` : name;
};

const warningsText = (types: string): string => types.split('|').map(warningTitle).join(', ');

const NUMERIC =
  /^(?:quote_total|quote_billingWeight_value|quote_rateZone|quote_carrierZone|quote_status|net_|weight|length$|width$|height$)/;

type Row = RowsBody['rows'][number];

interface RowNumberProps {
  readonly row: Row;
  readonly faultAt: number;
  readonly onOpen: (row: number) => void;
}

/** The number of a row; with a quote, it opens the receipt. */
const RowNumber = ({ row: { input_row: number, cells }, faultAt, onOpen }: RowNumberProps) => {
  if ((cells[faultAt] ?? '') !== '') return count(number);
  return (
    <button
      type="button"
      class="row-link"
      aria-label={`${count(number)}: open the receipt`}
      onClick={() => onOpen(number)}
    >
      {count(number)}
    </button>
  );
};

const columnsOf = (header: readonly string[], onOpen: (row: number) => void): readonly Column<Row>[] => {
  const own = header.lastIndexOf('input_row');
  const textOfCell = (name: string, row: Row, at: number): string => {
    const cell = row.cells[at] ?? '';
    if (at < own || cell === '') return cell;
    if (name === 'quote_warnings') return warningsText(cell);
    if (name !== 'fault_message') return cell;
    const { type, message, arguments: args } = faultIn({ header }, row);
    return sentencesOf(type, message, args).join(' ');
  };
  const column = (name: string, at: number): Column<Row> => ({
    key: `${at}`,
    label: at < own ? name : addedLabel(name),
    numeric: NUMERIC.test(name),
    cell: (row) => (
      <span class={name === 'fault_message' ? 'fault-text cell-text' : 'cell-text'}>{textOfCell(name, row, at)}</span>
    ),
  });
  const first = [...FIRST.keys()].flatMap((name) => {
    const at = header.lastIndexOf(name);
    return at === -1 ? [] : [column(name, at)];
  });
  const taken = new Set(first.map(({ key }) => key));
  const rest = header.flatMap((name, at) =>
    taken.has(`${at}`) || (at >= own && HIDDEN.includes(name)) ? [] : [column(name, at)],
  );
  const faultAt = header.lastIndexOf('fault_type');
  const number: Column<Row> = {
    key: 'row',
    label: 'Row',
    numeric: true,
    heads: true,
    cell: (row) => <RowNumber row={row} faultAt={faultAt} onOpen={onOpen} />,
  };
  return [number, ...first, ...rest];
};

/** The rows of a page, and where they are. */
interface Loaded extends RowsBody {
  readonly sort: string;
  readonly from: number;
}

const textOf = ({ rows, total, sort, from }: Loaded): string => {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return '';
  const of = total === null ? '' : `, ${count(total)} in total`;
  if (sort !== '') return `${count(from + 1)} to ${count(from + rows.length)} in this order${of}`;
  return `Rows ${count(first.input_row)} to ${count(last.input_row)}${of}`;
};

const emptyText = (next: number | null, ended: boolean): string => {
  if (next !== null) return `No row up to row ${count(next)} matches. Choose Next to look further.`;
  return ended ? 'Choose All rows or clear the filters.' : 'This page looks again while the batch runs.';
};

interface RowsProps {
  readonly batch: Batch;
  readonly summary: Summary | undefined;
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
}

export const Rows = ({ batch, summary, filter, onFilter }: RowsProps) => {
  const api = useApi();
  const [opened, setOpened] = useState<number>();
  const pages = usePages();
  const { id, revision } = batch;
  const ended = hasEnded(batch);
  const shown = useRef(filter);
  // A bar outside this section may have changed the filter.
  const from = shown.current === filter ? pages.from : 0;
  useEffect(() => {
    if (shown.current !== filter) pages.restart();
    shown.current = filter;
  }, [filter]);
  const query = { ...filter, from: String(from), limit: String(PAGE_ROWS) };
  // The filter stays with its rows, because the last rows stay visible while others load.
  const loaded = useLoad(
    async (signal) => ({
      ...(await api.call('GET /console/v1/client/shipment/rates/batches/{id}/rows', { id, query, signal })),
      sort: filter.sort,
      from,
    }),
    [id, revision, ended, from, filter],
  );
  const { state, data, reload } = loaded;
  // While the batch runs, a last page is loaded again, because more rows may follow.
  const wanting = !ended && loaded.state === 'done' && loaded.data.next === null;
  useEffect(() => {
    if (!wanting) return undefined;
    const timer = setTimeout(reload, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [wanting, reload]);
  return (
    <section class="stack" aria-labelledby="rows">
      <div class="page-head">
        <h2 id="rows" tabIndex={-1}>
          Rows of the output
        </h2>
        <OutcomeChoice filter={filter} onFilter={onFilter} />
      </div>
      <RowFilterBar batch={batch} summary={summary} filter={filter} onFilter={onFilter} />
      {loaded.state === 'failed' ? <FaultNotice fault={loaded.fault} retry={reload} /> : null}
      {data === undefined ? (
        state === 'loading' ? (
          <Skeleton lines={10} label="Loading rows" />
        ) : null
      ) : (
        <>
          {data.rows.length === 0 ? (
            <EmptyState
              title={data.next !== null ? 'No rows match so far' : ended ? 'No rows match' : 'No matching rows yet'}
            >
              <p>{emptyText(data.next, ended)}</p>
            </EmptyState>
          ) : (
            <div class="rows-table">
              <Table
                caption="Output, a page at a time"
                captionHidden
                dense
                columns={columnsOf(data.header, setOpened)}
                rows={data.rows}
                keyOf={(row) => row.input_row}
              />
            </div>
          )}
          {data.sortedTo === null ? null : (
            <p class="hint">
              This batch is too large to sort as a whole here. The order is that of rows 1 to {count(data.sortedTo)}. To
              sort all rows, download them.
            </p>
          )}
          <p class="hint">Choose the number of a row with a quote to see its receipt.</p>
          <Pager pages={pages} next={data.next} text={textOf(data)} busy={state === 'loading'} />
        </>
      )}
      {opened === undefined ? null : <RowReceipt batch={batch} row={opened} onClose={() => setOpened(undefined)} />}
    </section>
  );
};
