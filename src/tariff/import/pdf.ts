/**
 * The text of a PDF as words with positions, bounded in size, time and memory. It is parsed in a process of its own: a
 * hostile one can keep the parser busy for ever without a pause.
 */
import { z } from 'zod';
import { PROCESS_LIMITS, type ProcessLimits } from '../../sandbox/run.ts';
import { confinedLines } from './confined-file.ts';
import { MAX_SOURCE_BYTES, RefusedFile } from './reading.ts';

const word = z.object({
  text: z.string(),
  /** Lengths are points, measured from the page's upper left corner as it is shown. */
  left: z.number(),
  right: z.number(),
  /** Baseline. */
  y: z.number(),
  size: z.number(),
});
/** One upright word. */
export type PdfWord = Readonly<z.output<typeof word>>;

const page = z.object({
  /** 1 for the first page of the file, whatever is printed on it. */
  number: z.number(),
  words: z.array(word).readonly(),
});
export type PdfPage = Readonly<z.output<typeof page>>;

export interface PdfTask {
  readonly maxPages: number;
  readonly maxWords: number;
}

export interface PdfLimits extends PdfTask {
  readonly processLimits: ProcessLimits;
}

/** The parser keeps the whole file and what it inflates. */
export const PDF_LIMITS: PdfLimits = {
  maxPages: 1_000,
  maxWords: 300_000,
  processLimits: { ...PROCESS_LIMITS, heapMb: 512, memoryMb: 1_024 },
};

/** `%PDF-` within the first 1,024 bytes, where every reader of PDFs looks for it. */
export const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1_024)).includes('%PDF-');

/**
 * Reads the words of every page, in the order in which the file draws them. Text that does not run from left to right
 * is left out.
 * @throws RefusedFile if the file is over a limit, damaged, encrypted or no PDF
 */
export const readPdf = async (
  bytes: Uint8Array,
  signal?: AbortSignal,
  { processLimits, ...task }: PdfLimits = PDF_LIMITS,
): Promise<readonly PdfPage[]> => {
  if (bytes.byteLength > MAX_SOURCE_BYTES)
    throw new RefusedFile(`the PDF has ${bytes.byteLength} bytes; at most ${MAX_SOURCE_BYTES} are read`);
  const pages: PdfPage[] = [];
  const read = { program: 'tariff/import/pdf-process', task, line: page, signal, limits: processLimits };
  for await (const one of confinedLines(bytes, read)) pages.push(one);
  return pages;
};
