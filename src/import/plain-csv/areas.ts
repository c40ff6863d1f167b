/** Area lists in an operator's plain CSV: `zip`, `tier`, and optionally `list` and `carrier`. */
import { getOrMake } from '../../base/maps.ts';
import { present } from '../../base/present.ts';
import { carrierNamed, knownCarrier, slugOf } from '../carriers.ts';
import { type ReadOptions, RefusedFile } from '../read/reader.ts';
import type { ParsedPlainCsv, PlainTable } from './table.ts';

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

/** Reads area lists. */
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
