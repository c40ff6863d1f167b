/** The thread in which `pdf.ts` has a PDF parsed. It answers once, with the pages or with why it refuses the file. */
import type { ReadableStream } from 'node:stream/web';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import type { PdfPage, PdfWord } from './pdf.ts';

// The parser makes one matrix for drawing as it is loaded, which Node has not. It takes that from a native canvas, an
// optional package that may be absent; nothing is drawn here, so that an empty class does.
if (!('DOMMatrix' in globalThis)) Object.assign(globalThis, { DOMMatrix: class {} });
const { getDocument, Util, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');

const task = z.object({ bytes: z.instanceof(Uint8Array), maxPages: z.number(), maxWords: z.number() });

interface TextItem {
  readonly str: string;
  readonly transform: unknown[];
  readonly width: number;
}

/** Text, and marks of the file's own structure, which have no `str`. */
interface TextChunk {
  readonly items: readonly (TextItem | { readonly type: string })[];
}

const SLANT = 0.01;

/** Words of a run of text. Within a run the characters are taken as equally wide; its ends are exact. */
const wordsOf = (item: TextItem, viewport: number[]): PdfWord[] => {
  const [a = 0, b = 0, , d = 0, x = 0, y = 0] = Util.transform(viewport, item.transform.map(Number));
  if (a <= 0 || Math.abs(b) > SLANT * a || d >= 0) return [];
  const perCharacter = item.width / item.str.length;
  return [...item.str.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    text,
    left: x + index * perCharacter,
    right: x + (index + text.length) * perCharacter,
    y,
    size: -d,
  }));
};

const read = async (): Promise<{ refused: string } | { pages: PdfPage[] }> => {
  const { bytes, maxPages, maxWords } = task.parse(workerData);
  const document = await getDocument({
    data: bytes,
    verbosity: VerbosityLevel.ERRORS,
    // Only text is wanted: nothing is drawn, evaluated or fetched.
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
  }).promise;
  if (document.numPages > maxPages)
    return { refused: `the PDF has ${document.numPages} pages; at most ${maxPages} are read` };
  const pages: PdfPage[] = [];
  let count = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { transform } = page.getViewport({ scale: 1 });
    const words: PdfWord[] = [];
    // As a stream, so that a page without end is refused before it is whole in memory.
    const stream: ReadableStream<TextChunk> = page.streamTextContent();
    const reader = stream.getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      for (const item of chunk.value.items) if ('str' in item) words.push(...wordsOf(item, transform));
      if (count + words.length > maxWords) return { refused: `the PDF has more than ${maxWords} words` };
    }
    count += words.length;
    pages.push({ number, words });
    page.cleanup();
  }
  return { pages };
};

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'the PDF could not be read';
  if (error.name === 'PasswordException') return 'the PDF is encrypted';
  return `the PDF is damaged: ${error.message}`;
};

parentPort?.postMessage(await read().catch((error: unknown) => ({ refused: reasonOf(error) })));
