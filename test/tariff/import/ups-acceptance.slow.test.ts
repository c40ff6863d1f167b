/**
 * UPS's genuine workbooks against cells copied by hand from their rendered pages. The files are not part of the project:
 * without them, these tests are skipped. `CARRIER_FILES` names their folder.
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Card } from '../../../src/rating/card.ts';
import { Failed } from '../../../src/rating/fault.ts';
import { rateShipment } from '../../../src/rating/rate.ts';
import { readShipment } from '../../../src/rating/shipment.ts';
import { LIST_PRICES } from '../../../src/rating/terms.ts';
import { checkTariff, hasErrors } from '../../../src/tariff/check.ts';
import { compileTariff } from '../../../src/tariff/compile.ts';
import type { TariffDocument } from '../../../src/tariff/document.ts';
import { assembleTariff } from '../../../src/tariff/import/import.ts';
import type { Source } from '../../../src/tariff/import/read/reader.ts';
import type { Assembly } from '../../../src/tariff/import/report/report.ts';
import { readSource } from '../../../src/tariff/import/source.ts';

const folder = process.env['CARRIER_FILES'] ?? join(import.meta.dirname, '../../../../shared/carrier-files');
const charts = join(folder, 'ups-zone-charts');
const present = existsSync(join(folder, 'ups-daily-rates-us-en-2026.xlsx')) && existsSync(charts);
if (!present) process.stderr.write(`UPS acceptance tests are skipped: no carrier files in ${folder}\n`);

/** The zones of the column headings, then rows by weight as printed. */
const RATES: Record<string, { zones: string; rows: [weight: number | 'per lb', row: string][] }> = {
  'UPS-NDAEAM': {
    zones: '102 103 104 105 106 107 108 124',
    rows: [
      [1, '75.06 97.38 116.64 125.84 131.09 142.57 145.30 157.35'],
      [5, '84.75 107.23 149.67 159.93 164.93 182.96 186.94 214.60'],
      [10, '94.12 121.32 182.18 196.12 205.13 225.26 231.67 282.24'],
      [35, '159.41 211.16 389.51 418.88 429.02 473.17 480.78 515.56'],
      [116, '383.53 530.35 948.37 1,110.03 1,132.51 1,366.38 1,450.58 1,611.59'],
      [150, '488.01 676.98 1,217.53 1,426.60 1,455.66 1,758.07 1,866.95 2,072.14'],
      ['per lb', '3.05 4.31 7.92 9.31 9.50 11.52 12.25 13.61'],
    ],
  },
  'UPS-NDA': {
    zones: '102 103 104 105 106 107 108 124 125 126',
    rows: [
      [1, '45.06 67.38 86.64 95.84 101.09 112.57 115.30 127.35 97.02 127.45'],
      [20, '91.20 131.43 235.01 264.59 270.22 294.43 298.92 365.39 275.38 399.62'],
      [36, '134.79 184.69 374.75 396.72 412.99 448.68 460.34 507.11 382.09 545.80'],
      [75, '253.98 379.56 648.74 694.70 701.75 820.51 859.58 971.04 718.90 990.47'],
      [118, '359.63 508.97 934.19 1,098.66 1,121.52 1,359.42 1,445.07 1,608.85 1,228.20 1,642.92'],
      [150, '458.01 646.98 1,187.53 1,396.60 1,425.66 1,728.07 1,836.95 2,042.14 1,561.28 2,088.45'],
      ['per lb', '3.05 4.31 7.92 9.31 9.50 11.52 12.25 13.61 10.41 13.92'],
    ],
  },
  'UPS-NDASVR': {
    zones: '132 133 134 135 136 137 138',
    rows: [
      [36, '121.60 172.25 354.66 377.31 391.44 426.57 437.24'],
      [53, '166.07 235.95 491.41 537.02 548.72 594.16 631.93'],
      [70, '226.04 327.39 588.43 648.35 661.72 735.97 778.57'],
      [116, '346.46 488.75 894.12 1,053.36 1,078.62 1,302.94 1,360.14'],
      [133, '397.23 560.37 1,025.16 1,207.72 1,236.68 1,493.88 1,559.49'],
      [150, '448.00 631.98 1,156.17 1,362.09 1,394.76 1,684.81 1,758.81'],
      ['per lb', '2.99 4.21 7.71 9.08 9.30 11.23 11.73'],
    ],
  },
  'UPS-2DAYAM': {
    zones: '242 243 244 245 246 247 248',
    rows: [
      [1, '30.08 32.11 35.17 42.06 49.19 52.40 53.63'],
      [18, '61.03 74.20 95.42 141.35 204.25 223.15 228.49'],
      [35, '96.56 117.42 154.70 229.23 338.63 368.41 383.94'],
      [117, '281.84 352.22 462.72 688.47 1,066.11 1,153.57 1,205.85'],
      [150, '361.33 451.53 593.22 882.66 1,366.81 1,478.92 1,545.93'],
      ['per lb', '2.41 3.01 3.95 5.88 9.11 9.86 10.31'],
    ],
  },
  'UPS-2DAY': {
    zones: '202 203 204 205 206 207 208 224 225 226',
    rows: [
      [36, '86.47 104.54 131.74 204.59 311.70 337.98 342.97 346.39 320.58 353.96'],
      [55, '124.42 146.62 187.22 273.17 463.93 489.81 494.90 499.88 459.07 511.06'],
      [72, '153.72 190.38 219.35 346.21 572.66 584.53 596.19 609.35 575.05 612.45'],
      [116, '232.25 289.58 368.97 552.82 885.18 1,009.06 1,040.51 1,063.69 929.83 1,076.44'],
      [131, '262.28 327.02 416.69 624.31 1,002.46 1,139.54 1,175.06 1,201.24 1,050.04 1,215.22'],
      [150, '300.32 374.46 477.13 714.85 1,142.14 1,304.82 1,345.49 1,375.47 1,202.33 1,391.03'],
      ['per lb', '2.00 2.50 3.18 4.77 7.61 8.70 8.97 9.17 8.02 9.27'],
    ],
  },
  'UPS-3DAY': {
    zones: '302 303 304 305 306 307 308',
    rows: [
      [1, '16.90 19.57 20.96 27.27 33.75 36.57 40.83'],
      [10, '28.22 34.85 39.47 55.07 74.06 88.06 99.65'],
      [35, '59.01 74.62 92.05 128.28 184.84 208.20 252.22'],
      [76, '107.35 138.12 175.00 250.90 365.79 422.56 503.49'],
      [100, '145.77 185.12 227.25 343.47 495.69 579.88 668.11'],
      [111, '159.64 201.47 255.19 381.21 550.20 643.50 742.45'],
    ],
  },
  'UPS-GROUND': {
    zones: '2 3 4 5 6 7 8 44 45 46',
    rows: [
      [1, '11.99 12.38 13.51 14.10 14.60 14.83 15.03 43.25 44.17 56.96'],
      [20, '19.20 21.47 21.88 26.97 31.47 38.35 43.33 128.69 139.61 139.31'],
      [36, '25.22 30.59 34.41 41.71 52.11 61.24 72.96 186.49 228.35 196.88'],
      [60, '31.06 38.50 45.05 57.45 68.92 81.48 97.74 279.04 348.27 295.76'],
      [116, '89.83 91.70 97.22 101.77 116.79 130.81 143.70 485.08 663.68 497.18'],
      [150, '119.45 124.05 130.76 134.52 148.20 160.09 180.00 634.02 858.19 667.50'],
      ['per lb', '0.80 0.84 0.88 0.91 1.00 1.08 1.21 4.27 5.78 4.49'],
    ],
  },
};

/** Origin, then destinations with their row as it is printed: Ground, 3 Day, 2nd Day, 2nd Day A.M., Saver, Next Day. */
const LANES: Record<string, [destination: string, row: string][]> = {
  '100': [
    ['102', '002 302 202 242 132 102'],
    ['111', '003 303 203 243 133 103'],
    ['120', '003 303 203 243 133 103'],
    ['125', '002 302 202 242 132 102'],
    ['141', '004 304 204 244 134 104'],
    ['143', '004 304 204 244 134 104'],
    ['149', '002 302 202 242 132 102'],
    ['714', '006 306 206 246 136 106'],
    ['724', '005 305 205 245 135 105'],
    ['733', '007 307 207 247 137 107'],
    ['750', '007 307 207 247 137 107'],
    ['761', '007 307 207 247 137 107'],
    ['764', '006 306 206 246 136 106'],
  ],
  '005': [
    ['045', '003 303 203 243 133 103'],
    ['046', '004 304 204 244 134 104'],
    ['052', '002 302 202 242 132 102'],
    ['054', '003 303 203 243 133 103'],
    ['055', '002 302 202 242 132 102'],
    ['089', '002 302 202 242 132 102'],
    ['879', '008 308 208 248 138 108'],
    ['881', '007 307 207 247 137 107'],
    ['884', '007 307 207 247 137 107'],
    ['885', '008 308 208 248 138 108'],
    ['934', '008 308 208 248 138 108'],
  ],
  '601': [
    ['198', '005 305 205 245 135 105'],
    ['202', '004 304 204 244 134 104'],
    ['205', '005 305 205 245 135 105'],
    ['226', '004 304 204 244 134 104'],
    ['246', '004 304 204 244 134 104'],
    ['559', '003 303 203 243 133 103'],
    ['575', '005 305 205 245 135 105'],
    ['590', '006 306 206 246 136 106'],
    ['594', '007 307 207 247 137 107'],
    ['595', '006 306 206 246 136 106'],
    ['602', '002 302 202 242 132 102'],
  ],
  '850': [
    ['296', '007 307 207 247 137 107'],
    ['326', '007 307 207 247 137 107'],
    ['327', '008 308 208 248 138 108'],
    ['336', '007 307 207 247 137 107'],
    ['342', '008 308 208 248 138 108'],
    ['344', '007 307 207 247 137 107'],
    ['991', '006 306 206 246 136 106'],
    ['993', '005 305 205 245 135 105'],
    ['994', '005 305 205 245 135 105'],
  ],
  '900': [
    ['397', '007 307 207 247 137 107'],
    ['398', '008 308 208 248 138 108'],
    ['420', '007 307 207 247 137 107'],
    ['421', '008 308 208 248 138 108'],
    ['424', '007 307 207 247 137 107'],
    ['815', '005 305 205 245 135 105'],
    ['842', '004 304 204 244 134 104'],
    ['864', '003 303 203 243 133 103'],
    ['870', '005 305 205 245 135 105'],
    ['873', '004 304 204 244 134 104'],
    ['875', '005 305 205 245 135 105'],
    ['878', '004 304 204 244 134 104'],
  ],
};

/** ZIP5s of Hawaii and Alaska from the footnotes' lists: Ground, 2nd Day Air, Next Day Air. */
const FOOTNOTES: [zip: string, row: string][] = [
  ['96701', '44 224 124'],
  ['96703', '46 226 126'],
  ['96715', '46 226 126'],
  ['96796', '46 226 126'],
  ['96863', '44 224 124'],
  ['96898', '44 224 124'],
  ['99501', '44 224 124'],
  ['99529', '46 226 126'],
  ['99540', '44 224 124'],
  ['99583', '46 226 126'],
  ['99712', '44 224 124'],
  ['99775', '44 224 124'],
  ['99776', '46 226 126'],
  ['99901', '46 226 126'],
  ['99950', '46 226 126'],
];

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

  test('have the seven domestic services, each from 1 to 150 lb', () => {
    expect(document.file.services.map(({ code }) => code)).toEqual([
      ...['UPS-GROUND', 'UPS-3DAY', 'UPS-2DAY', 'UPS-2DAYAM', 'UPS-NDASVR', 'UPS-NDA', 'UPS-NDAEAM'],
    ]);
    expect(Object.values(document.rates).map(({ cents }) => cents.length)).toEqual([150, 150, 150, 150, 150, 150, 150]);
  });

  describe.each(Object.entries(RATES))('%s', (code, { zones, rows }) => {
    test('has the zones of its sheet', () => expect(document.rates[code]?.columns.join(' ')).toBe(zones));

    test.each(rows)('%s', (weight, row) => {
      const table = document.rates[code];
      const cents = weight === 'per lb' ? table?.centsPerLbAboveTop : table?.cents[weight - 1];
      expect(cents).toEqual(row.split(' ').map((price) => Math.round(Number(price.replace(',', '')) * 100)));
    });
  });

  describe.each(Object.entries(LANES))('the chart of %s', (origin, lanes) => {
    test.each(lanes)('to %s', (destination, row) => {
      const zones = SERVICES.map((code) => zoneOf(code, Number(`${origin}01`), Number(`${destination}05`)));
      expect(zones).toEqual(row.split(' ').map((zone) => zone.replace(/^0+/, '')));
    });
  });

  test.each(FOOTNOTES)('reach %s from every origin by Ground, 2nd Day and Next Day Air only', (zip, row) => {
    for (const origin of [501, 10001, 60101, 85001, 90001]) {
      const [ground, secondDay, nextDay] = row.split(' ');
      const expected = [ground, undefined, secondDay, undefined, undefined, nextDay];
      expect(SERVICES.map((code) => zoneOf(code, origin, Number(zip)))).toEqual(expected);
    }
  });

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
    const outcome = rateShipment(shipment, { cards: [...cards.values()], byCode: cards, day: '2026-02-02' }, shipper);
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
