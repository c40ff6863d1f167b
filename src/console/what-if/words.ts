/** What a scenario changes, in words. */
import { dayOf } from '../ui/format.ts';
import { type Choices, tariffName, warehouseName } from './choices.ts';
import { type ChangeKind, entriesOf, type NumberDraft, type ScenarioDraft } from './draft.ts';

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
