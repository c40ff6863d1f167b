/** The preview of a list in figures, its faults, and the repairs that the service offers. */
import type { Preview } from '../calls.ts';
import { Figures } from '../ui/charts.tsx';
import { Checkbox } from '../ui/controls.tsx';
import { Notice } from '../ui/feedback.tsx';
import { FaultKinds } from '../ui/findings.tsx';
import { count, counted, duration, money, percent } from '../ui/format.ts';
import type { ListOptions } from './list-options.tsx';

const EXAMPLES = 3;

/** A share of the rows in the preview. */
const outOf = (rows: number, { rowsRead, estimate }: Preview): string =>
  estimate.exact
    ? `${count(rows)} of ${counted(rowsRead, 'row')}`
    : `${count(rows)} of the first ${count(rowsRead)} rows`;

/** Figures of the list: exact if all of it was read, else estimated from its beginning. */
export const ListFigures = ({ preview }: { readonly preview: Preview }) => {
  const { rowsRead, quoted, faulted, estimate } = preview;
  const about = estimate.exact ? '' : 'about ';
  const seconds = estimate.seconds === null ? undefined : Math.max(1, estimate.seconds);
  return (
    <Figures
      figures={[
        {
          label: 'Rows',
          value: estimate.rows === null ? `${count(rowsRead)} or more` : `${about}${count(estimate.rows)}`,
          note: estimate.exact ? 'all rows read' : `the first ${count(rowsRead)} read`,
        },
        { label: 'Quoted', value: percent(quoted, rowsRead), note: outOf(quoted, preview) },
        { label: 'With a fault', value: percent(faulted, rowsRead), note: outOf(faulted, preview) },
        {
          label: 'Total net charge',
          value: estimate.totalNetCharge === null ? 'unknown' : `${about}${money(estimate.totalNetCharge)}`,
          note: seconds === undefined ? 'known after the run' : `done in about ${duration(seconds)}`,
        },
      ]}
    />
  );
};

/** Offers repairs with examples. The user decides. */
export const Repairs = ({
  preview,
  listOptions,
  onListOptions,
}: {
  readonly preview: Preview;
  readonly listOptions: ListOptions;
  readonly onListOptions: (listOptions: ListOptions) => void;
}) => {
  const { repairs, repairAll, faulted } = preview;
  if (repairAll.rows === 0 && !listOptions.repair) return null;
  const fewer = listOptions.repair ? 0 : faulted - repairAll.faulted;
  return (
    <Notice
      kind="info"
      announced={false}
      title={
        listOptions.repair
          ? `${outOf(repairs.rows, preview)} repaired`
          : `${outOf(repairAll.rows, preview)} can be repaired with certainty`
      }
    >
      <ul>
        {repairAll.examples.slice(0, EXAMPLES).map(({ input_row, repairs: notes }) => (
          <li key={input_row}>
            Row {count(input_row)}: {notes.join('; ')}
          </li>
        ))}
      </ul>
      <Checkbox
        label={fewer > 0 ? `Repair them: ${counted(fewer, 'fault')} fewer` : 'Repair them'}
        hint="The output column quote_repairs shows every repair."
        checked={listOptions.repair}
        onChange={(repair) => onListOptions({ ...listOptions, repair })}
      />
    </Notice>
  );
};

export const Faults = ({ preview }: { readonly preview: Preview }) =>
  preview.faulted === 0 ? null : (
    <section class="stack" aria-labelledby="faults">
      <h2 id="faults">{outOf(preview.faulted, preview)} with a fault</h2>
      <p class="lead">
        You can run the list as it is. These rows come back with a reason, and you can correct them then.
      </p>
      <FaultKinds faults={preview.faults} />
    </section>
  );
