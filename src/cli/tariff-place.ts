/** `rates tariff publish` on one machine whose tariffs come from a folder. It needs no Redis. */
import { join } from 'node:path';
import { PUBLISHED, ROOT, readConfig } from '../config/settings.ts';
import { lockWhenFree } from '../process/folder-lock.ts';
import type { Finding } from '../tariff/document.ts';
import { type Placed, type PlacedTariff, PlaceError, placeTariffs } from '../tariff/place.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { counted } from './format.ts';
import { findingText, jsonText, type TariffIo } from './tariff-import.ts';

/** The folder that TARIFFS_DIR names; undefined if tariffs are published to the store. */
export const folderOfTariffs = ({ env }: Pick<TariffIo, 'env'>): string | undefined => {
  const given = env['TARIFFS_DIR'] ?? '';
  if (given === '' || given === PUBLISHED) return undefined;
  // The clients file may not exist yet.
  const { tariffsDir } = readConfig({ ...env, CLIENTS_FILE: undefined });
  if (tariffsDir === join(ROOT, 'samples', 'tariffs'))
    throw new CommandFailure(
      'The sample tariffs cannot be changed. Name a folder of your own in TARIFFS_DIR.',
      EXIT.usage,
    );
  return tariffsDir;
};

const lineOf = (folder: string, { name, id, before, isNew }: PlacedTariff): string => {
  const rest = isNew ? (before === null ? '' : `, instead of ${before}`) : '; it was there already';
  return `${join(folder, name)}: ${id}${rest}\n`;
};

const place = async (
  folder: string,
  dirs: readonly string[],
  replace: boolean,
): Promise<Placed | { readonly errors: readonly Finding[] }> => {
  const lock = await lockWhenFree(folder);
  if (lock === undefined) throw new CommandFailure('Another command is publishing. Try again later.');
  try {
    return await placeTariffs(folder, dirs, { replace });
  } catch (error) {
    throw error instanceof PlaceError ? new CommandFailure(`Nothing was published. ${error.message}`) : error;
  } finally {
    await lock.release();
  }
};

/**
 * Puts tariffs into the folder that running processes follow.
 * @param dirs the folders of the tariffs
 */
export const publishToFolder = async (
  folder: string,
  dirs: readonly string[],
  { replace = false, json = false }: { readonly replace?: boolean; readonly json?: boolean },
  io: TariffIo,
): Promise<number> => {
  const placed = await place(folder, dirs, replace);
  if ('errors' in placed) {
    for (const finding of placed.errors) io.stderr.write(findingText(finding));
    throw new CommandFailure(`Nothing was published: ${counted(placed.errors.length, 'error')}.`);
  }
  const { tariffs, warnings, schedule } = placed;
  io.stdout.write(json ? jsonText({ folder, tariffs }) : tariffs.map((tariff) => lineOf(folder, tariff)).join(''));
  if (warnings.length > 0)
    io.stderr.write(`${counted(warnings.length, 'warning')}. \`rates tariff check\` lists them.\n`);
  if (schedule.bookAt(new Date()).cards.length === 0)
    io.stderr.write('None of the tariffs there is in force today. Nothing can be quoted until one is.\n');
  if (tariffs.some(({ isNew }) => isNew))
    io.stderr.write('Processes that run with this TARIFFS_DIR use it within two seconds.\n');
  return EXIT.done;
};
