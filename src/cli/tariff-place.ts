/**
 * Changes of the tariffs in force, one by one: `rates tariff publish` into a folder or with `--add`, `--back-to`, and
 * `rates tariff withdraw`. On one machine they need no Redis.
 */
import { join } from 'node:path';
import { PUBLISHED, ROOT, readConfig } from '../config/settings.ts';
import { folderPlace, publishedPlace, type TariffPlace } from '../published/tariff-place.ts';
import { type ChangeNote, type Placed, type PlacedTariff, PlaceError, type Placing } from '../tariff/place.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { counted } from './format.ts';
import { changePublished, readPublished, whoIn } from './local-sources.ts';
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

/** Where the settings say that the tariffs are. */
const tariffPlace = (io: TariffIo): TariffPlace => {
  const folder = folderOfTariffs(io);
  if (folder !== undefined) return folderPlace(folder);
  return publishedPlace(
    (use) => changePublished(io.env, use),
    (use) => readPublished(readConfig(io.env), use),
  );
};

const lineOf = (folder: string | undefined, { name, id, before, isNew }: PlacedTariff): string => {
  const rest = isNew ? (before === null ? '' : `, instead of ${before}`) : '; it was there already';
  return `${folder === undefined ? '' : `${join(folder, name)}: `}${id}${rest}\n`;
};

/** @throws {CommandFailure} if nothing was changed, with the errors of tariffs on standard error */
const placed = async (placing: Promise<Placing>, what: string, { stderr }: TariffIo): Promise<Placed> => {
  let result: Placing;
  try {
    result = await placing;
  } catch (error) {
    throw error instanceof PlaceError ? new CommandFailure(`Nothing was ${what}. ${error.message}`) : error;
  }
  if (!('errors' in result)) return result;
  for (const finding of result.errors) stderr.write(findingText(finding));
  throw new CommandFailure(`Nothing was ${what}: ${counted(result.errors.length, 'error')}.`);
};

/** Which processes use the new version. It depends on their TARIFFS_DIR, which may differ from the one here. */
export const followed = (io: TariffIo): string => {
  if (folderOfTariffs(io) !== undefined) return 'Processes that run with this TARIFFS_DIR use it within two seconds.\n';
  return readConfig(io.env).tariffsDir === undefined
    ? 'Running processes use it within two seconds.\n'
    : 'Processes that run with TARIFFS_DIR=published use it within two seconds. Here, TARIFFS_DIR is not set.\n';
};

/** What a change makes of the tariffs, and the word for it. */
export interface TariffChange {
  readonly done: 'published' | 'withdrawn' | 'changed';
  readonly how: (place: TariffPlace, note: ChangeNote) => Promise<Placing>;
}

/** Changes the tariffs, and says what came of it. */
export const changeTariffs = async ({ done, how }: TariffChange, json: boolean, io: TariffIo): Promise<number> => {
  const folder = folderOfTariffs(io);
  const note = { by: whoIn(io.env), now: new Date() };
  const { tariffs, withdrawn, version, warnings, schedule } = await placed(how(tariffPlace(io), note), done, io);
  if (json) io.stdout.write(jsonText({ folder, version: version ?? null, tariffs, withdrawn }));
  else {
    io.stdout.write(tariffs.map((tariff) => lineOf(folder, tariff)).join(''));
    io.stdout.write(withdrawn.map((id) => `${id}: withdrawn\n`).join(''));
    if (version !== undefined) io.stdout.write(`version ${version}\n`);
  }
  if (warnings.length > 0)
    io.stderr.write(`${counted(warnings.length, 'warning')}. \`rates tariff check\` lists them.\n`);
  if (schedule.bookAt(note.now).cards.length === 0)
    io.stderr.write('None of the tariffs there is in force today. Nothing can be quoted until one is.\n');
  if (version !== undefined) io.stderr.write(followed(io));
  return EXIT.done;
};
