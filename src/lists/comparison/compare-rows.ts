/**
 * Rates a run of whole rows as they are and in each scenario, in one pass that reads each row once. Like `rate-rows.ts`, it
 * is pure and can be paused, and the same rows give the same bytes regardless of the chunks.
 */

import { Failed } from '../../base/failed.ts';
import { STATES, stateIndexOf } from '../../catalog/tariff/zones-by-zip3.ts';
import { ByteWriter } from '../../files/csv/byte-writer.ts';
import type { Fault, Result } from '../../rating/fault.ts';
import { cheapestOf, type Rated, zip5Of } from '../../rating/rate.ts';
import type { Shipment } from '../../rating/shipment.ts';
import { createTally } from '../output/tally.ts';
import { Joined } from '../rows/order-lines.ts';
import { OutputTooLarge } from '../rows/rate-rows.ts';
import { writeWarnings } from '../rows/row.ts';
import { createRowSource, type RowSourceContext, type SourceRow } from '../rows/row-source.ts';
import { choosesWarehouse } from './columns.ts';
import { createKnownCards, type KnownCards, type SeenRow, type SeenSide } from './known-cards.ts';
import type { Scenario } from './scenario.ts';
import { rateBeside, rateOn, type Side } from './side.ts';
import { createSummer } from './summer.ts';
import type { ComparedRows } from './sums.ts';

/** Everything needed to compare a list's rows. */
export interface ComparingContext extends RowSourceContext {
  readonly keepFormulas: boolean;
  readonly scenarios: readonly Scenario[];
  readonly base: Side;
  /** Parallel to the scenarios. */
  readonly sides: readonly Side[];
  /** The maximum bytes of output. Undefined: no limit. */
  readonly mostBytes?: number | undefined;
}

const COMMA = Buffer.from(',');
const LINE_BREAK = Buffer.from('\n');
const NOTHING = Buffer.alloc(0);

const STATE_CELLS = STATES.map((state) => Buffer.from(state));
const stateCellOf = ({ postalCode }: Shipment): Buffer => STATE_CELLS[stateIndexOf(zip5Of(postalCode))] ?? NOTHING;

/**
 * Writes `net,service,zone,carrier_zone,billing_weight`. Then comes the state for the base, or for a scenario the difference
 * if the base has a price. Warnings and the fault are last.
 */
const writeSide = (into: ByteWriter, side: SeenSide, { base, shipment }: SeenRow): void => {
  into.bytes(COMMA);
  const { rated, price, known } = side;
  if (rated instanceof Failed) into.text(`,,,,,,,${rated.fault.type}`);
  if (price === undefined || known === undefined) return;
  const { column, netCents, billingWeightLb } = price;
  into.dollars(netCents);
  into.bytes(known.cells[column] ?? COMMA);
  into.integer(billingWeightLb);
  into.bytes(COMMA);
  if (side !== base) {
    if (base.price !== undefined) into.dollars(netCents - base.price.netCents);
  } else if (shipment !== undefined) into.bytes(stateCellOf(shipment));
  writeWarnings(into, price);
  into.bytes(COMMA);
};

/** As many empty cells as `writeSide` writes. */
const EMPTY_SIDE = Buffer.from(',,,,,,,,');

const NOT_READ = new Failed<Fault>({ type: 'row.malformed', row: 0, reason: 'it was not read' });

const emptySide = (): SeenSide => ({ rated: NOT_READ, price: undefined, known: undefined });

/** Stores the outcome of a side in the row. */
const see = (side: SeenSide, rated: Result<Rated>, cards: KnownCards): void => {
  side.rated = rated;
  side.price = rated instanceof Failed ? undefined : cheapestOf(rated);
  side.known = side.price === undefined ? undefined : cards.of(side.price.card);
};

/** Copies the base's outcome to a side. */
const seeAs = (side: SeenSide, base: SeenSide): void => {
  side.rated = base.rated;
  side.price = base.price;
  side.known = base.known;
};

/**
 * @param bytes whole rows
 * @param firstRow the number of the first row, from 1
 * @param output an empty writer for the result, which is valid until it is cleared
 */
export const createComparer = (
  bytes: Buffer,
  firstRow: number,
  context: ComparingContext,
  output: ByteWriter = new ByteWriter(bytes.length * 2),
) => {
  const { scenarios, base, sides, keepFormulas, mostBytes = Number.POSITIVE_INFINITY } = context;
  const source = createRowSource(bytes, firstRow, context, keepFormulas);
  const choosing = scenarios.map(choosesWarehouse);
  const tally = createTally();
  const cards = createKnownCards();
  const summer = createSummer(choosing, cards);
  const seen: SeenRow = { shipment: undefined, base: emptySide(), sides: sides.map(emptySide) };

  /** Rates a side of the row and writes its cells. @returns its fault, if any */
  const compareSide = (at: number, shipment: Result<Shipment>): Fault | undefined => {
    const [side, own] = [sides[at], seen.sides[at]];
    if (side === undefined || own === undefined) return undefined;
    const { rated: before } = seen.base;
    const rated = shipment instanceof Failed ? shipment : rateBeside(side, shipment, base, before);
    if (rated === before) seeAs(own, seen.base);
    else see(own, rated, cards);
    writeSide(output, own, seen);
    if (choosing[at]) output.text(rated instanceof Failed ? ',' : `,${rated.warehouse.id}`);
    return rated instanceof Failed ? rated.fault : undefined;
  };

  /** Writes empty cells for a row whose order is compared in another row. */
  const joinRow = (): void => {
    output.bytes(EMPTY_SIDE);
    for (const chooses of choosing) {
      output.bytes(EMPTY_SIDE);
      if (chooses) output.bytes(COMMA);
    }
    output.bytes(LINE_BREAK);
    tally.joined();
  };

  const compareRow = ({ read, writePassed }: SourceRow, number: number): void => {
    const shipment = read(number);
    writePassed(output);
    output.bytes(COMMA);
    output.integer(number);
    if (shipment instanceof Joined) {
      joinRow();
      return;
    }
    const before = shipment instanceof Failed ? shipment : rateOn(base, shipment);
    seen.shipment = shipment instanceof Failed ? undefined : shipment;
    see(seen.base, before, cards);
    writeSide(output, seen.base, seen);
    let fault = before instanceof Failed ? before.fault : undefined;
    for (let at = 0; at < sides.length; at++) {
      const own = compareSide(at, shipment);
      fault ??= own;
    }
    output.bytes(LINE_BREAK);
    summer.add(number, seen);
    if (fault !== undefined) tally.faulted(fault);
    else if (seen.base.price !== undefined) tally.quoted(seen.base.price);
    if (output.length > mostBytes) throw new OutputTooLarge(number);
  };

  /** Compares at most `rows` more rows, including blank ones. @returns false when no rows remain */
  const step = (rows: number): boolean => source.step(rows, compareRow);
  const result = (): ComparedRows => ({ output: output.result(), tally: tally.result(), sums: summer.result() });
  return { step, result };
};
