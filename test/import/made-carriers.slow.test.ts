/**
 * Imports files that the project makes for both carriers. import-acceptance.slow.test.ts tests the same rules with the
 * carriers' own files.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Failed } from '../../src/base/failed.ts';
import { compileTariff } from '../../src/catalog/tariff/compile.ts';
import { readTariffFolder } from '../../src/catalog/tariff/folder.ts';
import type { Card } from '../../src/rating/card.ts';
import { askedOf, priceShipment } from '../../src/rating/price.ts';
import { readShipment } from '../../src/rating/shipment.ts';
import { ratesHere } from '../cli/in-process.ts';
import { folderForFile } from '../folder.ts';
import { pdfWith } from '../pdf.ts';
import { listRatePages, locatorPage } from './made-fedex.ts';
import { dailyRates, zoneChart } from './made-ups.ts';

interface Report {
  readonly unreadable: readonly unknown[];
  readonly contradictions: readonly string[];
  readonly errors: readonly unknown[];
  readonly warnings: readonly { readonly message: string }[];
}

let dir: string;
let code: number;
let report: Report;
let cards: ReadonlyMap<string, Card>;

folderForFile((made) => (dir = made));
beforeAll(async () => {
  const files = {
    'list-rates.pdf': pdfWith(listRatePages()),
    'zones.pdf': pdfWith([locatorPage(70, 76)]),
    'list.csv': 'State/Province, Dest Zip/Postal Code, Service Days, Zone\nHI,96813,5,009\nMA,02139,5,008\n',
    'daily-rates.xlsx': dailyRates(),
    '100.xls': zoneChart(100),
    '850.xls': zoneChart(850),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content);
  const into = join(dir, 'both-2032');
  const paths = Object.keys(files).map((name) => join(dir, name));
  const flags = ['--into', into, '--effective', '2032-01-05', '--origin', 'list.csv=850', '--json'];
  const imported = await ratesHere(['tariff', 'import', ...paths, ...flags]);
  code = imported.code;
  if (imported.stdout === '') throw new Error(imported.stderr);
  report = JSON.parse(imported.stdout);
  const read = await readTariffFolder(into);
  if (!('document' in read)) throw new Error(JSON.stringify(read));
  cards = new Map(compileTariff(read.document).map((card) => [card.code, card]));
});

interface Asked {
  readonly from: number;
  readonly to: string;
  readonly lb: number;
  readonly packages?: number;
  readonly inches?: readonly [number, number, number];
}

/** The base charge of equal packages in cents, and the rate column; or the fault's type. */
const priceOf = (service: string, { from, to, lb, packages = 1, inches }: Asked) => {
  const card = cards.get(service);
  const dimensions = inches && { units: 'IN', length: inches[0], width: inches[1], height: inches[2] };
  const shipment = readShipment({
    rates: {
      shipper: { warehouse_id: 1 },
      recipient: { address: { postalCode: to } },
      packageItems: Array.from({ length: packages }, () => ({ weight: { units: 'LB', value: lb }, dimensions })),
    },
  });
  if (card === undefined || shipment instanceof Failed) throw new Error(`no card ${service}, or an invalid shipment`);
  const price = priceShipment(card, askedOf(card, shipment, from, Number(to)), undefined);
  return price instanceof Failed ? price.fault.type : [price.baseCents, card.columns[price.column]];
};

const NEWARK = 7001;
const NEW_YORK = 10_001;
const PHOENIX = 85_001;
const ATLANTA = 30_012;

test('the files make one tariff without an unreadable cell', () => {
  expect({ code, ...report }).toMatchObject({ code: 0, unreadable: [], contradictions: [], errors: [] });
  expect([...cards.keys()]).toEqual([
    ...['FDX-GROUND', 'FDX-HOME', 'FDX-SAVER', 'FDX-2DAY', 'FDX-2DAYAM', 'FDX-STDOVN', 'FDX-PRIOVN', 'FDX-1STOVN'],
    ...['UPS-GROUND', 'UPS-3DAY', 'UPS-2DAY', 'UPS-2DAYAM', 'UPS-NDASVR', 'UPS-NDA', 'UPS-NDAEAM'],
  ]);
  for (const card of cards.values()) expect(card.topLb).toBe(150);
});

test('the report names warehouses without a chart, old charts and what prices lack', () => {
  const warnings = report.warnings.map(({ message }) => message).join('\n');
  expect(warnings).toContain('UPS has no zone chart for the origins 07001 (warehouse 101 of demo), ');
  expect(warnings).toMatch(/UPS has no zone chart for .*: zones from there are estimated from the distance/);
  expect(warnings).not.toMatch(/FedEx has the origins? [^:]*07001/);
  expect(warnings).toContain(
    'zones.pdf is a zone chart from 2029-01-03, for rates from 2032-01-05: is there a newer one?',
  );
  expect(warnings).toContain(
    'UPS Next Day Air, UPS Next Day Air Early: on 2032-01-05, the tariff does not include the fuel surcharge, the residential charge, delivery area surcharges, additional handling and oversize charges, the signature charge, the Saturday delivery charge, the declared value charge. Quotes will say that they are incomplete',
  );
});

describe('FedEx', () => {
  test.each([
    ['FDX-GROUND', 2_050],
    ['FDX-HOME', 2_050],
    ['FDX-SAVER', 6_050],
    ['FDX-2DAY', 8_050],
    ['FDX-2DAYAM', 10_050],
    ['FDX-STDOVN', 12_050],
    ['FDX-PRIOVN', 14_050],
    ['FDX-1STOVN', 16_050],
  ])('%s prices 10 lb from Newark to Chicago, zone 5', (service, cents) => {
    expect(priceOf(service, { from: NEWARK, to: '60601', lb: 10 })).toEqual([cents, '5']);
  });

  test('multiweight is for shipments of at least 100 lb, or 200 lb by Express Saver', () => {
    const toChicago = { from: NEWARK, to: '60601' };
    // 80 lb: 8 × 80.50. Of 100 lb, 150 lb are billed, 15 per package: 150 × 4.05.
    expect(priceOf('FDX-2DAY', { ...toChicago, lb: 10, packages: 8 })).toEqual([64_400, '5']);
    expect(priceOf('FDX-2DAY', { ...toChicago, lb: 10, packages: 10 })).toEqual([60_750, '5']);
    // 210 lb at 3.05; 195 lb are 13 × 75.50.
    expect(priceOf('FDX-SAVER', { ...toChicago, lb: 15, packages: 14 })).toEqual([64_050, '5']);
    expect(priceOf('FDX-SAVER', { ...toChicago, lb: 15, packages: 13 })).toEqual([98_150, '5']);
  });

  test('multiweight does not use a higher break that would be cheaper: 495 lb at 4.02, not 500 lb at 3.82', () => {
    expect(priceOf('FDX-2DAY', { from: NEWARK, to: '10001', lb: 99, packages: 5 })).toEqual([198_990, '2']);
  });

  test('an express package that is billed at more than 150 lb is refused; ground prorates it', () => {
    // 159.7 lb at 139: 160 lb at 160.50 / 150 a pound.
    const large = { from: NEWARK, to: '60601', lb: 50, inches: [37, 30, 20] } as const;
    expect(priceOf('FDX-2DAY', large)).toBe('getRates.weightNotServed');
    expect(priceOf('FDX-GROUND', large)).toEqual([160 * 107, '5']);
    // 146.04 lb are 147 lb.
    expect(priceOf('FDX-2DAY', { ...large, inches: [25, 28, 29] })).toEqual([62_850, '5']);
  });

  test('Alaska and Hawaii have the zones of the charts, also from an origin without a chart', () => {
    expect(priceOf('FDX-GROUND', { from: NEWARK, to: '99501', lb: 5 })).toEqual([1_670, '17']);
    expect(priceOf('FDX-2DAY', { from: NEWARK, to: '99525', lb: 5 })).toEqual([6_110, '11']);
    expect(priceOf('FDX-GROUND', { from: NEWARK, to: '96815', lb: 5 })).toEqual([1_590, '9']);
    expect(priceOf('FDX-SAVER', { from: NEWARK, to: '96815', lb: 5 })).toBe('getRates.noDeliveryCoverage');
    expect(priceOf('FDX-2DAY', { from: 43_194, to: '96813', lb: 5 })).toEqual([6_100, '10']);
  });

  test('does not cover NA and * of a chart, territories and military post', () => {
    for (const to of ['00350', '34801', '00901', '00801', '96799', '96898', '96910', '09012', '34035', '96201'])
      expect([to, priceOf('FDX-2DAY', { from: NEWARK, to, lb: 5 })]).toEqual([to, 'getRates.noDeliveryCoverage']);
  });
});

describe('UPS', () => {
  test.each([
    ['UPS-GROUND', 2_050, '5'],
    ['UPS-3DAY', 4_050, '305'],
    ['UPS-2DAY', 6_050, '205'],
    ['UPS-2DAYAM', 8_450, '245'],
    ['UPS-NDASVR', 10_350, '135'],
    ['UPS-NDA', 12_050, '105'],
    ['UPS-NDAEAM', 14_050, '105'],
  ])('%s prices 10 lb from New York to Chicago', (service, cents, column) => {
    expect(priceOf(service, { from: NEW_YORK, to: '60601', lb: 10 })).toEqual([cents, column]);
  });

  test('Alaska and Hawaii have the zones of footnotes, and Puerto Rico that of its row', () => {
    expect(priceOf('UPS-GROUND', { from: PHOENIX, to: '96815', lb: 5 })).toEqual([1_940, '44']);
    expect(priceOf('UPS-NDA', { from: NEW_YORK, to: '99529', lb: 5 })).toEqual([9_260, '126']);
    expect(priceOf('UPS-NDAEAM', { from: NEW_YORK, to: '99529', lb: 5 })).toBe('getRates.noDeliveryCoverage');
    expect(priceOf('UPS-GROUND', { from: ATLANTA, to: '00683', lb: 90 })).toEqual([10_450, '45']);
    expect(priceOf('UPS-3DAY', { from: NEW_YORK, to: '00901', lb: 90 })).toBe('getRates.noDeliveryCoverage');
  });

  test('a package with a dimensional weight over 150 lb is priced by the pound', () => {
    // 27,000 cubic inches at 139 are 194.2 lb: 195 lb at 1.05.
    const large = { from: NEW_YORK, to: '60601', lb: 40, inches: [30, 30, 30] } as const;
    expect(priceOf('UPS-GROUND', large)).toEqual([195 * 105, '5']);
  });
});

test('each carrier has its own zones: 163 miles from New York are zone 2 for FedEx and zone 3 for UPS', () => {
  expect(priceOf('FDX-GROUND', { from: NEW_YORK, to: '02701', lb: 1 })).toEqual([1_120, '2']);
  expect(priceOf('UPS-GROUND', { from: NEW_YORK, to: '02701', lb: 1 })).toEqual([1_130, '3']);
});
