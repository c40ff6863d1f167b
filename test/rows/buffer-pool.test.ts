import { expect, test } from 'vitest';
import { createRooms } from '../../src/rows/buffer-pool.ts';

test('work that follows is done in the same memory, its writers empty', async () => {
  const inRoom = createRooms();
  const first = await inRoom(async ({ input, output }) => {
    output.text('abc');
    return { input: input(1_000), output: output.result() };
  });
  const second = await inRoom(async ({ input, output, faults }) => {
    expect([output.length, faults.length]).toEqual([0, 0]);
    output.text('xyz');
    return { input: input(900), output: output.result() };
  });
  expect(second.input).toHaveLength(900);
  expect(second.input.buffer).toBe(first.input.buffer);
  expect(second.output.buffer).toBe(first.output.buffer);
});

test('a chunk that is larger than those before it has enough', async () => {
  const inRoom = createRooms();
  await inRoom(async ({ input }) => input(10));
  expect(await inRoom(async ({ input }) => input(5_000))).toHaveLength(5_000);
});

test('work at the same time is done in other memory', async () => {
  const inRoom = createRooms();
  const [one, other] = await Promise.all([
    inRoom(async ({ input }) => input(8)),
    inRoom(async ({ input }) => input(8)),
  ]);
  expect(one.buffer).not.toBe(other.buffer);
});

test('after a failure the memory is not used again: its bytes may still be on their way', async () => {
  const inRoom = createRooms();
  const held: Buffer[] = [];
  const failing = inRoom(async ({ input }) => {
    held.push(input(8));
    throw new Error('the disk is full');
  });
  await expect(failing).rejects.toThrow('the disk is full');
  expect((await inRoom(async ({ input }) => input(8))).buffer).not.toBe(held[0]?.buffer);
});
