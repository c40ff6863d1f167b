/** The fields of one package: its weight and, where its size is known, its sides. */
import { Button } from '../ui/button.tsx';
import { Select, TextField } from '../ui/field.tsx';
import { type PackageDraft, packagePath } from './draft.ts';

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
  /** Absent where it is the only one. */
  readonly onRemove: (() => void) | undefined;
}

export const PackageFields = ({ item, index, problems, onChange, onRemove }: PackageFieldsProps) => (
  <fieldset class="package">
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
    {onRemove === undefined ? null : (
      <Button kind="quiet" onClick={onRemove}>
        Remove package {index + 1}
      </Button>
    )}
  </fieldset>
);
