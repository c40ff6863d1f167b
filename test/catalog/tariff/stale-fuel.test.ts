/** What prices have after the last fuel rate: the last known one, with a warning, or none. */
import { describe, expect, test } from 'vitest';
import { must } from '../../../src/base/must.ts';
import { accountOf } from '../../../src/catalog/agreement/account.ts';
import { fuelFindings } from '../../../src/catalog/tariff/check/fuel-ends.ts';
import type { TariffFileInput } from '../../../src/catalog/tariff/document.ts';
import { scheduleOf, tariffId } from '../../../src/catalog/tariff/schedule.ts';
import { quoteOutcome } from '../../../src/rating/quote.ts';
import { LIST_PRICES } from '../../../src/rating/terms.ts';
import { smallAgreement, type Texts } from '../agreement/small-agreement.ts';
import { completeTariff } from './complete-tariff.ts';

// 1 lb to zone 2 costs 10.00. Fuel is 26% in the week of 2026-06-01 and 25.5% in that of 2026-06-08, the last.
const WAREHOUSE = { id: 1, name: 'Newark', postalCode: '07001', stateOrProvinceCode: 'NJ', countryCode: 'US' };

const quoteOn = (shipDate: string, file: Partial<TariffFileInput> = {}, texts?: Texts) => {
  const account =
    texts === undefined
      ? LIST_PRICES
      : accountOf({ discounts: new Map(), agreements: [{ document: smallAgreement(texts) }] });
  const { body } = quoteOutcome(
    {
      rates: {
        shipDate,
        shipper: { warehouse_id: 1 },
        recipient: { address: { postalCode: '02139' } },
        packageItems: [{ weight: { units: 'LB', value: 1 } }],
      },
    },
    { warehouses: new Map([[1, WAREHOUSE]]), account },
    scheduleOf([completeTariff({ file: { ...completeTariff().file, ...file } })]),
    new Date('2026-06-01T12:00:00Z'),
    true,
  );
  if ('fault' in body) throw new Error(body.fault.message);
  const { surcharges } = body.shipmentDetail;
  const fuel = surcharges.find(({ type }) => type === 'FUEL')?.amount;
  const charges = must(body.explanation, 'the explanation').packages.flatMap((one) => one.charges);
  return {
    fuel,
    warnings: body.warnings,
    computation: charges.find(({ type }) => type === 'FUEL')?.computation,
  };
};

const STALE = {
  type: 'fuel.stale',
  message:
    'The fuel rates of Small are known up to 2026-06-14. This price uses the last one, 25.5%. The bill may differ.',
  arguments: { carrier: 'Small', rate: 25.5, lastWeek: '2026-06-08', lastDay: '2026-06-14' },
};

describe('fuelAfterLastWeek', () => {
  test('is to carry unless the tariff says otherwise: the last rate, and a warning that names it', () => {
    expect(quoteOn('2026-06-14')).toMatchObject({ fuel: 2.55, warnings: undefined });
    expect(quoteOn('2026-06-15')).toEqual({
      fuel: 2.55,
      warnings: [STALE],
      computation: expect.stringContaining('25.50% of base 10.00'),
    });
    expect(quoteOn('2027-03-01')).toMatchObject({ fuel: 2.55, warnings: [STALE] });
  });

  test('omit charges none, and says that it is missing', () => {
    expect(quoteOn('2026-06-15', { fuelAfterLastWeek: 'omit' })).toMatchObject({
      fuel: undefined,
      warnings: [{ type: 'price.incomplete', arguments: { missing: ['fuel'] } }],
    });
  });

  test('never invents a rate for days before the first', () => {
    expect(quoteOn('2026-05-31')).toMatchObject({
      fuel: undefined,
      warnings: [{ type: 'price.incomplete', arguments: { missing: ['fuel'] } }],
    });
  });

  test('carries the rate before a gap until the next one begins', () => {
    const rate = [
      { from: '2026-06-01', until: '2026-06-07', rate: '26' },
      { from: '2026-06-15', rate: '24' },
    ];
    const surcharges = completeTariff().file.surcharges.map((entry) =>
      entry.type === 'FUEL' ? { ...entry, amount: { per: 'percent' as const, rate, of: ['BASE'] } } : entry,
    );
    expect(quoteOn('2026-06-10', { surcharges })).toMatchObject({
      fuel: 2.6,
      warnings: [{ type: 'fuel.stale', arguments: { rate: 26, lastDay: '2026-06-07' } }],
    });
    expect(quoteOn('2026-06-15', { surcharges })).toMatchObject({ fuel: 2.4, warnings: undefined });
  });

  test('a tariff keeps the id that it had, and one that omits fuel has another', () => {
    const [carrying, omitting] = (['carry', 'omit'] as const).map((fuelAfterLastWeek) =>
      completeTariff({ file: { ...completeTariff().file, fuelAfterLastWeek } }),
    );
    expect(tariffId(must(carrying, 'a tariff'))).toBe('small@2026-01-01-d8c624d1');
    expect(tariffId(must(omitting, 'a tariff'))).not.toBe('small@2026-01-01-d8c624d1');
  });

  test('findings say which of both happens', () => {
    const said = (fuelAfterLastWeek: 'carry' | 'omit') =>
      fuelFindings(completeTariff({ file: { ...completeTariff().file, fuelAfterLastWeek } }), '2026-06-15').map(
        ({ message }) => message,
      );
    expect(said('carry')).toEqual([
      'fuel of Small ended on 2026-06-14: prices for later ship dates use its last rate. Add the next rates: rates tariff fuel add',
    ]);
    expect(said('omit')).toEqual([
      'fuel of Small ended on 2026-06-14: prices for later ship dates have no fuel. Add the next rates: rates tariff fuel add',
    ]);
  });
});

describe('the warning of a client with an agreement', () => {
  const stale = (texts: Texts, day = '2026-06-15') =>
    (quoteOn(day, {}, texts).warnings ?? []).map(({ type }) => type).includes('fuel.stale');

  test.each<[string, Texts, boolean]>([
    ['stays if the list’s rate counts', { discounts: 'services,discount,percent\n*,Flat,10\n' }, true],
    [
      'stays if a part of the list’s rate is taken off',
      { surcharges: 'surcharge,change,value\nFUEL,percent off,25\n' },
      true,
    ],
    ['is not there if its own rate counts', { fuel: 'services,from,percent\n*,2026-01-05,12\n' }, false],
    ['is not there if fuel is waived', { surcharges: 'surcharge,change\nFUEL,waived\n' }, false],
  ])('%s', (_name, texts, expected) => {
    expect(stale(texts)).toBe(expected);
  });
});
