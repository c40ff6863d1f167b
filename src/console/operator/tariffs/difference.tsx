/** What a draft changes in a tariff of the service: rates by service, other differences, and a map of zones. */
import { useMemo, useState } from 'preact/hooks';
import { useApi, useLoad } from '../../api.ts';
import type { DifferenceBody, TariffDraftBody } from '../../calls.ts';
import { type CellGroup, CellMap } from '../../tariffs/cell-map.tsx';
import { Select } from '../../ui/controls.tsx';
import { FaultNotice, Folded, Lines, Skeleton } from '../../ui/feedback.tsx';
import { allOf, capital, count, counted, dayOf, differencePercent } from '../../ui/format.ts';
import { Panel, Rows } from '../../ui/kit.tsx';
import { useServiceName } from '../../ui/service-names.tsx';
import type { Col } from '../../ui/table.tsx';
import { ChangeRows } from './words.tsx';

type Rates = DifferenceBody['rates'][number];

const percentOf = (hundredths: number): string => differencePercent(hundredths / 100);

const changeOf = ({ before, after }: NonNullable<Rates['largest']>): string =>
  differencePercent((100 * (Number(after) - Number(before))) / Number(before));

const Bands = ({ code, columns, bands }: Rates) => (
  <Rows
    caption={`Average change of ${code} by weight and zone`}
    dense
    of={bands}
    keyOf={({ toLb }) => toLb}
    cols={[
      ['Weight', ({ fromLb, toLb }) => `${fromLb}–${toLb} LB`, 'head'],
      ...columns.map(
        (column, at): Col<Rates['bands'][number]> => [
          `Zone ${column}`,
          ({ byColumn }) => {
            const change = byColumn[at] ?? null;
            return change === null ? '·' : percentOf(change.averageHundredths);
          },
          'number',
        ],
      ),
    ]}
  />
);

const RateChanges = ({ rates }: Pick<DifferenceBody, 'rates'>) => {
  const titleOf = useServiceName();
  if (rates.length === 0) return <p>The rates by weight are the same.</p>;
  return (
    <>
      <Rows
        caption="Rates by service"
        of={rates}
        cards
        keyOf={({ code }) => code}
        cols={[
          ['Service', ({ code }) => titleOf(code), 'head'],
          [
            'Rates that change',
            ({ changed, cells, added, removed }) =>
              [
                ...(cells === 0 ? [] : [`${count(changed)} of ${count(cells)}`]),
                ...(added === 0 ? [] : [`${count(added)} added`]),
                ...(removed === 0 ? [] : [`${count(removed)} removed`]),
              ].join(', '),
          ],
          [
            'On average',
            ({ cells, averageHundredths }) => (cells === 0 ? '—' : percentOf(averageHundredths)),
            'number',
          ],
          [
            'Largest',
            ({ largest }) =>
              largest === undefined
                ? '—'
                : `${changeOf(largest)} at ${largest.weightLb} lb, zone ${largest.column} ($${largest.before} → $${largest.after})`,
          ],
        ]}
      />
      <Folded title="Average change by weight and zone" box="stack">
        {rates
          .filter(({ changed }) => changed > 0)
          .map((service) => (
            <div key={service.code} class="stack">
              <h4>{titleOf(service.code)}</h4>
              <Bands {...service} />
            </div>
          ))}
      </Folded>
    </>
  );
};

const COUNTS = [
  ['otherRows', 'rates below one pound and prices per pound'],
  ['cubic', 'cubic prices'],
  ['multiweight', 'multiweight prices'],
  ['zones', 'zones of ZIP code ranges'],
  ['areas', 'ZIP codes in delivery areas'],
] as const;

/** Formats `1,204 ZIP codes in delivery areas: 1,200 added, 4 removed`, by what it is about. */
const countsIn = (body: DifferenceBody) =>
  COUNTS.flatMap(([key, words]) => {
    const sums = (['added', 'removed', 'changed'] as const)
      .map((change) => ({ change, sum: body[key].reduce((sum, file) => sum + file[change], 0) }))
      .filter(({ sum }) => sum > 0);
    if (sums.length === 0) return [];
    return [{ key, words, line: `${words}: ${sums.map(({ change, sum }) => `${count(sum)} ${change}`).join(', ')}` }];
  });

const nameOf = (name: string): string => name.replace(/^service /, 'Service ').replace(/^surcharge /, 'Charge ');

const Others = ({ body }: { readonly body: DifferenceBody }) => {
  const { settings, added, removed } = body;
  const lines = [
    ...removed.map((name) => `${nameOf(name)}: removed`),
    ...added.map((name) => `${nameOf(name)}: added`),
    ...countsIn(body).map(({ line }) => capital(line)),
  ];
  if (lines.length + settings.count === 0) return <p>Nothing else is different.</p>;
  return (
    <>
      {lines.length === 0 ? null : <Lines class="lines" of={lines} />}
      {settings.count === 0 ? null : (
        <Folded title="Charges, fuel and terms that change" mark={settings.count}>
          <ChangeRows caption="Charges, fuel and terms that change" of={settings.first} />
          {settings.count > settings.first.length ? (
            <p class="hint">{counted(settings.count - settings.first.length, 'more change')} are not shown.</p>
          ) : null}
        </Folded>
      )}
    </>
  );
};

/** Names the services that a draft does not have and leaves unchanged. */
const stayText = ({ stays }: DifferenceBody): string =>
  stays.length === 0
    ? ''
    : ` The draft does not have ${allOf(stays)}, and changes nothing about ${stays.length === 1 ? 'it' : 'them'}.`;

/** The number of ZIP codes with another zone. */
const sizeOf = ({ changed }: DifferenceBody['zoneChanges'][number]): number => Object.keys(changed).length;

/** What the draft changes, in a sentence. Undefined until it is known. */
export const headlineOf = (
  { imported }: TariffDraftBody,
  { to, loaded: { data } }: ReturnType<typeof useDifference>,
): string | undefined => {
  const services = imported?.services.length ?? 0;
  if (to === undefined)
    return `New tariff: ${counted(services, 'service')}. No other tariff has ${services === 1 ? 'it' : 'any of them'}.`;
  if (data === undefined) return undefined;
  const sum = (of: (one: Rates) => number): number => data.rates.reduce((all, one) => all + of(one), 0);
  const [changed, added, removed] = [sum((one) => one.changed), sum((one) => one.added), sum((one) => one.removed)];
  const average = percentOf(Math.round(sum((one) => one.cells * one.averageHundredths) / changed));
  const change = changed === 1 ? `changes (${average})` : `change (${average} on average)`;
  const others = data.added.length + data.removed.length;
  const origins = new Set(data.zoneChanges.filter(sizeOf).map(({ origin }) => origin)).size;
  const tables = countsIn(data).filter(({ key }) => key !== 'zones' || origins === 0);
  const parts: readonly (readonly [number, string])[] = [
    [changed, `${count(changed)} of ${count(sum((one) => one.cells))} rates ${change}`],
    [added, `${counted(added, 'rate is', 'rates are')} added`],
    [removed, `${counted(removed, 'rate is', 'rates are')} removed`],
    [data.settings.count, counted(data.settings.count, 'charge or term changes', 'charges and terms change')],
    [others, `${counted(others, 'service or charge is', 'services and charges are')} added or removed`],
    ...tables.map(({ words }) => [1, `${words} change`] as const),
    [origins, `zones change from ${counted(origins, 'origin')}`],
  ];
  const said = parts.filter(([number]) => number > 0).map(([, words]) => words);
  const name = to.split('@', 1)[0];
  const differs = `Compared with ${name}, ${allOf(said)}. Nothing else changes.`;
  return `${said.length === 0 ? `The same as ${name}.` : differs}${stayText(data)}`;
};

const Difference = ({ body }: { readonly body: DifferenceBody }) => (
  <>
    <h3>Rates by weight</h3>
    <RateChanges rates={body.rates} />
    <h3>Other differences</h3>
    <Others body={body} />
    <h3>Zones</h3>
    <ChangeMap changes={body.zoneChanges} />
  </>
);

/** Compares a draft with the chosen tariff. The most likely tariff is chosen first. */
export const useDifference = ({ id, comparable }: TariffDraftBody) => {
  const api = useApi();
  const [to, setTo] = useState(comparable[0]?.id);
  const loaded = useLoad<DifferenceBody | undefined>(
    async (signal) =>
      to === undefined
        ? undefined
        : await api.call('GET /ops/tariff-drafts/{id}/difference', { id, query: { to }, signal }),
    [api, id, to],
  );
  return { to, setTo, loaded };
};

type PanelProps = ReturnType<typeof useDifference> & { readonly draft: TariffDraftBody; readonly to: string };

export const DifferencePanel = ({ draft, to, setTo, loaded }: PanelProps) => (
  <Panel title="What changes">
    <FaultNotice fault={loaded.fault} retry={loaded.reload} />
    <Folded box="stack" title="Rates, charges and zones">
      <div class="fields">
        <Select
          label="Compared with"
          value={to}
          options={draft.comparable.map(({ id, effectiveDate }) => ({
            value: id,
            label: `${id.split('@')[0]}, from ${dayOf(effectiveDate)}`,
          }))}
          onChange={setTo}
        />
      </div>
      {loaded.state === 'loading' ? (
        <Skeleton lines={6} label="Comparing the tariffs, which takes a few seconds" />
      ) : null}
      {loaded.state === 'done' && loaded.data !== undefined ? <Difference body={loaded.data} /> : null}
    </Folded>
  </Panel>
);

type Changes = DifferenceBody['zoneChanges'];
type Change = Changes[number];
type Zones = Change['changed'][string];

const KINDS = [
  {
    name: 'Higher zone',
    color: 'var(--zone-higher)',
    is: ([before, after]: Zones) => before !== null && after !== null && after > before,
  },
  {
    name: 'Lower zone',
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

const servicesText = (change: Change, titleOf: (code: string) => string): string => {
  const { services } = change;
  return `${services.length > 4 ? counted(services.length, 'service') : services.map(titleOf).join(', ')}: ${counted(sizeOf(change), 'change')}`;
};

const ChangeMap = ({ changes }: { readonly changes: Changes }) => {
  const titleOf = useServiceName();
  const origins = [...new Map(changes.map((change) => [change.origin, change])).values()];
  const sorted = changes.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const [origin, setOrigin] = useState(sorted[0]?.origin ?? '');
  const [at, setAt] = useState(0);
  /** The groups of services from the origin, ordered from most to fewest changes. */
  const groups = sorted.filter((one) => one.origin === origin);
  const change = groups[at] ?? groups[0];
  const cells = useMemo(() => (change === undefined ? [] : groupsOf(change)), [change]);
  if (change === undefined) return <p>The tariffs have no service in common.</p>;
  if (sorted[0] === undefined || sizeOf(sorted[0]) === 0)
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
          hint="Services with the same changes are grouped."
          value={String(at)}
          options={groups.map((one, index) => ({ value: String(index), label: servicesText(one, titleOf) }))}
          onChange={(value) => setAt(Number(value))}
        />
      </div>
      <CellMap
        groups={cells}
        origin={origin.slice(0, 3)}
        label={`Zones from ${origin} that change for ${change.services.map(titleOf).join(', ')}`}
        describe={(zip3) => {
          const zones = change.changed[zip3];
          return zones === undefined ? 'no change' : `${zoneText(zones[0])}, then ${zoneText(zones[1])}`;
        }}
        lookup="Change for a ZIP code"
        table={{ title: 'All ZIP codes by change, as a table', group: 'Change' }}
        hint=" Its color shows the change for most of them."
      />
    </>
  );
};
