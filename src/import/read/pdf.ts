/**
 * The text of a PDF as words with positions, limited in size, time and memory. A separate process parses it, because a
 * hostile PDF can keep the parser busy forever.
 */
import { z } from 'zod';
import { fileOf } from '../../base/process/programs.ts';
import { PROCESS_LIMITS, type ProcessLimits } from '../../files/sandbox/run.ts';
import { MAX_SOURCE_BYTES, parseInSandbox, RefusedFile } from './reader.ts';

const word = z.object({
  text: z.string(),
  /** Lengths are points from the upper left corner of the page as displayed. */
  left: z.number(),
  right: z.number(),
  /** Baseline. */
  y: z.number(),
  size: z.number(),
});
/** One upright word. */
export type PdfWord = Readonly<z.output<typeof word>>;

const page = z.object({
  /** 1 for the first page of the file, whatever number is printed on it. */
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

/** The parser keeps the whole file and its inflated streams in memory. */
export const PDF_LIMITS: PdfLimits = {
  maxPages: 1_000,
  maxWords: 300_000,
  processLimits: { ...PROCESS_LIMITS, heapMb: 512, memoryMb: 1_024 },
};

/** Whether `%PDF-` is within the first 1,024 bytes. */
export const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1_024)).includes('%PDF-');

/**
 * Reads the words of every page, in the order in which the file draws them. Omits text that does not run from left to
 * right.
 * @throws RefusedFile if the file is over a limit, damaged, encrypted or not a PDF
 */
export const readPdf = async (
  bytes: Uint8Array,
  signal?: AbortSignal,
  { processLimits, ...task }: PdfLimits = PDF_LIMITS,
): Promise<readonly PdfPage[]> => {
  if (bytes.byteLength > MAX_SOURCE_BYTES)
    throw new RefusedFile(`the PDF has ${bytes.byteLength} bytes; the limit is ${MAX_SOURCE_BYTES}`);
  const pages: PdfPage[] = [];
  const parser = { program: fileOf('import/read/pdf-process'), task, line: page, signal, limits: processLimits };
  for await (const one of parseInSandbox(bytes, parser)) pages.push(one);
  return pages;
};
