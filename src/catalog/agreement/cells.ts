/** The values that cells of an agreement's files can have. */

/** `*` or a list of names. */
export type Named<T> = '*' | readonly T[];

/** Rate columns: one by name (`205`, `44`), or a range of numbers. See `zonesOf` in `subject.ts`. */
export interface ZoneRange {
  readonly from: string;
  readonly to: string;
}

/** The text of a cell: `44`, `2-8`. */
export const zoneText = ({ from, to }: ZoneRange): string => (from === to ? from : `${from}-${to}`);

export const isNumber = (column: string): boolean => /^\d+$/.test(column);

/** Columns in short form. Consecutive numbers are a range: `2-8, 44`. */
export const columnsText = (columns: readonly string[]): string => {
  const runs: string[][] = [];
  for (const column of columns) {
    const run = runs.at(-1);
    const before = run?.at(-1) ?? '';
    if (isNumber(before) && isNumber(column) && Number(column) === Number(before) + 1) run?.push(column);
    else runs.push([column]);
  }
  return runs.map((run) => (run.length > 1 ? `${run[0]}-${run.at(-1)}` : run.join())).join(', ');
};

export const ADDRESSES = ['any', 'residential', 'commercial'] as const;
export type Address = (typeof ADDRESSES)[number];

export const APPLIES_TO = ['both', 'packages', 'multiweight'] as const;
export type AppliesTo = (typeof APPLIES_TO)[number];

/** Replaces the zone in a minimum's cell. It means the zone that the package goes to. */
export const OWN_ZONE = 'own';

export const MINIMUM_KINDS = ['usd', 'less usd', 'less percent'] as const;

/**
 * `points off` is only for percentages and `amount off` only for amounts. `at most` applies after any other change.
 * `exactly` may exceed the list's value.
 */
export const CHANGES = ['percent off', 'amount off', 'points off', 'fixed', 'exactly', 'waived', 'at most'] as const;
export type Change = (typeof CHANGES)[number];
