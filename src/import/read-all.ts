/** Reads the files of an import, several at once. Files that need an origin from an operator come last. */
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { present } from '../base/present.ts';
import { systemCode } from '../catalog/tariff/folders.ts';
import type { ImportFile } from './newest.ts';
import type { ReadingProgress } from './progress.ts';
import { RefusedFile } from './read/reader.ts';
import { lacksOrigin, readSource } from './source.ts';

export interface FileToImport {
  readonly path: string;
  /** For a zone list that does not state it. */
  readonly origin?: string | undefined;
}

/** What an import reports and asks while it reads. */
export interface Asking {
  /** Called at the start, when a file begins to be read, and when a file has been read. */
  readonly onProgress?: (progress: ReadingProgress) => void;
  /**
   * Asks for the origin of a file that lacks it, while the others are read. Undefined: nobody entered one. Without this function,
   * nothing is read if a file lacks its origin.
   */
  readonly originOf?: (path: string) => Promise<string | undefined>;
}

export interface Refusal {
  readonly path: string;
  readonly reason: string;
  /** Whether the file needs an origin and nobody entered one. */
  readonly lacksOrigin: boolean;
}

/** Returns why a file could not be read. Rethrows any other failure. */
const reasonOf = (failure: unknown): string => {
  if (failure instanceof RefusedFile) return failure.message;
  if (systemCode(failure) !== undefined && failure instanceof Error) return failure.message;
  throw failure;
};

interface FileToRead extends FileToImport {
  readonly generation: number;
  readonly lacksOrigin: boolean;
}

/** Each file may take a separate process that needs much memory. */
const FILES_AT_ONCE = Math.min(4, availableParallelism());

const readOne = async (file: FileToRead, shipsFrom: readonly string[]): Promise<ImportFile | Refusal> => {
  const { path, origin, generation, lacksOrigin: lacked } = file;
  try {
    return { path, origin, generation, source: await readSource(path, { ...present({ origin }), shipsFrom }) };
  } catch (failure) {
    return { path, reason: reasonOf(failure), lacksOrigin: lacked && origin === undefined };
  }
};

export const isRefusal = (outcome: ImportFile | Refusal): outcome is Refusal => 'reason' in outcome;

/** Reads files. Files that lack their origin come last. @returns the outcomes, in the order given */
export const readAll = async (
  files: readonly FileToRead[],
  shipsFrom: readonly string[],
  { onProgress = () => undefined, originOf = async () => undefined }: Asking,
): Promise<(ImportFile | Refusal)[]> => {
  const outcomes: (ImportFile | Refusal)[] = [];
  const queue = [...files.entries()].sort(([, a], [, b]) => Number(a.lacksOrigin) - Number(b.lacksOrigin));
  const waiting = new Set(files.filter((file) => file.lacksOrigin).map(({ path }) => path));
  const reading = new Set<string>();
  const tell = (): void => {
    const [now, asked] = [reading, waiting].map((paths) => [...paths].map((path) => basename(path)));
    onProgress({ read: Object.keys(outcomes).length, of: files.length, reading: now ?? [], waiting: asked ?? [] });
  };
  const readSome = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [at, file] = next;
      const { path } = file;
      // If any file cannot be read, nothing is imported, so do not ask.
      const isAsked = waiting.has(path) && !outcomes.some(isRefusal);
      const origin = isAsked ? await originOf(path) : file.origin;
      waiting.delete(path);
      reading.add(path);
      tell();
      outcomes[at] = await readOne({ ...file, origin }, shipsFrom);
      reading.delete(path);
      tell();
    }
  };
  tell();
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, readSome));
  return outcomes;
};

/** Adds to each file whether it lacks its origin. Other problems of a file are reported when it is read. */
export const lacking = async (files: readonly FileToImport[], shipsFrom: readonly string[]) => {
  const look = async (file: FileToImport): Promise<boolean> => {
    try {
      return await lacksOrigin(file.path, { ...present({ origin: file.origin }), shipsFrom });
    } catch (failure) {
      reasonOf(failure);
      return false;
    }
  };
  const looked: (FileToImport & { readonly lacksOrigin: boolean })[] = [];
  for (const file of files) looked.push({ ...file, lacksOrigin: await look(file) });
  return looked;
};
