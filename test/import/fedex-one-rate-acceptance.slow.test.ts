/** FedEx One Rate on FedEx's own Service Guide of 2026, page 47. Skipped where the file is absent. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ParsedRates } from '../../src/import/read/reader.ts';
import { readSource } from '../../src/import/source.ts';

const FILES = process.env['CARRIER_CHARGES'] ?? join(import.meta.dirname, '../../../shared/carrier-charges');
const GUIDE = join(FILES, 'FedEx_Service_Guide_2026.pdf');

describe.skipIf(!existsSync(GUIDE))('FedEx_Service_Guide_2026.pdf', () => {
  let rates: readonly ParsedRates[];
  beforeAll(async () => {
    rates = (await readSource(GUIDE)).reading.rates.filter(({ onRequest }) => onRequest === true);
  }, 60_000);

  test('has eight packagings at six speeds to zones 2 to 8', () => {
    expect(rates).toHaveLength(48);
    expect(new Set(rates.map(({ table }) => table.columns.join()))).toEqual(new Set(['2,3,4,5,6,7,8']));
    expect(new Set(rates.map(({ code, table }) => `${code.slice(0, 9)} ${table.cents.length}`))).toEqual(
      new Set(['EN 10', 'XS 50', 'PA 50', 'SB 50', 'MB 50', 'LB 50', 'XL 50', 'TU 50'].map((part) => `FDX-1R-${part}`)),
    );
  });

  // As printed: local, regional and national zone.
  test.each([
    ['FDX-1R-EN2', 1_275, 1_275, 1_275],
    ['FDX-1R-XSS', 1_340, 1_340, 1_340],
    ['FDX-1R-PAA', 4_200, 4_380, 6_370],
    ['FDX-1R-SBO', 5_475, 7_705, 10_175],
    ['FDX-1R-MBP', 7_095, 12_290, 16_765],
    ['FDX-1R-LBF', 13_300, 19_355, 24_705],
    ['FDX-1R-XLP', 9_395, 18_260, 26_805],
    ['FDX-1R-TUF', 14_795, 23_660, 32_205],
  ])('%s', (code, local, regional, national) => {
    const row = rates.find((rate) => rate.code === code)?.table.cents[0];
    expect(row).toEqual([local, regional, regional, national, national, national, national]);
  });
});
