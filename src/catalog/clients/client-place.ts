/** Where clients are read and changed: the clients file of one machine, or what is published for many. */
import { readFile } from 'node:fs/promises';
import { changeClients, makeClientsFile } from './change-clients.ts';
import { type ClientRecord, parseClients } from './clients.ts';

type Records = readonly ClientRecord[];

export interface ClientPlace {
  /** Creates an empty file if there is none. */
  readonly make: () => Promise<void>;
  /** All clients, also revoked ones. */
  readonly read: () => Promise<Records>;
  /**
   * Changes are made one at a time, also those of several processes. A change may run more than once.
   * @param by who makes the change
   * @throws as `changeClients` does
   */
  readonly change: (how: (clients: Records) => Records, by: string) => Promise<void>;
}

export const clientsInFile = (file: string): ClientPlace => ({
  make: () => makeClientsFile(file),
  read: async () => parseClients(await readFile(file, 'utf8'), file),
  change: (how) => changeClients(file, how),
});
