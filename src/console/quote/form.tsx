/** The form of the quote page. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Services, Warehouses } from '../calls.ts';
import { Button, Checkbox, Select, TextField } from '../ui/controls.tsx';
import { type Draft, emptyDraft, emptyPackage, PATHS, type PackageDraft, packagePath, sizePath } from './draft.ts';
import { Options } from './options.tsx';

/** Service specification, Limits. */
const MOST_PACKAGES = 99;

export interface Catalog {
  readonly warehouses: Warehouses['warehouses'];
  readonly services: Services['services'];
}

interface QuoteFormProps {
  readonly catalog: Catalog;
  readonly busy: boolean;
  readonly problems: ReadonlyMap<string, string>;
  readonly onSubmit: (draft: Draft) => void;
}

export type Warehouse = Catalog['warehouses'][number];

const warehouseLabel = ({ warehouse_id, name, address }: Warehouse): string => {
  const abroad = address.countryCode === 'US' ? '' : ` (${address.countryCode}: no quotes)`;
  return `${warehouse_id} · ${name}, ${address.stateOrProvinceCode} ${address.postalCode}${abroad}`;
};

const streetHint = (services: Catalog['services'], chosen: string): string => {
  const requiring = services.filter(({ addressLineRequired }) => addressLineRequired);
  if (chosen !== '')
    return requiring.some(({ shippingService }) => shippingService === chosen)
      ? 'This service requires it.'
      : 'Optional.';
  if (requiring.length === 0) return 'Optional.';
  return `Optional, but required by ${requiring.map(({ shippingService }) => shippingService).join(', ')}.`;
};

interface PackagesProps {
  readonly packages: readonly PackageDraft[];
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (packages: readonly PackageDraft[]) => void;
}

const Packages = ({ packages, problems, onChange }: PackagesProps) => {
  const next = Math.max(0, ...packages.map(({ key }) => key)) + 1;
  const without = (key: number) => () => onChange(packages.filter((item) => item.key !== key));
  return (
    <>
      {packages.map((item, index) => (
        <PackageFields
          key={item.key}
          item={item}
          index={index}
          problems={problems}
          onChange={(changed) => onChange(packages.map((other) => (other.key === item.key ? changed : other)))}
          onRemove={packages.length > 1 ? without(item.key) : undefined}
        />
      ))}
      <div class="actions start">
        <Button disabled={packages.length >= MOST_PACKAGES} onClick={() => onChange([...packages, emptyPackage(next)])}>
          Add a package
        </Button>
      </div>
    </>
  );
};

export const QuoteForm = ({ catalog, busy, problems, onSubmit }: QuoteFormProps) => {
  const { warehouses, services } = catalog;
  const home = warehouses.find(({ address }) => address.countryCode === 'US') ?? warehouses[0];
  const [draft, setDraft] = useState<Draft>(() => emptyDraft(String(home?.warehouse_id ?? '')));
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problems.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!busy) onSubmit(draft);
  };
  return (
    <form class="panel" ref={form} noValidate onSubmit={submit} aria-label="Shipment">
      <Select
        label="From warehouse"
        value={draft.warehouseId}
        options={[
          ...warehouses.map((own) => ({ value: String(own.warehouse_id), label: warehouseLabel(own) })),
          ...(warehouses.length > 1 ? [{ value: 'any', label: 'Any warehouse (the cheapest)' }] : []),
        ]}
        error={problems.get(PATHS.warehouseId)}
        onChange={(warehouseId) => change({ warehouseId })}
      />
      <TextField
        label="To ZIP code"
        inputMode="numeric"
        autocomplete="off"
        value={draft.postalCode}
        error={problems.get(PATHS.postalCode)}
        onChange={(postalCode) => change({ postalCode })}
      />
      <Select
        label="Service"
        value={draft.shippingService}
        options={[
          { value: '', label: 'All services, compared' },
          ...services.map(({ shippingService, description }) => ({
            value: shippingService,
            label: `${shippingService} · ${description}`,
          })),
        ]}
        error={problems.get(PATHS.shippingService)}
        onChange={(shippingService) => change({ shippingService })}
      />
      <TextField
        label="Street"
        hint={streetHint(services, draft.shippingService)}
        autocomplete="off"
        value={draft.addressLine}
        error={problems.get(PATHS.addressLine)}
        onChange={(addressLine) => change({ addressLine })}
      />
      <Checkbox
        label="Residential address"
        checked={draft.residential}
        onChange={(residential) => change({ residential })}
      />
      <TextField
        label="Ship date"
        type="date"
        hint="Optional. Uses the tariffs in force that day."
        value={draft.shipDate}
        error={problems.get(PATHS.shipDate)}
        onChange={(shipDate) => change({ shipDate })}
      />
      <Packages packages={draft.packages} problems={problems} onChange={(packages) => change({ packages })} />
      <Options options={draft.options} problems={problems} onChange={(options) => change({ options })} />
      <Button kind="primary" submit busy={busy}>
        Get the quote
      </Button>
    </form>
  );
};

const WEIGHT_UNITS = [
  { value: 'LB', label: 'LB' },
  { value: 'KG', label: 'KG' },
];
const LENGTH_UNITS = [
  { value: 'IN', label: 'IN' },
  { value: 'CM', label: 'CM' },
];
const SIDES = [
  { side: 'length', label: 'Length' },
  { side: 'width', label: 'Width' },
  { side: 'height', label: 'Height' },
] as const;

interface PackageFieldsProps {
  readonly item: PackageDraft;
  /** From 0. */
  readonly index: number;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (item: PackageDraft) => void;
  /** Undefined for the only package. */
  readonly onRemove: (() => void) | undefined;
}

const PackageFields = ({ item, index, problems, onChange, onRemove }: PackageFieldsProps) => (
  <fieldset class="stack ruled">
    <legend>Package {index + 1}</legend>
    <div class="package-row">
      <TextField
        label="Weight"
        inputMode="decimal"
        value={item.weight}
        error={problems.get(packagePath(index, 'weight.value'))}
        onChange={(weight) => onChange({ ...item, weight })}
      />
      <Select
        label="Weight unit"
        labelHidden
        value={item.units}
        options={WEIGHT_UNITS}
        onChange={(units) => onChange({ ...item, units })}
      />
    </div>
    <div class="package-row sides">
      {SIDES.map(({ side, label }) => (
        <TextField
          key={side}
          label={label}
          inputMode="decimal"
          value={item[side]}
          error={problems.get(packagePath(index, `dimensions.${side}`))}
          onChange={(value) => onChange({ ...item, [side]: value })}
        />
      ))}
      <Select
        label="Unit of the sides"
        labelHidden
        value={item.dimensionUnits}
        options={LENGTH_UNITS}
        onChange={(dimensionUnits) => onChange({ ...item, dimensionUnits })}
      />
    </div>
    {problems.has(sizePath(index)) ? <p class="field-error">{problems.get(sizePath(index))}</p> : null}
    {onRemove === undefined ? null : (
      <Button kind="quiet" onClick={onRemove}>
        Remove package {index + 1}
      </Button>
    )}
  </fieldset>
);
