/** A fuel percentage, as operators type it. */

const PERCENT = /^(\d{1,3}(?:\.\d{1,2})?) ?%?$/;

/** Parses a fuel percentage; undefined if invalid. 0.215 is a spreadsheet's fraction, not 0.215%, and so is invalid. */
export const fuelPercent = (text: string): string | undefined => {
  const [, percent] = PERCENT.exec(text) ?? [];
  if (percent === undefined) return undefined;
  const value = Number(percent);
  return value === 0 || (value >= 1 && value <= 100) ? percent : undefined;
};

export const NOT_A_FUEL_PERCENT = 'not a percentage from 1 to 100 with at most two decimals, such as 21.5';
