/** Finds services by the names that they have in a carrier's grid of discounts. */

import { bare } from '../../lists/columns/aliases.ts';
import { serviceNames } from '../../lists/columns/service-names.ts';
import { SERVICE_ORDER } from '../read/carrier-rules.ts';

/** What carriers put before the names of their services, by the beginning of the code. */
const BEFORE_NAMES: Readonly<Record<string, string>> = { UPS: 'UPS', FDX: 'FedEx' };

/** Finds the code of a service by its name in a grid: `UPS Ground`, `Ground`, `UPS-GROUND`. */
export const gridServiceNamer = (services: readonly string[]): ((text: string) => string | undefined) => {
  const codes = new Map(serviceNames(undefined, [...SERVICE_ORDER, ...services]).pairs);
  const before = new Set(services.map((code) => BEFORE_NAMES[code.split('-')[0] ?? ''] ?? ''));
  const short = new Map(services.map((code) => [bare(code.slice(code.indexOf('-') + 1)), code]));
  return (text) => {
    const name = bare(text);
    const known = codes.get(name) ?? [...before].map((carrier) => codes.get(bare(`${carrier} ${text}`))).find(Boolean);
    return known ?? short.get(name);
  };
};
