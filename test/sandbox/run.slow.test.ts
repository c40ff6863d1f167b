import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ConfinedFailure, runConfined, WALLS, type Walls } from '../../src/sandbox/run.ts';
import { spool } from '../../src/sandbox/unnamed-file.ts';
import { OverLimit } from '../../src/unreadable-file.ts';

async function* bytes(text = 'the file'): AsyncGenerator<Buffer> {
  yield Buffer.from(text.slice(0, 3));
  yield Buffer.from(text.slice(3));
}

/** What a process on the file `the file` says, or why it was stopped. */
const run = async (task: string, walls: Partial<Walls> = {}): Promise<unknown> => {
  const file = await spool(bytes(), 'archive', 100);
  const job = { program: '../test/sandbox/fixtures/greedy', task, file };
  try {
    let text = '';
    for await (const piece of runConfined(job, { ...WALLS, ...walls })) text += piece.toString();
    return text;
  } catch (error) {
    return error;
  } finally {
    await file.close();
  }
};

describe('a confined process', () => {
  test('reads the file that it is given', async () => {
    expect(await run('echo')).toBe('the file');
  });

  test.each<[string, string, Partial<Walls>, string]>([
    ['fills its heap', 'heap', { heapMb: 64 }, 'readingMemory'],
    ['takes memory outside of its heap', 'buffers', { memoryMb: 200 }, 'readingMemory'],
    ['never comes to an end', 'loop', { processorS: 1 }, 'readingTime'],
    ['says nothing', 'silence', { silentS: 3 }, 'readingTime'],
  ])('that %s is stopped, and this process goes on', async (_what, task, walls, limit) => {
    const error = await run(task, walls);
    expect(error).toBeInstanceOf(OverLimit);
    expect(error).toMatchObject({ limit });
  });

  test('that fails by a bug is a failure, not a refusal', async () => {
    const error = await run('bug');
    expect(error).toBeInstanceOf(ConfinedFailure);
    expect(String(error)).toContain('TypeError: a bug');
  });

  test('runs no further ahead than it is read, and ends when nobody reads on', async () => {
    const file = await spool(bytes(), 'archive', 100);
    const before = process.memoryUsage.rss();
    const output = runConfined({ program: '../test/sandbox/fixtures/greedy', task: 'flood', file });
    await output.next();
    await sleep(1_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
    await output.return(undefined);
    await file.close();
  });
});

describe('a file without a name', () => {
  const names = async (): Promise<string[]> => (await readdir(tmpdir())).filter((name) => name.startsWith('rates-'));

  test('is in no folder, and keeps its bytes', async () => {
    const before = await names();
    const file = await spool(bytes('12345'), 'archive', 5);
    expect(await names()).toEqual(before);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(10), 0, 10, 0);
    expect(buffer.subarray(0, bytesRead).toString()).toBe('12345');
    await file.close();
  });

  test('has no more bytes than it may', async () => {
    await expect(spool(bytes('123456'), 'archive', 5)).rejects.toMatchObject({ limit: 'archive', most: '5 bytes' });
  });
});
