/** The maximum edit distance between a name and the intended name. */
const MOST_CHANGES = 3;
const MOST_CHARACTERS = 40;

/** Returns how many letters must be added, removed or replaced to turn one text into another. */
const changesBetween = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [at, other] of [...to].entries())
      next.push(Math.min((next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1, (row[at] ?? 0) + (letter === other ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? from.length;
};

/** Returns the known name that was most likely meant. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > MOST_CHARACTERS) return undefined;
  const own = name.toLowerCase();
  const [best] = known
    .map((one) => ({ one, changes: changesBetween(own, one.toLowerCase()) }))
    .filter(({ changes }) => changes <= MOST_CHANGES)
    .sort((a, b) => a.changes - b.changes);
  return best?.one;
};
