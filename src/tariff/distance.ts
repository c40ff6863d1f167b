/**
 * How far apart two ZIP3s are, for zones by distance: great-circle miles between the centroids of `centroids.ts`.
 */
import { CENTROIDS } from './centroids.ts';
import { ZIP3S } from './zip.ts';

const EARTH_RADIUS_MILES = 3_958.8;
const RADIANS = Math.PI / 180;

/** Latitude and longitude in degrees of the centroid of each ZIP3 in use. */
export const DEGREES: ReadonlyMap<number, readonly [latitude: number, longitude: number]> = new Map(
  CENTROIDS.split(/[|\n]/).map((entry) => {
    const [zip3 = 0, latitude = Number.NaN, longitude = Number.NaN] = entry.split(' ').map(Number);
    return [zip3, [latitude, longitude]];
  }),
);

/** The same in radians at twice the ZIP3; NaN where the ZIP3 is not in use. */
const POINTS: Float64Array = (() => {
  const points = new Float64Array(2 * ZIP3S).fill(Number.NaN);
  for (const [zip3, degrees] of DEGREES)
    points.set(
      degrees.map((angle) => angle * RADIANS),
      2 * zip3,
    );
  return points;
})();

/** Great-circle miles between two ZIP3s' centroids (haversine); NaN where either is not in use. */
export const milesBetween = (zip3: number, other: number): number => {
  const latitude = POINTS[2 * zip3] ?? Number.NaN;
  const otherLatitude = POINTS[2 * other] ?? Number.NaN;
  const acrossHalf = ((POINTS[2 * other + 1] ?? Number.NaN) - (POINTS[2 * zip3 + 1] ?? Number.NaN)) / 2;
  const upHalf = (otherLatitude - latitude) / 2;
  const chord = Math.sin(upHalf) ** 2 + Math.cos(latitude) * Math.cos(otherLatitude) * Math.sin(acrossHalf) ** 2;
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(chord)));
};

/** The zone band of a distance: 0 up to and with the first bound, as many as there are bounds beyond the last. */
export const bandOf = (miles: number, boundsMiles: readonly number[]): number => {
  const band = boundsMiles.findIndex((bound) => miles <= bound);
  return band === -1 ? boundsMiles.length : band;
};

/** Whether the Postal Service uses a ZIP3 for places. */
export const isInUse = (zip3: number): boolean => !Number.isNaN(POINTS[2 * zip3] ?? Number.NaN);
