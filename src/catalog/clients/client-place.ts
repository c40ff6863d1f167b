/** Where clients are read and changed: the clients file of one machine, or the published clients of many. */
import { readFile } from 'node:fs/promises';
import { changeClients, makeClientsFile } from './change-clients.ts';
import { type ClientRecord, parseClients } from './clients.ts';

type Records = readonly ClientRecord[];

export interface ClientPlace {
  /** Creates an empty file if there is none. */
  readonly make: () => Promise<void>;
  /** All clients, including revoked ones. */
  readonly read: () => Promise<Records>;
  /**
   * Makes a change. Changes run one at a time across all processes. A change may run more than once.
   * @param by who makes the change @throws as `changeClients` does
   */
  readonly change: (how: (clients: Records) => Records, by: string) => Promise<void>;
}

export const clientsInFile = (file: string): ClientPlace => ({
  make: () => makeClientsFile(file),
  read: async () => parseClients(await readFile(file, 'utf8'), file),
  change: (how) => changeClients(file, how),
});
