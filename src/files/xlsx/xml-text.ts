/**
 * Characters and text of XML 1.0 (https://www.w3.org/TR/xml). XML is read as bytes. Its markup is ASCII, and no byte of
 * a longer UTF-8 sequence is ASCII.
 */
import { missing } from '../../base/must.ts';
import { decodeText } from '../csv/cell.ts';
import { UnreadableFile } from '../unreadable-file.ts';

/** Kinds of bytes, as bits. */
export const NAME_START = 1;
export const NAME = 2;
export const WHITE = 4;
/** The byte ends a text or is not shown as it is. */
export const ENDS_TEXT = 8;
const FORBIDDEN = 16;

const kinds = new Uint8Array(256);
const mark = (bits: number, ...ranges: readonly string[]): void => {
  for (const range of ranges)
    for (let code = range.charCodeAt(0); code <= range.charCodeAt(1); code += 1)
      kinds[code] = (kinds[code] ?? 0) | bits;
};
mark(NAME_START | NAME, '::', 'AZ', '__', 'az', '\x80\xff');
mark(NAME, '-.', '09');
mark(WHITE, '\t\n', '\r\r', '  ');
mark(ENDS_TEXT, '\r\r', '&&', '<<', '>>', '\x80\xff');
mark(FORBIDDEN | ENDS_TEXT, '\0\b', '\v\f', '\x0e\x1f');

const BYTE = 'a byte of XML';

export const kindAt = (bytes: Uint8Array, at: number): number => kinds[bytes[at] ?? missing(BYTE)] ?? missing(BYTE);

/** Returns the first position from `from` on whose byte is not of the kind. */
export const after = (kind: number, bytes: Uint8Array, from: number): number => {
  let at = from;
  while ((kindAt(bytes, at) & kind) !== 0) at += 1;
  return at;
};

const SHOWN_CHARACTERS = 200;

/** @param problem what is not well-formed. It may quote the file */
export const damaged = (problem: string): UnreadableFile =>
  new UnreadableFile(`is damaged: ${problem.slice(0, SHOWN_CHARACTERS)}`);

const ANY_NAME =
  /^[:A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}][\w:.\xb7\xc0-\xd6\xd8-\xf6\xf8-\u037d\u037f-\u1fff\u200c-\u200d\u203f-\u2040\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}-]*$/u;

/** @param raw bytes of the kind `NAME` as Latin-1 @param of what has the name */
export const nameOf = (raw: string, of: string): string => {
  if (/^[\w:.-]*$/.test(raw)) return raw;
  const name = decodeText(raw);
  if (!ANY_NAME.test(name)) throw damaged(`disallowed character in ${of} name.`);
  return name;
};

/** Returns whether XML allows a character, apart from forbidden bytes. */
const isCharacter = (code: number): boolean =>
  code <= 0x10_ffff && (code < 0xd800 || code >= 0xe000) && code !== 0xfffe && code !== 0xffff;

/** @param raw bytes as Latin-1 @returns their characters @throws {UnreadableFile} if one is not allowed */
export const allowed = (raw: string): string => {
  for (let at = 0; at < raw.length; at += 1)
    if (((kinds[raw.charCodeAt(at)] ?? FORBIDDEN) & FORBIDDEN) !== 0) throw damaged('disallowed character.');
  const text = decodeText(raw);
  if (text.includes('\ufffe') || text.includes('\uffff')) throw damaged('disallowed character.');
  return text;
};

const ENTITIES = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }));

/** @param reference such as `&lt;` or `&#x41;` */
const referred = (reference: string): string => {
  const name = reference.slice(1, -1);
  const known = ENTITIES.get(name);
  if (known !== undefined) return known;
  if (reference === '&;') throw damaged('empty entity name.');
  if (/^[A-Za-z_:][\w:.-]*$/.test(name)) throw damaged('undefined entity.');
  if (!name.startsWith('#')) throw damaged('disallowed character in entity name.');
  const code = /^#(?:\d+|x[\dA-Fa-f]+)$/.test(name) ? Number(name.slice(1).replace('x', '0x')) : Number.NaN;
  if (!isCharacter(code) || ((kinds[code] ?? 0) & FORBIDDEN) !== 0) throw damaged('malformed character entity.');
  return String.fromCodePoint(code);
};

/** Returns the value of an attribute. Line breaks and tabs become spaces. @param raw bytes as Latin-1 */
const attributeText = (raw: string): string => {
  if (/^[ -%'-~]*$/.test(raw)) return raw;
  return allowed(raw).replace(/\r\n?|[\t\n]|&[^;]*;?/g, (found) => (found.startsWith('&') ? referred(found) : ' '));
};

/** Returns the text between tags. @param raw bytes as Latin-1 */
export const elementText = (raw: string): string => {
  if (raw.includes(']]>')) throw damaged('the string "]]>" is disallowed in char data.');
  return allowed(raw).replace(/\r\n?|&[^;]*;?/g, (found) => (found.startsWith('&') ? referred(found) : '\n'));
};

/* Reads the attributes of an XML tag. */

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
