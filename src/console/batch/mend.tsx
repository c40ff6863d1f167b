/** The repair that mends rows with a fault at once: how many, what it changes, and the button. */
import { useApi, useLoad } from '../api.ts';
import type { Batch } from '../calls.ts';
import { useLeaving } from '../navigation.tsx';
import { Button } from '../ui/controls.tsx';
import { FaultNotice } from '../ui/feedback.tsx';
import { count, counted } from '../ui/format.ts';
import type { Sending } from './corrections.ts';

interface MendProps {
  readonly batch: Batch;
  readonly sending: Sending;
}

/** Nothing if no row can be repaired. */
export const Mend = ({ batch: { id, revision }, sending }: MendProps) => {
  const api = useApi();
  const { leave } = useLeaving();
  const { data } = useLoad((signal) => api.call('mending', { id, signal }), [id, revision]);
  if (data === undefined || data.rows === 0) return null;
  const { rows, all, looked, columns } = data;
  return (
    <section class="panel mend" aria-labelledby="mend">
      <div class="stack small">
        <h3 id="mend">{counted(rows, 'row')} can be repaired at once</h3>
        <ul>
          {columns.map(({ column, rows: changed, example: { row, from, to } }) => (
            <li key={column}>
              <strong>{column}</strong> in {counted(changed, 'row')}: for example row {count(row)},{' '}
              {from === '' ? 'empty' : from} to {to}
            </li>
          ))}
        </ul>
        <p class="hint">
          Only certain repairs count, and only rows that get a quote.
          {all ? '' : ` The first ${count(looked)} rows with a fault were looked at. The repair covers all of them.`}
        </p>
      </div>
      {/* The repair starts a new revision, which discards cells that were typed here. */}
      <Button kind="primary" busy={sending.busy} onClick={() => leave(() => void sending.mend())}>
        Repair and quote again
      </Button>
      {sending.fault === undefined ? null : <FaultNotice fault={sending.fault} title="The repair was refused" />}
    </section>
  );
};
