import { expect, it } from 'vitest';
import type { CarrierZones } from '../../src/import/merge/carrier-zones.ts';
import { missingOrigins } from '../../src/import/report/report.ts';

const ZONES: CarrierZones = {
  ...{ charts: {}, columnOf: {}, chartOf: new Map(), contradictions: [], warnings: [] },
  originsOf: new Map([['chart', ['070']]]),
};
const linesWith = (estimated: readonly string[]) =>
  missingOrigins({
    services: ['GROUND', 'AIR'].map((code) => ({ code, carrier: 'Small' })),
    estimated,
    byCarrier: new Map([['Small', ZONES]]),
    files: [],
    effective: '2026-01-01',
    origins: [{ zip5: '60601', label: '102 of demo' }],
  });

it('an origin without a chart has estimated zones only for services with zones by distance', () => {
  const origin = 'Small has no zone chart for the origin 60601 (102 of demo): ';
  const some = 'zones from there are estimated from the distance';
  expect([[], ['AIR'], ['AIR', 'GROUND']].map(linesWith)).toEqual([
    [['unpriced', `${origin}Small cannot be quoted from there`]],
    [['unpriced', `${origin}${some}; GROUND cannot be quoted from there`]],
    [['warnings', `${origin}${some}`]],
  ]);
});
