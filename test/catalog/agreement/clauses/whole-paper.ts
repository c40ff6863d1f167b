/**
 * A made-up agreement in the form of a public contract, with every kind of clause: a grid for ground and one for express, terms of
 * those who pay, tables of surcharges, fuel by the price of fuel, and a page of terms. Its tariff has two services and two zones.
 */
import { shifted } from '../../../../src/catalog/tariff/days.ts';
import type { TariffDocument } from '../../../../src/catalog/tariff/document.ts';
import { smallTariff } from '../../tariff/small-tariff.ts';
import { smallAgreement } from '../small-agreement.ts';

/** Cents of each whole pound: those of the first, and of each more, by zone. */
const rising = (first: readonly [number, number], more: readonly [number, number], rows = 150) => ({
  columns: ['2', '8'],
  cents: Array.from({ length: rows }, (_, at) => [first[0] + more[0] * at, first[1] + more[1] * at]),
});

const SERVICE = {
  ...{ carrier: 'Small', dimensionalFactor: 139, maximumActualLb: 150 },
  hasNo: ['fuel', 'residential', 'deliveryArea', 'handling', 'limits'] as const,
  zones: { distanceMiles: [500] },
};

const fuelOf = (code: string, rate: string) => ({
  ...{ type: 'FUEL', description: 'Fuel', services: [code] },
  amount: { per: 'percent' as const, rate, of: ['BASE', 'HANDLING', 'RESIDENTIAL'] },
});

export const PAPER_TARIFF: TariffDocument = smallTariff({
  file: {
    services: [
      { ...SERVICE, code: 'GROUND', description: 'Ground', hasNo: [...SERVICE.hasNo] },
      { ...SERVICE, code: 'EXPRESS', description: 'Express', hasNo: [...SERVICE.hasNo] },
    ],
    surcharges: [
      {
        ...{ type: 'HANDLING', description: 'Handling', when: { lengthOverIn: 48 } },
        amount: { per: 'package', usd: '15.00' },
      },
      {
        ...{ type: 'RESIDENTIAL', description: 'Home', when: { residential: true } },
        amount: { per: 'package', usd: '5.55' },
      },
      { type: 'PICKUP', description: 'Pickup', amount: { per: 'shipment', usd: '2.00' } },
      fuelOf('GROUND', '18.5'),
      fuelOf('EXPRESS', '22'),
    ],
  },
  document: {
    rates: {
      GROUND: rising([1_000, 1_500], [55, 95]),
      EXPRESS: rising([2_500, 3_900], [210, 330]),
    },
  },
});

/**
 * Three quarters of thirteen weeks: 117,000.00 in the fourth of 2025, 260,000.00 in the first of 2026, 130,000.00 in the second.
 * 600 packages a week, and 1,400 from the week to June 6: 800 on average of four weeks then.
 */
const WEEKS = Array.from({ length: 39 }, (_, at) => ({
  week: shifted('2025-10-04', 7 * at),
  usd: at < 13 ? 9_000 : at < 26 ? 20_000 : 10_000,
  packages: at < 35 ? 600 : 1_400,
}));

export const PAPER = smallAgreement(
  {
    discounts: `discount,better_of,services,zones,from_lb,to_lb,address,billing,applies_to,tier,percent,usd
Incentive,,GROUND,*,1,10,commercial,shipper,both,,18.00,
Incentive,,GROUND,*,1,10,residential,shipper,both,,9.50,
Incentive,,GROUND,*,11,,any,shipper,both,,24.25,
Incentive,,GROUND,*,1,,any,recipient|third_party,both,,6.00,
Returns,,GROUND,*,1,,any,return,both,,31.00,
Express,Best,EXPRESS,2,1,,any,*,both,,38.00,
Express,Best,EXPRESS,8,1,,any,*,both,,41.50,
Fallback,Best,EXPRESS,*,1,,any,*,both,,40.00,
Volume,,*,*,1,,any,shipper,both,A,2.00,
Volume,,*,*,1,,any,shipper,both,B,4.00,
Frequent,,EXPRESS,*,1,,any,shipper,both,P1,1.00,
Frequent,,EXPRESS,*,1,,any,shipper,both,P2,1.75,
Adjustment,,EXPRESS,*,1,,any,*,both,,-1.25,
Heavy,,GROUND,*,50,,any,*,packages,,,1.50
Together,,GROUND,*,1,,any,return,multiweight,,5.00,
`,
    minimums: `services,zones,address,billing,minimum,value,zone,weight_lb
GROUND,*,residential,shipper,less usd,0.50,2,1
GROUND,*,any,return,usd,5.00,,
GROUND,8,any,*,less usd,1.00,own,1
GROUND,*,any,*,less percent,20.00,2,1
EXPRESS,*,any,*,usd,12.00,,
`,
    surcharges: `surcharge,services,address,billing,from_lb,to_lb,tier,change,value,last_year
RESIDENTIAL,GROUND,residential,shipper,,,,amount off,1.75,
RESIDENTIAL,EXPRESS,residential,*,,,,exactly,6.00,
RESIDENTIAL,*,residential,*,,,,at most,4.00,5.00
HANDLING,*,any,return,,,,waived,,
HANDLING,*,any,shipper|recipient|third_party,,30,,percent off,40.00,
HANDLING,*,any,shipper|recipient|third_party,31,,B,percent off,25.00,
PICKUP,*,any,*,,,,fixed,1.25,
FUEL,GROUND,any,shipper,,,,points off,1.50,
FUEL,EXPRESS,any,*,,,,percent off,10.00,
ADDRESS_CORRECTION,*,any,*,,,,percent off,50.00,
`,
    fuel_index: `services,index,from_usd,percent
GROUND,diesel,0.00,14.00
GROUND,diesel,3.00,16.25
GROUND,diesel,3.40,18.75
EXPRESS,jet,0.00,17.00
EXPRESS,jet,2.20,19.50
`,
    fuel_prices: `index,from,usd
diesel,2026-03-02,2.955
diesel,2026-06-01,3.412
diesel,2026-06-08,3.204
jet,2026-03-02,2.105
jet,2026-06-08,2.200
`,
    tiers: `program,tier,from_usd,from_packages
Quarterly revenue,A,100000.00,
Quarterly revenue,B,250000.00,
Weekly packages,P1,,500
Weekly packages,P2,,800
`,
    spend: `week_ending,usd,packages
${WEEKS.map(({ week, usd, packages }) => `${week},${usd}.00,${packages}`).join('\n')}
`,
    notes: 'topic,text\nEarly termination,25% of the incentives of the last twelve months\n',
  },
  {
    file: {
      services: {
        GROUND: {
          dimensionalFactor: 166,
          dimensionalOverCubicIn: 1_000,
          secondDivisor: { overCubicIn: 3_456, dimensionalFactor: 139 },
          multiweight: { minimumTotalLb: 60, minimumAverageLb: 40 },
        },
        EXPRESS: { rateCapPercent: '5', multiweight: { minimumTotalLb: 50, minimumAverageLb: 15 } },
      },
      earned: {
        programs: { 'Quarterly revenue': { period: 'quarter' }, 'Weekly packages': { averageWeeks: 4 } },
      },
    },
    tables: {
      caps: { EXPRESS: rising([1_500, 2_300], [120, 190], 20) },
      multiweight: {
        // By the hundredweight.
        GROUND: {
          ...{ columns: ['2', '8'], perHundred: true },
          breaks: [
            { fromLb: 60, centsPerLb: [4_815, 7_840] },
            { fromLb: 120, centsPerLb: [4_255, 7_115] },
          ],
        },
        // By the pound, to zone 8 alone.
        EXPRESS: { columns: ['8'], breaks: [{ fromLb: 50, centsPerLb: [198] }] },
      },
    },
  },
);
