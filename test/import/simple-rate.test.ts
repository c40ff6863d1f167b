/** UPS Simple Rate: one price for each size of package, in a workbook like UPS's. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkTariff } from '../../src/catalog/tariff/check/check.ts';
import type { TariffDocument } from '../../src/catalog/tariff/document.ts';
import { readTariffFolder, writeTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { scheduleOf, tariffId } from '../../src/catalog/tariff/schedule.ts';
import { runImport } from '../../src/import/run.ts';
import { quoteOutcome } from '../../src/rating/quote.ts';
import { LIST_PRICES } from '../../src/rating/terms.ts';
import { archive, rowOf, workbookParts } from '../archive.ts';
import { folderForFile } from '../folder.ts';

const SIZES = ['Extra Small', 'Small', 'Medium', 'Large', 'Extra Large'];
const table = (title: string, first: number): string[] => [
  rowOf('', title),
  rowOf('', 'UPS Simple Rate Size', 'UPS® Ground', 'UPS 2nd Day Air®'),
  ...SIZES.map((size, at) => rowOf('', size, first + at, 99)),
];
const WORKBOOK = archive(
  workbookParts({
    rows: [
      rowOf('', '2032 Rates'),
      rowOf('', 'UPS® Ground'),
      rowOf('', 'Zones', 2, 8, 44, 46),
      ...[1, 2, 3].map((pounds) => rowOf('', pounds, 10 + pounds, 20 + pounds, 30, 40)),
    ].join(''),
    more: [
      [
        'UPS Simple Rate',
        'visible',
        [
          rowOf('', 'UPS® Simple Rate'),
          ...table('UPS Simple Rate for Shipments Between the 48 Contiguous States', 12.2),
          ...table('UPS Simple Rate for Shipments from the 48 Contiguous States to Metro Alaska and Hawaii', 42.05),
          ...table('UPS Simple Rate for Shipments from the 48 Contiguous States to Remote Alaska and Hawaii', 55.25),
          rowOf('', 'DAILY RATES'),
        ].join(''),
      ],
    ],
  }),
);
const CHART = 'origin,destination,UPS-GROUND\n850,000-899,2\n850,900-961,8\n850,967,44\n850,995,46\n';

let dir: string;
folderForFile((made) => (dir = made));

const imported = async (services: readonly string[]) => {
  const files = { 'daily.xlsx': WORKBOOK, 'chart.csv': CHART };
  for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content);
  const paths = Object.keys(files).map((name) => ({ path: join(dir, name) }));
  const outcome = await runImport({
    ...{ files: paths, name: 'ups', effective: '2032-01-05', layers: undefined, origins: [], services },
  });
  if (!('report' in outcome) || outcome.document === undefined) throw new Error(JSON.stringify(outcome));
  expect([outcome.doubts, outcome.errors]).toEqual([0, 0]);
  return outcome.document;
};

describe('Simple Rate', () => {
  let document: TariffDocument;
  beforeAll(async () => {
    document = await imported(['UPS-SIMPLE']);
  });

  const quoted = (postalCode: string, weight: number, sides: readonly number[] = []) => {
    const [length, width, height] = sides;
    const dimensions = length === undefined ? {} : { dimensions: { units: 'IN', length, width, height } };
    const rates = {
      ...{ shippingService: 'UPS-SIMPLE', shipper: { warehouse_id: 1 }, recipient: { address: { postalCode } } },
      packageItems: [{ weight: { units: 'LB', value: weight }, ...dimensions }],
      shipDate: '2032-02-02',
    };
    const address = { postalCode: '85001', stateOrProvinceCode: 'AZ', countryCode: 'US' };
    const shipper = { warehouses: new Map([[1, { id: 1, name: 'One', ...address }]]), account: LIST_PRICES };
    return quoteOutcome({ rates }, shipper, scheduleOf([document]), new Date('2032-02-02T12:00:00Z'), true).body;
  };

  test.each([
    // 5 × 5 × 4 = 100, and 101 is the next size: 10.1 counts as 11.
    [[5, 5, 4], '10001', 12.2, '100'],
    [[5, 5, 4.1], '10001', 13.2, '250'],
    [[10, 5, 5], '10001', 13.2, '250'],
    [[10, 13, 5], '10001', 14.2, '650'],
    [[10, 13, 5.5], '10001', 15.2, '1050'],
    [[12, 12, 12], '10001', 16.2, '1728'],
    // The zone does not matter within the contiguous states.
    [[12, 12, 12], '90001', 16.2, '1728'],
    [[12, 12, 12], '96701', 46.05, '1728'],
    [[5, 5, 4], '99501', 55.25, '100'],
  ])('%j to %s costs %d', (sides, postalCode, base, row) => {
    for (const weight of [0.3, 17, 50])
      expect(quoted(postalCode, weight, sides)).toMatchObject({
        totalBaseCharge: base,
        explanation: { packages: [{ rateCell: { table: 'cubic/UPS-SIMPLE.csv', row } }] },
      });
  });

  test('takes no larger and no heavier package, and none without dimensions', () => {
    expect(quoted('10001', 3, [13, 12, 12])).toMatchObject({
      fault: { type: 'getRates.sizeNotServed', arguments: { volume: '1872 cubic IN' } },
    });
    expect(quoted('10001', 50.1, [5, 5, 4])).toMatchObject({ fault: { type: 'getRates.weightNotServed' } });
    expect(quoted('10001', 3)).toMatchObject({
      fault: {
        type: 'getRates.dimensionsRequired',
        message: 'UPS-SIMPLE is priced by volume: package 1 needs its length, width and height.',
      },
    });
  });

  test('is the same after it was written and read', async () => {
    await writeTariffFolder(join(dir, 'ups'), document);
    const read = await readTariffFolder(join(dir, 'ups'));
    if (!('document' in read)) throw new Error(JSON.stringify(read.findings));
    expect(tariffId(read.document)).toBe(tariffId(document));
    expect(checkTariff(read.document).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('is left out if nobody asks for it', async () => {
    const { file, cubic } = await imported([]);
    expect(file.services.map(({ code }) => code)).toEqual(['UPS-GROUND']);
    expect(cubic).toEqual({});
  });
});
