/** Files that are there as a whole or not at all. */
import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes text to a new file beside a path, and then puts it there.
 * @param mode permissions of the new file
 * @param place how it is put there: `rename` replaces what is there, `link` fails with EEXIST if something is
 */
export const replaceFile = async (
  path: string,
  text: string,
  mode: number,
  place: (from: string, to: string) => Promise<void> = rename,
): Promise<void> => {
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(aside, text, { mode, flag: 'wx', flush: true });
    await place(aside, path);
  } finally {
    await rm(aside, { force: true });
  }
};
