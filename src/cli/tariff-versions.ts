/** `rates tariff list` and `rates tariff publish`: tariffs in a folder and published versions. */
import { join, resolve } from 'node:path';
import { type Config, PUBLISHED, ROOT, readConfig } from '../config/settings.ts';
import { PublishError } from '../published/documents.ts';
import { tariffFolder } from '../published/tariff-folder.ts';
import { folderPlace, publishedPlace, type TariffPlace } from '../published/tariff-place.ts';
import { publishedTariffs, publishTariffs, tariffVersions } from '../published/tariffs.ts';
import type { TariffDocument } from '../tariff/document.ts';
import { checkFolders, documentsOf, errorsOf, foldersIn } from '../tariff/folders.ts';
import { type ChangeNote, type Placed, type PlacedTariff, PlaceError, type Placing } from '../tariff/place.ts';
import { type Schedule, scheduleOf, tariffId } from '../tariff/schedule.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { counted } from './format.ts';
import { changePublished, readPublished, whoIn } from './local-sources.ts';
import { findingText, jsonText, type Output, type TariffIo } from './tariff-import.ts';

/*
 * Changes of the tariffs in force, one by one: `rates tariff publish` into a folder or with `--add`, `--back-to`, and
 * `rates tariff withdraw`. On one machine they need no Redis.
 */

/** The folder that TARIFFS_DIR names; undefined if tariffs are published to the store. */
const folderOfTariffs = ({ env }: Pick<TariffIo, 'env'>): string | undefined => {
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
const followed = (io: TariffIo): string => {
  if (folderOfTariffs(io) !== undefined) return 'Processes that run with this TARIFFS_DIR use it within a second.\n';
  return readConfig(io.env).tariffsDir === undefined
    ? 'Running processes use it within a second.\n'
    : 'Processes that run with TARIFFS_DIR=published use it within a second. Here, TARIFFS_DIR is not set.\n';
};

/** What a change makes of the tariffs, and the word for it. */
export interface TariffChange {
  readonly done: 'published' | 'withdrawn' | 'changed';
  readonly how: (place: TariffPlace, note: ChangeNote) => Promise<Placing>;
  /** The ids of agreements that are published with them. */
  readonly agreements?: readonly string[];
}

/** Changes the tariffs, and says what came of it. */
export const changeTariffs = async (
  { done, how, agreements = [] }: TariffChange,
  json: boolean,
  io: TariffIo,
): Promise<number> => {
  const folder = folderOfTariffs(io);
  const note = { by: whoIn(io.env), now: new Date() };
  const { tariffs, withdrawn, version, warnings, schedule } = await placed(how(tariffPlace(io), note), done, io);
  const beside = agreements.length === 0 ? {} : { agreements };
  if (json) io.stdout.write(jsonText({ folder, version: version ?? null, tariffs, withdrawn, ...beside }));
  else {
    io.stdout.write(tariffs.map((tariff) => lineOf(folder, tariff)).join(''));
    io.stdout.write(agreements.map((id) => `${id}\n`).join(''));
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

const entriesOf = (schedule: Schedule, documents: readonly TariffDocument[], now: Date) => {
  const { cards } = schedule.bookAt(now);
  return documents.map((document) => {
    const id = tariffId(document);
    const inForce = cards.filter(({ tariff }) => tariff === id).map(({ code }) => code);
    const { name, effective, services } = document.file;
    return { id, name, effective, services: services.map(({ code }) => code), inForce };
  });
};

const entryText = ({ id, effective, services, inForce }: ReturnType<typeof entriesOf>[number]): string => {
  const share = inForce.length === services.length ? 'all' : inForce.length === 0 ? 'none' : inForce.join(', ');
  return `${id}: from ${effective}, ${counted(services.length, 'service')}, in force now: ${share}\n`;
};

/**
 * Prints the tariffs in a folder: versions, dates, services in force now, and the errors of broken ones.
 * @returns 0 if all can be used, else 1
 */
export const listTariffs = async (dir: string, json: boolean, now: Date, io: Output): Promise<number> => {
  await tariffFolder(dir).settle();
  const folders = await checkFolders(await foldersIn(dir));
  const documents = documentsOf(folders);
  const broken = folders.filter(({ document }) => document === undefined);
  const tariffs = entriesOf(scheduleOf(documents), documents, now);
  const versions = await folderPlace(dir).versions();
  if (json)
    io.stdout.write(jsonText({ tariffs, broken: broken.map(({ name }) => name), errors: errorsOf(folders), versions }));
  else {
    io.stdout.write(tariffs.map(entryText).join(''));
    for (const { version, at, by, tariffs: ids } of versions)
      io.stdout.write(`version ${version}: ${ids.join(', ') || 'no tariff'}; published ${at} by ${by}\n`);
  }
  for (const folder of broken)
    io.stderr.write(`${folder.name} has errors:\n${errorsOf([folder]).map(findingText).join('')}`);
  return broken.length === 0 ? EXIT.done : EXIT.failed;
};

/** Prints the published tariffs, then all versions: who published them, when, and which is in force. */
export const listPublished = async (config: Config, json: boolean, now: Date, io: Output): Promise<number> => {
  const { schedule, inForce, versions } = await readPublished(config, async (deps) => ({
    ...(await tariffVersions(deps)),
    schedule: await publishedTariffs(deps),
  }));
  const tariffs = entriesOf(schedule, schedule.documents, now);
  const pointer = inForce && { version: inForce.version, since: inForce.at, by: inForce.by };
  if (json) {
    io.stdout.write(jsonText({ tariffs, inForce: pointer ?? null, versions }));
    return EXIT.done;
  }
  io.stdout.write(tariffs.map(entryText).join(''));
  for (const { version, at, by, tariffs: ids } of versions) {
    const since = version === pointer?.version ? `, in force since ${pointer.since} by ${pointer.by}` : '';
    io.stdout.write(`version ${version}: ${ids.join(', ')}; published ${at} by ${by}${since}\n`);
  }
  if (pointer === undefined) io.stderr.write('No tariffs are published. See `rates help tariff publish`.\n');
  return EXIT.done;
};

export interface PublishFlags {
  readonly backTo?: string;
  readonly add?: boolean;
  readonly replace?: boolean;
  readonly json?: boolean;
}

/** The folders of all tariffs, without duplicates. */
const foldersOf = async (dirs: readonly string[]): Promise<readonly string[]> => {
  const found = new Set<string>();
  for (const dir of dirs) {
    const folders = await foldersIn(dir);
    if (folders.length === 0) throw new CommandFailure(`${dir} contains no tariff.`);
    for (const folder of folders) found.add(resolve(folder));
  }
  return [...found];
};

/** A refused publication as a failure of the command. */
export const inWords = async <T>(publishing: Promise<T>): Promise<T> => {
  try {
    return await publishing;
  } catch (error) {
    throw error instanceof PublishError ? new CommandFailure(error.message) : error;
  }
};

/** Withdraws a tariff. @param named its id or name */
export const withdraw = (named: string, { json = false }: Pick<PublishFlags, 'json'>, io: TariffIo): Promise<number> =>
  changeTariffs({ done: 'withdrawn', how: (place, note) => place.withdraw(named, note) }, json, io);

/**
 * Publishes the tariffs of the folders: into the folder that TARIFFS_DIR names, or to the store, instead of those published
 * before or in addition to them. Or goes back to an earlier version.
 */
export const publish = async (dirs: readonly string[], flags: PublishFlags, io: TariffIo): Promise<number> => {
  const { backTo, json = false, add = false, replace = false } = flags;
  if ((backTo === undefined) === (dirs.length === 0))
    throw new CommandFailure('Name the folders to publish, or an earlier version with --back-to.', EXIT.usage);
  const isAdded = add || folderOfTariffs(io) !== undefined;
  if (replace && !isAdded)
    throw new CommandFailure('--replace is for a folder of tariffs in TARIFFS_DIR, or with --add.', EXIT.usage);
  if (backTo !== undefined)
    return await changeTariffs({ done: 'changed', how: (place, note) => place.goBack(backTo, note) }, json, io);
  const named = await foldersOf(dirs);
  if (isAdded) {
    const how: TariffChange['how'] = (place, note) => place.publish(named, { replace, ...note });
    return await changeTariffs({ done: 'published', how }, json, io);
  }
  const folders = await checkFolders(named);
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
  else io.stdout.write(`version ${version}: ${tariffs.join(', ')}${isNew ? '' : '; it was already in force'}\n`);
  if (warnings > 0) io.stderr.write(`${counted(warnings, 'warning')}. \`rates tariff check\` lists them.\n`);
  if (schedule.bookAt(publication.now).cards.length === 0)
    io.stderr.write('None of these tariffs is in force today. Nothing can be quoted until one is.\n');
  if (isNew) io.stderr.write(followed(io));
  return EXIT.done;
};
