/** Caches of a fixed size. A new entry replaces the oldest one. */

export interface BoundedMap<V> {
  readonly get: (key: string) => V | undefined;
  readonly set: (key: string, value: V) => void;
  readonly delete: (key: string) => void;
}

/** @param most maximum number of entries */
export const createBoundedMap = <V>(most: number): BoundedMap<V> => {
  const entries = new Map<string, V>();
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      entries.set(key, value);
      const [oldest] = entries.keys();
      if (entries.size > most && oldest !== undefined) entries.delete(oldest);
    },
    delete: (key) => {
      entries.delete(key);
    },
  };
};

/**
 * A cache of loaded values. Concurrent calls with the same key share one load. If a load fails or its value is not
 * kept, the next call loads again.
 * @param most maximum number of values
 * @param isKept whether a loaded value stays in the cache
 * @returns a function that loads through the cache
 */
export const createLoadCache = <V>(
  most: number,
  isKept: (value: V) => boolean = () => true,
): ((key: string, load: () => Promise<V>) => Promise<V>) => {
  const loads = createBoundedMap<Promise<V>>(most);
  return async (key, load) => {
    const known = loads.get(key);
    if (known !== undefined) return await known;
    const loading = load();
    loads.set(key, loading);
    let stays = false;
    try {
      const value = await loading;
      stays = isKept(value);
      return value;
    } finally {
      if (!stays && loads.get(key) === loading) loads.delete(key);
    }
  };
};
