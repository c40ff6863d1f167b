/** Transit days and delivery dates: dates that were counted by hand, lanes, and what a request asks for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { checkTariff } from '../../src/catalog/tariff/check/check.ts';
import type { TariffDocument, TariffFileInput, TransitRow } from '../../src/catalog/tariff/document.ts';
import { type Schedule, scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import { FEDEX_CALENDAR, MAIL_DAYS, UPS_CALENDAR, USPS_CALENDAR, weekdays } from '../../src/import/read/carrier.ts';
import type { ShippingHours, Warehouse, Weekday } from '../../src/rating/card.ts';
import { quoteOutcome, quoteSchema } from '../../src/rating/quote.ts';
import { LIST_PRICES } from '../../src/rating/terms.ts';
import { smallTariff } from '../catalog/tariff/small-tariff.ts';

type ServiceInput = TariffFileInput['services'][number];

const CALENDARS = { UPS: UPS_CALENDAR, FedEx: FEDEX_CALENDAR, USPS: USPS_CALENDAR };

const tariff = (
  service: Partial<ServiceInput>,
  transit?: readonly TransitRow[],
  calendars: TariffFileInput['calendars'] = CALENDARS,
): TariffDocument =>
  smallTariff({
    service: { carrier: 'UPS', ...service },
    file: { effective: '2020-01-01', calendars },
    document: transit === undefined ? {} : { transit },
  });

interface AskedFor {
  readonly origin?: string;
  readonly to?: string;
  readonly shipping?: ShippingHours;
  readonly now?: string;
  readonly shipDate?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly shippingService?: string;
}

const quoted = (
  schedule: Schedule,
  { origin = '07001', to = '10001', shipping, now = '2026-03-02T12:00:00Z', ...rates }: AskedFor = {},
) => {
  const address = { postalCode: origin, stateOrProvinceCode: 'NJ', countryCode: 'US' };
  const warehouse: Warehouse = { id: 1, name: 'One', ...address, ...(shipping === undefined ? {} : { shipping }) };
  const shipper = { warehouses: new Map([[1, warehouse]]), account: LIST_PRICES };
  const body = {
    rates: {
      shipper: { warehouse_id: 1 },
      recipient: { address: { postalCode: to } },
      packageItems: [{ weight: { units: 'LB', value: 2 } }],
      ...rates,
    },
  };
  return quoteOutcome(body, shipper, schedule, new Date(now), true).body;
};

interface Counted {
  readonly what: string;
  readonly carrier: 'UPS' | 'FedEx' | 'USPS';
  readonly days: string;
  readonly ship_date: string;
  readonly now: string;
  readonly time_zone: string;
  readonly cutoff: string;
  readonly ship_days: string;
  readonly saturday: string;
  readonly arrives: string;
}

const COUNTED: readonly Counted[] = parse(readFileSync(join(import.meta.dirname, 'fixtures/delivery-dates.csv')), {
  columns: true,
});

describe('dates', () => {
  test.each(COUNTED.map((row, at) => [at + 2, row.what, row] as const))('line %i, %s', (_, __, row) => {
    const { carrier, days, ship_date, now, time_zone: timeZone, cutoff, ship_days, saturday, arrives } = row;
    const week = carrier === 'USPS' ? MAIL_DAYS : weekdays();
    const document = tariff({ carrier, transit: { ...week, days: Number(days) }, hasNo: ['saturday', 'limits'] });
    const shipDays = ship_days === '' ? undefined : (ship_days.split('|') as Weekday[]);
    const shipping =
      shipDays === undefined
        ? {}
        : {
            shipping: {
              days: shipDays,
              timeZone: timeZone || 'America/New_York',
              ...(cutoff === '' ? {} : { cutoff }),
            },
          };
    const body = quoted(scheduleOf([document]), {
      ...shipping,
      ...(now === '' ? {} : { now }),
      ...(ship_date === '' ? {} : { shipDate: ship_date }),
      ...(saturday === 'yes' ? { options: { saturday: true } } : {}),
    });
    expect(body).toMatchObject({ transitDays: Number(days) });
    expect('deliveryDate' in body ? body.deliveryDate : '').toBe(arrives);
  });

  test('are at least sixty', () => expect(COUNTED.length).toBeGreaterThanOrEqual(60));

  test('a leap day counts', () => {
    const document = tariff({ transit: weekdays(2) }, undefined, { UPS: { holidays: [], until: '2028-12-31' } });
    const body = quoted(scheduleOf([document]), { shipDate: '2028-02-28' });
    expect(body).toMatchObject({ deliveryDate: '2028-03-01' });
  });

  test('the explanation counts day by day, and says why there is no date', () => {
    const schedule = scheduleOf([tariff({ transit: weekdays(2) })]);
    expect(quoted(schedule, { shipDate: '2026-11-25' })).toMatchObject({
      explanation: {
        transit: {
          ...{ transitDays: 2, origin: '000-999', destination: '000-999', afterCutoff: false },
          ...{ pickup: '2026-11-25', deliveryDate: '2026-11-30' },
          days: [
            { date: '2026-11-25', counts: true, note: 'leaves the warehouse' },
            { date: '2026-11-26', counts: false, note: 'holiday' },
            { date: '2026-11-27', counts: true, note: 'day 1' },
            { date: '2026-11-28', counts: false, note: 'Saturday: not a business day' },
            { date: '2026-11-29', counts: false, note: 'Sunday: not a business day' },
            { date: '2026-11-30', counts: true, note: 'day 2' },
          ],
        },
      },
    });
    const late = quoted(schedule, { shipDate: '2027-12-31' });
    expect(late).toMatchObject({
      transitDays: 2,
      explanation: { transit: { reason: "the carrier's holidays are known up to 2027-12-31" } },
    });
    expect(late).not.toHaveProperty('deliveryDate');
  });
});

const row = (origin: string, destination: string, days: number): TransitRow => ({
  service: 'GROUND',
  origin,
  destination,
  days,
});

const errorsOf = (document: TariffDocument): string[] =>
  checkTariff(document)
    .filter(({ severity }) => severity === 'error')
    .map(({ at, message }) => `${at}: ${message}`);

describe('lanes', () => {
  const daysFor = (document: TariffDocument, asked: AskedFor) => {
    expect(errorsOf(document)).toEqual([]);
    const body = quoted(scheduleOf([document]), { shipDate: '2026-03-02', ...asked });
    return 'transitDays' in body ? body.transitDays : undefined;
  };
  const rows = [
    row('070', '100', 1),
    row('070', '10050-10099', 3),
    row('070-079', '100-199', 2),
    row('070', 'zone 2', 5),
  ];

  test.each([
    ['07001', '10001', 1],
    ['07001', '10060', 3],
    ['07001', '11201', 2],
    ['07101', '10001', 2],
    // 070 to 080 is zone 2 by distance, and no row has the ZIP code.
    ['07001', '08001', 5],
    ['07101', '08001', undefined],
    ['30301', '10001', undefined],
  ])('from %s to %s take %s days', (origin, to, days) => {
    expect(daysFor(tariff({ transit: weekdays() }, rows), { origin, to })).toBe(days);
  });

  test('the name of a service promises nothing to or from Alaska, Hawaii, the territories and military post', () => {
    const document = tariff({ transit: weekdays(1), zones: { distanceMiles: [30_000], distanceColumns: ['2', '2'] } });
    expect(daysFor(document, { to: '60601' })).toBe(1);
    for (const to of ['99501', '96813']) expect(daysFor(document, { to })).toBe(undefined);
    expect(daysFor(document, { origin: '96813', to: '60601' })).toBe(undefined);
  });

  test('a tariff without transit days gives none', () => {
    const body = quoted(scheduleOf([smallTariff()]));
    expect(body).not.toHaveProperty('transitDays');
    expect(body).not.toHaveProperty('explanation.transit');
  });

  test('the check names what is missing', () => {
    const lost = tariff({}, [row('070', '100', 1), { ...row('070', '100', 1), service: 'OTHER' }]);
    expect(errorsOf(lost)).toEqual([
      'transit.csv: has days of GROUND, whose business days are not stated: add its transit.weekdays to tariff.json',
      'transit.csv: has days of OTHER, which the tariff does not have',
    ]);
    expect(errorsOf(tariff({ transit: weekdays(1) }, undefined, {}))).toEqual([
      'tariff.json services[0].transit: GROUND has transit days, but there is no calendar of UPS',
    ]);
  });
});

test('a price for Saturday delivery says if the shipment arrives on another day', () => {
  const saturday = { type: 'SATURDAY_DELIVERY', description: 'Saturday delivery', when: { saturday: true as const } };
  const schedule = scheduleOf([
    smallTariff({
      service: { carrier: 'UPS', transit: weekdays(2) },
      file: {
        ...{ effective: '2020-01-01', calendars: CALENDARS },
        surcharges: [{ ...saturday, amount: { per: 'package', usd: '16.00' } }],
      },
    }),
  ]);
  const warningsFor = (shipDate: string, options?: AskedFor['options']) => {
    const { warnings } = quoteSchema.parse(quoted(schedule, { shipDate, ...(options && { options }) }));
    return (warnings ?? []).map(({ type }) => type).filter((type) => type !== 'price.incomplete');
  };
  // It leaves on a Tuesday and arrives on a Thursday, or on a Thursday and arrives on a Saturday.
  expect(warningsFor('2026-03-03', { saturday: true })).toEqual(['saturday.otherDay']);
  expect(warningsFor('2026-03-05', { saturday: true })).toEqual([]);
  expect(warningsFor('2026-03-03')).toEqual([]);
  // The holidays of that year are unknown, and so is the day.
  expect(warningsFor('2028-03-07', { saturday: true })).toEqual([]);
});

describe('a day by which it must arrive', () => {
  const three = (): Schedule => {
    const [slow, fast, unknown] = ['SLOW', 'FAST', 'UNKNOWN'].map((code, at) => ({
      ...tariff({ code }).file.services[0],
      code,
      dimensionalFactor: 139,
      carrier: 'UPS',
      description: code,
      zones: { distanceMiles: [500] },
      ...(at === 2 ? {} : { transit: weekdays(at === 0 ? 4 : 1) }),
    }));
    const document = tariff({});
    const [table] = Object.values(document.rates);
    const dearer = table && { ...table, cents: table.cents.map((cells) => cells.map((cents) => (cents ?? 0) * 2)) };
    if (table === undefined || dearer === undefined) throw new Error('no rates');
    const services = [slow, fast, unknown] as TariffDocument['file']['services'];
    return scheduleOf([
      { ...document, file: { ...document.file, services }, rates: { SLOW: table, FAST: dearer, UNKNOWN: dearer } },
    ]);
  };
  const asked = { shipDate: '2026-03-02' };

  test('leaves the cheapest service in time, and says when the others would arrive', () => {
    const schedule = three();
    expect(quoted(schedule, asked)).toMatchObject({ shippingService: 'SLOW', deliveryDate: '2026-03-06' });
    const body = quoted(schedule, { ...asked, options: { by: '2026-03-05' } });
    expect(body).toMatchObject({ shippingService: 'FAST', transitDays: 1, deliveryDate: '2026-03-03' });
    expect('unavailable' in body ? body.unavailable : []).toEqual([
      {
        shippingService: 'SLOW',
        fault: {
          type: 'getRates.arrivesLate',
          message: 'SLOW arrives on 2026-03-06, in 4 business days, which is later than 2026-03-05.',
          arguments: { shippingService: 'SLOW', by: '2026-03-05', deliveryDate: '2026-03-06', transitDays: 4 },
        },
      },
      {
        shippingService: 'UNKNOWN',
        fault: {
          type: 'getRates.arrivalUnknown',
          message: 'It is unknown whether UNKNOWN arrives by 2026-03-05: the tariff has no transit days for it.',
          arguments: {
            ...{ shippingService: 'UNKNOWN', by: '2026-03-05' },
            reason: 'the tariff has no transit days for it',
          },
        },
      },
    ]);
  });

  test('refuses a named service that is late, and accepts the day itself', () => {
    const schedule = three();
    const named = (by: string) => quoted(schedule, { ...asked, shippingService: 'SLOW', options: { by } });
    expect(named('2026-03-05')).toMatchObject({ code: 422, fault: { type: 'getRates.arrivesLate' } });
    expect(named('2026-03-06')).toMatchObject({ status: 200, deliveryDate: '2026-03-06' });
  });

  test('says the earliest arrival if no service is in time', () => {
    expect(quoted(three(), { ...asked, options: { by: '2026-03-02' } })).toMatchObject({
      fault: { type: 'getRates.arrivesLate', arguments: { shippingService: 'FAST', deliveryDate: '2026-03-03' } },
    });
  });

  test('refuses every service of a tariff without transit days', () => {
    const body = quoted(scheduleOf([smallTariff()]), { ...asked, options: { by: '2026-12-24' } });
    expect(body).toMatchObject({ fault: { type: 'getRates.arrivalUnknown' } });
  });

  test('must be a date', () => {
    expect(quoted(three(), { options: { by: 'Friday' } })).toMatchObject({
      fault: { type: 'getRates.invalidRequest', arguments: { 'rates.options.by': 'must be a date, YYYY-MM-DD' } },
    });
  });
});
