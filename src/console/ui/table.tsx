/** Tables that scroll sideways by themselves, and paging. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './controls.tsx';

export interface Column<Row> {
  readonly key: string;
  readonly label: ComponentChildren;
  readonly numeric?: boolean;
  /** Names the row: a header cell of it. */
  readonly heads?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  readonly caption: string;
  /** The heading above says what the table is; the caption is for screen readers. */
  readonly captionHidden?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Cells are kept in one line, however wide the table gets. */
  readonly dense?: boolean;
}

/** Whether there is more than is shown: only then is the region a stop for the tab key. */
const useOverflow = () => {
  const ref = useRef<HTMLDivElement>(null);
  const [overflows, setOverflows] = useState(false);
  const measure = (): void => {
    const { current } = ref;
    if (current === null) return;
    setOverflows(current.scrollWidth > current.clientWidth || current.scrollHeight > current.clientHeight);
  };
  // What is in it may be another thing after each render; its own width changes between them too.
  useLayoutEffect(measure);
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    if (ref.current !== null) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, overflows };
};

/** A region that is scrolled to the side by itself, so that the page never is. */
export const ScrollRegion = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => {
  const { ref, overflows } = useOverflow();
  const focusable = overflows ? ({ tabIndex: 0, role: 'region', 'aria-label': label } as const) : {};
  return (
    <div class="scroll-region" ref={ref} {...focusable}>
      {children}
    </div>
  );
};

export const Table = <Row,>({
  caption,
  captionHidden = false,
  columns,
  rows,
  keyOf,
  dense = false,
}: TableProps<Row>) => {
  const id = useId();
  return (
    <ScrollRegion label={caption}>
      <table class={dense ? 'table dense' : 'table'} aria-labelledby={id}>
        <caption id={id} class={captionHidden ? 'visually-hidden' : undefined}>
          <span class="caption-text">{caption}</span>
        </caption>
        <thead>
          <tr>
            {columns.map(({ key, label, numeric }) => (
              <th key={key} scope="col" class={numeric === true ? 'numeric' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ key, cell, numeric, heads }) =>
                heads === true ? (
                  <th key={key} scope="row" class={numeric === true ? 'numeric' : undefined}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={key} class={numeric === true ? 'numeric' : undefined}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
};

export interface Pages {
  /** Rows of the list that the page passes over. */
  readonly from: number;
  readonly turn: (next: number) => void;
  readonly back: () => void;
  readonly isFirst: boolean;
  readonly restart: () => void;
}

export const usePages = (): Pages => {
  const [passed, setPassed] = useState<readonly number[]>([0]);
  return {
    from: passed.at(-1) ?? 0,
    isFirst: passed.length === 1,
    turn: (next) => setPassed((before) => [...before, next]),
    back: () => setPassed((before) => (before.length > 1 ? before.slice(0, -1) : before)),
    restart: () => setPassed([0]),
  };
};

interface PagerProps {
  readonly pages: Pages;
  readonly next: number | null;
  /** What the page shows: `Rows 1 to 25 of 1,000`. */
  readonly text: string;
  readonly busy: boolean;
}

export const Pager = ({ pages, next, text, busy }: PagerProps) => (
  <div class="pager">
    <span class="hint" role="status">
      {text}
    </span>
    <div class="actions">
      <Button onClick={pages.back} disabled={pages.isFirst} busy={busy}>
        Previous
      </Button>
      <Button onClick={() => next !== null && pages.turn(next)} disabled={next === null} busy={busy}>
        Next
      </Button>
    </div>
  </div>
);
