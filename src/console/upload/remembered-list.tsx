/** The choices that the client keeps, on the first page, with a button that deletes each. */
import { useState } from 'preact/hooks';
import { type ApiFault, asFault, useApi, useLoad } from '../api.ts';
import type { KeptMapping } from '../calls.ts';
import { Button } from '../ui/controls.tsx';
import { Confirm, FaultNotice } from '../ui/feedback.tsx';
import { counted, instant } from '../ui/format.ts';

export const RememberedList = () => {
  const api = useApi();
  const { data, reload } = useLoad((signal) => api.call('mappings', { signal }), []);
  const [leaving, setLeaving] = useState<KeptMapping>();
  const [fault, setFault] = useState<ApiFault>();
  const mappings = data?.mappings ?? [];
  const remove = async ({ id }: KeptMapping): Promise<void> => {
    setFault(undefined);
    setLeaving(undefined);
    try {
      await api.call('removeMapping', { id });
    } catch (error) {
      setFault(asFault(error));
    }
    reload();
  };
  if (mappings.length === 0) return null;
  return (
    <details>
      <summary>{counted(mappings.length, 'remembered list', 'remembered lists')}</summary>
      {fault === undefined ? null : <FaultNotice fault={fault} title="It could not be deleted" />}
      <ul class="unused">
        {mappings.map((mapping) => (
          <li key={mapping.id}>
            <p>
              <strong>{mapping.name}</strong> <span class="hint">saved {instant(mapping.savedAt)}</span>
            </p>
            <Button onClick={() => setLeaving(mapping)}>
              Delete<span class="visually-hidden"> {mapping.name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {leaving === undefined ? null : (
        <Confirm
          title={`Forget “${leaving.name}”?`}
          action="Forget it"
          keep="Keep it"
          onConfirm={() => void remove(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>Lists with these column names are read by their names alone again. Batches do not change.</p>
        </Confirm>
      )}
    </details>
  );
};
