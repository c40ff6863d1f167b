import { expect, test } from 'vitest';
import type { RateBook } from '../../src/rating/card.ts';
import { booksOf } from '../../src/rows/books.ts';
import { scheduleOf } from '../../src/tariff/schedule.ts';
import { smallTariff } from '../tariff/small-tariff.ts';

const SCHEDULE = scheduleOf([smallTariff()]);
const INSTANT = new Date('2026-06-01T12:00:00Z');

/** The days that the schedule is asked for, in order. */
const asked = () => {
  const days: string[] = [];
  const bookOn = (day: string): RateBook => {
    days.push(day);
    return SCHEDULE.bookOn(day);
  };
  return { days, books: booksOf({ ...SCHEDULE, bookOn }, INSTANT) };
};

const dayAfter = (days: number): string => new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10);

test('rows without a ship date have the book of the instant at which the batch was created', () => {
  const { days, books } = asked();
  expect([books(undefined).day, books(undefined).cards.length, days]).toEqual(['2026-06-01', 1, []]);
});

test('the book of a day is made once, whichever days stand between its rows', () => {
  const { days, books } = asked();
  const first = books('2026-01-05');
  expect(first.day).toBe('2026-01-05');
  expect(books('2026-01-06').day).toBe('2026-01-06');
  expect(books('2026-01-05')).toBe(first);
  expect(days).toEqual(['2026-01-05', '2026-01-06']);
});

test('the books of 400 days are kept, and of a day beyond them the right one is made each time', () => {
  const { days, books } = asked();
  for (let day = 0; day < 401; day++) books(dayAfter(day));
  expect(days).toHaveLength(401);
  // The 400th is kept and the 401st is not.
  expect(books(dayAfter(399)).day).toBe(dayAfter(399));
  expect(days).toHaveLength(401);
  for (let again = 0; again < 3; again++) expect(books(dayAfter(400)).day).toBe(dayAfter(400));
  expect(days).toHaveLength(404);
});
