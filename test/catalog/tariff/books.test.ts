import { expect, test } from 'vitest';
import { booksOf, scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import { smallTariff } from './small-tariff.ts';

const INSTANT = new Date('2026-06-01T12:00:00Z');

const dayAfter = (days: number): string => new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10);

test('rows without a ship date get the book of the instant at which the batch was created', () => {
  const schedule = scheduleOf([smallTariff()]);
  const book = booksOf(schedule, INSTANT)(undefined);
  expect([book.day, book.cards.length]).toEqual(['2026-06-01', 1]);
});

test('makes the book of a day once, even if rows of other days are between', () => {
  const books = booksOf(scheduleOf([smallTariff()]), INSTANT);
  const first = books('2026-01-05');
  expect(first.day).toBe('2026-01-05');
  expect(books('2026-01-06').day).toBe('2026-01-06');
  expect(books('2026-01-05')).toBe(first);
});

test('caches the books of 400 days, and makes the book of any other day each time', () => {
  const { bookOn } = scheduleOf([smallTariff()]);
  const books = Array.from({ length: 401 }, (_, day) => bookOn(dayAfter(day)));
  expect(bookOn(dayAfter(399))).toBe(books[399]);
  expect(bookOn(dayAfter(400))).not.toBe(books[400]);
  expect(bookOn(dayAfter(400))).toEqual(books[400]);
});
