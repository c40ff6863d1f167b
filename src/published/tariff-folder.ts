/** Changes of a folder of tariffs, one at a time on this machine. */
import { lockFolder, usingAlone } from '../process/folder-lock.ts';
import { finishChange } from '../tariff/change-folder.ts';
import {
  type ChangeNote,
  PlaceError,
  type Placing,
  placeAgain,
  placeTariffs,
  withdrawTariff,
} from '../tariff/place.ts';
import { changeToken, isBeingChanged } from '../tariff/versions.ts';

const whenFree = <T>(root: string, use: () => Promise<T>): Promise<T> =>
  usingAlone(root, use, () => new PlaceError(`Another process is changing the tariffs in ${root}. Try again later.`));

export interface TariffFolder {
  /** As `placeTariffs`. */
  readonly place: (dirs: readonly string[], note: ChangeNote & { readonly replace: boolean }) => Promise<Placing>;
  /** As `withdrawTariff`. */
  readonly withdraw: (named: string, note: ChangeNote) => Promise<Placing>;
  /** As `placeAgain`. */
  readonly goBack: (version: string, note: ChangeNote) => Promise<Placing>;
  /** Finishes an interrupted change. @returns false while another process makes one */
  readonly finish: () => Promise<boolean>;
  /** Waits for a change that another process makes, or finishes one that was interrupted. */
  readonly settle: () => Promise<void>;
}

/** @param root the folder with the folders of the tariffs */
export const tariffFolder = (root: string): TariffFolder => ({
  place: (dirs, note) => whenFree(root, () => placeTariffs(root, dirs, note)),
  withdraw: (named, note) => whenFree(root, () => withdrawTariff(root, named, note)),
  goBack: (version, note) => whenFree(root, () => placeAgain(root, version, note)),
  finish: async () => {
    const lock = await lockFolder(root);
    if (lock === undefined) return false;
    try {
      await finishChange(root);
    } finally {
      await lock.release();
    }
    return true;
  },
  settle: async () => {
    if (isBeingChanged(await changeToken(root))) await whenFree(root, () => finishChange(root));
  },
});
