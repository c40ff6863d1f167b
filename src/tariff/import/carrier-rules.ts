/** What holds for the carriers whichever file it is, as data for a tariff: their files leave it unsaid. */
import type { ServiceEntry } from '../document.ts';

/** Each carrier's services, from the slowest to the quickest. */
export const SERVICE_ORDER = [
  ...['FDX-GROUND', 'FDX-HOME', 'FDX-SAVER', 'FDX-2DAY', 'FDX-2DAYAM', 'FDX-STDOVN', 'FDX-PRIOVN', 'FDX-1STOVN'],
  ...['UPS-GROUND', 'UPS-3DAY', 'UPS-2DAY', 'UPS-2DAYAM', 'UPS-NDASVR', 'UPS-NDA', 'UPS-NDAEAM'],
];

/** Short names of carriers, for charts. */
const SLUGS: Readonly<Record<string, string>> = { FedEx: 'fdx', UPS: 'ups' };

/** Miles up to which zones 2 to 7 reach, fitted to the carriers' own charts: 93 to 95 of 100 lanes come out the same. */
export const DISTANCE_MILES: Readonly<Record<string, readonly number[]>> = {
  FedEx: [168, 325, 619, 1025, 1422, 1817],
  UPS: [156, 312, 618, 1023, 1422, 1823],
};

/** Cubic inches a pound, where a file states none. */
export const DIMENSIONAL_FACTOR = 139;
export const MAXIMUM_ACTUAL_LB = 150;

/** FedEx and UPS round sides up to the inch from this day on; before it they rounded to the nearest. */
const SIDES_UP_FROM = '2025-08-18';

/** How a carrier measures sides, in a tariff of this date; undefined where that is not known of it. */
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
 * Destinations that a carrier does not go to, though its charts have a zone for them in the middle of a wide range.
 * FedEx cannot deliver to APO, FPO and DPO addresses (Service Guide 2026, Post office box addresses, page 179).
 */
export const UNDELIVERED: Readonly<Record<string, readonly string[]>> = { FedEx: MILITARY };

/** A service's place in a tariff; those unknown here come last. */
export const serviceRank = (code: string): number => {
  const at = SERVICE_ORDER.indexOf(code);
  return at === -1 ? SERVICE_ORDER.length : at;
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

/** Whether a zone is one of the contiguous states': the carriers number these 2 to 8 by service (`102`, `302`). */
export const isContiguous = (zone: string): boolean => /^(?:[1-8]|[1-3][034][2-8])$/.test(zone);

/** The zone from 1 to 8 that a rate column is reported as; Alaska, Hawaii and what lies farther are reported as 8. */
export const reportedZone = (column: string): number => (isContiguous(column) ? Number(column.slice(-1)) : 8);

/** The rate columns of zones 2 to 8, nearest first; undefined where any of them is missing. */
export const distanceColumnsOf = (columns: readonly string[]): string[] | undefined => {
  const nearest = [2, 3, 4, 5, 6, 7, 8].map((zone) =>
    columns.find((column) => isContiguous(column) && reportedZone(column) === zone),
  );
  return nearest.every((column) => column !== undefined) ? nearest : undefined;
};
