/** A made-up agreement on the services of the reference tariff, in force from 2026-01-01, with a tier by average spend. */
import { type AgreementDocument, agreementFile, NO_TABLES } from '../../../src/catalog/agreement/document.ts';

const ALL = { zones: '*', address: 'any', appliesTo: 'both' } as const;
const GROUND = { ...ALL, discount: 'Ground incentive', services: ['C1-GROUND'] } as const;
const EXPRESS = { ...ALL, discount: 'Express incentive', services: ['C1-EXPRESS'], fromLb: 1 } as const;
const EARNED = { ...ALL, discount: 'Earned discount', services: '*', fromLb: 1 } as const;

export const ACME_C1: AgreementDocument = {
  file: agreementFile.parse({
    name: 'acme-c1',
    description: 'Agreement of Acme with Carrier 1, Addendum B',
    carrier: 'C1',
    effective: '2026-01-01',
    until: '2028-12-31',
    services: { 'C1-GROUND': { dimensionalFactor: 166, dimensionalOverCubicIn: 1_728 } },
  }),
  tables: {
    ...NO_TABLES,
    discounts: [
      { ...GROUND, row: 2, fromLb: 1, toLb: 5, address: 'commercial', percent: '4.00' },
      { ...GROUND, row: 3, fromLb: 6, toLb: 10, address: 'commercial', percent: '10.00' },
      { ...GROUND, row: 4, fromLb: 11, address: 'commercial', percent: '18.50' },
      { ...GROUND, row: 5, fromLb: 1, toLb: 10, address: 'residential', percent: '2.50' },
      { ...GROUND, row: 6, fromLb: 11, address: 'residential', percent: '9.50' },
      { ...EXPRESS, row: 7, zones: [{ from: '2', to: '5' }], percent: '32.00' },
      { ...EXPRESS, row: 8, zones: [{ from: '6', to: '8' }], percent: '35.00' },
      { ...EARNED, row: 9, tier: '1', percent: '3.00' },
      { ...EARNED, row: 10, tier: '2', percent: '5.00' },
      { ...EARNED, row: 11, tier: '3', percent: '7.50' },
    ],
    minimums: [
      {
        ...{ row: 2, services: ['C1-GROUND'], address: 'any', minimum: 'less usd', value: '0.50' },
        ...{ zone: '2', weightLb: 1 },
      },
    ],
    surcharges: [
      {
        ...{ row: 2, surcharge: 'RESIDENTIAL', services: ['C1-GROUND'], zones: '*' },
        ...{ change: 'percent off', value: '25.00' },
      },
      { row: 3, surcharge: 'SIGNATURE_DIRECT', services: '*', zones: '*', change: 'waived', value: '' },
      { row: 4, surcharge: 'FUEL', services: '*', zones: '*', change: 'percent off', value: '20.00' },
    ],
    tiers: [
      { row: 2, tier: '1', fromUsd: '5000.00' },
      { row: 3, tier: '2', fromUsd: '15000.00' },
      { row: 4, tier: '3', fromUsd: '30000.00' },
    ],
    spend: [
      { row: 2, weekEnding: '2026-05-09', usd: '12000.00' },
      { row: 3, weekEnding: '2026-05-16', usd: '20000.00' },
      { row: 4, weekEnding: '2026-05-23', usd: '22000.00' },
    ],
  },
  amendments: [],
};
