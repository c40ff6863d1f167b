/** The fields of a warehouse. */
import type { ComponentChildren } from 'preact';
import { TextField } from '../../ui/controls.tsx';

/** More than a code has: a field that cuts `New Jersey` off would save `NEW`. The service judges what is typed. */
const MOST_TYPED = 40;

/** As typed. */
export interface WarehouseDraft {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly zip: string;
  readonly country: string;
}

export const newWarehouse: WarehouseDraft = { id: '', name: '', state: '', zip: '', country: 'US' };

export const isEmpty = ({ id, name, state, zip }: WarehouseDraft): boolean =>
  [id, name, state, zip].every((text) => text.trim() === '');

/** As the service takes it. It judges the values. */
export const warehouseOf = ({ id, name, state, zip, country }: WarehouseDraft) => ({
  warehouse_id: /^\d{1,10}$/.test(id.trim()) ? Number(id) : null,
  name: name.trim(),
  address: {
    postalCode: zip.trim(),
    stateOrProvinceCode: state.trim().toUpperCase(),
    countryCode: country.trim().toUpperCase(),
  },
});

interface WarehouseFieldsProps {
  readonly draft: WarehouseDraft;
  readonly onChange: (draft: WarehouseDraft) => void;
  readonly required?: boolean;
  /** What stands beside the fields. */
  readonly children?: ComponentChildren;
}

export const WarehouseFields = ({ draft, onChange, required = false, children }: WarehouseFieldsProps) => (
  <div class="warehouse-fields">
    <TextField
      label="Number"
      value={draft.id}
      onChange={(id) => onChange({ ...draft, id })}
      inputMode="numeric"
      maxLength={10}
      placeholder="101"
      required={required}
    />
    <TextField
      label="Name"
      value={draft.name}
      onChange={(name) => onChange({ ...draft, name })}
      maxLength={80}
      placeholder="Newark"
      required={required}
    />
    <TextField
      label="State"
      value={draft.state}
      onChange={(state) => onChange({ ...draft, state })}
      maxLength={MOST_TYPED}
      placeholder="NJ"
      required={required}
    />
    <TextField
      label="ZIP code"
      value={draft.zip}
      onChange={(zip) => onChange({ ...draft, zip })}
      maxLength={MOST_TYPED}
      placeholder="07001"
      required={required}
    />
    <TextField
      label="Country"
      value={draft.country}
      onChange={(country) => onChange({ ...draft, country })}
      maxLength={MOST_TYPED}
      required={required}
    />
    {children}
  </div>
);
