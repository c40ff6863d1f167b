import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CardBody } from '../../src/catalog/agreement/view/card.ts';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import type { TariffsBody, ZonesBody } from '../../src/catalog/tariff/view/tariffs.ts';
import { UPS_CALENDAR, weekdays } from '../../src/import/read/carrier.ts';
import { ACME_C1 } from '../catalog/agreement/acme-c1.ts';
import { completeTariff } from '../catalog/tariff/complete-tariff.ts';
import { chartedTariff, smallTariff } from '../catalog/tariff/small-tariff.ts';
import { flatAccount } from '../rating/flat-account.ts';
import { apiWithAgreements } from './agreement-api.ts';
import { fixedTariffs, rateRequest, referenceSchedule, startApi, withDemo } from './api.ts';

let api: Awaited<ReturnType<typeof startApi>>;
let own: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  const now = () => new Date('2026-06-01T12:00:00Z');
  api = await startApi({ now });
  const reference = await referenceSchedule();
  const schedule = scheduleOf([
    ...reference.documents,
    smallTariff({ file: { effective: '2025-01-01' } }),
    smallTariff(),
    smallTariff({ file: { name: 'next', effective: '2027-01-01' } }),
  ]);
  own = await startApi({ now, tariffs: fixedTariffs(schedule) });
});
afterAll(async () => {
  await api.close();
  await own.close();
});

/** Calls as the signed-in client `demo`. */
const ask = async (path: string, of = api) => await of.call(path, { headers: await of.session() });

describe('tariffs', () => {
  test('include the warehouses without a zone chart of a carrier', async () => {
    const charted = await startApi({ tariffs: fixedTariffs(scheduleOf([chartedTariff()])) });
    const { uncharted }: TariffsBody = (await ask('/console/tariffs', charted)).body;
    await charted.close();
    // Not 101, whose ZIP3 has a chart, and not 104, which is in Mexico.
    expect(uncharted).toEqual([
      { warehouse_id: 102, carrier: 'Small', services: ['GROUND'], allServices: true, zones: 'estimated' },
      { warehouse_id: 103, carrier: 'Small', services: ['GROUND'], allServices: true, zones: 'estimated' },
    ]);
    expect((await ask('/console/tariffs')).body.uncharted).toEqual([]);
  });

  test('say whether any service has transit days', async () => {
    const service = { carrier: 'UPS', transit: weekdays(3) };
    const timed = smallTariff({ file: { calendars: { UPS: UPS_CALENDAR } }, service });
    const quick = await startApi({ tariffs: fixedTariffs(scheduleOf([timed])) });
    expect((await ask('/console/tariffs', quick)).body.hasTransit).toBe(true);
    await quick.close();
    expect((await ask('/console/tariffs')).body.hasTransit).toBe(false);
  });

  test('include what their prices contain, and fuel rates that end', async () => {
    const fueled = await startApi({
      now: () => new Date('2026-06-12T12:00:00Z'),
      tariffs: fixedTariffs(scheduleOf([completeTariff()])),
    });
    const { tariffs, fuelEnds }: TariffsBody = (await ask('/console/tariffs', fueled)).body;
    await fueled.close();
    expect(tariffs[0]?.coverage).toEqual({
      date: '2026-06-12',
      services: [
        {
          shippingService: 'GROUND',
          zones: [
            { zones: 'charted', warehouses: [101] },
            { zones: 'estimated', warehouses: [102, 103] },
          ],
          fuelPercent: '25.50',
          fuelLastDay: '2026-06-14',
          fuelNextDay: null,
          areaTiers: 2,
          areaZipCodes: 102,
          maximumLengthIn: 108,
          maximumLengthPlusGirthIn: 165,
          parts: {
            fuel: 'present',
            residential: 'present',
            deliveryArea: 'present',
            handling: 'present',
            limits: 'present',
            signature: 'present',
            saturday: 'present',
            declaredValue: 'present',
          },
        },
      ],
    });
    expect(fuelEnds).toEqual([
      {
        carrier: 'Small',
        services: ['GROUND'],
        allServices: true,
        carries: true,
        lastDay: '2026-06-14',
        hasEnded: false,
      },
    ]);
  });

  test('show their coverage today, or on their first day; replaced ones show none', async () => {
    const { tariffs, fuelEnds }: TariffsBody = (await ask('/console/tariffs', own)).body;
    expect(tariffs.map(({ name, coverage }) => [name, coverage.date, coverage.services.length])).toEqual([
      ['next', '2027-01-01', 1],
      ['reference', '2026-06-01', 0],
      ['small', '2026-06-01', 0],
      ['small', '2026-06-01', 1],
    ]);
    expect(fuelEnds).toEqual([]);
  });

  test('are listed with their services', async () => {
    const { tariffs }: TariffsBody = (await ask('/console/tariffs')).body;
    expect(
      tariffs.map(({ name, effectiveDate, inForce, fallback }) => [name, effectiveDate, inForce, fallback]),
    ).toEqual([['reference', '2020-01-01', 'now', true]]);
    expect(tariffs[0]?.version).toMatch(/^2020-01-01-[0-9a-f]{8}$/);
    expect(tariffs[0]?.services.at(-1)).toEqual({
      shippingService: 'C2-GROUND',
      carrier: 'C2',
      description: 'Carrier 2 Ground',
      addressLineRequired: true,
      maximumWeightLb: 150,
      dimensionalFactor: 166,
      inForce: 'now',
    });
  });

  test('are marked as in force, upcoming, replaced, or standby', async () => {
    const { tariffs }: TariffsBody = (await ask('/console/tariffs', own)).body;
    expect(
      tariffs.map(({ name, effectiveDate, inForce, fallback }) => [name, effectiveDate, inForce, fallback]),
    ).toEqual([
      ['next', '2027-01-01', 'later', false],
      ['reference', '2020-01-01', 'past', true],
      ['small', '2025-01-01', 'past', false],
      ['small', '2026-01-01', 'now', false],
    ]);
  });
});

describe('a zone map', () => {
  test('has the same zones as quotes', async () => {
    const { body } = await ask('/console/tariffs/zones?service=C1-GROUND&warehouse_id=101');
    const { origin, zones, exceptions, estimated }: ZonesBody = body;
    expect(origin).toBe('070');
    expect([zones['070'], zones['021'], zones['606'], zones['900'], zones['005']]).toEqual(['1', '3', '5', '8', '2']);
    expect(zones['021']).toBe((await api.quote(rateRequest())).body.shipmentDetail.rateZone);
    // Puerto Rico and military ZIP codes are not served. In 967, only Wake Island is not served.
    expect([zones['006'], zones['090'], zones['969'], zones['967']]).toEqual([undefined, undefined, undefined, '8']);
    expect([exceptions, estimated]).toEqual([1, false]);
  });

  test('is for the given day', async () => {
    const path = '/console/tariffs/zones?service=C1-GROUND&warehouse_id=101&date=';
    expect((await ask(`${path}2024-12-31`, own)).body.tariff).toMatch(/^reference@/);
    expect((await ask(`${path}2026-12-31`, own)).body.fault.type).toBe('getRates.unknownShippingService');
  });

  test.each([
    ['service=C9-NONE&warehouse_id=101', 'getRates.unknownShippingService', { shippingService: 'C9-NONE' }],
    ['service=C1-GROUND&warehouse_id=201', 'getRates.unknownWarehouse', { warehouse_id: 201 }],
    ['service=C1-GROUND&warehouse_id=104', 'getRates.unknownWarehouse', { warehouse_id: 104 }],
    ['service=C1-GROUND&warehouse_id=101&date=2019-12-31', 'getRates.noTariff', { shipDate: '2019-12-31' }],
    ['service=C1-GROUND', 'getRates.invalidRequest', { warehouse_id: expect.any(String) }],
    [
      'service=C1-GROUND&warehouse_id=1e3',
      'getRates.invalidRequest',
      { warehouse_id: 'must be the number of a warehouse' },
    ],
    ['service=C1-GROUND&warehouse_id=101&date=tomorrow', 'getRates.invalidRequest', { date: 'must be YYYY-MM-DD' }],
    ['service=C1-GROUND&warehouse_id=101&x=1', 'getRates.invalidRequest', { x: 'is not a parameter of this call' }],
  ])('?%s is refused', async (query, type, args) => {
    const { status, body } = await ask(`/console/tariffs/zones?${query}`);
    expect([status, body.fault.type, body.fault.arguments]).toEqual([422, type, args]);
  });
});

describe('a rate card', () => {
  test('has the rates, the minimum charge, and the surcharges in words', async () => {
    const card: CardBody = (await ask('/console/tariffs/card?service=C1-GROUND')).body;
    expect(card.zones).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    expect(card.rows).toHaveLength(150);
    const list = [914, 966, 1018, 1070, 1122, 1174, 1226, 1278];
    expect(card.rows[1]).toEqual({
      ...{ weight: '2', list, net: list },
      percents: list.map(() => '0.00'),
      limits: list.map(() => null),
    });
    expect([card.minimumChargeCents, card.rateType, card.agreement, card.multiweight]).toEqual([
      880,
      'LIST',
      null,
      null,
    ]);
    expect(card.surcharges).toEqual([
      {
        type: 'RESIDENTIAL',
        description: 'Residential delivery',
        computation: '$5.15',
        of: null,
        yours: null,
        because: ['residential address'],
      },
      {
        type: 'DELIVERY_AREA',
        description: 'Delivery area, residential',
        computation: '$4.20',
        of: null,
        yours: null,
        because: ['residential address', 'ZIP code in this area'],
      },
      {
        type: 'DELIVERY_AREA',
        description: 'Delivery area, commercial',
        computation: '$3.05',
        of: null,
        yours: null,
        because: ['commercial address', 'ZIP code in this area'],
      },
      {
        type: 'DELIVERY_AREA_EXTENDED',
        description: 'Extended delivery area, residential',
        computation: '$8.30',
        of: null,
        yours: null,
        because: ['residential address', 'ZIP code in this area'],
      },
      {
        type: 'DELIVERY_AREA_EXTENDED',
        description: 'Extended delivery area, commercial',
        computation: '$6.10',
        of: null,
        yours: null,
        because: ['commercial address', 'ZIP code in this area'],
      },
      {
        type: 'ADDITIONAL_HANDLING_DIMENSION',
        description: 'Additional handling, dimension',
        computation: '$19.50 to $27.00 by zone',
        of: null,
        yours: null,
        because: [
          'longest side over 48 in, or second side over 30 in, or length plus girth over 105 in, or volume over 10,368 cu in',
          'only the highest of the handling charges',
        ],
      },
      {
        type: 'ADDITIONAL_HANDLING_WEIGHT',
        description: 'Additional handling, weight',
        computation: '$29.00 to $40.00 by zone',
        of: null,
        yours: null,
        because: ['actual weight over 50 lb', 'only the highest of the handling charges'],
      },
      {
        type: 'ADDITIONAL_HANDLING_PACKAGING',
        description: 'Additional handling, packaging',
        computation: '$17.00 to $22.50 by zone',
        of: null,
        yours: null,
        because: ['non-standard packaging', 'only the highest of the handling charges'],
      },
      {
        type: 'OVERSIZE',
        description: 'Oversize',
        computation: '$155.00 to $200.00 by zone',
        of: null,
        yours: null,
        because: [
          'longest side over 96 in, or length plus girth over 130 in, or volume over 17,280 cu in',
          'only the highest of the handling charges',
        ],
      },
      {
        type: 'SIGNATURE_INDIRECT',
        description: 'Indirect signature',
        computation: '$5.60',
        of: null,
        yours: null,
        because: ['indirect signature'],
      },
      {
        type: 'SIGNATURE_DIRECT',
        description: 'Direct signature',
        computation: '$6.80',
        of: null,
        yours: null,
        because: ['direct signature'],
      },
      {
        type: 'SIGNATURE_ADULT',
        description: 'Adult signature',
        computation: '$8.40',
        of: null,
        yours: null,
        because: ['adult signature'],
      },
      {
        type: 'DECLARED_VALUE',
        description: 'Declared value',
        computation: '$1.25 per $100 of the declared value, at least $3.75',
        of: null,
        yours: null,
        because: ['declared value over $100.00'],
      },
      {
        type: 'FUEL',
        description: 'Fuel',
        computation: '12.5%',
        of: [
          'Base charge',
          'Residential delivery',
          'Delivery area, residential',
          'Delivery area, commercial',
          'Extended delivery area, residential',
          'Extended delivery area, commercial',
          'Additional handling, dimension',
          'Additional handling, weight',
          'Additional handling, packaging',
          'Oversize',
        ],
        yours: null,
        because: [],
      },
    ]);
  });

  test('has columns under the zones they are reported as, gaps as null, and the client’s discount', async () => {
    const table = {
      columns: ['AK', '2'],
      cents: [
        [null, 1_000],
        [5_000, 1_100],
      ],
      centsPerLbAboveTop: [null, 90],
    };
    const document = smallTariff({
      service: { rateZones: { AK: 8 }, minimumNet: { column: '2', weightLb: 1 }, multiweight: {} },
      file: {
        surcharges: [{ type: 'PEAK', description: 'Peak', amount: { per: 'pound', usd: { AK: '2.00', '*': '0.50' } } }],
      },
      document: {
        rates: { GROUND: table },
        multiweight: { GROUND: { columns: ['2'], breaks: [{ fromLb: 100, centsPerLb: [70] }] } },
      },
    });
    const clients = withDemo(own.deps.clients.current(), { account: flatAccount({ GROUND: '12.5' }) });
    const schedule = scheduleOf([document]);
    const odd = await startApi({ tariffs: fixedTariffs(schedule), clients: { current: () => clients } });
    const card: CardBody = (await ask('/console/tariffs/card?service=GROUND&date=2026-06-01', odd)).body;
    expect([card.zones, card.rateZones]).toEqual([
      ['AK', '2'],
      ['8', '2'],
    ]);
    const percents = ['12.50', '12.50'];
    expect(card.rows).toEqual([
      { weight: '1', list: [null, 1_000], net: [null, 1_000], percents, limits: [null, 'minimum'] },
      { weight: '2', list: [5_000, 1_100], net: [4_375, 1_000], percents, limits: [null, 'minimum'] },
    ]);
    expect(card.above).toEqual({ topLb: 2, charges: [null, 90], percents });
    // The flat discount of a client's settings belongs to no agreement.
    expect([card.rateType, card.agreement, card.minimumChargeCents]).toEqual(['ACCOUNT', null, 1_000]);
    expect(card.multiweight).toEqual({
      minimumTotalLb: 100,
      minimumAverageLb: 15,
      perLb: 1,
      breaks: [{ fromLb: 100, charges: [null, 70], percents }],
    });
    expect(card.surcharges[0]?.computation).toBe('$0.50 to $2.00 by zone per pound');
    await odd.close();
  });

  test('shows what the client pays by its agreement, for the warehouse and the address', async () => {
    const caps = { 'C1-GROUND': { columns: ['3'], cents: [[800], [900]] } };
    const services = { 'C1-GROUND': { rateCapPercent: '10' } };
    const { file, tables } = ACME_C1;
    const document = { ...ACME_C1, file: { ...file, services }, tables: { ...tables, caps } };
    const mine = await apiWithAgreements('2026-06-01', [{ document, warehouses: new Set([101]) }]);
    const cardOf = async (query: string): Promise<CardBody> =>
      (await ask(`/console/tariffs/card?service=C1-GROUND${query}`, mine)).body;
    const business = await cardOf('&warehouse_id=101');
    expect([business.rateType, business.agreement, business.address]).toEqual(['ACCOUNT', 'acme-c1', 'commercial']);
    expect([business.minimumChargeCents, business.listMinimumChargeCents]).toEqual([875, 880]);
    // 9% off 9.70 leaves 8.83, and the cap of 8.80 is lower. 9% off 9.25 would leave less than the minimum.
    expect([business.rows[0]?.list[2], business.rows[0]?.net[2], business.rows[0]?.limits[2]]).toEqual([
      970,
      880,
      'cap',
    ]);
    expect([business.rows[0]?.net[1], business.rows[0]?.limits[1]]).toEqual([875, 'minimum']);
    expect(business.above?.percents[0]).toBe('23.50');
    expect(business.surcharges.filter(({ yours }) => yours !== null).map(({ type, yours }) => [type, yours])).toEqual([
      ['RESIDENTIAL', '$3.86'],
      ['SIGNATURE_DIRECT', 'waived'],
      ['FUEL', '10%'],
    ]);
    const home = await cardOf('&warehouse_id=101&address=residential');
    expect([home.address, home.above?.percents[0]]).toEqual(['residential', '14.50']);
    // The tariff's distances reach Alaska and Hawaii with zone 8. Without a warehouse there are no distances.
    expect([business.states?.[0], business.states?.[7]?.includes('AK')]).toEqual([
      expect.arrayContaining(['NJ']),
      true,
    ]);
    expect((await cardOf('')).states).toBeNull();
    for (const elsewhere of [await cardOf('&warehouse_id=102'), await cardOf('')])
      expect([elsewhere.rateType, elsewhere.rows[0]?.net[2]]).toEqual(['LIST', 970]);
    const refused = await ask('/console/tariffs/card?service=C1-GROUND&warehouse_id=201', mine);
    expect([refused.status, refused.body.fault.type]).toEqual([422, 'getRates.unknownWarehouse']);
    await mine.close();
  });

  test('shows list prices after the agreement has ended, and says so', async () => {
    const mine = await apiWithAgreements('2029-01-01', [{ document: ACME_C1 }]);
    const card: CardBody = (await ask('/console/tariffs/card?service=C1-GROUND', mine)).body;
    await mine.close();
    expect([card.rateType, card.endedOn, card.rows[0]?.net]).toEqual(['LIST', '2028-12-31', card.rows[0]?.list]);
  });

  test('is refused for a service that is not in force that day', async () => {
    const { status, body } = await ask('/console/tariffs/card?service=C9-NONE');
    expect([status, body.fault.type]).toEqual([422, 'getRates.unknownShippingService']);
  });
});
