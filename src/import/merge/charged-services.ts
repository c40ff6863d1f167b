/** The services of a charge or a fuel rate. Files name them by code or by group (`ground`), or mean all of them. */

import { grouped } from '../../base/maps.ts';
import type { SurchargeEntry } from '../../catalog/tariff/document.ts';
import { isFuelType } from '../../rating/charges.ts';
import { carrierOf, groupsOf, SERVICE_ORDER, serviceTitle } from '../carriers.ts';
import type { Charged } from '../read/reader.ts';

/* Names surcharges, so that the same entry can be found in two versions of a tariff. */

/** Formats `zones 3-4, column 22, other zones`. */
const zonesText = (columns: readonly string[]): string => {
  const zones = columns.flatMap((column) => /^zone (\d)$/.exec(column)?.[1] ?? []);
  const named = columns.filter((column) => !/^zone \d$/.test(column));
  const runs = zones.length > 1 && Number(zones.at(-1)) - Number(zones[0]) === zones.length - 1;
  const text = runs ? `${zones[0]}-${zones.at(-1)}` : zones.join(', ');
  const numbered = text === '' ? [] : [`zone${zones.length > 1 ? 's' : ''} ${text}`];
  return [...numbered, ...named.map((column) => (column === '*' ? 'other zones' : `column ${column}`))].join(', ');
};

const byAmount = (amounts: Readonly<Record<string, string | null>>): string => {
  // An object puts whole-number keys first, but people expect zones first.
  const inOrder = Object.entries(amounts).sort(
    ([a], [b]) => Number(!a.startsWith('zone ')) - Number(!b.startsWith('zone ')),
  );
  const columns = grouped(inOrder, ([, usd]) => usd ?? 'unknown');
  return [...columns].map(([amount, own]) => `${amount} (${zonesText(own.map(([column]) => column))})`).join(', ');
};

/** Formats `6.45 per package`. */
export const amountText = ({ amount }: Pick<SurchargeEntry, 'amount'>): string => {
  if (amount.per === 'declaredValue')
    return `${amount.usdPer100} for each 100 dollars of the whole value if it is over ${amount.freeUsd}, at least ${amount.minimumUsd}`;
  if (amount.per !== 'percent')
    return `${typeof amount.usd === 'string' ? amount.usd : byAmount(amount.usd)} per ${amount.per}`;
  const rate = typeof amount.rate === 'string' ? amount.rate : amount.rate.map((one) => one.rate).join(', ');
  return `${rate}% of ${amount.of.join(', ')}`;
};

/** The order of a tariff's surcharges. */
const ORDER: readonly RegExp[] = [
  /^(?:ADDITIONAL_HANDLING|OVERSIZE|UNAUTHORIZED)/,
  /^RESIDENTIAL/,
  /^DELIVERY_AREA/,
  /^DEMAND_/,
  /^(?!SIGNATURE_|SATURDAY_|DECLARED_VALUE$)/,
  /^(?:SIGNATURE_|SATURDAY_)/,
];

const rankOf = ({ type, amount }: SurchargeEntry): number => {
  const at = ORDER.findIndex((pattern) => pattern.test(type));
  if (amount.per !== 'percent') return at === -1 ? ORDER.length : at;
  if (isFuelType(type)) return ORDER.length + 2;
  return ORDER.length + (amount.of.some(isFuelType) ? 3 : 1);
};

/** Compares surcharges by kind. Percentages come last, because they apply to others. */
export const byKind = (a: SurchargeEntry, b: SurchargeEntry): number => rankOf(a) - rankOf(b);

const plainName = ({ type, description, services = [] }: SurchargeEntry): string =>
  `surcharge ${type} "${description}"${services.length === 0 ? '' : ` of ${services.join(', ')}`}`;

/** Formats ` from 2026-10-05 until 2026-11-22`, or nothing. */
export const periodText = ({ from, until }: Pick<SurchargeEntry, 'from' | 'until'>): string =>
  `${from === undefined ? '' : ` from ${from}`}${until === undefined ? '' : ` until ${until}`}`;

/**
 * Names that are unique within each list: type, description and services. Dates are added only if all three are equal, so that a
 * new year's dates do not make another surcharge.
 */
export const surchargeKeys = (
  ...lists: readonly (readonly SurchargeEntry[])[]
): ((entry: SurchargeEntry) => string) => {
  const names = new Map<SurchargeEntry, string>();
  const plain = lists.map((entries) => entries.map(plainName));
  const shared = new Set(plain.flatMap((own) => own.filter((name, at) => own.indexOf(name) !== at)));
  for (const entries of lists) {
    const counts = new Map<string, number>();
    for (const entry of entries) {
      const name = plainName(entry);
      const dated = shared.has(name) ? `${name}${periodText(entry)}` : name;
      const count = (counts.get(dated) ?? 0) + 1;
      counts.set(dated, count);
      names.set(entry, count === 1 ? dated : `${dated}, number ${count}`);
    }
  }
  return (entry) => names.get(entry) ?? plainName(entry);
};

/** A service of the tariff. */
export interface ServiceName {
  readonly code: string;
  readonly carrier: string;
  readonly description?: string;
}

/** The codes of a group; undefined if the carrier has no such group. */
const groupNamed = (carrier: string, name: string): readonly string[] | undefined =>
  groupsOf(carrier)[name.toLowerCase()];

/** Replaces groups with codes, so that different spellings compare as equal. */
export const spelledOut = ({ carrier, services }: Charged): string =>
  [...new Set(services.flatMap((name) => groupNamed(carrier, name) ?? [name.toUpperCase()]))].sort().join(' ');

const codesOf = (carrier: string, all: readonly ServiceName[]): string[] =>
  all.filter((service) => service.carrier === carrier).map(({ code }) => code);

/**
 * @returns the codes of matching services, in the tariff's order, and the names that are neither a group nor a service of the
 * carrier or the tariff
 */
export const servicesFor = (
  { carrier, services }: Charged,
  all: readonly ServiceName[],
): { readonly codes: readonly string[]; readonly unknown: readonly string[] } => {
  const own = codesOf(carrier, all);
  if (services.length === 0) return { codes: own, unknown: [] };
  const known = new Set([...own, ...SERVICE_ORDER.filter((code) => carrierOf(code) === carrier)]);
  const named = services.flatMap((name) => groupNamed(carrier, name) ?? [name.toUpperCase()]);
  return {
    codes: own.filter((code) => named.includes(code)),
    unknown: services.filter((name) => groupNamed(carrier, name) === undefined && !known.has(name.toUpperCase())),
  };
};

/** Names services for people: `UPS`, `UPS air`, or each. */
export const servicesText = (codes: readonly string[], all: readonly ServiceName[]): string => {
  const carrier = all.find(({ code }) => code === codes[0])?.carrier ?? '';
  const own = codesOf(carrier, all);
  const isSame = (group: readonly string[]): boolean =>
    own.every((code) => group.includes(code) === codes.includes(code)) && codes.every((code) => own.includes(code));
  if (isSame(own) && own.length > 1) return carrier;
  const group = Object.entries(groupsOf(carrier)).find(([, members]) => isSame(members));
  if (group !== undefined && codes.length > 1) return `${carrier} ${group[0]}`;
  return codes.map((code) => serviceTitle(code, all.find((one) => one.code === code)?.description)).join(', ');
};

/** Names that a person may write instead of an unknown name. */
export const namesText = (carrier: string, all: readonly ServiceName[]): string =>
  [...codesOf(carrier, all), ...Object.keys(groupsOf(carrier))].join(', ') ||
  `none, because there are no rates of ${carrier}`;
