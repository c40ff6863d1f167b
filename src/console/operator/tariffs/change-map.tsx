/** The map of zones that change from one tariff to another, for an origin and services with the same changes. */
import { useMemo, useState } from 'preact/hooks';
import type { CentroidsBody, DifferenceBody } from '../../calls.ts';
import { type CellGroup, CellMap } from '../../tariffs/cell-map.tsx';
import { Select } from '../../ui/controls.tsx';
import { counted } from '../../ui/format.ts';

type Changes = DifferenceBody['zoneChanges'];
type Change = Changes[number];
type Zones = Change['changed'][string];

const KINDS = [
  {
    name: 'A higher zone',
    color: 'var(--zone-higher)',
    is: ([before, after]: Zones) => before !== null && after !== null && after > before,
  },
  {
    name: 'A lower zone',
    color: 'var(--zone-lower)',
    is: ([before, after]: Zones) => before !== null && after !== null && after < before,
  },
  { name: 'Newly served', color: 'var(--zone-new)', is: ([before]: Zones) => before === null },
  { name: 'No longer served', color: 'var(--zone-gone)', is: ([, after]: Zones) => after === null },
] as const;

const groupsOf = ({ changed }: Change): readonly CellGroup[] => [
  ...KINDS.map(({ name, color, is }) => ({
    name,
    color,
    holds: (zip3: string) => {
      const zones = changed[zip3];
      return zones !== undefined && is(zones);
    },
  })),
  { name: 'No change', color: 'var(--zone-same)', holds: () => true },
];

const zoneText = (zone: string | null): string => (zone === null ? 'not served' : `zone ${zone}`);

const originText = ({ origin, labels }: Change): string =>
  labels.length > 2 ? `${origin}, ${counted(labels.length, 'warehouse')}` : `${origin}, ${labels.join(', ')}`;

const servicesText = ({ services, changed }: Change): string =>
  `${services.length > 4 ? counted(services.length, 'service') : services.join(', ')}: ${counted(Object.keys(changed).length, 'change')}`;

/** The groups of services from an origin, those with most changes first. */
const groupsFrom = (changes: Changes, origin: string): readonly Change[] =>
  changes
    .filter((one) => one.origin === origin)
    .toSorted((a, b) => Object.keys(b.changed).length - Object.keys(a.changed).length);

export const ChangeMap = ({ changes, centroids }: { readonly changes: Changes; readonly centroids: CentroidsBody }) => {
  const origins = [...new Map(changes.map((change) => [change.origin, change])).values()];
  const most = changes.toSorted((a, b) => Object.keys(b.changed).length - Object.keys(a.changed).length)[0];
  const [origin, setOrigin] = useState(most?.origin ?? '');
  const [at, setAt] = useState(0);
  const groups = groupsFrom(changes, origin);
  const change = groups[at] ?? groups[0];
  const cells = useMemo(() => (change === undefined ? [] : groupsOf(change)), [change]);
  if (change === undefined) return <p>The tariffs have no service in common.</p>;
  const isNone = changes.every(({ changed }) => Object.keys(changed).length === 0);
  if (isNone)
    return (
      <p>
        No zone changes from {counted(origins.length, 'origin')}: {origins.map(originText).join('; ')}.
      </p>
    );
  return (
    <>
      <div class="fields">
        <Select
          label="Ships from"
          value={origin}
          options={origins.map((one) => ({ value: one.origin, label: originText(one) }))}
          onChange={(value) => {
            setOrigin(value);
            setAt(0);
          }}
        />
        <Select
          label="Services"
          hint="Services with the same changes are together."
          value={String(at)}
          options={groups.map((one, index) => ({ value: String(index), label: servicesText(one) }))}
          onChange={(value) => setAt(Number(value))}
        />
      </div>
      <CellMap
        centroids={centroids}
        groups={cells}
        origin={origin.slice(0, 3)}
        label={`Zones from ${origin} that change for ${change.services.join(', ')}`}
        describe={(zip3) => {
          const zones = change.changed[zip3];
          return zones === undefined ? 'no change' : `${zoneText(zones[0])}, then ${zoneText(zones[1])}`;
        }}
        lookup="Change for a ZIP code"
        table={{ title: 'All ZIP codes by change, as a table', group: 'Change' }}
        hint=" Its color is the change for most of them."
      />
    </>
  );
};
