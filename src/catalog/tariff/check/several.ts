const MAX_NAMED = 5;

/** The first items, and how many more there are. */
export const severalOf = (items: readonly (string | number)[], separator = ', '): string => {
  const more = items.length - MAX_NAMED;
  return `${items.slice(0, MAX_NAMED).join(separator)}${more > 0 ? ` and ${more} more` : ''}`;
};

/** Names by what is said of them. */
export const sharing = (said: readonly (readonly [name: string, words: string])[]): ReadonlyMap<string, string[]> => {
  const names = new Map<string, string[]>();
  for (const [name, words] of said) names.set(words, [...(names.get(words) ?? []), name]);
  return names;
};
