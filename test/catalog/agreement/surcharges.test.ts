/** What an agreement charges instead of each kind of surcharge. */
import { describe, expect, test } from 'vitest';
import type { TariffFileInput } from '../../../src/catalog/tariff/document.ts';
import { chargedLines } from '../../../src/rating/price.ts';
import { missingParts } from '../../../src/rating/warning.ts';
import type { Asked } from '../../rating/priced.ts';
import { completeTariff } from '../tariff/complete-tariff.ts';
import { smallTariff } from '../tariff/small-tariff.ts';
import { agreement, discounts, fuel, priceWith, type SurchargeInput, surcharges, zones } from './fixtures.ts';

type Surcharge = NonNullable<TariffFileInput['surcharges']>[number];

const charge = (type: string, amount: Surcharge['amount'], more: Partial<Surcharge> = {}): Surcharge => ({
  ...{ type, description: type, amount },
  ...more,
});

const each = (usd: string) => ({ per: 'package' as const, usd });
const TARIFF = smallTariff({
  file: {
    surcharges: [
      charge('PACKAGE', each('5.15')),
      charge('POUND', { per: 'pound', usd: '0.25' }),
      charge('SHIPMENT', { per: 'shipment', usd: '7.00' }),
      charge('VALUE', { per: 'declaredValue', usdPer100: '1.45', minimumUsd: '4.35' }),
      charge('FUEL', { per: 'percent', rate: '18.25', of: ['BASE', 'PACKAGE'] }),
    ],
  },
});

/** Two packages of 2 lb to zone 2, each 11.00, with 1,000.00 of declared value. */
const TWO: Asked = { packages: [{ lb: 2 }, { lb: 2 }], options: { declaredValue: 1_000 } };

const amountsOf = (asked: Asked, tariff: typeof TARIFF, ...lines: SurchargeInput[]): Record<string, number> =>
  Object.fromEntries(
    chargedLines(priceWith(tariff, agreement({ surcharges: surcharges(...lines) }), asked)).map(
      ({ type, amountCents }) => [type, amountCents],
    ),
  );

describe('each change of each kind of amount', () => {
  // The list: 2 × 5.15; 4 × 0.25; 7.00; 10 × 1.45; 18.25% of 11.00 + 5.15, 2.947 for each package.
  const LIST = { PACKAGE: 1_030, POUND: 100, SHIPMENT: 700, VALUE: 1_450, FUEL: 590 };

  test('the list', () => {
    expect(amountsOf(TWO, TARIFF)).toEqual(LIST);
  });

  // Fuel is 18.25% of what is left: 11.00 and the surcharge.
  test.each<[string, SurchargeInput['change'], string, number, number]>([
    // 5.15 × 12.5% is 0.64375: 4.51. 18.25% of 15.51 is 2.8306.
    ['PACKAGE', 'percent off', '12.5', 902, 566],
    ['PACKAGE', 'amount off', '1.15', 800, 548],
    ['PACKAGE', 'amount off', '9.00', 0, 402],
    ['PACKAGE', 'fixed', '3.00', 600, 512],
    ['PACKAGE', 'fixed', '9.00', 1_030, 590],
    ['PACKAGE', 'at most', '4.00', 800, 548],
    ['PACKAGE', 'at most', '6.00', 1_030, 590],
    ['PACKAGE', 'waived', '', 0, 402],
    // 0.25 × 30% is 0.075: 0.17 a pound.
    ['POUND', 'percent off', '30', 68, 590],
    ['POUND', 'amount off', '0.05', 80, 590],
    ['POUND', 'fixed', '0.10', 40, 590],
    ['POUND', 'at most', '0.20', 80, 590],
    ['POUND', 'waived', '', 0, 590],
    ['SHIPMENT', 'percent off', '33.33', 467, 590],
    ['SHIPMENT', 'amount off', '2.50', 450, 590],
    ['SHIPMENT', 'fixed', '1.00', 100, 590],
    ['SHIPMENT', 'at most', '6.99', 699, 590],
    ['SHIPMENT', 'waived', '', 0, 590],
    ['VALUE', 'percent off', '25', 1_087, 590],
    ['VALUE', 'amount off', '4.50', 1_000, 590],
    ['VALUE', 'fixed', '5.00', 500, 590],
    ['VALUE', 'at most', '14.00', 1_400, 590],
    ['VALUE', 'waived', '', 0, 590],
    // 18.25 × 25% is 4.5625, so 4.56 points: 13.69% of 16.15 is 2.2109.
    ['FUEL', 'percent off', '25', 442, 442],
    ['FUEL', 'points off', '3.25', 484, 484],
    ['FUEL', 'points off', '30', 0, 0],
    ['FUEL', 'fixed', '10', 324, 324],
    ['FUEL', 'fixed', '20', 590, 590],
    ['FUEL', 'at most', '12.5', 404, 404],
    ['FUEL', 'waived', '', 0, 0],
  ])('%s %s %s', (surcharge, change, value, cents, fuelCents) => {
    const { FUEL = 0, ...sums } = amountsOf(TWO, TARIFF, { surcharge, change, value });
    const { FUEL: _, ...listed } = LIST;
    const expected = surcharge === 'FUEL' ? listed : { ...listed, [surcharge]: cents };
    expect(sums).toEqual(Object.fromEntries(Object.entries(expected).filter(([, amount]) => amount > 0)));
    expect(FUEL).toBe(fuelCents);
  });
});

test('changes of one surcharge apply in the order of the file, a maximum last', () => {
  const fee = (...lines: Omit<SurchargeInput, 'surcharge'>[]) =>
    amountsOf({}, TARIFF, ...lines.map((line) => ({ surcharge: 'PACKAGE', ...line })))['PACKAGE'];
  // 5.15 - 1.00 is 4.15, less 10% 3.73 (0.415 is 0.42). 5.15 less 10% is 4.63, less 1.00 3.63.
  expect(fee({ change: 'amount off', value: '1.00' }, { change: 'percent off', value: '10' })).toBe(373);
  expect(fee({ change: 'percent off', value: '10' }, { change: 'amount off', value: '1.00' })).toBe(363);
  expect(fee({ change: 'at most', value: '4.00' }, { change: 'amount off', value: '1.00' })).toBe(400);
});

test('a change is of the types, services, zones and areas that it names', () => {
  const half = (line: Partial<SurchargeInput>) => ({
    surcharge: 'DELIVERY_AREA*',
    change: 'percent off' as const,
    value: '50',
    ...line,
  });
  const near = (line: Partial<SurchargeInput>, to = '02139') => {
    const amounts = amountsOf({ to, residential: true }, completeTariff(), half(line));
    return [amounts['DELIVERY_AREA'], amounts['DELIVERY_AREA_REMOTE'], amounts['RESIDENTIAL']];
  };
  const [remote, none] = ['99501', undefined];
  expect([near({}), near({}, remote)]).toEqual([
    [50, none, 100],
    [none, 50, 100],
  ]);
  expect([near({ area: 'standard' }), near({ area: 'standard' }, remote)]).toEqual([
    [50, none, 100],
    [none, 100, 100],
  ]);
  expect([near({ surcharge: 'DELIVERY_AREA' }), near({ surcharge: 'DELIVERY_AREA' }, remote)]).toEqual([
    [50, none, 100],
    [none, 100, 100],
  ]);
  expect([near({ zones: zones('2') }), near({ zones: zones('8') })]).toEqual([
    [50, none, 100],
    [100, none, 100],
  ]);
  expect([near({ services: ['GROUND'] }), near({ services: ['AIR'] })]).toEqual([
    [50, none, 100],
    [100, none, 100],
  ]);
});

test('which surcharge of a group applies is decided by the list', () => {
  const group = { dearestOf: 'handling' };
  const tariff = smallTariff({
    file: {
      surcharges: [
        charge('LONG', each('20.00'), { when: { lengthOverIn: 10 }, ...group }),
        charge('HEAVY', each('30.00'), { when: { actualWeightOverLb: 1 }, ...group }),
      ],
    },
  });
  const asked = { packages: [{ lb: 2, inches: [11, 1, 1] }] };
  expect(amountsOf(asked, tariff)).toEqual({ HEAVY: 3_000 });
  expect(amountsOf(asked, tariff, { surcharge: 'HEAVY', change: 'amount off', value: '25.00' })).toEqual({
    HEAVY: 500,
  });
  expect(amountsOf(asked, tariff, { surcharge: 'HEAVY', change: 'waived' })).toEqual({});
});

test('fuel is charged on the discounted base', () => {
  const document = agreement({
    discounts: discounts({ percent: '10' }),
    surcharges: surcharges({ surcharge: 'FUEL', change: 'percent off', value: '25' }),
  });
  const tariff = smallTariff({
    file: { surcharges: [charge('FUEL', { per: 'percent', rate: '18.25', of: ['BASE'] })] },
  });
  // 13.69% of 19.00 less 1.90 is 2.34099.
  expect(priceWith(tariff, document, { packages: [{ lb: 10 }] })).toMatchObject({
    discountCents: 190,
    surchargeCents: 234,
  });
});

describe('own fuel rates', () => {
  const document = agreement({
    fuel: fuel({ from: '2026-06-01', until: '2026-06-09', percent: '30' }, { from: '2026-06-11', percent: '5.5' }),
    surcharges: surcharges({ surcharge: 'FUEL', change: 'points off', value: '1' }),
  });
  const rate = (day: string) =>
    chargedLines(priceWith(completeTariff(), document, { day })).find(({ type }) => type === 'FUEL')?.amountCents;

  test('replace the tariff’s rates on their days, before other changes', () => {
    // The tariff: 26% from June 1, 25.5% from June 8 to 14. The base is 10.00.
    const days = ['2026-05-31', '2026-06-01', '2026-06-09', '2026-06-10', '2026-06-11', '2026-06-14', '2026-06-15'];
    expect(days.map(rate)).toEqual([undefined, 290, 290, 245, 45, 45, 45]);
  });
});

describe('a charge that the tariff lacks is not missing if the agreement waives it', () => {
  const LACKING = smallTariff({ service: { hasNo: [] } });
  const missingIn = (asked: Asked, ...lines: SurchargeInput[]): string =>
    missingParts(priceWith(LACKING, agreement({ surcharges: surcharges(...lines) }), asked).warnings).join(' ');
  const waived = (surcharge: string, line: Partial<SurchargeInput> = {}): SurchargeInput => ({
    ...{ surcharge, change: 'waived', ...line },
  });
  const HOME: Asked = { residential: true };
  const ALL = 'fuel residential deliveryArea handling limits';

  test.each<[string, Asked, SurchargeInput[], string]>([
    ['nothing', HOME, [], ALL],
    ['residential', HOME, [waived('RESIDENTIAL')], 'fuel deliveryArea handling limits'],
    ['fuel', HOME, [waived('FUEL')], 'residential deliveryArea handling limits'],
    ['100 percent off', HOME, [waived('FUEL', { change: 'percent off', value: '100.00' })], ALL.slice(5)],
    ['99.99 percent off', HOME, [waived('FUEL', { change: 'percent off', value: '99.99' })], ALL],
    ['an amount off', HOME, [waived('RESIDENTIAL', { change: 'amount off', value: '9999.99' })], ALL],
    ['every area', HOME, [waived('DELIVERY_AREA*')], 'fuel residential handling limits'],
    ['the standard area only', HOME, [waived('DELIVERY_AREA')], ALL],
    ['one tier of areas', HOME, [waived('DELIVERY_AREA*', { area: 'remote' })], ALL],
    ['everything', HOME, [waived('*')], 'limits'],
    ['some handling', HOME, [waived('ADDITIONAL_HANDLING*')], ALL],
    ['its service', HOME, [waived('FUEL', { services: ['GROUND'] })], ALL.slice(5)],
    ['another service', HOME, [waived('FUEL', { services: ['AIR'] })], ALL],
    ['its zone', HOME, [waived('FUEL', { zones: zones('2') })], ALL.slice(5)],
    ['another zone', HOME, [waived('FUEL', { zones: zones('8') })], ALL],
    ['its kind of address', HOME, [waived('FUEL', { address: 'residential' })], ALL.slice(5)],
    ['another kind of address', HOME, [waived('FUEL', { address: 'commercial' })], ALL],
    ['some weights', HOME, [waived('FUEL', { toLb: 5 })], ALL],
    ['heavier weights', HOME, [waived('FUEL', { fromLb: 2 })], ALL],
    ['a tier that is not earned', HOME, [waived('FUEL', { tier: '2' })], ALL],
    ['another billing', HOME, [waived('FUEL', { billing: ['return'] })], ALL],
    [
      'its billing',
      { options: { billing: 'return' } },
      [waived('FUEL', { billing: ['return'] })],
      'deliveryArea handling limits billing',
    ],
    [
      'its signature',
      { options: { signature: 'adult' } },
      [waived('SIGNATURE_ADULT')],
      'fuel deliveryArea handling limits',
    ],
    [
      'another signature',
      { options: { signature: 'adult' } },
      [waived('SIGNATURE_DIRECT')],
      'fuel deliveryArea handling limits signature',
    ],
    [
      'Saturday and the declared value',
      { options: { saturday: true, declaredValue: 500 } },
      [waived('SATURDAY_DELIVERY'), waived('DECLARED_VALUE')],
      'fuel deliveryArea handling limits',
    ],
  ])('%s', (_waived, asked, lines, missing) => {
    expect(missingIn(asked, ...lines)).toBe(missing);
  });

  test('an agreement that waives only other fees leaves the list price', () => {
    expect(priceWith(LACKING, agreement({ surcharges: surcharges(waived('PEAK')) })).terms).toBeUndefined();
  });

  test('after the last day of the agreement it is missing again', () => {
    const ended = agreement({ surcharges: surcharges(waived('FUEL')) }, { until: '2026-05-31' });
    expect(missingParts(priceWith(LACKING, ended, { day: '2026-05-31' }).warnings)).not.toContain('fuel');
    expect(missingParts(priceWith(LACKING, ended, { day: '2026-06-01' }).warnings)).toContain('fuel');
  });
});
