/** The services of USPS, as named in its price lists. */
import type { CarrierService } from '../read/carrier.ts';
import { MAIL_DAYS, roundedUpFrom } from '../read/carrier-rules.ts';

/** Domestic Mail Manual, 201.8.1: dimensional weight applies above one cubic foot. */
const CUBIC_FOOT_IN = 1_728;

export const USPS_MAXIMUM_LB = 70;

type Terms = CarrierService['terms'];

/** Prices apply to every address with a ZIP code, including Saturdays. USPS has no fuel surcharge. */
const MAIL: Terms = {
  maximumActualLb: USPS_MAXIMUM_LB,
  dimensionalOverCubicIn: CUBIC_FOOT_IN,
  refusesPoBox: false,
  transit: MAIL_DAYS,
  hasNo: ['fuel', 'residential', 'deliveryArea', 'saturday'],
};
/** Maximum length plus girth, in inches. */
const GROUND: Terms = { ...MAIL, maximumLengthPlusGirthIn: 130 };
const PRIORITY: Terms = { ...MAIL, maximumLengthPlusGirthIn: 108 };

/** A service with the words that its price lists have for the product and for the kind of price. */
const priced = (code: string, product: string, words: string[][], kind: string, named: string, terms: Terms) => {
  return { code, description: `USPS ${product}, ${kind}`, named: words.map((one) => [...one, named]), terms };
};

const ADVANTAGE = [['ground', 'advantage']];
const MAILED = [['priority', 'mail'], ['pm']];

/** From the slowest to the fastest. */
export const USPS_SERVICES: readonly CarrierService[] = [
  priced('USPS-GA', 'Ground Advantage', ADVANTAGE, 'commercial', 'comm', GROUND),
  priced('USPS-GAR', 'Ground Advantage', ADVANTAGE, 'retail', 'retail', GROUND),
  priced('USPS-PM', 'Priority Mail', MAILED, 'commercial', 'comm', PRIORITY),
  priced('USPS-PMR', 'Priority Mail', MAILED, 'retail', 'retail', PRIORITY),
];

/** First day of prices that round sides up to the inch and use 139 cubic inches per pound (Postal Service, 2026-05-11). */
const COUNTED_UP_FROM = '2026-07-12';

/** Earlier, sides were rounded to the nearest inch (Domestic Mail Manual, 604.7.1.3). */
export const uspsSideRounding = (effective: string) => roundedUpFrom(COUNTED_UP_FROM, effective);

/** Cubic inches per pound, by the date of the prices. */
export const uspsDimensionalFactor = (day: string): number => (day >= COUNTED_UP_FROM ? 139 : 166);
