/** The value of a key. If there is none yet, it is made and kept. */
export const getOrMake = <K, V>(
  map: { readonly get: (key: K) => V | undefined; readonly set: (key: K, value: V) => unknown },
  key: K,
  make: () => V,
): V => {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
};

/** Adds to the count of a key. */
export const count = <K>(counts: Map<K, number>, key: K, more = 1): void => {
  counts.set(key, (counts.get(key) ?? 0) + more);
};

/** Items by key, in their order. Node 20 has no `Map.groupBy`. */
export const grouped = <T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>();
  for (const item of items) getOrMake(groups, keyOf(item), (): T[] => []).push(item);
  return groups;
};

/** Items with the same key, in their order. */
export const groupsOf = <T, K>(items: Iterable<T>, keyOf: (item: T) => K): readonly (readonly T[])[] => [
  ...grouped(items, keyOf).values(),
];

/** The value that occurs most often; undefined if there is none. */
export const mostCommon = <T>(values: Iterable<T>): T | undefined => {
  const counts = new Map<T, number>();
  for (const value of values) count(counts, value);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
};
