import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flatAccount } from '../rating/flat-account.ts';
import { rateRequest, sampleClients, startApi, to, weighing, withDemo } from './api.ts';

let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('of several warehouses', () => {
  const from = (warehouse: unknown, rates = {}) => rateRequest({ shipper: { warehouse_id: warehouse }, ...rates });

  test.each([
    ['any', [101, 102, 103]],
    ['103 | 101', [103, 101]],
    [
      [102, 103],
      [102, 103],
    ],
  ])('the quote of %j is that of the cheapest, with the price of each', async (warehouse, asked) => {
    const { status, body } = await api.quote(from(warehouse), '?explain=true');
    expect(status).toBe(200);
    const { warehouse_id: chosen, warehouses, ...quote } = body;
    const alone = await Promise.all(asked.map(async (id) => (await api.quote(from(id), '?explain=true')).body));
    expect(warehouses).toEqual(
      asked.map((id, at) => ({
        warehouse_id: id,
        shippingService: alone[at].shippingService,
        totalNetCharge: alone[at].totalNetCharge,
      })),
    );
    expect(quote).toEqual(alone[asked.indexOf(chosen)]);
    expect(quote.totalNetCharge).toBe(Math.min(...alone.map(({ totalNetCharge }) => totalNetCharge)));
  });

  test('an id that the client does not have is the fault', async () => {
    const { status, body } = await api.quote(from('101|201'));
    expect(status).toBe(422);
    expect(body.fault).toMatchObject({ type: 'getRates.unknownWarehouse', arguments: { warehouse_id: 201 } });
    expect((await api.quote(from('101|'))).body.fault.arguments).toEqual({
      'rates.shipper.warehouse_id': 'must be a warehouse id, any, or 2 to 50 different warehouse ids such as 101|103',
    });
  });
});

describe('a quote', () => {
  test.each([
    ['?explain=1', { explain: 'must be true or false' }],
    ['?explain=true&explain=false', { explain: 'occurs more than once' }],
    ['?service=C1-GROUND', { service: 'is not a parameter of this call' }],
    ['?constructor=true', { constructor: 'is not a parameter of this call' }],
  ])('with %s names the parameter', async (query, problems) => {
    const { status, body } = await api.quote(rateRequest(), query);
    expect([status, body.fault.arguments]).toEqual([422, problems]);
  });

  test('has every field of the specification, and those of the service', async () => {
    const { status, body, headers } = await api.quote(rateRequest());
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual({
      status: 200,
      rateType: 'LIST',
      totalDiscounts: 0,
      discounts: [],
      totalBaseCharge: 10.66,
      totalNetCharge: 11.99,
      shippingService: 'C1-GROUND',
      carrier: 'C1',
      tariff: expect.stringMatching(/^reference@2020-01-01-/),
      shipmentDetail: {
        rateZone: '3',
        carrierZone: '3',
        totalBillingWeight: { units: 'LB', value: 3 },
        currency: 'USD',
        totalSurcharges: 1.33,
        surcharges: [{ type: 'FUEL', description: 'Fuel', amount: 1.33 }],
      },
    });
  });

  test('bills a kilogram weight in whole pounds', async () => {
    const { body } = await api.quote(rateRequest({ packageItems: [{ weight: { units: 'KG', value: 0.45359237 } }] }));
    expect(body.shipmentDetail.totalBillingWeight).toEqual({ units: 'LB', value: 1 });
  });

  test('bills the dimensional weight if it is greater', async () => {
    const dimensions = { units: 'IN', length: 20, width: 12, height: 10 };
    const { body } = await api.quote(
      rateRequest({ packageItems: [{ weight: { units: 'LB', value: 2.1 }, dimensions }] }),
    );
    expect(body.shipmentDetail.totalBillingWeight.value).toBe(18);
  });

  test('adds up the packages, each billed separately', async () => {
    const { body } = await api.quote(rateRequest(weighing(2.1, 0.2, 10)));
    expect(body.shipmentDetail.totalBillingWeight.value).toBe(14);
  });

  test('adds the residential surcharge', async () => {
    const { body } = await api.quote(rateRequest(to({ residential: true })));
    expect(body.shipmentDetail.surcharges).toContainEqual({
      type: 'RESIDENTIAL',
      description: 'Residential delivery',
      amount: 5.15,
    });
  });

  test.each([1, 5, 20, 60, 99])('balances to the cent for %i packages', async (count) => {
    const { body } = await api.quote(rateRequest(weighing(...Array.from({ length: count }, (_, i) => 0.7 + i / 2))));
    const inCents = (amount: number) => Math.round(amount * 100);
    expect(inCents(body.totalNetCharge)).toBe(
      inCents(body.totalBaseCharge) - inCents(body.totalDiscounts) + inCents(body.shipmentDetail.totalSurcharges),
    );
    expect(String(body.totalNetCharge)).toMatch(/^\d+(?:\.\d{1,2})?$/);
  });
});

describe('a request that names no service', () => {
  const open = { shippingService: undefined };

  test('gets the cheapest, all quotes in order of price, and the faults of the other services', async () => {
    const { status, body } = await api.quote(rateRequest(open));
    expect(status).toBe(200);
    expect(body.shippingService).toBe('C1-GROUND');
    expect(body.quotes.map((quote: { shippingService: string }) => quote.shippingService)).toEqual([
      'C1-GROUND',
      'C1-EXPRESS',
    ]);
    expect(body.unavailable).toEqual([
      {
        shippingService: 'C2-GROUND',
        fault: {
          type: 'getRates.addressLineRequired',
          message: expect.any(String),
          arguments: { addressLine: 'required by C2-GROUND' },
        },
      },
    ]);
  });

  test('gets the same quotes as calls that name the services', async () => {
    const address = to({ addressLine: '77 Massachusetts Ave' });
    const { body } = await api.quote(rateRequest({ ...open, ...address }));
    expect(body.unavailable).toEqual([]);
    expect(body.quotes).toHaveLength(3);
    for (const quote of body.quotes) {
      const alone = await api.quote(rateRequest({ ...address, shippingService: quote.shippingService }));
      expect(alone.body).toEqual(quote);
    }
  });

  test('gets noDeliveryCoverage if any service has that reason', async () => {
    const { status, body } = await api.quote(rateRequest({ ...open, ...to({ postalCode: '00901' }) }));
    expect([status, body.fault.type]).toEqual([422, 'getRates.noDeliveryCoverage']);
  });

  test('gets the lists only without a named service', async () => {
    const { body } = await api.quote(rateRequest());
    expect(body).not.toHaveProperty('quotes');
    expect(body).not.toHaveProperty('unavailable');
  });
});

test.each([
  ['1', '10001'],
  ['2', '19103'],
  ['3', '02139'],
  ['4', '15222'],
  ['5', '60601'],
  ['6', '33101'],
  ['7', '78701'],
  ['8', '90001'],
])('zone %s reaches from New Jersey to %s', async (zone, postalCode) => {
  const { body } = await api.quote(rateRequest(to({ postalCode })));
  expect(body.shipmentDetail.rateZone).toBe(zone);
});

describe('a client with a discount', () => {
  test('gets its account rate on that service, and the list rate on others', async () => {
    const clients = withDemo(await sampleClients(), { account: flatAccount({ 'C1-GROUND': '12.5' }) });
    const own = await startApi({ clients: { current: () => clients } });
    try {
      const { body } = await own.quote(rateRequest({ shippingService: undefined }));
      // 12.5% of 10.66 is 1.3325. Fuel is 12.5% of the rest, 9.33.
      expect(body.quotes[0]).toMatchObject({
        rateType: 'ACCOUNT',
        totalBaseCharge: 10.66,
        totalDiscounts: 1.33,
        discounts: [{ type: 'DISCOUNT', description: 'Account discount', amount: 1.33 }],
        totalNetCharge: 10.5,
        shipmentDetail: { totalSurcharges: 1.17 },
      });
      expect(body.quotes[1]).toMatchObject({ shippingService: 'C1-EXPRESS', rateType: 'LIST', discounts: [] });
    } finally {
      await own.close();
    }
  });
});

describe('an explanation', () => {
  test('is added to each quote on request, and changes nothing else', async () => {
    const request = rateRequest({ shippingService: undefined });
    const plain = (await api.quote(request)).body;
    const { body } = await api.quote(request, '?explain=true');
    expect(body.quotes).toHaveLength(2);
    for (const [index, { explanation, ...quote }] of body.quotes.entries()) {
      expect(quote).toEqual(plain.quotes[index]);
      expect(explanation.zone).toMatchObject({ rateZone: '3', chart: 'distance' });
    }
    expect(body.explanation).toEqual(body.quotes[0].explanation);
  });

  test('has the weights, the rate cell and how each charge was computed', async () => {
    const { body } = await api.quote(rateRequest(), '?explain=true');
    expect(body.explanation.packages).toEqual([
      {
        actualWeight: { units: 'LB', value: 3 },
        dimensionalWeight: { units: 'LB', value: 0 },
        billingWeight: { units: 'LB', value: 3 },
        billed: 'actual',
        rateCell: { table: 'rates/C1-GROUND.csv', row: '3', column: '3' },
        baseCharge: 10.66,
        discount: 0,
        discounts: [],
        charges: [
          {
            type: 'FUEL',
            description: 'Fuel',
            amount: 1.33,
            computation: '12.50% of base 10.66',
            because: [],
          },
        ],
      },
    ]);
  });

  test.each(['', '?', '?explain=false'])('is absent for "%s"', async (query) => {
    const { status, body } = await api.quote(rateRequest(), query);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('explanation');
  });
});

test('a warehouse id that exceeds two bounds has one message', async () => {
  const { body } = await api.quote(rateRequest({ shipper: { warehouse_id: 1e308 } }));
  expect(body.fault.arguments).toEqual({ 'rates.shipper.warehouse_id': 'must be at most 9999999999' });
});

describe('the form of a request', () => {
  const nine = '9999999999';
  const longest = 'A'.repeat(35);
  const at = 'rates.recipient.address';
  // What replaces a valid part, and the argument that names it. Undefined if the part is within the limit.
  const cases: [string, Record<string, unknown>, string | undefined][] = [
    ['a service of 11 characters', { shippingService: 'C1-GROUND-X' }, 'rates.shippingService'],
    ['an empty service', { shippingService: '' }, 'rates.shippingService'],
    ['a service that is a number', { shippingService: 7 }, 'rates.shippingService'],
    ['no shipper', { shipper: undefined }, 'rates.shipper'],
    ['no warehouse', { shipper: {} }, 'rates.shipper.warehouse_id'],
    ['a warehouse id of 11 digits', { shipper: { warehouse_id: 10_000_000_000 } }, 'rates.shipper.warehouse_id'],
    ['a warehouse id 0', { shipper: { warehouse_id: 0 } }, 'rates.shipper.warehouse_id'],
    ['a negative warehouse id', { shipper: { warehouse_id: -101 } }, 'rates.shipper.warehouse_id'],
    ['a fractional warehouse id', { shipper: { warehouse_id: 101.5 } }, 'rates.shipper.warehouse_id'],
    ['a warehouse id as text', { shipper: { warehouse_id: '101' } }, 'rates.shipper.warehouse_id'],
    ['no recipient', { recipient: undefined }, 'rates.recipient'],
    ['no address', { recipient: {} }, at],
    ['an address line of 35 characters', to({ addressLine: longest }), undefined],
    ['an address line of 36 characters', to({ addressLine: `${longest}A` }), `${at}.addressLine`],
    ['no postal code', to({ postalCode: undefined }), `${at}.postalCode`],
    ['an empty postal code', to({ postalCode: '' }), `${at}.postalCode`],
    ['a postal code as a number', to({ postalCode: 2139 }), `${at}.postalCode`],
    ['a postal code of 5 digits', to({ postalCode: '02139' }), undefined],
    ['a postal code of 4 digits', to({ postalCode: '2139' }), `${at}.postalCode`],
    ['a postal code of 10 characters', to({ postalCode: '02139-4307' }), undefined],
    ['a postal code with three digits after the hyphen', to({ postalCode: '12345-678' }), `${at}.postalCode`],
    ['a postal code of 11 characters', to({ postalCode: '12345-67890' }), `${at}.postalCode`],
    [
      'a postal code of 11 characters elsewhere',
      to({ postalCode: '12345678901', countryCode: 'CA' }),
      `${at}.postalCode`,
    ],
    ['the country in lower case', to({ countryCode: 'us' }), undefined],
    ['no country', to({ countryCode: undefined }), undefined],
    ['a country of 3 letters', to({ countryCode: 'USA' }), `${at}.countryCode`],
    ['a country of 1 letter', to({ countryCode: 'U' }), `${at}.countryCode`],
    ['a country of digits', to({ countryCode: '12' }), `${at}.countryCode`],
    ['residential as text', to({ residential: 'yes' }), `${at}.residential`],
    ['no packages', { packageItems: undefined }, 'rates.packageItems'],
    ['an empty list of packages', { packageItems: [] }, 'rates.packageItems'],
    ['packages that are not a list', { packageItems: {} }, 'rates.packageItems'],
    ['1 package', weighing(1), undefined],
    ['99 packages', weighing(...Array(99).fill(1)), undefined],
    ['100 packages', weighing(...Array(100).fill(1)), 'rates.packageItems'],
    ['a package without a weight', { packageItems: [{}] }, 'rates.packageItems[0].weight'],
    [
      'a second package without a value',
      { packageItems: [...weighing(1).packageItems, { weight: { units: 'LB' } }] },
      'rates.packageItems[1].weight.value',
    ],
    [
      'units in lower case',
      { packageItems: [{ weight: { units: 'lb', value: 1 } }] },
      'rates.packageItems[0].weight.units',
    ],
    ['no units', { packageItems: [{ weight: { value: 1 } }] }, 'rates.packageItems[0].weight.units'],
    ['99 lb', weighing(99), undefined],
    ['99.01 lb', weighing(99.01), 'rates.packageItems[0].weight.value'],
    ['a hundredth of a pound', weighing(0.01), undefined],
    ['0 lb', weighing(0), 'rates.packageItems[0].weight.value'],
    ['a negative weight', weighing(-1), 'rates.packageItems[0].weight.value'],
    ['a weight as text', weighing('2.1'), 'rates.packageItems[0].weight.value'],
    ['a weight of null', weighing(null), 'rates.packageItems[0].weight.value'],
    ['a ship date', { shipDate: '2026-03-01' }, undefined],
    ['a ship date that does not exist', { shipDate: '2026-02-30' }, 'rates.shipDate'],
  ];

  test.each(cases)('%s', async (_what, rates, path) => {
    const { status, body } = await api.quote(rateRequest(rates));
    if (path === undefined) expect(status).toBe(200);
    else {
      expect(status).toBe(422);
      expect(body).toEqual({
        code: 422,
        fault: {
          type: 'getRates.invalidRequest',
          // A field has a name for people, and so has the number of packages. The path is in the arguments.
          message:
            /\.(?:shipper|recipient|address|packageItems)$/.test(path) && !/ entr/.test(body.fault.arguments[path])
              ? expect.stringContaining(path)
              : expect.not.stringContaining('rates.'),
          arguments: { [path]: expect.any(String) },
        },
      });
    }
  });

  test('a service of 10 characters is valid in form', async () => {
    const { body } = await api.quote(rateRequest({ shippingService: 'C1-EXPRESS' }));
    expect(body.shippingService).toBe('C1-EXPRESS');
  });

  test('a warehouse id of 10 digits is valid in form', async () => {
    const { body } = await api.quote(rateRequest({ shipper: { warehouse_id: Number(nine) } }));
    expect(body.fault.type).toBe('getRates.unknownWarehouse');
  });

  test('99 KG is valid in form, but too heavy', async () => {
    const { body } = await api.quote(rateRequest({ packageItems: [{ weight: { units: 'KG', value: 99 } }] }));
    expect(body.fault.type).toBe('getRates.weightNotServed');
  });

  test.each([
    ['{}', 'rates'],
    ['[]', 'body'],
    ['null', 'body'],
    ['"rates"', 'body'],
    ['7', 'body'],
  ])('the fault of the body %s names %s', async (text, path) => {
    const { status, body } = await api.quote(text);
    expect([status, body.fault.type]).toEqual([422, 'getRates.invalidRequest']);
    expect(Object.keys(body.fault.arguments)).toEqual([path]);
  });

  test('every wrong field is named in one answer', async () => {
    const { body } = await api.quote({ rates: { packageItems: [{ weight: { units: 'OZ', value: 100 } }] } });
    expect(Object.keys(body.fault.arguments).toSorted()).toEqual([
      'rates.packageItems[0].weight.units',
      'rates.packageItems[0].weight.value',
      'rates.recipient',
      'rates.shipper',
    ]);
  });
});

describe('faults of a shipment', () => {
  const mexico = to({ postalCode: '64000', countryCode: 'MX' });
  const light = { weight: { units: 'LB', value: 1 } };
  const cases: [string, Record<string, unknown>, string, Record<string, unknown>][] = [
    [
      'an unknown service',
      { shippingService: 'C9-ROCKET' },
      'getRates.unknownShippingService',
      { shippingService: 'C9-ROCKET' },
    ],
    ['an unknown warehouse', { shipper: { warehouse_id: 999 } }, 'getRates.unknownWarehouse', { warehouse_id: 999 }],
    [
      'a warehouse of another client',
      { shipper: { warehouse_id: 201 } },
      'getRates.unknownWarehouse',
      { warehouse_id: 201 },
    ],
    ['a warehouse in Mexico', { shipper: { warehouse_id: 104 } }, 'getRates.unknownWarehouse', { warehouse_id: 104 }],
    ['no tariff on the day', { shipDate: '2019-12-31' }, 'getRates.noTariff', { shipDate: '2019-12-31' }],
    [
      'a service that needs the street',
      { shippingService: 'C2-GROUND' },
      'getRates.addressLineRequired',
      { addressLine: 'required by C2-GROUND' },
    ],
    [
      'a destination in Puerto Rico',
      to({ postalCode: '00901' }),
      'getRates.noDeliveryCoverage',
      { postalCode: '00901' },
    ],
    ['a military destination', to({ postalCode: '09001' }), 'getRates.noDeliveryCoverage', { postalCode: '09001' }],
    ['a destination in Mexico', mexico, 'getRates.noDeliveryCoverage', { postalCode: '64000' }],
    [
      'a Canadian postal code',
      to({ postalCode: 'K1A 0B1', countryCode: 'CA' }),
      'getRates.noDeliveryCoverage',
      { postalCode: 'K1A 0B1' },
    ],
    [
      'a package of 152 lb',
      { packageItems: [{ weight: { units: 'KG', value: 68.5 } }] },
      'getRates.weightNotServed',
      { weight: '152 LB' },
    ],
    [
      'a package of 109 in',
      { packageItems: [{ ...light, dimensions: { units: 'IN', length: 4, width: 109, height: 4 } }] },
      'getRates.sizeNotServed',
      { length: '109 IN' },
    ],
    [
      'a second package of more than 165 in in length and girth',
      { packageItems: [light, { ...light, dimensions: { units: 'IN', length: 100, width: 17, height: 16 } }] },
      'getRates.sizeNotServed',
      { lengthPlusGirth: '166 IN' },
    ],
    [
      'a declared value over the limit',
      { options: { declaredValue: 50_001 } },
      'getRates.invalidRequest',
      { 'rates.options.declaredValue': 'must be at most 50000 US dollars, whatever the shipping service' },
    ],
  ];

  test.each(cases)('%s', async (_what, rates, type, args) => {
    const { status, body } = await api.quote(rateRequest(rates));
    expect(status).toBe(422);
    expect(body).toEqual({ code: 422, fault: { type, message: expect.any(String), arguments: args } });
  });

  test('a service that needs the street accepts a shipment that has it', async () => {
    const { body } = await api.quote(
      rateRequest({ shippingService: 'C2-GROUND', ...to({ addressLine: '1 Main St' }) }),
    );
    expect(body.carrier).toBe('C2');
  });

  // In each request, the named part and everything after it is wrong, so that only the first fault is reported.
  const long = { units: 'IN', length: 200, width: 2, height: 2 };
  const heavy = { packageItems: [{ weight: { units: 'KG', value: 99 }, dimensions: long }] };
  const far = to({ postalCode: '00901' });
  test.each([
    [
      'form',
      { shippingService: 'C9', shipper: { warehouse_id: '201' }, ...mexico, ...heavy },
      'getRates.invalidRequest',
    ],
    [
      'service',
      { shippingService: 'C9', shipper: { warehouse_id: 201 }, ...mexico, ...heavy },
      'getRates.unknownShippingService',
    ],
    [
      'warehouse',
      { shippingService: 'C2-GROUND', shipper: { warehouse_id: 201 }, ...mexico, ...heavy },
      'getRates.unknownWarehouse',
    ],
    ['country', { shippingService: 'C2-GROUND', ...mexico, ...heavy }, 'getRates.noDeliveryCoverage'],
    ['coverage', { shippingService: 'C2-GROUND', ...far, ...heavy }, 'getRates.noDeliveryCoverage'],
    ['street address', { shippingService: 'C2-GROUND', ...heavy }, 'getRates.addressLineRequired'],
    ['weight', { ...heavy }, 'getRates.weightNotServed'],
  ])('%s is judged before the following parts', async (_what, rates, type) => {
    expect((await api.quote(rateRequest(rates))).body.fault.type).toBe(type);
  });
});

describe('prototype keys', () => {
  test.each([
    '{"__proto__":{"rates":{}}}',
    '{"rates":{"__proto__":{"shipper":{"warehouse_id":101}}}}',
    '{"constructor":{"prototype":{"rates":{}}}}',
  ])('%s is a request without its fields', async (text) => {
    const { status, body } = await api.quote(text);
    expect([status, body.fault.type]).toEqual([422, 'getRates.invalidRequest']);
    expect({}).not.toHaveProperty('rates');
  });

  test('__proto__ is not a service', async () => {
    const { body } = await api.quote(rateRequest({ shippingService: '__proto__' }));
    expect(body.fault).toMatchObject({
      type: 'getRates.unknownShippingService',
      arguments: { shippingService: '__proto__' },
    });
  });
});

describe('unknown members of a request', () => {
  const passedOver = async (body: unknown) => {
    const answer = await api.quote(body);
    expect(answer.status).toBe(200);
    return answer.body.warnings;
  };
  const paths = (warnings: readonly { arguments: { member: string } }[]) => warnings.map((one) => one.arguments.member);

  test('are named in warnings of the whole answer, by JSON path, and change no charge', async () => {
    const plain = rateRequest({ shippingService: undefined });
    const { rates } = plain;
    const address = { ...rates.recipient.address, city: 'Cambridge', residental: true };
    const packageItems = [{ weight: { units: 'LB', value: 2.1, unit: 'LB' }, dimension: {} }];
    const body = { rates: { ...rates, recipient: { address, name: 'Ann' }, packageItems }, apiVersion: 2 };
    const { body: answer } = await api.quote(body);
    const { warnings, ...rest } = answer;
    expect(warnings).toContainEqual({
      type: 'request.unknownMember',
      message: 'The member rates.recipient.address.residental is unknown and was ignored.',
      arguments: { member: 'rates.recipient.address.residental' },
    });
    expect(paths(warnings)).toEqual([
      'rates.recipient.address.city',
      'rates.recipient.address.residental',
      'rates.recipient.name',
      'rates.packageItems[0].weight.unit',
      'rates.packageItems[0].dimension',
      'apiVersion',
    ]);
    expect(rest).toEqual((await api.quote(plain)).body);
  });

  test('are not reported if they are known', async () => {
    const dimensions = { units: 'IN', length: 10, width: 8, height: 4 };
    const packageItems = [{ weight: { units: 'LB', value: 2.1 }, dimensions }];
    const address = { postalCode: '02139', countryCode: 'US', addressLine: '1 Main St', residential: true };
    const body = rateRequest({ packageItems, recipient: { address }, shipDate: '2026-03-02' });
    expect(await passedOver(body)).toBeUndefined();
  });

  test('make at most twenty short warnings, however many and long they are', async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`x${at}`, at]));
    const warnings = await passedOver({ ...rateRequest(), ...many });
    expect(paths(warnings)).toEqual(Array.from({ length: 20 }, (_, at) => `x${at}`));
    expect(warnings.at(-1).message).toBe('The member x19 is unknown and was ignored. So were 4980 more members.');
    const long = `{"${'y'.repeat(100_000)}":1,"a.b\\nc":2,"__proto__":3,${JSON.stringify(rateRequest()).slice(1)}`;
    expect(paths(await passedOver(long))).toEqual([`["${'y'.repeat(64)}…"]`, '["a.b\\nc"]', '__proto__']);
  });
});

describe('Mexico', () => {
  const SUPPORT = 'Rates for Mexico are set by contract: ask support for them.';

  test('as a destination has no quote, and the fault says where to get rates', async () => {
    const { body } = await api.quote(rateRequest(to({ countryCode: 'mx', postalCode: '64000' })));
    expect(body.fault).toEqual({
      type: 'getRates.noDeliveryCoverage',
      message: `The carrier service is not currently available for this origin/destination combination. ${SUPPORT}`,
      arguments: { postalCode: '64000' },
    });
    const other = await api.quote(rateRequest(to({ countryCode: 'CA', postalCode: 'K1A 0B1' })));
    expect(other.body.fault.message).not.toContain('support');
  });

  test('as a warehouse’s country has no quote, and the list of warehouses omits it', async () => {
    const { body } = await api.quote(rateRequest({ shipper: { warehouse_id: 104 } }));
    expect(body.fault.message).toBe(`The warehouse 104 is not in the United States. ${SUPPORT}`);
    const listed = await api.call('/v1/client/warehouses', { headers: { Authorization: `Bearer ${api.token}` } });
    const ids = listed.body.warehouses.map((warehouse: { warehouse_id: number }) => warehouse.warehouse_id);
    expect(ids).toEqual([101, 102, 103]);
    for (const id of ids) expect((await api.quote(rateRequest({ shipper: { warehouse_id: id } }))).status).toBe(200);
  });
});
