/** The tariffs that an operator's call about tariffs works beside. */
import type { Surroundings } from '../../../import/drafts/view.ts';
import type { OperatorService } from '../service.ts';

export const isSame = (ids: readonly string[], others: readonly string[]): boolean =>
  [...ids].sort().join() === [...others].sort().join();

/** Looks at the tariffs and their versions, until both are of one publication. */
const LOOKS = 3;

/**
 * The tariffs as they are now, with the versions that they are the newest of. If they cannot be used, or a folder was
 * changed by hand, they are not those of the version in force; the problems say so.
 */
export const surroundingsOf = async ({ tariffs, tariffDesk, clients }: OperatorService): Promise<Surroundings> => {
  for (let look = 1; ; look += 1) {
    const versions = await tariffDesk.versions();
    // What keeps it from looking is among the problems.
    await tariffs.refresh().catch(() => undefined);
    const around = { place: tariffDesk.place, schedule: tariffs.current(), versions, clients: clients.current().size };
    const inForce = versions.find(({ isCurrent }) => isCurrent)?.ids ?? [];
    if (isSame(around.schedule.ids, inForce) || look === LOOKS) return around;
  }
};
