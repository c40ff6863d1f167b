/**
 * Where a place stands on the map of the United States: Albers' equal-area conic projection, so that a square mile is as
 * big in Maine as in Texas, with what lies apart moved to insets below. In the map's own units, 960 by 600.
 */

export const MAP_WIDTH = 960;
export const MAP_HEIGHT = 600;

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Frame {
  readonly name: string;
  /** ZIP3s that stand in it. */
  readonly holds: (zip3: string) => boolean;
  /** Latitudes that keep their true scale. */
  readonly parallels: readonly [number, number];
  /** What stands in its middle, in degrees. */
  readonly center: { readonly lat: number; readonly lon: number };
  /** Units to the radius of the earth. */
  readonly scale: number;
  readonly at: Point;
}

/** A frame that is not the mainland, and where its name is written. */
export interface Inset {
  readonly name: string;
  readonly label: Point;
}

const between =
  (from: string, to: string) =>
  (zip3: string): boolean =>
    from <= zip3 && zip3 <= to;

const ALASKA: Frame = {
  name: 'Alaska',
  holds: between('995', '999'),
  parallels: [55, 65],
  center: { lat: 61, lon: -146 },
  scale: 420,
  at: { x: 106, y: 505 },
};
const HAWAII: Frame = {
  name: 'Hawaii',
  holds: between('967', '968'),
  parallels: [8, 18],
  center: { lat: 20.9, lon: -157.4 },
  scale: 1280,
  at: { x: 252, y: 534 },
};
const GUAM: Frame = {
  name: 'Guam',
  holds: (zip3) => zip3 === '969',
  parallels: [8, 18],
  center: { lat: 13.8, lon: 145 },
  scale: 1280,
  at: { x: 350, y: 534 },
};
const PUERTO_RICO: Frame = {
  name: 'Puerto Rico',
  holds: between('006', '009'),
  parallels: [8, 18],
  center: { lat: 18.1, lon: -65.8 },
  scale: 1280,
  at: { x: 886, y: 534 },
};
const MAINLAND: Frame = {
  name: 'Mainland',
  holds: () => true,
  parallels: [29.5, 45.5],
  center: { lat: 38.2, lon: -96 },
  scale: 1190,
  at: { x: 484, y: 298 },
};

const INSETS = [ALASKA, HAWAII, GUAM, PUERTO_RICO];
const LABEL_Y = 592;

export const insets: readonly Inset[] = INSETS.map(({ name, at }) => ({ name, label: { x: at.x, y: LABEL_Y } }));

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

const albers = ({ parallels, center, scale, at }: Frame, lat: number, lon: number): Point => {
  const [south, north] = parallels.map(radians);
  const cone = (Math.sin(south ?? 0) + Math.sin(north ?? 0)) / 2;
  const constant = Math.cos(south ?? 0) ** 2 + 2 * cone * Math.sin(south ?? 0);
  const radiusAt = (latitude: number): number => Math.sqrt(constant - 2 * cone * Math.sin(radians(latitude))) / cone;
  // West of the date line and east of it are neighbours.
  const east = ((lon - center.lon + 540) % 360) - 180;
  const angle = cone * radians(east);
  const radius = radiusAt(lat);
  return {
    x: at.x + scale * radius * Math.sin(angle),
    y: at.y + scale * (radius * Math.cos(angle) - radiusAt(center.lat)),
  };
};

/** Where the centroid of a ZIP3 stands on the map. */
export const placeOf = (zip3: string, lat: number, lon: number): Point =>
  albers(INSETS.find(({ holds }) => holds(zip3)) ?? MAINLAND, lat, lon);
