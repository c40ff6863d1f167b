/** The form that adds a client. What it pays and from where it ships is said on its page. */
import { useState } from 'preact/hooks';
import { useApi } from '../../api.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { FaultNotice } from '../../ui/feedback.tsx';
import type { ShownSecrets } from './show-once.tsx';
import { useChange } from './use-change.ts';
import { isEmpty, newWarehouse, WarehouseFields, warehouseOf } from './warehouse-fields.tsx';

interface AddClientProps {
  readonly onAdded: (secrets: ShownSecrets) => void;
  readonly onClose: () => void;
}

export const AddClient = ({ onAdded, onClose }: AddClientProps) => {
  const api = useApi();
  const { busy, fault, make } = useChange();
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [warehouse, setWarehouse] = useState(newWarehouse);
  const submit = (event: Event): void => {
    event.preventDefault();
    make(async () => {
      const warehouses = isEmpty(warehouse) ? {} : { warehouses: [warehouseOf(warehouse)] };
      const named = name.trim() === '' ? {} : { name: name.trim() };
      const { secrets } = await api.call('addClient', { json: { id: id.trim(), ...named, ...warehouses } });
      if (secrets !== null) onAdded(secrets);
    });
  };
  return (
    <form class="panel" onSubmit={submit} aria-labelledby="add-client">
      <h2 id="add-client">Add a client</h2>
      <div class="client-fields">
        <TextField
          label="Id"
          value={id}
          onChange={setId}
          hint="Letters, digits, dots and hyphens. It cannot be changed or given again."
          maxLength={64}
          autocomplete="off"
          required
        />
        <TextField label="Name" value={name} onChange={setName} hint="For people. Default: the id." maxLength={80} />
      </div>
      <fieldset class="client-group">
        <legend>First warehouse, if you know it</legend>
        <WarehouseFields draft={warehouse} onChange={setWarehouse} />
      </fieldset>
      {fault === undefined ? null : <FaultNotice fault={fault} />}
      <div class="actions start">
        <Button kind="primary" submit busy={busy}>
          Add the client
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
};
