/**
 * What stands for each ZIP3 on the map: the part of a small disc around its centroid that is nearer to it than to any
 * other. Where ZIP3s are dense, the cells fill the land between them; no border of any state or shape of a coast is known.
 */
import type { Point } from './projection.ts';

export interface Site extends Point {
  readonly zip3: string;
}

export interface Cell extends Site {
  /** Its corners, as the `d` of a closed SVG path. */
  readonly path: string;
}

/** In the map's units. */
const LARGEST_RADIUS = 31;
const SMALLEST_RADIUS = 8;
const CORNERS = 16;
/** A disc reaches as far as this neighbour, counted from the nearest. */
const REACHES_NEIGHBOUR = 20;
/** Left free between two cells, so that neighbours of one zone can be told apart. */
const GAP = 0.5;

const disc = ({ x, y }: Point, radius: number): Point[] =>
  Array.from({ length: CORNERS }, (_, corner) => {
    const angle = (2 * Math.PI * (corner + 0.5)) / CORNERS;
    return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) };
  });

/** The part of a convex outline that is nearer to `own` than to `other`. */
const nearerPart = (outline: readonly Point[], own: Point, other: Point): Point[] => {
  const across = { x: other.x - own.x, y: other.y - own.y };
  const distance = Math.hypot(across.x, across.y);
  const half = Math.max(distance / 2 - GAP / 2, distance / 4);
  /** How far beyond the line between the two a corner is. */
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

const pathOf = (outline: readonly Point[]): string =>
  outline.length === 0 ? '' : `M${outline.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L')}Z`;

/** The cells of all ZIP3s, in the order given. */
export const cellsOf = (sites: readonly Site[]): readonly Cell[] =>
  sites.map((site) => {
    const near = sites
      .filter(({ x, y }) => Math.abs(x - site.x) < 2 * LARGEST_RADIUS && Math.abs(y - site.y) < 2 * LARGEST_RADIUS)
      .map((other) => ({ other, distance: Math.hypot(other.x - site.x, other.y - site.y) }))
      .filter(({ distance }) => distance > 0)
      .sort((a, b) => a.distance - b.distance);
    const reach = near[REACHES_NEIGHBOUR - 1]?.distance ?? LARGEST_RADIUS;
    const radius = Math.min(LARGEST_RADIUS, Math.max(SMALLEST_RADIUS, reach));
    const outline = near
      .filter(({ distance }) => distance < 2 * radius)
      .reduce((left, { other }) => nearerPart(left, site, other), disc(site, radius));
    return { ...site, path: pathOf(outline) };
  });

/** The ZIP3 whose centroid is nearest to a place on the map; undefined where none is near. */
export const nearestTo = (sites: readonly Site[], { x, y }: Point): Site | undefined => {
  let best: Site | undefined;
  let least = LARGEST_RADIUS;
  for (const site of sites) {
    const distance = Math.hypot(site.x - x, site.y - y);
    if (distance >= least) continue;
    least = distance;
    best = site;
  }
  return best;
};
