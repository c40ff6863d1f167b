/** Example answers about a client's agreements, for the document. A test compares them with real answers. */

const SUMMARY = {
  name: 'acme-c1',
  carrier: 'C1',
  description: 'Agreement of Acme with Carrier 1, Addendum B',
  effective: '2026-01-01',
  until: '2028-12-31',
  inForce: 'now',
  accounts: [{ account: '1X2Y3Z', warehouses: [101, 102] }],
  tier: { tier: '2', by: 'average', since: '2026-05-17', until: null, uncertain: false },
};

const GROUND = { shippingService: 'C1-GROUND', description: 'Carrier 1 Ground' };
const EXPRESS = { shippingService: 'C1-EXPRESS', description: 'Carrier 1 Express' };

const TERMS = {
  minimumCharge: { residential: 24.5, commercial: 24.5 },
  listMinimumCharge: 24.5,
  minimumAs: [],
  ...{ dimensionalFactor: 139, listDimensionalFactor: 139 },
  ...{ dimensionalOverCubicIn: 0, listDimensionalOverCubicIn: 0 },
  ...{ secondDivisor: null, rateCapPercent: null, ownRates: false, multiweight: null },
};

export const AGREEMENTS = { status: 200, agreements: [{ ...SUMMARY, services: [GROUND, EXPRESS] }] };

const BY_NOBODY = { betterOf: null, billing: null, appliesTo: 'both', tier: null, usd: null, counts: true };
const ON_GROUND = { discount: 'Ground incentive', services: ['C1-GROUND'], zones: null, ...BY_NOBODY };
const ON_EXPRESS = { discount: 'Express incentive', services: ['C1-EXPRESS'], fromLb: 1, toLb: null, ...BY_NOBODY };
const EARNED = {
  ...{ discount: 'Earned discount', services: null, zones: null, fromLb: 1, toLb: null },
  ...BY_NOBODY,
  address: 'any',
};

const same = (amount: number) => ({ least: amount, most: amount });

export const AGREEMENT = {
  status: 200,
  ...SUMMARY,
  date: '2026-06-01',
  changes: [],
  services: [
    {
      ...GROUND,
      ...TERMS,
      minimumCharge: { residential: 8.75, commercial: 8.75 },
      listMinimumCharge: 8.8,
      minimumAs: [
        { zones: null, address: 'any', billing: null, minimum: 'less usd', value: 0.5, zone: '2', weightLb: 1 },
      ],
      dimensionalFactor: 166,
      dimensionalOverCubicIn: 1_728,
    },
    { ...EXPRESS, ...TERMS },
  ],
  discounts: [
    { ...ON_GROUND, fromLb: 1, toLb: 5, address: 'commercial', percent: 4 },
    { ...ON_GROUND, fromLb: 6, toLb: 10, address: 'commercial', percent: 10 },
    { ...ON_GROUND, fromLb: 11, toLb: null, address: 'commercial', percent: 18.5 },
    { ...ON_GROUND, fromLb: 1, toLb: 10, address: 'residential', percent: 2.5 },
    { ...ON_GROUND, fromLb: 11, toLb: null, address: 'residential', percent: 9.5 },
    { ...ON_EXPRESS, zones: ['2-5'], address: 'any', percent: 32 },
    { ...ON_EXPRESS, zones: ['6-8'], address: 'any', percent: 35 },
    { ...EARNED, tier: '1', percent: 3, counts: false },
    { ...EARNED, tier: '2', percent: 5 },
    { ...EARNED, tier: '3', percent: 7.5, counts: false },
  ],
  totals: [
    { ...ON_GROUND, discount: 'Total', fromLb: 1, toLb: 5, address: 'commercial', percent: 9 },
    { ...ON_GROUND, discount: 'Total', fromLb: 6, toLb: 10, address: 'commercial', percent: 15 },
    { ...ON_GROUND, discount: 'Total', fromLb: 11, toLb: null, address: 'commercial', percent: 23.5 },
    { ...ON_GROUND, discount: 'Total', fromLb: 1, toLb: 10, address: 'residential', percent: 7.5 },
    { ...ON_GROUND, discount: 'Total', fromLb: 11, toLb: null, address: 'residential', percent: 14.5 },
    { ...ON_EXPRESS, discount: 'Total', zones: ['1'], address: 'any', percent: 5 },
    { ...ON_EXPRESS, discount: 'Total', zones: ['2-5'], address: 'any', percent: 37 },
    { ...ON_EXPRESS, discount: 'Total', zones: ['6-8'], address: 'any', percent: 40 },
  ],
  surcharges: [
    {
      services: ['C1-GROUND'],
      type: 'RESIDENTIAL',
      description: 'Residential delivery',
      because: ['residential address'],
      per: 'package',
      list: same(5.15),
      billed: same(3.86),
      changes: ['25.00% off'],
    },
    {
      services: ['C1-GROUND', 'C1-EXPRESS'],
      type: 'SIGNATURE_DIRECT',
      description: 'Direct signature',
      because: ['direct signature'],
      per: 'package',
      list: same(6.8),
      billed: same(0),
      changes: ['waived'],
    },
    {
      ...{ services: ['C1-GROUND'], type: 'FUEL', description: 'Fuel', because: [], per: 'percent' },
      ...{ list: same(12.5), billed: same(10), changes: ['20.00% off'] },
    },
    {
      ...{ services: ['C1-EXPRESS'], type: 'FUEL', description: 'Fuel', because: [], per: 'percent' },
      ...{ list: same(15), billed: same(12), changes: ['20.00% off'] },
    },
  ],
  fees: [],
  notes: [],
  fuelIndex: [],
  fuel: [],
  tiers: {
    bands: [
      { tier: '1', fromUsd: 5_000, inForce: false },
      { tier: '2', fromUsd: 15_000, inForce: true },
      { tier: '3', fromUsd: 30_000, inForce: false },
    ],
    averageWeeks: 52,
    spend: { averageUsd: 18_000, weeks: 3, lastWeekEnding: '2026-05-23', tier: '2' },
    next: { tier: '3', fromUsd: 30_000, missingUsd: 12_000 },
  },
};
