/**
 * Decides what a sweep removes because it has expired. If a clock is ahead, much seems expired that is not, and a removed
 * batch cannot come back. Two rules limit the harm. The earlier of two clocks counts. If too much expired long ago, it is
 * held until an operator allows its removal.
 */
/** Workers sweep once a minute. If something expired longer ago than this, no worker swept, or a clock has jumped. */
const LATE_MS = 600_000;
/** This many are removed whatever their share is. Otherwise a small service would need an operator after each outage. */
const FLOOR = 10;

/** Returns how many of `all` may be removed at once although they expired long ago. @param share in percent */
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
    /** Adds a candidate. @param overMs time since it expired; negative if it has not expired */
    look: (overMs: number, one: Due<T>): void => {
      all += 1;
      if (overMs > 0) due.push({ ...one, overMs });
    },
    /** Returns what to remove, and how many are held. */
    found: (): { readonly due: readonly Due<T>[]; readonly held: number } => {
      const late = due.filter(({ overMs }) => overMs > LATE_MS).length;
      if (late <= mostAtOnce(all, share)) return { due, held: 0 };
      return { due: due.filter(({ overMs }) => overMs <= LATE_MS), held: late };
    },
  };
};
export type DueSoFar<T> = ReturnType<typeof gatherDue<T>>;
