/**
 * Charts are tables. Each row has a bar, drawn as SVG, and its numbers. Nothing depends only on length or color, so screen
 * readers tell everything. A row can open the data behind it.
 */
import './charts.css';
import { useId, useState } from 'preact/hooks';
import { Button } from './controls.tsx';

export interface Bar {
  readonly label: string;
  /** Identifies the row. Default: the label. */
  readonly key?: string;
  /** The length of the bar. If some values are above zero, those below grow to the left. */
  readonly value: number;
  /** The value as text, such as `$1,204.50`. */
  readonly text: string;
  /** The text next to it, such as `312 shipments`. */
  readonly note?: string;
  /** Shows the data behind the bar. */
  readonly open?: (() => void) | undefined;
}

export interface ChartProps {
  readonly title: string;
  /** What the chart shows, in one sentence. */
  readonly description?: string;
  /** The headers of the label, the text and, if rows have one, the note. */
  readonly columns: readonly [label: string, text: string, note?: string];
  readonly rows: readonly Bar[];
  /** What a click opens: `Zone 8: show its shipments`. */
  readonly opens?: string;
  /** Whether values are differences. They may be negative, with one color for more and one for less. */
  readonly signed?: boolean;
  /** The text of the sum of all rows, shown below them. */
  readonly total?: string;
  /** Number of rows that are visible. The rest is folded. */
  readonly most?: number;
}

/** Percent of the width. Small values stay visible. Zero has no bar. */
const LEAST = 0.6;

interface LineProps {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly signed: boolean;
}

const Line = ({ value, low, high, signed }: LineProps) => {
  const whole = high - low || 1;
  const zero = (100 * -low) / whole;
  const width = value === 0 ? 0 : Math.max(LEAST, (100 * Math.abs(value)) / whole);
  return (
    <svg class="bar" width="100%" height="16" aria-hidden="true" focusable="false">
      {signed ? null : <rect class="bar-track" width="100%" height="16" rx="2" />}
      <rect
        class={signed ? (value < 0 ? 'less' : 'more') : undefined}
        x={`${Math.max(0, value < 0 && low < 0 ? zero - width : zero).toFixed(2)}%`}
        width={`${width.toFixed(2)}%`}
        height="16"
        rx="2"
      />
      {signed ? <line x1={`${zero.toFixed(2)}%`} x2={`${zero.toFixed(2)}%`} y2="16" /> : null}
    </svg>
  );
};

export const Chart = (props: ChartProps) => {
  const { title, description, columns, rows, opens, signed = false, total, most = rows.length } = props;
  const [label, text, note] = columns;
  const id = useId();
  const [all, setAll] = useState(false);
  const values = rows.map(({ value }) => value);
  // Without a value above zero, bars grow to the right as well. Their color and sign show what they are.
  const low = values.some((value) => value > 0) ? Math.min(0, ...values) : 0;
  const high = Math.max(0, ...(low < 0 ? values : values.map(Math.abs)));
  const scale = { low, high, signed };
  const folded = !all && rows.length > most;
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption>
        <strong id={id}>{title}</strong>
        {description === undefined ? null : <p class="hint">{description}</p>}
      </figcaption>
      <table class="chart-table" aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            <td class="chart-bar" />
            <th scope="col">{text}</th>
            {note === undefined ? null : <th scope="col">{note}</th>}
          </tr>
        </thead>
        <tbody>
          {(folded ? rows.slice(0, most) : rows).map((row) => (
            <tr key={row.key ?? row.label} class={row.open === undefined ? undefined : 'opens'}>
              <th scope="row">
                {row.open === undefined ? (
                  row.label
                ) : (
                  <button type="button" class="link" onClick={row.open}>
                    {row.label}
                    <span class="visually-hidden">: {opens}</span>
                  </button>
                )}
              </th>
              <td class="chart-bar">
                <Line value={row.value} {...scale} />
              </td>
              <td>{row.text}</td>
              {note === undefined ? null : <td>{row.note}</td>}
            </tr>
          ))}
        </tbody>
        {total === undefined ? null : (
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td class="chart-bar" />
              <td>{total}</td>
              {note === undefined ? null : <td />}
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

export type Figure = readonly [label: string, value: string, note: string];

export const Figures = ({ of: figures }: { readonly of: readonly Figure[] }) => (
  <dl class="figures">
    {figures.map(([label, value, note]) => (
      <div class="figure" key={label}>
        <dt class="hint">{label}</dt>
        <dd>
          <span class="figure-value">{value}</span>
          <span class="hint">{note}</span>
        </dd>
      </div>
    ))}
  </dl>
);
