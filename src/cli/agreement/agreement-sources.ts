/** The agreements and tariffs of a command: folders, or names from the settings. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Environment, readConfig } from '../../base/config/settings.ts';
import { checkAgreement } from '../../catalog/agreement/check/check.ts';
import { checkAgainst } from '../../catalog/agreement/check/check-against.ts';
import type { AgreementState } from '../../catalog/agreement/diff/diff.ts';
import { AGREEMENT_FILE, AGREEMENT_NAME, type AgreementDocument } from '../../catalog/agreement/document.ts';
import { readAgreementFolder } from '../../catalog/agreement/folder.ts';
import { hasErrors } from '../../catalog/tariff/check/check.ts';
import { later } from '../../catalog/tariff/days.ts';
import { errorsIn } from '../../catalog/tariff/findings.ts';
import type { Schedule } from '../../catalog/tariff/schedule.ts';
import { text } from '../command.ts';
import { wrongUse } from '../exit.ts';
import { failureWith } from '../format.ts';
import type { Io } from '../io.ts';
import { agreementsNamed, tariffsNamed } from '../rate/local-sources.ts';

const isFolder = async (dir: string): Promise<boolean> => {
  try {
    await stat(join(dir, AGREEMENT_FILE));
    return true;
  } catch {
    return false;
  }
};

/** The findings of an agreement's folder, also against the tariffs if they are given, and the document if it has no error. */
export const checkedIn = async (dir: string, schedule?: Schedule) => {
  const read = await readAgreementFolder(dir);
  if (!('document' in read)) return { findings: read.findings };
  const { document } = read;
  const findings = checkAgreement(document);
  if (schedule !== undefined && !hasErrors(findings))
    findings.push(...checkAgainst(document, schedule, dayFor(document, schedule)));
  return hasErrors(findings) ? { findings } : { findings, document };
};

/** @throws {CommandFailure} if the agreement has errors, because then nothing can be computed */
const documentIn = async (dir: string): Promise<AgreementDocument> => {
  const { document, findings } = await checkedIn(dir);
  if (document !== undefined) return document;
  throw failureWith(`${dir} has errors:`, errorsIn(findings));
};

const LISTED = '`rates agreement list` lists the agreements.';

/**
 * @param named a folder, or the name of an agreement in AGREEMENTS_DIR @throws {CommandFailure} if there is none, or it is
 * unreadable
 */
export const agreementNamed = async (named: string, env: Environment): Promise<AgreementDocument> => {
  if (await isFolder(named)) return await documentIn(named);
  if (!AGREEMENT_NAME.test(named))
    throw wrongUse(`${named} is not a folder with an ${AGREEMENT_FILE}, and not the name of an agreement.`);
  const { agreementsDir } = readConfig(env);
  if (agreementsDir === undefined) {
    const published = (await agreementsNamed(readConfig(env))).agreements.get(named);
    if (published !== undefined) return published;
    throw wrongUse(`No agreement ${named} is published. ${LISTED}`);
  }
  const dir = join(agreementsDir, named);
  if (await isFolder(dir)) return await documentIn(dir);
  throw wrongUse(
    `There is no agreement ${named} in ${agreementsDir}. Name its folder, or set AGREEMENTS_DIR. ${LISTED}`,
  );
};

/** The option for other tariffs. */
export const TARIFFS = text(
  '--tariffs <dir>',
  'the folder with tariffs; default: TARIFFS_DIR, or the published tariffs',
);

/** The tariffs of a folder, or the tariffs of the settings. */
export const tariffsFor = async (dir: string | undefined, { env }: Pick<Io, 'env'>): Promise<Schedule> =>
  await tariffsNamed(readConfig(dir === undefined ? env : { ...env, TARIFFS_DIR: dir }));

/** Today, or the first day of an agreement that is not in force yet. */
export const dayFor = ({ file }: AgreementDocument, schedule: Schedule): string =>
  later(schedule.bookAt(new Date()).day, file.effective);

/** `acme@2026-07-01`: an agreement on a specific day. */
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
