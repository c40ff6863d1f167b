/** The services of USPS, as named in its price lists. */
import type { CarrierService } from '../read/carrier.ts';
import { MAIL_DAYS, roundedUpFrom } from '../read/carrier-rules.ts';

/** Domestic Mail Manual, 201.8.1: dimensional weight applies above one cubic foot. */
const CUBIC_FOOT_IN = 1_728;

export const USPS_MAXIMUM_LB = 70;

/** Prices apply to every address with a ZIP code, including Saturdays. USPS has no fuel surcharge. */
const MAIL: CarrierService['terms'] = {
  maximumActualLb: USPS_MAXIMUM_LB,
  dimensionalOverCubicIn: CUBIC_FOOT_IN,
  refusesPoBox: false,
  transit: MAIL_DAYS,
  hasNo: ['fuel', 'residential', 'deliveryArea', 'saturday'],
};
/** Maximum length plus girth, in inches. */
const GROUND: CarrierService['terms'] = { ...MAIL, maximumLengthPlusGirthIn: 130 };
const PRIORITY: CarrierService['terms'] = { ...MAIL, maximumLengthPlusGirthIn: 108 };

/** From the slowest to the fastest. */
export const USPS_SERVICES: readonly CarrierService[] = [
  {
    code: 'USPS-GA',
    description: 'USPS Ground Advantage, commercial',
    named: [['ground', 'advantage', 'comm']],
    terms: GROUND,
  },
  {
    code: 'USPS-GAR',
    description: 'USPS Ground Advantage, retail',
    named: [['ground', 'advantage', 'retail']],
    terms: GROUND,
  },
  {
    code: 'USPS-PM',
    description: 'USPS Priority Mail, commercial',
    named: [
      ['priority', 'mail', 'comm'],
      ['pm', 'comm'],
    ],
    terms: PRIORITY,
  },
  {
    code: 'USPS-PMR',
    description: 'USPS Priority Mail, retail',
    named: [
      ['priority', 'mail', 'retail'],
      ['pm', 'retail'],
    ],
    terms: PRIORITY,
  },
];

/** First day of prices that round sides up to the inch and use 139 cubic inches per pound (Postal Service, 2026-05-11). */
const COUNTED_UP_FROM = '2026-07-12';

/** Earlier, sides were rounded to the nearest inch (Domestic Mail Manual, 604.7.1.3). */
export const uspsSideRounding = (effective: string) => roundedUpFrom(COUNTED_UP_FROM, effective);

/** Cubic inches per pound, by the date of the prices. */
export const uspsDimensionalFactor = (day: string): number => (day >= COUNTED_UP_FROM ? 139 : 166);
