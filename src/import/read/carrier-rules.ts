/** What the carriers' files do not state, as data for a tariff: the names, order and limits of services. */
import { must } from '../../base/must.ts';
import type { ServiceEntry } from '../../catalog/tariff/document.ts';
import type { ParsedChart } from './reader.ts';

interface Service {
  readonly code: string;
  readonly description: string;
}

/** A contract service with rates and fees of its own. FedEx does not count it among its U.S. package services. */
export const FEDEX_ECONOMY = 'FDX-ECON';

/** FedEx's services within the United States, as its list rates name them, from the slowest to the fastest. */
const FEDEX_SERVICES: readonly Service[] = [
  { code: FEDEX_ECONOMY, description: 'FedEx Ground Economy' },
  { code: 'FDX-GROUND', description: 'FedEx Ground' },
  { code: 'FDX-HOME', description: 'FedEx Home Delivery' },
  { code: 'FDX-SAVER', description: 'FedEx Express Saver' },
  { code: 'FDX-2DAY', description: 'FedEx 2Day' },
  { code: 'FDX-2DAYAM', description: 'FedEx 2Day A.M.' },
  { code: 'FDX-STDOVN', description: 'FedEx Standard Overnight' },
  { code: 'FDX-PRIOVN', description: 'FedEx Priority Overnight' },
  { code: 'FDX-1STOVN', description: 'FedEx First Overnight' },
];

/** What FedEx's fee documents call U.S. package services. */
export const FEDEX_PACKAGE_SERVICES = FEDEX_SERVICES.map(({ code }) => code).filter((code) => code !== FEDEX_ECONOMY);
export const FEDEX_GROUND_SERVICES = ['FDX-GROUND', 'FDX-HOME'];

/** Each carrier's services, from the slowest to the fastest. */
export const SERVICE_ORDER = [
  ...FEDEX_SERVICES.map(({ code }) => code),
  ...['UPS-GROUND', 'UPS-3DAY', 'UPS-2DAY', 'UPS-2DAYAM', 'UPS-NDASVR', 'UPS-NDA', 'UPS-NDAEAM'],
];

const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const fedexByName = new Map(FEDEX_SERVICES.map((service) => [bare(service.description), service]));

/** FedEx's service of a column heading such as `FedEx 2Day® A.M.`. Signs, case and spaces do not matter. */
export const fedexServiceNamed = (name: string): Service | undefined => fedexByName.get(bare(name));

export const fedexDescription = (code: string): string =>
  must(
    FEDEX_SERVICES.find((service) => service.code === code),
    `the FedEx service ${code}`,
  ).description;

/** FedEx's packaging for One Rate, and its letters in a service code. */
export const ONE_RATE_PACKAGING: Readonly<Record<string, string>> = {
  Envelope: 'EN',
  'Extra Small Box': 'XS',
  Pak: 'PA',
  'Small Box': 'SB',
  'Medium Box': 'MB',
  'Large Box': 'LB',
  'Extra Large Box': 'XL',
  Tube: 'TU',
};

/** The services that carry One Rate, and the last letter of a service code. */
export const ONE_RATE_SPEED: Readonly<Record<string, string>> = {
  'FDX-SAVER': 'S',
  'FDX-2DAY': '2',
  'FDX-2DAYAM': 'A',
  'FDX-STDOVN': 'O',
  'FDX-PRIOVN': 'P',
  'FDX-1STOVN': 'F',
};

/** `FDX-1R-MB2` is a medium box by 2Day. */
export const oneRateCode = (packaging: string, service: string): string =>
  `FDX-1R-${must(ONE_RATE_PACKAGING[packaging], 'packaging of One Rate')}${must(ONE_RATE_SPEED[service], 'a service of One Rate')}`;

const ONE_RATE_CODES = Object.keys(ONE_RATE_PACKAGING).flatMap((packaging) =>
  Object.keys(ONE_RATE_SPEED).map((service) => oneRateCode(packaging, service)),
);

/** The columns of a FedEx zone chart, and the services that each is for. */
export const FEDEX_CHART_COLUMNS = ['express', 'ground'] as const;
export const FEDEX_COLUMN_OF: ParsedChart['columnOf'] = Object.fromEntries(
  [...FEDEX_SERVICES.map(({ code }) => code), ...ONE_RATE_CODES].map((code) => [
    code,
    code === FEDEX_ECONOMY || FEDEX_GROUND_SERVICES.includes(code) ? 'ground' : 'express',
  ]),
);

/** Next Day Air Early has no column in UPS's charts: its rates are by the zones of Next Day Air. */
export const UPS_SHARED_COLUMNS: ParsedChart['columnOf'] = { 'UPS-NDAEAM': 'UPS-NDA' };

/** Groups of a carrier's services, as its tables of fuel and charges name them. */
export const SERVICE_GROUPS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  FedEx: {
    ground: FEDEX_GROUND_SERVICES,
    express: FEDEX_PACKAGE_SERVICES.filter((code) => !FEDEX_GROUND_SERVICES.includes(code)),
  },
  UPS: {
    ground: ['UPS-GROUND'],
    air: SERVICE_ORDER.filter((code) => code.startsWith('UPS-') && code !== 'UPS-GROUND'),
  },
};

/** A carrier's name in its own spelling: `fedex` is `FedEx`. Other carriers' names stay as they are. */
export const carrierNamed = (name: string): string =>
  Object.keys(SERVICE_GROUPS).find((known) => known.toLowerCase() === name.toLowerCase()) ?? name;

/** Whether the carrier is one whose services and thresholds are known here. */
export const isKnownCarrier = (carrier: string): boolean => Object.hasOwn(SERVICE_GROUPS, carrier);

/** Short names of carriers, for charts. */
const SLUGS: Readonly<Record<string, string>> = { FedEx: 'fdx', UPS: 'ups' };

/** Upper bounds of zones 2 to 7 in miles, fitted to the carriers' charts: 93 to 95% of the lanes get the chart's zone. */
export const DISTANCE_MILES: Readonly<Record<string, readonly number[]>> = {
  FedEx: [168, 325, 619, 1025, 1422, 1817],
  UPS: [156, 312, 618, 1023, 1422, 1823],
};

/** Cubic inches per pound, for files that state none, such as FedEx's list rates. */
export const DIMENSIONAL_FACTOR = 139;
export const MAXIMUM_ACTUAL_LB = 150;

type Terms = Pick<ServiceEntry, 'maximumLengthIn' | 'maximumLengthPlusGirthIn' | 'deliversTo'> &
  Partial<Pick<ServiceEntry, 'maximumActualLb' | 'hasNo'>>;

/** FedEx Service Guide 2026, pages 128 (Ground Unauthorized Package Charge) and 158 (Package restrictions). */
const FEDEX_GROUND: Terms = { maximumLengthIn: 108, maximumLengthPlusGirthIn: 165 };
/** FedEx Service Guide 2026, page 158: `The maximum limits for FedEx U.S. packages are 150 lbs. and 119 inches`. */
const FEDEX_EXPRESS: Terms = { maximumLengthIn: 119, maximumLengthPlusGirthIn: 165 };
/** UPS's maximum limits are 150 lb, 108 inches, and 165 inches of length plus girth. */
const UPS_PACKAGE: Terms = { maximumLengthIn: 108, maximumLengthPlusGirthIn: 165 };

const TERMS: Readonly<Record<string, Terms>> = {
  'FDX-GROUND': FEDEX_GROUND,
  /** FedEx Service Guide 2026, page 161: its service days are Monday through Sunday, so Saturday costs nothing more. */
  'FDX-HOME': { ...FEDEX_GROUND, deliversTo: 'homes', hasNo: ['saturday'] },
  /** FedEx Ground Economy fees 2026, page 1: it has every fee, and none for homes. */
  [FEDEX_ECONOMY]: { maximumActualLb: 70, maximumLengthPlusGirthIn: 130, hasNo: ['residential'] },
};

/** The limits of a service, and where it goes. Services of other carriers have none here: their quotes say so. */
export const termsOf = (code: string): Terms => {
  const others: Readonly<Record<string, Terms>> = { FedEx: FEDEX_EXPRESS, UPS: UPS_PACKAGE };
  return TERMS[code] ?? (SERVICE_ORDER.includes(code) ? (others[carrierOf(code)] ?? {}) : {});
};

/** Carriers that set fuel every week. FedEx: Service Guide 2026, Fuel Surcharge, page 139. UPS: its table of fuel. */
export const WEEKLY_FUEL: readonly string[] = ['FedEx', 'UPS'];

/** FedEx and UPS round sides up to the inch from this day on. Before, they rounded to the nearest inch. */
const SIDES_UP_FROM = '2025-08-18';

/** How a carrier measures sides, in a tariff of this date; undefined if that is unknown. */
export const sideRoundingOf = (carrier: string, effective: string): ServiceEntry['sideRounding'] => {
  if (SLUGS[carrier] === undefined) return undefined;
  if (effective >= SIDES_UP_FROM) return 'up';
  return [
    { from: effective, rounding: 'nearest' },
    { from: SIDES_UP_FROM, rounding: 'up' },
  ];
};

/** Military post: AE, AA and AP. */
export const MILITARY = ['090-098', '340', '962-966'];

/**
 * Destinations that a carrier does not serve, although they are inside a wide range of its charts.
 * FedEx cannot deliver to APO, FPO and DPO addresses (Service Guide 2026, Post office box addresses, page 179).
 */
export const UNDELIVERED: Readonly<Record<string, readonly string[]>> = { FedEx: MILITARY };

const rankOf = (code: string): number => {
  const at = SERVICE_ORDER.indexOf(code);
  return at === -1 ? SERVICE_ORDER.length : at;
};

/** Compares service codes by their order in a tariff. Unknown services come last, by code. */
export const byServiceOrder = (a: string, b: string): number => rankOf(a) - rankOf(b) || (a < b ? -1 : a > b ? 1 : 0);

/** The carrier of a service code: `UPS-GROUND` is UPS's. */
export const carrierOf = (code: string): string => {
  const [prefix = code] = code.split('-');
  return prefix === 'FDX' ? 'FedEx' : prefix;
};

/** A carrier's short name, for charts. */
export const slugOf = (carrier: string): string =>
  SLUGS[carrier] ??
  (carrier
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 20) ||
    'own');

/** Whether a zone is in the contiguous states. The carriers number these zones 2 to 8 for each service (`102`, `302`). */
export const isContiguous = (zone: string): boolean => /^(?:[1-8]|[1-3][034][2-8])$/.test(zone);

/** The zone from 1 to 8 that a rate column is reported as; 8 for Alaska, Hawaii and anything farther. */
export const reportedZone = (column: string): number => (isContiguous(column) ? Number(column.slice(-1)) : 8);

/** The rate columns of zones 2 to 8, nearest first; undefined if any is missing. */
export const distanceColumnsOf = (columns: readonly string[]): string[] | undefined => {
  const nearest = [2, 3, 4, 5, 6, 7, 8].map((zone) =>
    columns.find((column) => isContiguous(column) && reportedZone(column) === zone),
  );
  return nearest.every((column) => column !== undefined) ? nearest : undefined;
};
