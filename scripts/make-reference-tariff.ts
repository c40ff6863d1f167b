/**
 * Makes samples/tariffs/reference: three services of two made-up carriers at made-up prices, so that the service can quote
 * before a real tariff is imported. Run it with `npx tsx scripts/make-reference-tariff.ts`. It always writes the same
 * bytes.
 *
 * A price is a base that depends on the zone plus an amount per pound. Both grow faster with each zone. There are
 * charges of every kind that a carrier has, so that a quote shows the parts of a real price.
 */
import { fileURLToPath } from 'node:url';
import { type AreaList, type RateTable, type TariffFileInput, tariffFile } from '../src/catalog/tariff/document.ts';
import { writeTariffFolder } from '../src/catalog/tariff/folder.ts';

type Surcharge = NonNullable<TariffFileInput['surcharges']>[number];

const ZONES = [1, 2, 3, 4, 5, 6, 7, 8];
const HEAVIEST_LB = 150;

interface Prices {
  readonly firstPoundCents: number;
  readonly perZoneCents: number;
  readonly perPoundCents: number;
  readonly perPoundAndZoneCents: number;
}

const cellOf = (prices: Prices, zone: number, pounds: number): number =>
  prices.firstPoundCents +
  (zone - 1) * prices.perZoneCents +
  (pounds - 1) * (prices.perPoundCents + (zone - 1) * prices.perPoundAndZoneCents);

const tableOf = (prices: Prices): RateTable => ({
  columns: ZONES.map(String),
  cents: Array.from({ length: HEAVIEST_LB }, (_, index) => ZONES.map((zone) => cellOf(prices, zone, index + 1))),
  // Just above the last row, so that 151 lb of dimensional weight never costs less than 150 lb.
  centsPerLbAboveTop: ZONES.map((zone) => Math.ceil(cellOf(prices, zone, HEAVIEST_LB) / HEAVIEST_LB) + 1),
});

const rates = {
  'C1-GROUND': tableOf({ firstPoundCents: 880, perZoneCents: 45, perPoundCents: 34, perPoundAndZoneCents: 7 }),
  'C1-EXPRESS': tableOf({ firstPoundCents: 2450, perZoneCents: 380, perPoundCents: 95, perPoundAndZoneCents: 38 }),
  'C2-GROUND': tableOf({ firstPoundCents: 905, perZoneCents: 40, perPoundCents: 32, perPoundAndZoneCents: 8 }),
};

const zones = { distanceMiles: [50, 150, 300, 600, 1000, 1400, 1800] };
/** The service specification does not round sides. */
const sideRounding = 'none';
const area = (tier: string, residential: boolean) => ({ residential, area: { list: 'delivery-area', tier } });
/** Longer or thicker packages are not accepted. */
const groundLimits = { maximumLengthIn: 108, maximumLengthPlusGirthIn: 165 };
const expressLimits = { maximumLengthIn: 119, maximumLengthPlusGirthIn: 165 };

/** Amounts for zones 1 and 2, for 3 and 4, for 5 and 6, and for the others. */
const byZone = (near: string, middle: string, far: string, farthest: string): Record<string, string> => ({
  ...{ '1': near, '2': near, '3': middle, '4': middle, '5': far, '6': far },
  '*': farthest,
});

/** A handling charge. If several apply to a package, only the most expensive one is charged. */
const handling = (
  type: string,
  description: string,
  when: Surcharge['when'],
  usd: Record<string, string>,
  least: { readonly leastBillingWeightLb?: number } = {},
): Surcharge => ({ type, description, when, dearestOf: 'handling', ...least, amount: { per: 'package', usd } });

const signature = (asked: 'indirect' | 'direct' | 'adult', description: string, usd: string): Surcharge => ({
  type: `SIGNATURE_${asked.toUpperCase()}`,
  description,
  when: { signature: [asked] },
  amount: { per: 'package', usd },
});

/** The charges that fuel is a percentage of. */
const FUELED = [
  'BASE',
  'RESIDENTIAL',
  'DELIVERY_AREA',
  'DELIVERY_AREA_EXTENDED',
  'ADDITIONAL_HANDLING_DIMENSION',
  'ADDITIONAL_HANDLING_WEIGHT',
  'ADDITIONAL_HANDLING_PACKAGING',
  'OVERSIZE',
  'DEMAND_RESIDENTIAL',
];

/** A carrier changes its fuel rate every week. This rate applies until somebody adds another one. */
const fuel = (services: string[], rate: string): Surcharge => ({
  type: 'FUEL',
  description: 'Fuel',
  services,
  amount: { per: 'percent', rate: [{ from: '2020-01-01', rate }], of: FUELED },
});

const file: TariffFileInput = {
  name: 'reference',
  description:
    'Made-up prices of two carriers that do not exist, for trying the service out. Import genuine tariffs with: rates tariff import',
  effective: '2020-01-01',
  fallback: true,
  // Territories and military post offices.
  notServed: ['006-009', '090-099', '340', '962-966', '96799', '969'],
  services: [
    {
      code: 'C1-GROUND',
      carrier: 'C1',
      description: 'Carrier 1 Ground',
      dimensionalFactor: 139,
      sideRounding,
      ...groundLimits,
      zones,
    },
    {
      code: 'C1-EXPRESS',
      carrier: 'C1',
      description: 'Carrier 1 Express',
      dimensionalFactor: 139,
      sideRounding,
      ...expressLimits,
      zones,
    },
    {
      code: 'C2-GROUND',
      carrier: 'C2',
      description: 'Carrier 2 Ground',
      addressLineRequired: true,
      dimensionalFactor: 166,
      sideRounding,
      ...groundLimits,
      zones,
    },
  ],
  surcharges: [
    {
      type: 'RESIDENTIAL',
      description: 'Residential delivery',
      when: { residential: true },
      amount: { per: 'package', usd: '5.15' },
    },
    {
      type: 'DELIVERY_AREA',
      description: 'Delivery area, residential',
      when: area('standard', true),
      amount: { per: 'package', usd: '4.20' },
    },
    {
      type: 'DELIVERY_AREA',
      description: 'Delivery area, commercial',
      when: area('standard', false),
      amount: { per: 'package', usd: '3.05' },
    },
    {
      type: 'DELIVERY_AREA_EXTENDED',
      description: 'Extended delivery area, residential',
      when: area('extended', true),
      amount: { per: 'package', usd: '8.30' },
    },
    {
      type: 'DELIVERY_AREA_EXTENDED',
      description: 'Extended delivery area, commercial',
      when: area('extended', false),
      amount: { per: 'package', usd: '6.10' },
    },
    handling(
      'ADDITIONAL_HANDLING_DIMENSION',
      'Additional handling, dimension',
      {
        anyOf: [
          { lengthOverIn: 48 },
          { secondSideOverIn: 30 },
          { lengthPlusGirthOverIn: 105 },
          { cubicInchesOver: 10_368 },
        ],
      },
      byZone('19.50', '22.00', '24.50', '27.00'),
      { leastBillingWeightLb: 40 },
    ),
    handling(
      'ADDITIONAL_HANDLING_WEIGHT',
      'Additional handling, weight',
      { actualWeightOverLb: 50 },
      byZone('29.00', '33.00', '36.50', '40.00'),
    ),
    handling(
      'ADDITIONAL_HANDLING_PACKAGING',
      'Additional handling, packaging',
      { nonStandardPackaging: true },
      byZone('17.00', '19.00', '20.50', '22.50'),
    ),
    handling(
      'OVERSIZE',
      'Oversize',
      { anyOf: [{ lengthOverIn: 96 }, { lengthPlusGirthOverIn: 130 }, { cubicInchesOver: 17_280 }] },
      byZone('155.00', '170.00', '185.00', '200.00'),
      { leastBillingWeightLb: 90 },
    ),
    signature('indirect', 'Indirect signature', '5.60'),
    signature('direct', 'Direct signature', '6.80'),
    signature('adult', 'Adult signature', '8.40'),
    {
      type: 'SATURDAY_DELIVERY',
      description: 'Saturday delivery',
      services: ['C1-EXPRESS'],
      when: { saturday: true },
      amount: { per: 'package', usd: '16.00' },
    },
    {
      type: 'DECLARED_VALUE',
      description: 'Declared value',
      amount: { per: 'declaredValue', freeUsd: 100, usdPer100: '1.25', minimumUsd: '3.75' },
    },
    {
      // An example from a past season.
      type: 'DEMAND_RESIDENTIAL',
      description: 'Holiday demand, residential',
      from: '2024-10-28',
      until: '2025-01-12',
      when: { residential: true },
      amount: { per: 'package', usd: '0.65' },
    },
    fuel(['C1-GROUND', 'C2-GROUND'], '12.50'),
    fuel(['C1-EXPRESS'], '15.00'),
  ],
};

/** Sparsely populated areas, made up like the prices. */
const AREAS: Readonly<Record<string, readonly string[]>> = {
  standard: ['04619', '05820', '12920', '24216', '38632', '49770', '54540', '65548', '78836', '97848'],
  extended: ['59053', '69201', '79830', '82332', '83278', '84741', '89310', '96743', '99556', '99827'],
};

const areas: AreaList = {
  rows: Object.entries(AREAS).flatMap(([tier, zips]) => zips.map((zip) => ({ zip, tier }))),
};

await writeTariffFolder(fileURLToPath(new URL('../samples/tariffs/reference', import.meta.url)), {
  file: tariffFile.parse(file),
  rates,
  multiweight: {},
  cubic: {},
  charts: {},
  areas: { 'delivery-area': areas },
});
