/**
 * Imports both carriers' genuine files with the command. The files are not part of the project:
 * without them, these tests are skipped. `CARRIER_FILES` names their folder.
 */
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failed } from '../../src/base/failed.ts';
import { compileTariff } from '../../src/catalog/tariff/compile.ts';
import { readTariffFolder } from '../../src/catalog/tariff/folder.ts';
import type { Card } from '../../src/rating/card.ts';
import { askedOf, priceShipment } from '../../src/rating/price.ts';
import { readShipment } from '../../src/rating/shipment.ts';
import { ratesHere } from '../cli/in-process.ts';

const folder = process.env['CARRIER_FILES'] ?? join(import.meta.dirname, '../../../shared/carrier-files');
const present = existsSync(join(folder, 'ups-zone-charts')) && existsSync(join(folder, 'fedex-zone-charts'));
if (!present) process.stderr.write(`Import acceptance tests are skipped: no carrier files in ${folder}\n`);

/** Every file under a folder. */
const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe.skipIf(!present)("both carriers' own files", () => {
  let dir: string;
  let outcome: { code: number; report: Record<string, unknown>; stderr: string };
  let cards: ReadonlyMap<string, Card>;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'import-acceptance-'));
    const into = join(dir, 'both-2026');
    const flags = ['--into', into, '--effective', '2026-01-05', '--origin', 'Phoenix-850.csv=850', '--json'];
    const { code, stdout, stderr } = await ratesHere(['tariff', 'import', ...filesIn(folder), ...flags]);
    outcome = { code, report: JSON.parse(stdout), stderr };
    const read = await readTariffFolder(into);
    cards = new Map('document' in read ? compileTariff(read.document).map((card) => [card.code, card]) : []);
  }, 180_000);
  afterAll(() => rm(dir, { recursive: true }));

  test('make one tariff without an unreadable cell', () => {
    expect(outcome).toMatchObject({ code: 0, report: { unreadable: [], contradictions: [], errors: [] } });
    expect([...cards.keys()]).toEqual([
      ...['FDX-GROUND', 'FDX-HOME', 'FDX-SAVER', 'FDX-2DAY', 'FDX-2DAYAM', 'FDX-STDOVN', 'FDX-PRIOVN', 'FDX-1STOVN'],
      ...['UPS-GROUND', 'UPS-3DAY', 'UPS-2DAY', 'UPS-2DAYAM', 'UPS-NDASVR', 'UPS-NDA', 'UPS-NDAEAM'],
    ]);
    for (const card of cards.values()) expect(card.topLb).toBe(150);
  });

  test('name the origins of the sample warehouses that no chart has', () => {
    expect(JSON.stringify(outcome.report['warnings'])).toContain(
      'UPS has no zone chart for the origins 07001 (warehouse 101 of demo), ',
    );
    expect(JSON.stringify(outcome.report['warnings'])).not.toMatch(/FedEx has the origins? [^:]*07001/);
  });

  const inInches = (length: number, width: number, height: number) => ({ units: 'IN', length, width, height });

  /** The base charge of equal packages in cents, and the rate column; or the fault's type. */
  const priceOf = (
    code: string,
    origin: number,
    postalCode: string,
    pounds: number,
    count = 1,
    dimensions?: unknown,
  ) => {
    const card = cards.get(code);
    const shipment = readShipment({
      rates: {
        shipper: { warehouse_id: 1 },
        recipient: { address: { postalCode } },
        packageItems: Array.from({ length: count }, () => ({ weight: { units: 'LB', value: pounds }, dimensions })),
      },
    });
    if (card === undefined || shipment instanceof Failed) throw new Error(`no card ${code}, or an invalid shipment`);
    const price = priceShipment(card, askedOf(card, shipment, origin, Number(postalCode)), undefined);
    return price instanceof Failed ? price.fault.type : [price.baseCents, card.columns[price.column]];
  };

  test('10 lb from Newark to Miami, FedEx zone 6', () => {
    expect(priceOf('FDX-1STOVN', 7001, '33101', 10)).toEqual([20_538, '6']);
    expect(priceOf('FDX-PRIOVN', 7001, '33101', 10)).toEqual([17_438, '6']);
    expect(priceOf('FDX-STDOVN', 7001, '33101', 10)).toEqual([16_774, '6']);
    expect(priceOf('FDX-2DAYAM', 7001, '33101', 10)).toEqual([12_862, '6']);
    expect(priceOf('FDX-2DAY', 7001, '33101', 10)).toEqual([11_450, '6']);
    expect(priceOf('FDX-SAVER', 7001, '33101', 10)).toEqual([7_883, '6']);
  });

  test('multiweight is for shipments of at least 100 lb, or 200 lb by Express Saver', () => {
    // Newark to Chicago, zone 5. 8 × 10 lb are 80 lb: 8 × 82.19.
    expect(priceOf('FDX-2DAY', 7001, '60601', 10, 8)).toEqual([65_752, '5']);
    // 10 × 10 lb are 100 lb, but 150 lb are billed, 15 per package: 150 × 4.88.
    expect(priceOf('FDX-2DAY', 7001, '60601', 10, 10)).toEqual([73_200, '5']);
    // 14 × 15 lb are 210 lb at 4.23; 13 × 15 lb are 195 lb, which Express Saver prices one by one.
    expect(priceOf('FDX-SAVER', 7001, '60601', 15, 14)).toEqual([88_830, '5']);
    expect(priceOf('FDX-SAVER', 7001, '60601', 15, 13)).toEqual([13 * 8_169, '5']);
  });

  test('multiweight does not use a higher break that would be cheaper: 495 lb to zone 2 at 1.99', () => {
    expect(priceOf('FDX-2DAY', 7001, '10001', 99, 5)).toEqual([98_505, '2']);
  });

  test('an express package that is billed at more than 150 lb is refused; ground prorates it', () => {
    // 37 × 30 × 20 in are 159.7 lb at 139.
    expect(priceOf('FDX-2DAY', 7001, '60601', 50, 1, inInches(37, 30, 20))).toBe('getRates.weightNotServed');
    expect(priceOf('FDX-GROUND', 7001, '60601', 50, 1, inInches(37, 30, 20))).toEqual([160 * 92, '5']);
    // 25 × 28 × 29 in are 146.04 lb: 147 lb at 4.88.
    expect(priceOf('FDX-2DAY', 7001, '60601', 50, 1, inInches(25, 28, 29))).toEqual([71_736, '5']);
  });

  test('each carrier has its own chart: the same lane is zone 6 for FedEx and zone 7 for UPS', () => {
    // Phoenix to Seattle, 37 lb: UPS Ground zone 7.
    expect(priceOf('UPS-GROUND', 85001, '98101', 37)).toEqual([6_321, '7']);
    expect(priceOf('FDX-GROUND', 85001, '98101', 37)).toEqual([expect.any(Number), '6']);
  });

  test('Alaska and Hawaii have the zones of the charts', () => {
    expect(priceOf('FDX-GROUND', 7001, '99501', 5)).toEqual([expect.any(Number), '17']);
    expect(priceOf('FDX-2DAY', 7001, '99525', 5)).toEqual([expect.any(Number), '11']);
    expect(priceOf('FDX-GROUND', 7001, '96815', 5)).toEqual([expect.any(Number), '9']);
    expect(priceOf('FDX-SAVER', 7001, '96815', 5)).toBe('getRates.noDeliveryCoverage');
    expect(priceOf('UPS-GROUND', 85001, '96815', 5)).toEqual([6_223, '44']);
  });

  test('UPS serves Puerto Rico, also from an origin without a chart; no carrier serves the other territories', () => {
    expect(priceOf('UPS-GROUND', 30012, '00683', 90)).toEqual([50_620, '45']);
    expect(priceOf('UPS-NDA', 10001, '00901', 90)).toEqual([88_236, '125']);
    expect(priceOf('UPS-3DAY', 10001, '00901', 90)).toBe('getRates.noDeliveryCoverage');
    expect(priceOf('FDX-2DAY', 7001, '00901', 5)).toBe('getRates.noDeliveryCoverage');
    for (const zip of ['00801', '96799', '96910', '09012', '34035', '96201'])
      for (const code of ['UPS-GROUND', 'FDX-GROUND', 'FDX-2DAY'])
        expect([zip, priceOf(code, 7001, zip, 5)]).toEqual([zip, 'getRates.noDeliveryCoverage']);
  });

  test('reaches Hawaii from an origin without a chart: Columbus to Honolulu, 5 lb at 99.15', () => {
    expect(priceOf('FDX-2DAY', 43194, '96813', 5)).toEqual([9_915, '10']);
  });

  test('does not cover a destination that the chart has as NA', () => {
    expect(priceOf('FDX-GROUND', 7001, '34801', 5)).toBe('getRates.noDeliveryCoverage');
    expect(priceOf('FDX-2DAY', 7001, '00350', 5)).toBe('getRates.noDeliveryCoverage');
  });
});
