/**
 * The kinds of documents that live in folders: tariffs and agreements. All kinds live the same life: they are read,
 * checked, put in force, followed and withdrawn, by the same code. A kind says only what differs.
 */
import { checkAgreement } from '../agreement/check.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { AGREEMENT_FILE, readAgreementFolder } from '../agreement/folder.ts';
import { agreementId } from '../agreement/versions.ts';
import { checkTariff } from '../tariff/check.ts';
import type { Finding, TariffDocument } from '../tariff/document.ts';
import { tryReadFolder } from '../tariff/folders.ts';
import { conflictsOf, tariffId } from '../tariff/schedule.ts';

export interface Kind<D> {
  readonly name: 'tariff' | 'agreement';
  /** What one is called in the log. */
  readonly one: 'a tariff' | 'an agreement';
  /** The file that a folder of this kind has. */
  readonly mainFile: string;
  /** Whether a folder without the main file is left alone. Otherwise it is an error. */
  readonly leavesOthersAlone: boolean;
  /** Reads a folder. @returns the document, or all errors of its form; `at` begins with the file */
  readonly read: (dir: string) => Promise<{ readonly document: D } | { readonly findings: readonly Finding[] }>;
  /** Whether the parts of a document fit together. */
  readonly check: (document: D) => readonly Finding[];
  /** The id of its version. */
  readonly id: (document: D) => string;
  /** The name by which others refer to it. */
  readonly nameOf: (document: D) => string;
  /** Why a document cannot be in force beside earlier ones. `at` follows the name of its folder. */
  readonly conflicts: (document: D, earlier: readonly D[]) => readonly Finding[];
}

export const TARIFFS: Kind<TariffDocument> = {
  name: 'tariff',
  one: 'a tariff',
  mainFile: 'tariff.json',
  leavesOthersAlone: false,
  read: tryReadFolder,
  check: checkTariff,
  id: tariffId,
  nameOf: ({ file }) => file.name,
  conflicts: (document, earlier) =>
    conflictsOf([...earlier, document]).map((finding) => ({ ...finding, at: `: ${finding.at}` })),
};

export const AGREEMENTS: Kind<AgreementDocument> = {
  name: 'agreement',
  one: 'an agreement',
  mainFile: AGREEMENT_FILE,
  leavesOthersAlone: true,
  read: readAgreementFolder,
  check: checkAgreement,
  id: agreementId,
  nameOf: ({ file }) => file.name,
  conflicts: ({ file: { name } }, earlier) => {
    if (!earlier.some((other) => other.file.name === name)) return [];
    const message = `another folder has an agreement of the name ${name} too: give one of them another name`;
    return [{ severity: 'error', at: `/${AGREEMENT_FILE}`, message }];
  },
};
