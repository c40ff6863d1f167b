/**
 * The commands for a kind of documents: list what is in force, in a folder or in the store, and change it. All kinds use the
 * same words. These commands need no Redis on one machine.
 */

import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { PUBLISHED, readConfig } from '../base/config/settings.ts';
import { usingAlone } from '../base/process/folder-lock.ts';
import { finishChange } from '../catalog/documents/folder-place.ts';
import { errorsOf } from '../catalog/documents/judged.ts';
import { AGREEMENTS, foldersInAll, type Kind, TARIFFS } from '../catalog/documents/kinds.ts';
import {
  type Allow,
  type Changed,
  type ChangeNote,
  type Library,
  type LibraryVersion,
  type Outcome,
  PublishError,
} from '../catalog/documents/library.ts';
import { libraryOf } from '../catalog/published/store-place.ts';
import type { Finding } from '../catalog/tariff/document.ts';
import { TARIFFS as TARIFFS_OPTION } from './agreement/agreement-sources.ts';
import { command, type Declared, flag, input, required, type Said, text } from './command.ts';
import { CommandFailure, EXIT, wrongUse } from './exit.ts';
import { counted, findingText } from './format.ts';
import { type Io, say } from './io.ts';
import { changePublished, readPublished, whoIn } from './rate/local-sources.ts';

export type Reading = Pick<Io, 'env' | 'stderr'>;

/** A list of documents for output. */
export interface Listed {
  readonly entries: readonly object[];
  readonly lines: readonly string[];
  readonly remarks: readonly string[];
}

/** What differs between the commands of the kinds. */
export interface Family<D> {
  readonly kind: Kind<D>;
  readonly setting: 'TARIFFS_DIR' | 'AGREEMENTS_DIR';
  readonly dirIn: (env: Io['env']) => string | undefined;
  /** The folder of the samples, which are read-only. */
  readonly samples: string;
  /** Whether publishing replaces all other documents by default. */
  readonly replacesAll: boolean;
  /** Which other documents a document may replace without `--replace`. */
  readonly replaces: 'none' | 'own';
  readonly list: (documents: readonly D[], now: Date, io: Reading) => Promise<Listed>;
  /** Additional checks of a document that is published. */
  readonly checkFor: (tariffs: string | undefined, now: Date, io: Io) => Promise<(document: D) => readonly Finding[]>;
  /** Refuses to remove documents that somebody needs. */
  readonly allow: (io: Io) => Allow<D>;
  /** Reports problems of everything in force after a change. */
  readonly after?: (documents: readonly D[], now: Date) => readonly string[];
  readonly words: {
    readonly list: string;
    readonly publish: string;
    readonly withdraw: string;
    readonly examples: readonly string[];
    readonly more: string;
    readonly id: string;
  };
}

/** The folder in the setting. Undefined if the documents are published to the store. */
const folderOf = <D>({ kind, setting, dirIn, samples }: Family<D>, { env }: Pick<Io, 'env'>): string | undefined => {
  const given = env[setting] ?? '';
  if (given === '' || given === PUBLISHED) return undefined;
  // The clients file may not exist yet.
  const dir = dirIn({ ...env, CLIENTS_FILE: undefined });
  if (dir === samples)
    throw wrongUse(`The sample ${kind.plural} cannot be changed. Name your own folder in ${setting}.`);
  return dir;
};

/** @param dir undefined for the published documents */
const libraryAt = <D>({ kind }: Family<D>, dir: string | undefined, { env }: Pick<Io, 'env'>): Library<D> =>
  libraryOf(
    kind,
    dir,
    (use) => changePublished(env, use),
    (use) => readPublished(readConfig(env), use),
  );

/** The processes that use the new version. It depends on their setting, which may differ from this one. */
const followed = <D>(family: Family<D>, io: Io): string => {
  const { setting, dirIn } = family;
  if (folderOf(family, io) !== undefined) return `Processes that run with this ${setting} use it within a second.`;
  return dirIn(io.env) === undefined
    ? 'Running processes use it within a second.'
    : `Processes that run with ${setting}=published use it within a second. Here, ${setting} is not set.`;
};

/** @throws {CommandFailure} if nothing was changed, with the documents' errors on standard error */
const made = async (outcome: Promise<Outcome>, done: string, io: Io): Promise<Changed> => {
  let result: Outcome;
  try {
    result = await outcome;
  } catch (error) {
    throw error instanceof PublishError ? new CommandFailure(`Nothing was ${done}. ${error.message}`) : error;
  }
  if (!('errors' in result)) return result;
  for (const finding of result.errors) say(io, findingText(finding));
  throw new CommandFailure(`Nothing was ${done}: ${counted(result.errors.length, 'error')}.`);
};

/** A change, and its verb. */
export interface Change<D> {
  readonly done: 'published' | 'withdrawn' | 'changed';
  readonly how: (library: Library<D>, note: ChangeNote) => Promise<Outcome>;
  /** The ids of agreements that are published together with tariffs. */
  readonly agreements?: readonly string[];
}

/** Changes what is in force, and reports the result. */
export const changeDocuments = async <D>(
  family: Family<D>,
  { done, how, agreements = [] }: Change<D>,
  io: Io,
): Promise<Said> => {
  const { kind } = family;
  const folder = folderOf(family, io);
  const library = libraryAt(family, folder, io);
  const note = { by: whoIn(io.env), now: new Date() };
  const { placed, withdrawn, version, warnings } = await made(how(library, note), done, io);
  const beside = agreements.length === 0 ? {} : { agreements };
  const place = folder === undefined ? '' : `${folder}/`;
  return {
    json: () => ({ folder, version: version ?? null, [kind.plural]: placed, withdrawn, ...beside }),
    lines: () => [
      ...placed.map(({ name, id, before, isNew }) => {
        const rest = isNew ? (before === null ? '' : `, instead of ${before}`) : '; it was already there';
        return `${place === '' ? '' : `${join(place, name)}: `}${id}${rest}`;
      }),
      ...agreements,
      ...withdrawn.map((id) => `${id}: withdrawn`),
      ...(version === undefined ? [] : [`version ${version}`]),
    ],
    notes: [
      ...(warnings.length === 0
        ? []
        : [`${counted(warnings.length, 'warning')}. \`rates ${kind.name} check\` lists them.`]),
      ...(family.after?.((await library.current()).documents, note.now) ?? []),
      ...(version === undefined ? [] : [followed(family, io)]),
    ],
  };
};

/** All versions: their documents, who published them and when, and which one was restored. */
const versionLines = ({ name }: Pick<Kind<never>, 'name'>, versions: readonly LibraryVersion[]): readonly string[] =>
  versions.map(({ version, ids, at, by, since }) => {
    const again = since === undefined ? '' : `, in force since ${since.at} by ${since.by}`;
    return `version ${version}: ${ids.join(', ') || `no ${name}`}; published ${at} by ${by}${again}`;
  });

const versionsJson = ({ plural }: Pick<Kind<never>, 'plural'>, versions: readonly LibraryVersion[]): object => {
  const current = versions.find(({ isCurrent }) => isCurrent);
  const { at, by } = current?.since ?? current ?? { at: '', by: '' };
  return {
    inForce: current === undefined ? null : { version: current.version, since: at, by },
    versions: versions.map(({ version, ids, at: made, by: maker, isCurrent }) => {
      return { version, at: made, by: maker, [plural]: ids, isCurrent };
    }),
  };
};

/** What is in force in a folder or published, with errors of broken folders and all versions. */
export const listDocuments = async <D>(
  family: Family<D>,
  dir: string | undefined,
  now: Date,
  io: Reading,
): Promise<Said> => {
  const { kind, dirIn, list } = family;
  const folder = dir ?? dirIn(io.env);
  const library = libraryAt(family, folder, io);
  const { documents, broken } = await library.current();
  const versions = await library.versions();
  const { entries, lines, remarks } = await list(documents, now, io);
  const where = folder === undefined ? 'published' : `in ${folder}`;
  const none =
    `No ${kind.plural} are ${where}. \`rates ${kind.name} import\` creates one, ` +
    `and \`rates ${kind.name} publish\` puts it in force.`;
  return {
    json: () => ({
      [kind.plural]: entries,
      broken: broken.map(({ name }) => name),
      errors: errorsOf(broken),
      ...versionsJson(kind, versions),
    }),
    lines: () => [...lines, ...versionLines(kind, versions)],
    remarks: () => [...remarks, ...(documents.length + broken.length === 0 ? [none] : [])],
    notes: broken.flatMap((one) => [`${one.name} has errors:`, ...errorsOf([one]).map(findingText)]),
    exit: broken.length === 0 ? EXIT.done : EXIT.failed,
  };
};

const publishing = <D>(family: Family<D>): Declared => {
  const { kind, words } = family;
  const isOwn = family.replaces === 'own';
  const others = isOwn
    ? `also replace ${kind.plural} that others have published`
    : 'replace a tariff with the same name; with --add, with the same name and date';
  return command({
    path: `${kind.name} publish`,
    about: words.publish,
    args: {
      folders: input('<folders...>', `folders of ${kind.plural}, or folders that contain them`, z.array(z.string())),
    },
    options: {
      ...(!isOwn && { add: flag('--add', 'keep the other published tariffs; those in a folder always stay') }),
      replace: flag('--replace', others),
      ...(isOwn && { tariffs: TARIFFS_OPTION }),
      json: flag('--json', 'print what was published as JSON'),
    },
    examples: words.examples,
    more: words.more,
    run: async ({ folders, add, replace = false, tariffs }, io) => {
      const alone = family.replacesAll && add !== true && folderOf(family, io) === undefined;
      if (replace && alone)
        throw wrongUse(`--replace is for a folder of ${kind.plural} in ${family.setting}, or with --add.`);
      const dirs = await foldersInAll(kind, folders);
      const how: Change<D>['how'] = async (library, note) =>
        await library.put(
          dirs.map((dir) => ({ dir })),
          {
            ...{ ...note, alone, allow: family.allow(io), replace: replace || alone ? 'all' : family.replaces },
            check: await family.checkFor(tariffs, note.now, io),
          },
        );
      return await changeDocuments(family, { done: 'published', how }, io);
    },
  });
};

export const documentCommands = <D>(family: Family<D>): readonly Declared[] => {
  const { kind, setting, words } = family;
  const { name, plural } = kind;
  const dir = text('[dir]', `the folder with ${plural}; default: ${setting}, or the published ${plural}`);
  const json = flag('--json', 'report as JSON');
  const isOwn = family.replaces === 'own';
  return [
    command({
      path: `${name} list`,
      about: words.list,
      args: { dir },
      options: { json },
      examples: [
        `rates ${name} list`,
        `rates ${name} list ${plural} --json`,
        `${setting}=published rates ${name} list`,
      ],
      run: ({ dir: given }, io) => listDocuments(family, given, new Date(), io),
    }),
    command({
      path: `${name} versions`,
      about: `List the versions of the ${plural}: what was in force after each change, who made it, and when`,
      args: { dir },
      options: { json },
      examples: [`rates ${name} versions`, `rates ${name} versions ${plural} --json`],
      run: async ({ dir: given }, io) => {
        const versions = await libraryAt(family, given ?? family.dirIn(io.env), io).versions();
        return {
          json: () => versionsJson(kind, versions),
          lines: () => versionLines(kind, versions),
          remarks: () => (versions.length === 0 ? ['There is no version yet.'] : []),
        };
      },
    }),
    publishing(family),
    command({
      path: `${name} withdraw`,
      about: words.withdraw,
      args: { names: input('<names...>', `ids, as \`rates ${name} list\` shows them, or names`, z.array(z.string())) },
      options: {
        ...(isOwn && { replace: flag('--replace', `also withdraw ${plural} that others have published`) }),
        json: flag('--json', 'print what was withdrawn as JSON'),
      },
      examples: [
        `rates ${name} withdraw ${words.id}`,
        `${setting}=/srv/rates/${plural} rates ${name} withdraw ${words.id.split('@')[0]}`,
      ],
      more: `Batches that were created before keep their prices. \`rates ${name} go-back VERSION\` brings it back.`,
      run: ({ names, replace }, io) => {
        const how: Change<D>['how'] = (library, note) =>
          library.put([], {
            ...note,
            ...{ remove: names, allow: family.allow(io), replace: isOwn && !replace ? 'own' : 'all' },
          });
        return changeDocuments(family, { done: 'withdrawn', how }, io);
      },
    }),
    command({
      path: `${name} go-back`,
      about: `Go back to the ${plural} of an earlier version`,
      args: { version: required('<version>', `as \`rates ${name} versions\` shows it`) },
      options: { json: flag('--json', 'print what has changed as JSON') },
      examples: [`rates ${name} go-back 3-90a1b2c3d4e5f607`, `${setting}=/srv/rates/${plural} rates ${name} go-back 3`],
      run: ({ version }, io) => {
        const how: Change<D>['how'] = (library, note) => library.goBack(version, note, family.allow(io));
        return changeDocuments(family, { done: 'changed', how }, io);
      },
    }),
  ];
};

/* Changes the folder of a tariff or an agreement, one process at a time, even next to a running service. */

/**
 * Changes a folder under the lock of its parent folder, which publishing also takes.
 * @param change reads the folder and writes it
 */
export const changingFolder = async <T>(dir: string, change: () => Promise<T>): Promise<T> => {
  const above = dirname(resolve(dir));
  const finishAndChange = async (): Promise<T> => {
    // Otherwise the remainder of an interrupted publication would undo this change.
    await finishChange(TARIFFS, above);
    await finishChange(AGREEMENTS, above);
    return await change();
  };
  return await usingAlone(
    above,
    finishAndChange,
    () => new CommandFailure(`Nothing was written. Another process is changing the folders in ${above}. Try again.`),
  );
};

/** Does the same for a folder that may not exist yet. */
export const beginningFolder = async <T>(dir: string, change: () => Promise<T>): Promise<T> => {
  await mkdir(dirname(resolve(dir)), { recursive: true });
  return await changingFolder(dir, change);
};
