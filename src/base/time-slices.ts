/**
 * Splits long work into short slices, so that the process can answer quotes in between. All slices share one queue, and each
 * turn of the event loop runs one of them: however many tasks there are, a quote waits for at most one slice.
 */

/** The longest slice. A quote takes less time. */
const SLICE_MS = 1;

const line: (() => void)[] = [];

const callNext = (): void => {
  line.shift()?.();
  if (line.length > 0) setImmediate(callNext);
};

/** Resolves in a later turn of the event loop. Each turn resolves only one caller. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    line.push(resolve);
    if (line.length === 1) setImmediate(callNext);
  });

export interface Slices {
  /** Whether the slice has used its time, so that `turn` is due. */
  readonly isOver: () => boolean;
  /** Ends the slice; resolves when the next one begins. */
  readonly turn: () => Promise<void>;
}

/** Slices by time, for work whose steps vary in length. The first slice begins at once. */
export const createSlices = (): Slices => {
  let begun = performance.now();
  return {
    isOver: () => performance.now() - begun > SLICE_MS,
    turn: async () => {
      await turn();
      begun = performance.now();
    },
  };
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
  const slices = createSlices();
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (slices.isOver()) await slices.turn();
  }
};
