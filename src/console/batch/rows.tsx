/** The output as a table in pages, the results first; and the receipt of a row, in a dialog. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { rowFaultText, sentencesOf } from '../../lists/columns/fault-words.ts';
import { fieldNamed } from '../../lists/columns/fields.ts';
import { addedColumn, DECLARED_COLUMNS, JOINED } from '../../lists/output/output-columns.ts';
import { specOf } from '../../rating/fields.ts';
import { useApi, useCall, useEvery, useLoad } from '../api.ts';
import type { Batch, RowBody, RowsBody, Summary } from '../calls.ts';
import { warningTitle } from '../fault-words.ts';
import { repairsText } from '../guide.ts';
import { Quotes } from '../quote/answer.tsx';
import { hasEnded } from '../ui/batch-state.tsx';
import { Dialog, EmptyState, Notice } from '../ui/feedback.tsx';
import { count, money } from '../ui/format.ts';
import { Show } from '../ui/kit.tsx';
import { type Col, Pager, Table, usePages } from '../ui/table.tsx';
import type { RowFilter } from './charts.tsx';
import { OutcomeChoice, RowFilterBar } from './row-filter.tsx';
import '../quote/quote.css';
import { Button } from '../ui/controls.tsx';

const PAGE_ROWS = 25;
const AGAIN_MS = 2_000;

/** The columns that come first. */
const FIRST: readonly string[] = DECLARED_COLUMNS.filter(({ first }) => first?.page !== undefined)
  .toSorted((a, b) => (a.first?.page ?? 0) - (b.first?.page ?? 0))
  .map(({ name }) => name);

const warningsText = (types: string): string => types.split('|').map(warningTitle).join(', ');

/** Whether a column of the list's own has numbers, by its name. */
const isNumeric = (name: string): boolean => {
  const field = fieldNamed(name);
  return field !== undefined && specOf(field).kind === 'number';
};

type Row = RowsBody['rows'][number];

interface RowNumberProps {
  readonly row: Row;
  readonly faultAt: number;
  readonly onOpen: ((row: number) => void) | undefined;
}

/** The number of a row; with a quote, it opens the receipt. */
const RowNumber = ({ row: { input_row: number, cells }, faultAt, onOpen }: RowNumberProps) => {
  if (onOpen === undefined || (cells[faultAt] ?? '') !== '') return count(number);
  return (
    <button type="button" class="link" aria-label={`${count(number)}: open the receipt`} onClick={() => onOpen(number)}>
      {count(number)}
    </button>
  );
};

const columnsOf = (header: readonly string[], onOpen: RowNumberProps['onOpen']): readonly Col<Row>[] => {
  const own = header.lastIndexOf('input_row');
  const textOfCell = (name: string, row: Row, at: number): string => {
    const cell = row.cells[at] ?? '';
    if (at < own || cell === '') return cell;
    if (name === 'quote_warnings') return warningsText(cell);
    if (name === 'quote_repairs') return repairsText(cell);
    if (name !== 'fault_message') return cell;
    const said = (column: `fault_${string}`): string => row.cells[header.lastIndexOf(column)] ?? '';
    return rowFaultText(said('fault_type'), cell, said('fault_arguments'), said('fault_column'));
  };
  const faultMessage = header.lastIndexOf('fault_message');
  const present = FIRST.map((name) => header.lastIndexOf(name)).filter((at) => at !== -1);
  /** The first result, in whose place a row with a problem has its reason: it must be in sight on a phone. */
  const shared = present.find((at) => at !== faultMessage);
  const [status, orderRow] = [header.lastIndexOf('quote_status'), header.lastIndexOf('order_row')];
  /** The row that has the price of the row's order, if it is another one. */
  const orderOf = ({ cells }: Row): string | undefined => (cells[status] === JOINED ? cells[orderRow] : undefined);
  const column = (at: number): Col<Row> => {
    const name = header[at] ?? '';
    const added = at < own ? undefined : addedColumn(name);
    const isNumber = added === undefined ? isNumeric(name) : added.kind !== undefined;
    return [
      `${added?.label ?? name}${at === shared && faultMessage !== -1 ? ' or problem' : ''}`,
      (row) => {
        const reason = at === shared ? textOfCell('fault_message', row, faultMessage) : '';
        if (at === shared && orderOf(row) !== undefined)
          return <span class="hint row-reason">See row {orderOf(row)}, of the same order</span>;
        return reason === '' ? (
          <span class="cell-text">{textOfCell(name, row, at)}</span>
        ) : (
          <span class="tone bad row-reason">{reason}</span>
        );
      },
      isNumber ? 'number' : undefined,
    ];
  };
  const first = present.filter((at) => at !== faultMessage || shared === undefined);
  const isForPrograms = (name: string, at: number): boolean => at >= own && addedColumn(name)?.label === undefined;
  const rest = header.flatMap((name, at) => (present.includes(at) || isForPrograms(name, at) ? [] : [at]));
  const faultAt = header.lastIndexOf('fault_type');
  const number: Col<Row> = ['Row', (row) => <RowNumber row={row} faultAt={faultAt} onOpen={onOpen} />, 'head number'];
  return [number, ...[...first, ...rest].map(column)];
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
  if (next !== null) return `No row up to row ${count(next)} matches. Choose Next to keep looking.`;
  return ended ? 'Choose All rows or clear the filters.' : 'This page keeps checking while the batch runs.';
};

interface RowsProps {
  readonly batch: Batch;
  readonly summary: Summary | undefined;
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
  /** Whether rows open their receipts. */
  readonly receipts?: boolean;
}

export const Rows = ({ batch, summary, filter, onFilter, receipts = true }: RowsProps) => {
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
  const { reload } = loaded;
  // While the batch runs, a last page is loaded again, because more rows may follow.
  const wanting = !ended && loaded.state === 'done' && loaded.data.next === null;
  useEvery(AGAIN_MS, wanting, reload);
  return (
    <section class="stack" aria-labelledby="rows">
      <div class="page-head">
        <h2 id="rows" tabIndex={-1}>
          Rows of the output
        </h2>
        <OutcomeChoice filter={filter} onFilter={onFilter} />
      </div>
      <RowFilterBar batch={batch} summary={summary} filter={filter} onFilter={onFilter} />
      <Show of={loaded} lines={10} label="Loading rows">
        {(data) => (
          <>
            {data.rows.length === 0 ? (
              <EmptyState
                title={data.next !== null ? 'No rows match so far' : ended ? 'No rows match' : 'No matching rows yet'}
              >
                <p>{emptyText(data.next, ended)}</p>
              </EmptyState>
            ) : (
              <div class="rows-table pinned">
                <Table
                  caption="Output, a page at a time"
                  captionHidden
                  dense
                  cols={columnsOf(data.header, receipts ? setOpened : undefined)}
                  rows={data.rows}
                  keyOf={(row) => row.input_row}
                />
              </div>
            )}
            {data.sortedTo === null ? null : (
              <p class="hint">
                This batch is too large to sort here. Only rows 1 to {count(data.sortedTo)} are sorted. To sort all
                rows, download them.
              </p>
            )}
            {receipts ? (
              <p class="hint screen-only">Choose the number of a row with a quote to see its receipt.</p>
            ) : null}
            <Pager pages={pages} next={data.next} text={textOf(data)} busy={loaded.state === 'loading'} />
          </>
        )}
      </Show>
      {opened === undefined ? null : <RowReceipt batch={batch} row={opened} onClose={() => setOpened(undefined)} />}
    </section>
  );
};

const Found = ({ row: { quote, fault, outputNetCharge } }: { readonly row: RowBody }) => {
  if (quote === null)
    return (
      <Notice kind="error" announced={false} title="This row has no quote">
        {fault === null ? null : <p>{sentencesOf(fault.type, fault.message, {}).join(' ')}</p>}
      </Notice>
    );
  return (
    <>
      {outputNetCharge === null || outputNetCharge === quote.totalNetCharge ? null : (
        <Notice kind="warning" title="The output has a different price">
          <p>
            An earlier version of the service wrote {money(outputNetCharge)} for this row. This version computes{' '}
            {money(quote.totalNetCharge)} with the same tariffs.
          </p>
        </Notice>
      )}
      <Quotes quote={quote} catalog={undefined} />
    </>
  );
};

interface RowReceiptProps {
  readonly batch: Batch;
  /** The number of the row. */
  readonly row: number;
  readonly onClose: () => void;
}

const RowReceipt = ({ batch: { id, revision, filename }, row, onClose }: RowReceiptProps) => {
  const loaded = useCall(
    'GET /console/v1/client/shipment/rates/batches/{id}/row',
    { id, query: { row: String(row) } },
    [revision],
  );
  return (
    <Dialog
      wide
      title={`Row ${count(row)} of ${filename}`}
      buttons={
        <>
          <Button onClick={() => print()}>Print</Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
      onClose={onClose}
    >
      <Show of={loaded} lines={8} label="Loading the receipt">
        {(found) => <Found row={found} />}
      </Show>
    </Dialog>
  );
};
