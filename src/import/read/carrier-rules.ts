/** Facts that files do not state and that apply to every carrier: limits, military post, and zone numbers. */
import type { ServiceEntry } from '../../catalog/tariff/document.ts';

/** Cubic inches per pound, for files that state no factor, such as FedEx's list rates. */
export const DIMENSIONAL_FACTOR = 139;
export const MAXIMUM_ACTUAL_LB = 150;

/** FedEx and UPS round sides up to the inch from this day on. Earlier, they rounded to the nearest inch. */
const SIDES_UP_FROM = '2025-08-18';

/** Side rounding in a tariff of this date, for a carrier that changes from the nearest inch to rounding up on a day. */
export const roundedUpFrom = (day: string, effective: string): ServiceEntry['sideRounding'] => {
  if (effective >= day) return 'up';
  return [
    { from: effective, rounding: 'nearest' },
    { from: day, rounding: 'up' },
  ];
};

/** Side rounding by both carriers in a tariff of this date. */
export const upFrom2025 = (effective: string): ServiceEntry['sideRounding'] => roundedUpFrom(SIDES_UP_FROM, effective);

/** Whether a zone is in the contiguous states. Carriers number these zones 2 to 8 for each service (`102`, `302`). */
export const isContiguous = (zone: string): boolean => /^(?:[1-8]|[1-3][034][2-8])$/.test(zone);

/** The zone from 1 to 8 in which a rate column is reported. 8 for Alaska, Hawaii and anything farther. */
export const reportedZone = (column: string): number => (isContiguous(column) ? Number(column.slice(-1)) : 8);

/** The rate columns of zones 2 to 8, nearest first; undefined if any is missing. */
export const distanceColumnsOf = (columns: readonly string[]): string[] | undefined => {
  const nearest = [2, 3, 4, 5, 6, 7, 8].map((zone) =>
    columns.find((column) => isContiguous(column) && reportedZone(column) === zone),
  );
  return nearest.every((column) => column !== undefined) ? nearest : undefined;
};
