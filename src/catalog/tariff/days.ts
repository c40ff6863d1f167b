/** Days, and values that change on given days. A day is `YYYY-MM-DD`. */
import { byText } from '../../base/by-text.ts';
import { must } from '../../base/must.ts';

export const DAY_MS = 86_400_000;
/** Before and after all days that a file can have. */
export const FIRST_DAY = '0000-01-01';
export const LAST_DAY = '9999-12-31';

/** Returns the day that is this many days later. */
export const shifted = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/**
 * Divides a period at a day. `isAfter`: whether a part is from that day on.
 * @param begins the first day that counts, if the period has none
 */
export const dividedAt = (day: string, from: string | undefined, until = LAST_DAY, begins = from ?? FIRST_DAY) => {
  const last = until === LAST_DAY ? undefined : until;
  if (until < day || begins >= day) return [{ from, until: last, isAfter: begins >= day }];
  return [
    { from, until: shifted(day, -1), isAfter: false },
    { from: day, until: last, isAfter: true },
  ];
};

/** The last day of a day's calendar quarter. */
export const quarterEnd = (day: string): string => {
  const quarter = Math.ceil(Number(day.slice(5, 7)) / 3);
  return new Date(Date.UTC(Number(day.slice(0, 4)), quarter * 3, 0)).toISOString().slice(0, 10);
};

export const earlier = (a: string, b: string): string => (a < b ? a : b);
export const later = (a: string, b: string): string => (a > b ? a : b);

/** Compares steps by their first day. */
export const byFrom = (a: { readonly from: string }, b: { readonly from: string }): number => byText(a.from, b.from);

/** The step in force on a day. The first step is also in force before its date. */
export const stepOn = <T extends { readonly from: string }>(schedule: readonly T[], day: string): T => {
  const steps = schedule.toSorted(byFrom);
  return must(steps.findLast(({ from }) => from <= day) ?? steps[0], 'a step of a schedule');
};

/** The periods of a schedule's steps: each until its last day, or until the day before the next step. */
export const periodsIn = <T extends { readonly from: string; readonly until?: string | undefined }>(
  schedule: readonly T[],
) =>
  schedule.toSorted(byFrom).map((step, at, steps) => {
    const next = steps[at + 1];
    return { step, from: step.from, until: step.until ?? (next === undefined ? LAST_DAY : shifted(next.from, -1)) };
  });

/** The step whose period contains the day. */
export const periodOn = <T extends { readonly from: string; readonly until?: string | undefined }>(
  schedule: readonly T[],
  day: string,
): T | undefined => {
  const begun = periodsIn(schedule).findLast(({ from }) => from <= day);
  return begun === undefined || begun.until < day ? undefined : begun.step;
};

export const isTimeZone = (timeZone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch (failure) {
    if (failure instanceof RangeError) return false;
    throw failure;
  }
};
