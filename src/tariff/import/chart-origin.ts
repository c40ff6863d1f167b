/** Whether a zone chart is for the origin that it is said to be for: its zones must fit the distances from there. */
import { bandOf, isInUse, milesBetween } from '../distance.ts';
import { ZIP5S_PER_ZIP3, zipRangeOf, zipText } from '../zip.ts';
import { DISTANCE_MILES, isContiguous, reportedZone } from './carrier-rules.ts';
import type { SourceChart } from './merge-charts.ts';

/** A chart with fewer destinations, or fewer zones, says too little: an operator may have made it by another rule. */
const LEAST_DESTINATIONS = 50;
const LEAST_ZONES = 5;
/** Of the carriers' own charts at least 89 of 100 zones are those of the distance. */
const GOOD_FIT = 0.93;
const LEAST_FIT = 0.85;
/** The charts' own origins fit at most 4 of 100 zones worse than the best origin; one 200 miles off, at least 7. */
const WORSE_THAN_BEST = 0.06;
const ZIP3S_IN_USE = Array.from({ length: 1_000 }, (_, zip3) => zip3).filter(isInUse);

/** A destination's ZIP3 and its zone from 2 to 8. */
type Lane = readonly [zip3: number, zone: number];

const lanesOf = ({ rows }: SourceChart['chart']['chart']): readonly Lane[] => {
  const zones = new Map<number, number>();
  for (const { destination, zones: cells } of rows) {
    const zone = cells.find(isContiguous);
    const { from, to } = zipRangeOf(destination);
    const [first, last] = [Math.floor(from / ZIP5S_PER_ZIP3), Math.floor(to / ZIP5S_PER_ZIP3)];
    if (zone !== undefined)
      for (let zip3 = first; zip3 <= last; zip3++) if (isInUse(zip3)) zones.set(zip3, reportedZone(zone));
  }
  return [...zones];
};

/** The share of the lanes whose zone is that of the distance. */
const fitOf = (origin: number, lanes: readonly Lane[], boundsMiles: readonly number[]): number =>
  lanes.filter(([zip3, zone]) => bandOf(milesBetween(origin, zip3), boundsMiles) + 2 === zone).length / lanes.length;

/** The middle ZIP3 of those that a chart is for. */
const middleOf = (origin: string): number => {
  const { from, to } = zipRangeOf(origin);
  return Math.floor((from + to) / 2 / ZIP5S_PER_ZIP3);
};

const bestOf = (lanes: readonly Lane[], boundsMiles: readonly number[]): { zip3: number; fit: number } =>
  ZIP3S_IN_USE.map((zip3) => ({ zip3, fit: fitOf(zip3, lanes, boundsMiles) })).reduce((a, b) =>
    b.fit > a.fit ? b : a,
  );

/** A line for each chart whose zones contradict the distances from its origin. */
export const misplacedCharts = (charts: readonly SourceChart[]): readonly string[] =>
  charts.flatMap(({ file, chart }) => {
    const boundsMiles = DISTANCE_MILES[chart.carrier];
    const origin = middleOf(chart.origin);
    const lanes = lanesOf(chart.chart);
    if (boundsMiles === undefined || lanes.length < LEAST_DESTINATIONS || !isInUse(origin)) return [];
    if (new Set(lanes.map(([, zone]) => zone)).size < LEAST_ZONES) return [];
    const fit = fitOf(origin, lanes, boundsMiles);
    if (fit >= GOOD_FIT) return [];
    const best = bestOf(lanes, boundsMiles);
    if (fit >= LEAST_FIT && best.fit - fit <= WORSE_THAN_BEST) return [];
    return [
      `${file}: ${Math.round(fit * 100)} of 100 zones fit the distances from ${chart.origin}, and ` +
        `${Math.round(best.fit * 100)} those from ${zipText(best.zip3, 3)}: is the origin right?`,
    ];
  });
