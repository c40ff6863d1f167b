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
import { command, flag, required, type Said, text, texts } from './command.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { counted, findingText } from './format.ts';
import { type Io, say } from './io.ts';
import { changePublished, readPublished, whoIn } from './local-sources.ts';

/*
 * Changes of the tariffs in force, one by one: `rates tariff publish` into a folder or with `--add`, `--back-to`, and
 * `rates tariff withdraw`. On one machine they need no Redis.
 */

/** The folder that TARIFFS_DIR names; undefined if tariffs are published to the store. */
const folderOfTariffs = ({ env }: Pick<Io, 'env'>): string | undefined => {
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
const tariffPlace = (io: Io): TariffPlace => {
  const folder = folderOfTariffs(io);
  if (folder !== undefined) return folderPlace(folder);
  return publishedPlace(
    (use) => changePublished(io.env, use),
    (use) => readPublished(readConfig(io.env), use),
  );
};

const lineOf = (folder: string | undefined, { name, id, before, isNew }: PlacedTariff): string => {
  const rest = isNew ? (before === null ? '' : `, instead of ${before}`) : '; it was there already';
  return `${folder === undefined ? '' : `${join(folder, name)}: `}${id}${rest}`;
};

/** @throws {CommandFailure} if nothing was changed, with the errors of tariffs on standard error */
const placed = async (placing: Promise<Placing>, what: string, io: Io): Promise<Placed> => {
  let result: Placing;
  try {
    result = await placing;
  } catch (error) {
    throw error instanceof PlaceError ? new CommandFailure(`Nothing was ${what}. ${error.message}`) : error;
  }
  if (!('errors' in result)) return result;
  for (const finding of result.errors) say(io, findingText(finding));
  throw new CommandFailure(`Nothing was ${what}: ${counted(result.errors.length, 'error')}.`);
};

/** Which processes use the new version. It depends on their TARIFFS_DIR, which may differ from the one here. */
const followed = (io: Io): string => {
  if (folderOfTariffs(io) !== undefined) return 'Processes that run with this TARIFFS_DIR use it within a second.';
  return readConfig(io.env).tariffsDir === undefined
    ? 'Running processes use it within a second.'
    : 'Processes that run with TARIFFS_DIR=published use it within a second. Here, TARIFFS_DIR is not set.';
};

/** What a change makes of the tariffs, and the word for it. */
export interface TariffChange {
  readonly done: 'published' | 'withdrawn' | 'changed';
  readonly how: (place: TariffPlace, note: ChangeNote) => Promise<Placing>;
  /** The ids of agreements that are published with them. */
  readonly agreements?: readonly string[];
}

const warned = (warnings: number): readonly string[] =>
  warnings > 0 ? [`${counted(warnings, 'warning')}. \`rates tariff check\` lists them.`] : [];

/** What is wrong if nothing can be quoted now. */
const unquotable = (schedule: Schedule, now: Date, which: string): readonly string[] =>
  schedule.bookAt(now).cards.length > 0
    ? []
    : [`None of ${which} is in force today. Nothing can be quoted until one is.`];

/** Changes the tariffs, and says what came of it. */
export const changeTariffs = async ({ done, how, agreements = [] }: TariffChange, io: Io): Promise<Said> => {
  const folder = folderOfTariffs(io);
  const note = { by: whoIn(io.env), now: new Date() };
  const { tariffs, withdrawn, version, warnings, schedule } = await placed(how(tariffPlace(io), note), done, io);
  const beside = agreements.length === 0 ? {} : { agreements };
  return {
    json: () => ({ folder, version: version ?? null, tariffs, withdrawn, ...beside }),
    lines: () => [
      ...tariffs.map((tariff) => lineOf(folder, tariff)),
      ...agreements,
      ...withdrawn.map((id) => `${id}: withdrawn`),
      ...(version === undefined ? [] : [`version ${version}`]),
    ],
    notes: [
      ...warned(warnings.length),
      ...unquotable(schedule, note.now, 'the tariffs there'),
      ...(version === undefined ? [] : [followed(io)]),
    ],
  };
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
  return `${id}: from ${effective}, ${counted(services.length, 'service')}, in force now: ${share}`;
};

/** The tariffs in a folder: versions, dates, services in force now, and the errors of broken ones. */
const listFolder = async (dir: string, now: Date): Promise<Said> => {
  await tariffFolder(dir).settle();
  const folders = await checkFolders(await foldersIn(dir));
  const documents = documentsOf(folders);
  const broken = folders.filter(({ document }) => document === undefined);
  const tariffs = entriesOf(scheduleOf(documents), documents, now);
  const versions = await folderPlace(dir).versions();
  return {
    json: () => ({ tariffs, broken: broken.map(({ name }) => name), errors: errorsOf(folders), versions }),
    lines: () => [
      ...tariffs.map(entryText),
      ...versions.map(
        ({ version, at, by, tariffs: ids }) =>
          `version ${version}: ${ids.join(', ') || 'no tariff'}; published ${at} by ${by}`,
      ),
    ],
    notes: broken.flatMap((folder) => [`${folder.name} has errors:`, ...errorsOf([folder]).map(findingText)]),
    exit: broken.length === 0 ? EXIT.done : EXIT.failed,
  };
};

interface PublishedVersions {
  readonly inForce?: { readonly version: string; readonly at: string; readonly by: string } | undefined;
  readonly versions: readonly { readonly version: string; readonly at: string; readonly by: string }[];
}

/** All published versions: who published them, when, and which is in force. */
export const versionLines = <V extends PublishedVersions>(
  { inForce, versions }: V,
  contents: (version: V['versions'][number]) => string,
): readonly string[] =>
  versions.map((one) => {
    const { version, at, by } = one;
    const since = version === inForce?.version ? `, in force since ${inForce.at} by ${inForce.by}` : '';
    return `version ${version}: ${contents(one)}; published ${at} by ${by}${since}`;
  });

export const pointerJson = ({ inForce }: PublishedVersions) =>
  inForce === undefined ? null : { version: inForce.version, since: inForce.at, by: inForce.by };

const listPublished = async (config: Config, now: Date): Promise<Said> => {
  const published = await readPublished(config, async (deps) => ({
    ...(await tariffVersions(deps)),
    schedule: await publishedTariffs(deps),
  }));
  const { schedule, inForce, versions } = published;
  const tariffs = entriesOf(schedule, schedule.documents, now);
  return {
    json: () => ({ tariffs, inForce: pointerJson(published), versions }),
    lines: () => [...tariffs.map(entryText), ...versionLines(published, ({ tariffs: ids }) => ids.join(', '))],
    remarks: () => (inForce === undefined ? ['No tariffs are published. See `rates help tariff publish`.'] : []),
  };
};

export const tariffList = command({
  path: 'tariff list',
  about: 'List tariffs with versions and dates',
  args: { dir: text('[dir]', 'the folder with tariffs; default: TARIFFS_DIR, or the published tariffs') },
  options: { json: flag('--json', 'report as JSON') },
  examples: ['rates tariff list', 'rates tariff list tariffs --json', 'TARIFFS_DIR=published rates tariff list'],
  run: async ({ dir }, { env }) => {
    const folder = dir ?? readConfig(env).tariffsDir;
    return folder === undefined
      ? await listPublished(readConfig(env), new Date())
      : await listFolder(folder, new Date());
  },
});

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

export const tariffWithdraw = command({
  path: 'tariff withdraw',
  about: 'Take a tariff out of force: from the folder of TARIFFS_DIR, or from all processes at once',
  args: { tariff: required('<tariff>', 'its id, as `rates tariff list` shows it, or its name') },
  options: { json: flag('--json', 'print what was withdrawn as JSON') },
  examples: [
    'rates tariff withdraw 2026@2026-01-05-1a2b3c4d',
    'TARIFFS_DIR=/srv/rates/tariffs rates tariff withdraw 2026',
  ],
  more: 'Batches that were created before keep their prices. `rates tariff publish --back-to VERSION` brings the tariff back.',
  run: ({ tariff }, io) => changeTariffs({ done: 'withdrawn', how: (place, note) => place.withdraw(tariff, note) }, io),
});

/** Puts tariffs in force instead of all that are published. */
const replaceAll = async (dirs: readonly string[], io: Io): Promise<Said> => {
  const folders = await checkFolders(dirs);
  const errors = errorsOf(folders);
  for (const finding of errors) say(io, findingText(finding));
  if (errors.length > 0) throw new CommandFailure(`Nothing was published: ${counted(errors.length, 'error')}.`);
  const schedule = scheduleOf(documentsOf(folders));
  const publication = { by: whoIn(io.env), now: new Date() };
  const { version, isNew } = await inWords(
    changePublished(io.env, (deps) => publishTariffs(deps, schedule, publication)),
  );
  const tariffs = schedule.ids;
  return {
    json: () => ({ version, isNew, tariffs }),
    lines: () => [`version ${version}: ${tariffs.join(', ')}${isNew ? '' : '; it was already in force'}`],
    notes: [
      ...warned(folders.flatMap(({ findings }) => findings).length),
      ...unquotable(schedule, publication.now, 'these tariffs'),
      ...(isNew ? [followed(io)] : []),
    ],
  };
};

export const tariffPublish = command({
  path: 'tariff publish',
  about: 'Check tariffs and put them in force: in the folder of TARIFFS_DIR, or in all processes at once',
  args: { folders: texts('[folders...]', 'folders of tariffs, or folders that contain them') },
  options: {
    backTo: text('--back-to <version>', 'instead put an earlier version in force again'),
    add: flag('--add', 'keep the other published tariffs; in a folder they always stay'),
    replace: flag('--replace', 'replace a tariff of the same name; with --add, of the same name and date'),
    json: flag('--json', 'print what was published as JSON'),
  },
  examples: [
    'rates tariff publish tariffs',
    'rates tariff publish tariffs/2025 tariffs/2026',
    'rates tariff publish --add drafts/2027',
    'rates tariff publish --back-to 3-90a1b2c3d4e5f607',
    'TARIFFS_DIR=/srv/rates/tariffs rates tariff publish drafts/2026',
    'TARIFFS_DIR=/srv/rates/tariffs rates tariff publish --back-to 3',
  ],
  more: `If TARIFFS_DIR names a folder, the tariffs are checked, also beside those that are there, and copied into it. A running service
uses them within a second. This needs no Redis. With TARIFFS_DIR=published, the tariffs replace all published ones, or come
beside them with --add. --back-to makes all tariffs what they were in an earlier version: \`rates tariff list\`. On many
machines, set the REDIS_URL and STORE_URL of the API and the workers here. On one machine with a private Redis, set neither of
them, and use the same DATA_DIR.`,
  refuse: ({ folders, backTo }) =>
    (backTo === undefined) === (folders.length === 0) &&
    'Name the folders to publish, or an earlier version with --back-to.',
  run: async ({ folders, backTo, add, replace }, io) => {
    const isAdded = add === true || folderOfTariffs(io) !== undefined;
    if (replace && !isAdded)
      throw new CommandFailure('--replace is for a folder of tariffs in TARIFFS_DIR, or with --add.', EXIT.usage);
    if (backTo !== undefined)
      return await changeTariffs({ done: 'changed', how: (place, note) => place.goBack(backTo, note) }, io);
    const dirs = await foldersOf(folders);
    if (!isAdded) return await replaceAll(dirs, io);
    const how: TariffChange['how'] = (place, note) => place.publish(dirs, { replace: replace === true, ...note });
    return await changeTariffs({ done: 'published', how }, io);
  },
});
