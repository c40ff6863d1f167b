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
import { dayFor, readFolders, tariffsFor } from './agreement-sources.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { counted } from './format.ts';
import { changePublished, clientPlace, readPublished, whoIn } from './local-sources.ts';
import { findingText, jsonText, type TariffIo } from './tariff-import.ts';
import { inWords } from './tariff-versions.ts';

export interface PublishFlags {
  readonly remove: readonly string[];
  readonly backTo?: string;
  readonly replace?: true;
  readonly tariffs?: string;
  readonly json?: true;
}

/** Which processes use the new version. It depends on their AGREEMENTS_DIR, which may differ from the one here. */
const followed = ({ env }: TariffIo): string =>
  readConfig(env).agreementsDir === undefined
    ? 'Running processes use it within a second.\n'
    : 'Processes that run with AGREEMENTS_DIR=published use it within a second. Here, AGREEMENTS_DIR names a folder.\n';

/** Refuses a version without agreements that clients use: they would get no prices. */
const requireUnused = async (isGone: (name: string) => boolean, io: TariffIo): Promise<void> => {
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

const goBack = async (version: string, flags: PublishFlags, io: TariffIo): Promise<number> => {
  const { inForce, versions } = await readPublished(readConfig(io.env), agreementVersions);
  const idsIn = (one: string | undefined) => versions.find((known) => known.version === one)?.ids;
  const names = new Set(idsIn(version)?.map(agreementNameIn));
  const published = new Set(idsIn(inForce?.version)?.map(agreementNameIn));
  if (idsIn(version) !== undefined) await requireUnused((name) => published.has(name) && !names.has(name), io);
  const publication = { by: whoIn(io.env), now: new Date() };
  await inWords(changePublished(io.env, (deps) => publishAgreementsAgain(deps, version, publication)));
  io.stdout.write(flags.json === true ? jsonText({ version }) : `version ${version} is in force again\n`);
  io.stderr.write(followed(io));
  return EXIT.done;
};

/** The agreements of folders without errors, also against the tariffs. Prints errors. */
const checkedIn = async (dirs: readonly string[], flags: PublishFlags, io: TariffIo): Promise<AgreementDocument[]> => {
  const found = new Set<string>();
  for (const dir of dirs) {
    const folders = await agreementFoldersIn(dir);
    if (folders.length === 0) throw new CommandFailure(`${dir} contains no agreement.`);
    for (const folder of folders) found.add(resolve(folder));
  }
  if (found.size === 0) return [];
  const schedule = await tariffsFor(flags.tariffs, io);
  const folders = await readFolders([...found]);
  const findings = folders.flatMap(({ name, findings: own, document }) => [
    ...own,
    ...(document === undefined ? [] : checkAgainst(document, schedule, dayFor(document, schedule))).map((finding) => ({
      ...finding,
      at: `${name}/${finding.at}`,
    })),
  ]);
  const errors = findings.filter(({ severity }) => severity === 'error');
  for (const finding of errors) io.stderr.write(findingText(finding));
  if (errors.length > 0) throw new CommandFailure(`Nothing was published: ${counted(errors.length, 'error')}.`);
  if (findings.length > 0)
    io.stderr.write(`${counted(findings.length, 'warning')}. \`rates agreement check\` lists them.\n`);
  return folders.flatMap(({ document }) => document ?? []);
};

/** Adds the agreements of folders to the published ones, takes others out, or goes back to an earlier version. */
export const publishAgreementFolders = async (
  dirs: readonly string[],
  flags: PublishFlags,
  io: TariffIo,
): Promise<number> => {
  const { remove, backTo, json = false } = flags;
  const isChange = dirs.length > 0 || remove.length > 0;
  if ((backTo === undefined) !== isChange)
    throw new CommandFailure('Name folders to publish or --remove, or an earlier version with --back-to.', EXIT.usage);
  if (backTo !== undefined) return await goBack(backTo, flags, io);
  const add = await checkedIn(dirs, flags, io);
  const both = remove.find((name) => add.some(({ file }) => file.name === name));
  if (both !== undefined) throw new CommandFailure(`${both} cannot be both published and removed.`, EXIT.usage);
  if (remove.length > 0) await requireUnused((name) => remove.includes(name), io);
  const publication = { by: whoIn(io.env), now: new Date() };
  const { version, isNew, ids } = await inWords(
    changePublished(io.env, (deps) =>
      changeAgreements(
        deps,
        { add: add.map((document) => ({ document })), remove, onlyOwn: flags.replace !== true },
        publication,
      ),
    ),
  );
  if (json) io.stdout.write(jsonText({ version, isNew, agreements: ids }));
  else
    io.stdout.write(
      `version ${version}: ${ids.join(', ') || 'no agreement'}${isNew ? '' : '; it was already in force'}\n`,
    );
  if (isNew) io.stderr.write(followed(io));
  return EXIT.done;
};
