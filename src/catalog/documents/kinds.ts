/**
 * The kinds of documents that live in folders: tariffs and agreements. All kinds live the same life: they are read,
 * checked, put in force, followed and withdrawn, by the same code. A kind says only what differs.
 */
import { z } from 'zod';
import { checkAgreement } from '../agreement/check/check.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { AGREEMENT_FILE, readAgreementFolder, writeAgreementFolder } from '../agreement/folder.ts';
import { agreementId } from '../agreement/versions.ts';
import { checkTariff } from '../tariff/check/check.ts';
import type { Finding, TariffDocument } from '../tariff/document.ts';
import { keepImported, writeTariffFolder } from '../tariff/folder.ts';
import { tryReadFolder } from '../tariff/folders.ts';
import { conflictsOf, tariffId } from '../tariff/schedule.ts';

/** The document of a folder, or all errors of its form; `at` begins with the file. */
export type ReadDocument<D> = { readonly document: D } | { readonly findings: readonly Finding[] };

export interface Kind<D> {
  readonly name: 'tariff' | 'agreement';
  readonly plural: 'tariffs' | 'agreements';
  /** What one is called in the log. */
  readonly one: 'a tariff' | 'an agreement';
  /** The file that a folder of this kind has. */
  readonly mainFile: string;
  /** Whether one in a folder of them is called as its own folder is. Otherwise it has a name that no other has. */
  readonly isCalledByFolder: boolean;
  /** Whether a folder without the main file is left alone. Otherwise it is an error. */
  readonly leavesOthersAlone: boolean;
  readonly read: (dir: string) => Promise<ReadDocument<D>>;
  /** Writes a folder, atomically. @param before a folder whose other files are kept */
  readonly write: (dir: string, document: D, before: string) => Promise<void>;
  /** Whether the parts of a document fit together. */
  readonly check: (document: D) => readonly Finding[];
  /** The id of its version. */
  readonly id: (document: D) => string;
  /** The name by which others refer to it. */
  readonly nameOf: (document: D) => string;
  /** What a published document has in common with the one that it replaces, of the id. Ids are in order of this. */
  readonly key: (id: string) => string;
  /** Why a document cannot be in force beside another one. */
  readonly conflicts: (document: D, other: D) => readonly Finding[];
  /** Checks that stored JSON is one. Its parts were checked before it was stored. */
  readonly stored: z.ZodType<D>;
}

/** The name of a document by its id. */
export const nameIn = (id: string): string => id.slice(0, id.lastIndexOf('@'));

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

export const TARIFFS: Kind<TariffDocument> = {
  name: 'tariff',
  plural: 'tariffs',
  one: 'a tariff',
  mainFile: 'tariff.json',
  isCalledByFolder: true,
  leavesOthersAlone: false,
  read: tryReadFolder,
  write: (dir, document, before) => writeTariffFolder(dir, document, (fresh) => keepImported(before, fresh)),
  check: checkTariff,
  id: tariffId,
  nameOf: ({ file }) => file.name,
  // The name and the date.
  key: (id) => `${nameIn(id)} ${id.slice(nameIn(id).length + 1, id.lastIndexOf('-'))}`,
  conflicts: (document, other) => conflictsOf([other, document]),
  stored: storedTariff,
};

export const AGREEMENTS: Kind<AgreementDocument> = {
  name: 'agreement',
  plural: 'agreements',
  one: 'an agreement',
  mainFile: AGREEMENT_FILE,
  isCalledByFolder: false,
  leavesOthersAlone: true,
  read: readAgreementFolder,
  write: writeAgreementFolder,
  check: checkAgreement,
  id: agreementId,
  nameOf: ({ file }) => file.name,
  key: (id) => `${nameIn(id)}@`,
  conflicts: () => [],
  stored: storedAgreement,
};
