/** What a tariff still lacks: nothing that stops an import, but what an operator wants to know before a client does. */
import type { SurchargeEntry } from '../document.ts';
import { contains, zipRangeOf } from '../zip.ts';
import { SERVICE_ORDER } from './carrier-rules.ts';
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
