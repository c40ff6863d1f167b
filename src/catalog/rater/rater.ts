/**
 * The library: `import { createRater } from 'shipping-rates'`. Rates shipments in the caller's process with the same core as
 * the service, without a server or Redis. `browser.ts` is the version for web pages.
 */
import { basename } from 'node:path';
import { type CheckedFolder, checkOne } from '../documents/judged.ts';
import { AGREEMENTS, foldersInAll, type Kind, TARIFFS } from '../documents/kinds.ts';
import { raterOf, readOptions } from './core.ts';
import type { Rater, RaterWarehouse } from './types.ts';

export type { QuoteAnswer, RateOptions, Rater, RaterWarehouse } from './types.ts';

export interface RaterOptions {
  /** Folders of one or several tariffs, or the content of files that `rates tariff compile` wrote. */
  readonly tariffs: readonly (string | Uint8Array)[];
  /** Folders of one or several agreements, for all warehouses. Default: list prices, and agreements in the files. */
  readonly agreements?: readonly string[];
  readonly warehouses: readonly RaterWarehouse[];
}

const foldersOf = async <D>(kind: Kind<D>, dirs: readonly string[]): Promise<readonly CheckedFolder<D>[]> => {
  const folders = await foldersInAll(kind, dirs);
  return await Promise.all(folders.map(async (dir) => checkOne(kind, basename(dir), await kind.read(dir))));
};

/**
 * Reads and compiles tariffs and agreements, once.
 * @throws {ToldError} if an option is wrong, or one of them is unusable: the message has a line for each problem, with its
 *   place. Also if a folder has no tariff, or no agreement
 * @throws the system's error if a folder cannot be opened
 */
export const createRater = async (options: RaterOptions): Promise<Rater> => {
  const { tariffs, agreements, warehouses } = readOptions(options);
  return await raterOf({
    files: tariffs.filter((one) => typeof one !== 'string'),
    tariffs: await foldersOf(
      TARIFFS,
      tariffs.filter((one) => typeof one === 'string'),
    ),
    agreements: await foldersOf(AGREEMENTS, agreements),
    warehouses,
  });
};
