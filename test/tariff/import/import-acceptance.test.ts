/**
 * Both carriers' genuine files through the command, as an operator gives them. The files are not part of the project:
 * where they are absent these tests skip. `CARRIER_FILES` names their folder.
 */
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importTariff } from '../../../src/cli/tariff-import.ts';
import type { Card } from '../../../src/rating/card.ts';
import { priceShipment } from '../../../src/rating/price.ts';
import { basisPoints } from '../../../src/rating/quantity.ts';
import { isFault } from '../../../src/rating/rate.ts';
import { readShipment } from '../../../src/rating/shipment.ts';
import { compileTariff } from '../../../src/tariff/compile.ts';
import { readTariffFolder } from '../../../src/tariff/folder.ts';

const folder = process.env['CARRIER_FILES'] ?? join(import.meta.dirname, '../../../../shared/carrier-files');
const present = existsSync(join(folder, 'ups-zone-charts')) && existsSync(join(folder, 'fedex-zone-charts'));
if (!present) process.stderr.write(`Import acceptance tests skip: no carrier files in ${folder}\n`);

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
    let [stdout, stderr] = ['', ''];
    const into = join(dir, 'both-2026');
    const flags = { into, effective: '2026-01-05', origin: { 'Phoenix-850.csv': '850' }, json: true };
    const code = await importTariff(filesIn(folder), flags, {
      stdout: {
        write: (text) => {
          stdout += text;
        },
      },
      stderr: {
        write: (text) => {
          stderr += text;
        },
      },
      env: {},
      setExitCode: () => undefined,
    });
    outcome = { code, report: JSON.parse(stdout), stderr };
    const read = await readTariffFolder(into);
    cards = new Map('document' in read ? compileTariff(read.document).map((card) => [card.code, card]) : []);
  }, 180_000);
  afterAll(() => rm(dir, { recursive: true }));

  test('make one tariff, every cell of them read', () => {
    expect(outcome).toMatchObject({ code: 0, report: { unreadable: [], contradictions: [], errors: [] } });
    expect([...cards.keys()]).toEqual([
      ...['FDX-GROUND', 'FDX-HOME', 'FDX-SAVER', 'FDX-2DAY', 'FDX-2DAYAM', 'FDX-STDOVN', 'FDX-PRIOVN', 'FDX-1STOVN'],
      ...['UPS-GROUND', 'UPS-3DAY', 'UPS-2DAY', 'UPS-2DAYAM', 'UPS-NDASVR', 'UPS-NDA', 'UPS-NDAEAM'],
    ]);
    for (const card of cards.values()) expect(card.topLb).toBe(150);
  });

  test('name the origins of the sample warehouses that no chart has', () => {
    expect(JSON.stringify(outcome.report['warnings'])).toContain(
      'No zone chart of UPS has the origin 07001 (warehouse 101 of demo)',
    );
    expect(JSON.stringify(outcome.report['warnings'])).not.toContain('FedEx has the origin 07001');
  });

  /** Base in cents of one package, and the rate column; or the fault's type. */
  const priceOf = (code: string, origin: number, postalCode: string, pounds: number) => {
    const card = cards.get(code);
    const shipment = readShipment({
      rates: {
        shipper: { warehouse_id: 1 },
        recipient: { address: { postalCode } },
        packageItems: [{ weight: { units: 'LB', value: pounds } }],
      },
    });
    if (card === undefined || isFault(shipment)) throw new Error(`no card ${code}, or a wrong shipment`);
    const price = priceShipment(card, shipment, origin, Number(postalCode), basisPoints(0));
    return isFault(price) ? price.type : [price.baseCents, card.columns[price.column]];
  };

  test('10 lb from Newark to Miami, FedEx zone 6', () => {
    expect(priceOf('FDX-1STOVN', 7001, '33101', 10)).toEqual([20_538, '6']);
    expect(priceOf('FDX-PRIOVN', 7001, '33101', 10)).toEqual([17_438, '6']);
    expect(priceOf('FDX-STDOVN', 7001, '33101', 10)).toEqual([16_774, '6']);
    expect(priceOf('FDX-2DAYAM', 7001, '33101', 10)).toEqual([12_862, '6']);
    expect(priceOf('FDX-2DAY', 7001, '33101', 10)).toEqual([11_450, '6']);
    expect(priceOf('FDX-SAVER', 7001, '33101', 10)).toEqual([7_883, '6']);
  });

  test('the same lane is zone 6 for FedEx and zone 7 for UPS: each has its own chart', () => {
    // Phoenix to Seattle, 37 lb: UPS Ground zone 7.
    expect(priceOf('UPS-GROUND', 85001, '98101', 37)).toEqual([6_321, '7']);
    expect(priceOf('FDX-GROUND', 85001, '98101', 37)).toEqual([expect.any(Number), '6']);
  });

  test('Alaska and Hawaii have the columns of the charts', () => {
    expect(priceOf('FDX-GROUND', 7001, '99501', 5)).toEqual([expect.any(Number), '17']);
    expect(priceOf('FDX-2DAY', 7001, '99525', 5)).toEqual([expect.any(Number), '11']);
    expect(priceOf('FDX-GROUND', 7001, '96815', 5)).toEqual([expect.any(Number), '9']);
    expect(priceOf('FDX-SAVER', 7001, '96815', 5)).toBe('getRates.noDeliveryCoverage');
    expect(priceOf('UPS-GROUND', 85001, '96815', 5)).toEqual([6_223, '44']);
  });

  test('a destination that the chart has as NA is not covered', () => {
    expect(priceOf('FDX-GROUND', 7001, '34801', 5)).toBe('getRates.noDeliveryCoverage');
    expect(priceOf('FDX-2DAY', 7001, '00350', 5)).toBe('getRates.noDeliveryCoverage');
  });
});
