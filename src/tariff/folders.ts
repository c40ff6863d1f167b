/** Tariffs that lie side by side in folders, judged as what they are together: each by itself, then beside the others. */
import { basename } from 'node:path';
import { checkTariff, hasErrors } from './check.ts';
import type { Finding, TariffDocument } from './document.ts';
import { type ReadTariff, readTariffFolder } from './folder.ts';
import { conflictsOf } from './schedule.ts';
import { systemCode } from './signature.ts';

export interface JudgedFolder {
  readonly name: string;
  /** `at` begins with the folder's name. */
  readonly findings: readonly Finding[];
  /** Absent where the findings have an error. */
  readonly document?: TariffDocument;
}

export const unreadable = (at: string, failure: unknown): Finding => ({
  severity: 'error',
  at,
  message: `cannot be read: ${failure instanceof Error ? failure.message : String(failure)}`,
});

/** As `readTariffFolder`; a folder that is closed to us, or gone since it was listed, has a finding that says so. */
export const readOrSay = async (dir: string): Promise<ReadTariff> => {
  try {
    return await readTariffFolder(dir);
  } catch (failure) {
    // One folder's matter, the others are read.
    if (systemCode(failure) === undefined) throw failure;
    return { findings: [unreadable('tariff.json', failure)] };
  }
};

/** A service that two have from one date on is an error of the latter. What does not check is not held against others. */
const judge = async (dir: string, before: readonly JudgedFolder[]): Promise<JudgedFolder> => {
  const name = basename(dir);
  const read = await readOrSay(dir);
  const own = 'document' in read ? checkTariff(read.document) : read.findings;
  const findings = own.map((finding) => ({ ...finding, at: `${name}/${finding.at}` }));
  if (!('document' in read) || hasErrors(own)) return { name, findings };
  const { document } = read;
  const conflicts = before.flatMap((other) =>
    other.document === undefined
      ? []
      : conflictsOf([other.document, document]).map((finding) => ({
          ...finding,
          at: `${name} beside ${other.name}: ${finding.at}`,
        })),
  );
  return conflicts.length > 0 ? { name, findings: [...findings, ...conflicts] } : { name, findings, document };
};

/** Reads and judges folders, in their order. */
export const judgeFolders = async (dirs: readonly string[]): Promise<readonly JudgedFolder[]> => {
  const judged: JudgedFolder[] = [];
  for (const dir of dirs) judged.push(await judge(dir, judged));
  return judged;
};

export const documentsOf = (folders: readonly JudgedFolder[]): readonly TariffDocument[] =>
  folders.flatMap(({ document }) => document ?? []);

export const errorsOf = (folders: readonly JudgedFolder[]): readonly Finding[] =>
  folders.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'));
