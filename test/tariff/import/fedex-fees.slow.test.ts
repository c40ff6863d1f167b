/**
 * FedEx's own fee documents of 2026. The files are not part of the project: without them, these tests are skipped.
 * `CARRIER_CHARGES` names their folder. The amounts were read off the printed pages.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ParsedCharge, ParsedFile } from '../../../src/tariff/import/read/reader.ts';
import { readSource } from '../../../src/tariff/import/source.ts';
import { chargeLine } from './charge-lines.ts';

const folder = process.env['CARRIER_CHARGES'] ?? join(import.meta.dirname, '../../../../shared/carrier-charges');
const files = {
  sheet: join(folder, 'FedEx_Surcharge_and_Fee_Changes_2026.pdf'),
  guide: join(folder, 'FedEx_Service_Guide_2026.pdf'),
  economy: join(folder, 'FedEx_Ground_Economy_Fees_2026.pdf'),
};
const present = Object.values(files).every((file) => existsSync(file));
if (!present) process.stderr.write(`Tests of FedEx's fee documents are skipped: no files in ${folder}\n`);

const GROUND = 'FDX-GROUND FDX-HOME';

/** The lines of some pages, without the names of types. */
const linesOf = ({ charges }: ParsedFile, pages: readonly number[], year: 'older' | 'newer'): string[] =>
  charges
    .filter(({ at }) => pages.some((page) => at === `page ${page}`))
    .filter(({ entry }) => (entry.until === undefined || entry.until === '2026-01-11') === (year === 'newer'))
    .map((charge) => chargeLine(charge).replace(/^page (\d+), [A-Z_]+ /, '$1 '));

describe.skipIf(!present)('FedEx’s sheet of changes', () => {
  let reading: ParsedFile;
  beforeAll(async () => {
    ({ reading } = await readSource(files.sheet));
  }, 600_000);

  test('has every row, as a charge, not taken, or for other services', () => {
    expect(reading).toMatchObject({ kind: 'FedEx surcharges and fees (PDF)', effective: '2026-01-05', unreadable: [] });
    expect(reading.notes[0]).toBe('71 rows for freight and international services alone are skipped');
    expect(reading.notTaken.map(({ at, text }) => `${at.slice(5)} ${text.split(',')[0]}`)).toEqual([
      '2 Address Correction',
      '2 Address Correction',
      '2 Address Correction',
      '4 Dangerous Goods - Dry Ice',
      '4 Dangerous Goods (accessible)',
      '4 Dangerous Goods (inaccessible)',
      '5 FedEx ExpressTag',
      '5 FedEx Ground Call Tag',
      '5 FedEx Home Delivery Convenient Delivery Options',
      '5 FedEx Priority Alert',
      '5 FedEx Priority Alert Plus',
      '5 Hazardous Materials',
      '5 Hazardous Materials',
      '6 Missing or Invalid Account Number (including account number correction)',
      '6 Payer Rebilling',
      '6 Reroute of Shipment',
      '6 Reroute of Shipment',
      '7 Return Pickup (Billable Stamps)',
    ]);
    expect(reading.notTaken[4]).toEqual({
      at: 'page 4',
      text: 'Dangerous Goods (accessible), FedEx First Overnight, FedEx Priority Overnight: $175 per package (2025); $185 per package (2026)',
      reason: 'a quote cannot know dangerous goods',
    });
  });

  test('has additional handling of 2026 by zone', () => {
    const dimension = 'z2 29.50 z3 32.75 z4 32.75 z5 38.50 z6 38.50 z7 40.75 z8 40.75';
    const weight = 'z2 46.00 z3 50.25 z4 50.25 z5 56.25 z6 56.25 z7 58.75 z8 58.75';
    const packaging = 'z2 26.50 z3 30.75 z4 30.75 z5 33.00 z6 33.00 z7 33.75 z8 33.75';
    expect(linesOf(reading, [1, 2], 'newer')).toEqual([
      `1 "Additional handling, dimension", express, from 2026-01-05, until 2026-01-11: ${dimension}`,
      `1 "Additional handling, dimension", express, from 2026-01-12: ${dimension}`,
      `1 "Additional handling, dimension", ${GROUND}, from 2026-01-05, until 2026-01-11: 14 32.75 22 32.75 ${dimension}`,
      `1 "Additional handling, dimension", ${GROUND}, from 2026-01-12: 14 32.75 22 32.75 ${dimension}`,
      `1 "Additional handling, weight", express, from 2026-01-05: ${weight}`,
      `1 "Additional handling, weight", ${GROUND}, from 2026-01-05: 14 50.25 22 50.25 ${weight}`,
      `2 "Additional handling, packaging", express, from 2026-01-05: ${packaging}`,
      `2 "Additional handling, packaging", ${GROUND}, from 2026-01-05: 14 30.75 22 30.75 ${packaging}`,
    ]);
  });

  test('has additional handling of 2025, in the zones 5 and 6 from July 14', () => {
    const dates = 'from 2025-07-14, until 2026-01-04';
    const linesFor = (
      page: number,
      name: string,
      shared: string,
      near: string,
      middle: string,
      far: string,
    ): string[] =>
      [['express', ''] as const, [GROUND, `14 ${shared} 22 ${shared} `] as const].flatMap(([services, columns]) => [
        `${page} "Additional handling, ${name}", ${services}, until 2025-07-13: ${columns}${near} z5 null z6 null ${far}`,
        `${page} "Additional handling, ${name}", ${services}, ${dates}: ${columns}${near} ${middle} ${far}`,
      ]);
    expect(linesOf(reading, [1, 2], 'older')).toEqual([
      ...linesFor(1, 'dimension', '31.00', 'z2 28.00 z3 31.00 z4 31.00', 'z5 36.00 z6 36.00', 'z7 38.00 z8 38.00'),
      ...linesFor(1, 'weight', '47.50', 'z2 43.50 z3 47.50 z4 47.50', 'z5 52.75 z6 52.75', 'z7 55.00 z8 55.00'),
      ...linesFor(2, 'packaging', '29.00', 'z2 25.00 z3 29.00 z4 29.00', 'z5 31.00 z6 31.00', 'z7 31.50 z8 31.50'),
    ]);
  });

  test('has declared value and delivery areas of both years', () => {
    expect(linesOf(reading, [4], 'newer').map((line) => line.replace(', from 2026-01-05', ''))).toEqual([
      '4 "Declared value", all: 1.65 per 100 over 100, at least 4.95',
      '4 "Delivery area, residential", all, standard: 6.60, at most 33.00',
      '4 "Delivery area, extended, residential", all, extended: 8.80, at most 44.00',
      '4 "Delivery area, commercial", all, standard: 4.45, at most 22.25',
      '4 "Delivery area, extended, commercial", all, extended: 5.55, at most 27.75',
      '4 "Delivery area, remote", all, remote: 16.75, at most 83.75',
      '4 "Delivery area, Alaska", express, alaska: 46.00',
      `4 "Delivery area, Alaska", ${GROUND}, alaska: 46.00`,
      `4 "Delivery area, Alaska, over 70 lb", ${GROUND}, alaska: 161.00`,
      '4 "Delivery area, Hawaii", all, hawaii: 16.25',
    ]);
    expect(linesOf(reading, [4], 'older').map((line) => line.replace(', until 2026-01-04', ''))).toEqual([
      '4 "Declared value", all: 1.50 per 100 over 100, at least 4.50',
      '4 "Delivery area, residential", all, standard: 6.20, at most 31.00',
      '4 "Delivery area, extended, residential", all, extended: 8.30, at most 41.50',
      '4 "Delivery area, commercial", all, standard: 4.20, at most 21.00',
      '4 "Delivery area, extended, commercial", all, extended: 5.25, at most 26.25',
      '4 "Delivery area, remote", all, remote: 15.50, at most 77.50',
      '4 "Delivery area, Alaska", express, alaska: 43.00',
      `4 "Delivery area, Alaska", ${GROUND}, alaska: 43.00`,
      `4 "Delivery area, Alaska, over 70 lb", ${GROUND}, alaska: 150.50`,
      '4 "Delivery area, Hawaii", all, hawaii: 14.50',
    ]);
  });

  test('has signatures, unauthorized packages, oversize and residential delivery of both years', () => {
    const newer = 'z2 255.00 z3 275.00 z4 275.00 z5 320.00 z6 320.00 z7 330.00 z8 330.00';
    expect(linesOf(reading, [5, 6, 7], 'newer')).toEqual([
      '5 "Indirect signature required", all, from 2026-01-05: 7.60, at most 53.20',
      '5 "Direct signature required", all, from 2026-01-05: 7.60, at most 53.20',
      '5 "Adult signature required", all, from 2026-01-05: 10.00, at most 70.00',
      `5 "Unauthorized package", ${GROUND}, from 2026-01-05: 1875.00`,
      `6 "Oversize", express, from 2026-01-05, until 2026-01-11: ${newer}`,
      `6 "Oversize", express, from 2026-01-12: ${newer}`,
      `6 "Oversize", ${GROUND}, from 2026-01-05, until 2026-01-11: 14 275.00 22 275.00 ${newer}`,
      `6 "Oversize", ${GROUND}, from 2026-01-12: 14 275.00 22 275.00 ${newer}`,
      '7 "Residential delivery", FDX-GROUND, from 2026-01-05: 6.45, at most 58.05',
      '7 "Residential delivery", FDX-HOME, from 2026-01-05: 6.45',
      '7 "Residential delivery", express, from 2026-01-05: 6.95, at most 62.55',
    ]);
    const older = 'z2 240.00 z3 260.00 z4 260.00 z5 297.50 z6 297.50 z7 305.00 z8 305.00';
    expect(linesOf(reading, [5, 6, 7], 'older')).toEqual([
      '5 "Indirect signature required", all, until 2026-01-04: 7.15, at most 50.05',
      '5 "Direct signature required", all, until 2026-01-04: 7.15, at most 50.05',
      '5 "Adult signature required", all, until 2026-01-04: 8.65, at most 60.55',
      `5 "Unauthorized package", ${GROUND}, from 2025-07-14, until 2026-01-04: 1775.00`,
      '6 "Oversize", express, until 2025-07-13: * null',
      `6 "Oversize", express, from 2025-07-14, until 2026-01-04: ${older}`,
      '6 "Oversize", FDX-GROUND, until 2025-07-13: * null',
      `6 "Oversize", FDX-GROUND, from 2025-07-14, until 2026-01-04: 14 260.00 22 260.00 ${older}`,
      '6 "Oversize", FDX-HOME, until 2025-07-13: 14 260.00 22 260.00 z2 240.00 z3 260.00 z4 260.00 z5 null z6 null z7 305.00 z8 305.00',
      `6 "Oversize", FDX-HOME, from 2025-07-14, until 2026-01-04: 14 260.00 22 260.00 ${older}`,
      '7 "Residential delivery", FDX-GROUND, until 2026-01-04: 5.95, at most 53.55',
      '7 "Residential delivery", FDX-HOME, until 2026-01-04: 5.95',
      '7 "Residential delivery", express, until 2026-01-04: 6.55, at most 58.95',
    ]);
  });

  test('has no charge elsewhere', () => {
    expect(linesOf(reading, [3], 'newer')).toEqual([]);
    expect(reading.charges).toHaveLength(8 + 12 + 10 + 10 + 11 + 13);
  });
});

describe.skipIf(!present)('FedEx’s Service Guide', () => {
  let guide: ParsedFile;
  let sheet: ParsedFile;
  beforeAll(async () => {
    [guide, sheet] = (await Promise.all([readSource(files.guide), readSource(files.sheet)])).map(
      (source) => source.reading,
    ) as [ParsedFile, ParsedFile];
  }, 120_000);

  const isNewer = ({ entry }: ParsedCharge): boolean => entry.until === undefined || entry.until === '2026-01-11';
  const withoutPlace = (charge: ParsedCharge) => JSON.stringify({ ...charge, at: '' });

  test('has the newer charges of the sheet, word for word, and two more', () => {
    expect(guide).toMatchObject({ kind: 'FedEx Service Guide, fees (PDF)', effective: '2026-01-05', unreadable: [] });
    const known = sheet.charges.filter(isNewer).map(withoutPlace);
    const more = guide.charges.filter((charge) => !known.includes(withoutPlace(charge)));
    expect(more.map(chargeLine)).toEqual([
      `page 135, DELIVERY_AREA_INTRA_HAWAII "Delivery area, intra-Hawaii", ${GROUND}, intra-hawaii, from 2026-01-05: 1.10`,
      'page 143, SATURDAY_DELIVERY "Saturday delivery", FDX-2DAY FDX-STDOVN FDX-PRIOVN FDX-1STOVN, from 2026-01-05: 16.00, at most 0.00',
    ]);
    expect(more.map(({ entry }) => entry.when)).toEqual([{ columns: ['14'] }, { saturday: true }]);
    expect(guide.charges).toHaveLength(known.length + 2);
    const notes = [
      'the fees were updated on 2026-05-19',
      '115 rows for freight and international services alone are skipped',
    ];
    expect(guide.notes.slice(0, 2)).toEqual(notes);
  });

  test('names each fee that a quote cannot know', () => {
    expect([...new Set(guide.notTaken.map(({ at, text }) => `${at.slice(5)} ${text.split(',')[0]}`))]).toEqual([
      '129 Demand - Additional Handling Surcharge',
      '129 Demand - Ground Unauthorized Package Charge',
      '130 Demand - Oversize Charge',
      '132 Address Correction',
      '134 Dangerous Goods',
      '135 Dangerous Goods',
      '136 Delivery Reattempts',
      '136 Demand Surcharge',
      '136 Dimensional Weight',
      '137 FedEx Delivery Manager',
      '138 FedEx Delivery Manager',
      '138 FedEx Email Return Label',
      '138 FedEx ExpressTag',
      '138 FedEx Ground Call Tag',
      '139 FedEx Home Delivery Convenient Delivery Options',
      '139 FedEx On Demand Care',
      '139 FedEx Print Return Label',
      '139 FedEx Priority Alert',
      '139 FedEx Priority Alert Plus',
      '140 Fuel Surcharge',
      '140 Hazardous Materials',
      '141 Minimum Billable Weight for FedEx Packaging',
      '141 Missing or Invalid Account Number',
      '141 Multiple-Piece Shipments',
      '142 Payer Rebilling',
      '142 Reroute of Shipment',
      '142 Demand - Residential Delivery Charge',
      '142 Return Pickup (Billable Stamps)',
      '143 Saturday Expedited Processing Fee',
      '143 SenseAware',
      '144 SenseAware',
      '144 Signature Proof of Delivery via FedEx Standard Overnight Envelope',
      '144 Third Party Billing Surcharge',
      '131 Non-transportation Pickup fees and surcharges',
      '144 Non-transportation fees',
    ]);
  });
});

describe.skipIf(!present)('FedEx’s fees of Ground Economy', () => {
  let reading: ParsedFile;
  beforeAll(async () => {
    ({ reading } = await readSource(files.economy));
  }, 600_000);

  test('are charges of FDX-ECON', () => {
    expect(reading).toMatchObject({ kind: 'FedEx Ground Economy fees (PDF)', effective: '2026-01-05', unreadable: [] });
    expect(reading.charges.map(chargeLine)).toEqual([
      'page 2, BALLOON "Balloon", FDX-ECON, from 2026-01-05: 0.00',
      'page 2, DELIVERY_AND_RETURNS "Delivery and returns", FDX-ECON, from 2026-01-05: 1.15',
      'page 2, DELIVERY_AREA "Delivery area", FDX-ECON, standard, from 2026-01-05: 6.60',
      'page 2, DELIVERY_AREA_EXTENDED "Delivery area, extended", FDX-ECON, extended, from 2026-01-05: 8.80',
      'page 2, DELIVERY_AREA_ALASKA "Delivery area, Alaska", FDX-ECON, alaska, from 2026-01-05: 8.80',
      'page 2, DELIVERY_AREA_HAWAII "Delivery area, Hawaii", FDX-ECON, hawaii, from 2026-01-05: 8.80',
      'page 2, NON_MACHINABLE "Non-machinable", FDX-ECON, from 2026-01-05: 7.10',
      'page 2, OVERSIZE "Oversize", FDX-ECON, from 2026-01-05: 0.00',
    ]);
    const termsOf = (type: string) => {
      const { entry } = reading.charges.find((charge) => charge.entry.type === type) ?? {};
      return [entry?.when, entry?.leastBillingWeightLb];
    };
    expect(termsOf('BALLOON')).toEqual([{ lengthPlusGirthOverIn: 84 }, 20]);
    expect(termsOf('OVERSIZE')).toEqual([{ lengthPlusGirthOverIn: 108 }, 71]);
    expect(termsOf('NON_MACHINABLE')).toEqual([
      { anyOf: [{ lengthOverIn: 27 }, { secondSideOverIn: 17 }, { actualWeightOverLb: 35 }] },
      undefined,
    ]);
  });

  test('are named where they are not taken', () => {
    expect(reading.notTaken.map(({ text }) => text.split(',')[0])).toEqual([
      'Demand Surcharge',
      'Dimensional Weight',
      'Fuel Surcharge',
      'Inbound Charge',
      'Package Relabel',
      'Third Party Billing Surcharge',
    ]);
  });
});
