/** Writes files atomically. */
import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes text to a temporary file next to `path`, then moves it to `path`.
 * @param mode the permissions of the new file
 * @param move `rename` replaces an existing file; `link` fails with EEXIST if there is one
 */
export const replaceFile = async (
  path: string,
  text: string,
  mode: number,
  move: (from: string, to: string) => Promise<void> = rename,
): Promise<void> => {
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(temporary, text, { mode, flag: 'wx', flush: true });
    await move(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
};
