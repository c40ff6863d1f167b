/** Reads folders that others may change or remove meanwhile. */
import type { Finding } from './document.ts';
import { error } from './findings.ts';

export const unreadable = (at: string, failure: unknown): Finding =>
  error(at, `cannot be read: ${failure instanceof Error ? failure.message : String(failure)}`);

/** Reads a folder. Returns a finding if it is unreadable or was removed after it was listed. @param file its main file */
export const tryRead = async <T>(file: string, read: () => Promise<T>): Promise<T | { findings: Finding[] }> => {
  try {
    return await read();
  } catch (failure) {
    // Other folders can still be read.
    if (systemCode(failure) === undefined) throw failure;
    return { findings: [unreadable(file, failure)] };
  }
};

/** The error code of a failed system call. Undefined for other failures. */
export const systemCode = (failure: unknown): string | undefined =>
  failure instanceof Error && 'code' in failure && typeof failure.code === 'string' ? failure.code : undefined;
