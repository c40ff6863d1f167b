/** What cells of an agreement's files can say. */

/** `*` or a list of what a cell names. */
export type Named<T> = '*' | readonly T[];

/** Rate columns: one by name (`205`, `44`), or from a number to another. See `zonesOf` in `subject.ts`. */
export interface ZoneRange {
  readonly from: string;
  readonly to: string;
}

/** As a cell of a file has it: `44`, `2-8`. */
export const zoneText = ({ from, to }: ZoneRange): string => (from === to ? from : `${from}-${to}`);

export const ADDRESSES = ['any', 'residential', 'commercial'] as const;
export type Address = (typeof ADDRESSES)[number];

export const APPLIES_TO = ['both', 'packages', 'multiweight'] as const;
export type AppliesTo = (typeof APPLIES_TO)[number];

/** In place of the zone of a minimum's cell: the zone that the package goes to. */
export const OWN_ZONE = 'own';

export const MINIMUM_KINDS = ['usd', 'less usd', 'less percent'] as const;

/**
 * `points off` is of percentages alone, `amount off` of amounts alone. `at most` comes after any other change. `exactly` may
 * be more than the list's.
 */
export const CHANGES = ['percent off', 'amount off', 'points off', 'fixed', 'exactly', 'waived', 'at most'] as const;
export type Change = (typeof CHANGES)[number];
