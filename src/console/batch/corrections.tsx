/**
 * The user's corrections of faulted rows: what was changed, and the file to send. A column can be filled in all rows with the same
 * type of problem: its empty cells, or all cells with the same text, with one value or with the value of similar rows. Pasting
 * fills cells too.
 */
import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { must } from '../../base/must.ts';
import { writeCell } from '../../files/csv/cell.ts';
import { argumentsIn, problemsOf } from '../../lists/columns/fault-words.ts';
import { fieldAt } from '../../rating/fields.ts';
import { type Api, useApi } from '../api.ts';
import type { Batch, FaultKind, RowsBody } from '../calls.ts';
import { guidanceOf } from '../fault-words.ts';
import { Button } from '../ui/controls.tsx';
import { FaultNotice, Folded } from '../ui/feedback.tsx';
import { Fields, type FormField, textIn, useForm } from '../ui/form.tsx';
import { counted } from '../ui/format.ts';
import { useAct } from '../ui/kit.tsx';

export type FaultyRow = RowsBody['rows'][number];

/** A row as it was, and its changed cells by column. */
interface Changed {
  readonly row: FaultyRow;
  readonly cells: ReadonlyMap<number, string>;
}

/** Unsent corrections of one revision, for all kinds of fault. */
export interface Corrections {
  readonly revision: number;
  /** The header of the output. */
  readonly header: readonly string[];
  /** By row number. */
  readonly changes: ReadonlyMap<number, Changed>;
}

type Change = (change: (before: Corrections) => Corrections) => void;

/** Corrections of the current revision. Earlier ones have been sent or discarded. */
export const useCorrections = ({ revision }: Batch) => {
  const none: Corrections = { revision, header: [], changes: new Map() };
  const [kept, setKept] = useState(none);
  const current = (corrections: Corrections): Corrections => (corrections.revision === revision ? corrections : none);
  const change: Change = (next) => setKept((before) => next(current(before)));
  return { corrections: current(kept), change, drop: () => setKept(none) };
};

/** What the parts of the page need to correct rows. */
interface Work {
  readonly batch: Batch;
  /** Whether the batch allows corrections. */
  readonly canEdit: boolean;
  /** Something is being sent, so cells are read-only. */
  readonly busy: boolean;
  readonly corrections: Corrections;
  readonly change: Change;
}

export const WorkContext = createContext<Work | undefined>(undefined);
export const useWork = (): Work => must(useContext(WorkContext), 'the corrections of the page');

/** Adds a changed cell. Removes it if the value is the original one. */
export const withCorrection = (
  corrections: Corrections,
  header: Corrections['header'],
  row: FaultyRow,
  column: number,
  value: string,
): Corrections => {
  const { input_row: number } = row;
  const changes = new Map(corrections.changes);
  const cells = new Map(changes.get(number)?.cells);
  if (value === row.cells[column]) cells.delete(column);
  else cells.set(column, value);
  if (cells.size === 0) changes.delete(number);
  else changes.set(number, { row, cells });
  return { ...corrections, header, changes };
};

export const faultIn = ({ header }: Pick<Corrections, 'header'>, { cells }: FaultyRow) => {
  const cell = (name: string): string => cells[header.lastIndexOf(name)] ?? '';
  const [type, message, column] = [cell('fault_type'), cell('fault_message'), cell('fault_column')];
  return { type, message, arguments: argumentsIn(cell('fault_arguments')), column };
};

/** The columns of a row that its fault is about. */
export const columnsAtFault = (rows: RowsBody, row: FaultyRow): ReadonlySet<number> => {
  const { type, arguments: args, column } = faultIn(rows, row);
  if (type.startsWith('row.') && column !== '') return new Set([rows.header.indexOf(column)]);
  const told =
    type === 'getRates.invalidRequest'
      ? Object.keys(args).flatMap((path) => fieldAt(path) ?? [])
      : guidanceOf(type).fields;
  return new Set(told.flatMap((field) => rows.fields[field] ?? []));
};

/** The number of corrected rows by kind of problem. */
export const correctedByKind = (corrections: Corrections): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { row } of corrections.changes.values()) {
    const { type, message, arguments: args, column } = faultIn(corrections, row);
    for (const { kind } of problemsOf(type, message, args, column)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
};

const csvLine = (cells: readonly string[]): string => `${cells.map(writeCell).join(',')}\r\n`;

/** The corrections as CSV: the row number, then the columns of the list. */
export const correctionsOf = ({ header, changes }: Corrections): string => {
  const own = header.slice(0, header.lastIndexOf('input_row'));
  const lines = [...changes].map(([number, { row, cells }]) =>
    csvLine([String(number), ...own.map((_, at) => cells.get(at) ?? row.cells[at] ?? '')]),
  );
  return csvLine(['input_row', ...own]) + lines.join('');
};

/** @param onBatch receives the batch with its new revision */
export const useSending = ({ id }: Batch, onBatch: (batch: Batch) => void) => {
  const api = useApi();
  const { busy, fault, run } = useAct();
  const sendFile = (fileOf: () => Promise<Blob>, repair?: 'all'): Promise<void> =>
    run(async () => {
      const asked = { id, query: { filename: 'corrections.csv', repair }, type: 'application/octet-stream' };
      const call = 'POST /v1/client/shipment/rates/batches/{id}/corrections';
      onBatch(await api.call(call, { ...asked, content: await fileOf() }));
    });
  const faultedRows = async (): Promise<Blob> =>
    (await api.answerOf('GET /v1/client/shipment/rates/batches/{id}/faults', { id })).blob();
  /** @param file a CSV or a workbook with row numbers */
  const send = (file: Blob): Promise<void> => sendFile(async () => file);
  /** Sends all rows with a fault unchanged, to be repaired. */
  const mend = (): Promise<void> => sendFile(faultedRows, 'all');
  return { busy, fault, send, mend };
};

export type Sending = ReturnType<typeof useSending>;

/** Limits on the rows that are filled at once, and on the different values to look up in similar rows. */
const MOST_ROWS = 1_000;
const MOST_KEYS = 100;
const PAGE_ROWS = 100;
const LIKE_ROWS = 25;

const ROWS = 'GET /console/v1/client/shipment/rates/batches/{id}/rows';

interface Source {
  readonly batch: Pick<Batch, 'id'>;
  /** The kind of problem of its rows. */
  readonly kind: Pick<FaultKind, 'type' | 'kind' | 'message'>;
}

/** The query for rows with a kind of problem. A whole type of fault has no message. */
export const rowsWith = ({ type, kind, message }: Source['kind']) =>
  ({ outcome: 'faulted', fault: type, ...(message !== '' && { kind }) }) as const;

/** The first rows with the problem. */
const rowsOf = async (api: Api, { batch: { id }, kind }: Source): Promise<readonly FaultyRow[]> => {
  const rows: FaultyRow[] = [];
  for (let from: number | null = 0; from !== null && rows.length < MOST_ROWS; ) {
    const query = { from: String(from), limit: String(PAGE_ROWS), ...rowsWith(kind) };
    const page: RowsBody = await api.call(ROWS, { id, query });
    rows.push(...page.rows);
    from = page.next;
  }
  return rows;
};

/** The value that all priced rows with the same key have. Undefined if there are none, or if their values differ. */
const likeValue = async (api: Api, id: string, key: string, keyAt: number, at: number): Promise<string | undefined> => {
  const query = { from: '0', limit: String(LIKE_ROWS), outcome: 'quoted', search: key.slice(0, 100) } as const;
  const { rows } = await api.call(ROWS, { id, query });
  const values = new Set(rows.flatMap(({ cells }) => (cells[keyAt] === key ? [cells[at] ?? ''] : [])));
  const [value] = values;
  return values.size === 1 && value !== '' ? value : undefined;
};

/** Adds cells of one column to the corrections. */
const filled = (
  before: Corrections,
  header: RowsBody['header'],
  at: number,
  cells: readonly (readonly [FaultyRow, string])[],
): Corrections => cells.reduce((all, [row, value]) => withCorrection(all, header, row, at, value), before);

/** A copied column, and the cell that it was pasted into. */
export interface Paste {
  readonly first: FaultyRow;
  readonly at: number;
  readonly lines: readonly string[];
}

/** Puts the lines of a copied column into a cell and the cells below it, also on later pages. @returns what it did */
export const pasteColumn = async (
  api: Api,
  source: Source,
  { header }: RowsBody,
  { first, at, lines }: Paste,
  change: Change,
): Promise<string> => {
  const rows = (await rowsOf(api, source)).filter(({ input_row }) => input_row >= first.input_row);
  const cells = rows.slice(0, lines.length).map((row, index) => [row, lines[index] ?? ''] as const);
  change((before) => filled(before, header, at, cells));
  const left = lines.length - cells.length;
  return `${counted(cells.length, 'cell')} filled.${left === 0 ? '' : ` ${counted(left, 'line')} left over: no more rows have this problem.`}`;
};

export const Fill = ({ kind, page: { header, fields } }: { readonly kind: FaultKind; readonly page: RowsBody }) => {
  const api = useApi();
  const { batch, corrections, change } = useWork();
  const form = useForm();
  const [told, setTold] = useState('');
  const own = header.slice(0, header.lastIndexOf('input_row'));
  const columns = [...new Set(Object.values(fields))].filter((at) => own[at] !== undefined).sort((a, b) => a - b);
  const optionOf = (index: number, label = own[index] ?? '') => ({ value: String(index), label });
  const column: FormField = {
    ...{ at: 'column', label: 'Column', initial: String(fields['weight_value'] ?? columns[0]) },
    options: columns.map((index) => optionOf(index)),
  };
  const at = Number(textIn(form, column));
  const likes = own.flatMap((name, index) =>
    index === at ? [] : [optionOf(index, `The value of rows with the same ${name}`)],
  );
  const { cells: wanted = '', key = '', value = '' } = form.typed;
  const shown: readonly FormField[] = [
    column,
    { at: 'cells', label: 'Cells with', placeholder: 'Nothing: empty cells' },
    { at: 'key', label: 'Get', options: [{ value: '', label: 'One value' }, ...likes] },
    ...(key === '' ? [{ at: 'value', label: 'Value' }] : []),
  ];
  if (columns.length === 0) return null;
  const fill = async (): Promise<void> => {
    const rows = await rowsOf(api, { batch, kind });
    const cellOf = ({ input_row, cells }: FaultyRow): string =>
      corrections.changes.get(input_row)?.cells.get(at) ?? cells[at] ?? '';
    const gaps = rows.filter((row) => cellOf(row).trim() === wanted.trim());
    const values = new Map<string, string | undefined>();
    const keyOf = ({ cells }: FaultyRow): string => (key === '' ? '' : (cells[Number(key)] ?? ''));
    if (key === '') values.set('', value.trim());
    else
      for (const name of [...new Set(gaps.map(keyOf))].filter((text) => text !== '').slice(0, MOST_KEYS))
        values.set(name, await likeValue(api, batch.id, name, Number(key), at));
    const cells = gaps.flatMap((row) => {
      const found = values.get(keyOf(row));
      return found === undefined || found === '' ? [] : [[row, found] as const];
    });
    change((before) => filled(before, header, at, cells));
    const left = gaps.length - cells.length;
    const more =
      rows.length < MOST_ROWS ? '' : ` These are the first ${counted(rows.length, 'row')}: send them, then fill again.`;
    const without =
      left === 0
        ? ''
        : ` ${counted(left, wanted === '' ? 'empty cell' : 'such cell')} left: no row with a price has the same value there, or those rows differ.`;
    setTold(`${counted(cells.length, 'cell')} filled.${without}${more}`);
  };
  return (
    <Folded title="Fill or replace cells of a column" box="stack small">
      <div class="fields">
        <Fields fields={shown} form={form} problems={{}} />
      </div>
      <div class="actions start">
        <Button busy={form.busy} disabled={key === '' && value.trim() === ''} onClick={() => void form.run(fill)}>
          {wanted === '' ? 'Fill the empty cells' : 'Replace these cells'}
        </Button>
        <span class="hint" role="status">
          {told}
        </span>
      </div>
      <p class="hint">You can also paste a column that you copied from a spreadsheet into the first of its cells.</p>
      <FaultNotice fault={form.fault} />
    </Folded>
  );
};
