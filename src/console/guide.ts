/** What the pages call fields and faults, and what people can do about a fault. */
import { isOfCalls, withoutCalls } from '../lists/columns/fault-words.ts';
import { faultTitle } from '../lists/columns/plain-words.ts';
import type { Preview } from '../lists/preview/preview-body.ts';
import { type Guidance, SHIPMENT_FAULTS } from '../rating/fault.ts';
import { FIELD_NAMES, type Field, LABELS, specOf } from '../rating/fields.ts';

const GUIDANCE: ReadonlyMap<string, Guidance> = new Map(Object.entries(SHIPMENT_FAULTS));

/** What people read about a fault. The types of other versions have no words here. */
export const guidanceOf = (type: string): Guidance =>
  GUIDANCE.get(type) ?? { title: faultTitle(type), advice: 'Each row says what is wrong.', fields: [] };

/** What rows with the same kind of problem are called. The message is about the first of them. */
export const kindTitle = ({
  type,
  field,
  message,
}: Pick<Preview['faultKinds'][number], 'type' | 'field' | 'message'>): string =>
  type === 'getRates.invalidRequest' && field !== null
    ? problemText(field, message.split(';', 1).join())
    : guidanceOf(type).title;

/** Parts of a shipment that a fault can be about: the columns of a preview's rows. */
export type ShipmentPart = 'warehouse' | 'to' | 'weight' | 'service' | 'row';

const PART_BY_FIELD: readonly (readonly [RegExp, ShipmentPart])[] = [
  [/warehouse_id/, 'warehouse'],
  [/recipient|postalCode|countryCode|addressLine|residential/, 'to'],
  [/packageItems|weight|dimensions/, 'weight'],
  [/shippingService|options/, 'service'],
];

/** The parts of a shipment that a fault is about, from the fields of its type or those in its arguments. */
export const partsOf = (type: string, args: Readonly<Record<string, unknown>>): ReadonlySet<ShipmentPart> => {
  const { fields } = guidanceOf(type);
  const ofType = fields.length === 0 ? ['row'] : fields.map((field) => specOf(field).path ?? field);
  const paths = type === 'getRates.invalidRequest' ? Object.keys(args) : ofType;
  return new Set(paths.map((path) => PART_BY_FIELD.find(([pattern]) => pattern.test(path))?.[1] ?? 'row'));
};

/** Whether a shipment can have this fault. */
export const isFaultOfShipment = (type: string): boolean => GUIDANCE.has(type);

/** The fields that matter most to people. */
const FIRST: readonly Field[] = [
  ...(['warehouse_id', 'postalCode', 'weight_value', 'weight_units', 'shippingService', 'addressLine'] as const),
  ...(['residential', 'countryCode', 'packages'] as const),
];

/** The fields in the order of importance for people. */
export const FIELDS_FOR_PEOPLE: readonly Field[] = [...new Set([...FIRST, ...FIELD_NAMES])];

/** What people call a field. */
export const labelOf = (field: Field): string => specOf(field).label;

const NAMED_FIELD = /\bthe field ([A-Za-z_]+)\b/g;

/** A note about columns. Leaves out sentences about parameters, which are menus here, and uses the labels of fields. */
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

/** The notes of `quote_repairs` with the labels of fields: `Weight (empty) read as 2.5 LB`. */
export const repairsText = (notes: string): string =>
  notes.replaceAll(/(^|; )([A-Za-z_]+)\b/g, (said, before: string, field: string) => {
    const label = LABELS.get(field);
    return label === undefined ? said : `${before}${label}`;
  });

/** A field's problem as a sentence: `Weight must be a number.` */
const problemText = (field: Field, problem: string): string => `${labelOf(field)} ${withoutCalls(problem)}.`;
