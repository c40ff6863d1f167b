/**
 * `--against SPEC`: a scenario as text, `[name:] key=value; key=value…`. It is cut at its signs alone, so no text takes
 * long to read.
 */

/** What a key of a SPEC is in a scenario. */
const MEMBERS = {
  tariff: 'tariff',
  agreement: 'agreement',
  discounts: 'discounts',
  service: 'service',
  map: 'serviceMap',
  carrier: 'carrier',
  warehouse: 'warehouse',
  'ship-date': 'shipDate',
  by: 'by',
  divisor: 'dimensionalFactor',
  fuel: 'fuel',
} as const;
type Key = keyof typeof MEMBERS;

const isKey = (text: string): text is Key => Object.hasOwn(MEMBERS, text);
const KEYS = Object.keys(MEMBERS).join(', ');

/** The key of a member of a scenario; the member itself if there is none. */
export const keyOf = (member: string): string =>
  Object.entries(MEMBERS).find(([, own]) => own === member)?.[0] ?? member;

/** What is wrong with a SPEC. The message continues a sentence that begins with the key, or with the SPEC if it is empty. */
export interface SpecProblem {
  readonly key: string;
  readonly message: string;
}

/** A scenario that the schema has not checked yet. */
type Members = Readonly<Record<string, unknown>>;

const EXAMPLES = {
  tariff: 'ups-2027 or ./tariffs/2027',
  agreement: 'ups-2027, none or ./drafts/ups-2027',
  discounts: 'C1-GROUND 35, C2-GROUND 20',
  service: 'C1-GROUND or cheapest',
  map: 'C2-GROUND>C1-GROUND',
  carrier: 'C1',
  warehouse: '103, any or 101|103',
  'ship-date': '2027-01-15',
  by: '2027-01-20, or 3 for business days',
  divisor: '166, or C1-GROUND 166',
  fuel: '18.5, or C1-GROUND 18.5',
} as const satisfies Record<Key, string>;

class Unreadable extends Error {}

const parts = (text: string, separator: string): string[] => text.split(separator).map((part) => part.trim());

const isDigit = (character: string): boolean => character >= '0' && character <= '9';

/** Whether a text is a number without a sign, such as `18.5`. */
const isNumber = (text: string): boolean =>
  text !== '' &&
  [...text].every((character) => isDigit(character) || character === '.') &&
  Number.isFinite(Number(text));

/** A percentage may have its sign. */
const bare = (text: string): string => (text.endsWith('%') ? text.slice(0, -1).trimEnd() : text);

const numberOf = (text: string): number => {
  if (!isNumber(bare(text))) throw new Unreadable(`"${text}" is not a number`);
  return Number(bare(text));
};

/** Pairs that commas separate. No name may come twice. */
const pairs = <T>(text: string, read: (pair: string) => readonly [string, T]): Record<string, T> => {
  const all = new Map<string, T>();
  for (const part of parts(text, ',')) {
    const [name, value] = read(part);
    if (all.has(name)) throw new Unreadable(`${name} comes twice`);
    all.set(name, value);
  }
  return Object.fromEntries(all);
};

/** `C1-GROUND 35` */
const numberPair = (text: string): readonly [string, number] => {
  const space = text.indexOf(' ');
  if (space === -1) throw new Unreadable(`"${text}" must be a service, a space and a number`);
  return [text.slice(0, space), numberOf(text.slice(space).trim())];
};

/** `C2-GROUND>C1-GROUND` */
const mapPair = (text: string): readonly [string, string] => {
  const [from = '', to = '', ...more] = parts(text, '>');
  if (from === '' || to === '' || more.length > 0)
    throw new Unreadable(`"${text}" must be two services with > between`);
  return [from, to];
};

/** One number for all services, or a number for each of some. */
const numbers = (text: string): unknown => {
  const isOne = isNumber(bare(text)) || (isDigit(text.charAt(0)) && !text.includes(' '));
  return isOne ? numberOf(text) : pairs(text, numberPair);
};

const warehouse = (text: string): unknown => {
  if (text === 'any') return text;
  const ids = parts(text, '|').map((id) => {
    if (id === '' || ![...id].every(isDigit)) throw new Unreadable(`"${id}" is not the id of a warehouse`);
    return Number(id);
  });
  return ids.length === 1 ? ids[0] : ids;
};

const several = (text: string): unknown => {
  const names = parts(text, ',');
  return names.length === 1 ? names[0] : names;
};

const same = (text: string): unknown => text;

const READERS: Readonly<Record<Key, (text: string) => unknown>> = {
  tariff: several,
  agreement: same,
  discounts: (text) => pairs(text, numberPair),
  service: same,
  map: (text) => pairs(text, mapPair),
  carrier: same,
  warehouse,
  'ship-date': same,
  by: (text) => (isNumber(text) ? numberOf(text) : text),
  divisor: numbers,
  fuel: numbers,
};

const readPair = (text: string, before: ReadonlyMap<string, unknown>): readonly [string, unknown] | SpecProblem => {
  const at = text.indexOf('=');
  const key = (at === -1 ? text : text.slice(0, at)).trim().toLowerCase();
  const value = at === -1 ? '' : text.slice(at + 1).trim();
  const shown = key.length > 40 ? `${key.slice(0, 40)}…` : key;
  if (!isKey(key)) return { key: '', message: `has no key "${shown}": the keys are ${KEYS}` };
  if (value === '') return { key, message: `needs a value, such as ${key}=${EXAMPLES[key]}` };
  if (before.has(MEMBERS[key])) return { key, message: 'comes twice: leave one of them out' };
  try {
    return [MEMBERS[key], READERS[key](value)];
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { key, message: `cannot be read: ${error.message}. Write it as ${key}=${EXAMPLES[key]}` };
  }
};

/** @returns the scenario, for `scenarioSchema`, or the first problem */
export const readSpec = (text: string): Members | SpecProblem[] => {
  const equals = text.indexOf('=');
  const colon = text.indexOf(':');
  const isNamed = colon !== -1 && (equals === -1 || colon < equals);
  const rest = (isNamed ? text.slice(colon + 1) : text).trim();
  if (rest === '' && !isNamed) return [{ key: '', message: `is empty: write key=value. The keys are ${KEYS}` }];
  const members = new Map<string, unknown>(isNamed ? [['name', text.slice(0, colon).trim()]] : []);
  const problems: SpecProblem[] = [];
  for (const part of parts(rest, ';').filter((one) => one !== '')) {
    const read = readPair(part, members);
    if ('message' in read) problems.push(read);
    else members.set(...read);
  }
  return problems.length > 0 ? problems : Object.fromEntries(members);
};
