/**
 * A chart that is a table: each row has its bar, drawn as SVG, and its numbers beside it. So there is one form for
 * everybody, nothing is told by length or colour alone, and what a screen reader says is what is seen.
 */
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import './chart.css';

export interface BarRow {
  readonly label: string;
  /** Its length; the longest bar fills the room. */
  readonly value: number;
  /** What stands at the end of the bar, such as `$1,204.50`. */
  readonly text: string;
  /** What stands beside it, such as `312 shipments`. */
  readonly note?: string;
}

export interface BarChartProps {
  readonly title: string;
  /** One sentence: what the chart shows. */
  readonly description?: string;
  /** What the rows' parts are called: label, text and, where rows have one, note. */
  readonly columns: { readonly label: string; readonly text: string; readonly note?: string };
  readonly rows: readonly BarRow[];
}

/** Seen even where the value is next to nothing, but nothing at all for none. */
const widthOf = (value: number, greatest: number): string => {
  if (value <= 0 || greatest <= 0) return '0';
  return `${Math.max(0.6, (100 * value) / greatest).toFixed(2)}%`;
};

const Bar = ({ value, greatest }: { readonly value: number; readonly greatest: number }): VNode => (
  <svg class="bar" width="100%" height="16" aria-hidden="true" focusable="false">
    <rect class="bar-track" width="100%" height="16" rx="2" />
    <rect class="bar-fill" width={widthOf(value, greatest)} height="16" rx="2" />
  </svg>
);

export const BarChart = ({ title, description, columns, rows }: BarChartProps): VNode => {
  const id = useId();
  const greatest = Math.max(0, ...rows.map(({ value }) => value));
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption>
        <span class="chart-title" id={id}>
          {title}
        </span>
        {description === undefined ? null : <span class="chart-description">{description}</span>}
      </figcaption>
      <table class="chart-table" aria-labelledby={id}>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">{columns.label}</th>
            <td />
            <th scope="col">{columns.text}</th>
            {columns.note === undefined ? null : <th scope="col">{columns.note}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, value, text, note }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td class="chart-bar">
                <Bar value={value} greatest={greatest} />
              </td>
              <td class="chart-text">{text}</td>
              {columns.note === undefined ? null : <td class="chart-note">{note}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
};
