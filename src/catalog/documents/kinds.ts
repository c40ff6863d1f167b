/**
 * The kinds of documents in folders: tariffs and agreements. All kinds have the same life cycle: they are read, checked, put
 * in force, followed and withdrawn by the same code. A kind defines only the differences.
 */
import type { AgreementDocument } from '../agreement/document.ts';
import { readAgreementFolder, writeAgreementFolder } from '../agreement/folder.ts';
import type { TariffDocument } from '../tariff/document.ts';
import { keepImported, writeTariffFolder } from '../tariff/folder.ts';
import { tryReadFolder } from '../tariff/folders.ts';
import { JUDGED_AGREEMENTS, JUDGED_TARIFFS, type Judged, type ReadDocument } from './judged.ts';

export interface Kind<D> extends Judged<D> {
  /** Whether a folder without the main file is ignored. Otherwise it is an error. */
  readonly leavesOthersAlone: boolean;
  readonly read: (dir: string) => Promise<ReadDocument<D>>;
  /** Writes a folder, atomically. @param before a folder whose other files are kept */
  readonly write: (dir: string, document: D, before: string) => Promise<void>;
  /** The part of an id that a published document shares with the one it replaces. Ids are sorted by this key. */
  readonly key: (id: string) => string;
}

/** The name of a document, from its id. */
export const nameIn = (id: string): string => id.slice(0, id.lastIndexOf('@'));

export const TARIFFS: Kind<TariffDocument> = {
  ...JUDGED_TARIFFS,
  leavesOthersAlone: false,
  read: tryReadFolder,
  write: (dir, document, before) => writeTariffFolder(dir, document, (fresh) => keepImported(before, fresh)),
  // The name and the date.
  key: (id) => `${nameIn(id)} ${id.slice(nameIn(id).length + 1, id.lastIndexOf('-'))}`,
};

export const AGREEMENTS: Kind<AgreementDocument> = {
  ...JUDGED_AGREEMENTS,
  leavesOthersAlone: true,
  read: readAgreementFolder,
  write: writeAgreementFolder,
  key: (id) => `${nameIn(id)}@`,
};
