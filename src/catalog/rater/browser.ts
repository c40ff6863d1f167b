/** The library in a browser. It uses compiled files because a page has no folders. The build refuses Node.js here. */
import { ToldError } from '../../base/failed.ts';
import { raterOf, readOptions } from './core.ts';
import type { RaterOptions } from './rater.ts';
import type { Rater } from './types.ts';

/** @throws {ToldError} if a file is unusable, or a folder is given */
export const createRater = async (options: RaterOptions): Promise<Rater> => {
  const { tariffs, agreements, warehouses } = readOptions(options);
  const files = tariffs.filter((one) => typeof one !== 'string');
  if (files.length < tariffs.length || agreements.length > 0)
    throw new ToldError('A page has no folders. Give it the content of files that `rates tariff compile` wrote.');
  return await raterOf({ files, tariffs: [], agreements: [], warehouses });
};
