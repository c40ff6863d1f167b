/** The services of a charge or a fuel rate. Files name them by code or by group (`ground`), or mean all of them. */
import { carrierOf, groupsOf, SERVICE_ORDER } from '../carriers.ts';
import type { Charged } from '../read/reader.ts';

/** A service of the tariff. */
export interface ServiceName {
  readonly code: string;
  readonly carrier: string;
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

/** Names services for people: `UPS`, `UPS air`, or their codes. */
export const servicesText = (codes: readonly string[], all: readonly ServiceName[]): string => {
  const carrier = all.find(({ code }) => code === codes[0])?.carrier ?? '';
  const own = codesOf(carrier, all);
  const isSame = (group: readonly string[]): boolean =>
    own.every((code) => group.includes(code) === codes.includes(code)) && codes.every((code) => own.includes(code));
  if (isSame(own) && own.length > 1) return carrier;
  const group = Object.entries(groupsOf(carrier)).find(([, members]) => isSame(members));
  return group === undefined || codes.length === 1 ? codes.join(', ') : `${carrier} ${group[0]}`;
};

/** Names that a person may write instead of an unknown name. */
export const namesText = (carrier: string, all: readonly ServiceName[]): string =>
  [...codesOf(carrier, all), ...Object.keys(groupsOf(carrier))].join(', ') ||
  `none, because there are no rates of ${carrier}`;
