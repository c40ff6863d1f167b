/** Filters and sorts the rows of a batch: by outcome, text, service, zone, weight or fault. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { DECLARED_COLUMNS } from '../../lists/output/output-columns.ts';
import type { Batch, Summary } from '../calls.ts';
import { bandKey, bandName } from '../comparison/words.ts';
import { guidanceOf } from '../fault-words.ts';
import { Button, type Option, Segments, Select, TextField, useTyped } from '../ui/controls.tsx';
import { Folded } from '../ui/feedback.tsx';
import { byCount } from '../ui/findings.tsx';
import { useServiceName } from '../ui/service-names.tsx';

/** Empty members do not filter, and keep the order of the list. */
export const ALL_ROWS = {
  outcome: 'all' as 'all' | 'quoted' | 'faulted',
  search: '',
  service: '',
  zone: '',
  carrierZone: '',
  weight: '',
  fault: '',
  sort: '',
};

export type RowFilter = Readonly<typeof ALL_ROWS>;

const OUTCOMES = [
  { value: 'all', label: 'All rows' },
  { value: 'quoted', label: 'Priced' },
  { value: 'faulted', label: 'Problems' },
] as const;

const ORDERS: readonly Option[] = DECLARED_COLUMNS.flatMap(({ sort }) =>
  sort === undefined
    ? []
    : [
        { value: `-${sort.by}`, label: sort.greatest },
        { value: sort.by, label: sort.least },
      ],
);

const TYPING_MS = 300;

/** A text that rows must contain. It takes effect when the user stops typing. */
const Typed = ({ value, onChange, ...text }: Parameters<typeof TextField>[0]) => {
  const [typed, type] = useTyped(value);
  // Only the newest callback has the other conditions. An effect would store it too late.
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = setTimeout(() => {
      type(typed, typed);
      latest.current(typed);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return <TextField {...text} type="search" value={typed} onChange={type} maxLength={100} />;
};

/** A condition: its name, the text for no condition, and the choices unless the value is typed. */
type Condition = readonly [key: keyof RowFilter, label: string, none: string, options?: readonly Option[]];

const useConditions = ({ batch, summary, filter }: Omit<RowFilterBarProps, 'onFilter'>): readonly Condition[] => {
  const nameOf = useServiceName();
  const faults = byCount(batch.faults).map(([type]) => ({ value: type, label: guidanceOf(type).title }));
  if (filter.outcome === 'faulted') return [['fault', 'Problem', 'All problems', faults]];
  if (summary === undefined) return [];
  const services = summary.byService.map(({ shippingService: value }) => ({ value, label: nameOf(value) }));
  const zones = summary.byZone.map(({ rateZone: value }) => ({ value, label: `Zone ${value}` }));
  const weights = summary.byBillingWeight.map((band) => ({ value: bandKey(band), label: bandName(band) }));
  return [
    ['service', 'Service', 'All services', services],
    ['zone', 'Zone', 'All zones', zones],
    ['carrierZone', 'Carrier’s zone', '17 or 302'],
    ['weight', 'Billing weight', 'All weights', weights],
    ['sort', 'Sort by', 'As in the list', ORDERS],
  ];
};

export interface RowFilterBarProps {
  readonly batch: Batch;
  /** The choices come from it. Undefined until the batch has ended. */
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

export const RowFilterBar = ({ onFilter, ...props }: RowFilterBarProps) => {
  const { filter } = props;
  const { outcome, ...chosen } = filter;
  const conditions: readonly Condition[] = [
    ['search', 'Search your columns', 'Order, ZIP code or other text'],
    ...useConditions(props),
  ];
  const isNarrowed = Object.values(chosen).some((value) => value !== '');
  const [isOpen] = useState(() => isNarrowed || matchMedia('(width >= 700px)').matches);
  return (
    <Folded open={isOpen} title="Search and filters" box="fields short rows-filter">
      {conditions.map(([key, label, none, options]) => {
        const shared = {
          label,
          value: filter[key],
          onChange: (value: string) => onFilter({ ...filter, [key]: value }),
        };
        return options === undefined ? (
          <Typed key={key} {...shared} placeholder={none} />
        ) : (
          <Select key={key} {...shared} options={[{ value: '', label: none }, ...options]} />
        );
      })}
      {isNarrowed ? <Button onClick={() => onFilter({ ...ALL_ROWS, outcome })}>Clear</Button> : null}
    </Folded>
  );
};
