/** Transit days in a plain CSV of an operator: `service, origin, destination, days`, as `transit.csv` of a tariff has them. */
import { MOST_TRANSIT_DAYS, SERVICE_CODE, type TransitRow } from '../../catalog/tariff/document.ts';
import { carrierOf } from '../carriers.ts';
import type { ParsedTransit, Unreadable } from '../read/reader.ts';
import { cellIn, type ParsedPlainCsv, type PlainTable, rangeIn, unreadableCell } from './table.ts';

const ZONE = /^zone ?([1-8])$/i;
const DAYS = /^[1-9]\d?$/;

export const readTransitDays = (table: PlainTable): ParsedPlainCsv => {
  const unreadable: Unreadable[] = [];
  const byOrigin = new Map<string, TransitRow[]>();
  for (const row of table.rows) {
    const service = cellIn(table, row, 'service');
    const days = cellIn(table, row, 'days');
    const zone = ZONE.exec(cellIn(table, row, 'destination'))?.[1];
    const origin = rangeIn(table, row, 'origin', unreadable);
    const destination = zone === undefined ? rangeIn(table, row, 'destination', unreadable) : `zone ${zone}`;
    if (!SERVICE_CODE.test(service)) unreadable.push(unreadableCell(row, 'service', service, 'not a service code'));
    else if (!DAYS.test(days) || Number(days) > MOST_TRANSIT_DAYS)
      unreadable.push(unreadableCell(row, 'days', days, `not whole days from 1 to ${MOST_TRANSIT_DAYS}`));
    else if (origin !== undefined && destination !== undefined) {
      const key = `${service} ${origin}`;
      const rows = byOrigin.get(key) ?? [];
      byOrigin.set(key, rows);
      rows.push({ service, origin, destination, days: Number(days) });
    }
  }
  const transit = [...byOrigin.values()].map(
    (rows): ParsedTransit => ({ carrier: carrierOf(rows[0]?.service ?? ''), rows }),
  );
  return { kind: 'transit days (CSV)', transit, unreadable };
};
