/** What fields and faults are called on the pages, and what people can do about a fault. */

import { faultTitle } from '../lists/columns/plain-words.ts';
import { type Guidance, SHIPMENT_FAULTS, type ShipmentPart } from '../rating/fault.ts';
import { FIELD_NAMES, type Field, fieldAt, specOf } from '../rating/fields.ts';

const GUIDANCE: ReadonlyMap<string, Guidance> = new Map(Object.entries(SHIPMENT_FAULTS));

/** What people read of a fault. A type of another version has no words of its own. */
export const guidanceOf = (type: string): Guidance =>
  GUIDANCE.get(type) ?? { title: faultTitle(type), advice: 'Each row says what is wrong.', parts: ['row'], fields: [] };

const PART_BY_FIELD: readonly (readonly [RegExp, ShipmentPart])[] = [
  [/warehouse_id/, 'warehouse'],
  [/recipient|postalCode|countryCode|addressLine|residential/, 'to'],
  [/packageItems|weight|dimensions/, 'weight'],
  [/shippingService|options/, 'service'],
];

/** The parts of a shipment that a fault is about, from its type or the fields in its arguments. */
export const partsOf = (type: string, args: Readonly<Record<string, unknown>>): ReadonlySet<ShipmentPart> => {
  if (type !== 'getRates.invalidRequest') return new Set(guidanceOf(type).parts);
  return new Set(Object.keys(args).map((path) => PART_BY_FIELD.find(([pattern]) => pattern.test(path))?.[1] ?? 'row'));
};

/** What a clause of a message has if it speaks of API calls and parameters. Pages have controls for these. */
const OF_CALLS = /\?[a-z_]+=|\b(?:GET|POST|PUT|DELETE) \/|\brates\.[a-z]/;

/** Whether a clause speaks of API calls, or belongs to one before it that does: `Add ?columns=weight_value: to ignore it`. */
const isOfCalls = (clause: string, at: number, all: readonly string[]): boolean => {
  const before = all[at - 1];
  return OF_CALLS.test(clause) || (before?.endsWith(':') === true && OF_CALLS.test(before));
};

/** What programs call kinds of values, in words. */
const WORDS: readonly (readonly [string, string])[] = [
  ['must be a string', 'must be text'],
  ['a unit belongs in units, KG or LB', 'give its unit separately, as KG or LB'],
  ['or use ?encoding=windows-1252 if it is in that encoding', 'or choose its encoding below'],
];

/** A message in words, without its clauses about API calls. It ends in a period if it did, or if its end is gone. */
export const withoutCalls = (message: string): string => {
  const said = WORDS.reduce((text, [term, words]) => text.replace(term, words), message);
  const clauses = said.split(/(?<=[;:]) /);
  const kept = clauses.filter((...clause) => !isOfCalls(...clause));
  if (kept.length === clauses.length) return said;
  const text = kept.join(' ').replace(/[;:]$/, '');
  return said.endsWith('.') && !text.endsWith('.') ? `${text}.` : text;
};

/** Whether a shipment can have this fault. */
export const isFaultOfShipment = (type: string): boolean => GUIDANCE.has(type);

const INVALID = /^The request is invalid: (\S+) ([^(]*)(?: \(and \d+ more\))?\.$/;

/** A shipment's fault as sentences: one for each field that its arguments name, else its message. */
export const sentencesOf = (
  type: string,
  message: string,
  args: Readonly<Record<string, unknown>>,
): readonly string[] => {
  const fields = type === 'getRates.invalidRequest' ? Object.entries(args) : [];
  if (fields.length > 0) return fields.map(([path, problem]) => `${nameAt(path)} ${withoutCalls(String(problem))}.`);
  // Where the arguments are not known, the message alone names the field.
  const [, path, problem] = INVALID.exec(message) ?? [];
  return [
    path === undefined || problem === undefined ? withoutCalls(message) : `${nameAt(path)} ${withoutCalls(problem)}.`,
  ];
};

/** The fields that matter most to people. */
const FIRST: readonly Field[] = [
  ...(['warehouse_id', 'postalCode', 'weight_value', 'weight_units', 'shippingService', 'addressLine'] as const),
  ...(['residential', 'countryCode', 'packages'] as const),
];

/** The fields in the order of importance for people. */
export const FIELDS_FOR_PEOPLE: readonly Field[] = [...new Set([...FIRST, ...FIELD_NAMES])];

/** What people call a field. */
export const labelOf = (field: Field): string => specOf(field).label;

const LABELS: ReadonlyMap<string, string> = new Map(FIELD_NAMES.map((field) => [field, labelOf(field)]));
const NAMED_FIELD = /\bthe field ([A-Za-z_]+)\b/g;

/** A note about columns without sentences about parameters, which have menus here, and with fields by their labels. */
export const findingText = (message: string): string =>
  message
    .split(/(?<=[.:;]) /)
    .filter((...sentence) => !isOfCalls(...sentence))
    .join(' ')
    .replace(/[,;:]$/, '.')
    .replaceAll(NAMED_FIELD, (said, field: string) => {
      const label = LABELS.get(field);
      return label === undefined ? said : `the ${label.toLowerCase().replace('zip', 'ZIP')}`;
    });

/** The last name of a path as words: `scenarios[0].fuelPercent` is `Fuel percent`. */
const lastName = (path: string): string => {
  const name = path.slice(path.lastIndexOf('.') + 1).replaceAll(/\[\d+\]|[<>]/g, '');
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The label for a path of a request, or for a field: `Weight of package 2`. */
export const nameAt = (path: string): string => {
  const label = LABELS.get(fieldAt(path) ?? path) ?? lastName(path);
  const index = /packageItems\[(\d+)\]/.exec(path)?.[1];
  return index === undefined || index === '0' ? label : `${label} of package ${Number(index) + 1}`;
};

/** A field's problem as a sentence: `Weight must be a number.` */
export const problemText = (field: Field, problem: string): string => `${labelOf(field)} ${withoutCalls(problem)}.`;
