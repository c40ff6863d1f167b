/**
 * Month against month: the shipments of two rated lists, joined by a key column. It reads the outputs of both, one
 * partition of the keys at a time, so that memory is bounded by the partition. The same outputs give the same bytes.
 *
 * A key that a list has twice names no single shipment: all its rows are counted apart, and so are rows without a key.
 */

import { type ByteWriter, createByteWriter } from '../csv/byte-writer.ts';
import { cellOf, writeCell } from '../csv/cell.ts';
import { OWN_DIALECT } from '../csv/map-rows.ts';
import { createRows } from '../csv/rows.ts';
import type { ScannedRow } from '../csv/scanner.ts';
import { type Columns, OUTPUT_COLUMNS } from '../rows/columns.ts';
import { normal } from '../rows/fields.ts';
import type { ComparedRows } from './compare-rows.ts';
import { createJoinSummer, type JoinedRow } from './join-sums.ts';

/** The columns of a joined output. */
export const JOIN_COLUMNS = [
  'key',
  'status',
  'row_base',
  'row_with',
  'net_base',
  'net_with',
  'difference',
  'service_base',
  'service_with',
  'zone_base',
  'zone_with',
  'billing_weight_base',
  'billing_weight_with',
  'fault_base',
  'fault_with',
] as const;

/** Rows of both lists in one partition: enough to need few passes, few enough to be held in memory. */
const PARTITION_ROWS = 100_000;

/** The number of partitions for so many rows of both lists together. */
export const partitionsFor = (rows: number): number => Math.max(1, Math.ceil(rows / PARTITION_ROWS));

/** Where a list's output has its key and its results. */
export interface OutputPlaces {
  readonly key: number;
  /** The column `input_row`. The others follow it in the order of `OUTPUT_COLUMNS`. */
  readonly results: number;
}

/** The names that the key may have: the list's own columns that its output passes through. */
export const keyNames = ({ header, passed }: Columns): readonly string[] => passed.map((index) => header[index] ?? '');

/** @returns undefined if the list has no such column. Names match without regard to case, spaces, `_` and `-` */
export const outputPlaces = (columns: Columns, key: string): OutputPlaces | undefined => {
  const at = keyNames(columns).findIndex((name) => normal(name) === normal(key));
  if (at === -1) return undefined;
  return { key: at, results: columns.passed.length };
};

/** FNV-1a of a text, as a whole number of 32 bits. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

/** Dollars with two decimals, as our own output has them, in cents. */
const centsOf = (dollars: string): number => Number(dollars.replace('.', ''));

const readRow = (text: string, row: ScannedRow, key: string, places: OutputPlaces): JoinedRow => {
  const cell = (name: (typeof OUTPUT_COLUMNS)[number]): string =>
    cellOf(text, row, places.results + OUTPUT_COLUMNS.indexOf(name));
  const net = cell('quote_totalNetCharge');
  return {
    key,
    row: Number(cell('input_row')),
    priced: net !== '',
    netCents: centsOf(net),
    baseCents: centsOf(cell('quote_totalBaseCharge')),
    discountCents: centsOf(cell('quote_totalDiscounts')),
    surchargeCents: centsOf(cell('quote_totalSurcharges')),
    service: cell('quote_shippingService'),
    zone: cell('quote_rateZone'),
    weight: cell('quote_billingWeight_value'),
    fault: cell('fault_type'),
  };
};

/** The rows of one list in a partition. */
interface Listed {
  /** By key, in the order of the list. Undefined for a key that the list has more than once. */
  readonly byKey: Map<string, JoinedRow | undefined>;
  /** Rows with a key that occurs more than once, and rows without a key. */
  readonly apart: JoinedRow[];
}

export type JoinSide = 'base' | 'with';

export interface Joiner {
  /** Reads whole rows of the output of one list. @returns whether there is more of these bytes to read */
  readonly read: (side: JoinSide, bytes: Buffer) => { readonly step: (rows: number) => boolean };
  /** Joins what was read. */
  readonly result: () => ComparedRows;
}

/** The net charge, or an empty cell. */
const writeNet = (into: ByteWriter, row: JoinedRow | undefined): void => {
  if (row?.priced === true) into.dollars(row.netCents);
  into.text(',');
};

const writeJoined = (
  into: ByteWriter,
  status: string,
  base: JoinedRow | undefined,
  other: JoinedRow | undefined,
): void => {
  const key = base?.key ?? other?.key ?? '';
  into.text(`${writeCell(key)},${status},${base?.row ?? ''},${other?.row ?? ''},`);
  writeNet(into, base);
  writeNet(into, other);
  if (base?.priced === true && other?.priced === true) into.dollars(other.netCents - base.netCents);
  const both = (name: 'service' | 'zone' | 'weight' | 'fault'): string =>
    `,${base?.[name] ?? ''},${other?.[name] ?? ''}`;
  into.text(`${both('service')}${both('zone')}${both('weight')}${both('fault')}\n`);
};

/** What became of a shipment that both lists have. */
const statusOf = (base: JoinedRow, other: JoinedRow): string => {
  if (!base.priced || !other.priced) return 'unpriced';
  return base.netCents === other.netCents && base.service === other.service ? 'same' : 'changed';
};

/**
 * @param places of the outputs of both lists
 * @param partition which of `partitions` to join, from 0
 */
export const createJoiner = (
  places: Readonly<Record<JoinSide, OutputPlaces>>,
  partition: number,
  partitions: number,
  output: ByteWriter = createByteWriter(0),
): Joiner => {
  const lists: Readonly<Record<JoinSide, Listed>> = {
    base: { byKey: new Map(), apart: [] },
    with: { byKey: new Map(), apart: [] },
  };
  const summer = createJoinSummer();

  const take = (side: JoinSide, text: string, row: ScannedRow): void => {
    const key = cellOf(text, row, places[side].key).trim();
    if (hashOf(key) % partitions !== partition) return;
    const own = readRow(text, row, key, places[side]);
    const { byKey, apart } = lists[side];
    if (key === '') apart.push(own);
    else if (!byKey.has(key)) byKey.set(key, own);
    else {
      const first = byKey.get(key);
      if (first !== undefined) apart.push(first);
      byKey.set(key, undefined);
      apart.push(own);
    }
  };

  const read: Joiner['read'] = (side, bytes) => {
    const { row, next } = createRows(bytes, OWN_DIALECT, Number.MAX_SAFE_INTEGER);
    return {
      step: (rows) => {
        for (let left = rows; left > 0; left--) {
          if (next() !== 'row') return false;
          take(side, row.text, row);
        }
        return true;
      },
    };
  };

  /** Rows whose key names no single shipment, in the order of their list. A shipment of the other list may be among them. */
  const setApart = (): ReadonlySet<string> => {
    const ambiguous = new Set<string>();
    for (const { byKey } of [lists.base, lists.with])
      for (const [key, row] of byKey) if (row === undefined) ambiguous.add(key);
    for (const key of ambiguous)
      for (const { byKey, apart } of [lists.base, lists.with]) {
        const row = byKey.get(key);
        if (row !== undefined) apart.push(row);
      }
    for (const side of ['base', 'with'] as const)
      for (const row of lists[side].apart.sort((a, b) => a.row - b.row)) {
        const status = row.key === '' ? 'no_key' : 'duplicate';
        writeJoined(output, status, side === 'base' ? row : undefined, side === 'with' ? row : undefined);
        summer.apart(side, row);
      }
    return ambiguous;
  };

  const result: Joiner['result'] = () => {
    const ambiguous = setApart();
    for (const [key, base] of lists.base.byKey) {
      if (base === undefined || ambiguous.has(key)) continue;
      const other = lists.with.byKey.get(key);
      writeJoined(output, other === undefined ? 'gone' : statusOf(base, other), base, other);
      summer.joined(base, other);
    }
    for (const [key, other] of lists.with.byKey) {
      if (other === undefined || ambiguous.has(key) || lists.base.byKey.has(key)) continue;
      writeJoined(output, 'new', undefined, other);
      summer.joined(undefined, other);
    }
    return { output: output.result(), ...summer.result() };
  };

  return { read, result };
};
