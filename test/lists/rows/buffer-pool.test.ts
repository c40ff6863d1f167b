import { expect, test } from 'vitest';
import { createBufferPool } from '../../../src/lists/rows/buffer-pool.ts';

test('reuses the memory of finished work, with empty writers', async () => {
  const withBuffers = createBufferPool();
  const first = await withBuffers(async ({ input, output }) => {
    output.text('abc');
    return { input: input(1_000), output: output.result() };
  });
  const second = await withBuffers(async ({ input, output, faults }) => {
    expect([output.length, faults.length]).toEqual([0, 0]);
    output.text('xyz');
    return { input: input(900), output: output.result() };
  });
  expect(second.input).toHaveLength(900);
  expect(second.input.buffer).toBe(first.input.buffer);
  expect(second.output.buffer).toBe(first.output.buffer);
});

test('gives a larger chunk enough memory', async () => {
  const withBuffers = createBufferPool();
  await withBuffers(async ({ input }) => input(10));
  expect(await withBuffers(async ({ input }) => input(5_000))).toHaveLength(5_000);
});

test('gives concurrent work different memory', async () => {
  const withBuffers = createBufferPool();
  const [one, other] = await Promise.all([
    withBuffers(async ({ input }) => input(8)),
    withBuffers(async ({ input }) => input(8)),
  ]);
  expect(one.buffer).not.toBe(other.buffer);
});

test('does not reuse memory after a failure', async () => {
  const withBuffers = createBufferPool();
  const held: Buffer[] = [];
  const failing = withBuffers(async ({ input }) => {
    held.push(input(8));
    throw new Error('the disk is full');
  });
  await expect(failing).rejects.toThrow('the disk is full');
  expect((await withBuffers(async ({ input }) => input(8))).buffer).not.toBe(held[0]?.buffer);
});
