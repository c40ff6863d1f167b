/** The output as a table in pages, with the results first, and a dialog with the receipt of a row. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { rowFaultText, sentencesOf } from '../../lists/columns/fault-words.ts';
import { fieldNamed } from '../../lists/columns/fields.ts';
import { zoneName } from '../../lists/columns/plain-words.ts';
import { addedColumn, DECLARED_COLUMNS, JOINED } from '../../lists/output/output-columns.ts';
import { specOf } from '../../rating/fields.ts';
import { useApi, useCall, useEvery, useLoad } from '../api.ts';
import type { Batch, RowBody, RowsBody } from '../calls.ts';
import { repairsText, warningTitle } from '../fault-words.ts';
import { Quotes } from '../quote/answer.tsx';
import { hasEnded } from '../ui/batch-state.tsx';
import { Button } from '../ui/controls.tsx';
import { sharedBy } from '../ui/doubts.ts';
import { Dialog, EmptyState, Notice } from '../ui/feedback.tsx';
import { capital, count, counted, dayOf, money } from '../ui/format.ts';
import { Show } from '../ui/kit.tsx';
import { useServiceName } from '../ui/service-names.tsx';
import { type Col, FIRST_PAGE, Pager, rowsText, Table, usePages } from '../ui/table.tsx';
import { OutcomeChoice, RowFilterBar, type RowFilterBarProps } from './row-filter.tsx';
import '../quote/quote.css';

const PAGE_ROWS = 25;
const AGAIN_MS = 2_000;

/** The columns that come first. */
const FIRST: readonly string[] = DECLARED_COLUMNS.filter(({ first }) => first?.page !== undefined)
  .toSorted((a, b) => (a.first?.page ?? 0) - (b.first?.page ?? 0))
  .map(({ name }) => name);

const warningsText = (types: readonly string[]): string => types.map(warningTitle).join(', ');

/** Whether a column of the uploaded list has numbers, judged by its name. */
const isNumeric = (name: string): boolean => {
  const field = fieldNamed(name);
  return field !== undefined && specOf(field).kind === 'number';
};

/** The name of a column of the list as a heading: `postalCode` and `postal_code` become `Postal code`. */
const headingOf = (name: string): string =>
  /^[a-z]+(?:_[a-z]+|[A-Z][a-z]+)+$/.test(name)
    ? capital(name.replaceAll(/_?([A-Z])|_/g, (_, letter = '') => ` ${letter.toLowerCase()}`))
    : name;

type Row = RowsBody['rows'][number];
type Header = readonly string[];

const cellOf = ({ cells }: Row, header: Header, name: string): string => cells[header.lastIndexOf(name)] ?? '';

/** The row with the price of the row's order, if it is a different row. */
const orderOf = (row: Row, header: Header): number | undefined =>
  cellOf(row, header, 'quote_status') === JOINED ? Number(cellOf(row, header, 'order_row')) : undefined;

/** The number of further order lines, by the row with the price. */
const linesOf = ({ header, rows }: RowsBody): ReadonlyMap<number, number> => {
  const lines = new Map<number, number>();
  for (const row of rows) {
    const head = orderOf(row, header);
    if (head !== undefined) lines.set(head, (lines.get(head) ?? 0) + 1);
  }
  return lines;
};

const warningsIn = (cell: string): readonly string[] => cell.split('|').filter(Boolean);

/** The types of warnings that all prices on the page have. They are shown once. */
const sharedWarnings = ({ header, rows }: RowsBody): readonly string[] => {
  const priced = rows.filter((row) => cellOf(row, header, 'quote_totalNetCharge') !== '');
  return priced.length < 2 ? [] : sharedBy(priced.map((row) => warningsIn(cellOf(row, header, 'quote_warnings'))));
};

/** The number of a row. If the row has a quote, the number opens the receipt. */
const numberOf = (row: Row, { page: { header }, onOpen }: PageProps) => {
  const number = count(row.input_row);
  if (orderOf(row, header) !== undefined) return <span class="hint">{number}</span>;
  if (onOpen === undefined || cellOf(row, header, 'fault_type') !== '') return number;
  return (
    <button type="button" class="link" aria-label={`${number}: open the receipt`} onClick={() => onOpen(row.input_row)}>
      {number}
    </button>
  );
};

/** Columns that the page shows in another form. */
const TOLD: readonly string[] = ['fault_message', 'order_row'];

/** A phone shows these too. */
const NOTES: readonly string[] = ['quote_repairs', 'quote_warnings'];

/** Omits columns that are empty on this page, and zones of the carrier that all have the same number. */
const useColumns = (props: PageProps, order: Col<Row> | false) => {
  const { page } = props;
  const { header, rows } = page;
  const nameOf = useServiceName();
  const own = header.lastIndexOf('input_row');
  const said = sharedWarnings(page);
  const ownWarnings = (cell: string) => warningsText(warningsIn(cell).filter((type) => !said.includes(type)));
  const addedAt = (at: number) => (at < own ? undefined : addedColumn(header[at] ?? ''));
  const textOfCell = (name: string, row: Row, at: number): string => {
    const cell = row.cells[at] ?? '';
    if (at < own || cell === '') return cell;
    const kind = addedAt(at)?.kind;
    if (kind === 'money') return money(Number(cell));
    if (kind === 'date') return dayOf(cell);
    if (name === 'quote_shippingService') return nameOf(cell);
    if (name === 'quote_warnings') return ownWarnings(cell);
    return name === 'quote_repairs' ? repairsText(cell) : cell;
  };
  const isWrong = (row: Row): boolean => cellOf(row, header, 'fault_type') !== '';
  const reasonOf = (row: Row): string => {
    const cell = (name: string): string => cellOf(row, header, `fault_${name}`);
    return rowFaultText(cell('type'), cell('message'), cell('arguments'), cell('column'));
  };
  const present = FIRST.map((name) => header.lastIndexOf(name)).filter((at) => at !== -1);
  /** The first result column. It shows the reason for a row with a problem, so that the reason is visible on a phone. */
  const shared = present.find((at) => !TOLD.includes(header[at] ?? ''));
  const column = (at: number): Col<Row> => {
    const name = header[at] ?? '';
    const added = addedAt(at);
    const isNumber = added === undefined ? isNumeric(name) : added.kind !== undefined;
    return [
      at === shared && rows.every(isWrong) ? 'Problem' : (added?.label ?? headingOf(name)),
      (row) =>
        at === shared && isWrong(row) ? (
          <span class="tone bad row-reason">{reasonOf(row)}</span>
        ) : (
          <span class={NOTES.includes(name) ? 'cell-text row-note' : 'cell-text'}>{textOfCell(name, row, at)}</span>
        ),
      isNumber ? 'number' : undefined,
      at === shared ? coveredBy : undefined,
    ];
  };
  const isShown = (at: number): boolean => {
    const name = header[at] ?? '';
    if (at === shared) return true;
    if (at >= own && (addedAt(at)?.label === undefined || TOLD.includes(name))) return false;
    if (name === 'quote_carrierZone' && rows.every((row) => row.cells[at] === cellOf(row, header, 'quote_rateZone')))
      return false;
    const textOf = name === 'quote_warnings' ? ownWarnings : String;
    return rows.some(({ cells }) => textOf(cells[at] ?? '') !== '');
  };
  const rest = header.flatMap((_, at) => (present.includes(at) ? [] : [at]));
  const visible = [...present, ...rest].filter(isShown);
  /** A reason covers the results that its row does not have, so that it widens no column. */
  const coveredBy = (row: Row): number => {
    const filled = visible.findIndex((at) => at !== shared && (at < own || row.cells[at] !== ''));
    return isWrong(row) && filled > 1 ? Math.min(filled, order ? 2 : filled) : 1;
  };
  // On a phone, this stands for the list's own columns, and the others are hidden.
  const resultOf = (row: Row): string => {
    const cell = (of: string): string => cellOf(row, header, `quote_${of}`);
    return `${nameOf(cell('shippingService'))} · zone ${zoneName(cell('rateZone'), cell('carrierZone'))} · ${cell('billingWeight_value')} lb`;
  };
  const name = header.findIndex((_, at) => !Object.values(page.fields).includes(at));
  const shipment: Col<Row> = [
    `${name < own ? `${headingOf(header[name] ?? '')} to ` : ''}ZIP`,
    (row) => (
      <>
        {[name < own ? row.cells[name] : '', row.cells[page.fields['postalCode'] ?? -1]].filter(Boolean).join(' to ')}
        {cellOf(row, header, 'quote_rateZone') === '' ? null : <span class="sub">{resultOf(row)}</span>}
      </>
    ),
  ];
  const number: Col<Row> = ['Row', (row) => numberOf(row, props), 'head number'];
  return [number, shipment, ...visible.map(column).toSpliced(2, 0, ...(order ? [order] : []))];
};

interface PageProps {
  readonly page: RowsBody;
  readonly onOpen: ((row: number) => void) | undefined;
}

/** A page of rows. Further lines of an order are folded below the row with its price. */
const PageTable = ({ page, onOpen }: PageProps) => {
  const { header, rows } = page;
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const lines = linesOf(page);
  const toggle = (head: number): void => {
    const next = new Set(opened);
    if (!next.delete(head)) next.add(head);
    setOpened(next);
  };
  const order: Col<Row> = [
    'Also in this order',
    (row) => {
      const { input_row: head } = row;
      const first = orderOf(row, header);
      if (first !== undefined) return <span class="hint">See row {count(first)}</span>;
      const more = lines.get(head);
      return more === undefined ? null : (
        <button type="button" class="link" aria-expanded={opened.has(head)} onClick={() => toggle(head)}>
          {counted(more, 'more row')}
          <span class="visually-hidden"> of the order in row {count(head)}</span>
        </button>
      );
    },
  ];
  /** Always shows a line whose order begins on the previous page. */
  const isShown = (row: Row): boolean => {
    const head = orderOf(row, header);
    return head === undefined || opened.has(head) || !rows.some(({ input_row }) => input_row === head);
  };
  const said = sharedWarnings(page);
  return (
    <>
      {said.length === 0 ? null : <p class="hint">Every price on this page: {warningsText(said).toLowerCase()}.</p>}
      <div class="rows-table batch-rows pinned">
        <Table
          caption="Output, a page at a time"
          captionHidden
          dense
          cols={useColumns({ page, onOpen }, lines.size > 0 && order)}
          rows={rows.filter(isShown)}
          keyOf={(row) => row.input_row}
        />
      </div>
      <p class="hint screen-only">
        {onOpen === undefined ? '' : 'Select a row number to see its receipt. '}
        Columns that are empty or repeat the zone are hidden on this page.
      </p>
    </>
  );
};

/** @param before number of rows on the previous pages */
const textOf = (page: RowsBody, before: number): string => {
  const { header, rows, total } = page;
  const shipments = rows.filter((row) => orderOf(row, header) === undefined).length;
  return `${rowsText(before, rows.length, total)}${shipments === rows.length ? '' : `, ${counted(shipments, 'shipment')}`}`;
};

const emptyText = (next: number | null, ended: boolean): string => {
  if (next !== null) return `No row up to row ${count(next)} matches. Choose Next to keep looking.`;
  return ended ? 'Choose All rows or clear the filters.' : 'This page keeps checking while the batch runs.';
};

interface RowsProps extends RowFilterBarProps {
  /** Whether rows open their receipts. */
  readonly receipts?: boolean;
}

export const Rows = ({ receipts = true, ...filtered }: RowsProps) => {
  const { batch, filter } = filtered;
  const api = useApi();
  const [opened, setOpened] = useState<number>();
  const pages = usePages();
  const { id, revision } = batch;
  const ended = hasEnded(batch);
  const shown = useRef(filter);
  // A bar outside this section may have changed the filter.
  const { from, before } = shown.current === filter ? pages : FIRST_PAGE;
  useEffect(() => {
    if (shown.current !== filter) pages.restart();
    shown.current = filter;
  }, [filter]);
  const query = { ...filter, from: String(from), limit: String(PAGE_ROWS) };
  // Keeps the filter with its rows, because the previous rows stay visible while others load.
  const loaded = useLoad(
    async (signal) => ({
      ...(await api.call('GET /console/v1/client/shipment/rates/batches/{id}/rows', { id, query, signal })),
      before,
    }),
    [id, revision, ended, from, filter],
  );
  // While the batch runs, more rows may follow the last page, so it is reloaded.
  useEvery(AGAIN_MS, !ended && loaded.state === 'done' && loaded.data.next === null, loaded.reload);
  return (
    <section class="stack" aria-labelledby="rows">
      <div class="page-head">
        <h2 id="rows" tabIndex={-1}>
          Rows and prices
        </h2>
        <OutcomeChoice {...filtered} />
      </div>
      <RowFilterBar {...filtered} />
      <Show of={loaded} lines={10} label="Loading rows">
        {(data) => (
          <>
            {data.rows.length === 0 ? (
              <EmptyState
                title={data.next !== null ? 'No rows match so far' : ended ? 'No rows match' : 'No matching rows yet'}
                text={emptyText(data.next, ended)}
              />
            ) : (
              <PageTable page={data} onOpen={receipts ? setOpened : undefined} />
            )}
            {data.sortedTo === null ? null : (
              <p class="hint">
                This batch is too large to sort here. Only rows 1 to {count(data.sortedTo)} are sorted. To sort all
                rows, download them.
              </p>
            )}
            <Pager
              pages={pages}
              next={data.next}
              rows={data.rows.length}
              text={textOf(data, data.before)}
              busy={loaded.state === 'loading'}
            />
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
        <Notice
          kind="warning"
          title="The output has a different price"
          text={`An earlier version of the service wrote ${money(outputNetCharge)} for this row. This version computes ${money(quote.totalNetCharge)} with the same tariffs.`}
        />
      )}
      <Quotes quote={quote} warehouses={[]} />
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
  const query = { row: String(row) };
  const loaded = useCall('GET /console/v1/client/shipment/rates/batches/{id}/row', { id, query }, [revision]);
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
