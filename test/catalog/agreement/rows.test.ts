/** Agreements in lists: rows have what single calls have. */
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import { accountOf } from '../../../src/catalog/agreement/account.ts';
import type { AgreementDocument } from '../../../src/catalog/agreement/document.ts';
import { type Schedule, scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import { OUTPUT_COLUMNS, type OutputColumn, placeOf } from '../../../src/lists/output/output-columns.ts';
import { createRater } from '../../../src/lists/rows/rate-rows.ts';
import { quoteOutcome } from '../../../src/rating/quote.ts';
import { shipments } from '../../bench/shipments.ts';
import { contextFor, demoShipper, planList, referenceSchedule } from '../../lists/rows/fixtures.ts';
import { smallTariff } from '../tariff/small-tariff.ts';
import { agreement, discounts, surcharges } from './fixtures.ts';

const LIST = Buffer.from([...shipments(1_000)].join(''));

let schedule: Schedule;
beforeAll(async () => {
  schedule = await referenceSchedule();
});

const accountWith = (documents: readonly AgreementDocument[]) =>
  accountOf({ discounts: new Map(), agreements: documents.map((document) => ({ document })) });

/** The output of a list for a client with these agreements. */
const outputIn = (list: Buffer, tariffs: Schedule, documents: readonly AgreementDocument[]): Buffer => {
  const planned = planList(list);
  if (!('plan' in planned)) throw new Error('the list is refused');
  const context = contextFor(planned.columns, tariffs, { ...demoShipper, account: accountWith(documents) });
  const outputs = planned.plan.chunks.map(({ from, to, firstRow }) => {
    const rater = createRater(list.subarray(from, to), firstRow, context);
    while (rater.step(100));
    return rater.result().output;
  });
  return Buffer.concat(outputs);
};

const outputOf = (...documents: readonly AgreementDocument[]): Buffer => outputIn(LIST, schedule, documents);

test('an agreement that does not mention a service changes no byte of a list', () => {
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

test('a row and a call lack the same parts of a price if the agreement waives some of them', () => {
  const tariffs = scheduleOf([smallTariff({ service: { hasNo: ['deliveryArea', 'handling', 'limits'] } })]);
  const waived = { surcharge: 'FUEL', address: 'commercial', change: 'waived' } as const;
  const waiving = agreement({ surcharges: surcharges(waived) });
  const list = Buffer.from(
    'warehouse_id,postalCode,weight_value,weight_units,residential\n101,02139,1,LB,false\n101,02139,1,LB,true\n',
  );
  const shipper = { ...demoShipper, account: accountWith([waiving]) };
  const called = ['no', 'yes'].map((residential) => {
    const address = { postalCode: '02139', residential: residential === 'yes' };
    const packageItems = [{ weight: { units: 'LB', value: 1 } }];
    const body = { rates: { shipper: { warehouse_id: 101 }, recipient: { address }, packageItems } };
    const { body: answer } = quoteOutcome(body, shipper, tariffs, new Date('2026-06-01T12:00:00Z'), true);
    if (!('quotes' in answer)) throw new Error(JSON.stringify(answer));
    return [answer.totalNetCharge, answer.warnings?.map((warning) => warning.arguments['missing'])];
  });
  expect(called).toEqual([
    [10, undefined],
    [10, [['fuel', 'residential']]],
  ]);
  const rows: string[][] = parse(outputIn(list, tariffs, [waiving]));
  const net = placeOf('quote_totalNetCharge') - OUTPUT_COLUMNS.length - 1;
  expect(rows.map((row) => [row.at(net), row.at(-1)])).toEqual([
    ['10.00', ''],
    ['10.00', 'price.incomplete'],
  ]);
});
