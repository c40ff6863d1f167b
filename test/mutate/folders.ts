/** What `npm run mutate` changes, and the least share of its mutants, in percent, that the tests must notice. */
export const MUTATED = [
  { name: 'rating', folders: ['src/rating'], least: 85 },
  { name: 'lists', folders: ['src/csv', 'src/rows'], least: 75 },
] as const;

/** Their tests need neither Redis nor a server. */
export const TEST_FOLDERS = ['test/rating', 'test/csv', 'test/rows'] as const;
