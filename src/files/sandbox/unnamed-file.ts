/** Unnamed temporary files: the system frees their space when they are closed or the process ends for any reason. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OverLimit } from '../unreadable-file.ts';

/**
 * Writes a stream to an unnamed file.
 * @param limit the name of the limit, for the error
 * @throws {OverLimit} if there are more than `most` bytes
 */
export const spool = async (source: AsyncIterable<Buffer>, limit: string, most: number): Promise<FileHandle> => {
  const path = join(tmpdir(), `rates-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    let bytes = 0;
    for await (const piece of source) {
      bytes += piece.length;
      if (bytes > most) throw new OverLimit(limit, `${most} bytes`);
      await file.appendFile(piece);
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
};
