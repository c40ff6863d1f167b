/** Makes a value when it is first asked for: some that Intl makes take as long as the rest of a process's start. */
export const lazily = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
