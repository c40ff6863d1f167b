/** A few figures that say how things stand. */
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
