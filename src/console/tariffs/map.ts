/** The map's cells. The build computes them once, so that no browser has to (`vite.config.ts`). */
import { DEGREES } from '../../catalog/tariff/distance.ts';
import { zipText } from '../../catalog/tariff/zip.ts';
import { cellsOf, placeOf } from './map-geometry.ts';

export const CELLS = cellsOf(
  [...DEGREES].map(([number, degrees]) => {
    const zip3 = zipText(number, 3);
    return { zip3, ...placeOf(zip3, ...degrees) };
  }),
);
