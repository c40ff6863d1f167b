/** The services of USPS, as its price lists name them. */
import { MAIL_DAYS } from '../read/calendars.ts';
import type { CarrierService } from '../read/carrier.ts';
import { roundedUpFrom } from '../read/carrier-rules.ts';

/** Domestic Mail Manual, 201.8.1: dimensional weight counts above one cubic foot. */
const CUBIC_FOOT_IN = 1_728;

export const USPS_MAXIMUM_LB = 70;

/** Prices hold for each address that has a ZIP code, on Saturdays too. USPS sets no fuel surcharge. */
const MAIL: CarrierService['terms'] = {
  maximumActualLb: USPS_MAXIMUM_LB,
  dimensionalOverCubicIn: CUBIC_FOOT_IN,
  refusesPoBox: false,
  transit: MAIL_DAYS,
  hasNo: ['fuel', 'residential', 'deliveryArea', 'saturday'],
};
/** The most length plus girth, in inches. */
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

/** The day of the prices that count every inch, and a pound for each 139 cubic inches (Postal Service, 2026-05-11). */
const COUNTED_UP_FROM = '2026-07-12';

/** Sides were rounded to the nearest inch before (Domestic Mail Manual, 604.7.1.3). */
export const uspsSideRounding = (effective: string) => roundedUpFrom(COUNTED_UP_FROM, effective);

/** Cubic inches per pound, for prices of a day. */
export const uspsDimensionalFactor = (day: string): number => (day >= COUNTED_UP_FROM ? 139 : 166);
