/** `rates agreement publish`: adds agreements to the published ones, takes others out, or goes back to an earlier version. */
import { resolve } from 'node:path';
import { checkAgainst } from '../agreement/check-against.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { agreementFoldersIn } from '../agreement/folders.ts';
import { readConfig } from '../config/settings.ts';
import {
  agreementNameIn,
  agreementVersions,
  changeAgreements,
  publishAgreementsAgain,
} from '../published/agreements.ts';
import { dayFor, readFolders, TARIFFS, tariffsFor } from './agreement-sources.ts';
import { command, flag, type Said, text, texts } from './command.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { counted, findingText } from './format.ts';
import { type Io, say } from './io.ts';
import { changePublished, clientPlace, readPublished, whoIn } from './local-sources.ts';
import { inWords } from './tariff-versions.ts';

/** Which processes use the new version. It depends on their AGREEMENTS_DIR, which may differ from the one here. */
const followed = ({ env }: Io): string =>
  readConfig(env).agreementsDir === undefined
    ? 'Running processes use it within a second.'
    : 'Processes that run with AGREEMENTS_DIR=published use it within a second. Here, AGREEMENTS_DIR names a folder.';

/** Refuses a version without agreements that clients use: they would get no prices. */
const requireUnused = async (isGone: (name: string) => boolean, io: Io): Promise<void> => {
  const clients = (await clientPlace(io.env).read()).filter(({ revoked }) => !revoked);
  const lost = clients.flatMap(({ id, agreements }) =>
    agreements.filter(({ name }) => isGone(name)).map(({ name }) => `${id} uses ${name}`),
  );
  if (lost.length === 0) return;
  throw new CommandFailure(
    `Nothing was published. These clients would have no prices: ${[...new Set(lost)].join(', ')}. ` +
      'Change them first with `rates client set`.',
  );
};

const goBack = async (version: string, io: Io): Promise<Said> => {
  const { inForce, versions } = await readPublished(readConfig(io.env), agreementVersions);
  const idsIn = (one: string | undefined) => versions.find((known) => known.version === one)?.ids;
  const names = new Set(idsIn(version)?.map(agreementNameIn));
  const published = new Set(idsIn(inForce?.version)?.map(agreementNameIn));
  if (idsIn(version) !== undefined) await requireUnused((name) => published.has(name) && !names.has(name), io);
  const publication = { by: whoIn(io.env), now: new Date() };
  await inWords(changePublished(io.env, (deps) => publishAgreementsAgain(deps, version, publication)));
  return {
    json: () => ({ version }),
    lines: () => [`version ${version} is in force again`],
    notes: [followed(io)],
  };
};

/** The agreements of folders without errors, also against the tariffs. Prints errors. */
const checkedIn = async (
  dirs: readonly string[],
  tariffs: string | undefined,
  io: Io,
): Promise<AgreementDocument[]> => {
  const found = new Set<string>();
  for (const dir of dirs) {
    const folders = await agreementFoldersIn(dir);
    if (folders.length === 0) throw new CommandFailure(`${dir} contains no agreement.`);
    for (const folder of folders) found.add(resolve(folder));
  }
  if (found.size === 0) return [];
  const schedule = await tariffsFor(tariffs, io);
  const folders = await readFolders([...found]);
  const findings = folders.flatMap(({ name, findings: own, document }) => [
    ...own,
    ...(document === undefined ? [] : checkAgainst(document, schedule, dayFor(document, schedule))).map((finding) => ({
      ...finding,
      at: `${name}/${finding.at}`,
    })),
  ]);
  const errors = findings.filter(({ severity }) => severity === 'error');
  for (const finding of errors) say(io, findingText(finding));
  if (errors.length > 0) throw new CommandFailure(`Nothing was published: ${counted(errors.length, 'error')}.`);
  if (findings.length > 0) say(io, `${counted(findings.length, 'warning')}. \`rates agreement check\` lists them.`);
  return folders.flatMap(({ document }) => document ?? []);
};

export const agreementPublish = command({
  path: 'agreement publish',
  about: 'Put agreements in force in all processes at once, beside those published before',
  args: { folders: texts('[folders...]', 'folders of agreements, or folders that contain them') },
  options: {
    remove: texts('--remove <name>', 'a published agreement to take out; repeatable'),
    replace: flag('--replace', 'also replace or take out agreements that others have put in force'),
    backTo: text('--back-to <version>', 'instead put an earlier version in force again'),
    tariffs: TARIFFS,
    json: flag('--json', 'print the version as JSON'),
  },
  examples: [
    'rates agreement publish agreements                      # all in the folder',
    'rates agreement publish agreements/acme-ups',
    'rates agreement publish --remove acme-2024',
    'rates agreement publish --back-to 3-90a1b2c3d4e5f607',
  ],
  more: `A published agreement of the same name is replaced; all others stay. One that somebody else has put in force, such as an
operator in the console, is replaced only with --replace. An agreement that a client uses is not removed. The API and
the workers use published agreements if they run with AGREEMENTS_DIR=published. On many machines, set their REDIS_URL and
STORE_URL here. On one machine with a private Redis, set neither of them, and use the same DATA_DIR.`,
  refuse: ({ folders, remove, backTo }) =>
    (backTo === undefined) === (folders.length === 0 && remove.length === 0) &&
    'Name folders to publish or --remove, or an earlier version with --back-to.',
  run: async ({ folders, remove, replace, backTo, tariffs }, io) => {
    if (backTo !== undefined) return await goBack(backTo, io);
    const add = await checkedIn(folders, tariffs, io);
    const both = remove.find((name) => add.some(({ file }) => file.name === name));
    if (both !== undefined) throw new CommandFailure(`${both} cannot be both published and removed.`, EXIT.usage);
    if (remove.length > 0) await requireUnused((name) => remove.includes(name), io);
    const publication = { by: whoIn(io.env), now: new Date() };
    const change = { add: add.map((document) => ({ document })), remove, onlyOwn: replace !== true };
    const { version, isNew, ids } = await inWords(
      changePublished(io.env, (deps) => changeAgreements(deps, change, publication)),
    );
    const same = isNew ? '' : '; it was already in force';
    return {
      json: () => ({ version, isNew, agreements: ids }),
      lines: () => [`version ${version}: ${ids.join(', ') || 'no agreement'}${same}`],
      notes: isNew ? [followed(io)] : [],
    };
  },
});
