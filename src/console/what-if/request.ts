/** A scenario as it is sent, and what is wrong about it. */
import type { Scenario } from '../../lists/comparison/scenario.ts';
import type { Choices } from './choices.ts';
import { type ChangeKind, entriesOf, type NumberDraft, nameOfDraft, type ScenarioDraft, type Typed } from './draft.ts';

/** Problems by the member of the scenario. */
export type Problems = ReadonlyMap<string, string>;

const PERCENT = /^\d{1,3}(?:\.\d{1,2})?$/;
const FACTOR = /^\d{1,5}$/;

const isPercent = (text: string): boolean => PERCENT.test(text) && Number(text) <= 100;
const isFactor = (text: string): boolean => FACTOR.test(text) && Number(text) >= 1 && Number(text) <= 10_000;

const PERCENT_RULE = 'Type a percentage from 0 to 100 with at most two decimals, such as 12.5.';
const FACTOR_RULE = 'Type a whole number from 1 to 10,000, such as 139.';

/** A number for all services, or a record; or the problem. */
const numberOf = (
  { by, value, values }: NumberDraft,
  isRight: (text: string) => boolean,
  rule: string,
): number | Readonly<Record<string, number>> | string => {
  if (by === 'all') return isRight(value.trim()) ? Number(value) : rule;
  return recordOf(values, isRight, rule);
};

const recordOf = (
  values: Typed,
  isRight: (text: string) => boolean,
  rule: string,
): Readonly<Record<string, number>> | string => {
  const entries = entriesOf(values);
  if (entries.length === 0) return 'Type a number for at least one service.';
  const wrong = entries.find(([, text]) => !isRight(text));
  return wrong === undefined
    ? Object.fromEntries(entries.map(([code, text]) => [code, Number(text)]))
    : `${wrong[0]}: ${rule}`;
};

const agreementOf = (draft: ScenarioDraft): Partial<Scenario> | Problem => {
  if (draft.agreement === 'list') return { agreement: 'none' };
  if (draft.agreement === 'named') return { agreement: draft.agreementName };
  const discounts = recordOf(draft.percents, isPercent, PERCENT_RULE);
  return typeof discounts === 'string' ? { member: 'discounts', message: discounts } : { discounts };
};

const servicesIn = ({ services, service, serviceMap, carrier }: ScenarioDraft): Partial<Scenario> | Problem => {
  if (services === 'cheapest') return { service: 'cheapest' };
  if (services === 'all') return { service };
  if (services === 'carrier') return { carrier };
  const entries = entriesOf(serviceMap);
  return entries.length === 0
    ? { member: 'serviceMap', message: 'Choose another service for at least one of these.' }
    : { serviceMap: Object.fromEntries(entries) };
};

const originOf = ({ origin, warehouses, warehouse }: ScenarioDraft): Partial<Scenario> | Problem => {
  if (origin === 'any') return { warehouse: 'any' };
  if (origin === 'one')
    return warehouse === ''
      ? { member: 'warehouse', message: 'Choose a warehouse.' }
      : { warehouse: Number(warehouse) };
  return warehouses.length < 2
    ? { member: 'warehouse', message: 'Choose at least two warehouses.' }
    : { warehouse: warehouses.map(Number) };
};

interface Problem {
  readonly member: string;
  readonly message: string;
}

const isProblem = (part: Partial<Scenario> | Problem): part is Problem => 'member' in part;

const changeOf = (kind: ChangeKind, draft: ScenarioDraft): Partial<Scenario> | Problem => {
  switch (kind) {
    case 'rates': {
      const { tariffs } = draft;
      return tariffs.length === 0 ? { member: 'tariff', message: 'Choose a tariff.' } : { tariff: [...tariffs] };
    }
    case 'agreement':
      return agreementOf(draft);
    case 'services':
      return servicesIn(draft);
    case 'origin':
      return originOf(draft);
    case 'day':
      return draft.shipDate === '' ? { member: 'shipDate', message: 'Choose a day.' } : { shipDate: draft.shipDate };
    case 'divisor': {
      const dimensionalFactor = numberOf(draft.divisor, isFactor, FACTOR_RULE);
      return typeof dimensionalFactor === 'string'
        ? { member: 'dimensionalFactor', message: dimensionalFactor }
        : { dimensionalFactor };
    }
    case 'fuel': {
      const fuel = numberOf(draft.fuel, isPercent, PERCENT_RULE);
      return typeof fuel === 'string' ? { member: 'fuel', message: fuel } : { fuel };
    }
    default:
      return kind satisfies never;
  }
};

/** The scenario as it is sent, and what is missing or wrong about it. */
export const scenarioOf = (
  draft: ScenarioDraft,
  choices: Choices,
): { readonly scenario: Scenario; readonly problems: Problems } => {
  const problems = new Map<string, string>();
  if (draft.kinds.length === 0) problems.set('', 'Choose what changes.');
  let scenario: Scenario = { name: nameOfDraft(draft, choices) };
  for (const kind of draft.kinds) {
    const part = changeOf(kind, draft);
    if (isProblem(part)) problems.set(part.member, part.message);
    else scenario = { ...scenario, ...part };
  }
  return { scenario, problems };
};

const MEMBER = /^scenarios\[(\d+)\](?:\.([A-Za-z]+))?/;

/** The problems that the service names, by the index of their scenario; those of no scenario have the index -1. */
export const problemsIn = (named: Readonly<Record<string, unknown>>): ReadonlyMap<number, Problems> => {
  const problems = new Map<number, Map<string, string>>();
  for (const [path, message] of Object.entries(named)) {
    const [, index, member = ''] = MEMBER.exec(path) ?? [];
    const at = index === undefined ? -1 : Number(index);
    const own = problems.get(at) ?? new Map<string, string>();
    problems.set(at, own);
    own.set(member, String(message));
  }
  return problems;
};
