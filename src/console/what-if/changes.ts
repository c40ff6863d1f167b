/** The changes that a scenario can make. Each change has one or more ways. A way has its fields, what it sends, and its text. */
import { must } from '../../base/must.ts';
import type { Scenario } from '../../lists/comparison/scenario.ts';
import { type FormField, type Typed, textIn } from '../ui/form.tsx';
import { allOf, count, counted, dayOf } from '../ui/format.ts';
import { serviceName, serviceOptions } from '../ui/service-names.tsx';
import {
  agreementLabel,
  type Choices,
  servicesOf,
  tariffName,
  tariffStanding,
  warehouseName,
  warehousePlace,
} from './choices.ts';

/** A way to make a change, with its current input. */
interface Way {
  /** Absent if it is the only way. */
  readonly label?: string;
  readonly hint?: string;
  /** The legend of a group of fields. */
  readonly legend?: string;
  readonly fields?: readonly FormField[];
  /** The members of the scenario, or the problem. */
  readonly sent: Partial<Scenario> | string;
  /** What it changes, for the name of the scenario. Empty while it changes nothing. */
  readonly words: string;
}

export interface Change {
  readonly kind: string;
  readonly label: string;
  /** The label of the choice of ways for screen readers. */
  readonly ask: string;
  /** The members of a scenario that it sets. */
  readonly members: readonly (keyof Scenario)[];
  /** The first way is the default. */
  readonly ways: (typed: Typed, choices: Choices) => readonly Way[];
}

/** The entries of fields that are not empty, by the part of their name after the member. */
const entriesOf = (typed: Typed, fields: readonly FormField[]): readonly (readonly [key: string, text: string])[] =>
  fields
    .map((field) => [field.at.slice(field.at.indexOf('.') + 1), textIn({ typed }, field).trim()] as const)
    .filter(([, text]) => text !== '');

const tariffFields = ({ tariffs }: Choices): readonly FormField[] =>
  tariffs.map((own) => ({
    at: `tariff.${own.id}`,
    type: 'check',
    label: tariffName(own),
    hint: tariffStanding(own),
  }));

/** The services available to a shipment of the scenario. */
const servicesFor = (typed: Typed, choices: Choices) => {
  const chosen = new Set(entriesOf(typed, tariffFields(choices)).map(([id]) => id));
  return servicesOf(
    choices.tariffs.filter(({ id }) => chosen.has(id)),
    choices.services,
  );
};

/** A field to choose one service. */
const serviceField = (typed: Typed, choices: Choices): FormField => {
  const [most] = choices.occurring;
  const options = serviceOptions(servicesFor(typed, choices));
  const other = choices.services.find(({ shippingService }) => shippingService !== most?.code)?.shippingService;
  return { at: 'service', label: 'Service', initial: other ?? most?.code ?? '', options };
};

interface Rule {
  readonly inputMode: 'numeric' | 'decimal';
  readonly isRight: (text: string) => boolean;
  readonly rule: string;
}

const PERCENT: Rule = {
  inputMode: 'decimal',
  isRight: (text) => /^\d{1,3}(?:\.\d{1,2})?$/.test(text) && Number(text) <= 100,
  rule: 'Type a percentage from 0 to 100 with at most two decimals, such as 12.5.',
};
const FACTOR: Rule = {
  inputMode: 'numeric',
  isRight: (text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 10_000,
  rule: 'Type a divisor: a whole number from 1 to 10,000, such as 139.',
};

interface Numbers extends Rule {
  readonly member: 'discounts' | 'dimensionalFactor' | 'fuel';
  readonly label: string;
  readonly hint: string;
  /** The text before the number, its unit, and the text before a service code. */
  readonly said: readonly [before: string, unit: string, of: string];
}

/** A way with a number for each service. */
const byService = ({ member, label, hint, said, ...rule }: Numbers, typed: Typed, choices: Choices): Way => {
  const { inputMode } = rule;
  const fields = serviceOptions(servicesFor(typed, choices)).map(
    ({ value, label: name }): FormField => ({ at: `${member}.${value}`, label: name, inputMode }),
  );
  const entries = entriesOf(typed, fields);
  const wrong = entries.find(([, text]) => !rule.isRight(text));
  const [before, unit, of] = said;
  const way = { label: 'By service', legend: label, hint, fields };
  if (entries.length === 0) return { ...way, sent: 'Type a number for at least one service.', words: '' };
  const nameOf = (code: string): string => serviceName(code, servicesFor(typed, choices));
  const words = `${before}${allOf(entries.map(([code, text]) => `${text}${unit}${of}${nameOf(code)}`))}`;
  if (wrong !== undefined) return { ...way, sent: `${nameOf(wrong[0])}: ${rule.rule}`, words };
  return { ...way, sent: { [member]: Object.fromEntries(entries.map(([code, text]) => [code, Number(text)])) }, words };
};

/** Two ways: one number for all services, or one for each. */
const numberWays =
  (of: Numbers): Change['ways'] =>
  (typed, choices) => {
    const { member, label, hint, inputMode, isRight, rule, said } = of;
    const field: FormField = { at: member, label, hint, inputMode };
    const text = textIn({ typed }, field).trim();
    return [
      {
        label: 'All services',
        fields: [field],
        sent: isRight(text) ? { [member]: Number(text) } : rule,
        words: text && `${said[0]}${text}${said[1]}`,
      },
      byService({ ...of, hint: 'Services without a number stay as they are.' }, typed, choices),
    ];
  };

const rates: Change['ways'] = (typed, choices) => {
  const fields = tariffFields(choices);
  const chosen = entriesOf(typed, fields).map(([id]) => id);
  return [
    {
      hint: 'Services in these tariffs are priced with them. All others stay as they are.',
      fields,
      sent: chosen.length === 0 ? 'Choose a tariff.' : { tariff: chosen },
      words: allOf(choices.tariffs.filter(({ id }) => chosen.includes(id)).map(tariffName)),
    },
  ];
};

export const LIST_PRICES = 'List prices';

const agreement: Change['ways'] = (typed, choices) => {
  const { agreements, drafts } = choices;
  const named: FormField = {
    at: 'agreement',
    label: 'Agreement',
    hint: 'For all of your warehouses.',
    initial: drafts[0] ?? agreements[0]?.name ?? '',
    options: [
      ...agreements.map((own) => ({ value: own.name, label: agreementLabel(own) })),
      ...drafts.map((name) => ({ value: name, label: `${name}, a draft` })),
    ],
  };
  const name = textIn({ typed }, named);
  const off: Numbers = {
    ...PERCENT,
    member: 'discounts',
    label: 'Percent off the base charge',
    hint: 'Instead of your agreements. Services without a number use list prices.',
    said: ['', '%', ' off '],
  };
  const byName = { label: 'By name', fields: [named], sent: { agreement: name }, words: `agreement ${name}` };
  return [
    ...(name === '' ? [] : [byName]),
    { ...byService(off, typed, choices), label: 'Percent off' },
    {
      label: LIST_PRICES,
      hint: 'Without your agreements and discounts.',
      sent: { agreement: 'none' },
      words: 'list prices',
    },
  ];
};

export const ALL_BY_ONE = 'One service for all';
const AS_IT_IS = { value: '', label: 'No change' };

const services: Change['ways'] = (typed, choices) => {
  const all = serviceField(typed, choices);
  const service = textIn({ typed }, all);
  const nameOf = (code: string): string => serviceName(code, servicesFor(typed, choices));
  const map = choices.occurring.map(
    ({ code, shipments }): FormField => ({
      at: `serviceMap.${code}`,
      label: `${all.options?.find(({ value }) => value === code)?.label ?? code}, ${count(shipments)} now`,
      options: [AS_IT_IS, ...(all.options ?? []).filter(({ value }) => value !== code)],
    }),
  );
  const mapped = entriesOf(typed, map);
  const carriers = [...new Set(servicesFor(typed, choices).map((own) => own.carrier))];
  const only: FormField = {
    at: 'carrier',
    label: 'Carrier',
    hint: 'A row that names a service of another carrier gets the cheapest one.',
    initial: carriers[0] ?? '',
    options: carriers.map((name) => ({ value: name, label: name })),
  };
  const carrier = textIn({ typed }, only);
  return [
    {
      label: 'Cheapest for each',
      hint: 'The cheapest service of each shipment, regardless of the service in its row.',
      sent: { service: 'cheapest' },
      words: 'cheapest service for each shipment',
    },
    { label: ALL_BY_ONE, fields: [all], sent: { service }, words: `all by ${nameOf(service)}` },
    {
      label: 'Swap services',
      hint: 'Rows that name no service keep the cheapest one.',
      fields: map,
      sent:
        mapped.length === 0
          ? 'Choose another service for at least one of these.'
          : { serviceMap: Object.fromEntries(mapped) },
      words: allOf(mapped.map(([from, to]) => `${nameOf(to)} instead of ${nameOf(from)}`)),
    },
    { label: 'Only one carrier', fields: [only], sent: { carrier }, words: `only ${carrier}` },
  ];
};

const origin: Change['ways'] = (typed, { warehouses }) => {
  const some = warehouses.map(
    (own): FormField => ({
      at: `warehouse.${own.warehouse_id}`,
      type: 'check',
      label: warehouseName(own),
      hint: warehousePlace(own),
    }),
  );
  const chosen = entriesOf(typed, some).map(([id]) => Number(id));
  const one: FormField = {
    at: 'warehouse',
    label: 'Warehouse',
    options: [
      { value: '', label: 'Choose a warehouse' },
      ...warehouses.map((own) => ({
        value: String(own.warehouse_id),
        label: `${warehouseName(own)}, ${warehousePlace(own)}`,
      })),
    ],
  };
  const warehouse = textIn({ typed }, one);
  const namesOf = (ids: readonly number[]): string =>
    allOf(warehouses.filter(({ warehouse_id }) => ids.includes(warehouse_id)).map(warehouseName));
  return [
    {
      label: 'The cheapest of all',
      hint: 'Each shipment leaves from its cheapest warehouse.',
      sent: { warehouse: 'any' },
      words: 'from the cheapest warehouse',
    },
    {
      label: 'The cheapest of some',
      fields: some,
      sent: chosen.length < 2 ? 'Choose at least two warehouses.' : { warehouse: chosen },
      words: chosen.length === 0 ? '' : `from the cheapest of ${namesOf(chosen)}`,
    },
    {
      label: 'One warehouse',
      fields: [one],
      sent: warehouse === '' ? 'Choose a warehouse.' : { warehouse: Number(warehouse) },
      words: warehouse && `from ${namesOf([Number(warehouse)])}`,
    },
  ];
};

const day: Change['ways'] = (typed) => {
  const field: FormField = {
    at: 'shipDate',
    label: 'Ship date of all rows',
    type: 'date',
    hint: 'Uses the rates and fuel of that day.',
  };
  const shipDate = textIn({ typed }, field);
  return [
    {
      fields: [field],
      sent: shipDate === '' ? 'Choose a day.' : { shipDate },
      words: shipDate && `shipped on ${dayOf(shipDate)}`,
    },
  ];
};

const deadline: Change['ways'] = (typed) => {
  const within: FormField = {
    at: 'by.days',
    label: 'Business days',
    inputMode: 'numeric',
    initial: '3',
    hint: 'Services with unknown transit days are left out.',
  };
  const days = textIn({ typed }, within).trim();
  const until: FormField = { at: 'by', label: 'Deliver by', type: 'date' };
  const by = textIn({ typed }, until);
  const isRight = /^[1-9]\d?$/.test(days) && Number(days) <= 30;
  return [
    {
      label: 'Within a number of days',
      fields: [within],
      sent: isRight ? { by: Number(days) } : 'Type a whole number of days from 1 to 30.',
      words: isRight ? `within ${counted(Number(days), 'business day')}` : '',
    },
    {
      label: 'By a day',
      fields: [until],
      sent: by === '' ? 'Choose a day.' : { by },
      words: by && `delivered by ${dayOf(by)}`,
    },
  ];
};

/** In the order of the form. */
export const CHANGES = [
  { kind: 'rates', label: 'Rates', ask: 'Which rates', members: ['tariff'], ways: rates },
  {
    kind: 'agreement',
    label: 'Agreement',
    ask: 'Which agreement',
    members: ['agreement', 'discounts'],
    ways: agreement,
  },
  {
    kind: 'services',
    label: 'Services',
    ask: 'Which services',
    members: ['service', 'serviceMap', 'carrier'],
    ways: services,
  },
  { kind: 'origin', label: 'Origin', ask: 'Which warehouse', members: ['warehouse'], ways: origin },
  { kind: 'day', label: 'Ship date', ask: 'Which day', members: ['shipDate'], ways: day },
  { kind: 'deadline', label: 'Deadline', ask: 'When it must arrive', members: ['by'], ways: deadline },
  {
    kind: 'divisor',
    label: 'Divisor',
    ask: 'Dimensional divisor: for which services',
    members: ['dimensionalFactor'],
    ways: numberWays({
      ...FACTOR,
      member: 'dimensionalFactor',
      label: 'Dimensional divisor',
      hint: 'Cubic inches per pound, such as 139 or 166.',
      said: ['divisor ', '', ' for '],
    }),
  },
  {
    kind: 'fuel',
    label: 'Fuel surcharge',
    ask: 'List fuel surcharge, %: for which services',
    members: ['fuel'],
    ways: numberWays({
      ...PERCENT,
      member: 'fuel',
      label: 'List fuel surcharge, %',
      hint: 'An agreement’s discount on fuel still applies.',
      said: ['fuel ', '%', ' for '],
    }),
  },
] as const satisfies readonly Change[];
export type ChangeKind = (typeof CHANGES)[number]['kind'];

/** The field with the chosen way. */
export const wayAt = (kind: ChangeKind): string => `way of ${kind}`;

/** The ways of a change, and the chosen one. */
export const waysOf = ({ kind, ways: waysOfIt }: (typeof CHANGES)[number], typed: Typed, choices: Choices) => {
  const ways = waysOfIt(typed, choices);
  return { ways, way: ways.find(({ label }) => label === typed[wayAt(kind)]) ?? must(ways[0], 'the first way') };
};
