/**
 * `--against SPEC`: a scenario as text, `[name:] key=value; key=value…`. Only splits at these signs, so that no text takes
 * long to read.
 */

/** A problem of a SPEC. The message continues a sentence that begins with the key, or with the SPEC if the key is empty. */
export interface SpecProblem {
  readonly key: string;
  readonly message: string;
}

/** A scenario before the check by the schema. */
type Members = Readonly<Record<string, unknown>>;

class Unreadable extends Error {}

const parts = (text: string, separator: string): string[] => text.split(separator).map((part) => part.trim());

const isDigit = (character: string): boolean => character >= '0' && character <= '9';

/** Whether a text is a number without a sign, such as `18.5`. */
const isNumber = (text: string): boolean =>
  text !== '' &&
  [...text].every((character) => isDigit(character) || character === '.') &&
  Number.isFinite(Number(text));

/** Removes an optional percent sign. */
const bare = (text: string): string => (text.endsWith('%') ? text.slice(0, -1).trimEnd() : text);

const numberOf = (text: string): number => {
  if (!isNumber(bare(text))) throw new Unreadable(`"${text}" is not a number`);
  return Number(bare(text));
};

/** Pairs separated by commas. Names must be unique. */
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

/** One number for all services, or a number for each named service. */
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

interface KeyForm {
  /** The member's name in a scenario, if different. */
  readonly member?: string;
  readonly example: string;
  readonly read: (text: string) => unknown;
}

const FORMS: ReadonlyMap<string, KeyForm> = new Map<string, KeyForm>([
  ['tariff', { example: 'ups-2027 or ./tariffs/2027', read: several }],
  ['agreement', { example: 'ups-2027, none or ./drafts/ups-2027', read: same }],
  ['discounts', { example: 'C1-GROUND 35, C2-GROUND 20', read: (text) => pairs(text, numberPair) }],
  ['service', { example: 'C1-GROUND or cheapest', read: same }],
  ['map', { member: 'serviceMap', example: 'C2-GROUND>C1-GROUND', read: (text) => pairs(text, mapPair) }],
  ['carrier', { example: 'C1', read: same }],
  ['warehouse', { example: '103, any or 101|103', read: warehouse }],
  ['ship-date', { member: 'shipDate', example: '2027-01-15', read: same }],
  ['by', { example: '2027-01-20, or 3 for business days', read: (text) => (isNumber(text) ? numberOf(text) : text) }],
  ['divisor', { member: 'dimensionalFactor', example: '166, or C1-GROUND 166', read: numbers }],
  ['fuel', { example: '18.5, or C1-GROUND 18.5', read: numbers }],
]);
const KEYS = [...FORMS.keys()].join(', ');

/** The key of a scenario's member, or the member itself if it has none. */
export const keyOf = (member: string): string =>
  [...FORMS].find(([key, own]) => (own.member ?? key) === member)?.[0] ?? member;

const readPair = (text: string, before: ReadonlyMap<string, unknown>): readonly [string, unknown] | SpecProblem => {
  const at = text.indexOf('=');
  const key = (at === -1 ? text : text.slice(0, at)).trim().toLowerCase();
  const value = at === -1 ? '' : text.slice(at + 1).trim();
  const shown = key.length > 40 ? `${key.slice(0, 40)}…` : key;
  const form = FORMS.get(key);
  if (form === undefined) return { key: '', message: `has no key "${shown}": the keys are ${KEYS}` };
  const { member = key, example, read } = form;
  if (value === '') return { key, message: `needs a value, such as ${key}=${example}` };
  if (before.has(member)) return { key, message: 'occurs twice: remove one' };
  try {
    return [member, read(value)];
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { key, message: `cannot be read: ${error.message}. Write it as ${key}=${example}` };
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
