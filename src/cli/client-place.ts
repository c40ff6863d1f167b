/** Where `rates client` finds the clients and leaves them: the file of `CLIENTS_FILE`, or what is published. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { changeClients, makeClientsFile } from '../clients/change-clients.ts';
import { type ClientRecord, parseClients } from '../clients/clients.ts';
import { type Environment, PUBLISHED, readConfig, refuseFolder, SAMPLE_CLIENTS } from '../config/settings.ts';
import { changePublishedClients, publishedClients } from '../published/clients.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { changePublished, readPublished, whoIn } from './published.ts';

type Records = readonly ClientRecord[];

export interface ClientPlace {
  /** Makes it, without clients, where there is none. */
  readonly make: () => Promise<void>;
  readonly read: () => Promise<Records>;
  /** @throws as `changeClients` does */
  readonly change: (how: (clients: Records) => Records) => Promise<void>;
}

const inFile = (file: string): ClientPlace => ({
  make: () => makeClientsFile(file),
  read: async () => parseClients(await readFile(file, 'utf8'), file),
  change: (how) => changeClients(file, how),
});

const refuseSamples = async (): Promise<never> => {
  throw new CommandFailure(
    'The sample clients are part of the program and stay as they are. Name a file of your own in CLIENTS_FILE; ' +
      '`CLIENTS_FILE=clients.json rates client add …` makes it.',
    EXIT.usage,
  );
};

/** The sample clients: they can be listed, not changed. */
const samples: ClientPlace = { make: refuseSamples, read: inFile(SAMPLE_CLIENTS).read, change: refuseSamples };

const published = (env: Environment): ClientPlace => ({
  make: async () => undefined,
  read: () => readPublished(readConfig(env), publishedClients),
  change: (how) =>
    changePublished(env, (deps) => changePublishedClients(deps, how, { by: whoIn(env), now: new Date() })),
});

/** A file that is named need not be there yet. */
export const clientPlace = (env: Environment): ClientPlace => {
  const named = env['CLIENTS_FILE'];
  if (named !== undefined && named !== '' && named !== PUBLISHED) {
    refuseFolder(named);
    const file = resolve(named);
    return file === SAMPLE_CLIENTS ? samples : inFile(file);
  }
  return readConfig(env).clientsFile === undefined ? published(env) : samples;
};
