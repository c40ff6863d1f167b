/** Clients share the event loop. The quotes of one client do not wait for all quotes of another. */
import { expect, test } from 'vitest';
import { createQuoteTurns } from '../../src/http/server/quote-turns.ts';
import { fixedTariffs, rateRequest, referenceSchedule, startApi } from './api.ts';

/** Work that takes more than a time slice. */
const busy = (): void => {
  const ends = performance.now() + 4;
  while (performance.now() < ends);
};

test('a client runs at once while another has many waiting, and waiting quotes take turns', async () => {
  const turns = createQuoteTurns();
  const order: string[] = [];
  const add = (client: string) =>
    turns.run(client, 1, () => {
      order.push(client);
      busy();
    });
  const all = Array.from({ length: 4 }, () => add('a'));
  all.push(add('b'), add('b'), add('b'));
  expect(order).toEqual(['a', 'b']);
  await Promise.all(all);
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b', 'a']);
});

test('short work runs at once, in order', () => {
  const turns = createQuoteTurns();
  const order: number[] = [];
  for (let i = 0; i < 5; i++) expect(turns.run('a', 1, () => order.push(i))).toBeUndefined();
  expect(order).toEqual([0, 1, 2, 3, 4]);
});

test('waiting work that fails rejects, and later work continues', async () => {
  const turns = createQuoteTurns();
  turns.run('a', 1, busy);
  const failing = turns.run('a', 1, () => {
    throw new Error('no prices');
  });
  const next = turns.run('a', 1, () => undefined);
  await expect(failing).rejects.toThrow('no prices');
  await expect(next).resolves.toBeUndefined();
});

test('the waiting bodies of a client are limited', async () => {
  const turns = createQuoteTurns(10);
  turns.run('a', 8, busy);
  const waiting = [turns.run('a', 8, busy), turns.run('a', 3, busy), turns.run('b', 8, busy)];
  expect(waiting.map((one) => (one instanceof Promise ? 'waits' : one))).toEqual(['waits', 'full', undefined]);
  await waiting[0];
  await expect(turns.run('a', 3, () => undefined)).resolves.toBeUndefined();
});

test('another client’s quote is answered before most of thirty heavy quotes have started', async () => {
  const schedule = await referenceSchedule();
  let begun = 0;
  const bookAt = (instant: Date) => {
    begun += 1;
    return schedule.bookAt(instant);
  };
  const current = () => ({ ...schedule, bookAt });
  const api = await startApi({ tariffs: { ...fixedTariffs(schedule), current } });
  const other = await api.tokenOf('other', 'other-secret');
  const items = Array.from({ length: 99 }, (_, at) => ({ weight: { units: 'LB', value: 1 + (at % 50) } }));
  const anyService = { shippingService: undefined, shipper: { warehouse_id: '101|102|103' } };
  const heavy = rateRequest({ ...anyService, packageItems: items });
  const light = rateRequest({ shipper: { warehouse_id: 201 } });
  const ask = async (token: string, body: unknown): Promise<void> => {
    expect((await api.quote(body, '?explain=true', { Authorization: `Bearer ${token}` })).status).toBe(200);
  };
  // Opens the connections first, because each turn of the event loop accepts only one.
  await Promise.all(Array.from({ length: 31 }, () => ask(other, light)));
  begun = 0;
  const heavies = Array.from({ length: 30 }, () => ask(api.token, heavy));
  await ask(other, light);
  expect(begun).toBeLessThan(16);
  await Promise.all(heavies);
  expect(begun).toBe(31);
  await api.close();
});
