/** Splits column names into words. `ShipTo Postal-Code`, `shiptopostalcode` and `ship_to_postal_code` have equal words. */
import { MOST_NAME_CHARACTERS } from './fields.ts';

/** Splits a constant of ours at its spaces. */
export const listed = (words: string): readonly string[] => words.split(' ').filter((word) => word !== '');

/** In characters. A longer text without separators is not split into known words. */
const LONGEST_RUN = 40;
/** The number of names whose results are kept. */
const MOST_KEPT = 1_000;

/** Keeps results by name, because a list asks for each name several times. Long names are read each time. */
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

/** Sides in one word: `lxwxh` or `lwh`. `LxWxH` is split at its capitals first, into `Lx`, `Wx` and `H`. */
const LETTERS_OF_SIDES = /^[lwhd]x$|^[lwhd]x?[lwhd]x?[lwhd]$/;

/** Splits a text into known words, longest first. Returns undefined if a part is unknown or a single letter. */
const splitRun = (run: string, known: ReadonlySet<string>, longest: number): readonly string[] | undefined => {
  // By start: the end of the first word, if the text from there consists of known words.
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
 * @returns a function that splits a name into lowercase words. A name that is too long has none
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
          // The plural in parentheses: `Package(s)`.
          .filter((word) => word !== '' && word !== 's')
          .flatMap(wordsIn),
  );
};
