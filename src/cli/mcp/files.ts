/** The files that an assistant's tools may read: lists and agreements below one folder, except hidden ones. */
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { invalidInput } from './tool.ts';

/** Other files are not read because a settings file may have a secret. */
const LIST_NAME = /\.(?:csv|tsv|txt|tab|xlsx|parquet|zip|gz)$/i;

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return !isAbsolute(way) && !way.split(sep).some((part) => part.startsWith('.'));
};

/**
 * The path of a list or a folder. Links are resolved, so that none can lead out of the folder. @throws {ToolFault} if it may
 * not be read
 */
export const pathBelow = async (folder: string, kind: 'file' | 'folder', given: string): Promise<string> => {
  const outside = invalidInput({ [kind]: `must be below ${folder}, and no part of it hidden` });
  const named = resolve(folder, given);
  if (!isBelow(folder, named)) throw outside;
  const path = await realpath(named);
  if (!isBelow(await realpath(folder), path)) throw outside;
  const found = await stat(path);
  if (kind === 'folder' ? found.isDirectory() : found.isFile() && LIST_NAME.test(path)) return path;
  const list = 'a list: a .csv, .tsv, .txt, .tab, .xlsx, .parquet, .zip or .gz file';
  throw invalidInput({ [kind]: `must be ${kind === 'file' ? list : 'a folder'}` });
};
