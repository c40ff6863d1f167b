/** Tables that scroll sideways inside the page, and paging. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { must } from '../../base/must.ts';
import { Button } from './controls.tsx';
import { count } from './format.ts';

type ColKind = 'head' | 'number' | 'head number' | 'actions';

/** A column: its label, its cells, whether the cells name the row, are numbers, or have buttons, and how many columns a cell covers. */
export type Col<Row> = readonly [
  label: ComponentChildren,
  cell: (row: Row) => ComponentChildren,
  kind?: ColKind | undefined,
  span?: ((row: Row) => number) | undefined,
];

const isCovered = <Row,>(columns: readonly Col<Row>[], row: Row, at: number): boolean =>
  columns.some(([, , , span], first) => first < at && span !== undefined && first + span(row) > at);

const classOf = (kind: ColKind | undefined): string | undefined =>
  kind === undefined || kind === 'head' ? undefined : 'numeric';

export interface TableProps<Row> {
  readonly caption: string;
  /** Only screen readers get the caption, because a heading names the table. */
  readonly captionHidden?: boolean;
  /** Columns that are false are left out. */
  readonly cols: readonly (Col<Row> | false)[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Cells do not wrap. */
  readonly dense?: boolean;
  /** On a phone, each row is a card with its columns below each other, or in pairs. */
  readonly cards?: boolean | 'pairs';
}

/** A region that scrolls sideways, so that the page never does. Tab stops at it only if its content overflows. */
export const ScrollRegion = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => {
  const ref = useRef<HTMLDivElement>(null);
  const [overflows, setOverflows] = useState(false);
  /** Whether there is more to the right. */
  const [hasMore, setMore] = useState(false);
  const measure = (): void => {
    const { current } = ref;
    if (current === null) return;
    // A fraction of a pixel is no overflow.
    setOverflows(current.scrollWidth > current.clientWidth + 1 || current.scrollHeight > current.clientHeight + 1);
    setMore(current.scrollLeft + current.clientWidth < current.scrollWidth - 1);
  };
  // The content can change at each render, and the width at any time.
  useLayoutEffect(measure);
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    if (ref.current !== null) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  const focusable = overflows ? ({ tabIndex: 0, role: 'region', 'aria-label': label } as const) : {};
  return (
    <div class={hasMore ? 'card scroll-region more' : 'card scroll-region'} ref={ref} onScroll={measure} {...focusable}>
      {children}
    </div>
  );
};

export const Table = <Row,>(props: TableProps<Row>) => {
  const { caption, captionHidden = false, cols, rows, keyOf, dense = false, cards = false } = props;
  const id = useId();
  const columns = cols.filter((col) => col !== false);
  return (
    <ScrollRegion label={caption}>
      <table
        class={`table${dense ? ' dense' : ''}${cards === 'pairs' ? ' cards pairs' : cards ? ' cards' : ''}`}
        aria-labelledby={id}
      >
        <caption id={id} class={captionHidden ? 'visually-hidden' : undefined}>
          <span class="caption-text">{caption}</span>
        </caption>
        <thead>
          <tr>
            {columns.map(([label, , kind], at) => (
              <th key={at} scope="col" class={classOf(kind)}>
                {kind === 'actions' ? <span class="visually-hidden">{label}</span> : label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(([label, cell, kind, span], at) =>
                isCovered(columns, row, at) ? null : kind?.startsWith('head') ? (
                  <th key={at} scope="row" class={classOf(kind)}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={at} class={classOf(kind)} colSpan={span?.(row)}>
                    {cards !== false && kind !== 'actions' ? (
                      <>
                        <span class="cell-label" aria-hidden="true">
                          {label}
                        </span>
                        <div class="cell-value">{cell(row)}</div>
                      </>
                    ) : (
                      cell(row)
                    )}
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

interface Page {
  /** The index of its first row in the list. */
  readonly from: number;
  /** Number of rows on the pages before it. */
  readonly before: number;
}

export interface Pages extends Page {
  /** @param rows number of rows on this page */
  readonly turn: (next: number, rows: number) => void;
  readonly back: () => void;
  readonly isFirst: boolean;
  readonly restart: () => void;
}

export const FIRST_PAGE: Page = { from: 0, before: 0 };

export const usePages = (): Pages => {
  const [passed, setPassed] = useState<readonly Page[]>([FIRST_PAGE]);
  const page = must(passed.at(-1), 'the first page');
  return {
    ...page,
    isFirst: passed.length === 1,
    turn: (from, rows) => setPassed([...passed, { from, before: page.before + rows }]),
    back: () => setPassed((before) => (before.length > 1 ? before.slice(0, -1) : before)),
    restart: () => setPassed([FIRST_PAGE]),
  };
};

/** `Rows 26–40 of 1,000`. @param total null if unknown */
export const rowsText = (before: number, rows: number, total: number | null): string =>
  rows === 0 ? '' : `Rows ${count(before + 1)}–${count(before + rows)}${total === null ? '' : ` of ${count(total)}`}`;

interface PagerProps {
  readonly pages: Pages;
  readonly next: number | null;
  /** Number of rows on the page. */
  readonly rows: number;
  /** The text about the rows on the page. */
  readonly text: string;
  readonly busy: boolean;
}

export const Pager = ({ pages, next, rows, text, busy }: PagerProps) => (
  <div class="split screen-only">
    <span class="hint" role="status">
      {text}
    </span>
    <div class="actions">
      <Button onClick={pages.back} disabled={pages.isFirst} busy={busy}>
        Previous
      </Button>
      <Button onClick={() => next !== null && pages.turn(next, rows)} disabled={next === null} busy={busy}>
        Next
      </Button>
    </div>
  </div>
);
