/**
 * Exact quantities. Money is in integer cents, mass in units of 10 µg, length in units of 0.1 µm, and percentages in
 * basis points. A pound and a kilogram are both whole numbers of 10 µg. Floating-point errors never reach a result.
 */
declare const unit: unique symbol;
type Quantity<U extends string> = number & { readonly [unit]: U };

export type Cents = Quantity<'cents'>;
/** Integer count of 10 µg. */
export type Mass = Quantity<'10µg'>;
/** Integer count of 0.1 µm, in which an inch and a centimeter are both whole to three decimals. */
export type Length = Quantity<'0.1µm'>;
export type BasisPoints = Quantity<'basis points'>;

export type WeightUnit = 'LB' | 'KG';
export type LengthUnit = 'IN' | 'CM';

/** Requests do not accept ounces and grams. They are converted exactly to pounds and kilograms. */
export type WrittenWeightUnit = WeightUnit | 'OZ' | 'G';

const WEIGHTS: Readonly<Record<WrittenWeightUnit, readonly string[]>> = {
  LB: ['lb', 'lbs', 'pound', 'pounds'],
  KG: ['kg', 'kgs', 'kilo', 'kilos', 'kilogram', 'kilograms'],
  OZ: ['oz', 'ozs', 'ounce', 'ounces'],
  G: ['g', 'gm', 'gms', 'gram', 'grams'],
};
const LENGTHS: Readonly<Record<LengthUnit, readonly string[]>> = {
  IN: ['in', 'inch', 'inches'],
  CM: ['cm', 'cms', 'centimeter', 'centimeters', 'centimetre', 'centimetres'],
};

const byWord = <U extends string>(words: Readonly<Record<U, readonly string[]>>): ReadonlyMap<string, U> => {
  const units: [string, U][] = [];
  for (const unit in words) for (const word of words[unit]) units.push([word, unit]);
  return new Map(units);
};
export const WEIGHT_WORDS = byWord(WEIGHTS);
export const LENGTH_WORDS = byWord(LENGTHS);

const plain = (word: string): string => word.trim().toLowerCase().replace(/\.$/, '');

/** Returns the unit that a word names. Case and a final period do not matter: `Lbs.` is LB. */
export const weightUnitOf = (word: string): WrittenWeightUnit | undefined => WEIGHT_WORDS.get(plain(word));
export const lengthUnitOf = (word: string): LengthUnit | undefined => LENGTH_WORDS.get(plain(word));

const UNITS_PER_POUND = 45_359_237;
const UNITS_PER_KILOGRAM = 100_000_000;
const UNITS_PER_INCH = 254_000;
const UNITS_PER_CENTIMETER = 100_000;
const CUBIC_UNITS_PER_CUBIC_INCH = UNITS_PER_INCH ** 3;

export const cents = (value: number): Cents => value as Cents;
export const basisPoints = (value: number): BasisPoints => value as BasisPoints;

/** Converts a percentage with at most two decimals to basis points: `18.5` is 1850, `-0.5` is -50. */
export const basisPointsOf = (percentage: string): BasisPoints => {
  if (percentage.startsWith('-')) return basisPoints(-basisPointsOf(percentage.slice(1)));
  const [whole = '0', fraction = ''] = percentage.split('.');
  return basisPoints(Number(whole) * 100 + Number(fraction.padEnd(2, '0')));
};

export const pounds = (count: number): Mass => (count * UNITS_PER_POUND) as Mass;

/** Returns a decimal number as an integer and a count of decimal places, from its shortest form: 2.1 is 21 and 1. */
const decimal = (value: number): { digits: bigint; places: number } => {
  const [mantissa = '0', exponent = '0'] = value.toString().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 };
};

/** Returns ceil(value × units), exact for the decimal form of `value`. */
const scaleUp = (value: number, units: number): number => {
  const millionths = Math.round(value * 1e6);
  const product = millionths * units;
  if (millionths / 1e6 === value && product <= Number.MAX_SAFE_INTEGER) {
    const rest = product % 1e6;
    return (product - rest) / 1e6 + (rest > 0 ? 1 : 0);
  }
  const { digits, places } = decimal(value);
  const below = 10n ** BigInt(places);
  return Number((digits * BigInt(units) + below - 1n) / below);
};

/**
 * Converts a weight to mass, rounded up to the next 10 µg. A weight above a whole number of pounds stays above it, so
 * billing weights and limits are exact for any decimal.
 */
export const massOf = (value: number, units: WeightUnit): Mass =>
  scaleUp(value, units === 'LB' ? UNITS_PER_POUND : UNITS_PER_KILOGRAM) as Mass;

/** Returns the whole pounds that a mass is billed at. Any fraction of a pound rounds up. */
export const billedPounds = (mass: Mass): number => Math.ceil(mass / UNITS_PER_POUND);

/**
 * Returns the whole pounds that masses are billed at together. Each mass was rounded up by less than 10 µg, so one unit
 * of each does not count: 4 × 49.5 lb are 198 lb and no more.
 */
export const billedPoundsTogether = (masses: readonly Mass[]): number =>
  Math.ceil(masses.reduce<number>((sum, mass) => sum + mass - 1, 0) / UNITS_PER_POUND);

/** Converts a side to length, rounded up to the next 0.1 µm. A side above a whole number of inches stays above it. */
export const lengthOf = (value: number, units: LengthUnit): Length =>
  scaleUp(value, units === 'IN' ? UNITS_PER_INCH : UNITS_PER_CENTIMETER) as Length;

export const inches = (count: number): Length => (count * UNITS_PER_INCH) as Length;

/**
 * How a side is rounded before volume, length and girth are calculated: not at all, to the nearest inch (half an inch
 * up, at least one inch), or up to the next inch.
 */
export const SIDE_ROUNDINGS = ['none', 'nearest', 'up'] as const;
export type SideRounding = (typeof SIDE_ROUNDINGS)[number];

/** Returns a side in whole inches, as a tariff rounds it. */
export const wholeInches = (side: Length, rounding: 'nearest' | 'up'): number =>
  Math.max(1, rounding === 'up' ? Math.ceil(side / UNITS_PER_INCH) : Math.round(side / UNITS_PER_INCH));

/** Length, width and height, longest first. */
export type Sides = readonly [Length, Length, Length];

/** Bound of a quotient's relative floating-point error. A sum of 99 products of three has an error of about 10⁻¹⁴. */
const QUOTIENT_ERROR = 1e-12;

/** Returns the volume of all boxes divided by `cubicInches`, rounded up to a whole number. Exact. */
export const volumeOver = (boxes: readonly Sides[], cubicInches: number): number => {
  let volume = 0;
  for (const [length, width, height] of boxes) volume += length * width * height;
  const quotient = volume / (cubicInches * CUBIC_UNITS_PER_CUBIC_INCH);
  const nearest = Math.round(quotient);
  if (Math.abs(quotient - nearest) > QUOTIENT_ERROR * quotient) return Math.ceil(quotient);
  const units = boxes.reduce(
    (sum, [length, width, height]) => sum + BigInt(length) * BigInt(width) * BigInt(height),
    0n,
  );
  const divisor = BigInt(cubicInches) * BigInt(UNITS_PER_INCH) ** 3n;
  return Number((units + divisor - 1n) / divisor);
};

/** Returns a length in inches, rounded up to the hundredth, for people. */
export const inchesIn = (length: number): number => Math.ceil((length * 100) / UNITS_PER_INCH) / 100;

/** Returns a box's volume in hundredths of a cubic foot, rounded up. Exact. */
export const hundredthsOfCubicFeet = ([length, width, height]: Sides): number => {
  const units = BigInt(length) * BigInt(width) * BigInt(height) * 100n;
  const foot = (12n * BigInt(UNITS_PER_INCH)) ** 3n;
  return Number((units + foot - 1n) / foot);
};

/** Converts ounces to mass, rounded up as in `massOf`. */
export const ounces = (count: number): Mass => massOf(count / 16, 'LB');

/** Returns `rate` of `amount`, rounded half up to the cent. Neither may be negative. */
export const percentOf = (amount: number, rate: BasisPoints): Cents => {
  const product = amount * rate + 5_000;
  return ((product - (product % 10_000)) / 10_000) as Cents;
};

/** Returns cents as text in dollars, always with two decimals: 1288 is `12.88`. */
export const dollarText = (amount: number): string => {
  const sign = amount < 0 ? '-' : '';
  const rest = Math.abs(amount) % 100;
  return `${sign}${(Math.abs(amount) - rest) / 100}.${rest < 10 ? '0' : ''}${rest}`;
};

/** Returns cents as a JSON number of dollars. It is the nearest double to the exact decimal, so it prints exactly. */
export const dollars = (amount: number): number => amount / 100;
