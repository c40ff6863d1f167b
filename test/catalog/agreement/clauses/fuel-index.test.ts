/** Fuel by bands of a price of fuel, and the price of each week. */
import { expect, test } from 'vitest';
import { diffAgreements } from '../../../../src/catalog/agreement/diff/diff.ts';
import type { AgreementDocument } from '../../../../src/catalog/agreement/document.ts';
import { FORMS } from '../../../../src/catalog/agreement/tables.ts';
import { changeDaysOf } from '../../../../src/catalog/agreement/versions.ts';
import type { TariffDocument } from '../../../../src/catalog/tariff/document.ts';
import { causesOf } from '../../../../src/rating/attribution.ts';
import { warningsOf } from '../../../../src/rating/warning.ts';
import { type Asked, shipmentOf } from '../../../rating/priced.ts';
import { smallTariff } from '../../tariff/small-tariff.ts';
import { DAY, priceWith, WAREHOUSE } from '../fixtures.ts';
import { smallAgreement, type Texts, textOf } from '../small-agreement.ts';
import { checked, explained, HOME, net, shown, TARIFF } from './clause.ts';

const BANDS = `index,from_usd,percent
diesel,0.00,10
diesel,3.00,12.5
diesel,3.25,15
`;
const PRICES = `index,from,usd
diesel,2026-05-18,2.999
diesel,2026-05-25,3.25
diesel,2026-06-01,3.1000
`;
const lines = (more: Texts = {}): AgreementDocument =>
  smallAgreement({ fuel_index: BANDS, fuel_prices: PRICES, ...more });
const INDEX = lines();
const fuelOff = (line: string): AgreementDocument => lines({ surcharges: `surcharge,change,value\nFUEL,${line}\n` });
const GAP = lines({ fuel_prices: 'index,from,usd\ndiesel,2026-05-18,2.999\ndiesel,2026-06-01,3.10\n' });
const RATE = lines({ fuel: 'from,until,percent\n2026-06-01,2026-06-03,8\n' });
const DISCOUNT = lines({ discounts: 'discount,percent\nBase,10\n', minimums: 'minimum,value\nusd,8.00\n' });

const on = (day: string, more: Asked = {}): Asked => ({ day, ...more });

/** The warnings of a price as type and rate. */
const said = (document: AgreementDocument, asked: Asked, tariff: TariffDocument = TARIFF) =>
  warningsOf(priceWith(tariff, document, asked), '07001')
    .filter(({ type }) => type === 'fuel.stale')
    .map(({ message }) => message);

test.each([
  // 10.00 + 5.00 + 2.00 is 17.00; fuel applies to 15.00. 3.10 is in the band from 3.00: 12.5% (1.875).
  ['the price of the week', INDEX, on('2026-06-01'), 1_888],
  // 2.999 is below 3.00: 10% (1.50).
  ['a price just below a band', INDEX, on('2026-05-24'), 1_850],
  // 3.25 begins a band: 15% (2.25).
  ['a price that begins a band', INDEX, on('2026-05-25'), 1_925],
  ['the last day of a week', INDEX, on('2026-05-31'), 1_925],
  // The list's 20% (3.00).
  ['a day before the first price', INDEX, on('2026-05-17'), 2_000],
  ['a day after the last week', INDEX, on('2026-06-08'), 1_888],
  // Between two weeks, the price of the first still applies: 10% (1.50).
  ['a week that is missing', GAP, on('2026-05-27'), 1_850],
  // 17.00 + 6.00, and 12.5% of 21.00 (2.625).
  ['a home', INDEX, on('2026-06-01', HOME), 2_563],
  // 9.00 + 5.00 + 2.00, and 12.5% of 14.00 (1.75).
  ['with a discount', DISCOUNT, on('2026-06-01'), 1_775],
  // 25% off 12.50% is 9.375%, so 9.38% of 15.00 (1.407).
  ['with percent off the rate', fuelOff('percent off,25'), on('2026-06-01'), 1_841],
  // 12.5 - 2 is 10.5% of 15.00 (1.575).
  ['with points off the rate', fuelOff('points off,2'), on('2026-06-01'), 1_858],
  // 8% of 15.00 (1.20).
  ['a rate of its own wins on its days', RATE, on('2026-06-03'), 1_820],
  ['and the index counts after them', RATE, on('2026-06-04'), 1_888],
  // 10.00 and 14.00, twice 5.00, 2.00: 12.5% of 15.00 (1.88) and of 19.00 (2.375).
  ['two packages', INDEX, on('2026-06-01', { packages: [{ lb: 1 }, { lb: 5 }] }), 4_026],
])('%s', (_, document, asked, cents) => {
  expect(net(document, asked)).toBe(cents);
});

test('the quote says that the price of fuel is from an earlier week', () => {
  const stale = (lastDay: string, percent: string) => [
    `The fuel rates of Small are known up to ${lastDay}. This price uses the last one, ${percent}%. The bill may differ.`,
  ];
  expect(said(INDEX, on('2026-06-07'))).toEqual([]);
  expect(said(INDEX, on('2026-06-08'))).toEqual(stale('2026-06-07', '12.50'));
  expect(said(GAP, on('2026-05-27'))).toEqual(stale('2026-05-24', '10.00'));
  expect(said(fuelOff('percent off,25'), on('2026-06-08'))).toEqual(stale('2026-06-07', '12.50'));
  // Fuel that does not follow the index.
  expect(said(fuelOff('waived,'), on('2026-06-08'))).toEqual([]);
  expect(said(INDEX, on('2026-05-17'))).toEqual([]);
});

test('with an index, the end of the list’s rates does not matter', () => {
  const ended = smallTariff({
    service: { hasNo: ['residential', 'deliveryArea', 'handling', 'limits'] },
    file: {
      surcharges: [
        {
          ...{ type: 'FUEL', description: 'Fuel' },
          amount: {
            ...{ per: 'percent', of: ['BASE'] },
            rate: [{ from: '2026-01-05', until: '2026-05-17', rate: '20' }],
          },
        },
      ],
    },
  });
  expect(said(smallAgreement(), on('2026-06-01'), ended)).toHaveLength(1);
  expect(said(INDEX, on('2026-06-01'), ended)).toEqual([]);
  // 10.00 + 12.5% of it.
  expect(net(INDEX, on('2026-06-01'), ended)).toBe(1_125);
});

test('the explanation names the price, its week and the row', () => {
  expect(explained(INDEX, on('2026-06-01')).find((line) => line.startsWith('FUEL'))).toBe(
    'FUEL 1.88 = 12.50% of 15.00 (base 10.00, HANDLING 5.00): 20.00% in the list, 12.50% by the agreement (diesel at 3.1000 from 2026-06-01, acme/fuel_index.csv row 3)',
  );
});

test('a comparison finds the difference in fuel alone', () => {
  const priceIn = (document: AgreementDocument) => ({
    price: priceWith(TARIFF, document),
    originPostalCode: WAREHOUSE.postalCode,
  });
  const [list, own] = [priceIn(smallAgreement()), priceIn(INDEX)];
  expect(causesOf(shipmentOf({}), list, own)).toMatchObject({ discountCents: 0, rateCents: 0, minimumCents: 0 });
  // 20% and 12.5% of 15.00.
  expect([list, own].map(({ price }) => price.surcharges.at(-1))).toEqual([300, 188]);
});

test('the checks name the cell', () => {
  const first = (texts: Texts) => checked(lines(texts))[0];
  expect(first({ fuel_index: 'index,from_usd,percent\ndiesel,1.00,10\ndiesel,1.00,12\n' })).toBe(
    'error fuel_index.csv row 3 column from_usd: must be more than 1.00 in row 2: bands must rise',
  );
  expect(first({ fuel_index: `${BANDS}jet,5.00,20\n` })).toBe(
    'error fuel_index.csv row 5: shares a service with row 4: give both rows the same services and index',
  );
  expect(first({ fuel_prices: `${PRICES}diesel,2026-06-01,3.20\n` })).toBe(
    'error fuel_prices.csv row 5 column from: is also in row 4: remove one of them',
  );
  expect(first({ fuel_prices: `${PRICES}jet,2026-06-08,3.20\n` })).toBe(
    'error fuel_prices.csv row 5 column index: fuel_index.csv has no bands of jet: correct it, or add them',
  );
  expect(first({ fuel_index: 'index,from_usd,percent\ndiesel,3.00,12.5\n' })).toBe(
    'error fuel_prices.csv row 2 column usd: is below the first band of fuel_index.csv: add a band for it',
  );
  expect(first({ fuel_prices: 'index,from,usd\ndiesel,2026-05-18,2.999\n' })).toBe(
    'warning fuel_prices.csv row 2: has no price of diesel after 2026-05-24, so the last one still applies: add the weeks since',
  );
  expect(first({ fuel_prices: 'index,from,usd\n' })).toBe(
    `warning fuel_prices.csv: has no price of diesel before ${DAY}, so the list fuel rate applies`,
  );
  expect(checked(INDEX)).toEqual([]);
  const faults = (table: 'fuel_index' | 'fuel_prices', text: string) => {
    const read = FORMS[table].read(`${table}.csv`, text);
    return 'findings' in read ? read.findings.map(({ at, message }) => `${at}: ${message}`) : [];
  };
  const dollars = 'must be dollars with two to four decimals, such as 3.512';
  expect(faults('fuel_index', 'from_usd,percent\n3,0.1\n')).toEqual([
    `fuel_index.csv row 2 column from_usd: ${dollars}`,
    'fuel_index.csv row 2 column percent: is less than 1: write 10 for 0.1 of the whole, or 0.1% if you mean that',
  ]);
  expect(faults('fuel_prices', 'from,usd\n6/1/2026,$3.10\n')).toEqual([
    'fuel_prices.csv row 2 column from: must be a date, YYYY-MM-DD',
    `fuel_prices.csv row 2 column usd: ${dollars}`,
  ]);
});

test('its client sees them, files keep them, and differences name them', () => {
  expect(
    shown(INDEX).fuelIndex.map(({ fromUsd, toUsd, percent, inForce }) => [fromUsd, toUsd, percent, inForce]),
  ).toEqual([
    [0, 3, 10, false],
    [3, 3.25, 12.5, true],
    [3.25, null, 15, false],
  ]);
  expect(shown(INDEX).fuelIndex[0]?.price).toEqual({ usd: 3.1, from: '2026-06-01', lastDay: '2026-06-07' });
  expect(shown(INDEX).surcharges.map(({ type, changes }) => [type, changes])).toEqual([
    ['FUEL', ['its own rate, 12.50% (diesel at 3.1000 from 2026-06-01)']],
  ]);
  for (const table of ['fuel_index', 'fuel_prices'] as const)
    expect(FORMS[table].read(`${table}.csv`, textOf(table, INDEX.tables[table] ?? []))).toEqual({
      lines: INDEX.tables[table],
    });
  const before = { document: smallAgreement(), day: DAY };
  expect(diffAgreements(before, { document: INDEX, day: DAY }).map(({ at }) => at)).toContain(
    'fuel_index.csv all services, diesel from 3.25',
  );
  expect(changeDaysOf(INDEX)).toEqual(['2026-01-05', '2026-05-18', '2026-05-25', '2026-06-01', '2026-06-08']);
});
