/**
 * Maps names of shipping services to codes: names from the caller (`?service_map=`), and well-known names of carriers with a
 * loaded tariff. Matching ignores case, spaces and punctuation, so `UPS® Ground` equals `ups_ground`.
 */
import { bare } from './aliases.ts';
import type { ServicePair } from './cell-values.ts';
import { type Claim, quotedName, shownName } from './column-choice.ts';
import { escapedPairs, unescaped } from './fields.ts';
import type { Finding } from './findings.ts';

/** Names in exports of carriers, ShipStation, Shippo and EasyPost, by code (contract, Tariffs and service names). */
const WELL_KNOWN: Readonly<Record<string, readonly string[]>> = {
  'UPS-GROUND': ['UPS Ground'],
  'UPS-3DAY': ['UPS 3 Day Select', '3DaySelect', 'UPS Three Day Select'],
  'UPS-2DAY': ['UPS 2nd Day Air', '2ndDayAir', 'UPS Second Day Air', 'UPS 2 Day Air'],
  'UPS-2DAYAM': ['UPS 2nd Day Air AM', '2ndDayAirAM', 'UPS Second Day Air AM', 'UPS 2 Day Air AM'],
  'UPS-NDASVR': ['UPS Next Day Air Saver', 'NextDayAirSaver'],
  'UPS-NDA': ['UPS Next Day Air', 'NextDayAir'],
  'UPS-SIMPLE': ['UPS Simple Rate', 'UPS Ground Simple Rate'],
  'UPS-NDAEAM': ['UPS Next Day Air Early', 'UPS Next Day Air Early AM', 'NextDayAirEarlyAM', 'NextDayAirEarly'],
  'FDX-GROUND': ['FedEx Ground'],
  'FDX-HOME': ['FedEx Home Delivery', 'Ground Home Delivery', 'FedEx Ground Home Delivery'],
  'FDX-SAVER': ['FedEx Express Saver'],
  'FDX-2DAY': ['FedEx 2Day'],
  'FDX-2DAYAM': ['FedEx 2Day AM'],
  'FDX-STDOVN': ['FedEx Standard Overnight', 'Standard Overnight'],
  'FDX-PRIOVN': ['FedEx Priority Overnight', 'Priority Overnight'],
  'FDX-1STOVN': ['FedEx First Overnight', 'First Overnight'],
  'USPS-GA': ['USPS Ground Advantage', 'Ground Advantage', 'USPS Ground Advantage Commercial'],
  'USPS-GAR': ['USPS Ground Advantage Retail'],
  'USPS-PM': ['USPS Priority Mail', 'Priority Mail', 'USPS Priority Mail Commercial'],
  'USPS-PMR': ['USPS Priority Mail Retail'],
};

const MOST_ENTRIES = 200;
const MOST_NAME = 100;
const MOST_CODE = 10;
const EXAMPLE = 'UPS Ground:UPS-GROUND,FedEx 2Day:FDX-2DAY';

const readEntry = (entry: string): { readonly name: string; readonly code: string } | string => {
  const colon = entry.lastIndexOf(':');
  const shown = `"${shownName(entry.trim())}"`;
  if (colon === -1) return `${shown} must be a name, a colon and a code, as in ${EXAMPLE}`;
  const name = unescaped(entry.slice(0, colon));
  const code = entry.slice(colon + 1).trim();
  if (bare(name) === '') return `${shown} has no name before its colon`;
  if (name.length > MOST_NAME) return `${shown} has a name of more than ${MOST_NAME} characters`;
  return code.length > MOST_CODE ? `${shown} has a code of more than ${MOST_CODE} characters` : { name, code };
};

/**
 * Reads `?service_map=`: pairs of a name and a code, separated by commas. A comma or backslash in a name has a backslash
 * before it. A name with nothing after its colon means all services.
 * @returns the names and their codes, or the problem, which names the entry
 */
export const readServiceMap = (text: string): readonly ServicePair[] | string => {
  const codes = new Map<string, string>();
  const entries = escapedPairs(text);
  if (typeof entries === 'string') return entries;
  if (entries.length === 0) return `must be names and codes, as in ${EXAMPLE}`;
  if (entries.length > MOST_ENTRIES) return `has ${entries.length} entries; the most are ${MOST_ENTRIES}`;
  for (const entry of entries) {
    const read = readEntry(entry);
    if (typeof read === 'string') return read;
    const name = bare(read.name);
    if (codes.has(name)) return `has "${read.name}" twice; case, spaces and punctuation do not matter`;
    codes.set(name, read.code);
  }
  return [...codes];
};

/** Returns the problem with a map if it has a code that no tariff has. */
export const unknownCode = (pairs: readonly ServicePair[], codes: readonly string[]): string | undefined => {
  const wrong = pairs.find(([, code]) => code !== '' && !codes.includes(code));
  if (wrong === undefined) return undefined;
  return `maps "${wrong[0]}" to ${wrong[1]}, which is not a service; the services are ${codes.join(', ')}`;
};

const MOST_SHOWN = 5;
const MOST_CELL = 40;

const listed = (texts: readonly string[]): string => {
  const shown = texts.slice(0, MOST_SHOWN).join(', ');
  return texts.length > MOST_SHOWN ? `${shown} and ${texts.length - MOST_SHOWN} more` : shown;
};

/**
 * @param given the caller's names, which win over well-known ones
 * @param codes the codes of the tariffs' services; undefined if they are unknown
 */
export const serviceNames = (
  given: readonly ServicePair[] | undefined = [],
  codes: readonly string[] | undefined = undefined,
) => {
  const loaded = new Set(codes);
  const bareCodes = new Map([...loaded].map((code) => [bare(code), code]));
  const known = Object.entries(WELL_KNOWN).flatMap(([code, names]): ServicePair[] =>
    loaded.has(code)
      ? [code, ...names]
          .map(bare)
          // A name that is also the code of another service means that service.
          .filter((name) => (bareCodes.get(name) ?? code) === code)
          .map((name): ServicePair => [name, code])
      : [],
  );
  const own = new Set(given.map(([name]) => name));
  const automatic = new Map(known.filter(([name]) => !own.has(name)));
  return {
    /** Names and their codes. Any other name is a code or unknown. */
    pairs: [...given, ...automatic],
    /** Returns findings for a column with these cells in the first rows. */
    findings: (cells: readonly string[], { name, index }: Pick<Claim, 'name' | 'index'>): Finding[] => {
      const others = [...new Set(cells)].filter((cell) => !loaded.has(cell) && !own.has(bare(cell)));
      const column = quotedName({ name, index });
      const mapped = others.flatMap((cell) => {
        const code = automatic.get(bare(cell));
        return code === undefined ? [] : [`${cell.slice(0, MOST_CELL)} as ${code}`];
      });
      const unknown = others
        .filter((cell) => !automatic.has(bare(cell)))
        .map((cell) => `"${cell.slice(0, MOST_CELL)}"`);
      const found: Finding[] = [];
      if (mapped.length > 0) {
        const message = `${column} has names of services that are read as codes: ${listed(mapped)}. Use ?service_map= to change this.`;
        found.push({ type: 'service.mapped', message, column: shownName(name) });
      }
      if (unknown.length > 0 && codes !== undefined) {
        const message =
          `${column} names services that no tariff has: ${listed(unknown)}; rows with them get no price. ` +
          `Use ?service_map=NAME:CODE,… to name their services, or "?columns=shippingService:" to compare all services instead.`;
        found.push({ type: 'service.unknown', message, column: shownName(name) });
      }
      return found;
    },
  };
};
export type ServiceNames = ReturnType<typeof serviceNames>;
