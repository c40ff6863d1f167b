/** What files do not state, and holds for every carrier: limits, military post, and how zones are numbered. */
import type { ServiceEntry } from '../../catalog/tariff/document.ts';

/** Cubic inches per pound, for files that state none, such as FedEx's list rates. */
export const DIMENSIONAL_FACTOR = 139;
export const MAXIMUM_ACTUAL_LB = 150;

/** FedEx and UPS round sides up to the inch from this day on. Before, they rounded to the nearest inch. */
const SIDES_UP_FROM = '2025-08-18';

/** How a carrier measures sides in a tariff of this date, if it rounds them up from a day on, and to the nearest inch before. */
export const roundedUpFrom = (day: string, effective: string): ServiceEntry['sideRounding'] => {
  if (effective >= day) return 'up';
  return [
    { from: effective, rounding: 'nearest' },
    { from: day, rounding: 'up' },
  ];
};

/** How both measure sides, in a tariff of this date. */
export const upFrom2025 = (effective: string): ServiceEntry['sideRounding'] => roundedUpFrom(SIDES_UP_FROM, effective);

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
