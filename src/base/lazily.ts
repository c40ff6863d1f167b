/** Makes a value on first use. Some Intl objects take as long to make as the rest of a process's start. */
export const lazily = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
