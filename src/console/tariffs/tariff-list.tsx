/** The tariffs with their services, and lines about warehouses without a zone chart. */
import type { TariffsBody } from '../calls.ts';
import { allOf, carrierText, count, dayOf } from '../ui/format.ts';
import { Named, Rows } from '../ui/kit.tsx';
import { CoverageTable } from './coverage.tsx';

export type Tariff = TariffsBody['tariffs'][number];

const MARKS = { now: 'mark good', later: 'mark accent', past: 'mark' } as const;
const WORDS = { now: 'in force', later: 'upcoming', past: 'replaced' } as const;

interface StateProps {
  readonly inForce: keyof typeof WORDS;
  readonly services: readonly { readonly inForce: keyof typeof WORDS }[];
}

/** Whether a tariff is in force, and how many of its services are, if other tariffs replaced some. */
export const TariffState = ({ inForce, services }: StateProps) => {
  const now = services.filter((service) => service.inForce === 'now').length;
  const isPart = inForce === 'now' && now < services.length;
  return <span class={MARKS[inForce]}>{isPart ? `${now} of ${services.length} in force` : WORDS[inForce]}</span>;
};

/** More about the services: their limits and requirements. */
const Terms = ({ tariff: { id, name, description, services } }: { readonly tariff: Tariff }) => (
  <>
    <Rows
      caption={`Services of ${name}`}
      cards
      of={services}
      keyOf={({ shippingService }) => shippingService}
      cols={[
        ['Service', ({ description, shippingService }) => <Named name={description} text={shippingService} />, 'head'],
        ['Carrier', ({ carrier }) => carrier],
        ['State', ({ inForce }) => WORDS[inForce]],
        ['Maximum, lb', ({ maximumWeightLb }) => count(maximumWeightLb), 'number'],
        ['Dimensional factor', ({ dimensionalFactor }) => count(dimensionalFactor), 'number'],
        ['Street', ({ addressLineRequired }) => (addressLineRequired ? 'required' : 'not required')],
      ]}
    />
    <p class="hint">
      Version <code class="anywhere">{id}</code>. {description}
    </p>
  </>
);

const TariffSection = ({ tariff }: { readonly tariff: Tariff }) => {
  const { name, description, effectiveDate, fallback, inForce, services, coverage } = tariff;
  const known = services.map(({ shippingService, ...one }) => ({
    ...one,
    code: shippingService,
    name: one.description,
  }));
  const from = fallback ? 'Used only while no other tariff is in force.' : `From ${dayOf(effectiveDate)}.`;
  if (inForce === 'past')
    return (
      <details>
        <summary>
          Tariff “{name}”: {fallback ? 'not in use' : 'replaced'}. {from}
        </summary>
        <Terms tariff={tariff} />
      </details>
    );
  return (
    <section class="stack">
      <div>
        <h2>
          Tariff “{name}” <TariffState inForce={inForce} services={services} />
        </h2>
        <p class="hint">
          {from} {fallback ? `${description.split('. ', 1).join()}.` : ''}
        </p>
      </div>
      <CoverageTable name={name} coverage={coverage} known={known} />
      <details>
        <summary>Weights, what each service needs, and the version</summary>
        <Terms tariff={tariff} />
      </details>
    </section>
  );
};

const ORDER = ['now', 'later', 'past'] as const;

export const TariffList = ({ tariffs }: { readonly tariffs: readonly Tariff[] }) => (
  <>
    {ORDER.flatMap((state) => tariffs.filter(({ inForce }) => inForce === state)).map((tariff) => (
      <TariffSection key={tariff.id} tariff={tariff} />
    ))}
  </>
);

type Uncharted = TariffsBody['uncharted'][number];

const CONSEQUENCES = {
  estimated: 'Zones from there are estimated by distance, and quotes say so.',
  unreached: 'Nothing can be quoted from there.',
} as const;

/** Formats `No zone chart for warehouses 101 (UPS) and 102 (FedEx, UPS).` */
const sentenceOf = (entries: readonly Uncharted[]): string => {
  const ids = [...new Set(entries.map(({ warehouse_id }) => warehouse_id))];
  const named = ids.map(
    (id) =>
      `${id} (${entries
        .filter(({ warehouse_id }) => warehouse_id === id)
        .map(carrierText)
        .join(', ')})`,
  );
  return `No zone chart for ${ids.length === 1 ? 'warehouse' : 'warehouses'} ${allOf(named)}.`;
};

export const UnchartedLines = ({ uncharted }: Pick<TariffsBody, 'uncharted'>) => (
  <>
    {(['estimated', 'unreached'] as const).map((kind) => {
      const own = uncharted.filter(({ zones }) => zones === kind);
      return own.length === 0 ? null : (
        <p key={kind}>
          <strong>{sentenceOf(own)}</strong> {CONSEQUENCES[kind]}
        </p>
      );
    })}
  </>
);
