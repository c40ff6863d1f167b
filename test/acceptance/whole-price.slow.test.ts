/**
 * Imports the carriers' genuine files, and compares quotes with bills that were worked out by hand. The files are not
 * part of the project: without them, these tests are skipped. `CARRIER_FILES` and `CARRIER_CHARGES` name their folders.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importTariff } from '../../src/cli/tariff-import.ts';
import type { Warehouse } from '../../src/rating/card.ts';
import { type QuoteAnswer, quoteOutcome, type RateBooks } from '../../src/rating/quote.ts';
import { readTariffFolder } from '../../src/tariff/folder.ts';
import { scheduleOf } from '../../src/tariff/schedule.ts';
import { FEDEX_TOTALS } from './fixtures/fedex-totals.ts';
import type { CasePackage, WorkedCase } from './fixtures/total-case.ts';
import { UPS_TOTALS } from './fixtures/ups-totals.ts';

const shared = join(import.meta.dirname, '../../../shared');
const files = process.env['CARRIER_FILES'] ?? join(shared, 'carrier-files');
const charges = process.env['CARRIER_CHARGES'] ?? join(shared, 'carrier-charges');
const FILES: readonly string[] = [
  ...[
    ...['FedEx_Standard_List_Rates_2026.pdf', 'ups-daily-rates-us-en-2026.xlsx'],
    ...['07000-07699', '30000-30399', '53000-53299', '85000-85099', '90200-90899', '98000-98299'].map(
      (origins) => `fedex-zone-charts/${origins}.pdf`,
    ),
    'fedex-zone-charts/Phoenix-850.csv',
    ...['005', '100', '601', '850', '900'].map((origin) => `ups-zone-charts/${origin}.xls`),
  ].map((file) => join(files, file)),
  ...[
    ...['FedEx_Surcharge_and_Fee_Changes_2026.pdf', 'FedEx_Service_Guide_2026.pdf'],
    ...['FedEx_DAS_ZIP_codes_2025-06-02.txt', 'UPS_other_charges_2026.csv'],
    ...['UPS_area_surcharge_ZIPs_2026.csv', 'fuel_surcharges_2026.csv'],
  ].map((file) => join(charges, file)),
];
const absent = FILES.filter((file) => !existsSync(file));
if (absent.length > 0)
  process.stderr.write(
    `Whole prices are not compared: ${absent.length} of ${FILES.length} files are absent, such as ${absent[0]}\n`,
  );

const cents = (dollars: number): number => Math.round(dollars * 100);

/** A warehouse for each origin. Its id is its ZIP code. */
const warehousesOf = (cases: readonly WorkedCase[]): Map<number, Warehouse> =>
  new Map(
    cases.map(({ from }) => [
      Number(from),
      { id: Number(from), name: from, postalCode: from, stateOrProvinceCode: 'US', countryCode: 'US' },
    ]),
  );

const itemsOf = ({ lb, kg, box, count = 1 }: CasePackage) =>
  Array.from({ length: count }, () => ({
    weight: lb === undefined ? { units: 'KG', value: kg } : { units: 'LB', value: lb },
    ...(box === undefined ? {} : { dimensions: { units: 'IN', length: box[0], width: box[1], height: box[2] } }),
  }));

const bodyOf = ({ service, from, to, residential, packages, shipDate, options }: WorkedCase) => ({
  rates: {
    shippingService: service,
    shipDate,
    shipper: { warehouse_id: Number(from) },
    recipient: { address: { addressLine: '1 Main St', postalCode: to, ...(residential ? { residential } : {}) } },
    packageItems: packages.flatMap(itemsOf),
    ...(options === undefined ? {} : { options }),
  },
});

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
  const shipper = { warehouses: warehousesOf(cases), discounts: new Map() };
  return cases.flatMap((worked) => {
    const expected = JSON.stringify(expectedOf(worked));
    const answered = JSON.stringify(
      answeredBy(quoteOutcome(bodyOf(worked), shipper, books, new Date('2026-06-15T16:00:00Z')), worked),
    );
    if (answered === expected) return [];
    return [`${worked.name}\n  ${worked.arithmetic}\n  expected ${expected}\n  answered ${answered}`];
  });
};

test('cases have names of their own, and their lines add up', () => {
  const names = FEDEX_TOTALS.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  const wrong = FEDEX_TOTALS.filter((worked) => {
    if ('fault' in worked) return false;
    const lines = Object.values(worked.surcharges).reduce((sum, amount) => sum + cents(amount), cents(worked.base));
    return lines !== cents(worked.net) || !worked.arithmetic.endsWith(worked.net.toFixed(2));
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

describe.skipIf(absent.length > 0)('quotes from the genuine files are the bills', () => {
  let dir: string;
  let books: RateBooks;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'whole-price-'));
    const into = join(dir, 'both-2026');
    let said = '';
    const stream = { write: (text: string) => (said += text) };
    const code = await importTariff(
      FILES,
      { into, effective: '2026-01-05', origin: { 'Phoenix-850.csv': '850' } },
      { stdout: stream, stderr: stream, env: {}, setExitCode: () => undefined },
    );
    const read = code === 0 ? await readTariffFolder(into) : undefined;
    if (read === undefined || !('document' in read)) throw new Error(`the import failed:\n${said}`);
    books = scheduleOf([read.document]);
  }, 300_000);
  afterAll(() => rm(dir, { recursive: true }));

  test("FedEx's", () => {
    expect(differencesOf(FEDEX_TOTALS, books).join('\n')).toBe('');
  });

  test("UPS's", () => {
    expect(differencesOf(UPS_TOTALS, books).join('\n')).toBe('');
  });
});
