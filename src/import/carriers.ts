/** The carriers whose services and files are known, and what an import needs from them. Other carriers have none of this. */
import { FEDEX } from './fedex/carrier.ts';
import { type Carrier, type CarrierService, orderOf, titledIn } from './read/carrier.ts';
import { UPS } from './ups/carrier.ts';
import { USPS } from './usps/carrier.ts';

export const CARRIERS: readonly Carrier[] = [FEDEX, UPS, USPS];

const byName = new Map(CARRIERS.map((carrier) => [carrier.name.toLowerCase(), carrier]));

/** Finds a carrier by its exact name. */
export const knownCarrier = (name: string): Carrier | undefined => CARRIERS.find((carrier) => carrier.name === name);

/** Returns a carrier's name in its own spelling: `FedEx` for `fedex`. Other carriers' names stay as they are. */
export const carrierNamed = (name: string): string => byName.get(name.toLowerCase())?.name ?? name;

/** Returns the carrier of a service code: UPS for `UPS-GROUND`. */
export const carrierOf = (code: string): string => {
  const [prefix = code] = code.split('-');
  return CARRIERS.find((carrier) => carrier.prefix === prefix)?.name ?? prefix;
};

/** Each carrier's services, from the slowest to the fastest. */
const SERVICES = CARRIERS.flatMap(({ services }) => services);
export const SERVICE_ORDER = SERVICES.map(({ code }) => code);

/** Compares service codes by their order in a tariff. Unknown services come last, by code. */
export const byServiceOrder = orderOf(SERVICE_ORDER);

/** Returns the name of a service in its carrier's files. @param other the name of a service of another carrier */
export const serviceTitle = (code: string, other: string = code): string =>
  SERVICES.find((service) => service.code === code)?.description ?? other;

/** A service's limits and destinations. Empty for services of other carriers; their quotes report that. */
export const termsOf = (code: string): CarrierService['terms'] =>
  SERVICES.find((service) => service.code === code)?.terms ?? {};

/** Returns the service that a price list's title names: USPS's Ground Advantage for `ground_advantage_commercial`. */
export const serviceTitled = (title: string): CarrierService | undefined => titledIn(SERVICES, title);

/** The services that files are expected to have rates for. */
export const LISTED_SERVICES = SERVICES.filter(({ byContract }) => byContract !== true).map(({ code }) => code);

/** For services without a column of their own: the column they share, in the charts of all carriers. */
export const SHARED_COLUMNS: Carrier['columnOf'] = Object.assign({}, ...CARRIERS.map(({ columnOf }) => columnOf));

/** A carrier's groups of services, by name. */
export const groupsOf = (carrier: string): Carrier['groups'] => knownCarrier(carrier)?.groups ?? {};

/** Turns a text into lowercase letters, digits and hyphens. */
export const slugged = (text: string, most: number): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, most);

/** A carrier's short name, for charts. */
export const slugOf = (carrier: string): string => knownCarrier(carrier)?.slug ?? (slugged(carrier, 20) || 'own');
