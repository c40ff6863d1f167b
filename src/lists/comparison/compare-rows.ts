/**
 * Rates a run of whole rows as they are and in each scenario, in one pass that reads each row once. Like `rate-rows.ts`, it
 * is pure and can be paused, and the same rows give the same bytes regardless of the chunks.
 */

import { Failed } from '../../base/failed.ts';
import { missing } from '../../base/must.ts';
import { STATES, stateIndexOf } from '../../catalog/tariff/zones-by-zip3.ts';
import { ByteWriter } from '../../files/csv/byte-writer.ts';
import type { Fault, Result } from '../../rating/fault.ts';
import { type Rated, zip5Of } from '../../rating/rate.ts';
import type { Shipment } from '../../rating/shipment.ts';
import { createTally } from '../output/tally.ts';
import { Joined } from '../rows/order-lines.ts';
import { OutputTooLarge } from '../rows/rate-rows.ts';
import { writeWarnings } from '../rows/row.ts';
import { createRowSource, type RowSourceContext, type SourceRow } from '../rows/row-source.ts';
import { choosesWarehouse } from './columns.ts';
import type { Scenario } from './scenario.ts';
import { createSeen, type Seen } from './seen.ts';
import { rateBeside, rateOn, type Side } from './side.ts';
import { createSummer, type PricedRow } from './summer.ts';
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

/** The empty cells of a side without a price. */
const EMPTY_SIDE = ',,,,,,,,';

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
  const names = createSeen();
  const summer = createSummer(choosing, names);
  const see = (rated: Result<Rated>): Result<Seen> => (rated instanceof Failed ? rated : names.see(rated));

  /**
   * Writes `net,service,zone,carrier_zone,billing_weight`. The base has its state next. A scenario has the difference next, if
   * the base has a price. Warnings and the fault are last.
   * @param before the base's outcome, if this is a scenario
   */
  const writeSide = (seen: Result<Seen>, shipment: Result<Shipment>, before?: Result<Seen>): void => {
    if (seen instanceof Failed) {
      output.text(`${EMPTY_SIDE}${seen.fault.type}`);
      return;
    }
    const { price } = seen;
    output.bytes(COMMA);
    output.dollars(price.netCents);
    output.bytes(seen.cells[price.column] ?? COMMA);
    output.integer(price.billingWeightLb);
    output.bytes(COMMA);
    if (before === undefined) {
      if (!(shipment instanceof Failed))
        output.bytes(STATE_CELLS[stateIndexOf(zip5Of(shipment.postalCode))] ?? NOTHING);
    } else if (!(before instanceof Failed)) output.dollars(price.netCents - before.price.netCents);
    writeWarnings(output, price);
    output.bytes(COMMA);
  };

  /** Rates a row in a scenario, and writes and adds up the outcome. @returns the fault, if any */
  const compareSide = (
    at: number,
    shipment: Result<Shipment>,
    before: Result<Rated>,
    first: Result<Seen>,
    row: PricedRow | undefined,
  ): Fault | undefined => {
    const side = sides[at] ?? missing('a scenario');
    const rated = shipment instanceof Failed ? shipment : rateBeside(side, shipment, base, before);
    const seen = rated === before ? first : see(rated);
    writeSide(seen, shipment, first);
    if (choosing[at]) output.text(seen instanceof Failed ? ',' : `,${seen.warehouse.id}`);
    summer.scenario(at, row, seen);
    return seen instanceof Failed ? seen.fault : undefined;
  };

  /** Writes empty cells for a row whose order is compared in another row. */
  const joinRow = (): void => {
    output.text(EMPTY_SIDE);
    for (const chooses of choosing) output.text(chooses ? `${EMPTY_SIDE},` : EMPTY_SIDE);
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
    const first = see(before);
    writeSide(first, shipment);
    const row = summer.base(number, shipment, first);
    let fault = first instanceof Failed ? first.fault : undefined;
    for (let at = 0; at < sides.length; at++) {
      const own = compareSide(at, shipment, before, first, row);
      fault ??= own;
    }
    output.bytes(LINE_BREAK);
    if (fault !== undefined) tally.faulted(fault);
    else if (!(first instanceof Failed)) tally.quoted(first.price);
    if (output.length > mostBytes) throw new OutputTooLarge(number);
  };

  /** Compares at most `rows` more rows, including blank ones. @returns false when no rows remain */
  const step = (rows: number): boolean => source.step(rows, compareRow);
  const result = (): ComparedRows => ({ output: output.result(), tally: tally.result(), sums: summer.result() });
  return { step, result };
};
