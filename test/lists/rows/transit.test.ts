/** Transit days in lists: a row has the days, date and fault of its single call, and scenarios may have a deadline. */
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { Failed } from '../../../src/base/failed.ts';
import { hasTransit, type Schedule, scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import { UPS_CALENDAR, weekdays } from '../../../src/import/read/carrier.ts';
import { baseSide, rateOn, scenarioSide } from '../../../src/lists/comparison/side.ts';
import { formatOf, PLAIN_FORMAT } from '../../../src/lists/output/output-format.ts';
import { createRater, outputHeaderBytes } from '../../../src/lists/rows/rate-rows.ts';
import { quoteOutcome } from '../../../src/rating/quote.ts';
import { arrivalOf, cheapestOf } from '../../../src/rating/rate.ts';
import { readShipment } from '../../../src/rating/shipment.ts';
import type { Shipper } from '../../../src/rating/terms.ts';
import { smallTariff } from '../../catalog/tariff/small-tariff.ts';
import { contextFor, demoShipper, planList } from './fixtures.ts';

const INSTANT = new Date('2026-06-01T12:00:00Z');

const tariff = (
  code: string,
  dearer: number,
  days: number,
  effective = '2020-01-01',
): Schedule['documents'][number] => {
  const document = smallTariff({
    file: { name: code.toLowerCase(), effective, calendars: { UPS: UPS_CALENDAR } },
    service: { code, carrier: 'UPS', transit: weekdays(days) },
  });
  const [table] = Object.values(document.rates);
  if (table === undefined) throw new Error('no rates');
  const cents = table.cents.map((cells) => cells.map((price) => (price ?? 0) * dearer));
  return { ...document, rates: { [code]: { ...table, cents } } };
};

const schedule = scheduleOf([tariff('SLOW', 1, 4), tariff('FAST', 3, 1), tariff('LATE', 1, 1, '2026-11-26')]);
const shipping = { days: ['MON', 'TUE', 'WED', 'THU', 'FRI'], cutoff: '07:00', timeZone: 'America/New_York' } as const;
const shipper: Shipper = {
  ...demoShipper,
  warehouses: new Map([...demoShipper.warehouses].map(([id, one]) => [id, { ...one, shipping }])),
};

const LIST = [
  'warehouse_id,postalCode,weight_value,weight_units,shipDate,deliver_by,shippingService',
  '101,10001,2,LB,2026-11-25,,',
  '101,10001,2,LB,2026-11-25,2026-11-27,',
  '101,10001,2,LB,2026-11-25,20261127,SLOW',
  '101,10001,2,LB,,2026-06-02,',
  '101,10001,2,LB,,,',
  '101,10001,2,LB,2026-11-25,tomorrow,',
  '102,99501,2,LB,2026-11-25,,FAST',
  '101,10001,2,LB,2026-11-25,,LATE',
].join('\n');

const rated = () => {
  const list = Buffer.from(`${LIST}\n`);
  const planned = planList(list);
  if (!('columns' in planned)) throw new Error(JSON.stringify(planned));
  const { columns } = planned;
  const format = { ...PLAIN_FORMAT, transit: true };
  const body = list.subarray(list.indexOf('\n') + 1);
  const rater = createRater(body, 1, { ...contextFor(columns, schedule, shipper), format });
  rater.step(100);
  const text = Buffer.concat([outputHeaderBytes(columns, format), rater.result().output]).toString();
  return parse(text, { columns: true }) as Record<string, string>[];
};

test('rows have the days and the faults of the same single calls', () => {
  const rows = rated();
  expect(Object.keys(rows[0] ?? {}).slice(-3)).toEqual(['quote_transitDays', 'quote_deliveryDate', 'quote_warnings']);
  for (const row of rows) {
    const { shipDate, deliver_by: by = '', shippingService } = row;
    const { body } = quoteOutcome(
      {
        rates: {
          ...(shippingService === '' ? {} : { shippingService }),
          ...(shipDate === '' ? {} : { shipDate }),
          ...(by === '' ? {} : { options: { by: by.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3') } }),
          shipper: { warehouse_id: Number(row['warehouse_id']) },
          recipient: { address: { postalCode: row['postalCode'] } },
          packageItems: [{ weight: { units: 'LB', value: 2 } }],
        },
      },
      shipper,
      schedule,
      INSTANT,
    );
    const quote = 'fault' in body ? undefined : body;
    expect([row['quote_shippingService'], row['quote_transitDays'], row['quote_deliveryDate']]).toEqual([
      quote?.shippingService ?? '',
      String(quote?.transitDays ?? ''),
      quote?.deliveryDate ?? '',
    ]);
    const fault = 'fault' in body ? body.fault : undefined;
    expect([row['fault_type'], row['fault_message']]).toEqual([fault?.type ?? '', fault?.message ?? '']);
  }
  expect(rows.map((row) => [row['quote_shippingService'], row['quote_deliveryDate'], row['fault_type']])).toEqual([
    ['SLOW', '2026-12-02', ''],
    ['FAST', '2026-11-27', ''],
    ['', '', 'getRates.arrivesLate'],
    // It is 8 o'clock in New York, after the cutoff. An order from Monday leaves on Tuesday.
    ['', '', 'getRates.arrivesLate'],
    ['SLOW', '2026-06-08', ''],
    ['', '', 'getRates.invalidRequest'],
    ['FAST', '', ''],
    ['', '', 'getRates.unknownShippingService'],
  ]);
  expect(rows.at(-1)?.['fault_message']).toBe(
    'The shipping service LATE is not in force on 2026-11-25; it starts on 2026-11-26.',
  );
});

test('an output has the columns if a tariff has days', () => {
  expect([hasTransit(schedule), formatOf({}, schedule).transit]).toEqual([true, true]);
  expect(formatOf({}, scheduleOf([smallTariff()])).transit).toBe(false);
});

test.each([
  [{ by: 1 }, 'FAST'],
  [{ by: 4 }, 'SLOW'],
  [{ by: '2026-11-30' }, 'FAST'],
  [{ by: '2026-12-02' }, 'SLOW'],
] as const)('a scenario with %j goes by %s', (scenario, code) => {
  const shipment = readShipment({
    rates: {
      shipper: { warehouse_id: 101 },
      recipient: { address: { postalCode: '10001' } },
      packageItems: [{ weight: { units: 'LB', value: 2 } }],
      shipDate: '2026-11-25',
    },
  });
  if (shipment instanceof Failed) throw new Error('the request is invalid');
  const base = { schedule, shipper, instant: INSTANT };
  expect(rateOn(baseSide(base), shipment)).toMatchObject({ prices: [{ card: { code: 'SLOW' } }] });
  const outcome = rateOn(scenarioSide(base, { scenario }), shipment);
  if (outcome instanceof Failed) throw new Error(outcome.fault.type);
  expect(cheapestOf(outcome).card.code).toBe(code);
  expect(arrivalOf(cheapestOf(outcome), shipment, outcome)?.transitDays).toBe(code === 'FAST' ? 1 : 4);
});
