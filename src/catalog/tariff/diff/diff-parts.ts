/** The differences between two tariffs by part. `diff-summary.ts` has the rates by weight. */
import { must } from '../../../base/must.ts';
import type { SurchargeEntry, TariffDocument } from '../document.ts';
import type { Difference } from './diff.ts';
import { surchargeNames } from './diff.ts';

const fileOf = ({ at }: Difference): string => must(at.split(' ')[0], 'the file of a difference');

/** How many cells or rows of each file differ. */
const countsIn = (differences: readonly Difference[], folder: string) => {
  const files = [...new Set(differences.map(fileOf).filter((file) => file.startsWith(folder)))];
  return files.map((file) => {
    const own = differences.filter((difference) => fileOf(difference) === file);
    const count = (change: Difference['change']): number => own.filter((one) => one.change === change).length;
    return { file, added: count('added'), removed: count('removed'), changed: count('changed') };
  });
};

export type FileCounts = ReturnType<typeof countsIn>[number];

/** The names of services and surcharges. */
export const namesOf = ({ file }: TariffDocument, nameOf: (entry: SurchargeEntry) => string): readonly string[] => [
  ...file.services.map(({ code }) => `service ${code}`),
  ...file.surcharges.map(nameOf),
];

/** Whether the summary by weight omits the row: ounces, or prices per pound above the table. */
const isOtherRow = ({ at }: Difference): boolean => /^rates\/.* row (?:\d{1,2} oz|per_lb) /.test(at);

/** @param differences from `diffTariffs` */
export const partsOf = (before: TariffDocument, after: TariffDocument, differences: readonly Difference[]) => {
  const nameOf = surchargeNames(before, after);
  const [old, now] = [namesOf(before, nameOf), namesOf(after, nameOf)];
  const removed = old.filter((name) => !now.includes(name));
  const added = now.filter((name) => !old.includes(name));
  const isOfOne = ({ at }: Difference): boolean =>
    [...removed, ...added].some((name) => at.startsWith(`tariff.json ${name}.`));
  return {
    /** Rates below one pound, and prices per pound. */
    otherRows: countsIn(differences.filter(isOtherRow), 'rates/'),
    cubic: countsIn(differences, 'cubic/'),
    multiweight: countsIn(differences, 'multiweight/'),
    /** Runs of ZIP codes by origin and service. */
    zones: countsIn(differences, 'zones/'),
    /** ZIP codes. */
    areas: countsIn(differences, 'areas/'),
    /** Services and surcharges. */
    ...{ removed, added },
    /** For the tariff, and services and surcharges in both tariffs. `at` begins with `tariff.json `. */
    settings: differences.filter((one) => /^tariff\.json (?!source )/.test(one.at) && !isOfOne(one)),
  };
};
