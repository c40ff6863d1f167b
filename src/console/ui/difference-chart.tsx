/**
 * Bars to both sides of zero: what costs more to the right, what costs less to the left. Like the other charts it is a
 * table. A row can open what is behind it.
 */
import './difference-chart.css';
import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from './controls.tsx';
import { difference } from './format.ts';

export interface DifferenceRow {
  readonly key: string;
  readonly label: string;
  /** In dollars. Negative: it costs less. */
  readonly value: number;
  /** The text beside it, such as `12 shipments`. */
  readonly note?: string;
  /** Opens what is behind the bar. */
  readonly open?: (() => void) | undefined;
}

interface DifferenceChartProps {
  readonly title: string;
  /** What the chart shows, in one sentence. */
  readonly description?: string;
  /** Headers of the label and, if rows have one, the note. */
  readonly columns: { readonly label: string; readonly note?: string };
  readonly rows: readonly DifferenceRow[];
  /** The sum of all rows, shown below them. */
  readonly total?: number;
  /** More rows than these are folded. */
  readonly most?: number;
}

interface Scale {
  readonly low: number;
  readonly high: number;
}

const scaleOf = (rows: readonly DifferenceRow[]): Scale => ({
  low: Math.min(0, ...rows.map(({ value }) => value)),
  high: Math.max(0, ...rows.map(({ value }) => value)),
});

/** Percent of the width. Small values stay visible. */
const LEAST = 0.6;

const Bar = ({ value, scale: { low, high } }: { readonly value: number; readonly scale: Scale }): VNode => {
  const whole = high - low || 1;
  const zero = (100 * -low) / whole;
  const width = value === 0 ? 0 : Math.max(LEAST, (100 * Math.abs(value)) / whole);
  const x = value < 0 ? zero - width : zero;
  return (
    <svg class="bar" width="100%" height="16" aria-hidden="true" focusable="false">
      <rect
        class={value < 0 ? 'bar-less' : 'bar-more'}
        x={`${Math.max(0, x).toFixed(2)}%`}
        width={`${width.toFixed(2)}%`}
        height="12"
        y="2"
        rx="2"
      />
      <line class="bar-zero" x1={`${zero.toFixed(2)}%`} x2={`${zero.toFixed(2)}%`} y1="0" y2="16" />
    </svg>
  );
};

const Opener = ({ label, open }: DifferenceRow): VNode => (
  <button type="button" class="difference-open" onClick={open}>
    {label}
    <span class="visually-hidden">: show its shipments</span>
  </button>
);

export const DifferenceChart = ({
  title,
  description,
  columns,
  rows,
  total,
  most = rows.length,
}: DifferenceChartProps): VNode => {
  const id = useId();
  const [all, setAll] = useState(false);
  const scale = scaleOf(rows);
  const folded = !all && rows.length > most;
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption>
        <span class="chart-title" id={id}>
          {title}
        </span>
        {description === undefined ? null : <span class="chart-description">{description}</span>}
      </figcaption>
      <table class="chart-table difference-table" aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">{columns.label}</th>
            <td class="chart-bar" />
            <th scope="col" class="chart-text">
              Difference
            </th>
            {columns.note === undefined ? null : (
              <th scope="col" class="chart-note">
                {columns.note}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {(folded ? rows.slice(0, most) : rows).map((row) => (
            <tr key={row.key} class={row.open === undefined ? undefined : 'opens'}>
              <th scope="row">{row.open === undefined ? row.label : <Opener {...row} />}</th>
              <td class="chart-bar">
                <Bar value={row.value} scale={scale} />
              </td>
              <td class="chart-text">{difference(row.value)}</td>
              {columns.note === undefined ? null : <td class="chart-note">{row.note}</td>}
            </tr>
          ))}
        </tbody>
        {total === undefined ? null : (
          <tfoot>
            <tr>
              <th scope="row">Together</th>
              <td class="chart-bar" />
              <td class="chart-text">{difference(total)}</td>
              {columns.note === undefined ? null : <td class="chart-note" />}
            </tr>
          </tfoot>
        )}
      </table>
      {rows.length > most ? (
        <div class="actions start">
          <Button kind="quiet" onClick={() => setAll(!all)}>
            {folded ? `Show all ${rows.length}` : `Show the first ${most}`}
          </Button>
        </div>
      ) : null}
    </figure>
  );
};
