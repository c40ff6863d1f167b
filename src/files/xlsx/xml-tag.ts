/** Reads the attributes of an XML tag. */
import { missing } from '../../base/must.ts';
import { after, attributeText, damaged, FORBIDDEN, kindAt, NAME, NAME_START, nameOf, WHITE } from './xml-text.ts';

/** XML from some position on. */
export interface XmlSource {
  /** UTF-8, followed by a byte that XML does not allow. Loops stop there, so they do not check for the end. */
  readonly bytes: Uint8Array;
  /** The same bytes as Latin-1, so positions in both are equal. */
  readonly text: string;
}

const [QUOTE, APOSTROPHE, EQUAL] = [34, 39, 61] as const;
export const [SLASH, LESS, GREATER] = [47, 60, 62] as const;

/** Position that means that the source ends before the construct does. */
export const MORE = -1;

/** @throws {UnreadableFile} unless the source ends there */
export const unexpected = ({ bytes }: XmlSource, at: number, problem: string): typeof MORE => {
  if (at >= bytes.length - 1) return MORE;
  throw damaged((kindAt(bytes, at) & FORBIDDEN) !== 0 ? 'disallowed character.' : problem);
};

const UNNAMED = 'disallowed character in attribute name.';

/** @returns the position of the quote that ends a value, or `MORE` */
const valueEnd = (source: XmlSource, from: number, quote: number): number => {
  const { bytes } = source;
  let at = from;
  while (bytes[at] !== quote) {
    if (bytes[at] === LESS || (kindAt(bytes, at) & FORBIDDEN) !== 0)
      return unexpected(source, at, 'disallowed character.');
    at += 1;
  }
  return at;
};

/** Reads an attribute. @returns the position after it, or `MORE` */
const readAttribute = (source: XmlSource, from: number, attributes: Record<string, string>): number => {
  const { bytes, text } = source;
  if ((kindAt(bytes, from) & NAME_START) === 0) return unexpected(source, from, UNNAMED);
  const end = after(NAME, bytes, from);
  const equals = after(WHITE, bytes, end);
  if (bytes[equals] !== EQUAL) {
    const isOther = equals === end && bytes[end] !== GREATER;
    return unexpected(source, equals, isOther ? UNNAMED : 'attribute without value.');
  }
  const opening = after(WHITE, bytes, equals + 1);
  const quote = bytes[opening] ?? missing('a quote');
  if (quote !== QUOTE && quote !== APOSTROPHE) return unexpected(source, opening, 'unquoted attribute value.');
  const closing = valueEnd(source, opening + 1, quote);
  if (closing === MORE) return MORE;
  const name = nameOf(text.slice(from, end), 'attribute');
  if (name in attributes) throw damaged(`duplicate attribute: ${name}.`);
  attributes[name] = attributeText(text.slice(opening + 1, closing));
  return closing + 1;
};

/**
 * Reads attributes, from the end of a tag's name on.
 * @param attributes is filled; it has no prototype
 * @returns the position of the tag's `>` or `/>`, or `MORE`
 */
export const readAttributes = (source: XmlSource, from: number, attributes: Record<string, string>): number => {
  const { bytes } = source;
  let at = from;
  for (;;) {
    const next = after(WHITE, bytes, at);
    if (bytes[next] === GREATER || bytes[next] === SLASH) return next;
    if (next === at && at === from) return unexpected(source, at, 'disallowed character in tag name.');
    if (next === at) {
      const isName = (kindAt(bytes, at) & NAME_START) !== 0;
      return unexpected(source, at, isName ? 'no whitespace between attributes.' : UNNAMED);
    }
    at = readAttribute(source, next, attributes);
    if (at === MORE) return MORE;
  }
};
