/**
 * What is over in a sweep, and whether it is removed. A clock that is ahead makes much seem over that is not, and a removed
 * batch cannot come back. Two rules keep that small: the earlier of two clocks counts, and much that is over for long is held
 * until an operator allows it.
 */
/** The workers sweep once a minute, so what is over for longer was over while none swept, or a clock has jumped. */
const LATE_MS = 600_000;
/** So many are removed whatever their share is: else a small service would need an operator after every outage. */
const FLOOR = 10;

/** How many of `all` may be removed at once although they are over for long. @param share in percent */
export const mostAtOnce = (all: number, share: number): number => Math.max(FLOOR, Math.floor((all * share) / 100));

export interface Due<T> {
  readonly id: string;
  readonly remove: () => Promise<T>;
}

/** @param share in percent */
export const gatherDue = <T>(share: number) => {
  const due: (Due<T> & { readonly overMs: number })[] = [];
  let all = 0;
  return {
    /** Adds one of all. @param overMs for how long it is over; negative: it is not yet */
    look: (overMs: number, one: Due<T>): void => {
      all += 1;
      if (overMs > 0) due.push({ ...one, overMs });
    },
    /** What is to be removed, and how many are held. */
    found: (): { readonly due: readonly Due<T>[]; readonly held: number } => {
      const late = due.filter(({ overMs }) => overMs > LATE_MS).length;
      if (late <= mostAtOnce(all, share)) return { due, held: 0 };
      return { due: due.filter(({ overMs }) => overMs <= LATE_MS), held: late };
    },
  };
};
export type DueSoFar<T> = ReturnType<typeof gatherDue<T>>;
