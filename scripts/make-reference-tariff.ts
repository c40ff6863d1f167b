/**
 * Makes samples/tariffs/reference: three services of two made-up carriers at made-up prices, so that the service can quote
 * before a genuine tariff is imported. Run it with `npx tsx scripts/make-reference-tariff.ts`. It always writes the same
 * bytes.
 *
 * A price is a base that depends on the zone plus an amount per pound. Both grow faster with each zone.
 */
import { fileURLToPath } from 'node:url';
import { type AreaList, type RateTable, type TariffFileInput, tariffFile } from '../src/tariff/document.ts';
import { writeTariffFolder } from '../src/tariff/folder.ts';

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
  // Just above the last row, so that 151 lb of dimensional weight never costs less than 150.
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
const area = (tier: string) => ({ area: { list: 'delivery-area', tier } });

const file: TariffFileInput = {
  name: 'reference',
  description:
    'Made-up prices of two carriers that do not exist, for trying the service out. Import genuine tariffs with: rates tariff import',
  effective: '2020-01-01',
  fallback: true,
  // Territories and military post offices.
  notServed: ['006-009', '090-099', '340', '962-966', '96799', '969'],
  services: [
    { code: 'C1-GROUND', carrier: 'C1', description: 'Carrier 1 Ground', dimensionalFactor: 139, sideRounding, zones },
    {
      code: 'C1-EXPRESS',
      carrier: 'C1',
      description: 'Carrier 1 Express',
      dimensionalFactor: 139,
      sideRounding,
      zones,
    },
    {
      code: 'C2-GROUND',
      carrier: 'C2',
      description: 'Carrier 2 Ground',
      addressLineRequired: true,
      dimensionalFactor: 166,
      sideRounding,
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
      description: 'Delivery area',
      when: area('standard'),
      amount: { per: 'package', usd: '4.20' },
    },
    {
      type: 'DELIVERY_AREA_EXTENDED',
      description: 'Extended delivery area',
      when: area('extended'),
      amount: { per: 'package', usd: '8.30' },
    },
    {
      type: 'FUEL',
      description: 'Fuel',
      services: ['C1-GROUND', 'C2-GROUND'],
      amount: {
        per: 'percent',
        rate: '12.50',
        of: ['BASE', 'RESIDENTIAL', 'DELIVERY_AREA', 'DELIVERY_AREA_EXTENDED'],
      },
    },
    {
      type: 'FUEL',
      description: 'Fuel',
      services: ['C1-EXPRESS'],
      amount: {
        per: 'percent',
        rate: '15.00',
        of: ['BASE', 'RESIDENTIAL', 'DELIVERY_AREA', 'DELIVERY_AREA_EXTENDED'],
      },
    },
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
