/** The client and the tariffs of a command that quotes by itself, without a server. */
import type { Client } from '../clients/clients.ts';
import type { Config } from '../config/settings.ts';
import { publishedTariffs } from '../published/tariffs.ts';
import { documentsOf, errorsOf, judgeFolders } from '../tariff/folders.ts';
import { type Schedule, scheduleOf } from '../tariff/schedule.ts';
import { foldersIn } from '../tariff/signature.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { clientsNamed, readPublished } from './published.ts';

export interface Local {
  readonly client: Client;
  readonly schedule: Schedule;
}

const clientIn = async (config: Config, id: string | undefined): Promise<Client> => {
  const { clients, place } = await clientsNamed(config);
  const [first] = clients.values();
  if (first === undefined) throw new CommandFailure(`There is no client in ${place}: add one.`);
  if (id === undefined) return first;
  const client = clients.get(id);
  if (client === undefined)
    throw new CommandFailure(
      `There is no client ${id} in ${place}; it has ${[...clients.keys()].join(', ')}.`,
      EXIT.usage,
    );
  return client;
};

const SHOWN_ERRORS = 5;

/** Rates by all tariffs of a folder or not at all: what is left of them may have another price. */
const scheduleIn = async (dir: string): Promise<Schedule> => {
  const folders = await judgeFolders(await foldersIn(dir));
  const errors = errorsOf(folders);
  if (errors.length > 0) {
    const lines = errors.slice(0, SHOWN_ERRORS).map(({ at, message }) => `  ${at}: ${message}`);
    if (errors.length > SHOWN_ERRORS) lines.push(`  and ${errors.length - SHOWN_ERRORS} more`);
    throw new CommandFailure(
      `The tariffs in ${dir} cannot be used as they are:\n${lines.join('\n')}\n` +
        'Mend or take away what is wrong; `rates tariff list` says all of it.',
    );
  }
  if (folders.length === 0)
    throw new CommandFailure(`${dir} holds no tariff that can be used: name another folder with TARIFFS_DIR.`);
  return scheduleOf(documentsOf(folders));
};

const publishedIn = async (config: Config): Promise<Schedule> => {
  const schedule = await readPublished(config, publishedTariffs);
  if (schedule.ids.length === 0) throw new CommandFailure('No tariffs are published: see `rates tariff publish`.');
  return schedule;
};

/** The tariffs that the settings name. @throws {CommandFailure} where they cannot be used, or there are none */
export const tariffsNamed = async (config: Config): Promise<Schedule> =>
  config.tariffsDir === undefined ? await publishedIn(config) : await scheduleIn(config.tariffsDir);

/**
 * Reads the clients and the tariffs that the settings name.
 * @param clientId the first client unless given
 * @param tariff the one to rate with; those in force unless given
 * @throws {CommandFailure} also where a tariff cannot be used, or two have a service from one date on
 */
export const openLocal = async (
  config: Config,
  { clientId, tariff }: { readonly clientId?: string | undefined; readonly tariff?: string | undefined },
): Promise<Local> => {
  const client = await clientIn(config, clientId);
  const all = await tariffsNamed(config);
  const schedule = tariff === undefined ? all : all.only(tariff);
  if (schedule === undefined)
    throw new CommandFailure(`There is no tariff ${tariff}; there are ${all.ids.join(', ')}.`, EXIT.usage);
  return { client, schedule };
};
