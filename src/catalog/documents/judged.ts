/** Checks documents from any source. Browsers run this too, so nothing here reads files. */
import { z } from 'zod';
import { checkAgreement } from '../agreement/check/check.ts';
import { AGREEMENT_FILE, type AgreementDocument } from '../agreement/document.ts';
import { agreementId } from '../agreement/versions.ts';
import { checkTariff, hasErrors } from '../tariff/check/check.ts';
import type { Finding, TariffDocument } from '../tariff/document.ts';
import { error, errorsIn } from '../tariff/findings.ts';
import { conflictsOf, tariffId } from '../tariff/schedule.ts';

/** The document of a folder, or all format errors. `at` begins with the file. */
export type ReadDocument<D> = { readonly document: D } | { readonly findings: readonly Finding[] };

/** The differences between the kinds of documents in checking. */
export interface Judged<D> {
  readonly name: 'tariff' | 'agreement';
  readonly plural: 'tariffs' | 'agreements';
  /** The name of one document in the log. */
  readonly one: 'a tariff' | 'an agreement';
  /** The file that every folder of this kind has. */
  readonly mainFile: string;
  /** Whether a document is named after its folder. Otherwise it has its own unique name. */
  readonly isCalledByFolder: boolean;
  /** Checks whether the parts of a document fit together. */
  readonly check: (document: D) => readonly Finding[];
  /** The id of the document's version. */
  readonly id: (document: D) => string;
  /** The name by which other documents refer to it. */
  readonly nameOf: (document: D) => string;
  /** Why a document cannot be in force together with another one. */
  readonly conflicts: (document: D, other: D, names?: readonly [own: string, other: string]) => readonly Finding[];
  /** Checks that stored JSON is a document. Its parts were checked before it was stored. */
  readonly stored: z.ZodType<D>;
}

const storedTariff = z.custom<TariffDocument>(
  (value) =>
    z
      .object({ file: z.object({ name: z.string(), effective: z.string(), services: z.array(z.object()) }) })
      .safeParse(value).success,
  'is not a tariff',
);

const storedAgreement = z.custom<AgreementDocument>(
  (value) =>
    z
      .object({ file: z.object({ name: z.string() }), tables: z.object({}), amendments: z.array(z.object({})) })
      .safeParse(value).success,
  'is not an agreement',
);

export const JUDGED_TARIFFS: Judged<TariffDocument> = {
  name: 'tariff',
  plural: 'tariffs',
  one: 'a tariff',
  mainFile: 'tariff.json',
  isCalledByFolder: true,
  check: checkTariff,
  id: tariffId,
  nameOf: ({ file }) => file.name,
  conflicts: conflictsOf,
  stored: storedTariff,
};

export const JUDGED_AGREEMENTS: Judged<AgreementDocument> = {
  name: 'agreement',
  plural: 'agreements',
  one: 'an agreement',
  mainFile: AGREEMENT_FILE,
  isCalledByFolder: false,
  check: checkAgreement,
  id: agreementId,
  nameOf: ({ file }) => file.name,
  conflicts: () => [],
  stored: storedAgreement,
};

export interface CheckedFolder<D> {
  /** The name of the folder. */
  readonly name: string;
  /** `at` begins with the folder's name. */
  readonly findings: readonly Finding[];
  /** Absent if a finding is an error. */
  readonly document?: D;
}

export const within = (name: string, finding: Finding): Finding => ({ ...finding, at: `${name}/${finding.at}` });

/** Checks a document by itself. */
export const checkOne = <D>(kind: Judged<D>, name: string, read: ReadDocument<D>): CheckedFolder<D> => {
  const own = 'document' in read ? kind.check(read.document) : read.findings;
  const findings = own.map((finding) => within(name, finding));
  return 'document' in read && !hasErrors(own) ? { name, findings, document: read.document } : { name, findings };
};

/** Why a document cannot be in force together with earlier ones. */
export const conflictsBeside = <D>(
  kind: Judged<D>,
  { name, document }: CheckedFolder<D>,
  earlier: readonly CheckedFolder<D>[],
): readonly Finding[] =>
  earlier.flatMap((other) => {
    if (document === undefined || other.document === undefined) return [];
    if (!kind.isCalledByFolder && kind.nameOf(document) === kind.nameOf(other.document)) {
      const message = `the folder ${other.name} has ${kind.one} of the same name: give one of them another name`;
      return [error(`${name}/${kind.mainFile} name`, message)];
    }
    return kind.conflicts(document, other.document, [name, other.name]);
  });

/** If folders conflict, the later one gets the error. */
export const checkTogether = <D>(kind: Judged<D>, folders: readonly CheckedFolder<D>[]) => {
  const checked: CheckedFolder<D>[] = [];
  for (const folder of folders) {
    const conflicts = conflictsBeside(kind, folder, checked);
    checked.push(conflicts.length === 0 ? folder : { name: folder.name, findings: [...folder.findings, ...conflicts] });
  }
  return checked;
};

export const documentsOf = <D>(folders: readonly CheckedFolder<D>[]): readonly D[] =>
  folders.flatMap(({ document }) => document ?? []);

export const errorsOf = (folders: readonly CheckedFolder<unknown>[]): readonly Finding[] =>
  errorsIn(folders.flatMap(({ findings }) => findings));
