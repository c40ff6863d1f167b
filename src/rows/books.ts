/** The rate books that a list's rows are rated by. */
import type { RateBook } from '../rating/card.ts';
import type { Schedule } from '../tariff/schedule.ts';

/** The books by `shipDate`; without one, the book at the instant that the batch was created. */
export const booksOf = (schedule: Schedule, instant: Date): ((shipDate: string | undefined) => RateBook) => {
  const today = schedule.bookAt(instant);
  const byDay = new Map<string, RateBook>();
  return (shipDate) => {
    if (shipDate === undefined) return today;
    const known = byDay.get(shipDate);
    if (known !== undefined) return known;
    const book = schedule.bookOn(shipDate);
    // Bounded: a hostile list may name every day there is.
    if (byDay.size < 400) byDay.set(shipDate, book);
    return book;
  };
};
