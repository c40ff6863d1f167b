/** Checks of invariants. A missing value is an error. A default such as 0 or an empty text would hide it. */

/**
 * For inner loops: `value ?? missing('what it is')` is as cheap as a default, but `must` costs a call.
 * @throws {Error} always
 */
export const missing = (what: string): never => {
  throw new Error(`An invariant does not hold: ${what} is missing.`);
};

/**
 * Returns a value that is missing only if the program has a bug or a file is damaged.
 * @param what names the value in the error
 * @throws {Error} if the value is undefined or null
 */
export const must = <T>(value: T, what: string): NonNullable<T> => value ?? missing(what);
