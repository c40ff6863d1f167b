/** The client and the tariffs of a command that quotes by itself, without a server. */
import type { Client } from '../clients.ts';
import type { Config } from '../config.ts';
import { createLog } from '../log.ts';
import { publishedTariffs } from '../published/tariffs.ts';
import { watchTariffs } from '../tariff/live.ts';
import type { Schedule } from '../tariff/schedule.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { type Io, say } from './io.ts';
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

const schedulesIn = async (dir: string, io: Pick<Io, 'stderr'>): Promise<Schedule> => {
  // What is refused is told below, in words.
  const tariffs = await watchTariffs(dir, { log: createLog({ level: 'silent', name: 'rates' }) });
  tariffs.close();
  const errors = tariffs.findings().filter(({ severity }) => severity === 'error');
  for (const { at, message } of errors.slice(0, 5)) say(io, `A tariff is left out: ${at}: ${message}`);
  const schedule = tariffs.current();
  if (schedule.ids.length === 0)
    throw new CommandFailure(`${dir} holds no tariff that can be used: name another folder with TARIFFS_DIR.`);
  return schedule;
};

const publishedIn = async (config: Config): Promise<Schedule> => {
  const schedule = await readPublished(config, publishedTariffs);
  if (schedule.ids.length === 0) throw new CommandFailure('No tariffs are published: see `rates tariff publish`.');
  return schedule;
};

/**
 * Reads the clients and the tariffs that the settings name.
 * @param clientId the first client unless given
 * @param tariff the one to rate with; those in force unless given
 */
export const openLocal = async (
  config: Config,
  { clientId, tariff }: { readonly clientId?: string | undefined; readonly tariff?: string | undefined },
  io: Pick<Io, 'stderr'>,
): Promise<Local> => {
  const client = await clientIn(config, clientId);
  const { tariffsDir } = config;
  const all = tariffsDir === undefined ? await publishedIn(config) : await schedulesIn(tariffsDir, io);
  const schedule = tariff === undefined ? all : all.only(tariff);
  if (schedule === undefined)
    throw new CommandFailure(`There is no tariff ${tariff}; there are ${all.ids.join(', ')}.`, EXIT.usage);
  return { client, schedule };
};
