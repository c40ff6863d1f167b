/** Several warehouses: what a request may name, and that the result is the cheapest of single calls. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failed } from '../../src/base/failed.ts';
import { accountOf } from '../../src/catalog/agreement/account.ts';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import type { Warehouse } from '../../src/rating/card.ts';
import type { Fault, Result } from '../../src/rating/fault.ts';
import { type QuoteAnswer, quoteOutcome } from '../../src/rating/quote.ts';
import { cheapestOf, type Rated, rateShipment } from '../../src/rating/rate.ts';
import { readShipment, type Shipment } from '../../src/rating/shipment.ts';
import type { Shipper } from '../../src/rating/terms.ts';
import { LIST_PRICES } from '../../src/rating/terms.ts';
import { agreement, discounts } from '../catalog/agreement/fixtures.ts';
import { chartedTariff } from '../catalog/tariff/small-tariff.ts';
import { demoShipper, referenceSchedule } from '../lists/rows/fixtures.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const HELP = 'must be a warehouse id, any, or 2 to 50 different warehouse ids such as 101|103';

const bodyFrom = (warehouse: unknown, rates: object = {}) => ({
  rates: {
    shipper: { warehouse_id: warehouse },
    recipient: { address: { postalCode: '10001' } },
    packageItems: [{ weight: { units: 'LB', value: 1 } }],
    ...rates,
  },
});

const readFrom = (warehouse: unknown): Shipment | Fault => {
  const read = readShipment(bodyFrom(warehouse));
  return read instanceof Failed ? read.fault : read;
};

const ids = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

test.each([
  ['any', 'any'],
  ['ANY', 'any'],
  [' Any ', 'any'],
  ['101|103', [101, 103]],
  [' 103 |  101 | 9999999999', [103, 101, 9_999_999_999]],
  ['0101|103', [101, 103]],
  [
    [103, 101],
    [103, 101],
  ],
  [ids(50), ids(50)],
  [ids(50).join('|'), ids(50)],
])('%j names several warehouses', (warehouse, shipFrom) => {
  expect(readFrom(warehouse)).toMatchObject({ warehouseId: 0, shipFrom });
});

test('a single id is not a choice', () => {
  expect(readFrom(101)).toMatchObject({ warehouseId: 101, shipFrom: undefined });
});

test.each([
  '101|',
  '|',
  '101|101',
  '101|0101',
  '101|0',
  '101|-1',
  '101|1.5',
  '101|x',
  'any|101',
  '101|12345678901',
  ids(51).join('|'),
  '|'.repeat(100_000),
  [],
  [101],
  [101, 101],
  [101, '103'],
  [101, 0],
  [101, 1.5],
  [101, 1e300],
  ids(51),
])('the warehouses %j are refused with what is allowed', (warehouse) => {
  expect(readFrom(warehouse)).toEqual({
    type: 'getRates.invalidRequest',
    issues: [{ path: 'rates.shipper.warehouse_id', message: HELP }],
  });
});

test.each([
  ['101', 'must be a number'],
  ['anywhere', 'must be a number'],
  ['', 'must be a number'],
  ['101,103', 'must be a whole number without a comma, such as 101'],
  [true, 'must be a number'],
  [null, 'must be a number'],
  [{}, 'must be a number'],
  [undefined, 'is required'],
  [0, 'must be at least 1'],
  [1.5, 'must be a whole number'],
  [1e10, 'must be at most 9999999999'],
])('a value that is not meant for several warehouses gets the usual message: %j', (warehouse, message) => {
  expect(readFrom(warehouse)).toMatchObject({ issues: [{ path: 'rates.shipper.warehouse_id', message }] });
});

const warehouse = (id: number, postalCode: string, countryCode = 'US'): [number, Warehouse] => [
  id,
  { id, name: `${id}`, postalCode, stateOrProvinceCode: '', countryCode },
];

/** New Jersey has a chart, Chicago has none, and no packages are accepted from Hawaii. */
const CHARTED: Shipper = {
  warehouses: new Map([
    warehouse(103, '96701'),
    warehouse(102, '60601'),
    warehouse(104, '64000', 'MX'),
    warehouse(101, '07001'),
  ]),
  account: LIST_PRICES,
};
const SCHEDULE = scheduleOf([chartedTariff()]);

const answer = (body: unknown, shipper = CHARTED): QuoteAnswer => quoteOutcome(body, shipper, SCHEDULE, NOW);

test('the answer is the quote of the cheapest warehouse, with the price of each', () => {
  const { status, body } = answer(bodyFrom('any'));
  const { body: alone } = answer(bodyFrom(101));
  expect(status).toBe(200);
  expect(body).toEqual({
    ...alone,
    warehouse_id: 101,
    warehouses: [
      {
        warehouse_id: 103,
        fault: {
          type: 'getRates.noDeliveryCoverage',
          message: 'The carrier service is not currently available for this origin/destination combination.',
          arguments: { postalCode: '10001' },
        },
      },
      {
        warehouse_id: 102,
        shippingService: 'GROUND',
        totalNetCharge: 20,
        warnings: [
          {
            type: 'zone.estimated',
            message: 'Small has no zone chart for the origin 60601, so the zone was estimated from the distance.',
            arguments: { origin: '60601' },
          },
        ],
      },
      { warehouse_id: 101, shippingService: 'GROUND', totalNetCharge: 10 },
    ],
  });
  expect(Object.keys(alone)).not.toContain('warehouses');
});

test('a warehouse without a chart is used if it is the cheapest, and says that its zone is estimated', () => {
  const far = bodyFrom('103|102', { recipient: { address: { postalCode: '60601' } } });
  expect(answer(far).body).toMatchObject({
    warehouse_id: 102,
    totalNetCharge: 10,
    warnings: [{ type: 'zone.estimated' }],
    warehouses: [{ warehouse_id: 103 }, { warehouse_id: 102, warnings: [{ type: 'zone.estimated' }] }],
  });
});

const outcomeOf = (shipFrom: Shipment['shipFrom'], shipper = CHARTED, rates: object = {}): Rated | Fault => {
  const read = readShipment(bodyFrom(shipFrom, rates));
  const outcome = read instanceof Failed ? read : rateShipment(read, SCHEDULE.bookOn('2026-06-01'), shipper);
  return outcome instanceof Failed ? outcome.fault : outcome;
};

test('if warehouses cost the same, the first is chosen: in the list, or by registration', () => {
  const warehouses = new Map([warehouse(7, '07001'), warehouse(5, '07002'), warehouse(6, '07003')]);
  const chosen = (shipFrom: Shipment['shipFrom']) => outcomeOf(shipFrom, { ...CHARTED, warehouses });
  expect(chosen('any')).toMatchObject({ warehouse: { id: 7 } });
  expect(chosen([6, 5, 7])).toMatchObject({ warehouse: { id: 6 } });
});

test('an unknown warehouse in the list, or one abroad, is a fault of the whole shipment', () => {
  expect(outcomeOf([101, 999, 104])).toEqual({ type: 'getRates.unknownWarehouse', warehouseId: 999 });
  expect(outcomeOf([101, 104])).toEqual({ type: 'getRates.unknownWarehouse', warehouseId: 104, country: 'MX' });
  const mexico = { recipient: { address: { postalCode: '64000', countryCode: 'MX' } } };
  expect(outcomeOf([101, 999], CHARTED, mexico)).toMatchObject({ type: 'getRates.unknownWarehouse' });
  expect(outcomeOf([101, 102], CHARTED, mexico)).toMatchObject({ type: 'getRates.noDeliveryCoverage', country: 'MX' });
});

test('any without a warehouse in the United States gets its own message', () => {
  const shipper = { ...CHARTED, warehouses: new Map([warehouse(104, '64000', 'MX')]) };
  expect(answer(bodyFrom('any'), shipper)).toEqual({
    status: 422,
    body: {
      code: 422,
      fault: {
        type: 'getRates.unknownWarehouse',
        message: 'This client has no warehouse in the United States to choose from.',
        arguments: { warehouse_id: 'any' },
      },
    },
  });
});

test('any is refused for more than fifty warehouses, which can be named instead', () => {
  const many = (count: number) => ({
    ...CHARTED,
    warehouses: new Map([...ids(count).map((id) => warehouse(id, '07001')), warehouse(104, '64000', 'MX')]),
  });
  expect(outcomeOf('any', many(50))).toMatchObject({ warehouse: { id: 1 } });
  expect(outcomeOf('any', many(51))).toEqual({
    type: 'getRates.invalidRequest',
    issues: [
      {
        path: 'rates.shipper.warehouse_id',
        message: 'must name at most 50 warehouses, such as 101|103: any would be 51',
      },
    ],
  });
});

test('if no warehouse can quote, missing coverage comes before other reasons, then the first warehouse’s reason', () => {
  const heavy = { packageItems: [{ weight: { units: 'LB', value: 50 } }] };
  expect(outcomeOf([101, 102], CHARTED, heavy)).toMatchObject({ type: 'getRates.weightNotServed' });
  expect(outcomeOf([101, 103], CHARTED, heavy)).toMatchObject({ type: 'getRates.noDeliveryCoverage' });
});

/** Agreements for all warehouses and for one. */
const accounts = {
  list: LIST_PRICES,
  flat: demoShipper.account,
  byWarehouse: accountOf({
    discounts: new Map(),
    agreements: [
      { document: agreement({ discounts: discounts({ percent: '5' }) }, { name: 'all', carrier: 'C1' }) },
      {
        document: agreement({ discounts: discounts({ percent: '40' }) }, { name: 'west', carrier: 'C1' }),
        warehouses: new Set([103]),
      },
    ],
  }),
};

const shipments = fc.record({
  ...{ account: fc.constantFrom(...(['list', 'flat', 'byWarehouse'] as const)), cheapestOnly: fc.boolean() },
  warehouses: fc.oneof(
    fc.constant('any' as const),
    fc.uniqueArray(fc.constantFrom(101, 102, 103), { minLength: 2, maxLength: 3 }),
  ),
  service: fc.constantFrom(undefined, 'C1-GROUND', 'C1-EXPRESS', 'C2-GROUND'),
  postalCode: fc.constantFrom('02139', '60601', '94110', '99501', '96701', '00901', '10001-1234'),
  addressLine: fc.constantFrom(undefined, '1 Main St', 'PO Box 5'),
  residential: fc.boolean(),
  packageItems: fc.array(
    fc.record({
      weight: fc.record({ units: fc.constantFrom('LB', 'KG'), value: fc.double({ min: 0.01, max: 99, noNaN: true }) }),
      dimensions: fc.option(
        fc.record({
          units: fc.constantFrom('IN', 'CM'),
          length: fc.integer({ min: 1, max: 130 }),
          width: fc.integer({ min: 1, max: 60 }),
          height: fc.integer({ min: 1, max: 60 }),
        }),
        { nil: undefined },
      ),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  options: fc.option(fc.constant({ signature: 'direct', declaredValue: 500 }), { nil: undefined }),
});

test('a shipment from several warehouses gets the same result as single calls', async () => {
  const schedule = await referenceSchedule();
  const book = schedule.bookOn('2026-06-01');
  const seen = { quotes: 0, faults: 0, chosen: new Set<number>() };
  fc.assert(
    fc.property(shipments, ({ account, cheapestOnly, warehouses, service, ...request }) => {
      const { postalCode, addressLine, residential, packageItems, options } = request;
      const shipper: Shipper = { ...demoShipper, account: accounts[account] };
      const bodyOf = (from: unknown) =>
        bodyFrom(from, {
          ...{ shippingService: service, recipient: { address: { postalCode, addressLine, residential } } },
          ...{ packageItems, options },
        });
      const rated = (from: unknown): Result<Rated> => {
        const read = readShipment(bodyOf(from));
        return read instanceof Failed ? read : rateShipment(read, book, shipper, cheapestOnly);
      };
      const asked = warehouses === 'any' ? [101, 102, 103] : warehouses;
      const singles = asked.map((id) => ({ warehouse: shipper.warehouses.get(id), outcome: rated(id) }));
      const several = rated(warehouses === 'any' ? 'any' : warehouses.join(' | '));
      const answerOf = (from: unknown) => quoteOutcome(bodyOf(from), shipper, schedule, NOW, true);
      const quoted = singles.flatMap(({ outcome }) => (outcome instanceof Failed ? [] : [outcome]));
      const least = Math.min(...quoted.map((outcome) => cheapestOf(outcome).netCents));
      const best = quoted.find((outcome) => cheapestOf(outcome).netCents === least);
      if (best === undefined) {
        seen.faults += 1;
        const faults = singles.flatMap(({ outcome }) => (outcome instanceof Failed ? [outcome.fault] : []));
        const uncovered = faults.find(({ type }) => type === 'getRates.noDeliveryCoverage');
        expect(several).toEqual(new Failed(uncovered ?? faults[0]));
        return;
      }
      seen.quotes += 1;
      seen.chosen.add(best.warehouse.id);
      expect(several).toEqual({ ...best, from: singles });
      const { body } = answerOf(warehouses);
      if (!('warehouses' in body)) throw new Error(JSON.stringify(body));
      const { warehouse_id, warehouses: each, ...quote } = body;
      expect(warehouse_id).toBe(best.warehouse.id);
      expect(quote).toEqual(answerOf(best.warehouse.id).body);
      expect(each?.map((one) => one.warehouse_id)).toEqual(asked);
      for (const { warehouse_id: id, ...one } of each ?? []) {
        const { body: alone } = answerOf(id);
        if ('fault' in one) expect(alone).toEqual({ code: 422, fault: one.fault });
        else expect(alone).toMatchObject(one);
      }
    }),
    { numRuns: 150 },
  );
  expect(seen.quotes).toBeGreaterThan(30);
  expect(seen.faults).toBeGreaterThan(10);
  expect(seen.chosen).toEqual(new Set([101, 102, 103]));
});
