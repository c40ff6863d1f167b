/** Tariffs, agreements, lists and scenarios that are made at random: the same seed makes the same. */
import { stringify } from 'csv-stringify/sync';
import type { AgreementDocument } from '../../../src/catalog/agreement/document.ts';
import type { TariffDocument, TariffFileInput } from '../../../src/catalog/tariff/document.ts';
import type { Scenario } from '../../../src/lists/comparison/scenario.ts';
import { randomFrom } from '../../bench/shipments.ts';
import { agreement, discounts, minimums, surcharges, zones } from '../../catalog/agreement/fixtures.ts';
import { smallTariff } from '../../catalog/tariff/small-tariff.ts';

export type Random = () => number;
export { randomFrom };

const below = (random: Random, most: number): number => Math.floor(random() * most);
export const pick = <T>(random: Random, values: readonly T[]): T => {
  const value = values[below(random, values.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
};

const usd = (cents: number): string => (cents / 100).toFixed(2);

type Surcharges = NonNullable<TariffFileInput['surcharges']>;

/** Fuel by week for some services, and other charges. */
const chargesOf = (code: (name: string) => string, raise: number): Surcharges => [
  {
    ...{ type: 'RESIDENTIAL', description: 'Residential', when: { residential: true } },
    amount: { per: 'package', usd: usd(400 + raise) },
  },
  {
    ...{ type: 'AREA', description: 'Area', when: { area: { list: 'small', tier: 'remote' } } },
    amount: { per: 'package', usd: { 'zone 8': usd(900 + raise), '*': usd(300) } },
  },
  {
    ...{ type: 'HANDLING_SIZE', description: 'Long', when: { lengthOverIn: 30 }, dearestOf: 'handling' },
    ...{ leastBillingWeightLb: 40, amount: { per: 'package', usd: usd(2_000 + raise) } },
  },
  {
    ...{ type: 'HANDLING_WEIGHT', description: 'Heavy', when: { actualWeightOverLb: 50 }, dearestOf: 'handling' },
    amount: { per: 'pound', usd: '0.45' },
  },
  {
    ...{ type: 'SIGNATURE', description: 'Signature', when: { signature: ['adult'] } },
    amount: { per: 'shipment', usd: '7.15' },
  },
  { type: 'VALUE', description: 'Declared value', amount: { per: 'declaredValue', usdPer100: '1.20' } },
  {
    ...{ type: 'FUEL', description: 'Fuel', services: [code('GRND'), code('AIR')] },
    amount: {
      per: 'percent',
      rate: [
        { from: '2026-01-05', rate: '17.50' },
        { from: '2026-06-01', rate: '18.25' },
        { from: '2027-01-04', rate: '19.00' },
      ],
      of: ['BASE', 'RESIDENTIAL', 'AREA'],
    },
  },
];

const NUMBERED = ['2', '5', '8'];
const AIR = ['202', '205', '208'];

/** Rates that no two services share, so that two services rarely cost the same. */
const ratesOf = (columns: readonly string[], first: number, raise: number) => ({
  columns,
  cents: Array.from({ length: 120 }, (_, row) => columns.map((__, at) => first + raise + 83 * at + (31 + at) * row)),
});

interface Make {
  readonly name: string;
  readonly prefix: string;
  readonly effective: string;
  readonly raise?: number;
}

/**
 * A carrier's tariff: ground with multiweight and prices per pound above the table, air with columns of other names, and small
 * packages by ounces and by volume, which have no fuel.
 */
export const madeTariff = ({ name, prefix, effective, raise = 0 }: Make): TariffDocument => {
  const code = (own: string): string => `${prefix}-${own}`;
  const service = { carrier: prefix, dimensionalFactor: 139, maximumActualLb: 150 };
  return smallTariff({
    file: {
      ...{ name, effective, surcharges: chargesOf(code, raise) },
      services: [
        {
          ...{ ...service, code: code('GRND'), description: 'Ground', zones: { distanceMiles: [300, 1_200] } },
          multiweight: { minimumTotalLb: 60, minimumAverageLb: 10 },
        },
        {
          ...{ ...service, code: code('AIR'), description: 'Air', zones: { distanceMiles: [600, 1_500] } },
          ...{ rateZones: { 202: 2, 205: 5, 208: 8 }, addressLineRequired: true },
        },
        {
          ...{ ...service, code: code('SMALL'), description: 'Small', zones: { distanceMiles: [300, 1_200] } },
          ...{ dimensionalFactor: 166, maximumActualLb: 20, refusesPoBox: true },
          ...{ cubic: { maximumActualLb: 20, maximumLengthIn: 18 }, sideRounding: 'none' as const },
        },
      ],
    },
    document: {
      rates: {
        [code('GRND')]: { ...ratesOf(NUMBERED, 811, raise), centsPerLbAboveTop: [40, 52, null] },
        [code('AIR')]: ratesOf(AIR, 2_303, raise),
        [code('SMALL')]: {
          ...{ columns: NUMBERED, cents: ratesOf(NUMBERED, 705, raise).cents.slice(0, 20) },
          ounces: [
            { upToOz: 4, cents: [401 + raise, 421, 451] },
            { upToOz: 12, cents: [512 + raise, 533, 566] },
          ],
        },
      },
      cubic: {
        [code('SMALL')]: {
          columns: NUMBERED,
          tiers: [
            { hundredths: 10, cents: [611 + raise, 655, 699] },
            { hundredths: 50, cents: [733 + raise, 788, null] },
          ],
        },
      },
      areas: { small: { rows: [{ zip: '995', tier: 'remote' }] } },
      multiweight: {
        [code('GRND')]: {
          columns: NUMBERED,
          breaks: [
            { fromLb: 60, centsPerLb: [31, 34, 41] },
            { fromLb: 120, centsPerLb: [27, 30, 37] },
          ],
        },
      },
    },
  });
};

/** An agreement with percentages, a cap, minimums, changed surcharges, a divisor and its own multiweight prices to two zones. */
export const madeAgreement = (name: string, prefix: string, seed: number): AgreementDocument => {
  const random = randomFrom(seed);
  const own = [`${prefix}-GRND`, `${prefix}-SMALL`];
  const percent = (): string => usd(1_000 + below(random, 6_000));
  return agreement(
    {
      discounts: discounts(
        { services: own, zones: zones('2-5'), toLb: 10, percent: percent() },
        { services: own, zones: zones('2-5'), fromLb: 11, percent: percent() },
        { services: own, zones: zones('8'), percent: percent() },
        { services: [`${prefix}-AIR`], percent: percent() },
      ),
      minimums: minimums(
        { services: own, address: 'residential', minimum: 'usd', value: '6.90' },
        { services: [`${prefix}-GRND`], address: 'commercial', minimum: 'less usd', value: '0.55' },
      ),
      surcharges: surcharges(
        { surcharge: 'RESIDENTIAL', change: 'percent off', value: '35.00' },
        { surcharge: 'FUEL', change: 'percent off', value: '12.00' },
      ),
      caps: { [`${prefix}-AIR`]: { columns: AIR, cents: ratesOf(AIR, 1_900, 0).cents } },
      multiweight: {
        [`${prefix}-GRND`]: {
          columns: ['8', '2'],
          perHundred: true,
          breaks: [{ fromLb: 80, centsPerLb: [2_071, 1_433] }],
        },
      },
    },
    {
      ...{ name, carrier: prefix, effective: '2025-06-01' },
      services: {
        [`${prefix}-GRND`]: { dimensionalFactor: 180, multiweight: { minimumTotalLb: 80, minimumAverageLb: 20 } },
        [`${prefix}-AIR`]: { rateCapPercent: '3.00' },
      },
    },
  );
};

export const COLUMNS = [
  'ref',
  'warehouse_id',
  'postalCode',
  'countryCode',
  'addressLine',
  'weight_value',
  'weight_units',
  'shippingService',
  'residential',
  'packages',
  'length',
  'width',
  'height',
  'dimension_units',
  'shipDate',
  'signature',
  'declared_value',
] as const;
export type Row = Record<(typeof COLUMNS)[number], string>;

export const listOf = (rows: readonly Row[]): Buffer =>
  Buffer.from(stringify([COLUMNS, ...rows.map((row) => COLUMNS.map((column) => row[column]))]));

const ZIPS = ['02139', '07030', '10001', '60601', '60601-1234', '90210', '99501', '96813', '00901', '12'];
const SOMETIMES = (random: Random, share: number, cell: () => string): string => (random() < share ? cell() : '');

export const madeRow = (random: Random, services: readonly string[], at: number): Row => {
  const several = random() < 0.15;
  const weight = (): string =>
    random() < 0.2 ? (below(random, 16) / 16).toFixed(4) : (random() * 98 + 0.1).toFixed(2);
  const sized = random() < 0.4;
  const side = (most: number): string => (sized ? String(1 + below(random, most)) : '');
  return {
    ref: `r${at}`,
    warehouse_id: pick(random, ['101', '101', '102', '103', 'any', '101|103', '999']),
    postalCode: pick(random, ZIPS),
    countryCode: SOMETIMES(random, 0.02, () => 'MX'),
    addressLine: SOMETIMES(random, 0.8, () => (random() < 0.1 ? 'PO Box 12' : '1 Main St')),
    weight_value: several ? [weight(), weight(), weight()].join('|') : weight(),
    weight_units: random() < 0.1 ? 'KG' : 'LB',
    shippingService: SOMETIMES(random, 0.6, () => pick(random, [...services, 'NONE'])),
    residential: SOMETIMES(random, 0.4, () => 'true'),
    packages: SOMETIMES(random, 0.1, () => '2'),
    length: side(random() < 0.8 ? 18 : 60),
    width: side(18),
    height: side(18),
    dimension_units: sized ? 'IN' : '',
    shipDate: SOMETIMES(random, 0.3, () => pick(random, ['2025-12-01', '2026-02-02', '2026-06-15', '2027-02-01'])),
    signature: SOMETIMES(random, 0.05, () => 'adult'),
    declared_value: SOMETIMES(random, 0.05, () => '730.50'),
  };
};

/** What scenarios can name. */
export interface Nameable {
  readonly services: readonly string[];
  readonly tariffs: readonly (string | string[])[];
  readonly agreements: readonly string[];
  readonly carriers: readonly string[];
}

const serviceChange = (random: Random, { services, carriers }: Nameable): Partial<Scenario> => {
  const kind = below(random, 6);
  if (kind === 0) return { service: 'cheapest' };
  if (kind === 1) return { service: pick(random, services) };
  if (kind === 2) return { serviceMap: { [pick(random, services)]: pick(random, services) } };
  return kind === 3 ? { carrier: pick(random, carriers) } : {};
};

/** A scenario of one to several changes. */
export const madeScenario = (random: Random, named: Nameable): Scenario => {
  const { services, tariffs, agreements } = named;
  const byService = (low: number, high: number): number | Record<string, number> => {
    const value = low + below(random, high - low);
    return random() < 0.5 ? value : { [pick(random, services)]: value };
  };
  const paying = below(random, 5);
  return {
    ...(random() < 0.3 ? { tariff: pick(random, tariffs) } : {}),
    ...(paying === 0 ? { agreement: pick(random, agreements) } : {}),
    ...(paying === 1 ? { discounts: { [pick(random, services)]: 12.5, [pick(random, services)]: 40 } } : {}),
    ...serviceChange(random, named),
    ...(random() < 0.2
      ? { warehouse: pick(random, [101, 102, 103, 'any' as const, [101, 102], [103, 102, 101]]) }
      : {}),
    ...(random() < 0.2 ? { shipDate: pick(random, ['2025-11-01', '2026-03-03', '2027-03-03']) } : {}),
    ...(random() < 0.25 ? { dimensionalFactor: byService(90, 250) } : {}),
    ...(random() < 0.25 ? { fuel: byService(5, 40) } : {}),
  };
};
