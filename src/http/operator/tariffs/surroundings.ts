/** The current tariffs that an operator's call for tariffs needs. */
import type { Surroundings } from '../../../import/drafts/view.ts';
import type { OperatorService } from '../service.ts';

export const isSame = (ids: readonly string[], others: readonly string[]): boolean =>
  [...ids].sort().join() === [...others].sort().join();

/** Number of attempts to read tariffs and versions of the same publication. */
const LOOKS = 3;

/**
 * The current tariffs and their versions. If the tariffs cannot be used, or if a folder was changed by hand, they differ from
 * the version in force. The problems say so.
 */
export const surroundingsOf = async ({ tariffs, tariffDesk, clients }: OperatorService): Promise<Surroundings> => {
  for (let look = 1; ; look += 1) {
    const versions = await tariffDesk.versions();
    // If this fails, the problems say why.
    await tariffs.refresh().catch(() => undefined);
    const around = { place: tariffDesk.place, schedule: tariffs.current(), versions, clients: clients.current().size };
    const inForce = versions.find(({ isCurrent }) => isCurrent)?.ids ?? [];
    if (isSame(around.schedule.ids, inForce) || look === LOOKS) return around;
  }
};
