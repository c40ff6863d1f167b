/** The form that compares the shipments of two batches, such as two months, by a column that both lists have. */
import { useState } from 'preact/hooks';
import { useApi, useKey, useLoad } from '../api.ts';
import type { Batch } from '../calls.ts';
import { goTo, href } from '../navigation.tsx';
import { Button, Select } from '../ui/controls.tsx';
import { FaultNotice, Folded } from '../ui/feedback.tsx';
import { day } from '../ui/format.ts';
import { Show, useAct } from '../ui/kit.tsx';

const optionOf = ({ id, filename, createdAt }: Batch) => ({ value: id, label: `${filename}, ${day(createdAt)}` });

/** Column names that most likely identify a shipment. */
const LIKELY = /order|shipment|invoice|tracking|reference|number|\bid\b/i;

/** Asks for the column, and starts the comparison. */
const ByColumn = ({ base, other }: { readonly base: Batch; readonly other: Batch }) => {
  const api = useApi();
  const keyOf = useKey();
  const { busy, fault, run } = useAct();
  const [chosen, setChosen] = useState('');
  const loaded = useLoad(
    async (signal) => {
      const columnsOf = async ({ id }: Batch): Promise<readonly string[]> => {
        const asked = { id, query: { limit: '1' }, signal };
        const { header } = await api.call('GET /console/v1/client/shipment/rates/batches/{id}/rows', asked);
        return header.slice(0, header.lastIndexOf('input_row'));
      };
      const [first, second] = await Promise.all([columnsOf(base), columnsOf(other)]);
      return [...new Set(first)].filter((name) => name.trim() !== '' && second.includes(name));
    },
    [base.id, other.id],
  );
  const compare = (column: string): Promise<void> =>
    run(async () => {
      const json = { with: { batch: other.id, key: column } };
      const asked = { id: base.id, json, key: keyOf(`${base.id} ${JSON.stringify(json)}`) };
      const made = await api.call('POST /v1/client/shipment/rates/batches/{id}/comparisons', asked);
      goTo(href.comparison(made.id));
    });
  return (
    <Show of={loaded} lines={2} label="Loading the columns">
      {(columns) => {
        const column =
          columns.find((name) => name === chosen) ?? columns.find((name) => LIKELY.test(name)) ?? columns[0];
        if (column === undefined) return <p>The two lists have no column in common.</p>;
        return (
          <>
            <div class="fields">
              <Select
                label="Rows are the same shipment if they have the same"
                value={column}
                options={columns.map((name) => ({ value: name, label: name }))}
                onChange={setChosen}
              />
            </div>
            <div class="actions start">
              <Button kind="primary" busy={busy} onClick={() => void compare(column)}>
                Compare
              </Button>
            </div>
            <FaultNotice fault={fault} />
          </>
        );
      }}
    </Show>
  );
};

/** @param batches newest first. Only completed ones can be compared */
export const Against = ({ batches }: { readonly batches: readonly Batch[] }) => {
  const completed = batches.filter(({ status }) => status === 'completed');
  const [chosen, setChosen] = useState<{ readonly base?: string; readonly other?: string }>({});
  const base = completed.find(({ id }) => id === chosen.base) ?? completed[1];
  const rest = completed.filter(({ id }) => id !== base?.id);
  const other = rest.find(({ id }) => id === chosen.other) ?? rest[0];
  if (base === undefined || other === undefined) return null;
  return (
    <Folded title="Compare two batches, such as two months" box="stack small">
      <p class="hint">
        Prices are not recalculated. The result says which shipments are new, gone or changed, and why they cost more or
        less.
      </p>
      <div class="fields">
        <Select
          label="Before"
          value={base.id}
          options={completed.map(optionOf)}
          onChange={(id) => setChosen({ ...chosen, base: id })}
        />
        <Select
          label="After"
          value={other.id}
          options={rest.map(optionOf)}
          onChange={(id) => setChosen({ ...chosen, other: id })}
        />
      </div>
      <ByColumn base={base} other={other} />
    </Folded>
  );
};
