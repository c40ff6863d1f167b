/** Whether an address can be listened on, asked before anything is started that would have to be stopped again. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/settings.ts';

type Address = Pick<Config, 'host' | 'port'>;

/** For so long an API may still listen that was of a service which was killed. */
const ADDRESS_WAIT_MS = 3_000;
const ADDRESS_LOOK_MS = 100;

const tryAddress = async ({ host, port }: Address): Promise<void> => {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
};

/**
 * Resolves where an API that is started now will be able to listen.
 * @throws {Error} of the system where it will not (`EADDRINUSE`)
 */
export const requireAddress = async (config: Address): Promise<void> => {
  for (const deadline = performance.now() + ADDRESS_WAIT_MS; ; await sleep(ADDRESS_LOOK_MS)) {
    try {
      return await tryAddress(config);
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (!isTaken || performance.now() > deadline) throw error;
    }
  }
};
