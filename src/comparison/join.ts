/**
 * Month against month: the shipments of two rated lists, joined by a key column. It reads the outputs of both, one
 * partition of the keys at a time, so that memory is bounded by the partition. The same outputs give the same bytes.
 *
 * A key that a list has twice names no single shipment: all its rows are counted apart, and so are rows without a key.
 */

import { type ByteWriter, createByteWriter } from '../csv/byte-writer.ts';
import { writeCell } from '../csv/cell.ts';
import { OWN_DIALECT } from '../csv/map-rows.ts';
import { createRows } from '../csv/rows.ts';
import type { ScannedRow } from '../csv/scanner.ts';
import { defused } from '../rows/passed-cells.ts';
import { hashOf, keyOf, type OutputPlaces, readJoined } from './join-rows.ts';
import { createJoinSummer, type JoinedRow } from './join-sums.ts';
import type { ComparedRows } from './sums.ts';

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
  'carrier_zone_base',
  'carrier_zone_with',
  'billing_weight_base',
  'billing_weight_with',
  'fault_base',
  'fault_with',
] as const;

/** Rows of both lists in one partition: enough to need few passes, few enough to be held in memory. */
const PARTITION_ROWS = 100_000;

/** The number of partitions for so many rows of both lists together. */
export const partitionsFor = (rows: number): number => Math.max(1, Math.ceil(rows / PARTITION_ROWS));

/** The rows of one list in a partition. */
interface Listed {
  /** By key, in the order of the list. Undefined for a key that the list has more than once. */
  readonly byKey: Map<string, JoinedRow | undefined>;
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
  keepFormulas: boolean,
): void => {
  const key = base?.key ?? other?.key ?? '';
  into.text(`${keepFormulas ? writeCell(key) : defused(key)},${status},${base?.row ?? ''},${other?.row ?? ''},`);
  writeNet(into, base);
  writeNet(into, other);
  if (base?.priced === true && other?.priced === true) into.dollars(other.netCents - base.netCents);
  const both = (name: 'service' | 'zone' | 'carrierZone' | 'weight' | 'fault'): string =>
    `,${base?.[name] ?? ''},${other?.[name] ?? ''}`;
  into.text(`${both('service')}${both('zone')}${both('carrierZone')}${both('weight')}${both('fault')}\n`);
};

/** What became of a shipment that both lists have. */
const statusOf = (base: JoinedRow, other: JoinedRow): string => {
  if (!base.priced || !other.priced) return 'unpriced';
  return base.netCents === other.netCents && base.service === other.service ? 'same' : 'changed';
};

/**
 * @param places of the outputs of both lists
 * @param partition which of `partitions` to join, from 0
 * @param keepFormulas whether keys that a spreadsheet would run as formulas stay unchanged
 */
export const createJoiner = (
  places: Readonly<Record<JoinSide, OutputPlaces>>,
  partition: number,
  partitions: number,
  output: ByteWriter = createByteWriter(0),
  keepFormulas = false,
): Joiner => {
  const lists: Readonly<Record<JoinSide, Listed>> = { base: { byKey: new Map() }, with: { byKey: new Map() } };
  const known = new Map<string, string>();
  const summer = createJoinSummer();

  const write = (status: string, base: JoinedRow | undefined, other: JoinedRow | undefined): void =>
    writeJoined(output, status, base, other, keepFormulas);

  /** At once: a list may have any number of rows with the same key, or without one. */
  const setApart = (side: JoinSide, row: JoinedRow): void => {
    const status = row.key === '' ? 'no_key' : 'duplicate';
    write(status, side === 'base' ? row : undefined, side === 'with' ? row : undefined);
    summer.apart(side, row);
  };

  const take = (side: JoinSide, text: string, row: ScannedRow): void => {
    const key = keyOf(text, row, places[side]);
    if (key !== '' && hashOf(key) % partitions !== partition) return;
    const own = readJoined(text, row, key, places[side], known);
    // Rows without a key belong to any partition.
    if (key === '' && own.row % partitions !== partition) return;
    const { byKey } = lists[side];
    if (key !== '' && !byKey.has(key)) {
      byKey.set(own.key, own);
      return;
    }
    const first = byKey.get(key);
    if (first !== undefined) {
      setApart(side, first);
      byKey.set(own.key, undefined);
    }
    setApart(side, own);
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

  /** Rows whose key occurs once in their list, and more than once in the other. */
  const setAmbiguousApart = (side: JoinSide, other: JoinSide): void => {
    for (const [key, row] of lists[side].byKey) {
      const { byKey } = lists[other];
      if (row === undefined || !byKey.has(key) || byKey.get(key) !== undefined) continue;
      setApart(side, row);
      lists[side].byKey.set(key, undefined);
    }
  };

  const result: Joiner['result'] = () => {
    setAmbiguousApart('base', 'with');
    setAmbiguousApart('with', 'base');
    const [bases, others] = [lists.base.byKey, lists.with.byKey];
    for (const [key, base] of bases) {
      if (base === undefined) continue;
      const other = others.get(key);
      write(other === undefined ? 'gone' : statusOf(base, other), base, other);
      summer.joined(base, other);
    }
    for (const [key, other] of others) {
      if (other === undefined || bases.has(key)) continue;
      write('new', undefined, other);
      summer.joined(undefined, other);
    }
    return { output: output.result(), ...summer.result() };
  };

  return { read, result };
};
