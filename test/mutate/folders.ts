/** What `npm run mutate` changes, and the least share of its mutants, in percent, that the tests must notice. */
export const MUTATED = [
  { name: 'rating', folders: ['src/rating'], least: 85 },
  { name: 'lists', folders: ['src/csv', 'src/rows'], least: 75 },
] as const;

/** Their tests need neither Redis nor a server. */
export const TEST_FOLDERS = ['test/rating', 'test/csv', 'test/rows'] as const;

/** Tests of how much work is done at once, on lists of millions of cells: other tests state what is done. */
export const LEFT_OUT: readonly string[] = ['test/csv/map-rows.test.ts'];
