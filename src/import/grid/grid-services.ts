/** Finds services by their names in a carrier's discount grid. */
import { bare } from '../../lists/columns/aliases.ts';
import { serviceNames } from '../../lists/columns/service-names.ts';
import { CARRIERS, SERVICE_ORDER } from '../carriers.ts';

/** Finds a service code by its name in a grid: `UPS Ground`, `Ground`, `UPS-GROUND`. */
export const gridServiceNamer = (services: readonly string[]): ((text: string) => string | undefined) => {
  const codes = new Map(serviceNames(undefined, [...SERVICE_ORDER, ...services]).pairs);
  // Carriers put their own name before service names.
  const before = new Set(
    services.map((code) => CARRIERS.find(({ prefix }) => prefix === code.split('-')[0])?.name ?? ''),
  );
  const short = new Map(services.map((code) => [bare(code.slice(code.indexOf('-') + 1)), code]));
  return (text) => {
    const name = bare(text);
    const known = codes.get(name) ?? [...before].map((carrier) => codes.get(bare(`${carrier} ${text}`))).find(Boolean);
    return known ?? short.get(name);
  };
};
