/** Warnings of an import: what the tariff still lacks, and charts that do not fit the origin they name. */

import { bandOf, isInUse, milesBetween } from '../distance.ts';
import type { SurchargeEntry } from '../document.ts';
import { contains, ZIP5S_PER_ZIP3, zipRangeOf, zipText } from '../zip.ts';
import { DISTANCE_MILES, isContiguous, reportedZone, SERVICE_ORDER } from './carrier-rules.ts';
import type { SourceChart } from './merge-charts.ts';
import type { CarrierZones } from './service-zones.ts';

/** A place that shipments go from, such as a client's warehouse. */
export interface Origin {
  readonly zip5: string;
  /** For people: `warehouse 101 of demo`. */
  readonly label: string;
}

interface Said {
  readonly services: readonly { readonly code: string; readonly carrier: string }[];
  readonly byCarrier: ReadonlyMap<string, CarrierZones>;
  readonly surcharges: readonly SurchargeEntry[];
  readonly files: readonly {
    readonly file: string;
    readonly reading: { readonly effective?: string; readonly charts: readonly unknown[] };
  }[];
  readonly effective: string;
  readonly origins: readonly Origin[];
}

const isWithin = (zip5: string, ranges: readonly string[]): boolean =>
  ranges.some((range) => contains(zipRangeOf(range), zipRangeOf(zip5)));

const missingOrigins = ({ services, byCarrier, origins }: Said): string[] =>
  [...byCarrier].flatMap(([carrier, { originsOf }]) => {
    const own = services.filter((service) => service.carrier === carrier);
    if (own.length === 0) return [];
    return origins
      .filter(({ zip5 }) => [...originsOf.values()].some((ranges) => !isWithin(zip5, ranges)))
      .map(
        ({ zip5, label }) =>
          `No zone chart of ${carrier} has the origin ${zip5} (${label}): zones from there are estimated from the distance`,
      );
  });

const missingServices = ({ services }: Said): string[] => {
  const codes = services.map(({ code }) => code);
  const prefixes = new Set(codes.map((code) => code.split('-')[0]));
  return SERVICE_ORDER.filter((code) => prefixes.has(code.split('-')[0]) && !codes.includes(code)).map(
    (code) => `${code} has no rates in these files`,
  );
};

const DAY_MS = 86_400_000;
/** Carriers bring out new charts at least once a year. */
const OLD_CHART_DAYS = 366;

const oldCharts = ({ files, effective }: Said): string[] =>
  files.flatMap(({ file, reading }) => {
    const { effective: from, charts } = reading;
    if (charts.length === 0 || from === undefined) return [];
    const days = (Date.parse(effective) - Date.parse(from)) / DAY_MS;
    return days > OLD_CHART_DAYS
      ? [`${file} is a zone chart of ${from}, for rates of ${effective}: is there a newer one?`]
      : [];
  });

/** One line for each thing that is missing. */
export const missingFrom = (said: Said): string[] => {
  const { services, byCarrier, surcharges, files, effective } = said;
  const carriers = [...new Set(services.map(({ carrier }) => carrier))];
  const withoutRates = [...byCarrier.keys()].filter((carrier) => !carriers.includes(carrier));
  const uncharged = services.filter(
    ({ code }) =>
      !surcharges.some((surcharge) => surcharge.services === undefined || surcharge.services.includes(code)),
  );
  return [
    ...(services.length === 0 ? ['These files hold no rates'] : []),
    ...missingServices(said),
    ...withoutRates.map((carrier) => `There are zone charts of ${carrier}, but none of its rates`),
    ...missingOrigins(said),
    ...(uncharged.length === 0
      ? []
      : [
          `No surcharges were read for ${uncharged.map(({ code }) => code).join(', ')}: add fuel, residential and others to tariff.json`,
        ]),
    ...oldCharts(said),
    ...files
      .filter(({ reading }) => reading.effective !== undefined && reading.effective > effective)
      .map(
        ({ file, reading }) => `${file} says that it holds from ${reading.effective} on, which is after ${effective}`,
      ),
  ];
};

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
