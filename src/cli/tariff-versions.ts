/** `rates tariff list` and `rates tariff publish`: tariffs in a folder and published versions. */

import { resolve } from 'node:path';
import type { Config } from '../config/settings.ts';
import { PublishError } from '../published/documents.ts';
import { tariffFolder } from '../published/tariff-folder.ts';
import { folderPlace } from '../published/tariff-place.ts';
import { publishedTariffs, publishTariffs, tariffVersions } from '../published/tariffs.ts';
import type { TariffDocument } from '../tariff/document.ts';
import { checkFolders, documentsOf, errorsOf, foldersIn } from '../tariff/folders.ts';
import { type Schedule, scheduleOf, tariffId } from '../tariff/schedule.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { counted } from './format.ts';
import { changePublished, readPublished, whoIn } from './local-sources.ts';
import { findingText, jsonText, type Output, type TariffIo } from './tariff-import.ts';
import { changeTariffs, folderOfTariffs, followed, type TariffChange } from './tariff-place.ts';

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
