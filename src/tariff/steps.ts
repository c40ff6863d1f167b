/** Values that change on given days. */
import { must } from '../must.ts';

/** The step that is in force on a day. The first step is also in force before its date. */
export const stepOn = <T extends { readonly from: string }>(schedule: readonly T[], day: string): T => {
  const steps = schedule.toSorted((one, other) => (one.from < other.from ? -1 : 1));
  return must(steps.findLast(({ from }) => from <= day) ?? steps[0], 'a step of a schedule');
};

/** The step whose period has the day: from its date until its last day or the day before the next step. */
export const periodOn = <T extends { readonly from: string; readonly until?: string | undefined }>(
  schedule: readonly T[],
  day: string,
): T | undefined => {
  const begun = schedule.toSorted((one, other) => (one.from < other.from ? -1 : 1)).findLast(({ from }) => from <= day);
  return begun === undefined || (begun.until !== undefined && begun.until < day) ? undefined : begun;
};
