/** Which rows of a batch the table shows, by outcome, text, service, zone, weight or fault; and in which order. */
import { useEffect, useState } from 'preact/hooks';
import { DECLARED_COLUMNS } from '../../lists/output/output-columns.ts';
import type { Batch, Summary } from '../calls.ts';
import { bandName } from '../comparison/words.ts';
import { guidanceOf } from '../guide.ts';
import { Button, type Option, Segments, Select, TextField } from '../ui/controls.tsx';
import { byCount } from '../ui/findings.tsx';
import { bandKey, type RowFilter } from './charts.tsx';

export const ALL_ROWS: RowFilter = {
  outcome: 'all',
  search: '',
  service: '',
  zone: '',
  carrierZone: '',
  weight: '',
  fault: '',
  sort: '',
};

const OUTCOMES = [
  { value: 'all', label: 'All rows' },
  { value: 'quoted', label: 'Quoted' },
  { value: 'faulted', label: 'With a fault' },
] as const;

const ORDERS: readonly Option[] = [
  { value: '', label: 'As in the list' },
  ...DECLARED_COLUMNS.flatMap(({ sort }) =>
    sort === undefined
      ? []
      : [
          { value: `-${sort.by}`, label: sort.greatest },
          { value: sort.by, label: sort.least },
        ],
  ),
];

const TYPING_MS = 300;

interface TypedProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A text that rows must have. It takes effect when the user pauses. */
const Typed = ({ label, placeholder, value, onChange }: TypedProps) => {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = setTimeout(() => onChange(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextField
      label={label}
      type="search"
      value={typed}
      onChange={setTyped}
      maxLength={100}
      placeholder={placeholder}
    />
  );
};

const withAll = (label: string, options: readonly Option[]): readonly Option[] => [{ value: '', label }, ...options];

interface RowFilterBarProps {
  readonly batch: Batch;
  /** What it has to choose from; undefined until the batch has ended. */
  readonly summary: Summary | undefined;
  readonly filter: RowFilter;
  readonly onFilter: (filter: RowFilter) => void;
}

export const OutcomeChoice = ({ filter, onFilter }: Pick<RowFilterBarProps, 'filter' | 'onFilter'>) => (
  <Segments
    label="Which rows"
    options={OUTCOMES}
    value={filter.outcome}
    onChange={(value) => {
      const outcome = OUTCOMES.find((own) => own.value === value)?.value ?? 'all';
      onFilter({ ...ALL_ROWS, search: filter.search, outcome });
    }}
  />
);

export const RowFilterBar = ({ batch, summary, filter, onFilter }: RowFilterBarProps) => {
  const choose = (key: keyof RowFilter) => (value: string) => onFilter({ ...filter, [key]: value });
  const { outcome: _, ...chosen } = filter;
  const isNarrow = Object.values(chosen).some((value) => value !== '');
  return (
    <div class="fields short rows-filter">
      <Typed
        label="Search your columns"
        placeholder="Order, ZIP code or other text"
        value={filter.search}
        onChange={choose('search')}
      />
      {filter.outcome === 'faulted' ? (
        <Select
          label="Fault"
          value={filter.fault}
          options={withAll(
            'All faults',
            byCount(batch.faults).map(([type]) => ({ value: type, label: guidanceOf(type).title })),
          )}
          onChange={choose('fault')}
        />
      ) : summary === undefined ? null : (
        <>
          <Select
            label="Service"
            value={filter.service}
            options={withAll(
              'All services',
              summary.byService.map(({ shippingService: value }) => ({ value, label: value })),
            )}
            onChange={choose('service')}
          />
          <Select
            label="Zone"
            value={filter.zone}
            options={withAll(
              'All zones',
              summary.byZone.map(({ rateZone: value }) => ({ value, label: `Zone ${value}` })),
            )}
            onChange={choose('zone')}
          />
          <Typed
            label="Carrier’s zone"
            placeholder="Such as 17 or 302"
            value={filter.carrierZone}
            onChange={choose('carrierZone')}
          />
          <Select
            label="Billing weight"
            value={filter.weight}
            options={withAll(
              'All weights',
              summary.byBillingWeight.map((band) => ({ value: bandKey(band), label: bandName(band) })),
            )}
            onChange={choose('weight')}
          />
          <Select label="Order" value={filter.sort} options={ORDERS} onChange={choose('sort')} />
        </>
      )}
      {isNarrow ? <Button onClick={() => onFilter({ ...ALL_ROWS, outcome: filter.outcome })}>Clear</Button> : null}
    </div>
  );
};
