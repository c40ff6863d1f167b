/** Fees of a Service Guide and of Ground Economy that the project makes. fedex-fees.slow.test.ts tests the carrier's own. */
import { describe, expect, test } from 'vitest';
import { readEconomyFees } from '../../src/import/fedex/economy-fees.ts';
import { readFeeGuide, readFeeSheet } from '../../src/import/fedex/fee-guide.ts';
import type { ParsedCharge, ParsedFile } from '../../src/import/read/reader.ts';
import { pdfReader } from '../../src/import/source.ts';
import { chargedLines } from '../../src/rating/price.ts';
import { ANYWHERE, oneColumn, smallTariff } from '../catalog/tariff/small-tariff.ts';
import { pdfWith } from '../pdf.ts';
import { priceOf } from '../rating/priced.ts';
import { chargeLine } from './charge-lines.ts';
import { economyFees, feeGuide, feeSheet, GUIDE_FEES, type MadeFee, SHEET_ROWS } from './made-fedex-fees.ts';

const linesOf = ({ charges }: ParsedFile): string[] => charges.map(chargeLine);

describe('the fees of a Service Guide', () => {
  const reading = readFeeGuide(feeGuide(GUIDE_FEES));

  test('are read behind its pages of rates, with their own date', async () => {
    expect(reading).toMatchObject({
      kind: 'FedEx Service Guide, fees (PDF)',
      effective: '2032-01-04',
      rates: [],
      unreadable: [],
    });
    expect(reading.notes).toEqual([
      'the fees were updated on 2032-05-03',
      '2 rows that are only for freight and international services are skipped',
      "the guide's rates by weight are not read: import FedEx's list rates",
    ]);
    const read = await pdfReader.read(pdfWith(feeGuide(GUIDE_FEES)), {});
    expect([read.kind, read.charges]).toEqual([reading.kind, reading.charges]);
  });

  test('are the charges of the sheet of changes, and the one within Hawaii', () => {
    const sheet = readFeeSheet(feeSheet(SHEET_ROWS));
    const key = (charge: ParsedCharge) =>
      JSON.stringify([charge.entry.type, charge.entry.description, charge.services]);
    const known = new Map(
      sheet.charges.filter(({ entry }) => entry.until === undefined).map((charge) => [key(charge), charge]),
    );
    const own = reading.charges.filter((charge) => !known.has(key(charge)));
    expect(own.map(chargeLine)).toEqual([
      'page 4, DELIVERY_AREA_INTRA_HAWAII "Delivery area, intra-Hawaii", FDX-GROUND FDX-HOME, intra-hawaii, from 2032-01-04: 1.30',
    ]);
    expect(own[0]?.entry.when).toEqual({ columns: ['14'] });
    const both = reading.charges.filter((charge) => known.has(key(charge)));
    expect(both).toHaveLength(known.size);
    for (const charge of both) expect({ ...charge, at: '' }).toEqual({ ...known.get(key(charge)), at: '' });
  });

  test('name what a quote cannot know', () => {
    expect(reading.notTaken.map(({ at, text, reason }) => `${at}, ${text}: ${reason}`)).toEqual([
      'page 3, Demand - Oversize Charge, All Services: Go to fedex.com for information.: the document states no amounts: import a CSV of charges',
      'page 4, Third Party Billing Surcharge, All Services: 5.0% of transportation charges: quotes with third-party billing do not include it',
      'page 4, Non-transportation fees: depends on pickup and payment',
    ]);
  });

  test('are unreadable where a definition states other terms', () => {
    const changed = GUIDE_FEES.map((fees) =>
      fees.map((fee) => ({ ...fee, definition: fee.definition.map((line) => line.replace('48 inches', '47 inches')) })),
    );
    expect(readFeeGuide(feeGuide(changed)).unreadable).toEqual([
      {
        at: 'page 3',
        text: 'greater than 48 inches along its longest side',
        problem:
          'is not in the definition of Additional Handling Surcharge: the terms may have changed, and the reader knows only these',
      },
    ]);
  });

  test('are unreadable where an area has other columns', () => {
    const changed = GUIDE_FEES.map((fees) =>
      fees.map((fee) => ({
        ...fee,
        rows: fee.rows.map((row) => ({
          ...row,
          cells: row.cells.map((cell) => cell.map((line) => line.replace('$18.10 Not applicable', '$18.10 $20 $30'))),
        })),
      })),
    );
    const { unreadable } = readFeeGuide(feeGuide(changed));
    expect(unreadable).toEqual([
      {
        at: 'page 4',
        text: 'Delivery Area Surcharge, Hawaii Package Services (Commercial and Residential): $18.10 $20 $30',
        problem: 'is not understood: the charge would be missing',
      },
    ]);
  });

  test('are refused without a date', () => {
    expect(() => readFeeGuide(feeGuide(GUIDE_FEES, 'Updated May 3, 2032'))).toThrow(
      'page 3, where its fees begin, does not state from when they apply',
    );
  });
});

const ECONOMY: readonly MadeFee[] = [
  {
    name: 'Balloon',
    definition: [
      'Any item weighing less than 20 lbs. and',
      'measuring more than 80 inches (but not more',
      'than 100 inches) in combined length and girth.',
    ],
    rows: [
      {
        services: ['FedEx Ground® Economy (by lb.),', 'FedEx Ground® Economy Media'],
        cells: [['Per list package base rates at 25 lbs.', '(including any discount)']],
      },
    ],
  },
  {
    name: 'Delivery and Returns Surcharge',
    definition: ['A per-package surcharge will be assessed.'],
    rows: [{ services: ['All services'], cells: [['$1.25 per package']] }],
  },
  {
    name: 'Delivery Area Surcharge',
    definition: ['A delivery area surcharge will apply.'],
    rows: [
      {
        services: ['All services'],
        cells: [
          [
            'Contiguous U.S.: $7 per package',
            'Contiguous U.S. Extended: $9 per package',
            'Alaska: $10 per package',
            'Hawaii: $11 per package',
          ],
        ],
      },
    ],
  },
  {
    name: 'Non-Machinable',
    definition: [
      'a) Any item with one dimension measuring',
      'more than 26 inches.',
      'b) Any item with any two dimensions each',
      'measuring more than 16 inches.',
      'c) Any item weighing over 34 lbs.',
    ],
    rows: [{ services: ['All services'], cells: [['$7.50 per package']] }],
  },
  {
    name: 'Oversize',
    definition: [
      'Any item measuring more than 105 inches but',
      'not more than 130 inches in combined length',
      'and girth. It is the greatest of the rounded',
      'weight, dimensional weight and 70 lbs.',
    ],
    rows: [{ services: ['FedEx Ground Economy (by lb.)'], cells: [['Per list package base rates']] }],
  },
  {
    name: 'Package Relabel',
    definition: ['A per-package surcharge will be assessed.'],
    rows: [{ services: ['All services'], cells: [['$1.05 per package']] }],
  },
];

describe('the fees of Ground Economy', () => {
  const reading = readEconomyFees(economyFees(ECONOMY));

  test('are charges of a service of their own', async () => {
    expect(linesOf(reading)).toEqual([
      'page 2, BALLOON "Balloon", FDX-ECON, from 2032-01-04: 0.00',
      'page 2, DELIVERY_AND_RETURNS "Delivery and returns", FDX-ECON, from 2032-01-04: 1.25',
      'page 2, DELIVERY_AREA "Delivery area", FDX-ECON, standard, from 2032-01-04: 7.00',
      'page 2, DELIVERY_AREA_EXTENDED "Delivery area, extended", FDX-ECON, extended, from 2032-01-04: 9.00',
      'page 2, DELIVERY_AREA_ALASKA "Delivery area, Alaska", FDX-ECON, alaska, from 2032-01-04: 10.00',
      'page 2, DELIVERY_AREA_HAWAII "Delivery area, Hawaii", FDX-ECON, hawaii, from 2032-01-04: 11.00',
      'page 2, NON_MACHINABLE "Non-machinable", FDX-ECON, from 2032-01-04: 7.50',
      'page 2, OVERSIZE "Oversize", FDX-ECON, from 2032-01-04: 0.00',
    ]);
    expect(reading).toMatchObject({ kind: 'FedEx Ground Economy fees (PDF)', effective: '2032-01-04', unreadable: [] });
    const read = await pdfReader.read(pdfWith(economyFees(ECONOMY)), {});
    expect([read.kind, read.charges]).toEqual([reading.kind, reading.charges]);
  });

  test('take their measures from the definitions', () => {
    const termsOf = (type: string) => {
      const { entry } = reading.charges.find((charge) => charge.entry.type === type) ?? {};
      return [entry?.when, entry?.leastBillingWeightLb];
    };
    expect(termsOf('BALLOON')).toEqual([{ lengthPlusGirthOverIn: 80 }, 25]);
    expect(termsOf('OVERSIZE')).toEqual([{ lengthPlusGirthOverIn: 105 }, 70]);
    expect(termsOf('NON_MACHINABLE')).toEqual([
      { anyOf: [{ lengthOverIn: 26 }, { secondSideOverIn: 16 }, { actualWeightOverLb: 34 }] },
      undefined,
    ]);
  });

  test('change the billed weight alone, where a package is bulky and light', () => {
    const bulky = reading.charges.filter(({ entry }) => entry.leastBillingWeightLb !== undefined);
    const tariff = smallTariff({
      file: { surcharges: bulky.map(({ entry: { from: _, ...entry } }) => entry) },
      service: { zones: ANYWHERE },
      document: { rates: { GROUND: oneColumn('2', ...Array.from({ length: 80 }, (__, at) => 1_001 + at)) } },
    });
    const billed = (...inches: readonly number[]) => {
      const price = priceOf(tariff, { packages: [{ lb: 2, inches }] });
      return [price.billingWeightLb, price.baseCents, chargedLines(price)];
    };
    expect(billed(20, 15, 15)).toEqual([33, 1_033, []]);
    expect(billed(60, 5, 5)).toEqual([11, 1_011, []]);
    expect(billed(61, 5, 5)).toEqual([25, 1_025, []]);
    expect(billed(86, 5, 5)).toEqual([70, 1_070, []]);
  });

  test('are named where they are not taken, or not understood', () => {
    expect(reading.notTaken).toEqual([
      {
        at: 'page 2',
        text: 'Package Relabel, All services: $1.05 per package',
        reason: 'depends on the pickup and the label, which a quote does not have',
      },
    ]);
    const changed = ECONOMY.map((fee) => ({
      ...fee,
      definition: fee.definition.map((line) => line.replace('34', 'some')),
    }));
    const moon = {
      name: 'Moon Fee',
      definition: ['For moons.'],
      rows: [{ services: ['All services'], cells: [['$1']] }],
    };
    const lost = { name: 'Lost Fee', definition: ['For nothing.'], rows: [] };
    expect(readEconomyFees(economyFees([...changed, moon, lost])).unreadable).toEqual([
      {
        at: 'page 2',
        text: 'Non-Machinable, All services: $7.50 per package',
        problem: 'is not understood: the charge would be missing',
      },
      { at: 'page 2', text: 'Moon Fee, All services: $1', problem: 'is not understood: the charge would be missing' },
      { at: 'page 2', text: 'Lost Fee', problem: 'has no services and charges beside it' },
    ]);
  });

  test('are refused without a date', () => {
    expect(() => readEconomyFees(economyFees(ECONOMY, 'Soon'))).toThrow(
      'its first page does not state from when the fees apply',
    );
  });
});
