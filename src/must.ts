/** Invariants: a value that must be there is asked for, never replaced by a zero or an empty text. */

/**
 * Returns a value that cannot be missing unless the program has a bug or a file is damaged.
 * @param what names the value in the error
 * @throws {Error} if the value is undefined or null
 */
export const must = <T>(value: T, what: string): NonNullable<T> => {
  if (value === undefined || value === null) throw new Error(`An invariant does not hold: ${what} is missing.`);
  return value;
};
