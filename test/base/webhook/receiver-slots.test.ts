import { beforeEach, describe, expect, test } from 'vitest';
import {
  createReceiverSlots,
  MOST_SENDING,
  type ReceiverSlots,
  type ReleaseSlot,
} from '../../../src/base/webhook/receiver-slots.ts';

let now: number;
let slots: ReceiverSlots;
beforeEach(() => {
  now = 1_000;
  slots = createReceiverSlots(() => now);
});

const urlOf = (receiver: string): string => `https://${receiver}.example/hook?of=${Math.random()}`;
const take = (client: string, receiver = client) => slots.take(client, urlOf(receiver));
const slotFor = (client: string, receiver = client): ReleaseSlot => {
  const slot = take(client, receiver);
  if (typeof slot === 'number') throw new Error(`no slot for ${client}`);
  return slot;
};
/** Records a response time for a receiver. */
const known = (client: string, ms: number): void => slotFor(client)(ms);

test('a client has two slots and does not block another client', () => {
  const first = slotFor('a');
  slotFor('a');
  expect(take('a')).toBeTypeOf('number');
  slotFor('b');
  first(10);
  slotFor('a');
});

test('a receiver of several clients has four slots', () => {
  for (const client of ['a', 'a', 'b', 'b']) slotFor(client, 'shared');
  expect(take('c', 'shared')).toBeTypeOf('number');
  slotFor('c', 'own');
});

test('slow receivers share sixteen slots and leave the rest to fast ones', () => {
  const clients = Array.from({ length: 17 }, (_, index) => `slow${index}`);
  for (const client of clients) known(client, 15_000);
  for (const client of clients.slice(0, 16)) slotFor(client);
  expect(take('slow16')).toBeTypeOf('number');
  for (let slot = 16; slot < MOST_SENDING; slot += 1) slotFor(`quick${slot}`);
});

test('a receiver that is fast again no longer counts as slow', () => {
  known('a', 15_000);
  for (let index = 0; index < 15; index += 1) {
    known(`slow${index}`, 15_000);
    slotFor(`slow${index}`);
  }
  known('a', 20);
  slotFor('a');
  known('b', 15_000);
  slotFor('b');
});

describe('messages without a free slot', () => {
  const waits = (count: number) => Array.from({ length: count }, () => Number(take('a')));

  test('come back one by one, at the pace of the receiver’s last response', () => {
    const first = slotFor('a');
    slotFor('a');
    first(1_000);
    slotFor('a');
    expect(waits(4)).toEqual([50, 550, 1_050, 1_550]);
    now += 1_000;
    expect(waits(2)).toEqual([1_050, 1_550]);
  });

  test('come back within five minutes, spread over the second half of that time', () => {
    known('a', 15_000);
    slotFor('a');
    slotFor('a');
    const late = waits(1_000).slice(100);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(150_000);
    expect(Math.max(...late)).toBeLessThanOrEqual(300_000);
    expect(new Set(late).size).toBeGreaterThan(500);
  });
});
