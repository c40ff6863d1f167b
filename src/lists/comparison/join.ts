/**
 * Joins the shipments of two rated lists by a key column, such as one month with another. It reads the outputs of both, one
 * partition of the keys at a time, which bounds the memory. The same outputs give the same bytes.
 *
 * If a key occurs twice in a list, its rows are counted separately. So are rows without a key.
 */

import { must } from '../../base/must.ts';
import { type InSlices, mapInSlices } from '../../base/time-slices.ts';
import { ByteWriter } from '../../files/csv/byte-writer.ts';
import { cellOf, decodeText, encodeText, textOf, writeCell } from '../../files/csv/cell.ts';
import { OWN_DIALECT } from '../../files/csv/map-rows.ts';
import { createRows } from '../../files/csv/rows.ts';
import type { ScannedRow } from '../../files/csv/scanner.ts';
import type { Columns } from '../columns/columns.ts';
import { normal } from '../columns/fields.ts';
import { JOINED, type OutputColumn, placeOf } from '../output/output-columns.ts';
import { EMPTY_TALLY, weightBand } from '../output/tally.ts';
import { defused } from '../rows/passed-cells.ts';
import { restoreFormula } from '../rows/row.ts';
import {
  addAlone,
  addRow,
  type Both,
  type ComparedRows,
  emptyJoin,
  emptySums,
  keepExtreme,
  noRows,
  type Sums,
} from './sums.ts';

/** Returns the columns of a value of both lists. */
const ofBoth = (name: string): string[] => [`${name}_base`, `${name}_with`];

/** The columns of a joined output. */
export const JOIN_COLUMNS: readonly string[] = [
  ...['key', 'status', ...ofBoth('row'), ...ofBoth('net'), 'difference'],
  ...['service', 'zone', 'carrier_zone', 'billing_weight', 'fault'].flatMap(ofBoth),
];

/** Rows of both lists in one partition: enough to need few passes, few enough to fit in memory. */
const PARTITION_ROWS = 100_000;

/** Returns the number of partitions for this many rows of both lists together. */
export const partitionsFor = (rows: number): number => Math.max(1, Math.ceil(rows / PARTITION_ROWS));

/** A row from the output of a rated list. */
interface JoinedRow {
  /** As the scanner's text. */
  readonly key: string;
  /** The row's number in its list. */
  readonly row: number;
  readonly priced: boolean;
  /** Whether another row has the price of its order. */
  readonly joined: boolean;
  /** Amounts are 0 if the row has no price. */
  readonly netCents: number;
  readonly baseCents: number;
  readonly discountCents: number;
  readonly surchargeCents: number;
  readonly service: string;
  readonly zone: string;
  readonly carrierZone: string;
  readonly weight: string;
  readonly fault: string;
  /** The types of the price's warnings, joined with `|`. */
  readonly warnings: string;
}

/** Positions of the key and the results in a list's output. */
export interface OutputPlaces {
  readonly key: number;
  /** The column `input_row`. The other results follow it in the order of the format. */
  readonly results: number;
}

/** Returns the names that the key may have: the list's own columns that its output passes through. */
export const keyNames = ({ header, passed }: Columns): readonly string[] =>
  passed.map((index) => must(header[index], 'a column of the header'));

/** @returns undefined if the list has no such column. Names match regardless of case, spaces, `_` and `-` */
export function* outputPlaces(columns: Columns, key: string): InSlices<OutputPlaces | undefined> {
  const at = (yield* mapInSlices(keyNames(columns), normal)).indexOf(normal(key));
  if (at === -1) return undefined;
  return { key: at, results: columns.passed.length };
}

/** Returns the FNV-1a hash of a text, as an unsigned 32-bit integer. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

/** Converts dollars with two decimals, as in our own output, to cents. */
const centsOf = (dollars: string): number => Number(dollars.replace('.', ''));

const APOSTROPHE = 39;

/** Returns the key of a row, as in its list. One output may have defused formulas that the other output kept. */
const keyOf = (text: string, row: ScannedRow, { key }: OutputPlaces): string => {
  const cell = cellOf(text, row, key).trim();
  return cell.charCodeAt(0) === APOSTROPHE ? encodeText(restoreFormula(decodeText(cell))) : cell;
};

/** Copies a text, so that the longer text it was cut from does not stay in memory. */
const copied = (text: string): string => textOf(Buffer.from(text, 'latin1'));

/** @param known values that many rows share, such as service codes. Each is kept once */
const readJoined = (
  text: string,
  row: ScannedRow,
  key: string,
  places: OutputPlaces,
  known: Map<string, string>,
): JoinedRow => {
  const cell = (name: OutputColumn): string => cellOf(text, row, places.results + placeOf(name));
  const shared = (value: string): string => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const own = copied(value);
    known.set(own, own);
    return own;
  };
  const net = cell('quote_totalNetCharge');
  return {
    key: copied(key),
    row: Number(cell('input_row')),
    priced: net !== '',
    joined: cell('quote_status') === JOINED,
    netCents: centsOf(net),
    baseCents: centsOf(cell('quote_totalBaseCharge')),
    discountCents: centsOf(cell('quote_totalDiscounts')),
    surchargeCents: centsOf(cell('quote_totalSurcharges')),
    service: shared(cell('quote_shippingService')),
    zone: shared(cell('quote_rateZone')),
    carrierZone: shared(cell('quote_carrierZone')),
    weight: shared(cell('quote_billingWeight_value')),
    fault: shared(cell('fault_type')),
    warnings: shared(cellOf(text, row, row.cells - 1)),
  };
};

export type JoinSide = 'base' | 'with';

const book = (ledger: Record<string, Both>, key: string, before: number, after: number): void => {
  const sum = ledger[key] ?? noRows();
  ledger[key] = sum;
  addRow(sum, before, after);
};

const count = (counts: Record<string, number>, key: string, add = 1): void => {
  counts[key] = (counts[key] ?? 0) + add;
};

const countWarnings = (counts: Record<string, number>, { warnings }: JoinedRow): void => {
  if (warnings !== '') for (const type of warnings.split('|')) count(counts, type);
};

/** Returns the cause of a difference of base charges: the zone or the weight if only that changed, otherwise the rates. */
const causeOf = (base: JoinedRow, other: JoinedRow): string => {
  if (base.service !== other.service) return 'RATE';
  if (base.zone !== other.zone) return base.weight === other.weight ? 'ZONE' : 'RATE';
  return base.weight === other.weight ? 'RATE' : 'WEIGHT';
};

/** Adds up two rated lists that are joined by a key. */
const createJoinSummer = () => {
  const sums: Sums = emptySums(1);
  const join = emptyJoin();
  const [pair] = sums.scenarios;
  if (pair === undefined) throw new Error('a join has one scenario');
  const faults: Record<string, number> = {};
  let skipped = 0;

  const see = (side: JoinSide, row: JoinedRow): void => {
    const list = side === 'base' ? sums.base : join.with;
    list.rows += 1;
    if (row.priced) {
      list.priced += 1;
      list.cents += row.netCents;
      countWarnings(list.warnings, row);
    } else {
      count(list.faults, row.fault);
      count(faults, row.fault);
    }
  };

  const compare = (base: JoinedRow, other: JoinedRow): void => {
    const [before, after] = [base.netCents, other.netCents];
    const difference = after - before;
    addRow(pair.compared, before, after);
    countWarnings(pair.warnings, other);
    addRow(difference > 0 ? pair.dearer : difference < 0 ? pair.cheaper : pair.same, before, after);
    book(pair.byService, base.service, before, after);
    book(pair.byZone, base.zone, before, after);
    book(pair.byWeight, weightBand(Number(base.weight)), before, after);
    book(pair.moves, `${base.service}>${other.service}`, before, after);
    book(pair.byCharge, 'BASE', base.baseCents, other.baseCents);
    book(pair.byCharge, 'DISCOUNT', -base.discountCents, -other.discountCents);
    book(pair.byCharge, 'SURCHARGES', base.surchargeCents, other.surchargeCents);
    count(pair.attribution, causeOf(base, other), other.baseCents - base.baseCents);
    count(pair.attribution, 'DISCOUNT', base.discountCents - other.discountCents);
    count(pair.attribution, 'SURCHARGES', other.surchargeCents - base.surchargeCents);
    const services = { baseService: base.service, service: other.service };
    const extreme = { row: base.row, ...services, baseCents: before, netCents: after };
    if (difference !== 0) keepExtreme(difference > 0 ? pair.mostDearer : pair.mostCheaper, extreme);
  };

  const pairUp = (base: JoinedRow, other: JoinedRow): void => {
    if (!other.priced) count(pair.faults, other.fault);
    if (base.priced && other.priced) compare(base, other);
    else if (base.priced) addAlone(pair.onlyBase, base.netCents);
    else if (other.priced) addAlone(pair.onlyScenario, other.netCents);
    else pair.neither += 1;
  };

  return {
    /** Adds a shipment of one list or of both. */
    joined: (base: JoinedRow | undefined, other: JoinedRow | undefined): void => {
      if (base !== undefined) see('base', base);
      if (other !== undefined) see('with', other);
      if (base !== undefined && other !== undefined) pairUp(base, other);
      else if (base !== undefined) addAlone(join.gone, base.netCents);
      else if (other !== undefined) addAlone(join.added, other.netCents);
    },
    /** Adds a row whose key does not name a single shipment. */
    apart: (side: JoinSide, row: JoinedRow): void => {
      see(side, row);
      (row.key === '' ? join.withoutKey : join.duplicates)[side] += 1;
    },
    /** Counts a row whose order has its price in another row. */
    skip: (): void => {
      skipped += 1;
    },
    result: (): Pick<ComparedRows, 'tally' | 'sums'> => {
      const processed = sums.base.rows + join.with.rows;
      const quoted = sums.base.priced + join.with.priced;
      return {
        tally: {
          ...EMPTY_TALLY,
          ...{ processed: processed + skipped, quoted, faulted: processed - quoted, faults },
          ...(skipped > 0 && { joined: skipped }),
        },
        sums: { ...sums, join },
      };
    },
  };
};

/** Writes the net charge, or an empty cell. */
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

/** Returns the status of a shipment that both lists have. */
const statusOf = (base: JoinedRow, other: JoinedRow): string => {
  if (!base.priced || !other.priced) return 'unpriced';
  return base.netCents === other.netCents && base.service === other.service ? 'same' : 'changed';
};

/**
 * @param places the positions in both outputs
 * @param partition which of `partitions` to join, from 0
 * @param keepFormulas whether keys that a spreadsheet would run as formulas stay unchanged
 */
export const createJoiner = (
  places: Readonly<Record<JoinSide, OutputPlaces>>,
  partition: number,
  partitions: number,
  output: ByteWriter = new ByteWriter(0),
  keepFormulas = false,
) => {
  /** The rows of both lists by key, in the order of the list. Undefined for a key that occurs more than once in the list. */
  const lists: Readonly<Record<JoinSide, Map<string, JoinedRow | undefined>>> = { base: new Map(), with: new Map() };
  const known = new Map<string, string>();
  const summer = createJoinSummer();

  const write = (status: string, base: JoinedRow | undefined, other: JoinedRow | undefined): void =>
    writeJoined(output, status, base, other, keepFormulas);

  /** Writes and counts a row with a duplicate or missing key at once, because a list may have any number of them. */
  const setApart = (side: JoinSide, row: JoinedRow): void => {
    const status = row.key === '' ? 'no_key' : 'duplicate';
    write(status, side === 'base' ? row : undefined, side === 'with' ? row : undefined);
    summer.apart(side, row);
  };

  const take = (side: JoinSide, text: string, row: ScannedRow): void => {
    const key = keyOf(text, row, places[side]);
    if (key !== '' && hashOf(key) % partitions !== partition) return;
    const own = readJoined(text, row, key, places[side], known);
    // Rows without a key are spread among the partitions by row number.
    if (key === '' && own.row % partitions !== partition) return;
    if (own.joined) {
      summer.skip();
      return;
    }
    const byKey = lists[side];
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

  /** Reads whole rows of one list's output. @returns `step`, which returns false when no rows remain */
  const read = (side: JoinSide, bytes: Buffer) => {
    const { row, next } = createRows(bytes, OWN_DIALECT, Number.MAX_SAFE_INTEGER);
    return {
      step: (rows: number): boolean => {
        for (let left = rows; left > 0; left--) {
          if (next() !== 'row') return false;
          take(side, row.text, row);
        }
        return true;
      },
    };
  };

  /** Sets apart rows whose key occurs once in their list but more than once in the other. */
  const setAmbiguousApart = (side: JoinSide, other: JoinSide): void => {
    for (const [key, row] of lists[side]) {
      const byKey = lists[other];
      if (row === undefined || !byKey.has(key) || byKey.get(key) !== undefined) continue;
      setApart(side, row);
      lists[side].set(key, undefined);
    }
  };

  /** Joins the rows that were read. */
  const result = (): ComparedRows => {
    setAmbiguousApart('base', 'with');
    setAmbiguousApart('with', 'base');
    const { base: bases, with: others } = lists;
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
