/** Shares of a whole as one bar, each share with a hatch of its own, over a table that says what each is. */
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import './chart.css';

export interface Share {
  readonly label: string;
  readonly value: number;
  /** The number in words of its unit, such as `312 shipments`. */
  readonly text: string;
}

export interface ShareChartProps {
  readonly title: string;
  readonly description?: string;
  /** What the shares' parts are called. */
  readonly columns: { readonly label: string; readonly text: string };
  readonly shares: readonly Share[];
}

const HATCHES = 6;

/** Told apart by direction and weight of their lines as well as by their shade. */
const Hatch = ({ id, kind }: { readonly id: string; readonly kind: number }): VNode => (
  <pattern
    id={id}
    width="8"
    height="8"
    patternUnits="userSpaceOnUse"
    patternTransform={`rotate(${[0, 45, 135, 0, 90, 45][kind] ?? 0})`}
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
