/** The zones of a service from one warehouse, for a map: by ZIP3, with how far that leaves ZIP codes out. */
import { type Card, NO_COLUMN, type Warehouse } from '../../rating/card.ts';
import { zip5Of } from '../../rating/rate.ts';
import { DEGREES } from '../../tariff/distance.ts';
import { ZIP5S_PER_ZIP3, zipText } from '../../tariff/zip.ts';
import type { ZonesBody } from './schemas.ts';

/** The column that most of a ZIP3's ZIP codes have, and whether all have it. */
const columnOfZip3 = ({ zones }: Card, origin: number, zip3: number): { column: number; isUniform: boolean } => {
  const counts = new Map<number, number>();
  for (let zip5 = zip3 * ZIP5S_PER_ZIP3; zip5 < (zip3 + 1) * ZIP5S_PER_ZIP3; zip5++) {
    const column = zones.columnOf(origin, zip5);
    counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  const [[column = NO_COLUMN] = []] = [...counts].sort(([, a], [, b]) => b - a);
  return { column, isUniform: counts.size === 1 };
};

/** @param warehouse one in the United States */
export const zoneMapOf = (card: Card, { postalCode }: Warehouse): ZonesBody => {
  const origin = zip5Of(postalCode);
  const originZip3 = Math.floor(origin / ZIP5S_PER_ZIP3);
  const zones: Record<string, string> = {};
  let exceptions = 0;
  for (const zip3 of DEGREES.keys()) {
    const { column, isUniform } = columnOfZip3(card, origin, zip3);
    if (!isUniform) exceptions += 1;
    if (column !== NO_COLUMN) zones[zipText(zip3, 3)] = String(card.rateZones[column] ?? '');
  }
  const [lat = null, lon = null] = DEGREES.get(originZip3) ?? [];
  return {
    shippingService: card.code,
    tariff: card.tariff,
    origin: { zip3: zipText(originZip3, 3), lat, lon },
    zones,
    exceptions,
    estimated: card.zones.sourceOf(origin, origin).estimated,
  };
};
