/** Returns the name that chooses each column. The second of several columns called `Weight` is `Weight (2)`. */
export const numberedNames = (header: readonly string[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const name of header) counts.set(name.trim(), (counts.get(name.trim()) ?? 0) + 1);
  const seen = new Map<string, number>();
  return header.map((name) => {
    const own = name.trim();
    const place = (seen.get(own) ?? 0) + 1;
    seen.set(own, place);
    // Columns without a name cannot be chosen.
    return counts.get(own) === 1 || own === '' ? name : `${own} (${place})`;
  });
};
