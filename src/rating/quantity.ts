/**
 * Exact quantities. Money is integer cents, mass an integer count of 10 µg (in which a pound and a kilogram are both
 * whole), percentages are basis points. Nothing here uses floating-point arithmetic on a value that is not an integer.
 */
declare const unit: unique symbol;
type Quantity<U extends string> = number & { readonly [unit]: U };

export type Cents = Quantity<'cents'>;
/** Integer count of 10 µg. */
export type Mass = Quantity<'10µg'>;
export type BasisPoints = Quantity<'basis points'>;

export type WeightUnit = 'LB' | 'KG';
export type LengthUnit = 'IN' | 'CM';

const UNITS_PER_POUND = 45_359_237;
const UNITS_PER_KILOGRAM = 100_000_000;

export const cents = (value: number): Cents => value as Cents;
export const basisPoints = (value: number): BasisPoints => value as BasisPoints;
export const pounds = (count: number): Mass => (count * UNITS_PER_POUND) as Mass;

/** A decimal number as an integer and a count of decimal places, from its shortest form: 2.1 is 21 and 1. */
const decimal = (value: number): { digits: bigint; places: number } => {
  const [mantissa = '0', exponent = '0'] = value.toString().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 };
};

/** ceil(value × numerator / denominator), exact for the decimal number that `value` is written as. */
const scaleUp = (value: number, numerator: number, denominator: number): number => {
  const millionths = Math.round(value * 1e6);
  const product = millionths * numerator;
  const divisor = denominator * 1e6;
  if (millionths / 1e6 === value && product <= Number.MAX_SAFE_INTEGER) {
    const rest = product % divisor;
    return (product - rest) / divisor + (rest > 0 ? 1 : 0);
  }
  const { digits, places } = decimal(value);
  const below = BigInt(denominator) * 10n ** BigInt(places);
  return Number((digits * BigInt(numerator) + below - 1n) / below);
};

/**
 * A weight as mass, rounded up to the next 10 µg: a weight above a whole number of pounds stays above it, so billing
 * weights and limits are exact for any decimal.
 */
export const massOf = (value: number, units: WeightUnit): Mass =>
  scaleUp(value, units === 'LB' ? UNITS_PER_POUND : UNITS_PER_KILOGRAM, 1) as Mass;

/** Whole pounds that a mass is billed at: any fraction of a pound rounds up. */
export const billedPounds = (mass: Mass): number => Math.ceil(mass / UNITS_PER_POUND);

/** A dimension in whole inches, rounded up (1 in is 2.54 cm). */
export const wholeInches = (value: number, units: LengthUnit): number =>
  units === 'IN' ? Math.ceil(value) : scaleUp(value, 100, 254);

/** `rate` of `amount`, rounded half up to the cent. Both must not be negative. */
export const percentOf = (amount: number, rate: BasisPoints): Cents => {
  const product = amount * rate + 5_000;
  return ((product - (product % 10_000)) / 10_000) as Cents;
};

/** Cents as decimal text in dollars, always with two decimals: 1288 is `12.88`. */
export const dollarText = (amount: number): string => {
  const sign = amount < 0 ? '-' : '';
  const rest = Math.abs(amount) % 100;
  return `${sign}${(Math.abs(amount) - rest) / 100}.${rest < 10 ? '0' : ''}${rest}`;
};

/** Cents as the JSON number of dollars: the nearest double to the exact decimal, so it prints exactly. */
export const dollars = (amount: number): number => amount / 100;
