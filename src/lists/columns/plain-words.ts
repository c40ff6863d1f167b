/** Faults, warnings and parts of a price in words for people: on the console's pages and in workbooks. */
import { PARTS, PRICE_PARTS } from '../../rating/charges.ts';
import { SHIPMENT_FAULTS } from '../../rating/fault.ts';
import { WARNINGS } from '../../rating/warning.ts';

const TITLES: ReadonlyMap<string, string> = new Map(
  Object.entries(SHIPMENT_FAULTS).map(([type, { title }]) => [type, title]),
);

/** The title of a fault that a row can have. A type of another version has none of its own. */
export const faultTitle = (type: string): string => TITLES.get(type) ?? 'Another problem';

const WARNING_TITLES: ReadonlyMap<string, string> = new Map(
  Object.entries(WARNINGS).map(([type, { title }]) => [type, title]),
);

/** The title of a warning. A type of a later version has none of its own. */
export const warningTitle = (type: string): string => WARNING_TITLES.get(type) ?? 'Another note';

const PART_NAMES: ReadonlyMap<string, string> = new Map(
  PRICE_PARTS.map((part) => {
    const { lacks, name }: { readonly lacks: string; readonly name?: string } = PARTS[part];
    return [part, name ?? lacks];
  }),
);

/** The name of a part of a price. An unknown part has its own name. */
export const partName = (part: string): string => PART_NAMES.get(part) ?? part;

/** A zone as its carrier names it, and the one from 1 to 8 if that has another name. */
export const zoneName = (rateZone: string, carrierZone: string): string =>
  carrierZone === rateZone ? carrierZone : `${carrierZone} (counted as ${rateZone})`;

/** What the part of a difference that a program of an agreement makes begins with; its name follows. */
export const PROGRAM_PART = 'PROGRAM ';
