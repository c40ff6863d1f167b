import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readerFor } from '../../../src/files/sandbox/reader.ts';
import {
  ConfinedFailure,
  fill,
  PROCESS_LIMITS,
  type ProcessLimits,
  runConfined,
  unnamedFile,
} from '../../../src/files/sandbox/run.ts';
import { OverLimit } from '../../../src/files/unreadable-file.ts';

async function* bytes(text = 'the file'): AsyncGenerator<Buffer> {
  yield Buffer.from(text.slice(0, 3));
  yield Buffer.from(text.slice(3));
}

const GREEDY = join(import.meta.dirname, 'fixtures/greedy.ts');

const textOf = async (pieces: AsyncIterable<Buffer>): Promise<string> => {
  let text = '';
  for await (const piece of pieces) text += piece.toString();
  return text;
};

/** @returns the output of a process that reads a file with the text `the file`, or its error */
const run = async (task: string, limits: Partial<ProcessLimits> = {}): Promise<unknown> => {
  const file = await unnamedFile();
  await fill(file, bytes(), 'archive', 100);
  try {
    return await textOf(runConfined({ program: GREEDY, task, file }, { ...PROCESS_LIMITS, ...limits }));
  } catch (error) {
    return error;
  } finally {
    await file.close();
  }
};

describe('a confined process', () => {
  test('reads its file', async () => {
    expect(await run('echo')).toBe('the file');
  });

  test.each<[string, string, Partial<ProcessLimits>, string]>([
    ['fills its heap', 'heap', { heapMb: 64 }, 'readingMemory'],
    ['uses too much memory outside its heap', 'buffers', { memoryMb: 200 }, 'readingMemory'],
    ['never ends', 'loop', { processorS: 1 }, 'readingTime'],
    ['writes no output', 'silence', { silentS: 3 }, 'readingTime'],
  ])('is stopped if it %s', async (_what, task, limits, limit) => {
    const error = await run(task, limits);
    expect(error).toBeInstanceOf(OverLimit);
    expect(error).toMatchObject({ limit });
  });

  test('reports a bug as a failure, not as an unreadable file', async () => {
    const error = await run('bug');
    expect(error).toBeInstanceOf(ConfinedFailure);
    expect(String(error)).toContain('TypeError: a bug');
  });

  test('waits for its reader, and ends when the reader stops', async () => {
    const file = await unnamedFile();
    const before = process.memoryUsage.rss();
    const output = runConfined({ program: GREEDY, task: 'flood', file });
    await output.next();
    await sleep(1_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
    await output.return(undefined);
    await file.close();
  });
});

describe('a reader', () => {
  /** @returns the output of a task for a file of an owner */
  const read = async (owner: string | undefined, task: string, text?: string): Promise<string> => {
    const reader = await readerFor(GREEDY, owner);
    try {
      await reader.fill(bytes(text), 'archive', 100);
      return await textOf(reader.read(task));
    } finally {
      await reader.release();
    }
  };

  test('reads the next file of its owner in the same process, and that of another owner in a new one', async () => {
    const first = await read('acme', 'pid');
    expect(await read('acme', 'pid')).toBe(first);
    expect(await read('acme', 'echo', 'a long file')).toBe('a long file');
    expect(await read('acme', 'echo', 'short')).toBe('short');
    const second = await read('other', 'pid');
    expect(second).not.toBe(first);
    expect(await read('acme', 'pid')).not.toBe(first);
    expect(() => process.kill(Number(first), 0)).toThrow('ESRCH');
  });

  test('has no owner: its process ends', async () => {
    const pid = await read(undefined, 'pid');
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  });

  test('ends after a failure, and after it used much memory', async () => {
    const first = await read('acme', 'pid');
    await expect(read('acme', 'bug')).rejects.toThrow('a bug');
    const second = await read('acme', 'pid');
    expect(second).not.toBe(first);
    expect(await read('acme', 'much')).toBe('much');
    expect(await read('acme', 'pid')).not.toBe(second);
  });

  test('is kept if its output is not read to the end, and ends if its task does not stop', async () => {
    const first = await read('acme', 'pid');
    for (const task of ['flood', 'silence']) {
      const reader = await readerFor(GREEDY, 'acme');
      if (task === 'flood') await reader.read(task).next();
      else
        void reader
          .read(task)
          .next()
          .catch(() => undefined);
      await reader.release();
      const isSame = (await read('acme', 'pid')) === first;
      expect(isSame).toBe(task === 'flood');
    }
  });

  test('reads two files of an owner at once in two processes', async () => {
    const pids = await Promise.all([read('acme', 'pid'), read('acme', 'pid'), read('other', 'pid')]);
    expect(new Set(pids).size).toBe(3);
    const ended = pids.filter((pid) => {
      try {
        return !process.kill(Number(pid), 0);
      } catch {
        return true;
      }
    });
    // One of them waits.
    expect(ended).toHaveLength(2);
  });
});

describe('an unnamed file', () => {
  const names = async (): Promise<string[]> => (await readdir(tmpdir())).filter((name) => name.startsWith('rates-'));

  test('keeps its bytes without a name in the folder', async () => {
    const before = await names();
    const file = await unnamedFile();
    expect(await fill(file, bytes('12345'), 'archive', 5)).toBe(5);
    expect(await names()).toEqual(before);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(10), 0, 10, 0);
    expect(buffer.subarray(0, bytesRead).toString()).toBe('12345');
    await file.close();
  });

  test('rejects more bytes than its limit', async () => {
    const file = await unnamedFile();
    const refused = fill(file, bytes('123456'), 'archive', 5);
    await expect(refused).rejects.toMatchObject({ limit: 'archive', most: '5 bytes' });
    await file.close();
  });
});
