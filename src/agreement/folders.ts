/** Lists agreement folders. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { folderOf, isMissing } from '../tariff/folder-files.ts';
import { foldersIn } from '../tariff/folders.ts';
import { AGREEMENT_FILE } from './folder.ts';

const hasAgreement = async (dir: string): Promise<boolean> => {
  try {
    await stat(join(await folderOf(dir), AGREEMENT_FILE));
    return true;
  } catch (failure) {
    // What cannot be looked at is listed: reading it reports why.
    return !isMissing(failure);
  }
};

/** The folders that contain an agreement, by name; only the folder itself if it contains one. */
export const agreementFoldersIn = async (dir: string): Promise<string[]> => {
  const folders = await foldersIn(dir, AGREEMENT_FILE);
  const holds = await Promise.all(folders.map(hasAgreement));
  return folders.filter((_, at) => holds[at]);
};
