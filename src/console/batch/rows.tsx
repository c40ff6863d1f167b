/** The output as a table in pages. The results come first, then the columns of the list. */
import { useEffect, useState } from 'preact/hooks';
import { useApi, useLoad } from '../api.ts';
import type { Batch, RowsBody } from '../calls.ts';
import { hasEnded } from '../ui/batch-state.tsx';
import { Segments } from '../ui/controls.tsx';
import { EmptyState, FaultNotice, Skeleton } from '../ui/feedback.tsx';
import { count } from '../ui/format.ts';
import { type Column, Pager, Table, usePages } from '../ui/table.tsx';
import { RowReceipt } from './row-receipt.tsx';

const PAGE_ROWS = 25;
const AGAIN_MS = 2_000;

const OUTCOMES = [
  { value: 'all', label: 'All rows' },
  { value: 'quoted', label: 'Quoted' },
  { value: 'faulted', label: 'With a fault' },
] as const;

/** The columns that come first, and their labels. The others keep their names. */
const FIRST: ReadonlyMap<string, string> = new Map([
  ['quote_totalNetCharge', 'Net charge'],
  ['quote_shippingService', 'Service'],
  ['quote_rateZone', 'Zone'],
  ['quote_billingWeight_value', 'Billed lb'],
  ['fault_message', 'Fault'],
  ['quote_warnings', 'Warnings'],
]);
const NUMERIC =
  /^(?:quote_total|quote_billingWeight_value|quote_rateZone|quote_status|net_|weight|length$|width$|height$)/;

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
  const column = (name: string, at: number): Column<Row> => ({
    key: `${at}`,
    label: FIRST.get(name) ?? name,
    numeric: NUMERIC.test(name),
    cell: ({ cells }) =>
      name === 'fault_message' ? (
        <span class="fault-text cell-text">{cells[at]}</span>
      ) : (
        <span class="cell-text">{cells[at]}</span>
      ),
  });
  const first = [...FIRST.keys()].flatMap((name) => {
    const at = header.lastIndexOf(name);
    return at === -1 ? [] : [column(name, at)];
  });
  const taken = new Set(first.map(({ key }) => key));
  const rest = header.flatMap((name, at) => (taken.has(`${at}`) || name === 'input_row' ? [] : [column(name, at)]));
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

const textOf = ({ rows, total }: RowsBody): string => {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return '';
  const of = total === null ? '' : `, ${count(total)} in total`;
  return `Rows ${count(first.input_row)} to ${count(last.input_row)}${of}`;
};

export const Rows = ({ batch }: { readonly batch: Batch }) => {
  const api = useApi();
  const [outcome, setOutcome] = useState<string>('all');
  const [opened, setOpened] = useState<number>();
  const pages = usePages();
  const { id, revision } = batch;
  const ended = hasEnded(batch);
  const query = { from: String(pages.from), limit: String(PAGE_ROWS), outcome };
  const loaded = useLoad(
    (signal) => api.call('rows', { id, query, signal }),
    [id, revision, ended, pages.from, outcome],
  );
  const { state, data, reload } = loaded;
  // While the batch runs, a last page is loaded again, because more rows may follow.
  const wanting = !ended && loaded.state === 'done' && loaded.data.next === null;
  useEffect(() => {
    if (!wanting) return undefined;
    const timer = setTimeout(reload, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [wanting, reload]);
  const choose = (value: string): void => {
    setOutcome(value);
    pages.restart();
  };
  return (
    <section class="stack" aria-labelledby="rows">
      <div class="page-head">
        <h2 id="rows">Rows of the output</h2>
        <Segments label="Which rows" options={OUTCOMES} value={outcome} onChange={choose} />
      </div>
      {loaded.state === 'failed' ? <FaultNotice fault={loaded.fault} retry={reload} /> : null}
      {data === undefined ? (
        state === 'loading' ? (
          <Skeleton lines={10} label="Loading rows" />
        ) : null
      ) : (
        <>
          {data.rows.length === 0 ? (
            <EmptyState title={ended ? 'No rows match' : 'No matching rows yet'}>
              <p>{ended ? 'Choose All rows instead.' : 'This page looks again while the batch runs.'}</p>
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
          <p class="hint">Choose the number of a row with a quote to see its receipt.</p>
          <Pager pages={pages} next={data.next} text={textOf(data)} busy={state === 'loading'} />
        </>
      )}
      {opened === undefined ? null : <RowReceipt batch={batch} row={opened} onClose={() => setOpened(undefined)} />}
    </section>
  );
};
