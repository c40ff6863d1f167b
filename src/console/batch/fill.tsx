/**
 * Fills a column in all rows with the same type of problem: its empty cells, or all cells with the same text, with one value
 * or with the value of similar rows. Pasting fills cells too.
 */
import { useState } from 'preact/hooks';
import { type Api, useApi } from '../api.ts';
import type { Batch, RowsBody } from '../calls.ts';
import { Button, Select, TextField } from '../ui/controls.tsx';
import type { FaultKind } from '../ui/findings.tsx';
import { counted } from '../ui/format.ts';
import { Told, useAct } from '../ui/kit.tsx';
import { type Corrections, type FaultyRow, withCorrection } from './corrections.ts';

/** Limits on the rows that are filled at once, and on the different values to look up in similar rows. */
const MOST_ROWS = 1_000;
const MOST_KEYS = 100;
const PAGE_ROWS = 100;
const LIKE_ROWS = 25;

const ROWS = 'GET /console/v1/client/shipment/rates/batches/{id}/rows';

export type Change = (change: (before: Corrections) => Corrections) => void;

interface Source {
  readonly batch: Pick<Batch, 'id'>;
  /** The kind of problem of its rows. */
  readonly kind: Pick<FaultKind, 'type' | 'kind'>;
}

/** The query for rows with a kind of problem. */
export const rowsWith = ({ type, kind }: Source['kind']) =>
  ({ outcome: 'faulted', fault: type, ...(kind !== type && { kind }) }) as const;

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

/** Puts the lines of a copied column into a cell and the cells below it, also on later pages. @returns what it did */
export const pasteColumn = async (
  api: Api,
  source: Source,
  { header }: RowsBody,
  first: FaultyRow,
  at: number,
  lines: readonly string[],
  change: Change,
): Promise<string> => {
  const rows = (await rowsOf(api, source)).filter(({ input_row }) => input_row >= first.input_row);
  const cells = lines.flatMap((line, index) => {
    const row = rows[index];
    return row === undefined ? [] : [[row, line] as const];
  });
  change((before) => filled(before, header, at, cells));
  const left = lines.length - cells.length;
  return `${counted(cells.length, 'cell')} filled.${left === 0 ? '' : ` ${counted(left, 'line')} left over: no more rows have this problem.`}`;
};

interface FillProps extends Source {
  readonly page: RowsBody;
  readonly corrections: Corrections;
  readonly onCorrections: Change;
}

export const Fill = ({ batch, kind, page: { header, fields }, corrections, onCorrections }: FillProps) => {
  const api = useApi();
  const { busy, fault, run } = useAct();
  const own = header.slice(0, header.lastIndexOf('input_row'));
  const columns = [...new Set(Object.values(fields))].filter((at) => own[at] !== undefined).sort((a, b) => a - b);
  const [chosen, setChosen] = useState('');
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const [wanted, setWanted] = useState('');
  const [told, setTold] = useState('');
  const at = Number(chosen === '' ? (fields['weight_value'] ?? columns[0]) : chosen);
  if (columns.length === 0) return null;
  const fill = async (): Promise<void> => {
    const rows = await rowsOf(api, { batch, kind });
    const cellOf = (row: FaultyRow): string => corrections.changes.get(row.input_row)?.get(at) ?? row.cells[at] ?? '';
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
    onCorrections((before) => filled(before, header, at, cells));
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
    <details>
      <summary>Fill or replace cells of a column</summary>
      <div class="stack small">
        <div class="fields">
          <Select
            label="Column"
            value={String(at)}
            options={columns.map((index) => ({ value: String(index), label: own[index] ?? '' }))}
            onChange={setChosen}
          />
          <TextField label="Cells with" placeholder="Nothing: empty cells" value={wanted} onChange={setWanted} />
          <Select
            label="Get"
            value={key}
            options={[
              { value: '', label: 'One value' },
              ...own.flatMap((name, index) =>
                index === at ? [] : [{ value: String(index), label: `The value of rows with the same ${name}` }],
              ),
            ]}
            onChange={setKey}
          />
          {key === '' ? <TextField label="Value" value={value} onChange={setValue} /> : null}
        </div>
        <div class="actions start">
          <Button busy={busy} disabled={key === '' && value.trim() === ''} onClick={() => void run(fill)}>
            {wanted === '' ? 'Fill the empty cells' : 'Replace these cells'}
          </Button>
          <span class="hint" role="status">
            {told}
          </span>
        </div>
        <p class="hint">You can also paste a column that you copied from a spreadsheet into the first of its cells.</p>
        <Told fault={fault} />
      </div>
    </details>
  );
};
