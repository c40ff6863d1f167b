/** A clients file that running processes follow. One that cannot be used never takes the place of one that could. */
import { readFile, stat } from 'node:fs/promises';
import type { Logger } from '../log.ts';
import { lookOften } from '../poll.ts';
import { type Clients, readClients, refuseSampleSecrets } from './clients.ts';

const POLL_MS = 1_000;

export interface WatchedClients {
  readonly current: () => Clients;
  readonly close: () => void;
}

export interface WatchOptions {
  readonly log: Logger;
  /** False where the service listens beyond loopback: a file with a sample secret is then refused. */
  readonly allowSampleSecrets: boolean;
}

/**
 * Follows a clients file: a change is taken up within two seconds, one that cannot be used is logged and passed over.
 * @throws {ClientsFileError} where the file cannot be used to begin with
 */
export const watchClients = async (file: string, options: WatchOptions): Promise<WatchedClients> => {
  const load = async (): Promise<Clients> => {
    const clients = readClients(await readFile(file, 'utf8'), file);
    if (!options.allowSampleSecrets) refuseSampleSecrets(clients, file);
    return clients;
  };
  // Looked at before it is read: a change in between shows at the next look.
  const looksOf = async (): Promise<string> => {
    const { mtimeMs, size, ino } = await stat(file);
    return `${mtimeMs} ${size} ${ino}`;
  };

  let seen = await looksOf();
  let clients = await load();
  const look = async (): Promise<void> => {
    try {
      const looks = await looksOf().catch(() => 'missing');
      if (looks === seen) return;
      seen = looks;
      clients = await load();
      options.log.info({ clients: clients.size }, 'clients taken up');
    } catch (err) {
      options.log.error({ err }, 'clients file cannot be used, the last good one stays in force');
    }
  };
  const { stop } = lookOften(look, POLL_MS);
  return { current: () => clients, close: stop };
};
