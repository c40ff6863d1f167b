/** Follows a clients file. An unusable file never replaces a usable one. */
import { readFile, stat } from 'node:fs/promises';
import type { Logger } from '../../base/log.ts';
import { poll, type Refresh } from '../../base/poll.ts';
import { type Clients, readClients, refuseSampleSecrets } from './clients.ts';

const POLL_MS = 500;

export interface WatchedClients {
  readonly current: () => Clients;
  readonly refresh: Refresh;
  readonly close: () => void;
}

export interface WatchOptions {
  readonly log: Logger;
  /** False if the service listens beyond loopback. Then a file with a sample secret is refused. */
  readonly allowSampleSecrets: boolean;
  /** Time between checks of the file. Default: half a second. */
  readonly intervalMs?: number;
}

/**
 * Follows a clients file: a change takes effect within a second. An unusable change is logged and ignored. @throws
 * {ClientsFileError} if the file is unusable at the start
 */
export const watchClients = async (file: string, options: WatchOptions): Promise<WatchedClients> => {
  const load = async (): Promise<Clients> => {
    const clients = readClients(await readFile(file, 'utf8'), file);
    if (!options.allowSampleSecrets) refuseSampleSecrets(clients, file);
    return clients;
  };
  // Read before the content, so that the next check detects a change in between.
  const stampOf = async (): Promise<string> => {
    const { mtimeMs, size, ino } = await stat(file);
    return `${mtimeMs} ${size} ${ino}`;
  };

  let seen = await stampOf();
  let clients = await load();
  let failure: unknown;
  const check = async (): Promise<void> => {
    try {
      const stamp = await stampOf().catch(() => 'missing');
      if (stamp === seen) return;
      seen = stamp;
      clients = await load();
      failure = undefined;
      options.log.info({ clients: clients.size }, 'clients loaded');
    } catch (err) {
      failure = err;
      options.log.error({ err }, 'the clients file cannot be used; the last good one stays in force');
    }
  };
  const { now, stop } = poll(check, options.intervalMs ?? POLL_MS);
  const refresh = async (): Promise<void> => {
    await now();
    if (failure !== undefined) throw failure;
  };
  return { current: () => clients, refresh, close: stop };
};
