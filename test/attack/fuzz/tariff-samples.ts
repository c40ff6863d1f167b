/** Genuine files of tariffs: the reference tariff, and one with everything that it lacks. */
import { cp, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { writeTariffFolder } from '../../../src/catalog/tariff/folder.ts';
import { smallTariff, TEN_POUNDS } from '../../catalog/tariff/small-tariff.ts';

const REFERENCE = join(import.meta.dirname, '../../../samples/tariffs/reference');

export interface SampleFile {
  /** `small/zones/chart.csv` */
  readonly name: string;
  readonly folder: string;
  readonly path: string;
  readonly bytes: Buffer;
}

/** GROUND of Small, with everything that the reference tariff lacks. */
export const FULL = smallTariff({
  file: {
    notServed: ['006-009', '96799'],
    surcharges: [
      {
        type: 'AREA',
        description: 'Delivery area',
        when: { area: { list: 'far', tier: 'remote' } },
        amount: { per: 'package', usd: { '2': '3.50', '*': '4.00' } },
      },
      {
        type: 'FUEL',
        description: 'Fuel',
        amount: { per: 'percent', rate: [{ from: '2026-01-01', rate: '18.5' }], of: ['BASE', 'AREA'] },
      },
    ],
  },
  service: {
    zones: { chart: 'chart', column: 'ground' },
    multiweight: {},
    cubic: { maximumActualLb: 20, maximumLengthIn: 18 },
    rateZones: { '2': 2, '8': 8 },
  },
  document: {
    multiweight: {
      GROUND: { columns: ['2', '8'], breaks: [{ fromLb: 100, centsPerLb: [50, 90] }] },
    },
    charts: {
      chart: {
        columns: ['ground', 'air'],
        rows: [
          { origin: '070-076', destination: '005-499', zones: ['2', '2'] },
          { origin: '070-076', destination: '500-999', zones: ['8', ''] },
          { origin: '070-076', destination: '02139', zones: ['8', '8'] },
        ],
      },
    },
    areas: { far: { rows: [{ zip: '99501', tier: 'remote' }] } },
    rates: {
      GROUND: { ...TEN_POUNDS, centsPerLbAboveTop: [100, 200], ounces: [{ upToOz: 15.999, cents: [900, 1_900] }] },
    },
    cubic: { GROUND: { columns: ['2', '8'], tiers: [{ hundredths: 50, cents: [950, 1_950] }] } },
  },
});

/** The files of a folder, with names that begin with the folder's. */
export const filesIn = async (folder: string, within: string): Promise<SampleFile[]> => {
  const entries = await readdir(within, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry): Promise<SampleFile[]> => {
      const path = join(within, entry.name);
      if (entry.isDirectory()) return await filesIn(folder, path);
      return [{ name: relative(join(folder, '..'), path), folder, path, bytes: await readFile(path) }];
    }),
  );
  return found.flat();
};

/** Writes the tariffs into a folder. */
export const sampleTariffs = async (root: string): Promise<readonly SampleFile[]> => {
  const [reference, small] = [join(root, 'reference'), join(root, 'small')];
  await cp(REFERENCE, reference, { recursive: true });
  await writeTariffFolder(small, FULL);
  return [...(await filesIn(reference, reference)), ...(await filesIn(small, small))];
};
