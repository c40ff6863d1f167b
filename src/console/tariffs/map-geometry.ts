/**
 * The zone map. The build projects its places (`map.ts`), and the browser draws a cell around each. The projection is Albers'
 * equal-area conic, so that a square mile is as large in Maine as in Texas. Alaska, Hawaii, Guam and Puerto Rico are insets. The
 * cell of a ZIP3 is the part of a small disc around its centroid that is closer to it than to any other. There are no borders and
 * coasts. The map is 9600 by 6000 units, so that whole numbers are precise enough.
 */
export const MAP_WIDTH = 9600;
export const MAP_HEIGHT = 6000;

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Frame {
  readonly name: string;
  /** True for the ZIP3s that it contains. */
  readonly holds: (zip3: string) => boolean;
  /** The standard parallels, in degrees. */
  readonly parallels: readonly [number, number];
  /** The projection's center, in degrees. */
  readonly center: { readonly lat: number; readonly lon: number };
  /** Map units per radius of the earth. */
  readonly scale: number;
  readonly at: Point;
}

/** A frame other than the mainland, and the position of its name. */
export interface Inset {
  readonly name: string;
  readonly label: Point;
}

/** @param zip3s the first and the last @param center latitude and longitude @param at the position of the center */
const frame = (
  name: string,
  [first, last]: readonly [string, string],
  parallels: Frame['parallels'],
  center: readonly [number, number],
  scale: number,
  at: readonly [number, number],
): Frame => ({
  ...{ name, parallels, scale },
  holds: (zip3) => first <= zip3 && zip3 <= last,
  center: { lat: center[0], lon: center[1] },
  at: { x: at[0], y: at[1] },
});

const INSETS: readonly Frame[] = [
  frame('Alaska', ['995', '999'], [55, 65], [61, -146], 4200, [1060, 5050]),
  frame('Hawaii', ['967', '968'], [8, 18], [20.9, -157.4], 12800, [2520, 5340]),
  frame('Guam', ['969', '969'], [8, 18], [13.8, 145], 12800, [3500, 5340]),
  frame('Puerto Rico', ['006', '009'], [8, 18], [18.1, -65.8], 12800, [8860, 5340]),
];
const MAINLAND = frame('Mainland', ['000', '999'], [29.5, 45.5], [38.2, -96], 11900, [4840, 2980]);
const LABEL_Y = 5920;

export const insets: readonly Inset[] = INSETS.map(({ name, at }) => ({ name, label: { x: at.x, y: LABEL_Y } }));

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

const albers = ({ parallels, center, scale, at }: Frame, lat: number, lon: number): Point => {
  const [south, north] = [radians(parallels[0]), radians(parallels[1])];
  const cone = (Math.sin(south) + Math.sin(north)) / 2;
  const constant = Math.cos(south) ** 2 + 2 * cone * Math.sin(south);
  const radiusAt = (latitude: number): number => Math.sqrt(constant - 2 * cone * Math.sin(radians(latitude))) / cone;
  // Places on both sides of the date line are neighbors.
  const east = ((lon - center.lon + 540) % 360) - 180;
  const angle = cone * radians(east);
  const radius = radiusAt(lat);
  return {
    x: at.x + scale * radius * Math.sin(angle),
    y: at.y + scale * (radius * Math.cos(angle) - radiusAt(center.lat)),
  };
};

/** The position of a ZIP3's centroid on the map. */
export const placeOf = (zip3: string, lat: number, lon: number): Point =>
  albers(INSETS.find(({ holds }) => holds(zip3)) ?? MAINLAND, lat, lon);

export interface Site extends Point {
  readonly zip3: string;
}

export interface Cell extends Site {
  /** Its outline as the `d` of a closed SVG path. */
  readonly path: string;
}

/** In map units. */
const LARGEST_RADIUS = 310;
const SMALLEST_RADIUS = 80;
const CORNERS = 16;
/** A disc reaches to the neighbor of this rank, counted from the nearest. */
const REACHES_NEIGHBOR = 20;
/** The gap between cells, so that neighbors in the same zone can be distinguished. */
const GAP = 5;

/** Several times as fast as `Math.hypot`. */
const distanceOf = (a: Point, b: Point): number => Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2);

const disc = ({ x, y }: Point, radius: number): Point[] =>
  Array.from({ length: CORNERS }, (_, corner) => {
    const angle = (2 * Math.PI * (corner + 0.5)) / CORNERS;
    return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) };
  });

/** The part of a convex outline that is closer to `own` than to `other`. */
const nearerPart = (outline: readonly Point[], own: Point, other: Point): Point[] => {
  const across = { x: other.x - own.x, y: other.y - own.y };
  const distance = distanceOf(other, own);
  const half = Math.max(distance / 2 - GAP / 2, distance / 4);
  /** The distance of a corner beyond the line halfway between the two points. */
  const beyond = ({ x, y }: Point): number => ((x - own.x) * across.x + (y - own.y) * across.y) / distance - half;
  return outline.flatMap((corner, index) => {
    const next = outline[(index + 1) % outline.length] ?? corner;
    const [here, there] = [beyond(corner), beyond(next)];
    const kept = here <= 0 ? [corner] : [];
    if (here < 0 === there < 0 || here === there) return kept;
    const share = here / (here - there);
    return [...kept, { x: corner.x + (next.x - corner.x) * share, y: corner.y + (next.y - corner.y) * share }];
  });
};

/** Each corner is written as its offset from the previous one, which takes half the space. */
const pathOf = (outline: readonly Point[]): string => {
  let [left, top] = [0, 0];
  const steps = outline.map((corner) => {
    const [x, y] = [Math.round(corner.x), Math.round(corner.y)];
    const step = `${x - left},${y - top}`;
    [left, top] = [x, y];
    return step;
  });
  return outline.length === 0 ? '' : `M${steps.join('l')}z`;
};

/** The cells of all ZIP3s, in the same order. */
export const cellsOf = (sites: readonly Site[]): readonly Cell[] =>
  sites.map((site) => {
    const near = sites
      .filter(({ x, y }) => Math.abs(x - site.x) < 2 * LARGEST_RADIUS && Math.abs(y - site.y) < 2 * LARGEST_RADIUS)
      .map((other) => ({ other, distance: distanceOf(other, site) }))
      .filter(({ distance }) => distance > 0)
      .sort((a, b) => a.distance - b.distance);
    const reach = near[REACHES_NEIGHBOR - 1]?.distance ?? LARGEST_RADIUS;
    const radius = Math.min(LARGEST_RADIUS, Math.max(SMALLEST_RADIUS, reach));
    let outline = disc(site, radius);
    let farthest = radius;
    for (const { other, distance } of near) {
      // The rest are too far away to cut off a corner.
      if (distance - GAP > 2 * farthest) break;
      outline = nearerPart(outline, site, other);
      farthest = Math.max(...outline.map((corner) => distanceOf(corner, site)));
    }
    return { ...site, path: pathOf(outline) };
  });

/** The ZIP3 whose centroid is nearest to a point. Undefined if none is near. */
export const nearestTo = <S extends Site>(sites: readonly S[], { x, y }: Point): S | undefined => {
  let best: S | undefined;
  let least = LARGEST_RADIUS;
  for (const site of sites) {
    const distance = distanceOf(site, { x, y });
    if (distance >= least) continue;
    least = distance;
    best = site;
  }
  return best;
};
