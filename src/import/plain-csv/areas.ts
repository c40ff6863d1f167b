/** Area lists, fuel surcharges and transit days in an operator's plain CSV. */
import { getOrMake } from '../../base/maps.ts';
import { present } from '../../base/present.ts';
import { MOST_TRANSIT_DAYS, SERVICE_CODE, type TransitRow } from '../../catalog/tariff/document.ts';
import { carrierNamed, carrierOf, knownCarrier, slugOf } from '../carriers.ts';
import { type ParsedFuel, type ReadOptions, RefusedFile } from '../read/reader.ts';
import { fuelPercent, NOT_A_FUEL_PERCENT } from './fuel-percent.ts';
import { carrierReader, type ParsedPlainCsv, type PlainTable, SERVICES, servicesIn } from './table.ts';

const LIST_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
const MAX_NAME = 40;

/** A year or a date in a file's name. It is removed, so that next year's file replaces this year's list. */
const DATE = /(?<!\d)20\d\d(?:[-_. ]?\d\d){0,2}(?!\d)/g;

/** Derives a list's name from its file's name: `ups-area-zips` from `UPS_area_ZIPs_2026`. */
const listNamed = (label: string): string =>
  label
    .toLowerCase()
    .replaceAll(DATE, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
    .slice(0, MAX_NAME);

/** The carrier at the beginning of a file's name. */
const carrierInName = (label: string): string | undefined =>
  knownCarrier(carrierNamed(label.split(/[^A-Za-z0-9]+/)[0] ?? ''))?.name;

interface List {
  readonly name: string;
  readonly carrier: string | undefined;
  readonly at: string;
  readonly rows: { zip: string; tier: string }[];
}

/** Reads area lists: `zip`, `tier`, and optionally `list` and `carrier`. */
export const readAreas = (table: PlainTable, { label = '' }: ReadOptions): ParsedPlainCsv => {
  const lists = new Map<string, List>();
  const hasNames = table.names.includes('list');
  const own = { name: listNamed(label), carrier: carrierInName(label) };
  for (const row of table.rows) {
    const stated = row.text('carrier');
    const carrier = stated === '' ? own.carrier : carrierNamed(stated);
    // The carrier's name distinguishes the lists of two carriers in one file.
    const prefix = stated === '' || carrier === own.carrier ? '' : `${slugOf(stated)}-`;
    const name = hasNames ? row.text('list') : `${prefix}${own.name}`.slice(0, MAX_NAME);
    const zip = row.range('zip');
    const tier = row.text('tier');
    if (!LIST_NAME.test(name)) {
      if (!hasNames) throw new RefusedFile('it has no column list, and the name of the file is not a name of a list');
      row.refuse('list', 'not lower-case letters, digits and hyphens, at most 40');
    } else if (tier === '' || tier.length > 40) row.refuse('tier', 'empty, or over 40 characters');
    else if (stated.length > 40) row.refuse('carrier', 'over 40 characters');
    else if (zip !== undefined) {
      const list = getOrMake(lists, name, (): List => ({ name, carrier, at: row.at, rows: [] }));
      if (list.carrier === carrier) list.rows.push({ zip, tier });
      else row.refuse('carrier', `${list.at} says that ${name} is of ${list.carrier ?? 'no carrier'}`);
    }
  }
  const areas = [...lists.values()];
  return {
    kind: 'area list (CSV)',
    areas: areas.map(({ name, carrier, rows }) => ({ name, ...present({ carrier }), list: { rows } })),
  };
};

/**
 * Reads fuel surcharges: `carrier`, `services`, `effective`, `percent`, with a row for each week. Does not check whether two rates
 * are for the same day.
 */
export const readFuel = (table: PlainTable): ParsedPlainCsv => {
  const carrierIn = carrierReader(table);
  const fuel = table.rows.flatMap((row): ParsedFuel[] => {
    const carrier = carrierIn(row);
    const services = carrier === undefined ? [] : servicesIn(row, carrier);
    if (row.text(SERVICES) === '') row.refuse(SERVICES, 'empty');
    const from = row.date('effective');
    if (row.text('effective') === '') row.refuse('effective', 'empty');
    const percent = fuelPercent(row.text('percent')) ?? row.refuse('percent', NOT_A_FUEL_PERCENT);
    if (carrier === undefined || from === undefined || percent === undefined || row.isBad) return [];
    return [{ carrier, services, at: row.at, from, percent }];
  });
  return { kind: 'fuel surcharges (CSV)', fuel };
};

const ZONE = /^zone ?([1-8])$/i;
const DAYS = /^[1-9]\d?$/;

/** Reads transit days: `service, origin, destination, days`, as in a tariff's `transit.csv`. */
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
