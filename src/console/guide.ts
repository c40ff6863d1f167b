/** What fields, faults and warnings are called on the pages, and what people can do about a fault. */
import type { FaultType } from '../rating/fault.ts';
import type { Field } from '../rows/fields.ts';

/** What of a shipment a fault is about, as tables of shipments name it. */
export type ShipmentPart = 'warehouse' | 'to' | 'weight' | 'service' | 'row';

export interface Guidance {
  readonly title: string;
  readonly advice: string;
  readonly parts: readonly ShipmentPart[];
}

const GUIDE = {
  'getRates.invalidRequest': {
    title: 'A cell is missing or not in its form',
    advice:
      'Each row says which field it is and what it must be. ZIP codes that lost their zero can be mended at upload.',
    parts: [],
  },
  'getRates.noTariff': {
    title: 'No tariff on the ship date',
    advice: 'Check shipDate, or leave it empty for today. The page Tariffs shows from when each is in force.',
    parts: ['row'],
  },
  'getRates.unknownShippingService': {
    title: 'Unknown shipping service',
    advice: 'Use a code that the page Tariffs lists, or leave the cell empty to get the cheapest.',
    parts: ['service'],
  },
  'getRates.unknownWarehouse': {
    title: 'Unknown warehouse',
    advice: 'Ship from a warehouse in the United States that is registered to you.',
    parts: ['warehouse'],
  },
  'getRates.noDeliveryCoverage': {
    title: 'The service does not go there',
    advice:
      'Check ZIP code and country. Territories, military addresses and other countries are not served; elsewhere another service may be.',
    parts: ['to'],
  },
  'getRates.addressLineRequired': {
    title: 'A street address is needed',
    advice: 'Fill addressLine in: the carrier of this service asks for it. Or name another service.',
    parts: ['to'],
  },
  'getRates.weightNotServed': {
    title: 'Too heavy for the service',
    advice: 'Split the shipment into more packages, check the dimensions, or name another service.',
    parts: ['weight'],
  },
  'row.malformed': {
    title: 'The row cannot be read',
    advice: 'It has too many cells, or a quote that is not closed. Look at the row in a text editor.',
    parts: ['row'],
  },
} as const satisfies Readonly<Record<FaultType, Guidance>>;

const GUIDANCE: ReadonlyMap<string, Guidance> = new Map(Object.entries(GUIDE));

/** A type that this page does not know yet is told by its name. */
export const guidanceOf = (type: string): Guidance =>
  GUIDANCE.get(type) ?? { title: type, advice: 'Each row says what is wrong with it.', parts: ['row'] };

const PART_BY_FIELD: readonly (readonly [RegExp, ShipmentPart])[] = [
  [/warehouse_id/, 'warehouse'],
  [/recipient|postalCode|countryCode|addressLine|residential/, 'to'],
  [/packageItems|weight|dimensions/, 'weight'],
  [/shippingService/, 'service'],
];

/** Which parts of a shipment a fault is about: told by its type, or field by field by its arguments. */
export const partsOf = (type: string, args: Readonly<Record<string, unknown>>): ReadonlySet<ShipmentPart> => {
  if (type !== 'getRates.invalidRequest') return new Set(guidanceOf(type).parts);
  return new Set(Object.keys(args).map((path) => PART_BY_FIELD.find(([pattern]) => pattern.test(path))?.[1] ?? 'row'));
};

/** What a fault says of calls, their fields and parameters; a page has a menu, a field, a checkbox for that. */
const CALL_HINTS = ['; ?repair=', '; GET ', ': rates.'];

const beforeHint = (text: string): string => {
  const [at] = CALL_HINTS.map((hint) => text.indexOf(hint))
    .filter((found) => found !== -1)
    .sort((a, b) => a - b);
  return text.slice(0, at);
};

/** A fault's message in the words of a page. */
export const spoken = (message: string): string => {
  const said = beforeHint(message);
  return said === message ? message : `${said}.`;
};

/** A fault in the words of a table: field by field where its arguments name fields, else as it says itself. */
export const sentencesOf = (
  type: string,
  message: string,
  args: Readonly<Record<string, unknown>>,
): readonly string[] => {
  const fields = type === 'getRates.invalidRequest' ? Object.entries(args) : [];
  if (fields.length === 0) return [spoken(message)];
  return fields.map(([path, problem]) => `${nameAt(path)} ${beforeHint(String(problem))}.`);
};

export interface FieldGuide {
  readonly field: Field;
  readonly label: string;
  readonly required?: boolean;
}

/** The fields in the order that people think of them. */
export const FIELD_GUIDES: readonly FieldGuide[] = [
  { field: 'warehouse_id', label: 'Warehouse', required: true },
  { field: 'postalCode', label: 'Destination ZIP code', required: true },
  { field: 'weight_value', label: 'Weight', required: true },
  { field: 'weight_units', label: 'Unit of weight', required: true },
  { field: 'shippingService', label: 'Shipping service' },
  { field: 'addressLine', label: 'Street address' },
  { field: 'residential', label: 'Residential' },
  { field: 'countryCode', label: 'Country' },
  { field: 'packages', label: 'Number of packages' },
  { field: 'weight_ounces', label: 'Ounces, added to pounds' },
  { field: 'length', label: 'Length' },
  { field: 'width', label: 'Width' },
  { field: 'height', label: 'Height' },
  { field: 'dimension_units', label: 'Unit of dimensions' },
  { field: 'shipDate', label: 'Ship date' },
];

/** A request's JSON paths, and the field that they stand for; the first that fits. */
const FIELD_BY_PATH: readonly (readonly [RegExp, Field])[] = [
  [/weight\.units$/, 'weight_units'],
  [/dimensions\.units$/, 'dimension_units'],
  [/dimensions\.length$/, 'length'],
  [/dimensions\.width$/, 'width'],
  [/dimensions\.height$/, 'height'],
  [/weight/, 'weight_value'],
  [/packageItems/, 'packages'],
  [/warehouse_id$/, 'warehouse_id'],
  [/postalCode$/, 'postalCode'],
  [/countryCode$/, 'countryCode'],
  [/addressLine$/, 'addressLine'],
  [/residential$/, 'residential'],
  [/shippingService$/, 'shippingService'],
  [/shipDate$/, 'shipDate'],
];

export const fieldAt = (path: string): Field | undefined => FIELD_BY_PATH.find(([pattern]) => pattern.test(path))?.[1];

/** What is at a path of a request: `Weight of package 2`. */
const nameAt = (path: string): string => {
  const field = fieldAt(path);
  const label = FIELD_GUIDES.find((guide) => guide.field === field)?.label ?? path;
  const index = /packageItems\[(\d+)\]/.exec(path)?.[1];
  return index === undefined || index === '0' ? label : `${label} of package ${Number(index) + 1}`;
};

const WARNING_TITLES: ReadonlyMap<string, string> = new Map([['zone.estimated', 'Estimated zone']]);

export const warningTitle = (type: string): string => WARNING_TITLES.get(type) ?? type;
