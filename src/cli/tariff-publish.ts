/** `rates tariff publish`: to the store, for all processes whose TARIFFS_DIR is `published`. */
import { resolve } from 'node:path';
import { readConfig } from '../config/settings.ts';
import { PublishError, publishAgain, publishTariffs } from '../published/tariffs.ts';
import { documentsOf, errorsOf, type JudgedFolder, judgeFolders } from '../tariff/folders.ts';
import { scheduleOf } from '../tariff/schedule.ts';
import { foldersIn } from '../tariff/signature.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { counted } from './io.ts';
import { changePublished, whoIn } from './published.ts';
import { findingText, jsonText, type TariffIo } from './tariff-import.ts';

export interface PublishFlags {
  readonly backTo?: string;
  readonly json?: true;
}

/** The tariffs of all folders; one that is named twice counts once. */
const foldersOf = async (dirs: readonly string[]): Promise<readonly JudgedFolder[]> => {
  const found = new Set<string>();
  for (const dir of dirs) {
    const folders = await foldersIn(dir);
    if (folders.length === 0) throw new CommandFailure(`${dir} holds no tariff.`);
    for (const folder of folders) found.add(resolve(folder));
  }
  return await judgeFolders([...found]);
};

const inWords = async <T>(publishing: Promise<T>): Promise<T> => {
  try {
    return await publishing;
  } catch (error) {
    throw error instanceof PublishError ? new CommandFailure(error.message) : error;
  }
};

/** Who takes the version up: said plainly where the settings here are not those of a process that follows it. */
const followed = ({ env }: TariffIo): string =>
  readConfig(env).tariffsDir === undefined
    ? 'Running processes take it up within two seconds.\n'
    : 'Processes that run with TARIFFS_DIR=published take it up within two seconds. Here TARIFFS_DIR names a folder.\n';

const goBack = async (version: string, json: boolean, io: TariffIo): Promise<number> => {
  const publication = { by: whoIn(io.env), now: new Date() };
  await inWords(changePublished(io.env, (deps) => publishAgain(deps, version, publication)));
  io.stdout.write(json ? jsonText({ version }) : `version ${version} is in force again\n`);
  io.stderr.write(followed(io));
  return EXIT.done;
};

/** Publishes all tariffs of the folders in place of those published before, or an earlier version of them. */
export const publish = async (dirs: readonly string[], flags: PublishFlags, io: TariffIo): Promise<number> => {
  const { backTo, json = false } = flags;
  if ((backTo === undefined) === (dirs.length === 0))
    throw new CommandFailure('Name the folders to publish, or an earlier version with --back-to.', EXIT.usage);
  if (backTo !== undefined) return await goBack(backTo, json, io);
  const folders = await foldersOf(dirs);
  const errors = errorsOf(folders);
  for (const finding of errors) io.stderr.write(findingText(finding));
  if (errors.length > 0) throw new CommandFailure(`Nothing was published: ${counted(errors.length, 'error')}.`);
  const schedule = scheduleOf(documentsOf(folders));
  const warnings = folders.flatMap(({ findings }) => findings).length;
  const publication = { by: whoIn(io.env), now: new Date() };
  const { version, isNew } = await inWords(
    changePublished(io.env, (deps) => publishTariffs(deps, schedule, publication)),
  );
  const tariffs = schedule.ids;
  if (json) io.stdout.write(jsonText({ version, isNew, tariffs }));
  else io.stdout.write(`version ${version}: ${tariffs.join(', ')}${isNew ? '' : '; it was in force already'}\n`);
  if (warnings > 0) io.stderr.write(`${counted(warnings, 'warning')}: \`rates tariff check\` says which.\n`);
  if (schedule.bookAt(publication.now).cards.length === 0)
    io.stderr.write('None of these tariffs is in force today: nothing can be quoted until one is.\n');
  if (isNew) io.stderr.write(followed(io));
  return EXIT.done;
};
