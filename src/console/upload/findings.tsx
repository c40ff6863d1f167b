/** What was found in a list before it is run: how much of it can be quoted, what is wrong, what can be mended. */
import type { Preview } from '../calls.ts';
import { Figures } from '../ui/charts.tsx';
import { Checkbox } from '../ui/controls.tsx';
import { Notice } from '../ui/feedback.tsx';
import { FaultKinds } from '../ui/findings.tsx';
import { count, counted, duration, money, percent } from '../ui/format.ts';
import type { ListOptions } from './list-options.tsx';

const EXAMPLES = 3;

/** So many of the rows that were looked at. */
const outOf = (rows: number, { rowsRead, estimate }: Preview): string =>
  estimate.exact
    ? `${count(rows)} of ${counted(rowsRead, 'row')}`
    : `${count(rows)} of the first ${count(rowsRead)} rows`;

/** The list in figures: counted where all of it was read, else estimated from its beginning. */
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
          note: estimate.exact ? 'all of them read' : `the first ${count(rowsRead)} read`,
        },
        { label: 'Quoted', value: percent(quoted, rowsRead), note: outOf(quoted, preview) },
        { label: 'With a fault', value: percent(faulted, rowsRead), note: outOf(faulted, preview) },
        {
          label: 'Net charge in all',
          value: estimate.totalNetCharge === null ? 'not known yet' : `${about}${money(estimate.totalNetCharge)}`,
          note: seconds === undefined ? 'counted when it is run' : `done in about ${duration(seconds)}`,
        },
      ]}
    />
  );
};

/** Repairs are proposed with examples, and made when somebody says so. */
export const Repairs = ({
  preview,
  said,
  onSaid,
}: {
  readonly preview: Preview;
  readonly said: ListOptions;
  readonly onSaid: (said: ListOptions) => void;
}) => {
  const { repairs, repairAll, faulted } = preview;
  if (repairAll.rows === 0 && !said.repair) return null;
  const fewer = said.repair ? 0 : faulted - repairAll.faulted;
  return (
    <Notice
      kind="info"
      announced={false}
      title={
        said.repair
          ? `${outOf(repairs.rows, preview)} mended`
          : `${outOf(repairAll.rows, preview)} can be mended for certain`
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
        label={fewer > 0 ? `Mend them: ${counted(fewer, 'fault')} fewer` : 'Mend them'}
        hint="Nothing is mended silently: the column quote_repairs of the output says what was done in each row."
        checked={said.repair}
        onChange={(repair) => onSaid({ ...said, repair })}
      />
    </Notice>
  );
};

export const Faults = ({ preview }: { readonly preview: Preview }) =>
  preview.faulted === 0 ? null : (
    <section class="stack" aria-labelledby="faults">
      <h2 id="faults">{outOf(preview.faulted, preview)} with a fault</h2>
      <p class="lead">You can run the list as it is: these rows come back with their reason, to be mended then.</p>
      <FaultKinds faults={preview.faults} />
    </section>
  );
