/**
 * Allows one service at a time for a data folder. The lock is a listening local socket with a name derived from the folder.
 * The kernel grants it to one process and releases it when that process ends for any reason, so there are no stale locks.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FolderLock {
  release(): Promise<void>;
}

/** Linux has abstract socket names and Windows has named pipes. Both disappear with their owner. */
const lockName = (folder: string, platform: NodeJS.Platform): string => {
  const id = `shipping-rates-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)}`;
  if (platform === 'linux') return `\0${id}`;
  return platform === 'win32' ? `\\\\.\\pipe\\${id}` : join(tmpdir(), `${id}.sock`);
};

const answers = async (name: string): Promise<boolean> => {
  const socket = connect(name);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // No process listens: the socket file is stale.
  } finally {
    socket.destroy();
  }
};

const listen = async (name: string): Promise<FolderLock | undefined> => {
  const server = createServer((socket) => socket.destroy());
  try {
    await once(server.listen(name), 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
  server.unref();
  return {
    release: async () => {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
};

/** Locks an existing folder or file for this process. @returns undefined if another process holds the lock */
export const lockFolder = async (folder: string): Promise<FolderLock | undefined> => {
  const name = lockName(folder, process.platform);
  const lock = await listen(name);
  if (lock !== undefined || process.platform === 'linux' || process.platform === 'win32') return lock;
  if (await answers(name)) return undefined;
  await rm(name, { force: true });
  return listen(name);
};

const WAIT_MS = 10_000;
const LOOK_MS = 20;

/** Locks as `lockFolder` does, but waits up to ten seconds. @returns undefined if another process still holds the lock */
export const lockWhenFree = async (folder: string): Promise<FolderLock | undefined> => {
  for (const deadline = performance.now() + WAIT_MS; performance.now() < deadline; await sleep(LOOK_MS)) {
    const lock = await lockFolder(folder);
    if (lock !== undefined) return lock;
  }
  return undefined;
};

/**
 * Uses an existing folder or file exclusively. Waits up to ten seconds for other processes.
 * @param busy the error if another process still holds the lock
 */
export const usingAlone = async <T>(folder: string, use: () => Promise<T>, busy: () => Error): Promise<T> => {
  const lock = await lockWhenFree(folder);
  if (lock === undefined) throw busy();
  try {
    return await use();
  } finally {
    await lock.release();
  }
};
