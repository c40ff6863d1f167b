/** The rows behind a bar, in a sheet over the page. */
import { useEffect, useId, useRef } from 'preact/hooks';
import { useApi, useLoad } from '../api.ts';
import { Button } from '../ui/controls.tsx';
import { EmptyState, FaultNotice, Skeleton } from '../ui/feedback.tsx';
import { Pager, Table, usePages } from '../ui/table.tsx';
import type { Behind } from './behind.ts';
import { comparedColumns } from './cells.tsx';

const PAGE_ROWS = 25;

interface RowsSheetProps {
  readonly id: string;
  /** The index of the scenario, its name and the ending of its columns. */
  readonly scenario: number;
  readonly name: string;
  readonly column: string;
  readonly behind: Behind;
  readonly onClose: () => void;
}

/** Open while mounted. Escape closes it and gives the focus back. */
export const RowsSheet = ({ id, scenario, name, column, behind, onClose }: RowsSheetProps) => {
  const api = useApi();
  const pages = usePages();
  const ref = useRef<HTMLDialogElement>(null);
  const title = useId();
  const { by, value } = behind;
  const query = {
    ...{ scenario: String(scenario + 1), by, value },
    ...{ from: String(pages.from), limit: String(PAGE_ROWS) },
  };
  const loaded = useLoad(
    (signal) => api.call('comparedRows', { id, query, signal }),
    [api, id, scenario, by, value, pages.from],
  );
  const { state, data, reload } = loaded;
  // A call looks at a part of the list. Rows that match may come later.
  const later = loaded.state === 'done' && loaded.data.rows.length === 0 ? loaded.data.next : null;
  useEffect(() => {
    if (later !== null) pages.turn(later);
  }, [later]);
  useEffect(() => {
    const { current } = ref;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog ref={ref} class="sheet" aria-labelledby={title} onClose={onClose}>
      <header class="sheet-head">
        <div>
          <h2 id={title}>{behind.title}</h2>
          <p class="hint">
            {name}: {behind.text}
          </p>
        </div>
        <Button onClick={onClose}>Close</Button>
      </header>
      {'fault' in loaded ? <FaultNotice fault={loaded.fault} retry={reload} /> : null}
      {data === undefined ? (
        state === 'loading' ? (
          <Skeleton lines={10} label="Loading rows" />
        ) : null
      ) : data.rows.length === 0 ? (
        later === null ? (
          <EmptyState title="No more rows" />
        ) : (
          <Skeleton lines={10} label="Looking for more rows" />
        )
      ) : (
        <>
          <div class="rows-table">
            <Table
              caption={`Rows: ${behind.title}`}
              captionHidden
              dense
              columns={comparedColumns(data.header, column)}
              rows={data.rows}
              keyOf={(row) => row.input_row}
            />
          </div>
          <Pager pages={pages} next={data.next} text={behind.text} busy={state === 'loading'} />
        </>
      )}
    </dialog>
  );
};
