/** A scenario while it is filled in: its name, the presets to begin with, what is sent, and its problems. */
import type { Scenario } from '../../lists/comparison/scenario.ts';
import type { Typed } from '../ui/form.tsx';
import { allOf, count, counted } from '../ui/format.ts';
import { ALL_BY_ONE, CHANGES, type ChangeKind, LIST_PRICES, wayAt, waysOf } from './changes.ts';
import { type Choices, comingTariffs, servicesOf, tariffName, warehouseName } from './choices.ts';

/** Input stays when the user chooses another way. */
export interface Draft {
  readonly key: number;
  /** Null: the name is made from the changes. */
  readonly name: string | null;
  readonly kinds: readonly ChangeKind[];
  readonly typed: Typed;
}

export interface Preset {
  readonly label: string;
  readonly hint: string;
  readonly begin: Partial<Draft>;
}

const comingYear = (choices: Choices, today: Date): string => {
  const years = new Set(comingTariffs(choices).map(({ effectiveDate }) => Number(effectiveDate.slice(0, 4))));
  return years.size === 1 && years.has(today.getFullYear() + 1) ? 'Next year’s rates' : 'Upcoming rates';
};

/** The most common questions. */
export const presetsOf = (choices: Choices, today: Date): readonly Preset[] => {
  const coming = comingTariffs(choices);
  const year = comingYear(choices, today);
  const preset = (label: string, hint: string, kinds: readonly ChangeKind[], typed: Typed = {}): Preset => ({
    ...{ label, hint },
    begin: { kinds, typed },
  });
  const rates = preset(
    year,
    `Each shipment at the rates of ${allOf(coming.map(tariffName))}.`,
    ['rates'],
    Object.fromEntries(coming.map(({ id }) => [`tariff.${id}`, 'true'])),
  );
  const { warehouses, agreements, tariffs, occurring } = choices;
  const services = servicesOf(tariffs.filter(({ inForce }) => inForce === 'now'));
  const carriers = [...new Set(agreements.map(({ carrier }) => carrier))];
  const [most] = occurring;
  const number = occurring.reduce((sum, { shipments }) => sum + shipments, 0);
  const each = `each of ${counted(number, 'shipment')}`;
  const name =
    choices.services.find(({ shippingService }) => shippingService === most?.code)?.description || most?.code;
  const now = most === undefined ? '' : ` Now ${count(most.shipments)} of ${count(number)} go by ${name}.`;
  return [
    preset(
      'Each shipment by its cheapest service',
      `The cheapest of ${counted(services.length, 'service')} for ${each}, whatever service its row names.`,
      ['services'],
    ),
    preset('All by one service', `You choose which.${now}`, ['services'], { [wayAt('services')]: ALL_BY_ONE }),
    preset('Cheapest within 3 days', `The cheapest service that takes at most 3 business days, for ${each}.`, [
      ...(['services', 'deadline'] as const),
    ]),
    ...(coming.length === 0 ? [] : [{ ...rates, begin: { ...rates.begin, name: year } }]),
    ...(warehouses.length < 2
      ? []
      : [
          preset('From the cheapest warehouse', `The best of ${allOf(warehouses.map(warehouseName))} for ${each}.`, [
            'origin',
          ]),
        ]),
    ...(agreements.length === 0
      ? []
      : [
          preset(
            'At list prices',
            `Shows what your ${allOf(carriers)} ${agreements.length === 1 ? 'agreement saves' : 'agreements save'}.`,
            ['agreement'],
            { [wayAt('agreement')]: LIST_PRICES },
          ),
        ]),
    preset('Something else', 'Other rates, discounts, a day, a divisor, fuel: one or several together.', []),
  ];
};

/** The changes of a draft with their current input, in the order in which they were added. */
const chosenIn = ({ kinds, typed }: Draft, choices: Choices) =>
  kinds.flatMap((kind) =>
    CHANGES.filter((change) => change.kind === kind).map((change) => ({
      kind,
      ...waysOf(change, typed, choices).way,
    })),
  );

/** The service's limit on the length of a name. */
export const NAME_CHARACTERS = 60;

/** Makes a name from the scenario's changes. */
export const madeName = (draft: Draft, choices: Choices): string => {
  const words = chosenIn(draft, choices)
    .map((way) => way.words)
    .filter((text) => text !== '')
    .join(', ');
  const name = words === '' ? 'Scenario' : words.charAt(0).toUpperCase() + words.slice(1);
  return name.length <= NAME_CHARACTERS ? name : `${name.slice(0, NAME_CHARACTERS - 1)}…`;
};

/** Problems by the kind of change, by `name`, or by an empty key. */
export type Problems = ReadonlyMap<string, string>;

/** The scenario as it is sent, and its problems. */
export const scenarioOf = (
  draft: Draft,
  choices: Choices,
): { readonly scenario: Scenario; readonly problems: Problems } => {
  const problems = new Map<string, string>();
  if (draft.kinds.length === 0) problems.set('', 'Choose what changes.');
  let scenario: Scenario = { name: draft.name?.trim() || madeName(draft, choices) };
  for (const { kind, sent } of chosenIn(draft, choices)) {
    if (typeof sent === 'string') problems.set(kind, sent);
    else scenario = { ...scenario, ...sent };
  }
  return { scenario, problems };
};

const MEMBER = /^scenarios\[(\d+)\](?:\.([A-Za-z]+))?/;

/** The problems that the service names, by scenario index. Problems of no scenario have the index -1. */
export const problemsIn = (named: Readonly<Record<string, unknown>>): ReadonlyMap<number, Problems> => {
  const problems = new Map<number, Map<string, string>>();
  for (const [path, message] of Object.entries(named)) {
    const [, index = -1, member = ''] = MEMBER.exec(path) ?? [];
    const own = problems.get(Number(index)) ?? new Map<string, string>();
    const change = CHANGES.find(({ members }) => members.some((name) => name === member));
    problems.set(Number(index), own.set(change?.kind ?? (member === 'name' ? member : ''), String(message)));
  }
  return problems;
};
