/** The small tariff with every part of the price. Fuel has rates of two weeks, from 2026-06-01 to 2026-06-14. */
import type { TariffDocument, TariffFileInput } from '../../../src/catalog/tariff/document.ts';
import { chartedTariff, type Parts } from './small-tariff.ts';

type Surcharge = NonNullable<TariffFileInput['surcharges']>[number];

const fee = (type: string, when: Surcharge['when'], more: Partial<Surcharge> = {}): Surcharge => ({
  type,
  description: type,
  when,
  amount: { per: 'package', usd: '1.00' },
  ...more,
});

const WEEKS = [
  { from: '2026-06-01', rate: '26' },
  { from: '2026-06-08', until: '2026-06-14', rate: '25.5' },
];

export const PARTS: readonly Surcharge[] = [
  fee('RESIDENTIAL', { residential: true }),
  fee('DELIVERY_AREA', { area: { list: 'small', tier: 'standard' } }),
  fee('DELIVERY_AREA_REMOTE', { area: { list: 'small', tier: 'remote' } }),
  fee('ADDITIONAL_HANDLING_DIMENSION', { anyOf: [{ lengthOverIn: 48 }] }),
  fee('SIGNATURE_ADULT', { signature: ['adult'] }),
  fee('SATURDAY_DELIVERY', { saturday: true }),
  fee('DECLARED_VALUE', {}, { amount: { per: 'declaredValue', usdPer100: '1.50' } }),
  fee('FUEL', {}, { amount: { per: 'percent', rate: WEEKS, of: ['BASE'] } }),
];

export const completeTariff = ({ file, service, document }: Parts = {}): TariffDocument =>
  chartedTariff({
    file: { surcharges: [...PARTS], ...file },
    service: { hasNo: [], maximumActualLb: 10, maximumLengthIn: 108, maximumLengthPlusGirthIn: 165, ...service },
    document: {
      areas: {
        small: {
          rows: [
            { zip: '02139', tier: 'standard' },
            { zip: '02140', tier: 'standard' },
            { zip: '02139', tier: 'standard' },
            { zip: '995', tier: 'remote' },
          ],
        },
      },
      ...document,
    },
  });
