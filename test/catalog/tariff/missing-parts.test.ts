/** Parts of a price that a tariff lacks only for some homes or some area tiers. */
import { expect, test } from 'vitest';
import { checkSurcharges } from '../../../src/catalog/tariff/check/check-surcharges.ts';
import { missingParts } from '../../../src/rating/warning.ts';
import { priceOf } from '../../rating/priced.ts';
import { ANYWHERE, smallTariff } from './small-tariff.ts';

const amount = { per: 'package' as const, usd: '5.00' };
const home = { residential: true };
const areas = {
  far: {
    rows: [
      { zip: '995', tier: 'alaska' },
      { zip: '967', tier: 'hawaii' },
    ],
  },
};
const alaska = { area: { list: 'far', tier: 'alaska' } };

const tariffWith = (...surcharges: { readonly type: string; readonly when: object }[]) =>
  smallTariff({
    service: { zones: ANYWHERE, hasNo: ['fuel', 'handling', 'limits'] },
    file: { surcharges: surcharges.map((one) => ({ description: one.type, amount, ...one })) as never },
    document: { areas, rates: { GROUND: { columns: ['2'], cents: [[100]] } } },
  });

const missingAt = (tariff: ReturnType<typeof tariffWith>, asked: Parameters<typeof priceOf>[1]): readonly string[] =>
  missingParts(priceOf(tariff, asked).warnings);

test.each([
  ['large packages to homes', { type: 'OVERSIZE', when: { ...home, lengthOverIn: 96 } }, true],
  ['a residential charge of businesses', { type: 'RESIDENTIAL', when: { residential: false } }, true],
  ['homes in Alaska', { type: 'REMOTE', when: { ...home, ...alaska } }, true],
  ['all homes', { type: 'HOME', when: home }, false],
  ['homes, by the name', { type: 'RESIDENTIAL_DELIVERY', when: {} }, false],
])('a charge for %s', (_, charge, isMissing) => {
  const tariff = tariffWith(charge, { type: 'AREA', when: alaska });
  expect(missingAt(tariff, { residential: true }).includes('residential')).toBe(isMissing);
  expect(missingAt(tariff, {})).not.toContain('residential');
});

test('a tier without a charge is missing only where it is', () => {
  const some = tariffWith(
    { type: 'AREA', when: alaska },
    { type: 'DEMAND', when: { area: { list: 'far', tier: 'hawaii' } } },
  );
  expect(missingAt(some, { to: '96701' })).toEqual(['deliveryArea']);
  expect(missingAt(some, { to: '99501' })).toEqual([]);
  expect(missingAt(some, { to: '02139' })).toEqual([]);
  expect(checkSurcharges(some)).toEqual([
    {
      severity: 'warning',
      at: 'tariff.json surcharges',
      message: 'there is no charge of GROUND for the tier hawaii of areas/far.csv: quotes to it are incomplete',
      effect: 'incomplete',
    },
  ]);
  const all = tariffWith(
    { type: 'AREA', when: alaska },
    { type: 'AREA', when: { area: { list: 'far', tier: 'hawaii' } } },
  );
  expect(missingAt(all, { to: '96701' })).toEqual([]);
  expect(checkSurcharges(all)).toEqual([]);
});

test('a carrier without area charges lacks none', () => {
  const { file, ...rest } = tariffWith({ type: 'AREA', when: alaska });
  const [service] = file.services;
  if (service === undefined) throw new Error('no service');
  const none = {
    ...rest,
    file: { ...file, services: [{ ...service, hasNo: [...service.hasNo, 'deliveryArea' as const] }] },
  };
  expect(missingAt(none, { to: '96701' })).toEqual([]);
  expect(checkSurcharges(none)).toEqual([]);
});
