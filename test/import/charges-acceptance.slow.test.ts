/**
 * Imports genuine rates, zones, charges, fuel and areas of both carriers with the command. The files are not part of the
 * project: without them, these tests are skipped. `CARRIER_FILES` and `CARRIER_CHARGES` name their folders.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TariffDocument } from '../../src/catalog/tariff/document.ts';
import { readTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { ratesHere } from '../cli/in-process.ts';

const shared = join(import.meta.dirname, '../../../shared');
const rates = process.env['CARRIER_FILES'] ?? join(shared, 'carrier-files');
const charges = process.env['CARRIER_CHARGES'] ?? join(shared, 'carrier-charges');
const files = [
  join(rates, 'FedEx_Standard_List_Rates_2026.pdf'),
  join(rates, 'fedex-zone-charts/07000-07699.pdf'),
  join(rates, 'ups-daily-rates-us-en-2026.xlsx'),
  join(rates, 'ups-zone-charts/900.xls'),
  join(charges, 'FedEx_Surcharge_and_Fee_Changes_2026.pdf'),
  join(charges, 'FedEx_Service_Guide_2026.pdf'),
  join(charges, 'FedEx_DAS_ZIP_codes_2025-06-02.txt'),
  join(charges, 'FedEx_Ground_Economy_Fees_2026.pdf'),
  join(charges, 'UPS_other_charges_2026.csv'),
  join(charges, 'UPS_area_surcharge_ZIPs_2026.csv'),
  join(charges, 'fuel_surcharges_2026.csv'),
];
const absent = files.filter((file) => !existsSync(file)).map((file) => basename(file));
if (absent.length > 0) process.stderr.write(`Tests of genuine charges are skipped: no ${absent.join(', ')}\n`);

describe.skipIf(absent.length > 0)('the rates and the charges of both carriers', () => {
  let dir: string;
  let code: number;
  let report: { readonly contradictions: unknown; readonly unreadable: unknown; readonly warnings: unknown };
  let tariff: TariffDocument | undefined;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'charges-acceptance-'));
    const into = join(dir, 'whole-2026');
    const flags = ['--into', into, '--effective', '2026-01-05', '--json'];
    const imported = await ratesHere(['tariff', 'import', ...files, ...flags]);
    code = imported.code;
    report = JSON.parse(imported.stdout);
    const read = await readTariffFolder(into);
    tariff = 'document' in read ? read.document : undefined;
  }, 300_000);
  afterAll(() => rm(dir, { recursive: true }));

  const chargesOf = (service: string) =>
    tariff?.file.surcharges.filter(({ services, until }) => services?.includes(service) && until === undefined) ?? [];

  test('make one tariff: the sheet and the guide agree', () => {
    expect({ code, ...report }).toMatchObject({ code: 0, contradictions: [], unreadable: [] });
    expect(JSON.stringify(report.warnings)).toContain(
      'FedEx Ground Economy: 8 charges are not used, because there are no rates',
    );
  });

  test('give FedEx Ground and UPS Ground every part of a price, from handling to fuel', () => {
    const areas = ['DELIVERY_AREA', 'DELIVERY_AREA_EXTENDED'];
    const handling = ['ADDITIONAL_HANDLING_DIMENSION', 'ADDITIONAL_HANDLING_WEIGHT', 'ADDITIONAL_HANDLING_PACKAGING'];
    const far = ['DELIVERY_AREA_REMOTE', 'DELIVERY_AREA_ALASKA'];
    expect(chargesOf('FDX-GROUND').map(({ type }) => type)).toEqual([
      ...handling,
      ...['UNAUTHORIZED', 'OVERSIZE', 'RESIDENTIAL', ...areas, ...areas],
      ...[...far, 'DELIVERY_AREA_ALASKA', 'DELIVERY_AREA_HAWAII', 'DELIVERY_AREA_INTRA_HAWAII'],
      ...['SIGNATURE_INDIRECT', 'SIGNATURE_DIRECT', 'SIGNATURE_ADULT', 'DECLARED_VALUE', 'FUEL'],
    ]);
    expect(chargesOf('UPS-GROUND').map(({ type }) => type)).toEqual([
      ...['OVERSIZE', 'OVERSIZE', 'ADDITIONAL_HANDLING_WEIGHT', 'ADDITIONAL_HANDLING_DIMENSION'],
      ...['ADDITIONAL_HANDLING_PACKAGING', 'RESIDENTIAL', ...areas, ...areas, ...far, 'DELIVERY_AREA_HAWAII', 'FUEL'],
    ]);
  });

  test('have fuel by week, with the line of each rate, until a week after the last', () => {
    const amount = chargesOf('FDX-GROUND').at(-1)?.amount;
    expect(amount?.per === 'percent' && Array.isArray(amount.rate) && [amount.rate.length, amount.rate.at(-1)]).toEqual(
      [15, { from: '2026-06-15', until: '2026-06-21', rate: '26.00', source: 'fuel_surcharges_2026.csv, line 62' }],
    );
    expect(amount?.per === 'percent' && amount.of).not.toContain('DECLARED_VALUE');
  });
});
