/** The agreements and tariffs that a command is given: folders, or names of those that the settings name. */
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { checkAgreement } from '../agreement/check.ts';
import type { AgreementState } from '../agreement/diff.ts';
import { AGREEMENT_NAME, type AgreementDocument } from '../agreement/document.ts';
import { AGREEMENT_FILE, readAgreementFolder } from '../agreement/folder.ts';
import { type Environment, readConfig } from '../config/settings.ts';
import { publishedAgreements } from '../published/agreements.ts';
import { hasErrors } from '../tariff/check.ts';
import { later } from '../tariff/days.ts';
import type { Finding } from '../tariff/document.ts';
import type { Schedule } from '../tariff/schedule.ts';
import { text } from './command.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { findingText } from './format.ts';
import type { Io } from './io.ts';
import { readPublished, tariffsNamed } from './local-sources.ts';

const isFolder = async (dir: string): Promise<boolean> => {
  try {
    await stat(join(dir, AGREEMENT_FILE));
    return true;
  } catch {
    return false;
  }
};

/** @throws {CommandFailure} if it has errors: nothing can be computed with it */
const documentIn = async (dir: string): Promise<AgreementDocument> => {
  const read = await readAgreementFolder(dir);
  const findings = 'document' in read ? checkAgreement(read.document) : read.findings;
  const errors = findings.filter(({ severity }) => severity === 'error');
  if ('document' in read && errors.length === 0) return read.document;
  throw new CommandFailure(`${dir} has errors:\n${errors.map(findingText).join('\n')}`);
};

const LISTED = '`rates agreement list` lists the agreements.';

/**
 * @param named a folder, or the name of an agreement in AGREEMENTS_DIR
 * @throws {CommandFailure} if there is none, or it cannot be read
 */
export const agreementNamed = async (named: string, env: Environment): Promise<AgreementDocument> => {
  if (await isFolder(named)) return await documentIn(named);
  if (!AGREEMENT_NAME.test(named))
    throw new CommandFailure(
      `${named} is no folder with an ${AGREEMENT_FILE}, and not the name of an agreement.`,
      EXIT.usage,
    );
  const { agreementsDir } = readConfig(env);
  if (agreementsDir === undefined) {
    const published = (await readPublished(readConfig(env), publishedAgreements)).get(named);
    if (published !== undefined) return published;
    throw new CommandFailure(`No agreement ${named} is published. ${LISTED}`, EXIT.usage);
  }
  const dir = join(agreementsDir, named);
  if (await isFolder(dir)) return await documentIn(dir);
  throw new CommandFailure(
    `There is no agreement ${named} in ${agreementsDir}. Name its folder, or set AGREEMENTS_DIR. ${LISTED}`,
    EXIT.usage,
  );
};

/** The option that names other tariffs. */
export const TARIFFS = text(
  '--tariffs <dir>',
  'the folder with tariffs; default: TARIFFS_DIR, or the published tariffs',
);

/** The tariffs of a folder, or those that the settings name. */
export const tariffsFor = async (dir: string | undefined, { env }: Pick<Io, 'env'>): Promise<Schedule> =>
  await tariffsNamed(readConfig(dir === undefined ? env : { ...env, TARIFFS_DIR: dir }));

/** Today, or the first day of an agreement that is still to come. */
export const dayFor = ({ file }: AgreementDocument, schedule: Schedule): string =>
  later(schedule.bookAt(new Date()).day, file.effective);

/** `acme@2026-07-01`: an agreement on a day of its own. */
const ON_DAY = /^(.+)@(\d{4}-\d{2}-\d{2})$/;

export const stateNamed = async (
  named: string,
  day: string | undefined,
  schedule: Schedule,
  env: Environment,
): Promise<AgreementState> => {
  const [, name = named, own = day] = ON_DAY.exec(named) ?? [];
  const document = await agreementNamed(name, env);
  return { document, day: own ?? dayFor(document, schedule) };
};

/** An agreement's folder, read and checked by itself. */
export interface ReadFolder {
  readonly name: string;
  readonly findings: readonly Finding[];
  /** Absent if a finding is an error. */
  readonly document?: AgreementDocument;
}

const readFolder = async (dir: string): Promise<ReadFolder> => {
  const name = basename(dir);
  const read = await readAgreementFolder(dir);
  const own = 'document' in read ? checkAgreement(read.document) : read.findings;
  const findings = own.map((finding) => ({ ...finding, at: `${name}/${finding.at}` }));
  return 'document' in read && !hasErrors(own) ? { name, findings, document: read.document } : { name, findings };
};

/** Reads folders. A folder with the name of an earlier one's agreement has an error. */
export const readFolders = async (dirs: readonly string[]): Promise<readonly ReadFolder[]> => {
  const folders: ReadFolder[] = [];
  for (const dir of dirs) {
    const folder = await readFolder(dir);
    const twin = folders.find(({ document }) => document && document.file.name === folder.document?.file.name);
    if (twin === undefined) folders.push(folder);
    else {
      const message = `the folder ${twin.name} has an agreement of the same name: give one of them another name`;
      folders.push({
        name: folder.name,
        findings: [...folder.findings, { severity: 'error', at: `${folder.name}/agreement.json name`, message }],
      });
    }
  }
  return folders;
};
