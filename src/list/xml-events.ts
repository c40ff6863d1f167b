/**
 * XML as it streams by, for the parts of a workbook: elements and texts, no document in memory. Bounded against files made
 * to harm: no document type (where entities are declared), and no text or tag without an end.
 */
import { StringDecoder } from 'node:string_decoder';
import { SaxesParser } from 'saxes';

/** A part of a workbook that is not what it should be, or more than may be read. */
export class UnreadablePart extends Error {
  readonly problem: string;
  constructor(problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.name = 'UnreadablePart';
    this.problem = problem;
  }
}

/** A part that would be more work than a genuine list is. */
export class OverLimit extends UnreadablePart {
  readonly limit: string;
  readonly most: string;
  /** @param most of it that is allowed, with its unit */
  constructor(limit: string, most: string) {
    super(`is too large to read: ${limit} is at most ${most}; save it as CSV`);
    this.name = 'OverLimit';
    this.limit = limit;
    this.most = most;
  }
}

export interface XmlHandlers {
  /** Names are without their prefix. */
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** The longest text or tag: more than a cell can hold. */
const MOST_UNBROKEN = 4 * 1024 * 1024;

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Yields after each piece that was read, so that its reader can take what the handlers have gathered. */
export async function* readXml(content: AsyncIterable<Buffer>, handlers: XmlHandlers): AsyncGenerator<void> {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  const decoder = new StringDecoder('utf8');
  let unbroken = 0;
  const fail = (error: Error): never => {
    throw new UnreadablePart(`is damaged: ${error.message}`, { cause: error });
  };
  parser.on('error', fail);
  parser.on('doctype', () => fail(new Error('it declares a document type')));
  parser.on('opentag', ({ name, attributes }) => {
    unbroken = 0;
    handlers.open?.(local(name), attributes);
  });
  parser.on('text', (text) => handlers.text?.(text));
  parser.on('cdata', (text) => handlers.text?.(text));
  parser.on('closetag', ({ name }) => {
    unbroken = 0;
    handlers.close?.(local(name));
  });
  for await (const bytes of content) {
    unbroken += bytes.length;
    parser.write(decoder.write(bytes));
    if (unbroken > MOST_UNBROKEN + bytes.length) fail(new Error('it has a text without an end'));
    yield;
  }
  parser.write(decoder.end()).close();
  yield;
}
