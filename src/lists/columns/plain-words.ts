/** Words for people, on the console's pages and in workbooks: for faults, warnings and parts of a price. */
import { PARTS, PRICE_PARTS } from '../../rating/charges.ts';
import { SHIPMENT_FAULTS } from '../../rating/fault.ts';
import { WARNINGS } from '../../rating/warning.ts';

const titlesOf = (table: Readonly<Record<string, { readonly title: string }>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(table).map(([type, { title }]) => [type, title]));
const TITLES = titlesOf(SHIPMENT_FAULTS);
const WARNING_TITLES = titlesOf(WARNINGS);

/** Returns the title of a row's fault. A type from another version gets a general title. */
export const faultTitle = (type: string): string => TITLES.get(type) ?? 'Another problem';

/** Returns the title of a warning. A type from a later version gets a general title. */
export const warningTitle = (type: string): string => WARNING_TITLES.get(type) ?? 'Another note';

const PART_NAMES: ReadonlyMap<string, string> = new Map(
  PRICE_PARTS.map((part) => {
    const { lacks, name }: { readonly lacks: string; readonly name?: string } = PARTS[part];
    return [part, name ?? lacks];
  }),
);

/** Returns the name of a part of a price. An unknown part keeps its own name. */
export const partName = (part: string): string => PART_NAMES.get(part) ?? part;

/** Returns the carrier's name for a zone, and the zone from 1 to 8 if that is different. */
export const zoneName = (rateZone: string, carrierZone: string): string =>
  carrierZone === rateZone ? carrierZone : `${carrierZone} (counted as ${rateZone})`;

/** Prefix for the part of a difference that an agreement's program causes. The program's name follows. */
export const PROGRAM_PART = 'PROGRAM ';
