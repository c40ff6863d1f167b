/** Reads folders that others may change or remove meanwhile. */
import type { Finding } from './document.ts';
import { error } from './findings.ts';
import { type ReadTariff, readTariffFolder } from './folder.ts';

export const unreadable = (at: string, failure: unknown): Finding =>
  error(at, `cannot be read: ${failure instanceof Error ? failure.message : String(failure)}`);

/** Like `readTariffFolder`, but returns a finding if a folder is unreadable or was removed after it was listed. */
export const tryReadFolder = async (dir: string): Promise<ReadTariff> => {
  try {
    return await readTariffFolder(dir);
  } catch (failure) {
    // Other folders can still be read.
    if (systemCode(failure) === undefined) throw failure;
    return { findings: [unreadable('tariff.json', failure)] };
  }
};

/** The error code of a failed system call. Undefined for other failures. */
export const systemCode = (failure: unknown): string | undefined =>
  failure instanceof Error && 'code' in failure && typeof failure.code === 'string' ? failure.code : undefined;
