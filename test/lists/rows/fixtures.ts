/** Fixtures for rating rows: the reference tariff and the warehouses of the sample clients. */
import { join } from 'node:path';
import { withoutPause } from '../../../src/base/time-slices.ts';
import { readTariffFolder } from '../../../src/catalog/tariff/folder.ts';
import { booksOf, type Schedule, scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import { createPlanner, type Plan, type PlanLimits, type Refusal } from '../../../src/lists/chunk-plan.ts';
import type { Columns, ReadOptions } from '../../../src/lists/columns/columns.ts';
import type { Finding } from '../../../src/lists/columns/findings.ts';
import { HEAD_BYTES, readHeader } from '../../../src/lists/columns/header.ts';
import { EMPTY_TALLY, plus } from '../../../src/lists/output/tally.ts';
import {
  createRater,
  outputHeaderBytes,
  type RatedRows,
  type RatingContext,
} from '../../../src/lists/rows/rate-rows.ts';
import type { Shipper } from '../../../src/rating/terms.ts';
import { flatAccount } from '../../rating/flat-account.ts';

const REFERENCE = join(import.meta.dirname, '../../../samples/tariffs/reference');

export const referenceSchedule = async (): Promise<Schedule> => {
  const read = await readTariffFolder(REFERENCE);
  if (!('document' in read)) throw new Error('the reference tariff cannot be read');
  return scheduleOf([read.document]);
};

const warehouse = (id: number, postalCode: string, stateOrProvinceCode: string, countryCode = 'US') =>
  [id, { id, name: `Warehouse ${id}`, postalCode, stateOrProvinceCode, countryCode }] as const;

export const demoShipper: Shipper = {
  warehouses: new Map([
    warehouse(101, '07001', 'NJ'),
    warehouse(102, '60601', 'IL'),
    warehouse(103, '90001', 'CA'),
    warehouse(104, '64000', 'NLE', 'MX'),
  ]),
  account: flatAccount({ 'C1-EXPRESS': '10' }),
};

const INSTANT = new Date('2026-06-01T12:00:00Z');

const LIMITS: PlanLimits = { chunkRows: 5_000, maximumRows: 10_000_000, maximumRowBytes: 1_048_576 };

export interface Planned {
  readonly columns: Columns;
  readonly plan: Plan;
  /** Findings about the rows, in addition to those about the columns. */
  readonly findings: readonly Finding[];
}

/** Plans a list like an upload whose body arrives in pieces of `pieceBytes`. */
export const planList = (
  list: Buffer,
  limits: Partial<PlanLimits> = {},
  pieceBytes = 65_536,
  reading: ReadOptions = {},
): Planned | Refusal | { problems: unknown } => {
  const all = { ...LIMITS, ...limits };
  const judge = (bytes: number): ReturnType<typeof readHeader> =>
    readHeader(list.subarray(0, bytes), list.length <= bytes, reading, all.maximumRowBytes);
  let head = judge(HEAD_BYTES);
  for (let enough = 2 * HEAD_BYTES; head === 'more' && enough < 2 * list.length; enough *= 2) head = judge(enough);
  if (head === 'more') throw new Error('a whole file was not enough');
  if ('problems' in head) return head;
  const planner = createPlanner(head.columns, head.bodyStart, head.headerLines, all);
  for (let at = head.bodyStart; at < list.length; at += pieceBytes) {
    const refusal = withoutPause(planner.push(list.subarray(at, Math.min(list.length, at + pieceBytes))));
    if (refusal !== undefined) return refusal;
  }
  const plan = withoutPause(planner.finish());
  return 'kind' in plan ? plan : { columns: head.columns, plan, findings: planner.findings() };
};

export const contextFor = (columns: Columns, schedule: Schedule, shipper: Shipper = demoShipper): RatingContext => ({
  columns,
  shipper,
  bookOn: booksOf(schedule, INSTANT),
  maximumRowBytes: LIMITS.maximumRowBytes,
});

/** Plans and rates a list chunk by chunk. @returns the output with the header */
export const rateList = (
  list: Buffer,
  schedule: Schedule,
  chunkRows = 5_000,
  pieceBytes = 65_536,
  reading: ReadOptions = {},
): RatedRows => {
  const planned = planList(list, { chunkRows }, pieceBytes, reading);
  if (!('plan' in planned)) throw new Error(`the list was refused: ${JSON.stringify(planned)}`);
  const context = contextFor(planned.columns, schedule);
  const parts = planned.plan.chunks.map(({ from, to, firstRow, apart }) => {
    const rater = createRater(list.subarray(from, to), firstRow, { ...context, apart });
    while (rater.step(100));
    return rater.result();
  });
  const header = outputHeaderBytes(planned.columns);
  return {
    output: Buffer.concat([header, ...parts.map(({ output }) => output)]),
    faults: Buffer.concat([header, ...parts.map(({ faults }) => faults)]),
    tally: parts.reduce((sum, { tally }) => plus(sum, tally), EMPTY_TALLY),
  };
};
