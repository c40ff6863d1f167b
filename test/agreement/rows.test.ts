/** Agreements in lists: rows have what single calls have. */
import { beforeAll, expect, test } from 'vitest';
import { accountOf } from '../../src/catalog/agreement/account.ts';
import type { AgreementDocument } from '../../src/catalog/agreement/document.ts';
import type { Schedule } from '../../src/catalog/tariff/schedule.ts';
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
  const output = outputOf(agreement({ discounts: discounts({ percent: '50' }) }, { carrier: 'C1' })).toString();
  expect(output).toContain(',C1-GROUND,C1,ACCOUNT,');
  expect(output).not.toContain(',C1-GROUND,C1,LIST,');
});
