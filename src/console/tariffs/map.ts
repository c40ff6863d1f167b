/** The places of the map. The build computes them once, so that browsers do not load the centroids (`vite.config.ts`). */
import { DEGREES } from '../../catalog/tariff/distance.ts';
import { zipText } from '../../catalog/tariff/zip.ts';
import { STATES, stateOf } from '../../catalog/tariff/zones-by-zip3.ts';
import { placeOf } from './map-geometry.ts';

type Place = readonly [name: string, x: number, y: number];

/** A ZIP3 and its place, in whole map units. */
export const PLACES: readonly Place[] = [...DEGREES].map(([number, degrees]) => {
  const zip3 = zipText(number, 3);
  const { x, y } = placeOf(zip3, ...degrees);
  return [zip3, Math.round(x), Math.round(y)];
});

/** Insets have names, and other places outside the mainland are not on the map. */
const ELSEWHERE = /^(?:A[AEKPS]|FM|GU|HI|M[HP]|P[RW]|VI|unknown)$/;
const APART = 320;

const middleOf = (state: string): Place => {
  const own = PLACES.filter(([zip3]) => stateOf(Number(`${zip3}50`)) === state);
  const middle = (at: 1 | 2): number => Math.round(own.reduce((sum, place) => sum + place[at], 0) / own.length);
  return [state, middle(1), middle(2)];
};

/** The mainland’s states in their middles. Leaves out a state whose name would be on that of an earlier one. */
export const STATE_NAMES: readonly Place[] = STATES.filter((state) => !ELSEWHERE.test(state))
  .map(middleOf)
  .filter(([, x, y], at, all) => all.slice(0, at).every((other) => Math.hypot(x - other[1], y - other[2]) >= APART));
