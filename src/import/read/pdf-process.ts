/** The sandboxed process that parses a PDF for `pdf.ts`. */
import { Console } from 'node:console';
import { fstatSync, readSync } from 'node:fs';
import type { ReadableStream } from 'node:stream/web';
import { confinedLines } from '../../files/sandbox/child.ts';
import { OverLimit, UnreadableFile } from '../../files/unreadable-file.ts';
import type { PdfPage, PdfTask, PdfWord } from './pdf.ts';

// The parser's warnings are not part of the output.
globalThis.console = new Console(process.stderr);

// The parser creates a DOMMatrix when it loads. Node has none, and the optional native canvas that provides one may be
// absent. Nothing is drawn here, so an empty class is enough.
if (!('DOMMatrix' in globalThis)) Object.assign(globalThis, { DOMMatrix: class {} });
const { getDocument, Util, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');

interface TextItem {
  readonly str: string;
  readonly transform: unknown[];
  readonly width: number;
}

/** Text items, and structure marks, which have no `str`. */
interface TextChunk {
  readonly items: readonly (TextItem | { readonly type: string })[];
}

const SLANT = 0.01;

/** The words of a run of text. Assumes that all characters in a run are equally wide. The ends of a run are exact. */
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

const reasonOf = (error: unknown): UnreadableFile => {
  if (error instanceof UnreadableFile) return error;
  if (error instanceof Error && error.name === 'PasswordException') return new UnreadableFile('is an encrypted PDF');
  const reason = error instanceof Error ? error.message : String(error);
  return new UnreadableFile(`is a damaged PDF: ${reason}`, { cause: error });
};

const open = (data: Uint8Array) =>
  getDocument({
    data,
    verbosity: VerbosityLevel.ERRORS,
    // Only text is needed: nothing is drawn, evaluated or fetched.
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
  }).promise;

const bytesOf = (fd: number): Uint8Array => {
  const bytes = new Uint8Array(fstatSync(fd).size);
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(fd, bytes, at, bytes.length - at, at);
    if (read === 0) break;
    at += read;
  }
  return bytes;
};

async function* pagesOf(bytes: Uint8Array, { maxPages, maxWords }: PdfTask): AsyncGenerator<PdfPage> {
  const document = await open(bytes);
  if (document.numPages > maxPages) throw new OverLimit('pages', String(maxPages));
  let count = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { transform } = page.getViewport({ scale: 1 });
    const words: PdfWord[] = [];
    // A stream, so that an endless page is refused before it fills the memory.
    const stream: ReadableStream<TextChunk> = page.streamTextContent();
    const reader = stream.getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      for (const item of chunk.value.items) if ('str' in item) words.push(...wordsOf(item, transform));
      if (count + words.length > maxWords) throw new OverLimit('words', String(maxWords));
    }
    count += words.length;
    yield { number, words };
    page.cleanup();
  }
}

await confinedLines<PdfTask, PdfPage>(async function* (task, fd) {
  try {
    yield* pagesOf(bytesOf(fd), task);
  } catch (error) {
    throw reasonOf(error);
  }
});
