/** The sums of a comparison: those of its parts, added up. */
import { addSums, emptySums, type Sums } from '../comparison/sums.ts';
import { must } from '../must.ts';
import type { Store } from '../store/store.ts';
import { createSlices } from '../time-slices.ts';
import { type BatchDocument, records } from './records.ts';

/** Parts whose sums are read together. */
const TOGETHER = 16;

/** @param indexes of the parts, in order. @returns undefined if it is no comparison */
export const sumsOfParts = async (
  store: Store,
  { id, comparison }: BatchDocument,
  indexes: readonly number[],
): Promise<Sums | undefined> => {
  if (comparison === undefined) return undefined;
  let sums: Sums = emptySums(comparison.scenarios.length);
  const slices = createSlices();
  for (let at = 0; at < indexes.length; at += TOGETHER) {
    const read = indexes.slice(at, at + TOGETHER).map((index) => records.partSums(store, id, index));
    for (const [offset, own] of (await Promise.all(read)).entries()) {
      sums = addSums(sums, must(own, `the sums of part ${indexes[at + offset]} of comparison ${id}`));
      if (slices.isOver()) await slices.turn();
    }
  }
  return sums;
};
