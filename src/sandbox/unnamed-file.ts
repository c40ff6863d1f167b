/** A file without a name: its bytes go when it is closed, or when this process ends, however that is. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OverLimit } from '../unreadable-file.ts';

/** @throws {OverLimit} if there are more than `most` bytes */
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
