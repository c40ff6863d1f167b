/** A list in a `multipart/form-data` body: the only part named `file`. */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { Failed } from '../../base/failed.ts';
import { createQuery } from '../batches/batch-options.ts';
import type { HttpFault, HttpResult } from '../faults.ts';

export interface FilePart {
  readonly filename: string | undefined;
  readonly content: AsyncIterable<Uint8Array>;
  /** Reads what follows the part. @returns the fault if there is a second `file` or an option */
  readonly rest: () => Promise<HttpFault | undefined>;
}

export const isMultipart = (req: IncomingMessage): boolean =>
  /^multipart\/form-data\s*(?:;|$)/i.test(req.headers['content-type'] ?? '');

const malformed: HttpFault = { type: 'request.malformedBody', reason: 'it is not multipart/form-data' };
const noFile: HttpFault = {
  type: 'createBatch.invalidFile',
  problems: { file: 'is missing: the form needs one part named file' },
};
const twoFiles: HttpFault = {
  type: 'createBatch.invalidFile',
  problems: { file: 'occurs twice: the form takes one list' },
};

/** An option in the form would have no effect. */
const inForm = (option: string): HttpFault => ({
  type: 'createBatch.invalidFile',
  problems: { [option]: `is an option: put it in the URL, as ?${option}=, instead of the form` },
});

/** A few parts that are neither the list nor an option are read and dropped. */
const LIMITS = { fieldSize: 1_024, parts: 22, headerPairs: 20 };

/** @returns the part `file` as soon as it begins, or what is wrong with the form */
export const readMultipart = async (
  body: AsyncIterable<Uint8Array>,
  headers: IncomingHttpHeaders,
): Promise<HttpResult<FilePart>> => {
  let parser: busboy.Busboy;
  try {
    parser = busboy({ headers, limits: LIMITS, defParamCharset: 'utf8' });
  } catch {
    return new Failed(malformed);
  }
  let parts = 0;
  let option: string | undefined;
  let broken: unknown;
  parser.on('partsLimit', () => {
    broken = new Error('the form has too many parts');
  });
  parser.on('field', (name) => {
    if (Object.hasOwn(createQuery.shape, name)) option = name;
  });
  const first = new Promise<{ filename: string | undefined; content: Readable } | undefined>((resolve) => {
    parser.on('file', (name, content, { filename }) => {
      // A form may break before its part is read, or while nothing reads it. The reader gets the error later.
      content.on('error', () => undefined);
      // Busboy 1.6.0 continues with its current bytes after it has given up or seen the end of the form. It never ends a
      // file that begins in these bytes, and then waits for it forever.
      if (parser.destroyed || Reflect.get(parser, '_complete') === true) {
        content.destroy();
        parser.destroy(new Error('the form continues after its end'));
        return;
      }
      if (name === 'file') parts += 1;
      if (name !== 'file' || parts > 1) content.resume();
      else resolve({ filename, content });
    });
    parser.on('close', () => resolve(undefined));
  });
  const parsing = pipeline(Readable.from(body, { objectMode: false }), parser).catch((error: unknown) => {
    broken = error;
  });
  const part = await Promise.race([first, parsing.then(() => first)]);
  if (part === undefined) {
    // The parser may close before the reason is known, for example on Node 24.
    await parsing;
    return new Failed(broken === undefined ? noFile : malformed);
  }
  return {
    ...part,
    rest: async () => {
      await parsing;
      if (broken !== undefined) return malformed;
      if (parts > 1) return twoFiles;
      return option === undefined ? undefined : inForm(option);
    },
  };
};
