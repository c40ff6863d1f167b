/** Words for what the summary of a comparison counts: warnings, and the parts of a difference. */

const WARNINGS: ReadonlyMap<string, string> = new Map([
  ['zone.estimated', 'Zone estimated from the distance: no zone chart'],
  ['price.incomplete', 'The bill may be higher: the tariff lacks a charge'],
  ['fuel.stale', 'The last known fuel rate: the bill may differ'],
  ['service.homesOnly', 'Priced as a home: the service goes to homes alone'],
  ['agreement.ended', 'The agreement has ended: list price'],
  ['agreement.tierUncertain', 'The discount may have changed: recorded spend is old'],
]);

const PARTS: ReadonlyMap<string, string> = new Map([
  ['ZONE', 'Other zones'],
  ['WEIGHT', 'Other billed weights'],
  ['RATE', 'Other rates and services'],
  ['BASE', 'Base rates'],
  ['DISCOUNT', 'Discounts'],
  ['MINIMUM', 'Minimum charges'],
  ['FUEL', 'Fuel surcharge'],
]);

/** `DELIVERY_AREA_EXTENDED` as `Delivery area extended`. */
const spelledOut = (type: string): string => {
  const words = type.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** What a warning says. A type that this version does not know is shown as it is. */
export const warningWords = (type: string): string => WARNINGS.get(type) ?? type;
/** A part of a difference, or the type of a surcharge. */
export const partWords = (part: string): string => PARTS.get(part) ?? spelledOut(part);
