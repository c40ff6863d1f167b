import { describe, expect, test } from 'vitest';
import { createFairSlots, type Slot } from '../../../src/files/sandbox/fair-slots.ts';
import { soon } from '../../soon.ts';

describe('fair slots', () => {
  /** `turns` lists the clients in the order in which their jobs run. */
  const setUp = () => {
    const slots = createFairSlots({ running: 2, openPerClient: 4, open: 10 });
    const turns: string[] = [];
    const enter = (client: string): Slot => {
      const slot = slots.enter(client);
      if (slot === undefined) throw new Error(`${client} got no slot`);
      void slot.turn().then(() => turns.push(client));
      return slot;
    };
    return { slots, turns, enter };
  };

  test('run one job of a client at a time, and clients in turn', async () => {
    const { turns, enter } = setUp();
    const greedy = [enter('a'), enter('a'), enter('a')];
    const other = enter('b');
    const late = enter('c');
    await soon(() => expect(turns).toEqual(['a', 'b']));
    greedy[0]?.release();
    await soon(() => expect(turns).toEqual(['a', 'b', 'c']));
    other.release();
    await soon(() => expect(turns).toEqual(['a', 'b', 'c', 'a']));
    late.release();
    greedy[1]?.release();
    await soon(() => expect(turns).toEqual(['a', 'b', 'c', 'a', 'a']));
  });

  test('refuse a client at its limit of open jobs, and accept others', () => {
    const { slots, enter } = setUp();
    const [first] = [enter('a'), enter('a'), enter('a'), enter('a')];
    expect(slots.enter('a')).toBeUndefined();
    expect(slots.enter('b')).toBeDefined();
    first?.release();
    expect(slots.enter('a')).toBeDefined();
  });

  test('refuse any client at the limit of all open jobs', () => {
    const { slots, enter } = setUp();
    for (let at = 0; at < 10; at++) enter(`client ${at}`);
    expect(slots.enter('another')).toBeUndefined();
  });

  test('admit nobody else when a slot is released before its turn', async () => {
    const slots = createFairSlots({ running: 1, openPerClient: 2, open: 10 });
    slots.enter('a')?.release();
    const turns: string[] = [];
    const slot = slots.enter('a');
    await slot?.turn();
    void slots
      .enter('b')
      ?.turn()
      .then(() => turns.push('b'));
    slots.enter('a')?.release();
    expect(turns).toEqual([]);
    slot?.release();
    await soon(() => expect(turns).toEqual(['b']));
  });
});
