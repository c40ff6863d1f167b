/**
 * Streams the XML of a workbook's parts as events, without a document in memory. For safety it rejects document types, which
 * can declare entities, and texts or tags that never end.
 */
import { StringDecoder } from 'node:string_decoder';
import { SaxesParser } from 'saxes';
import { UnreadableFile } from '../unreadable-file.ts';

export interface XmlHandlers {
  /** Names have no namespace prefix. */
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
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

/** Parses the XML. It yields after each piece, so that the caller can take what the handlers have collected. */
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
    if (unbroken > MOST_UNBROKEN + bytes.length) fail(new Error('it has a text or tag that is too long'));
    yield;
  }
  parser.write(decoder.end()).close();
  yield;
}
