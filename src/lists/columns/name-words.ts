/** Splits the name of a column into words: `ShipTo Postal-Code`, `shiptopostalcode` and `ship_to_postal_code` are the same. */
import { MOST_NAME_CHARACTERS } from './fields.ts';

/** Words between spaces, in a text of our own. */
export const listed = (words: string): readonly string[] => words.split(' ').filter((word) => word !== '');

/** The longest text without separators that is split by known words. */
const LONGEST_RUN = 40;
/** The names whose results are kept. */
const MOST_KEPT = 1_000;

/** Keeps the results for the last names: a list asks for each several times. Long names are read each time. */
export const remembered = <T>(read: (name: string) => T): ((name: string) => T) => {
  const kept = new Map<string, { readonly result: T }>();
  return (name) => {
    const before = kept.get(name);
    if (before !== undefined) return before.result;
    const result = read(name);
    if (kept.size >= MOST_KEPT) kept.clear();
    if (name.length <= MOST_NAME_CHARACTERS) kept.set(name, { result });
    return result;
  };
};

/** Sides in one word: `lxwxh` or `lwh`, and the `Lx` and `Wx` that capitals leave of `LxWxH`. */
const LETTERS_OF_SIDES = /^[lwhd]x$|^[lwhd]x?[lwhd]x?[lwhd]$/;

/** A text as known words only, the longest first; undefined if it has any other part. A single letter is no part. */
const splitRun = (run: string, known: ReadonlySet<string>, longest: number): readonly string[] | undefined => {
  // From the end: where the first word of a rest ends that consists of known words.
  const ends: (number | undefined)[] = [];
  ends[run.length] = run.length;
  for (let at = run.length - 2; at >= 0; at -= 1)
    for (let end = Math.min(run.length, at + longest); end >= at + 2 && ends[at] === undefined; end -= 1)
      if (ends[end] !== undefined && known.has(run.slice(at, end))) ends[at] = end;
  const words: string[] = [];
  for (let at = 0; at < run.length; ) {
    const end = ends[at];
    if (end === undefined) return undefined;
    words.push(run.slice(at, end));
    at = end;
  }
  return words;
};

/**
 * @param known the words that a text without separators may consist of
 * @returns splits a name into words in lower case. A name that is too long has none
 */
export const wordSplitter = (known: ReadonlySet<string>): ((name: string) => readonly string[]) => {
  const longest = Math.max(...[...known].map(({ length }) => length));
  const wordsIn = (run: string): readonly string[] => {
    if (known.has(run)) return [run];
    if (LETTERS_OF_SIDES.test(run)) return [...run];
    return (run.length > LONGEST_RUN ? undefined : splitRun(run, known, longest)) ?? [run];
  };
  return remembered((name) =>
    name.length > MOST_NAME_CHARACTERS
      ? []
      : name
          .replaceAll('#', ' number ')
          // Both lines of an address.
          .replaceAll('1&2', '1')
          .replaceAll(/(\p{Ll})(?=\p{Lu})|(\p{L})(?=\d)|(\d)(?=\p{L})/gu, '$& ')
          .toLowerCase()
          .split(/[^\p{L}\p{N}]+/u)
          // The plural in brackets: `Package(s)`.
          .filter((word) => word !== '' && word !== 's')
          .flatMap(wordsIn),
  );
};
