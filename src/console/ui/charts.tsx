/**
 * Charts are tables: each row has its bar, drawn as SVG, and its numbers. Nothing depends on length or color alone, and
 * screen readers say what is seen.
 */
import './charts.css';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { must } from '../../must.ts';

export interface BarRow {
  readonly label: string;
  /** The length of the bar. The longest one fills the width. */
  readonly value: number;
  /** The text at the end of the bar, such as `$1,204.50`. */
  readonly text: string;
  /** The text beside it, such as `312 shipments`. */
  readonly note?: string;
  /** Shows what is behind the bar. */
  readonly onOpen?: (() => void) | undefined;
}

export interface BarChartProps {
  readonly title: string;
  /** What the chart shows, in one sentence. */
  readonly description?: string;
  /** Column headers: label, text and, if rows have one, note. */
  readonly columns: { readonly label: string; readonly text: string; readonly note?: string };
  readonly rows: readonly BarRow[];
}

/** Small values stay visible. Zero has no bar. */
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
          {rows.map(({ label, value, text, note, onOpen }) => (
            <tr key={label} class={onOpen === undefined ? undefined : 'chart-open'} onClick={onOpen}>
              <th scope="row">
                {onOpen === undefined ? (
                  label
                ) : (
                  <button type="button" class="row-link" title={`Show the rows of ${label}`}>
                    {label}
                  </button>
                )}
              </th>
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

export interface Share {
  readonly label: string;
  readonly value: number;
  /** The value with its unit, such as `312 shipments`. */
  readonly text: string;
}

export interface ShareChartProps {
  readonly title: string;
  readonly description?: string;
  /** Column headers. */
  readonly columns: { readonly label: string; readonly text: string };
  readonly shares: readonly Share[];
}

const HATCHES = 6;

/** Hatches differ in direction and line weight as well as in shade. */
const Hatch = ({ id, kind }: { readonly id: string; readonly kind: number }): VNode => (
  <pattern
    id={id}
    width="8"
    height="8"
    patternUnits="userSpaceOnUse"
    patternTransform={`rotate(${must([0, 45, 135, 0, 90, 45][kind], 'the angle of a hatch')})`}
  >
    <rect class={`share-${kind}`} width="8" height="8" />
    {kind === 0 ? null : <rect class="share-line" width={kind > 3 ? 4 : 2} height="8" />}
    {kind === 3 ? <rect class="share-line" width="8" height="2" /> : null}
  </pattern>
);

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

export const ShareChart = ({ title, description, columns, shares }: ShareChartProps): VNode => {
  const id = useId();
  const whole = shares.reduce((sum, { value }) => sum + value, 0);
  const partOf = (value: number): number => (whole === 0 ? 0 : value / whole);
  const fill = (index: number): string => `url(#${id}-${index % HATCHES})`;
  let from = 0;
  const parts = shares.map(({ value }) => {
    const part = { from, width: partOf(value) };
    from += part.width;
    return part;
  });
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption>
        <span class="chart-title" id={id}>
          {title}
        </span>
        {description === undefined ? null : <span class="chart-description">{description}</span>}
      </figcaption>
      <svg class="share-bar" width="100%" height="28" aria-hidden="true" focusable="false">
        <defs>
          {Array.from({ length: Math.min(HATCHES, shares.length) }, (_, kind) => (
            <Hatch key={kind} id={`${id}-${kind}`} kind={kind} />
          ))}
        </defs>
        {parts.map((part, index) => (
          <rect
            key={shares[index]?.label}
            class="share-part"
            x={`${(100 * part.from).toFixed(2)}%`}
            width={`${(100 * part.width).toFixed(2)}%`}
            height="28"
            fill={fill(index)}
          />
        ))}
      </svg>
      <table class="chart-table share-table" aria-labelledby={id}>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">{columns.label}</th>
            <th scope="col">Share</th>
            <th scope="col">{columns.text}</th>
          </tr>
        </thead>
        <tbody>
          {shares.map(({ label, value, text }, index) => (
            <tr key={label}>
              <th scope="row">
                <svg class="share-key" width="16" height="16" aria-hidden="true" focusable="false">
                  <rect class="share-part" width="16" height="16" rx="2" fill={fill(index)} />
                </svg>
                {label}
              </th>
              <td class="chart-text">{percent.format(partOf(value))}</td>
              <td class="chart-note">{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
};

export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly note: string;
}

export const Figures = ({ figures }: { readonly figures: readonly Figure[] }) => (
  <dl class="figures">
    {figures.map(({ label, value, note }) => (
      <div class="figure" key={label}>
        <dt>{label}</dt>
        <dd>
          <span class="figure-value">{value}</span>
          <span class="hint">{note}</span>
        </dd>
      </div>
    ))}
  </dl>
);
