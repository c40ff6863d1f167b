/**
 * One service at a time on a data folder. The lock is a listening local socket whose name comes from the folder: the
 * kernel grants it to one process only and takes it back when that process ends, however it ends, so there is no stale
 * lock and no process id to mistrust.
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

/** Linux has socket names apart from the file system and Windows has pipes; both vanish with their owner. */
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
    return false; // Nobody listens: the file was left behind.
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

/** Locks an existing folder (or file) for this process; undefined when another process holds it. */
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

/** Locks as `lockFolder` does, and waits up to ten seconds for another process; undefined when it still holds the lock. */
export const lockWhenFree = async (folder: string): Promise<FolderLock | undefined> => {
  for (const deadline = performance.now() + WAIT_MS; performance.now() < deadline; await sleep(LOOK_MS)) {
    const lock = await lockFolder(folder);
    if (lock !== undefined) return lock;
  }
  return undefined;
};
