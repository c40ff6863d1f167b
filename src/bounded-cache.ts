/** Caches of a fixed size: a new entry takes the place of the one that was added first. */

export interface BoundedMap<V> {
  readonly get: (key: string) => V | undefined;
  readonly set: (key: string, value: V) => void;
  readonly delete: (key: string) => void;
}

/** @param most entries at most */
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
 * A cache of what is loaded. Calls with the same key share one load. A load that fails, or whose value is not kept, is
 * tried again by the next call.
 * @param most values at most
 * @param isKept whether a loaded value stays in the cache
 * @returns how to load by way of the cache
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
