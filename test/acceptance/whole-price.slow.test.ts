/**
 * Imports the carriers' genuine files, and compares quotes with bills that were worked out by hand. The files are not
 * part of the project: without them, these tests are skipped. `CARRIER_FILES` and `CARRIER_CHARGES` name their folders.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type QuoteAnswer, quoteOutcome, type RateBooks } from '../../src/rating/quote.ts';
import { LIST_PRICES } from '../../src/rating/terms.ts';
import { FEDEX_TOTALS } from './fixtures/fedex-totals.ts';
import { ABSENT, bodyOf, importGenuine, warehousesOf } from './fixtures/genuine-tariff.ts';
import type { WorkedCase } from './fixtures/total-case.ts';
import { UPS_TOTALS } from './fixtures/ups-totals.ts';

if (ABSENT.length > 0) process.stderr.write(`Whole prices are not compared: no ${ABSENT.join(', ')}\n`);

const cents = (dollars: number): number => Math.round(dollars * 100);

/** What a case expects, and what an answer says, in one form: cents by name, sorted. */
const expectedOf = (worked: WorkedCase): unknown => {
  if ('fault' in worked) return { fault: worked.fault, arguments: worked.arguments ?? {} };
  const { base, surcharges, net, missing = [] } = worked;
  const lines = Object.entries(surcharges).map(([type, amount]): [string, number] => [type, cents(amount)]);
  return { base: cents(base), surcharges: Object.fromEntries(lines.toSorted()), net: cents(net), missing };
};

const answeredBy = (answer: QuoteAnswer, worked: WorkedCase): unknown => {
  if (answer.status !== 200) {
    const { type, arguments: all } = answer.body.fault;
    const asked = 'fault' in worked ? Object.keys(worked.arguments ?? {}) : Object.keys(all);
    return { fault: type, arguments: Object.fromEntries(asked.map((name) => [name, all[name]])) };
  }
  const { totalBaseCharge, totalNetCharge, shipmentDetail, warnings = [] } = answer.body;
  const sums = new Map<string, number>();
  for (const { type, amount } of shipmentDetail.surcharges) sums.set(type, (sums.get(type) ?? 0) + cents(amount));
  const missing = warnings.find(({ type }) => type === 'price.incomplete')?.arguments['missing'] ?? [];
  const surcharges = Object.fromEntries([...sums].toSorted());
  return { base: cents(totalBaseCharge), surcharges, net: cents(totalNetCharge), missing };
};

/** Every case that is not answered as expected, in full. */
const differencesOf = (cases: readonly WorkedCase[], books: RateBooks): string[] => {
  const shipper = { warehouses: warehousesOf(cases), account: LIST_PRICES };
  return cases.flatMap((worked) => {
    const expected = JSON.stringify(expectedOf(worked));
    const answered = JSON.stringify(
      answeredBy(quoteOutcome(bodyOf(worked), shipper, books, new Date('2026-06-15T16:00:00Z')), worked),
    );
    if (answered === expected) return [];
    return [`${worked.name}\n  ${worked.arithmetic}\n  expected ${expected}\n  answered ${answered}`];
  });
};

const CARRIERS = [
  { carrier: 'FedEx', cases: FEDEX_TOTALS },
  { carrier: 'UPS', cases: UPS_TOTALS },
];

test.each(CARRIERS)('cases of $carrier have names of their own, and their lines add up', ({ cases }) => {
  const names = cases.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  const wrong = cases.filter((worked) => {
    if ('fault' in worked) return false;
    const lines = Object.values(worked.surcharges).reduce((sum, amount) => sum + cents(amount), cents(worked.base));
    return lines !== cents(worked.net) || !worked.arithmetic.endsWith(worked.net.toFixed(2));
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

describe.skipIf(ABSENT.length > 0)('quotes from the genuine files are the bills', () => {
  let dir: string;
  let books: RateBooks;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'whole-price-'));
    books = await importGenuine(join(dir, 'both-2026'));
  }, 600_000);
  afterAll(() => rm(dir, { recursive: true }));

  test.each(CARRIERS)('of $carrier', ({ cases }) => {
    expect(differencesOf(cases, books).join('\n')).toBe('');
  });
});
