/**
 * Long work in short slices, so that a process answers quotes meanwhile. All who wait for their turn stand in one line,
 * and the event loop takes one of them a round: however many are at work, a quote waits for one slice.
 */

/** How long a slice may take. A quote takes less than that. */
const SLICE_MS = 1;

const line: (() => void)[] = [];

const callNext = (): void => {
  line.shift()?.();
  if (line.length > 0) setImmediate(callNext);
};

/** Resolves in a later round of the event loop, which no other waiter has. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    line.push(resolve);
    if (line.length === 1) setImmediate(callNext);
  });

export interface Slices {
  /** Whether the slice has taken its time: `turn` is due. */
  readonly isOver: () => boolean;
  /** Ends the slice and begins the next one in its turn. */
  readonly turn: () => Promise<void>;
}

/** Work that is cut by time, for pieces of it may take any. It begins with a slice. */
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

/** Work that yields where other work may be done. */
export type InSlices<T> = Generator<void, T>;

const ITEMS_OF_SLICE = 256;

/** Maps a long array, and yields after some items. */
export function* mapInSlices<T, U>(items: readonly T[], map: (item: T, index: number) => U): InSlices<U[]> {
  const mapped: U[] = [];
  for (const [index, item] of items.entries()) {
    mapped.push(map(item, index));
    if (mapped.length % ITEMS_OF_SLICE === 0) yield;
  }
  return mapped;
}

/** Does such work without a pause, for who has no other work. */
export const withoutPause = <T>(work: InSlices<T>): T => {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
};

/** Does such work, the next slice of it in its turn whenever a slice has taken its time. */
export const inSlices = async <T>(work: InSlices<T>): Promise<T> => {
  const slices = createSlices();
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (slices.isOver()) await slices.turn();
  }
};
