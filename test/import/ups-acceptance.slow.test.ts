/**
 * UPS's genuine workbooks against cells copied by hand from their rendered pages. The files are not part of the project:
 * without them, these tests are skipped. `CARRIER_FILES` names their folder.
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Failed } from '../../src/base/failed.ts';
import { checkTariff, hasErrors } from '../../src/catalog/tariff/check/check.ts';
import { compileTariff } from '../../src/catalog/tariff/compile.ts';
import type { TariffDocument } from '../../src/catalog/tariff/document.ts';
import { assembleTariff } from '../../src/import/import.ts';
import type { Source } from '../../src/import/read/reader.ts';
import type { Assembly } from '../../src/import/report/report.ts';
import { readSource } from '../../src/import/source.ts';
import type { Card } from '../../src/rating/card.ts';
import { rateShipment } from '../../src/rating/rate.ts';
import { readShipment } from '../../src/rating/shipment.ts';
import { LIST_PRICES } from '../../src/rating/terms.ts';
import { bookOfCards } from '../rating/book-of-cards.ts';
import { printedRows } from './printed-rows.ts';

const folder = process.env['CARRIER_FILES'] ?? join(import.meta.dirname, '../../../shared/carrier-files');
const charts = join(folder, 'ups-zone-charts');
const present = existsSync(join(folder, 'ups-daily-rates-us-en-2026.xlsx')) && existsSync(charts);
if (!present) process.stderr.write(`UPS acceptance tests are skipped: no carrier files in ${folder}\n`);

const SERVICES = ['UPS-GROUND', 'UPS-3DAY', 'UPS-2DAY', 'UPS-2DAYAM', 'UPS-NDASVR', 'UPS-NDA'];

describe.skipIf(!present)("UPS's own files", () => {
  let sources: Source[];
  let assembly: Assembly;
  let document: TariffDocument;
  let cards: Map<string, Card>;

  beforeAll(async () => {
    const files = readdirSync(charts).map((name) => join(charts, name));
    sources = await Promise.all(
      [join(folder, 'ups-daily-rates-us-en-2026.xlsx'), ...files].map((file) => readSource(file)),
    );
    assembly = assembleTariff(sources, { name: 'ups-2026', effective: '2026-01-05' });
    if (assembly.document === undefined) throw new Error('no rates were read');
    document = assembly.document;
    cards = new Map(compileTariff(document).map((card) => [card.code, card]));
  });

  const zoneOf = (code: string, origin: number, destination: number): string | undefined => {
    const card = cards.get(code);
    return card?.columns[card.zones.columnOf(origin, destination)];
  };

  test('have no unreadable cell and no contradiction', () => {
    expect(assembly.unreadable).toEqual([]);
    expect(assembly.contradictions).toEqual([]);
    expect(hasErrors(checkTariff(document))).toBe(false);
  });

  test('have the seven domestic services, each from 1 to 150 lb, and Simple Rate', () => {
    expect(document.file.services.map(({ code }) => code)).toEqual([
      'UPS-SIMPLE',
      ...['UPS-GROUND', 'UPS-3DAY', 'UPS-2DAY', 'UPS-2DAYAM', 'UPS-NDASVR', 'UPS-NDA', 'UPS-NDAEAM'],
    ]);
    expect(Object.values(document.rates).map(({ cents }) => cents.length)).toEqual([
      ...[50, 150, 150, 150, 150, 150, 150, 150],
    ]);
  });

  test.each(printedRows('ups-printed-rates.csv'))('$service at $weight', ({ service = '', zones, weight, printed }) => {
    const table = document.rates[service];
    expect(table?.columns.join(' ')).toBe(zones);
    const cents = weight === 'per lb' ? table?.centsPerLbAboveTop : table?.cents[Number(weight) - 1];
    expect(cents).toEqual(printed?.split(' ').map((price) => Math.round(Number(price.replace(',', '')) * 100)));
  });

  // Ground, 3 Day, 2nd Day, 2nd Day A.M., Saver, Next Day.
  test.each(printedRows('ups-printed-zones.csv'))('the chart of $origin to $destination', (row) => {
    const [origin, destination] = [Number(`${row['origin']}01`), Number(`${row['destination']}05`)];
    const zones = SERVICES.map((code) => zoneOf(code, origin, destination));
    expect(zones).toEqual(row['printed']?.split(' ').map((zone) => zone.replace(/^0+/, '')));
  });

  // ZIP5s of Hawaii and Alaska from the footnotes' lists.
  test.each(printedRows('ups-printed-far-zones.csv'))(
    'reach $destination from every origin by Ground, 2nd Day and Next Day Air only',
    ({ destination, printed = '' }) => {
      for (const origin of [501, 10001, 60101, 85001, 90001]) {
        const [ground, secondDay, nextDay] = printed.split(' ');
        const expected = [ground, undefined, secondDay, undefined, undefined, nextDay];
        expect(SERVICES.map((code) => zoneOf(code, origin, Number(destination)))).toEqual(expected);
      }
    },
  );

  /** The base charge of one package in cents, its reported zone and its billing weight; or the fault's type. */
  const quote = (origin: string, destination: string, pounds: number, shippingService: string, dimensions?: object) => {
    const shipment = readShipment({
      rates: {
        shippingService,
        shipper: { warehouse_id: 1 },
        recipient: { address: { postalCode: destination } },
        packageItems: [{ weight: { units: 'LB', value: pounds }, ...(dimensions === undefined ? {} : { dimensions }) }],
      },
    });
    if (shipment instanceof Failed) return shipment.fault.type;
    const warehouse = { id: 1, name: 'W', postalCode: origin, stateOrProvinceCode: 'NY', countryCode: 'US' };
    const shipper = { warehouses: new Map([[1, warehouse]]), account: LIST_PRICES };
    const outcome = rateShipment(shipment, bookOfCards([...cards.values()], '2026-02-02'), shipper);
    if (outcome instanceof Failed) return outcome.fault.type;
    const [price] = outcome.prices;
    return price === undefined
      ? undefined
      : [price.baseCents, price.card.rateZones[price.column], price.billingWeightLb];
  };

  test('price a shipment by its cell', () => {
    expect(quote('10001', '73301', 0.5, 'UPS-GROUND')).toEqual([1483, 7, 1]);
    expect(quote('85001', '33601', 19.2, 'UPS-GROUND')).toEqual([3835, 7, 20]);
    expect(quote('60101', '59001', 34.01, 'UPS-2DAYAM')).toEqual([33863, 6, 35]);
    expect(quote('90001', '86401', 75.5, 'UPS-3DAY')).toEqual([13812, 3, 76]);
  });

  test('price Alaska and Hawaii by their own columns, and report them as zone 8', () => {
    expect(quote('10001', '99501', 36, 'UPS-GROUND')).toEqual([18649, 8, 36]);
    expect(quote('90001', '96703', 36, 'UPS-NDA')).toEqual([54580, 8, 36]);
    expect(quote('90001', '99501', 35, 'UPS-NDAEAM')).toEqual([51556, 8, 35]);
    expect(quote('90001', '96703', 35, 'UPS-NDAEAM')).toBe('getRates.noDeliveryCoverage');
    expect(quote('90001', '96701', 5, 'UPS-3DAY')).toBe('getRates.noDeliveryCoverage');
  });

  test('price Simple Rate by size alone', () => {
    const box = (length: number, width: number, height: number) => ({ units: 'IN', length, width, height });
    // 100, 250, 650, 1,050 and 1,728 cubic inches.
    expect(quote('10001', '85001', 9, 'UPS-SIMPLE', box(5, 5, 4))).toEqual([12_20, 8, 9]);
    expect(quote('10001', '11201', 50, 'UPS-SIMPLE', box(10, 5, 5))).toEqual([15_80, 2, 50]);
    expect(quote('10001', '60601', 3, 'UPS-SIMPLE', box(13, 10, 5))).toEqual([18_95, 5, 5]);
    expect(quote('10001', '60601', 3, 'UPS-SIMPLE', box(14, 15, 5))).toEqual([24_85, 5, 8]);
    expect(quote('10001', '60601', 3, 'UPS-SIMPLE', box(12, 12, 12))).toEqual([30_95, 5, 13]);
    expect(quote('10001', '60601', 3, 'UPS-SIMPLE', box(12, 12, 13))).toBe('getRates.sizeNotServed');
  });

  test('price a package with a dimensional weight over 150 lb by the pound', () => {
    // 30 × 30 × 30 = 27,000 cubic inches, over 139 is 194.2: 195 lb at 0.91.
    const box = { units: 'IN', length: 30, width: 30, height: 30 };
    expect(quote('10001', '72401', 40, 'UPS-GROUND', box)).toEqual([195 * 91, 5, 195]);
  });

  test('reach Puerto Rico, but not the other territories and military post', () => {
    for (const zip of ['00601', '00901']) expect(quote('10001', zip, 5, 'UPS-GROUND')).toEqual([6_522, 8, 5]);
    expect(quote('30012', '00683', 90, 'UPS-GROUND')).toEqual([50_620, 8, 90]);
    for (const zip of ['00801', '96910', '09012', '34035', '96201'])
      expect(quote('10001', zip, 5, 'UPS-GROUND')).toBe('getRates.noDeliveryCoverage');
  });

  test('estimate zones of an origin without a chart by distance, except to Alaska, where all charts agree', () => {
    expect(cards.get('UPS-GROUND')?.zones.sourceOf(60601, 10001)).toMatchObject({ chart: 'distance', estimated: true });
    expect(zoneOf('UPS-GROUND', 60601, 99501)).toBe('44');
    expect(zoneOf('UPS-GROUND', 60601, 99999)).toBeUndefined();
    expect(zoneOf('UPS-GROUND', 99501, 10001)).toBeUndefined();
  });

  test('make the same tariff in any order, and if given twice', () => {
    const again = assembleTariff([...sources].reverse(), { name: 'ups-2026', effective: '2026-01-05' });
    expect(again.document).toEqual(document);
    const twice = assembleTariff([...sources, ...sources], { name: 'ups-2026', effective: '2026-01-05' });
    expect(twice.document).toEqual(document);
  });
});
