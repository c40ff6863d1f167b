/**
 * Streams the XML of a workbook's parts as events, without a document in memory. It rejects what is not well-formed. For
 * safety it also rejects document types, which can declare entities, and texts or tags that never end.
 */
import { beginsWith } from '../file-signatures.ts';
import {
  after,
  allowed,
  damaged,
  ENDS_TEXT,
  elementText,
  GREATER,
  kindAt,
  LESS,
  MORE,
  NAME,
  NAME_START,
  nameOf,
  readAttributes,
  SLASH,
  unexpected,
  WHITE,
  type XmlSource,
} from './xml-text.ts';

export interface XmlHandlers {
  /** Names have no namespace prefix. */
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
  readonly usual?: Usual;
}

/**
 * The form of almost all elements of a part. A pattern matches an element several times faster than its tags and text
 * are read. Elements of any other form come as events.
 */
export interface Usual {
  /**
   * Sticky. It matches a whole, well-formed element without prefixes and escapes. It reads UTF-8 as Latin-1, so it must
   * not match bytes beyond ASCII.
   */
  readonly pattern: RegExp;
  readonly found: (match: RegExpExecArray) => void;
}

/** The longest text or tag, in bytes. A cell cannot hold as much. */
const MOST_UNBROKEN = 4 * 1024 * 1024;

const prefixOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf(':')));
const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Distinguishes elements of the root's namespace from those of extensions: `x15:workbookPr` is not `workbookPr`. An element
 * is foreign if its prefix is not the root's or if it redeclares the default namespace. If it redeclares the default
 * namespace, its children are skipped too, because they have the root's prefix.
 */
const createVocabulary = () => {
  let rootPrefix: string | undefined;
  let rootSpace: string | undefined;
  let hidden = 0;
  const isOwn = (name: string): boolean => hidden === 0 && prefixOf(name) === rootPrefix;
  return {
    /** Returns whether an element that is opened here belongs to the root's namespace. */
    isOwn,
    open: (name: string, { xmlns }: Readonly<Record<string, string>>): boolean => {
      if (rootPrefix === undefined) {
        rootPrefix = prefixOf(name);
        rootSpace = xmlns;
      } else if (hidden > 0 || (xmlns !== undefined && xmlns !== rootSpace)) hidden += 1;
      return isOwn(name);
    },
    close: (name: string): boolean => {
      const own = isOwn(name);
      hidden = Math.max(0, hidden - 1);
      return own;
    },
  };
};

/** Matches `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`. */
const DECLARATION =
  /^<\?xml[\t\n\r ]+version[\t\n\r ]*=[\t\n\r ]*(?:"1\.0"|'1\.0')(?:[\t\n\r ]+encoding[\t\n\r ]*=[\t\n\r ]*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?:[\t\n\r ]+standalone[\t\n\r ]*=[\t\n\r ]*(?:"yes"|"no"|'yes'|'no'))?[\t\n\r ]*$/;

const BOM = [0xef, 0xbb, 0xbf];
const CDATA = '<![CDATA[';
/** A byte that XML does not allow. */
const END = Buffer.of(0);

class XmlScanner {
  readonly #handlers: XmlHandlers;
  readonly #vocabulary = createVocabulary();
  /** The names of the open elements. */
  readonly #open: string[] = [];
  #source: XmlSource = { bytes: END, text: '\0' };
  /** The unread rest in pieces, and its length. */
  #rest: Buffer[] = [];
  #length = 0;
  /** A long rest is read again when it has doubled, so many small pieces cost no more than a large one. */
  #wanted = 0;
  #isAtStart = true;
  #isAtEnd = false;
  #sawRoot = false;
  #closedRoot = false;

  constructor(handlers: XmlHandlers) {
    this.#handlers = handlers;
  }

  write(piece: Buffer): void {
    this.#rest.push(piece);
    this.#length += piece.length;
    if (this.#length >= this.#wanted) this.#read();
  }

  end(): void {
    this.#isAtEnd = true;
    this.#read();
    if (!this.#sawRoot) throw damaged('document must contain a root element.');
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined) throw damaged(`unclosed tag: ${unclosed}`);
    if (this.#length > 0) throw damaged('unexpected end.');
  }

  #read(): void {
    const bytes = Buffer.concat([...this.#rest, END]);
    this.#source = { bytes, text: bytes.toString('latin1') };
    const last = bytes.length - 1;
    let at = this.#isAtStart && beginsWith(bytes, BOM) ? BOM.length : 0;
    while (at < last) {
      const next = bytes[at] === LESS ? this.#readMarkup(at) : this.#readText(at);
      if (next === MORE) break;
      at = next;
      this.#isAtStart = false;
    }
    this.#length = last - at;
    this.#rest = [bytes.subarray(at, last)];
    if (this.#length > MOST_UNBROKEN) throw damaged('it has a text or tag that is too long');
    this.#wanted = Math.min(2 * this.#length, MOST_UNBROKEN + 1);
  }

  #readText(from: number): number {
    const { bytes, text } = this.#source;
    let end = from;
    while ((kindAt(bytes, end) & ENDS_TEXT) === 0) end += 1;
    const isPlain = bytes[end] === LESS;
    if (!isPlain) end = text.indexOf('<', end);
    if (end === -1 && !this.#isAtEnd) return MORE;
    if (end === -1) end = bytes.length - 1;
    if (this.#open.length === 0 && after(WHITE, bytes, from) < end) throw damaged('text data outside of root node.');
    const raw = text.slice(from, end);
    const shown = isPlain ? raw : elementText(raw);
    if (this.#open.length > 0) this.#handlers.text?.(shown);
    return end;
  }

  #readMarkup(from: number): number {
    const { bytes, text } = this.#source;
    if ((kindAt(bytes, from + 1) & NAME_START) !== 0) return this.#readUsual(from) ?? this.#readOpening(from);
    if (bytes[from + 1] === SLASH) return this.#readClosing(from);
    if (text.startsWith('<?', from)) return this.#readInstruction(from);
    if (text.startsWith('<!--', from)) return this.#readComment(from);
    if (text.startsWith(CDATA, from)) return this.#readCdata(from);
    if (text.startsWith('<!DOCTYPE', from)) throw damaged('it declares a document type');
    if (!text.startsWith('<!', from)) return unexpected(this.#source, from + 1, 'disallowed character in tag name');
    return unexpected(this.#source, from + CDATA.length - 1, 'incorrect syntax.');
  }

  /** @returns undefined if the element does not have the usual form */
  #readUsual(from: number): number | undefined {
    const { usual } = this.#handlers;
    if (usual === undefined || this.#open.length === 0 || !this.#vocabulary.isOwn('')) return undefined;
    usual.pattern.lastIndex = from;
    const match = usual.pattern.exec(this.#source.text);
    if (match === null) return undefined;
    usual.found(match);
    return from + match[0].length;
  }

  #readOpening(from: number): number {
    const { bytes, text } = this.#source;
    const end = after(NAME, bytes, from + 1);
    if (this.#closedRoot) throw damaged('documents may contain only one root.');
    this.#sawRoot = true;
    const attributes: Record<string, string> = Object.create(null);
    const at = readAttributes(this.#source, end, attributes);
    if (at === MORE) return MORE;
    const isEmpty = bytes[at] === SLASH;
    if (isEmpty && bytes[at + 1] !== GREATER)
      return unexpected(this.#source, at + 1, 'forward-slash in opening tag not followed by >.');
    const name = nameOf(text.slice(from + 1, end), 'tag');
    if (this.#vocabulary.open(name, attributes)) this.#handlers.open?.(local(name), attributes);
    if (isEmpty) this.#close(name);
    else this.#open.push(name);
    return isEmpty ? at + 2 : at + 1;
  }

  #readClosing(from: number): number {
    const { bytes, text } = this.#source;
    const end = after(NAME, bytes, from + 2);
    const at = after(WHITE, bytes, end);
    if (bytes[at] !== GREATER) return unexpected(this.#source, at, 'disallowed character in closing tag.');
    const name = nameOf(text.slice(from + 2, end), 'tag');
    if (name === '') throw damaged('weird empty close tag.');
    const open = this.#open.pop();
    if (open !== name) throw damaged(open === undefined ? `unmatched closing tag: ${name}.` : 'unexpected close tag.');
    this.#close(name);
    return at + 1;
  }

  #close(name: string): void {
    if (this.#vocabulary.close(name)) this.#handlers.close?.(local(name));
    this.#closedRoot = this.#open.length === 0;
  }

  #readInstruction(from: number): number {
    const { bytes, text } = this.#source;
    const end = text.indexOf('?>', from + 2);
    if (end === -1) return MORE;
    const nameEnd = after(NAME, bytes, from + 2);
    const name = nameOf(text.slice(from + 2, nameEnd), 'processing instruction');
    if (name === '') throw damaged('processing instruction without a target.');
    if ((kindAt(bytes, from + 2) & NAME_START) === 0 || (nameEnd < end && (kindAt(bytes, nameEnd) & WHITE) === 0))
      throw damaged('disallowed character in processing instruction name.');
    const instruction = allowed(text.slice(from, end));
    if (name.toLowerCase() === 'xml') {
      if (!this.#isAtStart || name !== 'xml') throw damaged('an XML declaration must be at the start of the document.');
      if (!DECLARATION.test(instruction)) throw damaged('its XML declaration is not one of XML 1.0');
    }
    return end + 2;
  }

  #readComment(from: number): number {
    const { bytes, text } = this.#source;
    const end = text.indexOf('--', from + 4);
    if (end === -1) return MORE;
    if (bytes[end + 2] !== GREATER) return unexpected(this.#source, end + 2, 'malformed comment.');
    allowed(text.slice(from, end));
    return end + 3;
  }

  #readCdata(from: number): number {
    const { text } = this.#source;
    if (this.#open.length === 0) throw damaged('text data outside of root node.');
    const end = text.indexOf(']]>', from);
    if (end === -1) return MORE;
    const shown = allowed(text.slice(from + CDATA.length, end)).replace(/\r\n?/g, '\n');
    this.#handlers.text?.(shown);
    return end + 3;
  }
}

/** Parses the XML. It yields after each piece, so that the caller can take what the handlers have collected. */
export async function* readXml(content: AsyncIterable<Buffer>, handlers: XmlHandlers): AsyncGenerator<void> {
  const scanner = new XmlScanner(handlers);
  for await (const bytes of content) {
    scanner.write(bytes);
    yield;
  }
  scanner.end();
  yield;
}
