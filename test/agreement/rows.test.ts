/** Agreements in lists: rows have what single calls have. */
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import { accountOf } from '../../src/catalog/agreement/account.ts';
import type { AgreementDocument } from '../../src/catalog/agreement/document.ts';
import type { Schedule } from '../../src/catalog/tariff/schedule.ts';
import { OUTPUT_COLUMNS, type OutputColumn, placeOf } from '../../src/lists/output/output-columns.ts';
import { createRater } from '../../src/lists/rows/rate-rows.ts';
import { shipments } from '../bench/shipments.ts';
import { contextFor, demoShipper, planList, referenceSchedule } from '../rows/fixtures.ts';
import { agreement, discounts } from './fixtures.ts';

const LIST = Buffer.from([...shipments(1_000)].join(''));

let schedule: Schedule;
beforeAll(async () => {
  schedule = await referenceSchedule();
});

/** The output of the list for a client with these agreements. */
const outputOf = (...documents: readonly AgreementDocument[]): Buffer => {
  const planned = planList(LIST);
  if (!('plan' in planned)) throw new Error('the list is refused');
  const account = accountOf({ discounts: new Map(), agreements: documents.map((document) => ({ document })) });
  const context = contextFor(planned.columns, schedule, { ...demoShipper, account });
  const outputs = planned.plan.chunks.map(({ from, to, firstRow }) => {
    const rater = createRater(LIST.subarray(from, to), firstRow, context);
    while (rater.step(100));
    return rater.result().output;
  });
  return Buffer.concat(outputs);
};

test('an agreement that says nothing of a service changes no byte of a list', () => {
  const list = outputOf();
  expect(list.toString()).toContain(',LIST,');
  expect(outputOf(agreement({}, { carrier: 'C1' })).equals(list)).toBe(true);
  expect(outputOf(agreement({ discounts: discounts({ percent: '50' }) }, { carrier: 'Other' })).equals(list)).toBe(
    true,
  );
  expect(outputOf(agreement({ discounts: discounts({ percent: '0' }) }, { carrier: 'C1' })).equals(list)).toBe(true);
});

test('rows of its services have the rate type ACCOUNT', () => {
  const output = outputOf(agreement({ discounts: discounts({ percent: '50' }) }, { carrier: 'C1' }));
  const at = (name: OutputColumn): number => placeOf(name) - OUTPUT_COLUMNS.length - 1;
  const rows: string[][] = parse(output);
  const own = rows.filter((row) => row.at(at('quote_shippingService')) === 'C1-GROUND');
  expect(own.length).toBeGreaterThan(100);
  expect(new Set(own.map((row) => row.at(at('quote_rateType'))))).toEqual(new Set(['ACCOUNT']));
});
