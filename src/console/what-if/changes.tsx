/** The fields of each thing that a scenario can change. */
import { Checkbox, Segments, Select, TextField } from '../ui/controls.tsx';
import { count } from '../ui/format.ts';
import {
  type Choices,
  type ServiceChoice,
  serviceLabel,
  servicesOf,
  tariffName,
  tariffStanding,
  warehouseName,
  warehousePlace,
} from './choices.ts';
import type { ChangeKind, NumberDraft, ScenarioDraft, Typed } from './draft.ts';

interface ChangeProps {
  readonly draft: ScenarioDraft;
  readonly choices: Choices;
  readonly onChange: (part: Partial<ScenarioDraft>) => void;
}

const toggled = (chosen: readonly string[], value: string, isOn: boolean): readonly string[] =>
  isOn ? [...chosen, value] : chosen.filter((other) => other !== value);

/** The services that a shipment of the scenario can go by. */
const servicesFor = ({ tariffs }: ScenarioDraft, choices: Choices) => {
  const named = servicesOf(choices.tariffs.filter(({ id }) => tariffs.includes(id)));
  const known = new Set(choices.services.map(({ code }) => code));
  return [...choices.services, ...named.filter(({ code }) => !known.has(code))];
};

const Rates = ({ draft: { tariffs }, choices, onChange }: ChangeProps) => (
  <>
    <p class="hint">Services of these tariffs are priced by them. All others stay as they are.</p>
    <div class="fields">
      {choices.tariffs.map((tariff) => (
        <Checkbox
          key={tariff.id}
          label={tariffName(tariff)}
          hint={tariffStanding(tariff)}
          checked={tariffs.includes(tariff.id)}
          onChange={(isOn) => onChange({ tariffs: toggled(tariffs, tariff.id, isOn) })}
        />
      ))}
    </div>
  </>
);

const Agreement = ({ draft, choices, onChange }: ChangeProps) => {
  const { agreement, agreementName, percents } = draft;
  const { agreements, drafts } = choices;
  const ways = [
    ...(agreements.length + drafts.length === 0 ? [] : [{ value: 'named', label: 'By its name' }]),
    { value: 'list', label: 'List prices' },
    { value: 'off', label: 'Percent off' },
  ];
  return (
    <>
      <Segments
        label="Which agreement"
        options={ways}
        value={agreement}
        onChange={(way) => onChange({ agreement: way === 'named' || way === 'list' ? way : 'off' })}
      />
      {agreement === 'named' ? (
        <div class="limited">
          <Select
            label="Agreement"
            hint="For all of your warehouses."
            value={agreementName}
            options={[
              ...agreements.map((own) => ({ value: own.name, label: agreementLabel(own) })),
              ...drafts.map((name) => ({ value: name, label: `${name}, a draft` })),
            ]}
            onChange={(name) => onChange({ agreementName: name })}
          />
        </div>
      ) : null}
      {agreement === 'list' ? <p class="hint">Without any agreement or discount of yours.</p> : null}
      {agreement === 'off' ? (
        <>
          <ByService
            label="Percent off the base charge"
            services={servicesFor(draft, choices)}
            values={percents}
            inputMode="decimal"
            onChange={(values) => onChange({ percents: values })}
          />
          <p class="hint">In place of your agreements. Services without a number are at list prices.</p>
        </>
      ) : null}
    </>
  );
};

const agreementLabel = ({ name, carrier, description, inForce }: Choices['agreements'][number]): string => {
  const standing = { now: '', later: ', not in force yet', past: ', ended' }[inForce];
  return `${description === '' ? name : `${description} (${name})`}, ${carrier}${standing}`;
};

const WAYS = [
  { value: 'cheapest', label: 'Each by its cheapest' },
  { value: 'all', label: 'All by one' },
  { value: 'map', label: 'One for another' },
  { value: 'carrier', label: 'Only one carrier' },
];

const AS_IT_IS = { value: '', label: 'As it is' };

const Services = ({ draft, choices, onChange }: ChangeProps) => {
  const { services: way, service, serviceMap, carrier } = draft;
  const services = servicesFor(draft, choices);
  const options = services.map((own) => ({ value: own.code, label: serviceLabel(own) }));
  const carriers = [...new Set(services.map((own) => own.carrier))];
  return (
    <>
      <Segments
        label="Which services"
        options={WAYS}
        value={way}
        onChange={(next) =>
          onChange({ services: next === 'all' || next === 'map' || next === 'carrier' ? next : 'cheapest' })
        }
      />
      {way === 'cheapest' ? <p class="hint">The cheapest service of each shipment, whatever its row names.</p> : null}
      {way === 'all' ? (
        <div class="limited">
          <Select label="Service" value={service} options={options} onChange={(code) => onChange({ service: code })} />
        </div>
      ) : null}
      {way === 'map' ? (
        <>
          <div class="fields">
            {choices.occurring.map(({ code, shipments }) => (
              <Select
                key={code}
                label={`${code}, ${count(shipments)} now`}
                value={serviceMap[code] ?? ''}
                options={[AS_IT_IS, ...options.filter(({ value }) => value !== code)]}
                onChange={(to) => onChange({ serviceMap: { ...serviceMap, [code]: to } })}
              />
            ))}
          </div>
          <p class="hint">Rows that name no service keep the cheapest one.</p>
        </>
      ) : null}
      {way === 'carrier' ? (
        <div class="limited">
          <Select
            label="Carrier"
            hint="A row that names a service of another carrier gets the cheapest one."
            value={carrier}
            options={carriers.map((name) => ({ value: name, label: name }))}
            onChange={(name) => onChange({ carrier: name })}
          />
        </div>
      ) : null}
    </>
  );
};

const ORIGINS = [
  { value: 'any', label: 'The cheapest of all' },
  { value: 'some', label: 'The cheapest of some' },
  { value: 'one', label: 'One warehouse' },
];

const Origin = ({ draft: { origin, warehouses, warehouse }, choices, onChange }: ChangeProps) => (
  <>
    <Segments
      label="Which warehouse"
      options={ORIGINS}
      value={origin}
      onChange={(next) => onChange({ origin: next === 'some' || next === 'one' ? next : 'any' })}
    />
    {origin === 'any' ? <p class="hint">Each shipment leaves from the warehouse that costs least.</p> : null}
    {origin === 'some' ? (
      <div class="fields">
        {choices.warehouses.map((own) => (
          <Checkbox
            key={own.warehouse_id}
            label={warehouseName(own)}
            hint={warehousePlace(own)}
            checked={warehouses.includes(String(own.warehouse_id))}
            onChange={(isOn) => onChange({ warehouses: toggled(warehouses, String(own.warehouse_id), isOn) })}
          />
        ))}
      </div>
    ) : null}
    {origin === 'one' ? (
      <div class="limited">
        <Select
          label="Warehouse"
          value={warehouse}
          options={[
            { value: '', label: 'Choose a warehouse' },
            ...choices.warehouses.map((own) => ({
              value: String(own.warehouse_id),
              label: `${warehouseName(own)}, ${warehousePlace(own)}`,
            })),
          ]}
          onChange={(id) => onChange({ warehouse: id })}
        />
      </div>
    ) : null}
  </>
);

const Day = ({ draft: { shipDate }, onChange }: ChangeProps) => (
  <div class="limited">
    <TextField
      label="Ship date of all rows"
      type="date"
      hint="Rates and fuel are those of that day."
      value={shipDate}
      onChange={(day) => onChange({ shipDate: day })}
    />
  </div>
);

const Divisor = ({ draft, choices, onChange }: ChangeProps) => (
  <NumberFields
    label="Dimensional divisor"
    hint="Cubic inches per pound, such as 139 or 166."
    services={servicesFor(draft, choices)}
    draft={draft.divisor}
    inputMode="numeric"
    onChange={(divisor) => onChange({ divisor })}
  />
);

const Fuel = ({ draft, choices, onChange }: ChangeProps) => (
  <NumberFields
    label="Fuel surcharge of the list, %"
    hint="An agreement's discount on fuel still applies."
    services={servicesFor(draft, choices)}
    draft={draft.fuel}
    inputMode="decimal"
    onChange={(fuel) => onChange({ fuel })}
  />
);

export const CHANGE_FIELDS = {
  rates: Rates,
  agreement: Agreement,
  services: Services,
  origin: Origin,
  day: Day,
  divisor: Divisor,
  fuel: Fuel,
} as const satisfies Readonly<Record<ChangeKind, unknown>>;

interface ByServiceProps {
  readonly label: string;
  readonly services: readonly ServiceChoice[];
  readonly values: Typed;
  readonly inputMode: 'numeric' | 'decimal';
  readonly onChange: (values: Typed) => void;
}

const ByService = ({ label, services, values, inputMode, onChange }: ByServiceProps) => (
  <fieldset class="fields">
    <legend>{label}</legend>
    {services.map((service) => (
      <TextField
        key={service.code}
        label={serviceLabel(service)}
        inputMode={inputMode}
        autocomplete="off"
        value={values[service.code] ?? ''}
        onChange={(value) => onChange({ ...values, [service.code]: value })}
      />
    ))}
  </fieldset>
);

interface NumberFieldsProps {
  /** Such as `Fuel surcharge, %`. */
  readonly label: string;
  readonly hint: string;
  readonly services: readonly ServiceChoice[];
  readonly draft: NumberDraft;
  readonly inputMode: 'numeric' | 'decimal';
  readonly onChange: (draft: NumberDraft) => void;
}

const BY = [
  { value: 'all', label: 'All services' },
  { value: 'service', label: 'By service' },
];

const NumberFields = ({ label, hint, services, draft, inputMode, onChange }: NumberFieldsProps) => (
  <>
    <Segments
      label={`${label}: for which services`}
      options={BY}
      value={draft.by}
      onChange={(by) => onChange({ ...draft, by: by === 'all' ? 'all' : 'service' })}
    />
    {draft.by === 'all' ? (
      <div class="limited">
        <TextField
          label={label}
          hint={hint}
          inputMode={inputMode}
          autocomplete="off"
          value={draft.value}
          onChange={(value) => onChange({ ...draft, value })}
        />
      </div>
    ) : (
      <>
        <ByService
          label={label}
          services={services}
          values={draft.values}
          inputMode={inputMode}
          onChange={(values) => onChange({ ...draft, values })}
        />
        <p class="hint">Services without a number stay as they are.</p>
      </>
    )}
  </>
);
