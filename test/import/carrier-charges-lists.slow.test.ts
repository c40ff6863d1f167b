/**
 * Genuine lists of charges, fuel and areas. The files are not part of the project: without them, these tests are skipped.
 * `CARRIER_CHARGES` names their folder.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PdfWord } from '../../src/import/read/pdf.ts';
import { pdfReader, readSource } from '../../src/import/source.ts';
import { lineFrom, pdfWith, wordFrom } from '../pdf.ts';

const folder = process.env['CARRIER_CHARGES'] ?? join(import.meta.dirname, '../../../shared/carrier-charges');
const files = {
  charges: join(folder, 'UPS_other_charges_2026.csv'),
  fuel: join(folder, 'fuel_surcharges_2026.csv'),
  upsAreas: join(folder, 'UPS_area_surcharge_ZIPs_2026.csv'),
  fedexAreas: join(folder, 'FedEx_DAS_ZIP_codes_2025-06-02.txt'),
};
const present = Object.values(files).every((file) => existsSync(file));
if (!present) process.stderr.write(`Tests of genuine lists of charges are skipped: no files in ${folder}\n`);

/** ZIP codes by tier, counted in the file with a separate script. */
const FEDEX_TIERS = { standard: 7654, extended: 14_368, remote: 3517, alaska: 219, hawaii: 68 };

const tiersOf = (rows: readonly { readonly tier: string }[] = []): Record<string, number> => {
  const count: Record<string, number> = {};
  for (const { tier } of rows) count[tier] = (count[tier] ?? 0) + 1;
  return count;
};

const byZip = (rows: readonly { readonly zip: string; readonly tier: string }[]) =>
  rows.toSorted((a, b) => (a.zip < b.zip ? -1 : 1));

/** The text of a page as FedEx sets it: lines of prose, and below them the ZIP codes in nine columns. */
const inColumns = (text: string): PdfWord[] => {
  const lines = text.split('\n').map((line) => line.trim());
  const prose = lines
    .filter((line) => line !== '' && !/^\d{5}$/.test(line))
    .flatMap((line) => line.match(/.{1,150}(?: |$)/g) ?? []);
  const zips = lines.filter((line) => /^\d{5}$/.test(line));
  const perColumn = Math.ceil(zips.length / 9);
  return [
    ...prose.flatMap((line, at) => lineFrom(line, 20, 30 + 8 * at, 5)),
    ...zips.map((zip, at) => wordFrom(zip, 30 + 60 * Math.floor(at / perColumn), 160 + 8 * (at % perColumn), 5)),
  ];
};

/** A charge before UPS measures volume, and the same charge from then on. */
const divided = (at: string, type: string, residential: boolean | undefined, usd: string) => {
  const row = ['UPS', at, '', undefined, type, residential, usd];
  return [row, row];
};

describe.skipIf(!present)('genuine lists', () => {
  test('of UPS’s charges have every row', async () => {
    const { reading } = await readSource(files.charges);
    expect(reading).toMatchObject({ kind: 'charges (CSV)', unreadable: [], notTaken: [] });
    expect(
      reading.charges.map(({ carrier, at, services, tier, entry: { type, when, amount } }) => {
        const usd = amount.per === 'package' ? amount.usd : undefined;
        return [
          carrier,
          at,
          services.join(),
          tier,
          type,
          when.residential,
          typeof usd === 'string' ? usd : usd?.['zone 8'],
        ];
      }),
    ).toEqual([
      ['UPS', 'line 2', 'ground', undefined, 'RESIDENTIAL', true, '6.50'],
      ['UPS', 'line 3', 'air', undefined, 'RESIDENTIAL', true, '7.00'],
      ['UPS', 'line 4', 'ground', 'das_standard', 'DELIVERY_AREA', false, '4.50'],
      ['UPS', 'line 5', 'ground', 'das_extended', 'DELIVERY_AREA_EXTENDED', false, '5.70'],
      ['UPS', 'line 6', 'ground', 'das_standard', 'DELIVERY_AREA', true, '6.55'],
      ['UPS', 'line 7', 'ground', 'das_extended', 'DELIVERY_AREA_EXTENDED', true, '8.85'],
      ['UPS', 'line 8', 'air', 'das_standard', 'DELIVERY_AREA', false, '4.50'],
      ['UPS', 'line 9', 'air', 'das_extended', 'DELIVERY_AREA_EXTENDED', false, '5.70'],
      ['UPS', 'line 10', 'air', 'das_standard', 'DELIVERY_AREA', true, '6.55'],
      ['UPS', 'line 11', 'air', 'das_extended', 'DELIVERY_AREA_EXTENDED', true, '8.85'],
      ['UPS', 'line 12', '', 'remote_us48', 'DELIVERY_AREA_REMOTE', undefined, '16.50'],
      ['UPS', 'line 13', '', 'remote_alaska', 'DELIVERY_AREA_ALASKA', undefined, '46.25'],
      ['UPS', 'line 14', '', 'remote_hawaii', 'DELIVERY_AREA_HAWAII', undefined, '16.50'],
      ...divided('line 15', 'OVERSIZE', false, '286.00'),
      ...divided('line 19', 'OVERSIZE', true, '331.00'),
      ['UPS', 'line 23', '', undefined, 'ADDITIONAL_HANDLING_WEIGHT', undefined, '58.75'],
      ...divided('line 27', 'ADDITIONAL_HANDLING_DIMENSION', undefined, '40.50'),
      ['UPS', 'line 31', '', undefined, 'ADDITIONAL_HANDLING_PACKAGING', undefined, '33.75'],
    ]);
  });

  test('of fuel have a rate for each row', async () => {
    const { reading } = await readSource(files.fuel);
    expect(reading).toMatchObject({ kind: 'fuel surcharges (CSV)', unreadable: [] });
    expect(reading.fuel).toHaveLength(62);
    expect(reading.fuel.at(-2)).toEqual({
      carrier: 'FedEx',
      services: ['ground'],
      at: 'line 62',
      from: '2026-06-15',
      percent: '26.00',
    });
  });

  test('of UPS’s areas are UPS’s, under a name without the year', async () => {
    const { reading } = await readSource(files.upsAreas);
    expect(reading.unreadable).toEqual([]);
    expect(reading.areas.map(({ name, carrier }) => [name, carrier])).toEqual([['ups-area-surcharge-zips', 'UPS']]);
    expect(tiersOf(reading.areas[0]?.list.rows)).toEqual({
      das_standard: 7626,
      das_extended: 14_276,
      remote_us48: 3593,
      remote_alaska: 219,
      remote_hawaii: 68,
    });
  });

  test('of FedEx’s areas have every section, as text and as a PDF', async () => {
    const { reading } = await readSource(files.fedexAreas);
    expect(reading).toMatchObject({ effective: '2025-06-02', unreadable: [] });
    expect(reading.areas.map(({ name, carrier, list }) => [name, carrier, tiersOf(list.rows)])).toEqual([
      ['fedex-das', 'FedEx', FEDEX_TIERS],
      ['fedex-das-intra-hawaii', 'FedEx', { 'intra-hawaii': 28 }],
    ]);
    const text = (await readFile(files.fedexAreas, 'utf8')).replaceAll('®', '');
    const pages = text
      .split('DESTINATION ZIP CODES:')
      .map((part, page) => ({ number: page + 1, words: inColumns(part) }));
    const asPdf = await pdfReader.read(pdfWith(pages), {});
    expect(asPdf).toMatchObject({ kind: 'FedEx delivery areas (PDF)', effective: '2025-06-02', unreadable: [] });
    expect(asPdf.areas.map(({ list }) => byZip(list.rows))).toEqual(reading.areas.map(({ list }) => byZip(list.rows)));
  });
});
