/** The distance between two ZIP3s, for zones by distance: great-circle miles between the centroids of `centroids.ts`. */
import { must } from '../../base/must.ts';
import { CENTROIDS } from './centroids.ts';
import { ZIP3S } from './zip.ts';

const EARTH_RADIUS_MILES = 3_958.8;
const RADIANS = Math.PI / 180;

/** Latitude and longitude in degrees of the centroid of each ZIP3 in use. */
export const DEGREES: ReadonlyMap<number, readonly [latitude: number, longitude: number]> = new Map(
  CENTROIDS.split(/[|\n]/).map((entry) => {
    const [zip3, latitude, longitude] = entry.split(' ').map(Number);
    return [must(zip3, 'a ZIP3'), [must(latitude, 'a latitude'), must(longitude, 'a longitude')]];
  }),
);

/** Latitude and longitude in radians, at index 2 × ZIP3. NaN if the ZIP3 is not in use. */
const POINTS: Float64Array = (() => {
  const points = new Float64Array(2 * ZIP3S).fill(Number.NaN);
  for (const [zip3, degrees] of DEGREES)
    points.set(
      degrees.map((angle) => angle * RADIANS),
      2 * zip3,
    );
  return points;
})();

const coordinate = (index: number): number => must(POINTS[index], 'a coordinate');

/** Great-circle miles between the centroids of two ZIP3s (haversine). NaN if either is not in use. */
export const milesBetween = (zip3: number, other: number): number => {
  const latitude = coordinate(2 * zip3);
  const otherLatitude = coordinate(2 * other);
  const acrossHalf = (coordinate(2 * other + 1) - coordinate(2 * zip3 + 1)) / 2;
  const upHalf = (otherLatitude - latitude) / 2;
  const chord = Math.sin(upHalf) ** 2 + Math.cos(latitude) * Math.cos(otherLatitude) * Math.sin(acrossHalf) ** 2;
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(chord)));
};

/** The zone band of a distance: 0 up to and including the first bound, and the number of bounds beyond the last. */
export const bandOf = (miles: number, boundsMiles: readonly number[]): number => {
  const band = boundsMiles.findIndex((bound) => miles <= bound);
  return band === -1 ? boundsMiles.length : band;
};

/** Whether the Postal Service uses a ZIP3 for places. */
export const isInUse = (zip3: number): boolean => !Number.isNaN(coordinate(2 * zip3));
