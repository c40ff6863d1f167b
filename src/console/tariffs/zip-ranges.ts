/** Three-digit ZIP codes as people write lists of them: `005, 010–027`. */
export const zipRanges = (zip3s: readonly string[]): string => {
  const ranges: { from: string; to: string }[] = [];
  for (const zip3 of [...zip3s].sort()) {
    const last = ranges.at(-1);
    if (last !== undefined && Number(zip3) === Number(last.to) + 1) last.to = zip3;
    else ranges.push({ from: zip3, to: zip3 });
  }
  return ranges.map(({ from, to }) => (from === to ? from : `${from}–${to}`)).join(', ');
};
