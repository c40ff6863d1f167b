/**
 * FedEx's own fee documents of 2026. The files are not part of the project: without them, these tests are skipped.
 * `CARRIER_CHARGES` names their folder. `fixtures/fedex-printed-fees.csv` has what was read off the printed pages.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ParsedCharge, ParsedFile } from '../../src/import/read/reader.ts';
import { readSource } from '../../src/import/source.ts';
import { chargeLine } from './charge-lines.ts';
import { printedRows } from './printed-rows.ts';

const folder = process.env['CARRIER_CHARGES'] ?? join(import.meta.dirname, '../../../shared/carrier-charges');
const files = {
  sheet: join(folder, 'FedEx_Surcharge_and_Fee_Changes_2026.pdf'),
  guide: join(folder, 'FedEx_Service_Guide_2026.pdf'),
  economy: join(folder, 'FedEx_Ground_Economy_Fees_2026.pdf'),
};
const present = Object.values(files).every((file) => existsSync(file));
if (!present) process.stderr.write(`Tests of FedEx's fee documents are skipped: no files in ${folder}\n`);

const readings: Record<string, ParsedFile> = {};
beforeAll(async () => {
  if (!present) return;
  for (const [document, file] of Object.entries(files)) readings[document] = (await readSource(file)).reading;
}, 600_000);

const PRINTED = printedRows('fedex-printed-fees.csv');
const printed = (what: string, document: string) =>
  PRINTED.filter((row) => row['document'] === document && row['what'] === what).map((row) => row['printed']);

describe.skipIf(!present)('FedEx’s documents of fees', () => {
  test.each([
    ['sheet', 'FedEx surcharges and fees (PDF)'],
    ['guide', 'FedEx Service Guide, fees (PDF)'],
    ['economy', 'FedEx Ground Economy fees (PDF)'],
  ])('the %s has every fee, as a charge or named as not taken', (document, kind) => {
    const reading = readings[document];
    expect(reading).toMatchObject({ kind, effective: '2026-01-05', unreadable: [] });
    const left = reading?.notTaken.map(({ at, text }) => `${at} ${text.split(',')[0]}`);
    // The guide names some fees in several rows.
    expect(document === 'guide' ? [...new Set(left)] : left).toEqual(printed('not taken', document));
    if (document !== 'guide') expect(reading?.charges.map(chargeLine)).toEqual(printed('charge', document));
  });

  test('say how many rows they skip, and a row that is not taken says why', () => {
    expect(readings['sheet']?.notes[0]).toBe(
      '71 rows that are only for freight and international services are skipped',
    );
    expect(readings['sheet']?.notTaken[4]).toEqual({
      at: 'page 4',
      text: 'Dangerous Goods (accessible), FedEx First Overnight, FedEx Priority Overnight: $175 per package (2025); $185 per package (2026)',
      reason: 'is for dangerous goods, which a quote does not have',
    });
    expect(readings['guide']?.notes.slice(0, 2)).toEqual([
      'the fees were updated on 2026-05-19',
      '115 rows that are only for freight and international services are skipped',
    ]);
  });

  test('the guide has the newer charges of the sheet, word for word, and two more', () => {
    const withoutPlace = (charge: ParsedCharge) => JSON.stringify({ ...charge, at: '' });
    const known = readings['sheet']?.charges
      .filter(({ entry }) => entry.until === undefined || entry.until === '2026-01-11')
      .map(withoutPlace);
    const charges = readings['guide']?.charges ?? [];
    const more = charges.filter((charge) => !known?.includes(withoutPlace(charge)));
    expect(more.map(chargeLine)).toEqual([
      'page 135, DELIVERY_AREA_INTRA_HAWAII "Delivery area, intra-Hawaii", FDX-GROUND FDX-HOME, intra-hawaii, from 2026-01-05: 1.10',
      'page 143, SATURDAY_DELIVERY "Saturday delivery", FDX-2DAY FDX-STDOVN FDX-PRIOVN FDX-1STOVN, from 2026-01-05: 16.00, at most 0.00',
    ]);
    expect(more.map(({ entry }) => entry.when)).toEqual([{ columns: ['14'] }, { saturday: true }]);
    expect(charges).toHaveLength((known?.length ?? 0) + 2);
  });

  test.each([
    ['BALLOON', { lengthPlusGirthOverIn: 84 }, 20],
    ['OVERSIZE', { lengthPlusGirthOverIn: 108 }, 71],
    [
      'NON_MACHINABLE',
      { anyOf: [{ lengthOverIn: 27 }, { secondSideOverIn: 17 }, { actualWeightOverLb: 35 }] },
      undefined,
    ],
  ])('the terms of %s of Ground Economy are those of its definition', (type, when, leastBillingWeightLb) => {
    const { entry } = readings['economy']?.charges.find((charge) => charge.entry.type === type) ?? {};
    expect([entry?.when, entry?.leastBillingWeightLb]).toEqual([when, leastBillingWeightLb]);
  });
});
