/** The options of `rates client` that give a client its agreements. */
import { type Command, InvalidArgumentError } from 'commander';
import type { AgreementEntry } from '../clients/agreement-entries.ts';
import { CLIENT_FORM, type ClientRecord, unrevoked } from '../clients/clients.ts';
import { readConfig } from '../config/settings.ts';
import { Failed } from '../rating/fault.ts';
import { check, pathText } from '../rating/validation.ts';
import { CommandFailure, EXIT } from './exit.ts';
import type { Io } from './io.ts';
import { agreementsNamed, errorLines, withAgreements } from './local-sources.ts';

const FORM = 'It must be NAME or NAME=101,102 with warehouses of the client, and perhaps @ and the account number.';

const agreementOption = (text: string, before: readonly AgreementEntry[]): readonly AgreementEntry[] => {
  const [where = '', ...numbers] = text.split('@');
  const [account] = numbers;
  const [name = '', list, ...more] = where.split('=');
  const ids = list?.split(',').map((id) => id.trim());
  if (more.length > 0 || numbers.length > 1 || ids?.some((id) => !/^\d{1,10}$/.test(id)))
    throw new InvalidArgumentError(FORM);
  const entry = {
    name,
    ...(ids === undefined ? {} : { warehouses: ids.map(Number) }),
    ...(account === undefined ? {} : { account }),
  };
  const checked = check(CLIENT_FORM.agreements, [...before, entry]);
  const [problem] = checked instanceof Failed ? checked.fault : [];
  if (problem === undefined) return [...before, entry];
  throw new InvalidArgumentError(`${pathText(problem.path.slice(1)) || 'It'} ${problem.message}.`);
};

export const withAgreementOption = (command: Command): Command =>
  command.option(
    '--agreement <name[=ids][@account]>',
    'an agreement of AGREEMENTS_DIR, for all warehouses or for some; repeatable',
    agreementOption,
    [],
  );

export const withRemoveAgreementOption = (command: Command): Command =>
  command.option(
    '--remove-agreement <name>',
    'an agreement to remove; repeatable',
    (text, before: readonly string[]) => [...before, text],
    [],
  );

const draftOption = (text: string, before: readonly string[]): readonly string[] => {
  const checked = check(CLIENT_FORM.drafts, [...before, text]);
  const [problem] = checked instanceof Failed ? checked.fault : [];
  if (problem !== undefined) throw new InvalidArgumentError(`It ${problem.message}.`);
  return [...before, text];
};

export const withDraftOption = (command: Command): Command =>
  command.option(
    '--draft <name>',
    'an agreement to ask about in comparisons, which the client does not pay by; repeatable',
    draftOption,
    [],
  );

export const withRemoveDraftOption = (command: Command): Command =>
  command.option(
    '--remove-draft <name>',
    'a draft to remove; repeatable',
    (text, before: readonly string[]) => [...before, text],
    [],
  );

export interface DraftFlags {
  readonly draft: readonly string[];
  readonly removeDraft: readonly string[];
}

/** Refuses drafts that are not there or have errors: no comparison could use them. */
export const requireDrafts = async (drafts: readonly string[], io: Pick<Io, 'env'>): Promise<void> => {
  if (drafts.length === 0) return;
  const { agreements, errors, place } = await agreementsNamed(readConfig({ ...io.env, CLIENTS_FILE: undefined }));
  const missing = drafts.filter((name) => !agreements.has(name));
  if (missing.length === 0) return;
  throw new CommandFailure(
    `The draft ${missing.join(', ')} is missing or has errors. Agreements come from ${place}.` +
      (errors.length === 0 ? '' : `\nErrors there:\n${errorLines(errors)}`) +
      '\nNothing was changed.',
    EXIT.failed,
  );
};

export interface AgreementFlags {
  readonly agreement: readonly AgreementEntry[];
  readonly removeAgreement: readonly string[];
}

/** Refuses agreements that the service could not use: the client would get no prices. */
export const requireAgreements = async (record: ClientRecord, io: Pick<Io, 'env'>): Promise<void> => {
  // The clients file may not exist yet.
  const config = readConfig({ ...io.env, CLIENTS_FILE: undefined });
  for (const client of unrevoked([record]).values()) {
    try {
      await withAgreements(config, client);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      throw new CommandFailure(`${error.message}\nNothing was changed.`, EXIT.failed);
    }
  }
};
