/** Folders of tests. They are removed behind them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach } from 'vitest';

const make = async (use: (dir: string) => void) => {
  const dir = await mkdtemp(join(tmpdir(), 'rates-test-'));
  use(dir);
  return () => rm(dir, { recursive: true, force: true });
};

/** Makes an empty folder before the tests of a file. Hooks that need it come later in the file. */
export const folderForFile = (use: (dir: string) => void): void => beforeAll(() => make(use));

/** Makes an empty folder before each test. Hooks that need it come later in the file. */
export const folderForEachTest = (use: (dir: string) => void): void => beforeEach(() => make(use));
