/** Packs days by ZIP code into rows with as few ranges as possible. */
import type { TransitRow } from '../../catalog/tariff/document.ts';
import { rangeText, ZIP3S, ZIP5S_PER_ZIP3 } from '../../catalog/tariff/zip.ts';

/** @param days by ZIP5; 0 if not stated */
export const dayRows = (services: readonly string[], origin: string, days: Uint8Array): TransitRow[] => {
  const rows: { destination: string; days: number }[] = [];
  for (let from = 0, zip = 1; zip <= ZIP3S * ZIP5S_PER_ZIP3; zip++) {
    if (days[zip] === days[from]) continue;
    const own = days[from] ?? 0;
    if (own !== 0) rows.push({ destination: rangeText({ from, to: zip - 1 }), days: own });
    from = zip;
  }
  return services.flatMap((service) => rows.map((row) => ({ service, origin, ...row })));
};
