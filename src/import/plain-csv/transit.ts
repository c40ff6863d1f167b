/** Transit days in an operator's plain CSV: `service, origin, destination, days`, as in a tariff's `transit.csv`. */
import { getOrMake } from '../../base/maps.ts';
import { MOST_TRANSIT_DAYS, SERVICE_CODE, type TransitRow } from '../../catalog/tariff/document.ts';
import { carrierOf } from '../carriers.ts';
import type { ParsedPlainCsv, PlainTable } from './table.ts';

const ZONE = /^zone ?([1-8])$/i;
const DAYS = /^[1-9]\d?$/;

export const readTransitDays = (table: PlainTable): ParsedPlainCsv => {
  const byOrigin = new Map<string, TransitRow[]>();
  for (const row of table.rows) {
    const service = row.text('service');
    const days = row.text('days');
    const zone = ZONE.exec(row.text('destination'))?.[1];
    const origin = row.range('origin');
    const destination = zone === undefined ? row.range('destination') : `zone ${zone}`;
    if (!SERVICE_CODE.test(service)) row.refuse('service', 'not a service code');
    else if (!DAYS.test(days) || Number(days) > MOST_TRANSIT_DAYS)
      row.refuse('days', `not whole days from 1 to ${MOST_TRANSIT_DAYS}`);
    else if (origin !== undefined && destination !== undefined) {
      const lane = { service, origin, destination, days: Number(days) };
      getOrMake(byOrigin, `${service} ${origin}`, () => []).push(lane);
    }
  }
  const transit = [...byOrigin.values()].map((rows) => ({ carrier: carrierOf(rows[0]?.service ?? ''), rows }));
  return { kind: 'transit days (CSV)', transit };
};
