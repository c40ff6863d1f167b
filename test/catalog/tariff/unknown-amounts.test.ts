/** Charges for handling whose amount nobody knows in some zones, and charges that say nothing about handling. */
import { expect, test } from 'vitest';
import { checkSurcharges } from '../../../src/catalog/tariff/check/check-surcharges.ts';
import { compileTariff } from '../../../src/catalog/tariff/compile.ts';
import { type TariffDocument, tariffFile } from '../../../src/catalog/tariff/document.ts';

const documentWith = (surcharges: readonly unknown[]): TariffDocument => ({
  file: tariffFile.parse({
    name: 'small',
    effective: '2026-01-05',
    services: [
      {
        code: 'GROUND',
        carrier: 'ACME',
        description: 'Ground',
        dimensionalFactor: 139,
        maximumLengthIn: 108,
        zones: { distanceMiles: [300] },
      },
    ],
    surcharges,
  }),
  rates: { GROUND: { columns: ['2', '3'], cents: [[100, 200]] } },
  multiweight: {},
  cubic: {},
  charts: {},
  areas: { far: { rows: [{ zip: '995', tier: 'alaska' }] } },
});

const amount = (usd: unknown) => ({ per: 'package', usd });
const lacksOf = (surcharge: unknown): boolean | undefined =>
  compileTariff(documentWith([surcharge]))[0]?.lacks.has('handling');

test('heavy packages to an area, and a season of demand, are no charges for handling', () => {
  const over = { actualWeightOverLb: 70 };
  const heavy = { type: 'HEAVY', description: 'Heavy', when: over, amount: amount('9.00') };
  expect(lacksOf(heavy)).toBe(false);
  expect(lacksOf({ ...heavy, when: { ...over, area: { list: 'far', tier: 'alaska' } } })).toBe(true);
  expect(lacksOf({ ...heavy, type: 'DEMAND_HANDLING' })).toBe(true);
});

test('a check names the zones without an amount, which only charges for some weights or sizes may have', () => {
  const when = { actualWeightOverLb: 50 };
  const findingsOf = (surcharge: object) =>
    checkSurcharges(documentWith([{ type: 'WEIGHT', description: 'Weight', ...surcharge }]));
  expect(findingsOf({ when, amount: amount({ 'zone 2': null, 'zone 3': '4.00' }) })).toEqual([
    {
      severity: 'warning',
      at: 'tariff.json surcharges[0].amount.usd',
      message: 'is unknown for zone 2: quotes that need it are incomplete',
      effect: 'incomplete',
    },
  ]);
  expect(findingsOf({ amount: amount({ '*': null }) })).toEqual([
    {
      severity: 'error',
      at: 'tariff.json surcharges[0].amount.usd',
      message: 'is null for other zones, but the charge is for every package',
    },
  ]);
});
