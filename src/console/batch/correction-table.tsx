/** The table in which users correct faulted rows, and the bar that sends the corrections. */
import { useEffect, useId, useState } from 'preact/hooks';
import { must } from '../../base/must.ts';
import { sentencesOf } from '../../lists/columns/fault-words.ts';
import type { RowsBody } from '../calls.ts';
import { Button } from '../ui/controls.tsx';
import { count, counted } from '../ui/format.ts';
import { ScrollRegion } from '../ui/table.tsx';
import { columnsAtFault, type FaultyRow, faultIn, type Paste, useWork, withCorrection } from './corrections.tsx';

interface CorrectionTableProps {
  readonly rows: RowsBody;
  /** Cells are being pasted, so all of them are read-only. */
  readonly busy: boolean;
  /** The lines of a copied column, for this cell and the cells below it. */
  readonly onPaste: (paste: Paste) => void;
}

/** Numbers of characters in an input. */
const LEAST = 6;
const MOST = 24;

interface RowProps {
  readonly row: FaultyRow;
  /** Columns of fields come first and are editable. The others are read-only. */
  readonly editable: readonly number[];
  readonly plain: readonly number[];
  readonly sizes: readonly number[];
  readonly props: CorrectionTableProps;
}

const Row = ({ row, editable, plain, sizes, props }: RowProps) => {
  const { rows, busy, onPaste } = props;
  const work = useWork();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { header } = rows;
  const fault = faultIn(rows, row);
  const atFault = columnsAtFault(rows, row);
  const changed = work.corrections.changes.get(row.input_row)?.cells;
  const isReadOnly = busy || work.busy;
  const classOf = (at: number): string =>
    `${atFault.has(at) ? 'at-fault' : ''} ${changed?.has(at) === true ? 'changed' : ''}`;
  const label = (at: number) => (
    <span class="cell-label" aria-hidden="true">
      {header[at]}
    </span>
  );
  return (
    <tr class={isOpen ? 'open' : undefined}>
      <th scope="row" class="numeric">
        {count(row.input_row)}
      </th>
      <td class="correction-fault" id={id}>
        {[...atFault].some((at) => changed?.has(at)) ? (
          <span class="hint">Corrected, not sent yet</span>
        ) : (
          sentencesOf(fault.type, fault.message, fault.arguments).join(' ')
        )}
      </td>
      {editable.map((at, index) => {
        const value = changed?.get(at) ?? row.cells[at] ?? '';
        return (
          <td key={at} class={classOf(at)}>
            {label(at)}
            {work.canEdit ? (
              <input
                class="cell-input"
                aria-label={`${must(header[at], 'the name of a column')}, row ${row.input_row}`}
                aria-describedby={atFault.has(at) ? id : undefined}
                aria-invalid={atFault.has(at) && changed?.has(at) !== true}
                size={sizes[index] ?? LEAST}
                spellcheck={false}
                readOnly={isReadOnly}
                value={value}
                onInput={({ currentTarget: { value: typed } }) =>
                  work.change((before) => withCorrection(before, header, row, at, typed))
                }
                onPaste={(event) => {
                  const text = event.clipboardData?.getData('text/plain') ?? '';
                  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
                  // The browser pastes a single value itself. Several columns have no clear place here.
                  if (isReadOnly || lines.length === 1 || text.includes('\t')) return;
                  event.preventDefault();
                  onPaste({ first: row, at, lines });
                }}
              />
            ) : atFault.has(at) ? (
              <mark>{value === '' ? 'empty' : value}</mark>
            ) : (
              value
            )}
          </td>
        );
      })}
      {plain.map((at) => (
        <td key={at} class="nowrap">
          {label(at)}
          {row.cells[at]}
        </td>
      ))}
      <td class="row-opener">
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fewer cells' : 'All cells'}
          <span class="visually-hidden"> of row {count(row.input_row)}</span>
        </button>
      </td>
    </tr>
  );
};

/** On a phone, a row is a card with its problem and the cells that it is about. */
export const CorrectionTable = (props: CorrectionTableProps) => {
  const { header, fields, rows } = props.rows;
  const own = header.lastIndexOf('input_row');
  const meant = new Set(Object.values(fields));
  const atFault = new Set(rows.flatMap((row) => [...columnsAtFault(props.rows, row)]));
  // Without known fields, as in malformed rows, all columns are plain. Columns at fault are next to the problem.
  const editable = [...meant]
    .filter((at) => at >= 0 && at < own)
    .sort((a, b) => Number(atFault.has(b)) - Number(atFault.has(a)) || a - b);
  const plain = header.slice(0, own).flatMap((_, at) => (meant.has(at) ? [] : [at]));
  const longest = (at: number): number => Math.max(LEAST, ...rows.map(({ cells }) => cells[at]?.length ?? 0));
  const sizes = editable.map((at) => Math.min(MOST, longest(at)));
  return (
    <ScrollRegion label="Rows with this problem">
      <table class="table cards pinned correction-table">
        <caption class="visually-hidden">Rows with this problem</caption>
        <thead>
          <tr>
            <th scope="col" class="numeric">
              Row
            </th>
            <th scope="col">What is wrong</th>
            {[...editable, ...plain].map((at) => (
              <th key={at} scope="col">
                {header[at]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.input_row} row={row} editable={editable} plain={plain} sizes={sizes} props={props} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
};

interface CorrectionBarProps {
  readonly rows: number;
  /** Number of fault types in these rows. */
  readonly kinds: number;
  readonly busy: boolean;
  readonly onDrop: () => void;
  readonly onSend: () => void;
}

export const CorrectionBar = ({ rows, kinds, busy, onDrop, onSend }: CorrectionBarProps) => {
  useEffect(() => {
    // The new bar must not cover the cell that the user edits.
    document.activeElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, []);
  return (
    <div class="card split sticky-bar">
      <p>
        <strong>
          {counted(rows, 'row')} corrected{kinds > 1 ? `, with ${count(kinds)} kinds of problem` : ''}, not sent yet.
        </strong>{' '}
        {rows === 1
          ? 'It will be quoted again and will replace the old row.'
          : 'They will be quoted again and will replace the old rows.'}
      </p>
      <div class="actions">
        <Button onClick={onDrop} disabled={busy}>
          Undo all
        </Button>
        <Button kind="primary" busy={busy} onClick={onSend}>
          Quote {rows === 1 ? 'it' : 'them'} again
        </Button>
      </div>
    </div>
  );
};
