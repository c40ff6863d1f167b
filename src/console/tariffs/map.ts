/** The places of the map's cells. The build computes them once, so that browsers do not load the centroids (`vite.config.ts`). */
import { DEGREES } from '../../catalog/tariff/distance.ts';
import { zipText } from '../../catalog/tariff/zip.ts';
import { placeOf } from './map-geometry.ts';

/** A ZIP3 and its place, in whole map units. */
export const PLACES: readonly (readonly [zip3: string, x: number, y: number])[] = [...DEGREES].map(
  ([number, degrees]) => {
    const zip3 = zipText(number, 3);
    const { x, y } = placeOf(zip3, ...degrees);
    return [zip3, Math.round(x), Math.round(y)];
  },
);
