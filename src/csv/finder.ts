/** Looking for one character in text that is gone through from its beginning, as it is for every row of a list. */

/**
 * Where the first such character at or after a position is; beyond the text where there is none. Rising positions are
 * cheap.
 */
export const createFinder = (character: string): ((text: string, from: number) => number) => {
  /** The first at or after `since` is at `at`. */
  let since = 0;
  let at = -1;
  let within = '';
  return (text, from) => {
    // A list may repeat itself: the next text is equal to the one before, and scanned from its beginning again.
    const known = within === text && since <= from && from <= at;
    // Kept though it is equal: two texts that are equal and not the same are compared to their ends, at each row.
    within = text;
    if (known) return at;
    since = from;
    const found = text.indexOf(character, from);
    at = found === -1 ? text.length : found;
    return at;
  };
};
