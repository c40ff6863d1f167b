/** A scenario as it is typed, and what it changes, in words. */

import { dayOf } from '../ui/format.ts';
import { type Choices, comingTariffs, tariffName, warehouseName } from './choices.ts';

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

const list = new Intl.ListFormat('en-US');

/** `divisor 166`; empty without a number. */
const numberWords = (what: string, { by, value, values }: NumberDraft, unit: string): string => {
  const words =
    by === 'all'
      ? [value.trim()].filter((text) => text !== '').map((text) => `${text}${unit}`)
      : entriesOf(values).map(([code, own]) => `${own}${unit} for ${code}`);
  return words.length === 0 ? '' : `${what} ${list.format(words)}`;
};

const servicesWords = ({ services, service, serviceMap, carrier }: ScenarioDraft): string => {
  switch (services) {
    case 'cheapest':
      return 'each to its cheapest service';
    case 'all':
      return `all to ${service}`;
    case 'map':
      return list.format(entriesOf(serviceMap).map(([from, to]) => `${from} to ${to}`));
    case 'carrier':
      return `only ${carrier}`;
    default:
      return services satisfies never;
  }
};

const originWords = ({ origin, warehouses, warehouse }: ScenarioDraft, choices: Choices): string => {
  const nameOf = (id: string): string => {
    const found = choices.warehouses.find((own) => String(own.warehouse_id) === id);
    return found === undefined ? `warehouse ${id}` : warehouseName(found);
  };
  if (origin === 'any') return 'from the cheapest warehouse';
  if (origin === 'one') return warehouse === '' ? '' : `from ${nameOf(warehouse)}`;
  return warehouses.length === 0 ? '' : `from the cheapest of ${list.format(warehouses.map(nameOf))}`;
};

const agreementWords = ({ agreement, agreementName, percents }: ScenarioDraft): string => {
  if (agreement === 'list') return 'list prices';
  if (agreement === 'named') return `agreement ${agreementName}`;
  return list.format(entriesOf(percents).map(([code, percent]) => `${percent}% off ${code}`));
};

const wordsOf = (kind: ChangeKind, draft: ScenarioDraft, choices: Choices): string => {
  switch (kind) {
    case 'rates':
      return list.format(choices.tariffs.filter(({ id }) => draft.tariffs.includes(id)).map(tariffName));
    case 'agreement':
      return agreementWords(draft);
    case 'services':
      return servicesWords(draft);
    case 'origin':
      return originWords(draft, choices);
    case 'day':
      return draft.shipDate === '' ? '' : `shipped on ${dayOf(draft.shipDate)}`;
    case 'divisor':
      return numberWords('divisor', draft.divisor, '');
    case 'fuel':
      return numberWords('fuel', draft.fuel, '%');
    default:
      return kind satisfies never;
  }
};

/** The longest name that the service takes. */
export const NAME_CHARACTERS = 60;

/** A name made of what the scenario changes. */
export const madeName = (draft: ScenarioDraft, choices: Choices): string => {
  const words = draft.kinds
    .map((kind) => wordsOf(kind, draft, choices).trim())
    .filter((text) => text !== '')
    .join(', ');
  const name = words === '' ? 'Scenario' : words.charAt(0).toUpperCase() + words.slice(1);
  return name.length <= NAME_CHARACTERS ? name : `${name.slice(0, NAME_CHARACTERS - 1)}…`;
};

/** The scenario's name: as typed, else made of what it changes. */
export const nameOfDraft = (draft: ScenarioDraft, choices: Choices): string =>
  draft.name === null || draft.name.trim() === '' ? madeName(draft, choices) : draft.name.trim();
