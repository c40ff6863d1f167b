/** The options of `rates client` that give a client its agreements. */
import { type Command, InvalidArgumentError } from 'commander';
import type { AgreementEntry } from '../clients/agreement-entries.ts';
import { CLIENT_FORM, type ClientRecord, unrevoked } from '../clients/clients.ts';
import { readConfig } from '../config/settings.ts';
import { Failed } from '../rating/fault.ts';
import { check, pathText } from '../rating/validation.ts';
import { CommandFailure, EXIT } from './exit.ts';
import type { Io } from './io.ts';
import { withAgreements } from './local-sources.ts';

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

export interface AgreementFlags {
  readonly agreement: readonly AgreementEntry[];
  readonly removeAgreement: readonly string[];
}

export const unknownAgreements = (client: ClientRecord, removed: readonly string[]): string[] =>
  removed
    .filter((name) => !client.agreements.some((entry) => entry.name === name))
    .map((name) => `no agreement ${name}`);

/**
 * The agreements of a changed client. A given one replaces those of its name. Without an account number it keeps the one that
 * there was.
 * @throws {CommandFailure} if there were several numbers
 */
export const changedAgreements = (
  client: ClientRecord,
  { agreement: given, removeAgreement: removed }: AgreementFlags,
): readonly AgreementEntry[] => {
  const replaced = new Set([...removed, ...given.map(({ name }) => name)]);
  const numbered = given.map((entry) => {
    if (entry.account !== undefined) return entry;
    const accounts = client.agreements.flatMap(({ name, account }) => (name === entry.name ? (account ?? []) : []));
    const [account, ...others] = new Set(accounts);
    if (others.length > 0)
      throw new CommandFailure(
        `${client.id} has ${entry.name} with several account numbers. Change it in the clients file, or remove it first.`,
      );
    return account === undefined ? entry : { ...entry, account };
  });
  return [...client.agreements.filter(({ name }) => !replaced.has(name)), ...numbered];
};

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
