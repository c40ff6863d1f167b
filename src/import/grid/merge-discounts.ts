/** Adds the lines of a grid to those of `discounts.csv`. */
import type { DiscountLine } from '../../catalog/agreement/document.ts';
import type { GridLine } from './import-grid.ts';

export type MergedDiscounts = ReturnType<typeof mergeDiscounts>;

const isSame = (line: DiscountLine, fresh: GridLine): boolean =>
  line.discount === fresh.discount &&
  line.tier === fresh.tier &&
  line.address === fresh.address &&
  line.billing?.join() === fresh.billing?.join() &&
  line.appliesTo === fresh.appliesTo &&
  (line.services === '*' || fresh.services === '*' || line.services.some((code) => fresh.services.includes(code)));

/** Limits a line to the services that no new line replaces; undefined if there are none. */
const without = (line: DiscountLine, fresh: readonly GridLine[]): DiscountLine | undefined => {
  const own = fresh.filter((one) => isSame(line, one));
  if (own.length === 0 || line.services === '*') return line;
  const services = line.services.filter(
    (code) => !own.some((one) => one.services === '*' || one.services.includes(code)),
  );
  return services.length === 0 ? undefined : { ...line, services };
};

/**
 * @returns `replaced`: lines with the same discount, service, address, billing and tier, which the new lines replace. `ofAll`:
 * those of them for all services. They cannot be replaced for a single service
 */
export const mergeDiscounts = (before: readonly DiscountLine[], fresh: readonly GridLine[]) => {
  const replaced = before.filter((line) => fresh.some((one) => isSame(line, one)));
  const kept = before.map((line) => without(line, fresh)).filter((line) => line !== undefined);
  return {
    lines: [...kept, ...fresh].map((line, at): DiscountLine => ({ ...line, row: at + 2 })),
    replaced,
    ofAll: replaced.filter(({ services }) => services === '*'),
  };
};
