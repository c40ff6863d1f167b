/**
 * XML as it streams by, for the parts of a workbook: elements and texts, no document in memory. Bounded against hostile
 * files: no document type (where entities are declared), and no text or tag without an end.
 */
import { StringDecoder } from 'node:string_decoder';
import { SaxesParser } from 'saxes';
import { UnreadableFile } from '../unreadable-file.ts';

export interface XmlHandlers {
  /** Names are without their prefix. */
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** The longest text or tag: more than a cell can hold. */
const MOST_UNBROKEN = 4 * 1024 * 1024;

const prefixOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf(':')));
const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Tells the elements of the root's vocabulary from those of extensions: `x15:workbookPr` is not `workbookPr`. An element
 * is foreign if its prefix is not the root's, or if it redeclares the default namespace. A foreign element hides its
 * content if it redeclares the default, for its children then look like ours.
 */
const createVocabulary = () => {
  let rootPrefix: string | undefined;
  let rootSpace: string | undefined;
  let hidden = 0;
  const isOwn = (name: string): boolean => hidden === 0 && prefixOf(name) === rootPrefix;
  return {
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

/** Yields after each piece that was read, so that its reader can take what the handlers have gathered. */
export async function* readXml(content: AsyncIterable<Buffer>, handlers: XmlHandlers): AsyncGenerator<void> {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  const decoder = new StringDecoder('utf8');
  const vocabulary = createVocabulary();
  let unbroken = 0;
  const fail = (error: Error): never => {
    throw new UnreadableFile(`is damaged: ${error.message}`, { cause: error });
  };
  parser.on('error', fail);
  parser.on('doctype', () => fail(new Error('it declares a document type')));
  parser.on('opentag', ({ name, attributes }) => {
    unbroken = 0;
    if (vocabulary.open(name, attributes)) handlers.open?.(local(name), attributes);
  });
  parser.on('text', (text) => handlers.text?.(text));
  parser.on('cdata', (text) => handlers.text?.(text));
  parser.on('closetag', ({ name }) => {
    unbroken = 0;
    if (vocabulary.close(name)) handlers.close?.(local(name));
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
