import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  ConfinedFailure,
  PROCESS_LIMITS,
  type ProcessLimits,
  runConfined,
  spool,
} from '../../../src/files/sandbox/run.ts';
import { OverLimit } from '../../../src/files/unreadable-file.ts';

async function* bytes(text = 'the file'): AsyncGenerator<Buffer> {
  yield Buffer.from(text.slice(0, 3));
  yield Buffer.from(text.slice(3));
}

/** @returns the output of a process that reads a file with the text `the file`, or its error */
const run = async (task: string, limits: Partial<ProcessLimits> = {}): Promise<unknown> => {
  const file = await spool(bytes(), 'archive', 100);
  const job = { program: join(import.meta.dirname, 'fixtures/greedy.ts'), task, file };
  try {
    let text = '';
    for await (const piece of runConfined(job, { ...PROCESS_LIMITS, ...limits })) text += piece.toString();
    return text;
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
    const file = await spool(bytes(), 'archive', 100);
    const before = process.memoryUsage.rss();
    const output = runConfined({ program: join(import.meta.dirname, 'fixtures/greedy.ts'), task: 'flood', file });
    await output.next();
    await sleep(1_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
    await output.return(undefined);
    await file.close();
  });
});

describe('an unnamed file', () => {
  const names = async (): Promise<string[]> => (await readdir(tmpdir())).filter((name) => name.startsWith('rates-'));

  test('keeps its bytes without a name in the folder', async () => {
    const before = await names();
    const file = await spool(bytes('12345'), 'archive', 5);
    expect(await names()).toEqual(before);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(10), 0, 10, 0);
    expect(buffer.subarray(0, bytesRead).toString()).toBe('12345');
    await file.close();
  });

  test('rejects more bytes than its limit', async () => {
    await expect(spool(bytes('123456'), 'archive', 5)).rejects.toMatchObject({ limit: 'archive', most: '5 bytes' });
  });
});
