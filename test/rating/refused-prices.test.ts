/** Prices that a request refuses because they lack a part, and options that a service does not offer. */

import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import { termsOf } from '../../src/import/carriers.ts';
import { createRater, outputHeaderBytes } from '../../src/lists/rows/rate-rows.ts';
import { SHIPMENT_FAULTS } from '../../src/rating/fault.ts';
import { memberOf, OPTION_NAMES, optionOf } from '../../src/rating/fields.ts';
import { quoteOutcome } from '../../src/rating/quote.ts';
import { LIST_PRICES } from '../../src/rating/terms.ts';
import { completeTariff, PARTS } from '../catalog/tariff/complete-tariff.ts';
import { smallTariff } from '../catalog/tariff/small-tariff.ts';
import { contextFor, planList } from '../lists/rows/fixtures.ts';

const SHIPPER = {
  warehouses: new Map([
    [101, { id: 101, name: 'Newark', postalCode: '07001', stateOrProvinceCode: 'NJ', countryCode: 'US' }],
  ]),
  account: LIST_PRICES,
};

const outcome = (schedule: ReturnType<typeof scheduleOf>, rates: object) =>
  quoteOutcome(
    {
      rates: {
        shipper: { warehouse_id: 101 },
        recipient: { address: { postalCode: '02139' } },
        packageItems: [{ weight: { units: 'LB', value: 1 } }],
        ...rates,
      },
    },
    SHIPPER,
    schedule,
    new Date('2026-06-10T12:00:00Z'),
  );

const service = (code: string, more: object = {}) => ({
  ...{ code, carrier: 'Small', description: code, dimensionalFactor: 139, zones: { distanceMiles: [500] } },
  hasNo: ['fuel' as const, 'residential' as const, 'deliveryArea' as const, 'handling' as const, 'limits' as const],
  ...more,
});

/** GAPS lacks its fuel and is a dollar cheaper than WHOLE. */
const two = scheduleOf([
  smallTariff({
    file: {
      services: [service('GAPS', { hasNo: ['residential', 'deliveryArea', 'handling', 'limits'] }), service('WHOLE')],
    },
    document: {
      rates: {
        GAPS: { columns: ['2', '8'], cents: [[900, 1_900]] },
        WHOLE: { columns: ['2', '8'], cents: [[1_000, 2_000]] },
      },
    },
  }),
]);

const FAULT = {
  type: 'getRates.incompletePrice',
  message:
    'The tariff of GAPS does not include the fuel surcharge for that day, and the request refuses incomplete prices.',
  arguments: { shippingService: 'GAPS', missing: ['fuel'] },
};

describe('rates.options.incomplete', () => {
  test('refuse turns an incomplete price into a fault', () => {
    expect(outcome(two, { shippingService: 'GAPS', options: { incomplete: 'refuse' } })).toEqual({
      status: 422,
      body: { code: 422, fault: FAULT },
    });
  });

  test.each([{}, { options: { incomplete: 'allow' } }])('%j allows an incomplete price, with the warning', (rates) => {
    expect(outcome(two, { shippingService: 'GAPS', ...rates })).toMatchObject({
      status: 200,
      body: { totalNetCharge: 9, warnings: [{ type: 'price.incomplete' }] },
    });
  });

  test('refuse leaves the cheapest complete service, and says why others are unavailable', () => {
    expect(outcome(two, { options: { incomplete: 'refuse' } })).toMatchObject({
      status: 200,
      body: { shippingService: 'WHOLE', unavailable: [{ shippingService: 'GAPS', fault: FAULT }] },
    });
  });

  test('another value is a fault', () => {
    expect(outcome(two, { options: { incomplete: 'maybe' } })).toMatchObject({
      status: 422,
      body: { fault: { arguments: { 'rates.options.incomplete': 'must be one of allow, refuse' } } },
    });
  });

  test('a price with the last known fuel rate is complete', () => {
    const stale = outcome(scheduleOf([completeTariff()]), {
      shipDate: '2026-06-20',
      options: { incomplete: 'refuse' },
    });
    expect(stale).toMatchObject({ status: 200, body: { warnings: [{ type: 'fuel.stale' }] } });
  });

  test('a row gets the same result as the single call, also with the parameter for all rows', () => {
    const header = 'warehouse_id,postalCode,weight_value,weight_units,shippingService';
    const rated = (column: string, row: string, defaults = {}) => {
      const list = `${header}${column}\n${row}\n`;
      const planned = planList(Buffer.from(list), {}, undefined, { defaults });
      if (!('plan' in planned)) throw new Error(JSON.stringify(planned));
      const rater = createRater(Buffer.from(`${row}\n`), 1, contextFor(planned.columns, two));
      while (rater.step(10));
      const [cells]: Record<string, string>[] = parse(`${outputHeaderBytes(planned.columns)}${rater.result().output}`, {
        columns: true,
      });
      return cells;
    };
    const refused = { quote_status: '422', fault_message: FAULT.message, fault_column: 'shippingService' };
    expect(rated(',incomplete', '101,02139,1,LB,GAPS,refuse')).toMatchObject(refused);
    expect(rated('', '101,02139,1,LB,GAPS', { incomplete: 'refuse' })).toMatchObject(refused);
    expect(rated(',incomplete', '101,02139,1,LB,GAPS,')).toMatchObject({ quote_totalNetCharge: '9.00' });
    expect(rated(',incomplete', '101,02139,1,LB,,refuse')).toMatchObject({ quote_shippingService: 'WHOLE' });
    expect(rated(',incomplete', '101,02139,1,LB,,never')).toMatchObject({ fault_column: 'incomplete' });
  });
});

const RATES = { columns: ['2', '8'], cents: [[1_000, 2_000]] };

describe('Saturday delivery', () => {
  const saturday = (services: readonly string[], codes = ['SLOW', 'FAST']) =>
    scheduleOf([
      smallTariff({
        file: {
          services: codes.map((code) => service(code)),
          surcharges: PARTS.filter(({ type }) => type === 'SATURDAY_DELIVERY').flatMap((entry) =>
            services.length === 0 ? [] : [{ ...entry, services: [...services] }],
          ),
        },
        document: {
          rates: Object.fromEntries(codes.map((code) => [code, RATES])),
        },
      }),
    ]);
  const ANY = ['fuel', 'residential', 'deliveryArea', 'handling', 'limits'] as const;
  const FAULT_OF_SLOW = {
    type: 'getRates.saturdayNotOffered',
    message: 'SLOW does not offer Saturday delivery as an option.',
    arguments: { saturday: 'not offered by SLOW' },
  };

  test('costs nothing extra with Home Delivery, whose service days are all days of the week', () => {
    const { hasNo = [] } = termsOf('FDX-HOME');
    const schedule = scheduleOf([
      smallTariff({
        file: {
          services: [service('SLOW', { hasNo: [...ANY, ...hasNo] }), service('FAST')],
          surcharges: PARTS.filter(({ type }) => type === 'SATURDAY_DELIVERY').map((entry) => ({
            ...entry,
            services: ['FAST'],
          })),
        },
        document: { rates: { SLOW: RATES, FAST: RATES } },
      }),
    ]);
    const netOf = (options: object) => outcome(schedule, { shippingService: 'SLOW', options }).body;
    expect(netOf({ saturday: true })).toMatchObject({ totalNetCharge: 10 });
    expect(netOf({})).toMatchObject({ totalNetCharge: 10 });
  });

  test('is a fault of a service without it, if the carrier has it for others', () => {
    expect(outcome(saturday(['FAST']), { shippingService: 'SLOW', options: { saturday: true } })).toEqual({
      status: 422,
      body: { code: 422, fault: FAULT_OF_SLOW },
    });
    expect(outcome(saturday(['FAST']), { options: { saturday: true } })).toMatchObject({
      status: 200,
      body: {
        shippingService: 'FAST',
        totalNetCharge: 11,
        unavailable: [{ shippingService: 'SLOW', fault: FAULT_OF_SLOW }],
      },
    });
    expect(outcome(saturday(['FAST']), { shippingService: 'SLOW' })).toMatchObject({ status: 200 });
  });

  test('is a missing part if the tariff has no Saturday charge of the carrier', () => {
    expect(outcome(saturday([]), { shippingService: 'SLOW', options: { saturday: true } })).toMatchObject({
      body: { warnings: [{ type: 'price.incomplete', arguments: { missing: ['saturday'] } }] },
    });
  });
});

describe('an option in `refuses` of a service', () => {
  const REFUSED = OPTION_NAMES.filter((field) => optionOf(field).refusal !== undefined);

  test.each(REFUSED)('%s: another service is chosen, and a call for this one gets its fault', (field) => {
    const { path, kind, values = [], refusal } = optionOf(field);
    const member = memberOf(path);
    const options = { [member]: kind === 'flag' ? true : values[0] };
    const schedule = scheduleOf([
      smallTariff({
        file: { services: [service('NEVER', { refuses: [member] }), service('WHOLE')] },
        document: { rates: { NEVER: RATES, WHOLE: RATES } },
      }),
    ]);
    const fault = { type: refusal, arguments: { [member]: expect.stringContaining('NEVER') } };
    expect(outcome(schedule, { shippingService: 'NEVER', options })).toMatchObject({ status: 422, body: { fault } });
    expect(outcome(schedule, { options })).toMatchObject({
      body: { shippingService: 'WHOLE', unavailable: [{ shippingService: 'NEVER', fault }] },
    });
    expect(outcome(schedule, { shippingService: 'NEVER' })).toMatchObject({ status: 200 });
  });

  test('each fault about an option is the one that the option declares', () => {
    const about = Object.entries(SHIPMENT_FAULTS).flatMap(([type, { fields }]) =>
      OPTION_NAMES.filter((field) => optionOf(field).kind !== 'date').flatMap((field) =>
        field === fields[0] ? [[field, type]] : [],
      ),
    );
    const named = REFUSED.map((field) => [field, optionOf(field).refusal]);
    expect(Object.fromEntries(about)).toEqual(Object.fromEntries(named));
  });
});
