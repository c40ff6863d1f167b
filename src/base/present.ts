/** Makes members optional that may be undefined. `exactOptionalPropertyTypes` tells the two apart. */
type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Omits the members that are undefined. */
export const present = <T extends object>(members: T): Present<T> =>
  // The remaining members keep their types.
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<T>;
