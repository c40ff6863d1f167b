/**
 * The text of a PDF as words with positions, bounded in size, time and memory. The PDF is parsed in a worker thread,
 * because a hostile one can keep the parser busy for ever without a pause: the thread is ended at the deadline, or when
 * the process has grown too much meanwhile.
 */
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { MAX_SOURCE_BYTES, RefusedFile } from './reading.ts';

/** One upright word. Lengths are points, measured from the page's upper left corner as it is shown. */
export interface PdfWord {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** Baseline. */
  readonly y: number;
  readonly size: number;
}

export interface PdfPage {
  /** 1 for the first page of the file, whatever is printed on it. */
  readonly number: number;
  readonly words: readonly PdfWord[];
}

export interface PdfLimits {
  readonly maxBytes: number;
  readonly maxPages: number;
  readonly maxWords: number;
  readonly deadlineMs: number;
  /** How much the whole process may grow while the PDF is read: stream data lies outside the thread's own heap. */
  readonly maxGrowthBytes: number;
}

export const PDF_LIMITS: PdfLimits = {
  maxBytes: MAX_SOURCE_BYTES,
  maxPages: 1_000,
  maxWords: 300_000,
  deadlineMs: 60_000,
  maxGrowthBytes: 1024 ** 3,
};

const WATCH_MS = 50;

const message = z.union([
  z.object({ refused: z.string() }),
  z.object({
    pages: z.array(
      z.object({
        number: z.number(),
        words: z.array(
          z.object({ text: z.string(), left: z.number(), right: z.number(), y: z.number(), size: z.number() }),
        ),
      }),
    ),
  }),
]);

/** `%PDF-` within the first 1,024 bytes, where every reader of PDFs looks for it. */
export const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1_024)).includes('%PDF-');

const startWorker = (bytes: Uint8Array, { maxPages, maxWords }: PdfLimits): Worker => {
  const options = {
    workerData: { bytes, maxPages, maxWords },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    // The parser prints warnings, which are not ours to print.
    stdout: true,
    stderr: true,
  };
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./pdf-worker.js', import.meta.url), options);
  // From source (tests, tsx): a thread does not inherit the TypeScript loader on Node 20.
  const entry = new URL('./pdf-worker.ts', import.meta.url).href;
  const start = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import(${JSON.stringify(entry)}); })`;
  return new Worker(start, { ...options, eval: true });
};

/**
 * Reads the words of every page, in the order in which the file draws them. Text that does not run from left to right
 * is left out.
 * @throws RefusedFile where the file is over a limit, damaged, encrypted or no PDF
 */
export const readPdf = async (
  bytes: Uint8Array,
  signal?: AbortSignal,
  limits: PdfLimits = PDF_LIMITS,
): Promise<readonly PdfPage[]> => {
  signal?.throwIfAborted();
  if (bytes.byteLength > limits.maxBytes)
    throw new RefusedFile(`the PDF has ${bytes.byteLength} bytes; at most ${limits.maxBytes} are read`);
  const worker = startWorker(bytes, limits);
  worker.stdout.resume();
  worker.stderr.resume();
  let least = process.memoryUsage.rss();
  const { promise, resolve, reject } = withResolvers<unknown>();
  const abort = () => reject(signal?.reason);
  const watch = setInterval(() => {
    const now = process.memoryUsage.rss();
    least = Math.min(least, now);
    if (now - least > limits.maxGrowthBytes) reject(new RefusedFile('the PDF needs too much memory to read'));
  }, WATCH_MS);
  const deadline = setTimeout(
    () => reject(new RefusedFile(`the PDF could not be read within ${limits.deadlineMs / 1000} seconds`)),
    limits.deadlineMs,
  );
  signal?.addEventListener('abort', abort, { once: true });
  worker.once('message', resolve);
  worker.once('error', (error: Error & { code?: string }) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') reject(new RefusedFile('the PDF needs too much memory to read'));
    else reject(new Error('reading the PDF failed', { cause: error }));
  });
  worker.once('exit', (code) => reject(new Error(`reading the PDF ended early (exit ${code})`)));
  try {
    const answer = message.parse(await promise);
    if ('refused' in answer) throw new RefusedFile(answer.refused);
    return answer.pages;
  } finally {
    clearInterval(watch);
    clearTimeout(deadline);
    signal?.removeEventListener('abort', abort);
    await worker.terminate();
  }
};

const withResolvers = <T>() => {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
};
