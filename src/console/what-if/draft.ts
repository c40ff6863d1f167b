/** A scenario as it is typed. */
import { type Choices, comingTariffs, tariffName } from './choices.ts';

/** What a scenario can change, in the order of the form. */
export const CHANGES = [
  { kind: 'rates', label: 'Other rates' },
  { kind: 'agreement', label: 'Another agreement' },
  { kind: 'services', label: 'Other services' },
  { kind: 'origin', label: 'Another origin' },
  { kind: 'day', label: 'Another day' },
  { kind: 'divisor', label: 'Another divisor' },
  { kind: 'fuel', label: 'Another fuel surcharge' },
] as const;
export type ChangeKind = (typeof CHANGES)[number]['kind'];

/** Numbers as they are typed, by service. */
export type Typed = Readonly<Record<string, string>>;

/** One number for all services, or one for each. */
export interface NumberDraft {
  readonly by: 'all' | 'service';
  readonly value: string;
  readonly values: Typed;
}

/** What is typed stays while another way is chosen. */
export interface ScenarioDraft {
  readonly key: number;
  /** Null: made of the rest. */
  readonly name: string | null;
  readonly kinds: readonly ChangeKind[];
  readonly tariffs: readonly string[];
  readonly agreement: 'list' | 'named' | 'off';
  readonly agreementName: string;
  readonly percents: Typed;
  readonly services: 'cheapest' | 'all' | 'map' | 'carrier';
  readonly service: string;
  readonly serviceMap: Typed;
  readonly carrier: string;
  readonly origin: 'any' | 'some' | 'one';
  readonly warehouses: readonly string[];
  readonly warehouse: string;
  readonly shipDate: string;
  readonly divisor: NumberDraft;
  readonly fuel: NumberDraft;
}

const noNumber: NumberDraft = { by: 'all', value: '', values: {} };

/** A scenario that changes nothing yet. Its first choices are those that people ask for most. */
export const emptyScenario = (key: number, { agreements, drafts, services, occurring }: Choices): ScenarioDraft => {
  const most = occurring[0]?.code;
  return {
    key,
    name: null,
    kinds: [],
    tariffs: [],
    agreement: agreements.length + drafts.length > 0 ? 'named' : 'off',
    agreementName: drafts[0] ?? agreements[0]?.name ?? '',
    percents: {},
    services: 'cheapest',
    service: services.find(({ code }) => code !== most)?.code ?? most ?? '',
    serviceMap: {},
    carrier: services[0]?.carrier ?? '',
    origin: 'any',
    warehouses: [],
    warehouse: '',
    shipDate: '',
    divisor: noNumber,
    fuel: noNumber,
  };
};

export interface Preset {
  readonly label: string;
  readonly hint: string;
  readonly change: Partial<ScenarioDraft>;
}

const comingYear = (choices: Choices, today: Date): string => {
  const years = new Set(comingTariffs(choices).map(({ effectiveDate }) => Number(effectiveDate.slice(0, 4))));
  return years.size === 1 && years.has(today.getFullYear() + 1) ? 'Next year’s rates' : 'Rates to come';
};

/** What people ask most. */
export const presetsOf = (choices: Choices, today: Date): readonly Preset[] => {
  const coming = comingTariffs(choices);
  const label = comingYear(choices, today);
  return [
    {
      label: 'Each shipment by its cheapest service',
      hint: 'Whatever service a row names.',
      change: { kinds: ['services'], services: 'cheapest' },
    },
    {
      label: 'All by one service',
      hint: 'You choose which.',
      change: { kinds: ['services'], services: 'all' },
    },
    ...(coming.length === 0
      ? []
      : [
          {
            label,
            hint: coming.map(tariffName).join(', '),
            change: { name: label, kinds: ['rates'], tariffs: coming.map(({ id }) => id) },
          } as const,
        ]),
    ...(choices.warehouses.length < 2
      ? []
      : [
          {
            label: 'From the cheapest warehouse',
            hint: `Each shipment from the best of ${choices.warehouses.length}.`,
            change: { kinds: ['origin'], origin: 'any' },
          } as const,
        ]),
    ...(choices.agreements.length === 0
      ? []
      : [
          {
            label: 'At list prices',
            hint: 'Shows what your agreements are worth.',
            change: { kinds: ['agreement'], agreement: 'list' },
          } as const,
        ]),
    { label: 'Something else', hint: 'Other rates, discounts, a day, a divisor, fuel.', change: {} },
  ];
};

/** What is typed, without empty fields. */
export const entriesOf = (typed: Typed): readonly (readonly [string, string])[] =>
  Object.entries(typed)
    .map(([code, value]) => [code, value.trim()] as const)
    .filter(([, value]) => value !== '');
