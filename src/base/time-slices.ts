/**
 * Splits long work into short slices, so that the process can answer quotes in between. All tasks share one queue and the time
 * of each turn of the event loop: however many tasks there are, a quote waits for about one slice.
 */

/** The longest slice. A quote takes about as long. */
const SLICE_MS = 0.5;

const line: (() => void)[] = [];
let isNextSet = false;
/** When the slices of this turn of the event loop began. */
let begun: number | undefined;

const callNext = (): void => {
  [isNextSet, begun] = [false, undefined];
  line.shift()?.();
  if (line.length > 0) setNext();
};

const setNext = (): void => {
  if (!isNextSet) setImmediate(callNext);
  isNextSet = true;
};

/** Resolves in a later turn of the event loop. Each turn resolves only one caller. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    line.push(resolve);
    setNext();
  });

/** @returns whether the slices of this turn, of all tasks together, have used their time, so that `turn` is due */
export const isTurnOver = (): boolean => {
  const now = performance.now();
  begun ??= now;
  setNext();
  return now - begun > SLICE_MS;
};

/** Work that yields at points where other work may run. */
export type InSlices<T> = Generator<void, T>;

const ITEMS_OF_SLICE = 32;
/** For items that take longer, such as names of columns. */
export const FEW = 4;

/** Maps a long array. It yields after every few items. */
export function* mapInSlices<T, U>(
  items: readonly T[],
  map: (item: T, index: number) => U,
  most = ITEMS_OF_SLICE,
): InSlices<U[]> {
  const mapped: U[] = [];
  for (const [index, item] of items.entries()) {
    mapped.push(map(item, index));
    if (mapped.length % most === 0) yield;
  }
  return mapped;
}

/** Runs sliced work without a pause, for a process that has no other work. */
export const withoutPause = <T>(work: InSlices<T>): T => {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
};

/** Runs sliced work, and gives other work a turn after each slice. */
export const inSlices = async <T>(work: InSlices<T>): Promise<T> => {
  for (;;) {
    if (isTurnOver()) await turn();
    const { done, value } = work.next();
    if (done === true) return value;
  }
};
