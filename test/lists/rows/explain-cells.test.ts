/** The cells that explain a row, word for word. */
import { expect, test } from 'vitest';
import { Failed } from '../../../src/base/failed.ts';
import type { TariffDocument } from '../../../src/catalog/tariff/document.ts';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import { explainCells } from '../../../src/lists/rows/extra-cells.ts';
import { rateShipment } from '../../../src/rating/rate.ts';
import type { Shipper } from '../../../src/rating/terms.ts';
import { chartedTariff, oneColumn, type Parts, smallTariff } from '../../catalog/tariff/small-tariff.ts';
import { flatAccount } from '../../rating/flat-account.ts';
import { type Asked, shipmentOf } from '../../rating/priced.ts';

const cellsOf = (document: TariffDocument, asked: Asked, origin = '07001'): readonly string[] => {
  const shipper: Shipper = {
    warehouses: new Map([[1, { id: 1, name: '', postalCode: origin, stateOrProvinceCode: '', countryCode: 'US' }]]),
    account: flatAccount({ GROUND: (asked.discountPercent ?? 0).toFixed(2) }),
  };
  const shipment = shipmentOf(asked);
  const rated = rateShipment(shipment, scheduleOf([document]).bookOn('2026-06-01'), shipper);
  if (rated instanceof Failed) throw new Error(JSON.stringify(rated.fault));
  return Object.values(explainCells(shipment, rated));
};

const withCharges = (parts: Parts = {}): TariffDocument =>
  smallTariff({
    ...parts,
    file: {
      surcharges: [
        {
          type: 'RESIDENTIAL',
          description: 'Residential',
          when: { residential: true, actualWeightOverLb: 1 },
          amount: { per: 'package', usd: '5.15' },
        },
        { type: 'PICKUP', description: 'Pickup', amount: { per: 'shipment', usd: '2.00' } },
      ],
    },
  });

test('a single package has no number, and each amount has its source', () => {
  expect(cellsOf(withCharges(), { residential: true, packages: [{ lb: 2.5 }], discountPercent: 5 })).toEqual([
    'zone 2: by distance from 070 to 021',
    '3 LB actual (actual 3 LB rounded up)',
    '12.00 rates/GROUND.csv row 3 column 2, less 0.60 discount (Account discount 0.60 = 5.00% of 12.00)',
    'RESIDENTIAL 5.15 = 5.15 per package (tariff.json surcharges RESIDENTIAL; residential address, actual weight over 1 lb); ' +
      'shipment: PICKUP 2.00 = 2.00 per shipment (tariff.json surcharges PICKUP)',
  ]);
});

test('equal packages next to each other share one entry, and packages without a charge have none', () => {
  const packages = [{ lb: 1 }, { lb: 2 }, { lb: 2 }, { lb: 2 }, { lb: 1 }];
  const [, weights, bases, charges] = cellsOf(withCharges(), { residential: true, packages });
  const actual = (lb: number) => `${lb} LB actual (actual ${lb} LB rounded up)`;
  expect(weights).toBe(`package 1: ${actual(1)}; packages 2 to 4: ${actual(2)}; package 5: ${actual(1)}`);
  expect(bases).toBe(
    'package 1: 10.00 rates/GROUND.csv row 1 column 2; packages 2 to 4: 11.00 rates/GROUND.csv row 2 column 2; ' +
      'package 5: 10.00 rates/GROUND.csv row 1 column 2',
  );
  expect(charges).toMatch(/^packages 2 to 4: RESIDENTIAL 5\.15 = .*; shipment: PICKUP 2\.00 = /);
});

test('commas separate several charges of one package', () => {
  const tariff = smallTariff({
    file: {
      surcharges: [
        { type: 'FIRST', description: 'First', amount: { per: 'package', usd: '1.00' } },
        { type: 'SECOND', description: 'Second', amount: { per: 'package', usd: '2.00' } },
      ],
    },
  });
  expect(cellsOf(tariff, {})[3]).toBe(
    'FIRST 1.00 = 1.00 per package (tariff.json surcharges FIRST), SECOND 2.00 = 2.00 per package (tariff.json surcharges SECOND)',
  );
});

test('the cell is empty if there are no charges', () => {
  expect(cellsOf(smallTariff(), { packages: [{ lb: 1 }, { lb: 2 }] })[3]).toBe('');
});

test.each([
  ['none', '8 LB dimensional (actual 1 LB rounded up, dimensional 8 LB by 139)'],
  ['nearest', '8 LB dimensional (actual 1 LB rounded up, dimensional 8 LB by 139, sides rounded to the nearest inch)'],
  ['up', '9 LB dimensional (actual 1 LB rounded up, dimensional 9 LB by 139, sides rounded up)'],
] as const)('a dimensional weight says how sides were measured: %s', (sideRounding, said) => {
  const tariff = smallTariff({ service: { sideRounding } });
  expect(cellsOf(tariff, { packages: [{ lb: 1, inches: [10.4, 10.4, 10] }] })[1]).toBe(said);
});

test('a zone names its chart and the rows in it, or says that it was estimated', () => {
  const tariff = chartedTariff();
  expect(cellsOf(tariff, {})[0]).toBe('zone 2: zones/small.csv origin 070 destination 000-999');
  expect(cellsOf(tariff, {}, '60601')[0]).toBe('zone 8: by distance from 606 to 021, no chart has this origin');
});

test('a zone has the carrier’s own name, and the zone from 1 to 8 that it counts as', () => {
  const zones = { distanceMiles: [30_000], distanceColumns: ['17', '17'] };
  const tariff = smallTariff({
    service: { rateZones: { '17': 8 }, zones },
    document: { rates: { GROUND: oneColumn('17', 1_000) } },
  });
  expect(cellsOf(tariff, {})[0]).toBe('zone 17 (counted as 8): by distance from 070 to 021');
});

test('a base charge for the whole shipment is shown once, with its weight', () => {
  const tariff = smallTariff({
    service: { multiweight: {} },
    document: {
      rates: {
        GROUND: { columns: ['2', '8'], cents: [[100, 100], ...Array.from({ length: 59 }, () => [3_000, 6_000])] },
      },
      multiweight: { GROUND: { columns: ['2', '8'], breaks: [{ fromLb: 100, centsPerLb: [40, 50] }] } },
    },
  });
  expect(cellsOf(tariff, { packages: [{ lb: 50 }, { lb: 60 }], discountPercent: 10 })[2]).toBe(
    '44.00 multiweight/GROUND.csv row 100 column 2, less 4.40 discount (Account discount 4.40 = 10.00% of 44.00) for 110 LB in all',
  );
});
