import { expect, test } from 'vitest';
import type { TariffDocument } from '../../../src/catalog/tariff/document.ts';
import { conflictsOf, dayIn, scheduleOf, tariffId } from '../../../src/catalog/tariff/schedule.ts';
import { smallTariff, TEN_POUNDS } from './small-tariff.ts';

/** A tariff with these services. Their description is the name of the tariff. */
const tariff = (
  name: string,
  effective: string,
  codes: readonly string[],
  fallback = false,
  timeZone = 'UTC',
): TariffDocument =>
  smallTariff({
    file: {
      name,
      effective,
      fallback,
      timeZone,
      services: codes.map((code) => ({
        code,
        carrier: 'C',
        description: name,
        dimensionalFactor: 139,
        zones: { distanceMiles: [500] },
      })),
    },
    document: { rates: Object.fromEntries(codes.map((code) => [code, TEN_POUNDS])) },
  });

const services = (documents: readonly TariffDocument[], day: string) =>
  scheduleOf(documents)
    .bookOn(day)
    .cards.map(({ code, tariff: id }) => `${code} ${id.slice(0, id.indexOf('@') + 11)}`);

const old = tariff('fedex', '2025-01-06', ['FDX-GROUND', 'FDX-2DAY']);
const next = tariff('fedex-next', '2026-01-05', ['FDX-GROUND']);
const ups = tariff('a-ups', '2025-12-22', ['UPS-GROUND']);
const reference = tariff('reference', '2020-01-01', ['C1-GROUND'], true);
const all = [reference, next, old, ups];

test('the latest card of each service that has begun is in force, in the order of the tariffs’ names', () => {
  expect(services(all, '2026-01-04')).toEqual([
    'UPS-GROUND a-ups@2025-12-22',
    'FDX-GROUND fedex@2025-01-06',
    'FDX-2DAY fedex@2025-01-06',
  ]);
  expect(services(all, '2026-01-05')).toEqual([
    'UPS-GROUND a-ups@2025-12-22',
    'FDX-2DAY fedex@2025-01-06',
    'FDX-GROUND fedex-next@2026-01-05',
  ]);
});

test('a fallback counts only while no other tariff is in force', () => {
  expect(services(all, '2025-01-05')).toEqual(['C1-GROUND reference@2020-01-01']);
  expect(services(all, '2025-01-06')).toEqual(['FDX-GROUND fedex@2025-01-06', 'FDX-2DAY fedex@2025-01-06']);
  expect(services([reference], '2026-01-01')).toEqual(['C1-GROUND reference@2020-01-01']);
});

test('a book before the first tariff has no cards, but has its day', () => {
  expect(scheduleOf(all).bookOn('2019-12-31')).toMatchObject({ cards: [], day: '2019-12-31' });
});

test('reports a service that two tariffs have from the same date', () => {
  const twin = tariff('fedex-twin', '2025-01-06', ['FDX-2DAY']);
  expect(conflictsOf(twin, old)).toEqual([
    {
      severity: 'error',
      at: 'fedex-twin services FDX-2DAY',
      message: 'the tariff fedex also has this service from 2025-01-06',
    },
  ]);
  expect(conflictsOf(twin, next)).toEqual([]);
});

test('only() finds all versions of a name, the version of an id, and fallbacks', () => {
  const schedule = scheduleOf([old, tariff('fedex', '2026-01-05', ['FDX-GROUND']), reference]);
  expect(schedule.only('fedex')?.ids).toEqual(schedule.ids.slice(0, 2));
  expect(
    schedule
      .only(tariffId(old))
      ?.bookOn('2026-02-01')
      .cards.map(({ code }) => code),
  ).toEqual(['FDX-GROUND', 'FDX-2DAY']);
  expect(schedule.only('reference')?.bookOn('2026-02-01').cards).toHaveLength(1);
  expect(schedule.only('ups')).toBeUndefined();
});

test('today is the day in the tariff’s own time zone', () => {
  const instant = new Date('2026-01-05T06:30:00Z');
  expect(dayIn('America/New_York', instant)).toBe('2026-01-05');
  expect(dayIn('America/Los_Angeles', instant)).toBe('2026-01-04');
  const east = tariff('east', '2026-01-05', ['EAST'], false, 'America/New_York');
  const west = tariff('west', '2026-01-05', ['WEST'], false, 'America/Los_Angeles');
  const schedule = scheduleOf([east, west]);
  expect(schedule.bookAt(instant).cards.map(({ code }) => code)).toEqual(['EAST']);
  expect(schedule.bookAt(new Date('2026-01-05T08:00:00Z')).cards.map(({ code }) => code)).toEqual(['EAST', 'WEST']);
});

test('uses the fuel percentage of the day, and shares the rest of the card', () => {
  const weekly = smallTariff({
    file: {
      surcharges: [
        {
          type: 'FUEL',
          description: 'Fuel',
          amount: {
            per: 'percent',
            rate: [
              { from: '2026-01-12', rate: '19.25' },
              { from: '2026-01-01', rate: '18.5' },
            ],
            of: ['BASE'],
          },
        },
      ],
    },
  });
  const schedule = scheduleOf([weekly]);
  const cardOn = (day: string) => schedule.bookOn(day).byCode.get('GROUND');
  const fuelOn = (day: string) => {
    const amount = cardOn(day)?.surcharges[0]?.amount;
    return amount?.per === 'percent' ? amount.rate : undefined;
  };
  expect(['2026-01-01', '2026-01-11', '2026-01-12', '2026-06-01'].map(fuelOn)).toEqual([1850, 1850, 1925, 1925]);
  expect(cardOn('2026-01-01')).toBe(cardOn('2026-01-11'));
  expect(cardOn('2026-01-01')?.zones).toBe(cardOn('2026-01-12')?.zones);
});

test('uses the rounding of sides of the day', () => {
  const sideRounding = [
    { from: '2025-08-18', rounding: 'up' },
    { from: '2025-01-06', rounding: 'nearest' },
  ] as const;
  const schedule = scheduleOf([
    smallTariff({ file: { effective: '2025-01-06' }, service: { sideRounding: [...sideRounding] } }),
  ]);
  const on = (day: string) => schedule.bookOn(day).cards[0]?.sideRounding;
  expect(['2025-01-06', '2025-08-17', '2025-08-18', '2026-01-01'].map(on)).toEqual(['nearest', 'nearest', 'up', 'up']);
});

test('an id has the name, the date and a hash that depends on prices but not on the order of rows', () => {
  const document = smallTariff({
    document: {
      areas: {
        rural: {
          rows: [
            { zip: '00001', tier: 'a' },
            { zip: '00002', tier: 'a' },
          ],
        },
      },
    },
  });
  expect(tariffId(document)).toMatch(/^small@2026-01-01-[0-9a-f]{8}$/);
  const dearer = { ...document, rates: { GROUND: { ...TEN_POUNDS, cents: TEN_POUNDS.cents.with(0, [1_001, 2_000]) } } };
  expect(tariffId(dearer)).not.toBe(tariffId(document));
  const turned = { ...document, areas: { rural: { rows: document.areas['rural']?.rows.toReversed() ?? [] } } };
  expect(tariffId(turned)).toBe(tariffId(document));
});

test('works out the id of a tariff once', () => {
  const document = smallTariff({});
  let reads = 0;
  const counted = new Proxy(document, {
    get: (target, key) => {
      reads += 1;
      return Reflect.get(target, key);
    },
  });
  expect(tariffId(counted)).toBe(tariffId(document));
  const first = reads;
  expect(first).toBeGreaterThan(0);
  tariffId(counted);
  expect(reads).toBe(first);
});
