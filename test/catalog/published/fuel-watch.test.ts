import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { StoreFailure } from '../../../src/base/store/store.ts';
import { watchFuel } from '../../../src/catalog/tariff/check/fuel-ends.ts';
import { type Schedule, scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import { soon } from '../../soon.ts';
import { completeTariff } from '../tariff/complete-tariff.ts';

let watched: ReturnType<typeof watchFuel> | undefined;
afterEach(() => watched?.close());

/** Watches the tariff with fuel until 2026-06-14. `polls` counts the looks at the time. */
const watch = (current: () => Schedule, start: string) => {
  const seen = { lines: [] as unknown[], polls: 0, at: start };
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => seen.lines.push(JSON.parse(line)) });
  const now = () => {
    seen.polls += 1;
    return new Date(seen.at);
  };
  watched = watchFuel({ tariffs: { current }, log, now, intervalMs: 5 });
  return seen;
};

/** Waits until the watch has looked at the time again, twice. */
const twice = async (seen: { polls: number }) => {
  const before = seen.polls;
  await soon(() => expect(seen.polls).toBeGreaterThan(before + 2));
};

test('fuel that ends is logged once a day', async () => {
  const schedule = scheduleOf([completeTariff()]);
  const seen = watch(() => schedule, '2026-06-06T12:00:00Z');
  await twice(seen);
  expect(seen.lines).toEqual([]);
  seen.at = '2026-06-07T12:00:00Z';
  await twice(seen);
  const end = { tariff: schedule.ids[0], carrier: 'Small', services: ['GROUND'], lastDay: '2026-06-14', carries: true };
  expect(seen.lines).toEqual([{ level: 40, ...end, msg: 'fuel rates end soon' }]);
  seen.at = '2026-06-15T12:00:00Z';
  await twice(seen);
  seen.at = '2026-06-16T12:00:00Z';
  await twice(seen);
  const ended = { level: 40, ...end, msg: 'fuel rates have ended: prices use the last one' };
  expect(seen.lines.slice(1)).toEqual([ended, ended]);
});

test('a tariff with more fuel ends the warnings, and one with less begins them', async () => {
  const known = scheduleOf([completeTariff()]);
  const endless = scheduleOf([completeTariff({ service: { hasNo: ['fuel'] } })]);
  let schedule = endless;
  const seen = watch(() => schedule, '2026-06-12T12:00:00Z');
  await twice(seen);
  expect(seen.lines).toEqual([]);
  schedule = known;
  await soon(() => expect(seen.lines).toHaveLength(1));
});

test('goes on while it is not known what is published', async () => {
  const schedule = scheduleOf([completeTariff()]);
  let isKnown = false;
  const seen = watch(() => {
    if (!isKnown) throw new StoreFailure('provide the published tariffs', { cause: 'it is away' });
    return schedule;
  }, '2026-06-12T12:00:00Z');
  await twice(seen);
  isKnown = true;
  await soon(() => expect(seen.lines).toHaveLength(1));
});
