/** Members that may be absent. With `exactOptionalPropertyTypes`, they must not be members with the value undefined. */
type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Omits the members that are undefined. */
export const present = <T extends object>(members: T): Present<T> =>
  // The members that are left have their own types.
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<T>;
